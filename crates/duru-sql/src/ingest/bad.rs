//! Rows that could not be taken, and why, in both languages.

use std::fmt;

use crate::guard::Lang;

/// A row that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    /// Counted from 1; a header is a row.
    pub row: u64,
    pub reason: Reason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    NotJson,
    NotAnObject,
    NotCsv,
    /// Neither the layout nor the pattern of the text fits.
    NoMatch,
    TooLong {
        limit: usize,
    },
    NoTime,
    /// The value itself is not shown: it may be anything.
    BadTime {
        field: String,
    },
    /// Day and month could be either.
    AmbiguousTime {
        field: String,
    },
    /// Before 1990, or more than a day from now.
    ImplausibleTime {
        field: String,
    },
    BadLevel {
        field: String,
    },
    BadLogType {
        field: String,
    },
    BadDuration {
        field: String,
    },
    BadId {
        field: String,
    },
    NoMessage,
}

impl Reason {
    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        let (ko, en) = match self {
            Self::NotJson => ("JSON이 아닙니다".into(), "this is not JSON".into()),
            Self::NotAnObject => ("JSON 객체가 아닙니다".into(), "this is not a JSON object".into()),
            Self::NotCsv => ("CSV로 읽을 수 없습니다".into(), "this can't be read as CSV".into()),
            Self::NoMatch => (
                "이 파일의 다른 줄과 형식이 다릅니다".into(),
                "it is not laid out like the other lines".into(),
            ),
            Self::TooLong { limit } => {
                (format!("{limit}바이트보다 깁니다"), format!("it is longer than {limit} bytes"))
            }
            Self::NoTime => ("시각이 없습니다".into(), "it has no time".into()),
            Self::BadTime { field } => {
                (format!("{field}을(를) 시각으로 읽을 수 없습니다"), format!("{field} is no time"))
            }
            Self::AmbiguousTime { field } => (
                format!("{field}의 일과 월 순서를 알 수 없습니다; 매핑에 time_format을 dmy나 mdy로 정하세요"),
                format!(
                    "the order of day and month in {field} is not clear; set time_format to dmy or mdy in a mapping"
                ),
            ),
            Self::ImplausibleTime { field } => (
                format!("{field}의 시각이 1990년 전이거나 내일 뒤입니다; 매핑에 time_format을 정하세요"),
                format!("{field} is before 1990 or after tomorrow; set time_format in a mapping"),
            ),
            Self::BadLevel { field } => {
                (format!("{field}을(를) 레벨로 읽을 수 없습니다"), format!("{field} is no level"))
            }
            Self::BadLogType { field } => {
                (format!("{field}을(를) 로그 종류로 읽을 수 없습니다"), format!("{field} is no log type"))
            }
            Self::BadDuration { field } => (
                format!("{field}을(를) 0에서 9999999.999밀리초 사이의 시간으로 읽을 수 없습니다"),
                format!("{field} is no duration between 0 and 9999999.999 ms"),
            ),
            Self::BadId { field } => {
                (format!("{field}은(는) 양의 정수가 아닙니다"), format!("{field} is no positive integer"))
            }
            Self::NoMessage => ("메시지가 없습니다".into(), "it has no message".into()),
        };
        match lang {
            Lang::Ko => ko,
            Lang::En => en,
        }
    }
}

impl Bad {
    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        let reason = self.reason.text(lang);
        match lang {
            Lang::Ko => format!("{}행: {reason}", self.row),
            Lang::En => format!("row {}: {reason}", self.row),
        }
    }
}

impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}
