//! Why a query that may run fails on the data, in both languages.

use std::fmt;

use crate::guard::Lang;
use crate::store::Error;

/// What is wrong with a query, without a word of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    DivisionByZero,
    OutOfRange,
    NotATime,
    NotALevel,
    NoTimeZone,
    /// A text is not of the type to which it is cast.
    NotOfType,
    BadPattern,
    BadJson,
    BadValue,
    MoreThanOneRow,
    WrongTypes,
    UnknownName,
    Syntax,
    Duplicate,
    /// An id that a line brings along belongs to another ingester of the same store.
    OthersId,
    BreaksRule,
    Unsupported,
    Busy,
    TooComplex,
    Other,
}

impl Fault {
    /// What a person reads.
    pub fn text(self, lang: Lang) -> &'static str {
        let (ko, en) = match self {
            Self::DivisionByZero => {
                ("0으로 나눌 수 없습니다; NULLIF를 쓰세요", "a division by zero; use NULLIF")
            }
            Self::OutOfRange => ("값이 그 형식의 범위를 벗어납니다", "a value is out of its type's range"),
            Self::NotATime => ("날짜나 시각으로 읽을 수 없는 값입니다", "a value is no date or time"),
            Self::NotALevel => (
                "수준은 TRACE, DEBUG, INFO, WARN, ERROR, FATAL 중 하나입니다",
                "a level is one of TRACE, DEBUG, INFO, WARN, ERROR, FATAL",
            ),
            Self::NoTimeZone => ("없는 시간대입니다", "there is no such time zone"),
            Self::NotOfType => {
                ("어떤 값을 그 형식으로 바꿀 수 없습니다", "a value can't be read as the type it is cast to")
            }
            Self::BadPattern => ("패턴(정규식, LIKE)이 잘못되었습니다", "a pattern is malformed"),
            Self::BadJson => ("JSON 경로나 값이 맞지 않습니다", "a JSON value or path does not fit"),
            Self::BadValue => ("값이 함수에 맞지 않습니다", "a value does not fit its function"),
            Self::MoreThanOneRow => (
                "값 하나가 필요한 하위 질의가 여러 행을 줍니다",
                "a subquery used as a value gives several rows",
            ),
            Self::WrongTypes => {
                ("함수나 연산자에 맞지 않는 형식입니다", "a function or operator does not take these types")
            }
            Self::UnknownName => ("없는 테이블이나 열입니다", "a table or column does not exist"),
            Self::Syntax => ("데이터베이스가 이 문장을 읽지 못합니다", "the database can't read this query"),
            Self::OthersId => (
                "id가 다른 수집기의 것입니다; id가 있는 행은 한 곳에서 넣으세요",
                "an id belongs to another ingester; load lines with ids of their own through one",
            ),
            Self::Duplicate => ("같은 id의 행이 이미 있습니다", "a row with the same id is there already"),
            Self::BreaksRule => ("테이블의 규칙에 어긋나는 값입니다", "a value breaks a rule of its table"),
            Self::Unsupported => ("여기서 지원하지 않는 기능입니다", "this is not supported here"),
            Self::Busy => {
                ("다른 작업이 잠그고 있습니다; 다시 시도하세요", "something else holds a lock; try again")
            }
            Self::TooComplex => ("질의가 너무 복잡합니다", "the query is too complex"),
            Self::Other => {
                ("데이터베이스가 질의를 끝내지 못했습니다", "the database could not finish the query")
            }
        };
        match lang {
            Lang::Ko => ko,
            Lang::En => en,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(Lang::En))
    }
}

impl Error {
    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        if matches!(lang, Lang::En) {
            return self.to_string();
        }
        match self {
            Self::TimedOut { limit } => format!("질의가 {limit:?}보다 오래 걸렸습니다"),
            Self::Cancelled => "질의를 취소했습니다".into(),
            Self::TooCostly { estimate, limit } => {
                format!(
                    "질의가 너무 무겁습니다: 예상 비용 {estimate}, 허용 {limit}. 기간이나 조건을 좁히세요"
                )
            }
            Self::OutOfMemory => "질의에 허용된 것보다 많은 메모리가 필요합니다".into(),
            Self::Query { fault } => fault.text(lang).into(),
            Self::Unsupported { what } => {
                format!("내장 로그 저장소가 지원하지 않는 구문입니다 (자세히: {what})")
            }
            Self::Failed { reason } => format!("질의가 실패했습니다 (자세히: {reason})"),
            Self::Denied { reason } => format!("데이터베이스가 거절했습니다 (자세히: {reason})"),
            Self::NoLogStore { own_table: true } => {
                "이 데이터베이스에는 두루가 만들지 않은 logs 테이블이 있습니다".into()
            }
            Self::NoLogStore { .. } => "이 데이터베이스에는 로그 저장소가 없습니다".into(),
            Self::Unavailable { reason } => format!("로그 저장소에 연결할 수 없습니다 (자세히: {reason})"),
            Self::Corrupt { reason } => format!("로그 저장소가 손상되었습니다 (자세히: {reason})"),
            Self::Bucket { place, trouble, detail } if detail.is_empty() => {
                format!("{place}: {}", trouble.text(lang))
            }
            Self::Bucket { place, trouble, detail } => {
                format!("{place}: {} (자세히: {detail})", trouble.text(lang))
            }
        }
    }
}
