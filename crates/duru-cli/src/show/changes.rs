//! What differs between two states.

use duru::ThreadState;
use serde::Serialize;
use serde_json::{Map, Value};

/// What happened to a channel.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Change<'a> {
    Added {
        channel: &'a str,
        after: &'a Value,
    },
    Removed {
        channel: &'a str,
        before: &'a Value,
    },
    Changed {
        channel: &'a str,
        before: &'a Value,
        after: &'a Value,
    },
    /// A list has the same items as before, and then more.
    Appended {
        channel: &'a str,
        from: usize,
        items: &'a [Value],
    },
}

pub(super) fn changes<'a>(before: &'a Map<String, Value>, after: &'a Map<String, Value>) -> Vec<Change<'a>> {
    let mut changes: Vec<Change<'a>> = Vec::new();
    for (channel, after) in after {
        match before.get(channel) {
            None => changes.push(Change::Added { channel, after }),
            Some(before) if before == after => {}
            Some(before) => changes.push(match (before, after) {
                (Value::Array(old), Value::Array(new)) if new.starts_with(old) => {
                    Change::Appended { channel, from: old.len(), items: &new[old.len()..] }
                }
                _ => Change::Changed { channel, before, after },
            }),
        }
    }
    let gone = before.iter().filter(|(channel, _)| !after.contains_key(*channel));
    changes.extend(gone.map(|(channel, before)| Change::Removed { channel, before }));
    changes
}

/// The nodes of the step after a checkpoint, each once with its number.
pub(super) fn planned(state: &ThreadState) -> Vec<String> {
    let mut nodes: Vec<(&str, usize)> = Vec::new();
    for task in &state.tasks {
        match nodes.iter_mut().find(|(node, _)| *node == task.node) {
            Some((_, count)) => *count += 1,
            None => nodes.push((&task.node, 1)),
        }
    }
    nodes
        .into_iter()
        .map(|(node, count)| if count == 1 { node.to_owned() } else { format!("{node} ×{count}") })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lists_that_grew_tell_only_what_is_new() {
        let (before, after) =
            (json!({ "a": [1], "b": 1, "c": [1, 2] }), json!({ "a": [1, 2], "c": [2], "d": 3 }));
        let (before, after) = (before.as_object().unwrap(), after.as_object().unwrap());
        let expected = [
            Change::Appended { channel: "a", from: 1, items: &[json!(2)] },
            Change::Changed { channel: "c", before: &json!([1, 2]), after: &json!([2]) },
            Change::Added { channel: "d", after: &json!(3) },
            Change::Removed { channel: "b", before: &json!(1) },
        ];
        assert_eq!(changes(before, after), expected);
    }
}
