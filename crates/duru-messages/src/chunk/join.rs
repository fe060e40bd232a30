//! How the untyped parts of chunks are joined.

use serde_json::{Map, Value};

use crate::Content;

pub(super) fn join_content(left: &mut Content, right: &Content) {
    match (&mut *left, right) {
        (Content::Text(left), Content::Text(right)) => left.push_str(right),
        (Content::Text(text), Content::Blocks(right)) => {
            let mut blocks = Vec::with_capacity(right.len() + 1);
            if !text.is_empty() {
                blocks.push(Value::String(std::mem::take(text)));
            }
            join_lists(&mut blocks, right);
            *left = Content::Blocks(blocks);
        }
        (Content::Blocks(_), Content::Text(right)) if right.is_empty() => {}
        (Content::Blocks(blocks), Content::Text(right)) => match blocks.last_mut() {
            Some(Value::String(last)) => last.push_str(right),
            _ => blocks.push(Value::String(right.clone())),
        },
        (Content::Blocks(left), Content::Blocks(right)) => join_lists(left, right),
    }
}

/// Objects with the same `index` are pieces of one block.
fn join_lists(left: &mut Vec<Value>, right: &[Value]) {
    for piece in right {
        let index = piece.get("index").filter(|index| !index.is_null());
        let begun = index.and_then(|index| left.iter_mut().rfind(|b| b.get("index") == Some(index)));
        match (begun, piece) {
            (Some(Value::Object(block)), Value::Object(piece)) => join_objects(block, piece),
            _ => left.push(piece.clone()),
        }
    }
}

/// Texts grow, lists and objects are joined, anything else is replaced.
pub(super) fn join_objects(left: &mut Map<String, Value>, right: &Map<String, Value>) {
    for (key, value) in right {
        let Some(mine) = left.get_mut(key) else {
            left.insert(key.clone(), value.clone());
            continue;
        };
        match (&mut *mine, value) {
            (_, Value::Null) => {}
            // These say what the block is; a repetition does not grow them.
            (Value::String(mine), Value::String(new)) if !matches!(key.as_str(), "type" | "id" | "index") => {
                mine.push_str(new);
            }
            (Value::Array(mine), Value::Array(new)) => join_lists(mine, new),
            (Value::Object(mine), Value::Object(new)) => join_objects(mine, new),
            _ => *mine = value.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(pieces: Vec<Content>, expected: Value) {
        let mut joined = Content::default();
        for piece in &pieces {
            join_content(&mut joined, piece);
        }
        assert_eq!(serde_json::to_value(&joined).unwrap(), expected);
    }

    #[test]
    fn blocks_are_joined_by_index() {
        check(
            vec![
                vec![json!({"type": "thinking", "thinking": "Hm", "index": 0})].into(),
                vec![json!({"type": "thinking", "thinking": "m.", "index": 0})].into(),
                "".into(),
                vec![json!({"type": "text", "text": "Hel", "index": 1})].into(),
                vec![json!({"type": "text", "text": "lo", "index": 1, "citations": [{"n": 1}]})].into(),
            ],
            json!([
                {"type": "thinking", "thinking": "Hmm.", "index": 0},
                {"type": "text", "text": "Hello", "index": 1, "citations": [{"n": 1}]},
            ]),
        );
    }

    #[test]
    fn text_and_blocks_keep_their_order() {
        check(
            vec!["a".into(), "b".into(), vec![json!({"type": "image"})].into(), "c".into(), "d".into()],
            json!(["ab", {"type": "image"}, "cd"]),
        );
    }
}
