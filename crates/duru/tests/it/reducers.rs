//! Laws of the merges, for any updates: the typed state and the one that is
//! folded from stored entries without the type agree, and order and grouping
//! matter only where they should.

// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::collections::BTreeSet;

use duru::state::{Entry, JsonState, Op};
use duru::{Channel, ChannelSet, Merge, State, Update};
use duru_messages::{Message, Messages};
use proptest::prelude::*;
use proptest::{collection::vec, option};
use serde_json::{Map, Value};

#[derive(State, Clone)]
struct Tally {
    last: u8,
    maybe: Option<u8>,
    #[merge(overwrite)]
    owner: String,
    #[merge(ephemeral)]
    hint: u8,
    #[merge(append)]
    notes: Vec<u8>,
    #[merge(append)]
    tags: BTreeSet<u8>,
    #[merge(messages)]
    messages: Messages,
    #[merge(sum)]
    sum: u64,
    #[merge(min)]
    #[state(default = i32::MAX)]
    least: i32,
    #[merge(max)]
    best: Option<i32>,
    #[merge(with = digits)]
    digits: u32,
}

/// A merge that depends on the order.
fn digits(old: &mut u32, new: u32) {
    *old = old.wrapping_mul(10).wrapping_add(new);
}

fn message() -> impl Strategy<Value = Message> {
    // Few ids, so that they meet; some messages without any; removals, also of what is not there.
    (option::of(0..4u8), 0..10u8).prop_map(|(id, text)| match (id, text) {
        (Some(id), 8) => Message::remove(id.to_string()),
        (None, 8) => Message::remove_all(),
        (Some(id), _) => Message::human(text.to_string()).with_id(id.to_string()),
        (None, _) => Message::human(text.to_string()),
    })
}

fn update() -> impl Strategy<Value = TallyUpdate> {
    let plain = (
        option::of(any::<u8>()),
        option::of(option::of(any::<u8>())),
        option::of("[a-c]"),
        option::of(1..9u8),
    );
    let lists = (vec(any::<u8>(), 0..3), vec(0..9u8, 0..3), vec(message(), 0..3));
    let numbers = (
        option::of(0..1000u64),
        option::of(any::<i32>()),
        option::of(option::of(any::<i32>())),
        option::of(0..9u32),
    );
    (plain, lists, numbers, vec(0..7usize, 0..2)).prop_map(|(plain, lists, numbers, marks)| {
        let mut update = TallyUpdate {
            last: plain.0,
            maybe: plain.1,
            owner: plain.2,
            hint: plain.3,
            notes: lists.0,
            tags: lists.1.into_iter().collect(),
            messages: lists.2,
            sum: numbers.0,
            least: numbers.1,
            best: numbers.2,
            digits: numbers.3,
            ..Default::default()
        };
        for mark in marks {
            // The merging channels come last; a mark on a field without a value means nothing.
            update.overwrites.mark(mark + 4);
        }
        update
    })
}

/// The entries that the engine stores for an update.
fn entries(update: &TallyUpdate) -> Vec<Entry> {
    let entry = |i: usize| {
        let Channel { name, merge } = Tally::CHANNELS[i];
        let op = match merge {
            _ if update.overwritten().contains(i) => Op::Overwrite,
            Merge::Append => Op::Append,
            Merge::Messages => Op::Messages,
            Merge::Ephemeral => Op::Ephemeral,
            Merge::Computed => Op::Computed,
            _ => Op::Set,
        };
        Entry(Cow::Borrowed(name), op, update.encode(i).unwrap())
    };
    update.written().iter().map(entry).collect()
}

/// The values that it stores beside them: what entries alone can't give.
fn computed(state: &Tally, update: &TallyUpdate) -> Vec<Entry> {
    let needed =
        |i: &usize| update.overwritten().contains(*i) || Tally::CHANNELS[*i].merge == Merge::Computed;
    let entry = |i: usize| Entry(Cow::Borrowed(Tally::CHANNELS[i].name), Op::Set, state.encode(i).unwrap());
    update.written().iter().filter(needed).map(entry).collect()
}

fn values(state: &Tally) -> Map<String, Value> {
    let value = |i: usize| serde_json::from_str(state.encode(i).unwrap().get()).unwrap();
    Tally::CHANNELS.iter().enumerate().map(|(i, c)| (c.name.to_owned(), value(i))).collect()
}

fn fold<'a>(updates: impl IntoIterator<Item = &'a TallyUpdate>) -> Tally {
    let mut state = Tally::initial();
    for update in updates {
        state.fold(update.clone(), ChannelSet::EMPTY);
    }
    state
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn stored_entries_fold_to_the_same_state(updates in vec(update(), 0..12)) {
        let hint = Tally::CHANNELS.iter().position(|c| c.merge == Merge::Ephemeral).unwrap();
        let mut typed = Tally::initial();
        let mut stored = JsonState::default();
        for update in updates {
            if !update.written().contains(hint) {
                typed.reset(ChannelSet::EMPTY.with(hint, true));
            }
            typed.fold(update.clone(), ChannelSet::EMPTY);
            stored.apply_step(&entries(&update), &computed(&typed, &update)).unwrap();
        }
        let decoded = Tally::decode(stored.into_channels()).unwrap();
        prop_assert_eq!(values(&decoded), values(&typed));
    }

    #[test]
    fn an_update_survives_its_json(update in update(), before in update()) {
        let text = serde_json::to_string(&update).unwrap();
        let read: TallyUpdate = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(read.written(), update.written());
        prop_assert_eq!(read.overwritten(), update.overwritten());
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), text);
        prop_assert_eq!(values(&fold([&before, &read])), values(&fold([&before, &update])));
    }

    #[test]
    fn appending_is_associative(a in vec(any::<u8>(), 0..4), b in vec(any::<u8>(), 0..4), c in vec(any::<u8>(), 0..4)) {
        let apart = fold([
            &TallyUpdate::new().notes(a.clone()),
            &TallyUpdate::new().notes(b.clone()),
            &TallyUpdate::new().notes(c.clone()),
        ]);
        let left = fold([&TallyUpdate::new().notes(a.clone()).notes(b.clone()), &TallyUpdate::new().notes(c.clone())]);
        let right = fold([&TallyUpdate::new().notes(a.clone()), &TallyUpdate::new().notes(b.clone()).notes(c.clone())]);
        prop_assert_eq!(&apart.notes, &[a, b, c].concat());
        prop_assert_eq!(&left.notes, &apart.notes);
        prop_assert_eq!(&right.notes, &apart.notes);
    }

    #[test]
    fn sum_min_and_max_do_not_depend_on_order(
        (one, other) in vec(update(), 0..8)
            .prop_flat_map(|updates| (Just(updates.clone()), Just(updates).prop_shuffle())),
    ) {
        let numbers = |updates: Vec<TallyUpdate>| {
            let only = |u: TallyUpdate| TallyUpdate { sum: u.sum, least: u.least, best: u.best, ..Default::default() };
            let state = fold(&updates.into_iter().map(only).collect::<Vec<_>>());
            (state.sum, state.least, state.best)
        };
        prop_assert_eq!(numbers(one), numbers(other));
    }

    #[test]
    fn writing_nothing_changes_nothing(before in update()) {
        prop_assert_eq!(values(&fold([&before, &TallyUpdate::new()])), values(&fold([&before])));
    }

    #[test]
    fn skipping_what_is_written_changes_nothing(before in update(), update in update()) {
        let mut state = fold([&before]);
        let skip = update.written();
        state.fold(update, skip);
        prop_assert_eq!(values(&state), values(&fold([&before])));
    }
}
