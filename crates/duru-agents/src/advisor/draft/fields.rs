//! The form as a list of fields: what a page or a terminal shows, and what it
//! sends back.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::check::Flaw;
use super::dates::date_in;
use super::form::LeaseForm;
use crate::advisor::lang::Lang;
use crate::advisor::understand::Terms;

/// What goes into a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    Text,
    /// A sum in won.
    Won,
    /// `YYYY-MM-DD`.
    Date,
    Number,
    /// One of the choices.
    Choice,
    /// Any number of lines.
    Lines,
}

/// One of the values that a field allows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choosable {
    pub value: String,
    pub label: String,
}

/// A field with what stands in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FormField {
    /// By which it is sent back: `landlord.name`.
    pub name: String,
    pub label: String,
    pub input: Input,
    pub required: bool,
    pub value: Value,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choosable>,
}

/// Something that can't be right, or should be thought over, in the asker's language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FormFlaw {
    /// With it there is no document.
    pub grave: bool,
    pub text: String,
}

#[rustfmt::skip]
const FIELDS: [(&str, Input, &str, &str); 23] = [
    ("kind", Input::Choice, "계약 종류", "kind of lease"),
    ("landlord.name", Input::Text, "임대인 이름", "landlord's name"),
    ("landlord.address", Input::Text, "임대인 주소", "landlord's address"),
    ("landlord.phone", Input::Text, "임대인 전화", "landlord's phone"),
    ("tenant.name", Input::Text, "임차인 이름", "tenant's name"),
    ("tenant.address", Input::Text, "임차인 주소", "tenant's address"),
    ("tenant.phone", Input::Text, "임차인 전화", "tenant's phone"),
    ("address", Input::Text, "주택의 주소 (동·호수까지)", "address of the home"),
    ("part", Input::Text, "임대할 부분", "part that is let"),
    ("area", Input::Number, "전용면적 (㎡)", "exclusive area (m²)"),
    ("deposit", Input::Won, "보증금", "deposit"),
    ("down_payment", Input::Won, "계약금", "down payment"),
    ("interim", Input::Won, "중도금", "interim payment"),
    ("interim_on", Input::Date, "중도금 지급일", "day of the interim payment"),
    ("balance", Input::Won, "잔금", "last payment"),
    ("balance_on", Input::Date, "잔금 지급일", "day of the last payment"),
    ("monthly_rent", Input::Won, "월 차임", "monthly rent"),
    ("rent_day", Input::Number, "차임 지급일 (매월)", "day of the month for the rent"),
    ("maintenance_fee", Input::Won, "월 관리비", "monthly maintenance fee"),
    ("start", Input::Date, "임대차 시작일", "first day"),
    ("end", Input::Date, "임대차 종료일", "last day"),
    ("signed_on", Input::Date, "계약일", "day of signing"),
    ("special_terms", Input::Lines, "특약사항", "special terms"),
];

impl LeaseForm {
    /// The names of the required fields that are empty.
    pub fn missing_names(&self) -> Vec<String> {
        self.missing().into_iter().map(|field| field.path().to_owned()).collect()
    }

    /// All fields, in the order of the form.
    pub(in crate::advisor) fn fields(&self, lang: Lang) -> Vec<FormField> {
        let all = serde_json::to_value(self).unwrap_or_default();
        let needed = Self { kind: self.kind, monthly_rent: self.monthly_rent, ..Self::default() };
        let mut needed = needed.missing_names();
        if self.is_monthly() {
            needed.push("monthly_rent".to_owned());
        }
        let field = |(name, input, ko, en): &(&str, Input, &str, &str)| {
            let value = name.split('.').fold(&all, |value, part| &value[part]).clone();
            let choices = match input {
                Input::Choice => vec![
                    Choosable { value: "jeonse".into(), label: lang.pick("전세", "jeonse") },
                    Choosable { value: "monthly_rent".into(), label: lang.pick("월세", "monthly rent") },
                ],
                _ => Vec::new(),
            };
            FormField {
                name: (*name).to_owned(),
                label: lang.pick(*ko, *en),
                input: *input,
                required: *name == "kind" || needed.iter().any(|needed| needed == name),
                value,
                choices,
            }
        };
        FIELDS.iter().map(field).collect()
    }

    /// What can't be right or should be thought over, in words.
    pub(in crate::advisor) fn flaws_in(&self, lang: Lang) -> Vec<FormFlaw> {
        let told = |flaw: Flaw| {
            let (ko, en) = flaw.text();
            FormFlaw { grave: flaw.is_grave(), text: lang.pick(ko, en) }
        };
        self.flaws().into_iter().map(told).collect()
    }

