//! Readers that stay. Each reads a thread along, in one mode or in all, while runs of this process and of others write
//! it, and writes down what it sees: the audit compares that with the log.

use std::sync::Arc;
use std::time::{Duration, Instant};

use duru::store::Checkpoints;
use duru::testkit::sweep::Shown;
use duru::{Error, Event, Mode, Reader, store};

use crate::acks::{Ack, Acks};
use crate::mortal::Mortals;
use crate::work::{Works, hash, name};

/// How many a worker has.
pub(crate) const WATCHERS: usize = 10;

/// How often a reader looks whether something has come.
const LOOK: Duration = Duration::from_millis(5);

/// What of a worker its readers need.
#[derive(Clone)]
pub(crate) struct Watcher {
    pub(crate) works: Arc<Works>,
    pub(crate) mortals: Arc<Mortals>,
    pub(crate) acks: Acks,
    pub(crate) store: Arc<dyn Checkpoints>,
    pub(crate) threads: usize,
}

impl Watcher {
    /// Reads until it is told to end, and then what is left; one thread after the other.
    pub(crate) async fn read_along(self, ends: impl Fn() -> bool) {
        while !ends() {
            let until = Instant::now() + Duration::from_millis(fastrand::u64(300..3000));
            let read = if fastrand::u8(..3) == 0 {
                self.mortal(until, &ends).await
            } else {
                self.lasting(until, &ends).await
            };
            match read {
                // The database is away, or this one's thread was deleted.
                Err(Error::Store(store::Error::Backend { .. } | store::Error::Deleted { .. })) => {
                    tokio::time::sleep(LOOK).await;
                }
                Err(error) => self.acks.note(&Ack::Wrong { thread: "-".into(), text: error.to_string() }),
                Ok(()) => {}
            }
        }
    }

    /// A thread that is never deleted: every event is written down.
    async fn lasting(&self, until: Instant, ends: &impl Fn() -> bool) -> Result<(), Error> {
        // Few threads, so that some are read while several processes write them.
        let index = fastrand::usize(..self.threads.min(8));
        let thread = self.works.thread(index)?;
        let mode = fastrand::choice(Mode::ALL).filter(|_| fastrand::u8(..4) > 0);
        let modes = mode.map_or_else(|| Mode::ALL.to_vec(), |mode| vec![mode]);
        let head = self.store.head(thread.id()).await?;
        let from = head.filter(|_| fastrand::bool()).map_or(0, |head| head.next_seq);
        let reader = fastrand::u64(..);
        self.acks.note(&Ack::Watch { reader, thread: name(index), mode, from });
        let mut show = |event: &Event| {
            let hash = hash(Shown::of(event).text);
            self.acks.note(&Ack::Seen { reader, seq: event.seq, hash });
        };
        follow(thread.events(from, modes).await?, until, ends, &mut show).await
    }

    /// One that is deleted and made again: all that is seen of it has one owner.
    async fn mortal(&self, until: Instant, ends: &impl Fn() -> bool) -> Result<(), Error> {
        let thread = self.mortals.any()?;
        let mut owner = None;
        let mut show = |event: &Event| {
            for word in Mortals::words(event) {
                let first = owner.get_or_insert_with(|| word.clone());
                if *first != word {
                    let text = format!("a reader of {first:?} sees {word:?} in event {}", event.seq);
                    self.acks.note(&Ack::Back { thread: thread.id().to_string(), text });
                }
            }
        };
        let modes = [Mode::Values, Mode::Updates, Mode::Custom];
        follow(thread.events(0, modes).await?, until, ends, &mut show).await
    }
}

/// Reads what comes. Some ask the store now and then, as whoever reads at another process must; others hear of what runs
/// of this one write.
async fn follow(
    mut reader: Reader,
    until: Instant,
    ends: &impl Fn() -> bool,
    show: &mut (dyn FnMut(&Event) + Send),
) -> Result<(), Error> {
    let asks = fastrand::u8(..3);
    loop {
        let over = Instant::now() >= until || ends();
        if over || asks > 0 && fastrand::u8(..10 * asks) == 0 {
            reader.refresh().await?;
        }
        while let Some(event) = reader.next_ready().await? {
            show(&event);
        }
        if over {
            return Ok(());
        }
        tokio::time::sleep(LOOK).await;
    }
}
