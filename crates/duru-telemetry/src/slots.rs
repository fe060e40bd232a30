//! Where spans are from their beginning to their end. A busy server has tens of thousands of them a second, so their
//! places and their memory are used again and again.

use tracing::Metadata;
use tracing::span::Id;

use crate::context::Context;
use crate::shards::{SHARDS, Shards};
use crate::span::{Attributes, Span};

const SHARD_BITS: u32 = SHARDS.trailing_zeros();

#[derive(Default)]
pub(crate) struct Slots(Shards<Shard>);

#[derive(Default)]
struct Shard {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

struct Slot {
    /// How many spans were here before: what names one of them means none of the others.
    turn: u32,
    /// How many hold it: whoever has it at hand, and every span within it.
    holders: u32,
    /// The span that it is within, in this process.
    within: Option<Id>,
    what: &'static Metadata<'static>,
    span: Span,
}

impl Slots {
    /// Begins a span. What it says is exchanged for what an earlier one said, so that its memory is used again.
    pub(crate) fn begin(
        &self,
        what: &'static Metadata<'static>,
        within: Option<Id>,
        (context, parent): (Context, Option<u64>),
        start_ns: u64,
        said: &mut Attributes,
    ) -> Id {
        let number = Shards::<Shard>::mine();
        let mut shard = self.0.lock(number);
        let index = match shard.free.pop() {
            Some(index) => index,
            None => {
                let index = u32::try_from(shard.slots.len()).unwrap_or(u32::MAX);
                shard.slots.push(Slot { turn: 0, holders: 0, within: None, what, span: Span::default() });
                index
            }
        };
        let slot = &mut shard.slots[index as usize];
        slot.turn = slot.turn.wrapping_add(1).max(1);
        (slot.holders, slot.within, slot.what) = (1, within, what);
        let span = &mut slot.span;
        (span.context, span.parent, span.name) = (context, parent, what.name());
        (span.start_ns, span.end_ns) = (start_ns, start_ns);
        std::mem::swap(&mut span.said, said);
        id(slot.turn, index, number)
    }

    /// Does something with a span, if it is still there.
    pub(crate) fn with<T>(&self, id: &Id, then: impl FnOnce(&mut Span) -> T) -> Option<T> {
        self.slot(id, |slot| then(&mut slot.span))
    }

    /// What the program calls it.
    pub(crate) fn what(&self, id: &Id) -> Option<&'static Metadata<'static>> {
        self.slot(id, |slot| slot.what)
    }

    /// The span that it is within.
    pub(crate) fn within(&self, id: &Id) -> Option<Id> {
        self.slot(id, |slot| slot.within.clone()).flatten()
    }

    /// One more holds it. Where it is in its trace.
    pub(crate) fn hold(&self, id: &Id) -> Option<Context> {
        self.slot(id, |slot| {
            slot.holders += 1;
            slot.span.context
        })
    }

    /// One less holds it. The last one ends it, and then holds what it was within no longer. Whether it ended.
    pub(crate) fn release(&self, id: &Id, mut ended: impl FnMut(&mut Span)) -> bool {
        let mut held = Some(id.clone());
        let mut any = false;
        while let Some(id) = held {
            let (_, index, number) = parts(&id);
            let mut shard = self.0.lock(number);
            let Some(slot) = shard.get(&id) else { break };
            slot.holders = slot.holders.saturating_sub(1);
            if slot.holders > 0 {
                break;
            }
            ended(&mut slot.span);
            slot.turn = slot.turn.wrapping_add(1).max(1);
            held = slot.within.take();
            shard.free.push(index);
            any = true;
        }
        any
    }

    fn slot<T>(&self, id: &Id, then: impl FnOnce(&mut Slot) -> T) -> Option<T> {
        let mut shard = self.0.lock(parts(id).2);
        shard.get(id).map(then)
    }
}

impl Shard {
    fn get(&mut self, id: &Id) -> Option<&mut Slot> {
        let (turn, index, _) = parts(id);
        self.slots.get_mut(index as usize).filter(|slot| slot.turn == turn)
    }
}

fn id(turn: u32, index: u32, shard: usize) -> Id {
    // A turn is never 0, and so is no id.
    Id::from_u64(u64::from(turn) << 32 | u64::from(index) << SHARD_BITS | shard as u64)
}

fn parts(id: &Id) -> (u32, u32, usize) {
    let id = id.into_u64();
    ((id >> 32) as u32, (id as u32) >> SHARD_BITS, id as usize % SHARDS)
}
