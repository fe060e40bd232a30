//! What people may write of a table or a column.

use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use crate::tables::TableWords;

const LONGEST_DESCRIPTION: usize = 1_000;
const LONGEST_SYNONYM: usize = 60;
const MOST_SYNONYMS: usize = 50;

/// What is to be written; what is not named stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WordsChange {
    /// `null`: none of one's own.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    description: Option<Option<String>>,
    #[serde(default)]
    synonyms: Option<Vec<String>>,
    /// What the person saw: nothing is changed that somebody else has changed since.
    #[serde(default)]
    #[schema(value_type = Option<Value>)]
    was: Option<TableWords>,
}

/// Tells `null` from nothing.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl WordsChange {
    /// The words as they are to be, none if they are not as the person saw them; or why they can't be so.
    pub(super) fn onto(self, before: TableWords) -> Result<Option<TableWords>, String> {
        if self.was.as_ref().is_some_and(|was| *was != before) {
            return Ok(None);
        }
        if self.description.is_none() && self.synonyms.is_none() {
            return Err("description이나 synonyms를 보내세요. / Send a description or synonyms.".to_owned());
        }
        let description = match self.description {
            Some(given) => description(given)?,
            None => before.description,
        };
        let synonyms = match self.synonyms {
            Some(given) => synonyms(given)?,
            None => before.synonyms,
        };
        Ok(Some(TableWords { description, synonyms }))
    }
}

fn description(given: Option<String>) -> Result<Option<String>, String> {
    let text = given.unwrap_or_default().trim().to_owned();
    if text.chars().count() > LONGEST_DESCRIPTION {
        return Err(format!(
            "description: {LONGEST_DESCRIPTION}자까지 쓸 수 있습니다. / description: at most {LONGEST_DESCRIPTION} characters."
        ));
    }
    if text.chars().any(is_unseen) {
        return Err(
            "description: 한 줄로, 보이는 글자만 쓰세요. / description: one line, and characters that can be seen."
                .to_owned(),
        );
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

/// Each once, however it is spelled.
fn synonyms(given: Vec<String>) -> Result<Vec<String>, String> {
    let mut all: Vec<String> = Vec::new();
    for word in given {
        let word = word.split_whitespace().collect::<Vec<_>>().join(" ");
        if word.chars().count() > LONGEST_SYNONYM {
            return Err(format!(
                "synonyms: 한 말은 {LONGEST_SYNONYM}자까지 쓸 수 있습니다. / synonyms: at most {LONGEST_SYNONYM} characters each."
            ));
        }
        if word.chars().any(is_unseen) || !word.is_empty() && !word.chars().any(char::is_alphanumeric) {
            return Err(
                "synonyms: 글자나 숫자가 있는, 보이는 말을 쓰세요. / synonyms: words with letters or digits that can be seen."
                    .to_owned(),
            );
        }
        let known = all.iter().any(|other| other.to_lowercase() == word.to_lowercase());
        if !word.is_empty() && !known {
            all.push(word);
        }
    }
    if all.len() > MOST_SYNONYMS {
        return Err(format!(
            "synonyms: {MOST_SYNONYMS}개까지 쓸 수 있습니다. / synonyms: at most {MOST_SYNONYMS} of them."
        ));
    }
    Ok(all)
}

/// Control characters, and those that turn the direction of a text or have no width.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn onto(change: Value) -> Result<TableWords, String> {
        let before = TableWords { description: Some("before".into()), synonyms: vec!["orders".into()] };
        let change: WordsChange = serde_json::from_value(change).map_err(|error| error.to_string())?;
        change.onto(before).map(Option::unwrap_or_default)
    }

    #[test]
    fn what_is_not_named_stays_and_what_makes_no_sense_is_refused() {
        let words = onto(json!({ "synonyms": [" 주문 ", "주문", "Order  list", "order list", ""] })).unwrap();
        assert_eq!(words.synonyms, ["주문", "Order list"]);
        assert_eq!(words.description.as_deref(), Some("before"));
        assert_eq!(onto(json!({ "description": null })).unwrap().description, None);
        assert_eq!(onto(json!({ "description": " new " })).unwrap().synonyms, ["orders"]);
        let seen = |description: &str| json!({ "description": description, "synonyms": ["orders"] });
        assert_eq!(
            onto(json!({ "description": "new", "was": seen("before") })).unwrap().synonyms,
            ["orders"]
        );
        assert_eq!(
            onto(json!({ "description": "new", "was": seen("other") })).unwrap(),
            TableWords::default()
        );
        for wrong in [
            json!({}),
            json!({ "nouns": ["x"] }),
            json!({ "synonyms": "x" }),
            json!({ "synonyms": ["!?"] }),
            json!({ "synonyms": ["a\u{202e}b"] }),
            json!({ "synonyms": ["x".repeat(61)] }),
            json!({ "synonyms": (0..51).map(|n| format!("w{n}")).collect::<Vec<_>>() }),
            json!({ "description": "x".repeat(1_001) }),
            json!({ "description": "a\nb" }),
        ] {
            assert!(onto(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
