//! What `#[derive(State)]` generates: every way to merge, the update's JSON, the
//! schemas, and what it refuses.

// Clippy knows only `#[test]` functions as tests, not their helpers.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use duru::{ChannelSet, Merge, State, Update};
use duru_messages::{Message, Messages};
use schemars::{JsonSchema, SchemaGenerator, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// One of everything.
#[derive(State, Clone)]
struct Review {
    /// Whether the reviewer is sure.
    sure: bool,
    title: Option<String>,
    #[state(default = Self::TRIES)]
    tries: u32,
    #[merge(overwrite)]
    owner: String,
    #[merge(ephemeral)]
    hint: String,
    #[merge(untracked)]
    cache: Opaque,
    #[merge(append)]
    notes: Vec<String>,
    #[merge(append)]
    tags: BTreeSet<String>,
    #[merge(append)]
    scores: BTreeMap<String, u32>,
    #[merge(messages)]
    messages: Messages,
    #[merge(sum)]
    tokens: u64,
    #[merge(sum)]
    spent: Option<u64>,
    #[merge(min)]
    #[state(default = u32::MAX)]
    least: u32,
    #[merge(max)]
    best: Option<f64>,
    #[merge(with = keep_longer)]
    quote: String,
    #[merge(with = Ledger::enter, update = Booking)]
    ledger: Ledger,
    #[merge(with = keep_some)]
    answer: Option<u8>,
    r#type: String,
}

impl Review {
    const TRIES: u32 = 3;
}

/// Neither serde nor a schema: an untracked field is never stored.
#[derive(Clone, Default, PartialEq, Debug)]
struct Opaque(u8);

#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
struct Ledger {
    sum: i64,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Booking {
    amount: i64,
    times: i64,
}

impl Ledger {
    fn enter(&mut self, booking: Booking) {
        self.sum += booking.amount * booking.times;
    }
}

fn keep_longer(old: &mut String, new: String) {
    if new.len() > old.len() {
        *old = new;
    }
}

fn keep_some(old: &mut Option<u8>, new: Option<u8>) {
    *old = old.take().or(new);
}

fn update(json: Value) -> ReviewUpdate {
    serde_json::from_value(json).unwrap()
}

fn refusal(json: &str) -> String {
    serde_json::from_str::<ReviewUpdate>(json).err().unwrap().to_string()
}

fn fold(updates: impl IntoIterator<Item = ReviewUpdate>) -> Review {
    let mut state = Review::initial();
    for update in updates {
        state.fold(update, ChannelSet::EMPTY);
    }
    state
}

fn channel(name: &str) -> usize {
    Review::CHANNELS.iter().position(|c| c.name == name).unwrap()
}

fn names(set: ChannelSet) -> Vec<&'static str> {
    set.iter().map(|i| Review::CHANNELS[i].name).collect()
}

#[test]
fn fields_are_channels_in_order() {
    let channels: Vec<_> = Review::CHANNELS.iter().map(|c| (c.name, c.merge)).collect();
    assert_eq!(
        channels,
        [
            ("sure", Merge::Last),
            ("title", Merge::Last),
            ("tries", Merge::Last),
            ("owner", Merge::Overwrite),
            ("hint", Merge::Ephemeral),
            ("cache", Merge::Untracked),
            ("notes", Merge::Append),
            // Appending to a set or a map is no appending in JSON.
            ("tags", Merge::Computed),
            ("scores", Merge::Computed),
            ("messages", Merge::Messages),
            ("tokens", Merge::Computed),
            ("spent", Merge::Computed),
            ("least", Merge::Computed),
            ("best", Merge::Computed),
            ("quote", Merge::Computed),
            ("ledger", Merge::Computed),
            ("answer", Merge::Computed),
            ("type", Merge::Last),
        ]
    );
}

#[test]
fn an_update_can_be_written_as_a_literal_or_built() {
    let literal = ReviewUpdate {
        notes: vec!["a".into(), "b".into()],
        sure: Some(true),
        title: Some(None),
        ..Default::default()
    };
    let built = ReviewUpdate::new().notes(["a".to_string()]).notes(vec!["b".into()]).sure(true).title(None);
    assert_eq!(names(literal.written()), ["sure", "title", "notes"]);
    assert_eq!(json!(literal), json!(built));
    assert_eq!(json!(built), json!({ "sure": true, "title": null, "notes": ["a", "b"] }));
    assert!(ReviewUpdate::new().written().is_empty());
    assert_eq!(format!("{:?}", ReviewUpdate::new().sure(true)), r#"ReviewUpdate {"sure":true}"#);
}

#[test]
fn builders_take_what_callers_have_at_hand() {
    let update = ReviewUpdate::new()
        .title("t".to_string())
        .tries(3)
        .owner("o")
        .best(0.5)
        .spent(7)
        .overwrite_notes(vec![])
        .overwrite_best(None)
        .scores([("a".into(), 1)])
        .r#type("bug");
    assert_eq!(
        json!(update),
        json!({
            "title": "t", "tries": 3, "owner": "o", "spent": 7, "type": "bug", "scores": { "a": 1 },
            "notes": { "__overwrite__": [] }, "best": { "__overwrite__": null },
        })
    );
}

#[test]
fn plain_fields_take_the_written_value() {
    let state = fold([
        ReviewUpdate::new().sure(true).owner("a").hint("x").cache(Opaque(1)),
        ReviewUpdate::new().owner("b"),
    ]);
    assert!(state.sure);
    assert_eq!((state.owner.as_str(), state.hint.as_str(), state.cache), ("b", "x", Opaque(1)));
    assert_eq!(state.tries, 3);
}

#[test]
fn collections_are_extended() {
    let state = fold([
        ReviewUpdate::new().notes(["a".into()]).tags(["x".into()]).scores([("k".into(), 1)]),
        ReviewUpdate::new().notes(["b".into()]).tags(["x".into(), "y".into()]).scores([("k".into(), 2)]),
    ]);
    assert_eq!(state.notes, ["a", "b"]);
    assert_eq!(state.tags, BTreeSet::from(["x".into(), "y".into()]));
    assert_eq!(state.scores, BTreeMap::from([("k".into(), 2)]));
}

#[test]
fn messages_merge_by_id() {
    let state = fold([
        ReviewUpdate::new().messages([Message::human("hi").with_id("1"), Message::ai("helo").with_id("2")]),
        ReviewUpdate::new().messages([Message::ai("hello").with_id("2")]),
        ReviewUpdate::new().messages([Message::remove("1")]),
    ]);
    assert_eq!(state.messages.as_slice(), [Message::ai("hello").with_id("2")]);
}

#[test]
fn removing_a_message_that_is_not_there_loses_no_other() {
    let state = fold([
        ReviewUpdate::new().messages([Message::human("hi").with_id("1")]),
        ReviewUpdate::new().messages([Message::remove("7"), Message::ai("hello").with_id("2")]),
    ]);
    assert_eq!(state.messages.len(), 2);
}

#[test]
fn messages_get_ids_where_they_have_none() {
    let mut update =
        ReviewUpdate::new().messages([Message::human("hi"), Message::ai("hello").with_id("mine")]);
    let mut count = 0;
    update.assign_ids(&mut || {
        count += 1;
        format!("m{count}")
    });
    let ids: Vec<_> = update.messages.iter().map(|m| m.id.as_deref()).collect();
    assert_eq!(ids, [Some("m1"), Some("mine")]);
}

#[test]
fn numbers_are_computed() {
    let state = fold([
        ReviewUpdate::new().tokens(2).least(7).best(0.5),
        ReviewUpdate::new().tokens(3).least(4).best(0.25).spent(1),
        ReviewUpdate::new().tokens(0).least(9).best(0.75).spent(2),
    ]);
    assert_eq!((state.tokens, state.least, state.best, state.spent), (5, 4, Some(0.75), Some(3)));
}

#[test]
fn an_empty_option_adds_nothing_and_is_no_write() {
    let nothing = ReviewUpdate { best: Some(None), spent: Some(None), ..Default::default() };
    assert!(nothing.written().is_empty());
    let state = fold([ReviewUpdate::new().best(-1.0), nothing]);
    assert_eq!((state.best, state.spent), (Some(-1.0), None));
}

#[test]
fn functions_merge_their_own_way() {
    let state = fold([
        ReviewUpdate::new().quote("long").ledger(Booking { amount: 5, times: 2 }),
        ReviewUpdate::new().quote("no").ledger(Booking { amount: -1, times: 3 }),
    ]);
    assert_eq!((state.quote.as_str(), state.ledger), ("long", Ledger { sum: 7 }));
}

#[test]
fn overwriting_bypasses_every_merge() {
    let before = fold([update(json!({
        "notes": ["a"], "tags": ["x"], "messages": ["hi"], "tokens": 5, "spent": 5, "least": 1, "best": 9.0,
        "quote": "long", "ledger": { "amount": 5, "times": 2 }, "answer": 4,
    }))]);
    let overwrite = ReviewUpdate::new()
        .overwrite_notes(["b".into()])
        .overwrite_tags([])
        .overwrite_messages([Message::ai("new").with_id("1")])
        .overwrite_tokens(1)
        .overwrite_spent(None)
        .overwrite_least(8)
        .overwrite_best(0.5)
        .overwrite_quote("no")
        .overwrite_ledger(Ledger { sum: 1 })
        .overwrite_answer(2);
    assert_eq!(overwrite.written(), overwrite.overwritten());

    // The same through JSON, which is how a committed write comes back after a crash.
    let stored = serde_json::to_string(&overwrite).unwrap();
    for update in [overwrite, serde_json::from_str(&stored).unwrap()] {
        let mut state = before.clone();
        state.fold(update, ChannelSet::EMPTY);
        assert_eq!(state.notes, ["b"]);
        assert!(state.tags.is_empty());
        assert_eq!(state.messages.as_slice(), [Message::ai("new").with_id("1")]);
        assert_eq!((state.tokens, state.spent, state.least, state.best), (1, None, 8, Some(0.5)));
        assert_eq!((state.quote.as_str(), state.ledger, state.answer), ("no", Ledger { sum: 1 }, Some(2)));
    }
}

#[test]
fn plain_fields_are_never_marked_as_overwritten() {
    let update = update(json!({ "sure": { "__overwrite__": true }, "hint": { "__overwrite__": null } }));
    assert_eq!(names(update.written()), ["sure", "hint"]);
    assert!(update.overwritten().is_empty());
    assert_eq!(json!(update), json!({ "sure": true, "hint": "" }));
}

#[test]
fn skipped_channels_are_left_alone() {
    let mut state = fold([ReviewUpdate::new().notes(["a".into()]).tokens(1)]);
    let skip = ChannelSet::EMPTY.with(channel("notes"), true);
    state.fold(ReviewUpdate::new().notes(["b".into()]).tokens(1), skip);
    assert_eq!((state.notes, state.tokens), (vec!["a".to_string()], 2));
}

#[test]
fn null_sets_back_to_the_default() {
    let before = json!({ "sure": true, "tries": 9, "notes": ["a"], "least": 1, "best": 2.0, "quote": "q",
        "ledger": { "amount": 1, "times": 1 }, "messages": ["hi"] });
    let clear = update(json!({ "sure": null, "tries": null, "notes": null, "least": null, "best": null,
        "quote": null, "ledger": null, "messages": null }));
    assert_eq!(names(clear.overwritten()), ["notes", "messages", "least", "best", "quote", "ledger"]);
    let state = fold([update(before), clear]);
    assert!(!state.sure && state.notes.is_empty() && state.messages.is_empty() && state.quote.is_empty());
    assert_eq!((state.tries, state.least, state.best, state.ledger.sum), (3, u32::MAX, None, 0));
}

/// A stored write is read back as it was: `None` must not come back as a clear
/// where the merge can tell the difference.
#[test]
fn null_is_a_value_where_the_type_has_one() {
    let update = update(json!({ "title": null, "answer": null }));
    assert!(update.overwritten().is_empty());
    let state = fold([ReviewUpdate::new().answer(4), update]);
    assert_eq!((state.title, state.answer), (None, Some(4)));
}

#[test]
fn single_messages_are_read_like_lists() {
    let state = fold([update(json!({ "messages": { "role": "user", "content": "hi" } }))]);
    assert_eq!(state.messages.as_slice(), [Message::human("hi")]);
}

#[test]
fn untracked_fields_are_written_but_have_no_json() {
    let update = ReviewUpdate::new().cache(Opaque(1)).sure(true);
    assert_eq!(names(update.written()), ["sure", "cache"]);
    assert_eq!(json!(update), json!({ "sure": true }));
    assert!(refusal(r#"{"cache": 1}"#).starts_with("unknown field `cache`, expected one of `sure`, "));
}

#[test]
fn what_does_not_fit_is_named() {
    let known = "`sure`, `title`, `tries`, `owner`, `hint`, `notes`, `tags`, `scores`, `messages`, `tokens`, \
        `spent`, `least`, `best`, `quote`, `ledger`, `answer`, `type`";
    assert_eq!(
        refusal(r#"{"shure": true}"#),
        format!("unknown field `shure`, expected one of {known} at line 1 column 8")
    );
    assert_eq!(
        refusal(r#"{"sure": "yes"}"#),
        "field `sure`: invalid type: string \"yes\", expected a boolean at line 1 column 15"
    );
    assert!(
        refusal(r#"{"tokens": {"__overwrite__": "x"}}"#).starts_with("field `tokens`: invalid type: string")
    );
    assert!(refusal(r#"{"sure": true, "sure": true}"#).starts_with("duplicate field `sure`"));
    assert!(refusal("[]").starts_with("invalid type: sequence, expected an object of fields of Review"));
}

#[test]
fn encode_gives_one_fields_value() {
    let update = ReviewUpdate::new()
        .sure(true)
        .notes(["a".into()])
        .overwrite_tokens(3)
        .overwrite_ledger(Ledger { sum: 2 })
        .cache(Opaque(1));
    let encoded = |name| update.encode(channel(name)).unwrap().get().to_owned();
    assert_eq!(encoded("sure"), "true");
    assert_eq!(encoded("notes"), r#"["a"]"#);
    // The mark is not part of the value.
    assert_eq!(encoded("tokens"), "3");
    assert_eq!(encoded("ledger"), r#"{"sum":2}"#);
    assert_eq!(encoded("cache"), "null");
}

#[test]
fn states_are_read_from_stored_values() {
    let before = fold([ReviewUpdate::new().sure(true).notes(["a".into()]).best(1.5).tries(1)]);
    let mut values = Map::new();
    for (i, channel) in Review::CHANNELS.iter().enumerate() {
        let json = before.encode(i).unwrap();
        values.insert(channel.name.into(), serde_json::from_str(json.get()).unwrap());
    }
    values.insert("gone".into(), json!("a field of an older version"));
    values.remove("tries");

    let after = Review::decode(values.clone()).unwrap();
    assert_eq!((after.sure, after.tries, after.best, after.notes), (true, 3, Some(1.5), before.notes));

    values.insert("best".into(), json!("high"));
    let error = Review::decode(values).err().unwrap();
    assert_eq!(error.field, "best");
    assert_eq!(
        error.to_string(),
        "field \"best\" can't be read: invalid type: string \"high\", expected f64"
    );
}

#[test]
fn reset_sets_back_only_what_is_named() {
    let mut state = fold([ReviewUpdate::new().hint("h").tries(9).owner("o")]);
    state.reset(ChannelSet::EMPTY.with(channel("hint"), true).with(channel("tries"), true));
    assert_eq!((state.hint.as_str(), state.tries, state.owner.as_str()), ("", 3, "o"));
}

/// Small enough to show its schemas whole.
#[derive(State, Clone)]
#[allow(dead_code)]
struct Small {
    /// How it went.
    sure: bool,
    #[merge(append)]
    notes: Vec<String>,
    #[merge(untracked)]
    cache: Opaque,
}

#[test]
fn schemas() {
    assert_eq!(
        json!(Small::schema(&mut SchemaGenerator::default())),
        json!({
            "title": "Small",
            "description": "Small enough to show its schemas whole.",
            "type": "object",
            "properties": {
                "sure": { "type": "boolean", "description": "How it went." },
                "notes": { "type": "array", "items": { "type": "string" } },
            },
        })
    );
    let notes = json!({ "type": "array", "items": { "type": "string" } });
    assert_eq!(
        json!(schema_for!(SmallUpdate)),
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "SmallUpdate",
            "description": "Changes of Small; a field left out is untouched.",
            "type": "object",
            "properties": {
                "sure": { "type": ["boolean", "null"], "description": "How it went." },
                "notes": { "anyOf": [
                    notes,
                    {
                        "type": "object",
                        "properties": { "__overwrite__": notes },
                        "required": ["__overwrite__"],
                        "additionalProperties": false,
                    },
                    { "type": "null" },
                ] },
            },
            "additionalProperties": false,
        })
    );
}

#[derive(State, Clone)]
struct Generic<T, const N: usize>
where
    T: PartialOrd,
{
    #[merge(max)]
    best: Option<T>,
    #[merge(append)]
    all: Vec<T>,
    #[state(default = [0; N])]
    #[merge(untracked)]
    room: [u8; N],
}

#[derive(State, Clone)]
struct Empty {}

#[test]
fn generic_and_empty_states() {
    let mut state = Generic::<u32, 2>::initial();
    state.fold(GenericUpdate::new().best(3).all([1, 3]), ChannelSet::EMPTY);
    assert_eq!((state.best, state.all, state.room), (Some(3), vec![1, 3], [0, 0]));
    assert_eq!(GenericUpdate::<u32, 2>::schema_name(), "GenericUpdate_for_uint32");

    Empty::initial().fold(serde_json::from_str("{}").unwrap(), ChannelSet::EMPTY);
    assert!(Empty::CHANNELS.is_empty());
}

#[test]
fn what_the_derive_refuses() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
