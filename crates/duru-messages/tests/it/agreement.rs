//! Typed merge, JSON merge, and a slow model of the rules give the same lists
//! and the same refusals on thousands of random conversations.

use duru_messages::json::{self, Index};
use duru_messages::{Message, Messages, REMOVE_ALL};
use serde_json::Value;

/// xorshift64*: the same sequence everywhere, and no dependency.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
    }

    fn message(&mut self) -> Message {
        // Few ids, so that they meet often.
        let id = format!("m{}", self.below(12));
        let text = format!("t{}", self.below(1000));
        match self.below(20) {
            0 => Message::remove_all(),
            1..=4 => Message::remove(id),
            5..=7 => Message::human(text),
            8..=10 => Message::tool("call", text).with_id(id),
            11..=15 => Message::ai(text).with_id(id),
            _ => Message::human(text).with_id(id),
        }
    }
}

/// The rules, without an index and without care for cost.
fn by_the_rules(list: &[Message], batch: &[Message]) -> Option<Vec<Message>> {
    let remove_all = |m: &Message| m.is_remove() && m.id.as_deref() == Some(REMOVE_ALL);
    let (mut list, batch) = match batch.iter().rposition(remove_all) {
        Some(at) => (Vec::new(), &batch[at + 1..]),
        None => (list.to_vec(), batch),
    };
    let mut removed: Vec<String> = Vec::new();
    for message in batch {
        let place = list.iter().position(|m| m.id.is_some() && m.id == message.id);
        match (message.is_remove(), place) {
            (true, None) => return None,
            (true, Some(_)) => removed.extend(message.id.clone()),
            (false, None) => list.push(message.clone()),
            (false, Some(at)) => {
                removed.retain(|id| Some(id) != message.id.as_ref());
                list[at] = message.clone();
            }
        }
    }
    list.retain(|m| m.id.as_ref().is_none_or(|id| !removed.contains(id)));
    Some(list)
}

#[test]
fn three_merges_agree() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 1..=2000 {
        let mut random = Random(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let (mut typed, mut model) = (Messages::new(), Vec::new());
        let (mut list, mut index) = (Vec::<Value>::new(), Index::default());
        for _ in 0..12 {
            let size = random.below(6);
            let batch: Vec<Message> = (0..size).map(|_| random.message()).collect();
            let as_json = batch.iter().map(|m| serde_json::to_value(m).unwrap()).collect();

            let outcome = typed.merge(batch.clone());
            assert_eq!(json::merge(&mut list, &mut index, as_json), outcome, "seed {seed}");
            let ruled = by_the_rules(&model, &batch);
            assert_eq!(ruled.is_some(), outcome.is_ok(), "seed {seed}: {batch:?}");
            model = ruled.unwrap_or(model);
            if outcome.is_ok() {
                accepted += 1
            } else {
                refused += 1
            }

            assert_eq!(typed.as_slice(), model, "seed {seed}");
            assert_eq!(serde_json::to_value(&typed).unwrap(), Value::from(list.clone()), "seed {seed}");
            for message in &typed {
                assert!(message.id.is_none() || typed.get(message.id.as_deref().unwrap()) == Some(message));
            }
        }
    }
    // The generator is worth nothing if it stays on one side.
    assert!(accepted > 5000 && refused > 1000, "{accepted} accepted, {refused} refused");
}

#[test]
fn an_index_of_another_list_is_noticed_by_length() {
    let mut list = vec![serde_json::json!({"type": "human", "content": "x", "id": "1"})];
    let replace = vec![serde_json::json!({"type": "human", "content": "y", "id": "1"})];
    json::merge(&mut list, &mut Index::default(), replace.clone()).unwrap();
    assert_eq!(list, replace);
}

#[test]
fn json_that_is_no_message_is_refused() {
    let error = json::merge(&mut Vec::new(), &mut Index::default(), vec!["hi".into()]).unwrap_err();
    assert_eq!(error.to_string(), "messages[0] is not a message object; parse the input into messages first");
}
