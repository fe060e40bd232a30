//! What a query gave.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Kind;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    pub columns: Vec<Column>,
    /// Times as ISO 8601 with offset, numbers as JSON numbers.
    pub rows: Vec<Vec<Value>>,
    /// Which limit cut the rows short, if one did.
    pub cut: Option<Cap>,
    pub took: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
}

/// A limit that a result ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    Rows,
    Bytes,
}

impl Answer {
    /// Whether all of its moments are the beginnings of days, so that their hours say nothing.
    pub fn only_days(&self) -> bool {
        let mut moments = self.rows.iter().flatten().filter_map(|value| exact(value.as_str()?));
        moments.all(|(_, time)| time == "00:00:00")
    }
}

/// A moment of an answer as people read it, in its own time zone: the day alone if only days are wanted, no seconds where
/// there are none. Nothing if the text is not a moment.
///
/// ```
/// use duru_sql::moment;
///
/// assert_eq!(moment("2026-03-18T00:00:00+09:00", true).as_deref(), Some("2026-03-18"));
/// assert_eq!(moment("2026-03-18T00:00:00+09:00", false).as_deref(), Some("2026-03-18 00:00"));
/// assert_eq!(moment("2026-03-18T14:30:05.25Z", false).as_deref(), Some("2026-03-18 14:30:05"));
/// assert_eq!(moment("2026-03-18Tea", false), None);
/// ```
pub fn moment(text: &str, only_day: bool) -> Option<String> {
    let (day, time) = exact(text)?;
    let time = time.strip_suffix(":00").unwrap_or(time);
    Some(if only_day { day.to_owned() } else { format!("{day} {time}") })
}

/// The day and the time of a moment, to the second.
fn exact(text: &str) -> Option<(&str, &str)> {
    const SHAPE: &str = "0000-00-00T00:00:00";
    let fits = |(shape, is): (char, char)| if shape == '0' { is.is_ascii_digit() } else { is == shape };
    let exact = text.get(..SHAPE.len()).filter(|exact| SHAPE.chars().zip(exact.chars()).all(fits))?;
    exact.split_once('T')
}