    /// The form with these fields as they were sent back; labels serve as names,
    /// too. What can't be read is left as it was and told.
    pub(in crate::advisor) fn filled(&self, sent: &Map<String, Value>, lang: Lang) -> (Self, Vec<FormFlaw>) {
        let mut all = serde_json::to_value(self).unwrap_or_default();
        let mut unread = Vec::new();
        for (said, value) in sent {
            // "전용면적" will do for "전용면적 (㎡)".
            let is = |label: &str| said == label || label.split(" (").next() == Some(said);
            let known = FIELDS.iter().find(|(name, _, ko, en)| said == name || is(ko) || is(en));
            let read = known.and_then(|(name, input, ..)| Some((*name, read(name, *input, value)?)));
            match read {
                Some((name, value)) => put(&mut all, name, value),
                None => unread.push(FormFlaw {
                    grave: true,
                    text: lang.pick(
                        format!("{said}: 읽을 수 없는 값입니다."),
                        format!("{said}: the value can't be read."),
                    ),
                }),
            }
        }
        (serde_json::from_value(all).unwrap_or_else(|_| self.clone()), unread)
    }
}

fn put(all: &mut Value, name: &str, value: Value) {
    let place = name.split('.').fold(all, |value, part| &mut value[part]);
    *place = value;
}

/// A value as the form holds it.
fn read(name: &str, input: Input, value: &Value) -> Option<Value> {
    if let Input::Lines = input {
        return lines(value);
    }
    let said = value.as_str().map(str::trim);
    if value.is_null() || said == Some("") {
        return Some(Value::Null);
    }
    match input {
        Input::Text => said.map(Value::from),
        Input::Won => value.as_u64().or_else(|| won(said?)).map(Value::from),
        Input::Date => date(said?).map(|date| json!(date)),
        Input::Number => {
            let number = value.as_f64().or_else(|| digits(said?)?.parse().ok())?;
            // A day of the month is a whole one.
            if name == "rent_day" {
                let whole = number.fract() == 0.0 && (0.0..=255.0).contains(&number);
                return whole.then(|| json!(number as u8));
            }
            number.is_finite().then(|| json!(number))
        }
        Input::Choice => match said? {
            "jeonse" | "전세" => Some(json!("jeonse")),
            "monthly_rent" | "월세" | "monthly rent" => Some(json!("monthly_rent")),
            _ => None,
        },
        Input::Lines => None,
    }
}

fn lines(value: &Value) -> Option<Value> {
    let line = |text: &str| {
        let text = text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let all: Vec<String> = match value {
        Value::Null => Vec::new(),
        Value::String(text) => text.lines().filter_map(line).collect(),
        Value::Array(texts) => {
            let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
            texts?.into_iter().filter_map(line).collect()
        }
        _ => return None,
    };
    Some(json!(all))
}

fn won(text: &str) -> Option<u64> {
    let plain: String = text.chars().filter(|c| !matches!(c, ',' | ' ' | '원' | '₩')).collect();
    plain.parse().ok().or_else(|| Terms::read(text).amounts.first().map(|amount| amount.won))
}

fn date(text: &str) -> Option<Date> {
    text.parse().ok().or_else(|| date_in(text))
}

/// 59.9㎡, 5일: the number in front.
fn digits(text: &str) -> Option<String> {
    let number: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    (!number.is_empty()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn every_field_is_shown_and_taken_back() {
        let form = LeaseForm::default();
        let fields = form.fields(Lang::Ko);
        assert_eq!(fields.len(), FIELDS.len());
        let required: Vec<&str> =
            fields.iter().filter(|field| field.required).map(|field| field.name.as_str()).collect();
        assert_eq!(
            required,
            ["kind", "landlord.name", "tenant.name", "address", "deposit", "balance_on", "start", "end"]
        );
        let all: Map<String, Value> = fields
            .iter()
            .map(|field| {
                let value = match field.input {
                    Input::Text => json!("말"),
                    Input::Won => json!("3억 5천만원"),
                    Input::Date => json!("2026년 7월 1일"),
                    Input::Number => json!("7"),
                    Input::Choice => json!("monthly_rent"),
                    Input::Lines => json!(["하나", " ", "둘"]),
                };
                (field.name.clone(), value)
            })
            .collect();
        let (filled, unread) = form.filled(&all, Lang::Ko);
        assert_eq!(unread, []);
        assert!(filled.missing().is_empty(), "{:?}", filled.missing());
        assert_eq!((filled.deposit, filled.rent_day), (Some(350_000_000), Some(7)));
        assert_eq!(filled.special_terms, ["하나", "둘"]);
        // What was sent comes back as it is kept.
        let again = filled.fields(Lang::En);
        let (same, _) = form.filled(&again.into_iter().map(|one| (one.name, one.value)).collect(), Lang::En);
        assert_eq!(same, filled);
    }

    #[test]
    fn what_can_not_be_read_is_told_and_changes_nothing() {
        let form = LeaseForm { deposit: Some(5), ..LeaseForm::default() };
        let (same, unread) = form.filled(
            &sent(
                json!({"deposit": "많이", "start": "내일", "rent_day": 2.5, "nonsense": 1, "kind": "gift"}),
            ),
            Lang::En,
        );
        assert_eq!(same, form);
        assert_eq!(unread.len(), 5);
        let (emptied, unread) = form.filled(&sent(json!({"보증금": ""})), Lang::Ko);
        assert_eq!((emptied.deposit, unread.len()), (None, 0));
    }
}
