//! What a model call cost, in tokens.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Token counts of a model call.
///
/// ```
/// use duru_messages::UsageMetadata;
///
/// let mut total = UsageMetadata::new(5, 7);
/// total.add(&UsageMetadata::new(3, 3));
/// assert_eq!(total, UsageMetadata::new(8, 10));
/// assert_eq!(total.total_tokens, 18);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UsageMetadata {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    /// Tokens of the reply.
    pub output_tokens: u64,
    /// What the provider counts in total; not always the sum of the two.
    pub total_tokens: u64,
    /// `input_token_details`, `output_token_details` and whatever else a
    /// provider counts.
    #[serde(flatten)]
    pub details: Map<String, Value>,
}

impl UsageMetadata {
    /// Counts of a prompt and its reply; the total is their sum.
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        let total_tokens = input_tokens.saturating_add(output_tokens);
        UsageMetadata { input_tokens, output_tokens, total_tokens, details: Map::new() }
    }

    /// Adds the counts of another call (or of another chunk of the same call).
    pub fn add(&mut self, other: &UsageMetadata) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.total_tokens = self.total_tokens.saturating_add(other.total_tokens);
        add_details(&mut self.details, &other.details);
    }
}

fn add_details(into: &mut Map<String, Value>, other: &Map<String, Value>) {
    for (key, value) in other {
        let Some(mine) = into.get_mut(key) else {
            into.insert(key.clone(), value.clone());
            continue;
        };
        match (&mut *mine, value) {
            (Value::Object(mine), Value::Object(other)) => add_details(mine, other),
            (_, Value::Null) => {}
            (_, other) => match (mine.as_u64(), other.as_u64()) {
                (Some(a), Some(b)) => *mine = a.saturating_add(b).into(),
                // Not a count (a service tier, say): the newest one holds.
                _ => *mine = other.clone(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn details_are_summed_by_name() {
        let mut sum: UsageMetadata = serde_json::from_value(
            json!({"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "input_token_details": {"cache_read": 3}}),
        )
        .unwrap();
        let more: UsageMetadata = serde_json::from_value(
            json!({"output_tokens": 4, "total_tokens": 4, "input_token_details": {"cache_read": 2, "audio": 1}}),
        )
        .unwrap();
        sum.add(&more);
        assert_eq!(
            serde_json::to_value(&sum).unwrap(),
            json!({"input_tokens": 1, "output_tokens": 5, "total_tokens": 6,
                   "input_token_details": {"cache_read": 5, "audio": 1}})
        );
    }
}
