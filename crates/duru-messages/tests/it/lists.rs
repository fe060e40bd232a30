//! How a list merges. Messages are written `id:text`, `-id` removes, `-*`
//! removes all, and `:text` has no id.

use duru_messages::{MergeError, Message, Messages};

fn batch(script: &str) -> Vec<Message> {
    script.split_whitespace().map(message).collect()
}

fn message(word: &str) -> Message {
    match (word, word.split_once(':')) {
        ("-*", _) => Message::remove_all(),
        (_, Some(("", text))) => Message::human(text),
        (_, Some((id, text))) => Message::human(text).with_id(id),
        _ => Message::remove(word.trim_start_matches('-')),
    }
}

fn show(messages: &Messages) -> String {
    let words: Vec<String> =
        messages.iter().map(|m| format!("{}:{}", m.id.as_deref().unwrap_or_default(), m.text())).collect();
    words.join(" ")
}

#[track_caller]
fn check(list: &str, new: &str, expected: &str) {
    let mut messages = Messages::from(batch(list));
    messages.merge(batch(new)).unwrap();
    assert_eq!(show(&messages), expected);
    for message in &messages {
        // The index points at every message that has an id, and at no other.
        if let Some(id) = &message.id {
            assert_eq!(messages.get(id), Some(message));
        }
    }
}

#[test]
fn merges() {
    check("", "a:1 b:2", "a:1 b:2");
    check("a:1 b:2", "a:3 c:4", "a:3 b:2 c:4");
    check("a:1", "b:1 b:2", "a:1 b:2");
    check("a:1", ":2 :2", "a:1 :2 :2");
    check("a:1 :x b:2 c:3", "-a -b d:4", ":x c:3 d:4");
    check("a:1 b:2", "-a -a", "b:2");
    check("a:1 b:2", "-a a:3", "a:3 b:2");
    check("a:1", "b:2 -b", "a:1");
    check("a:1 b:2", "c:3 -*", "");
    check("a:1 b:2", "-zzz c:3 -* d:4 a:5", "d:4 a:5");
    check("a:1", "b:2 -* c:3 -* d:4", "d:4");
}

#[test]
fn a_removed_id_is_free_again() {
    let mut messages = Messages::from(batch("a:1 b:2 c:3"));
    messages.merge(batch("-a")).unwrap();
    assert_eq!(messages.get("a"), None);
    messages.merge(batch("a:4 c:5")).unwrap();
    assert_eq!(show(&messages), "b:2 c:5 a:4");
}

#[test]
fn a_refused_batch_changes_nothing() {
    let mut messages = Messages::from(batch("a:1 b:2"));
    let unknown = |id: &str, position| Err(MergeError::UnknownId { id: id.into(), position });
    assert_eq!(messages.merge(batch("a:9 -zzz")), unknown("zzz", 1));
    assert_eq!(messages.merge(batch("c:3 -* -a")), unknown("a", 2));
    let mut nameless = Message::remove("x");
    nameless.id = None;
    assert_eq!(messages.merge([nameless]), Err(MergeError::RemoveWithoutId { position: 0 }));
    assert_eq!(show(&messages), "a:1 b:2");
}

#[test]
fn a_clone_does_not_see_later_merges() {
    let mut messages = Messages::from(batch("a:1 b:2"));
    let before = messages.clone();
    messages.merge(batch("a:3 -b")).unwrap();
    assert_eq!(show(&before), "a:1 b:2");
    assert_eq!(before.get("b").map(|m| m.text().into_owned()).as_deref(), Some("2"));
    assert_ne!(before, messages);
}

#[test]
fn a_message_is_copied_when_one_handle_writes() {
    let original = Message::human("hi").with_id("1");
    let mut copy = original.clone();
    copy.name = Some("Kim".into());
    assert_eq!(original.name, None);
}

#[test]
fn building_a_list_keeps_ids_unique() {
    let messages: Messages = batch("a:1 a:2 -zzz b:3 -b").into_iter().collect();
    assert_eq!(show(&messages), "a:2");
    assert_eq!(messages.into_iter().count(), 1);
}
