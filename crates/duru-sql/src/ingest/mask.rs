//! Hiding personal data.

use regex::{Captures, Regex};
use serde_json::{Map, Value};

use super::mapping::{Error, MaskRule, regex};
use crate::Record;

/// Borders are those of ASCII words: in Korean, a particle follows without a space.
const USUAL: [(&str, &str); 4] = [
    ("EMAIL", r"(?-u:\b)[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}(?-u:\b)"),
    ("RRN", r"(?-u:\b)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])-?[1-8][0-9]{6}(?-u:\b)"),
    (CARD, r"(?-u:\b)[0-9](?:[ -]?[0-9]){12,18}(?-u:\b)"),
    (
        "PHONE",
        r"(?:\+82[ -]?|(?-u:\b)0)(?:1[016789][ .-]?[0-9]{3,4}[ .-]?[0-9]{4}|(?:2|[3-6][0-9])[ .-][0-9]{3,4}[ .-][0-9]{4})(?-u:\b)",
    ),
];

/// Many numbers are as long as a card's; few have its check digit.
const CARD: &str = "CARD";

#[derive(Debug, Clone, Default)]
pub(super) struct Masks {
    rules: Vec<(String, Regex)>,
}

impl Masks {
    pub(super) fn new(usual: bool, own: &[MaskRule]) -> Result<Self, Error> {
        let mut rules = Vec::new();
        for rule in own {
            rules.push((rule.name.clone(), regex(&rule.pattern, &rule.name)?));
        }
        if usual {
            for (name, pattern) in USUAL {
                rules.push((name.to_owned(), regex(pattern, name)?));
            }
        }
        Ok(Self { rules })
    }

    /// Everything that holds text of people. Names of services and the like do not.
    pub(super) fn apply(&self, record: &mut Record) {
        if self.rules.is_empty() {
            return;
        }
        self.text(&mut record.message);
        let texts = [
            &mut record.stack_trace,
            &mut record.path,
            &mut record.user_id,
            &mut record.session_id,
            &mut record.error_type,
        ];
        for text in texts.into_iter().flatten() {
            self.text(text);
        }
        if let Some(metadata) = &mut record.metadata {
            self.map(metadata);
        }
    }

    fn map(&self, map: &mut Map<String, Value>) {
        for value in map.values_mut() {
            self.value(value);
        }
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(map) => self.map(map),
            // A number may be one of these, too.
            Value::Number(number) => {
                let mut text = number.to_string();
                let before = text.len();
                self.text(&mut text);
                if text.len() != before || text.starts_with('[') {
                    *value = Value::String(text);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn text(&self, text: &mut String) {
        for (name, pattern) in &self.rules {
            let replaced = pattern.replace_all(text, |found: &Captures<'_>| {
                let whole = &found[0];
                if name == CARD && !has_check_digit(whole) { whole.to_owned() } else { format!("[{name}]") }
            });
            if let std::borrow::Cow::Owned(replaced) = replaced {
                *text = replaced;
            }
        }
    }
}

/// Luhn's.
fn has_check_digit(number: &str) -> bool {
    let digits: Vec<u32> = number.chars().filter_map(|c| c.to_digit(10)).collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (0, _) => *digit,
            (_, double) if double > 9 => double - 9,
            (_, double) => double,
        })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn personal_data_is_hidden_and_other_numbers_are_not() {
        let masks = Masks::new(true, &[]).unwrap();
        let masked = |text: &str| {
            let mut text = text.to_owned();
            masks.text(&mut text);
            text
        };
        assert_eq!(masked("주민번호 900101-1234567입니다"), "주민번호 [RRN]입니다");
        assert_eq!(
            masked("전화010-1234-5678로, 02-123-4567, +82 10 1234 5678"),
            "전화[PHONE]로, [PHONE], [PHONE]"
        );
        assert_eq!(masked("보낸이 kim.lee+x@corp.co.kr에게"), "보낸이 [EMAIL]에게");
        assert_eq!(masked("card 4111 1111 1111 1111 ok"), "card [CARD] ok");
        for text in ["order 4111111111111112", "took 123456 ms", "v1.2.3", "2026-03-18 14:30:00", "10.0.0.1"]
        {
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn own_patterns_come_first() {
        let rule = MaskRule { name: "사번".into(), pattern: "E[0-9]{5}".into() };
        let masks = Masks::new(false, &[rule]).unwrap();
        let mut value = serde_json::json!({"who": ["E12345", 7], "mail": "a@b.kr"});
        masks.value(&mut value);
        assert_eq!(value, serde_json::json!({"who": ["[사번]", 7], "mail": "a@b.kr"}));
    }
}
