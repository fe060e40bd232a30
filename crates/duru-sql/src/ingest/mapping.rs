//! How rows of others become records: what a person may configure.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::detect::Format;
use super::fields::{Aliases, Field};
use super::mask::Masks;
use super::time::{TimeContext, TimeFormat};
use crate::guard::Lang;
use crate::{Level, LogType};

/// As it stands in a file. All of it may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mapping {
    /// By column of ours, the names that its values have in the rows, best first. They go
    /// before the names that are known anyway. `a.b` is `b` inside of `a`.
    pub fields: BTreeMap<String, Vec<String>>,
    /// Values of columns that a row does not have.
    pub defaults: BTreeMap<String, String>,
    /// Other words for levels.
    pub levels: BTreeMap<String, String>,
    /// Of times without an offset, by its IANA name; UTC unless told.
    pub timezone: Option<String>,
    /// How times are written, where that is not found out: a pattern as `strptime` has it, or one of `iso`, `asctime`,
    /// `apache`, `rfc2822`, `epoch_s`, `epoch_ms`, `epoch_us`, `epoch_ns`, and `ymd`, `dmy`, `mdy` for dates of numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_format: Option<String>,
    /// Of times without one; otherwise the last in which they are not in the future.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<i16>,
    /// What the rows are, where that is not found out: `json_lines`, `json_array`, `csv`, `tsv`, `access`,
    /// `apache_error`, `syslog`, `logcat`, `klog`, `logfmt` or `general`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// For plain text: a regular expression whose groups are named like fields.
    pub pattern: Option<String>,
    /// Whether rows keep the ids that they bring. Otherwise the store gives new ones.
    pub keep_ids: bool,
    /// Hide personal data by the usual patterns: Korean resident registration
    /// numbers, telephone numbers, e-mail addresses and numbers of cards.
    pub mask: bool,
    /// Hide what these patterns find, too.
    pub masks: Vec<MaskRule>,
}

/// What is found is replaced by its name in brackets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaskRule {
    pub name: String,
    pub pattern: String,
}

/// A mapping that was checked, and the limits of reading.
#[derive(Debug, Clone)]
pub struct Settings {
    pub(super) aliases: Aliases,
    pub(super) defaults: Defaults,
    pub(super) levels: HashMap<String, Level>,
    pub(super) timezone: TimeZone,
    pub(super) time_format: Option<TimeFormat>,
    pub(super) year: Option<i16>,
    pub(super) format: Option<Format>,
    pub(super) pattern: Option<Regex>,
    pub(super) keep_ids: bool,
    pub(super) masks: Masks,
    /// Part of a chunk's key: the same rows read in another way are other records.
    pub(super) fingerprint: u64,
    /// A longer row is bad.
    pub row_bytes: usize,
    /// A body that is longer once expanded is refused.
    pub body_bytes: usize,
    /// A body with more rows is refused: its sender can cut it in two.
    pub batch_rows: usize,
    /// A compressed file that expands to more than so many times its size is
    /// refused, but not before it is larger than a body may be.
    pub expansion: u64,
}

#[derive(Debug, Clone)]
pub(super) struct Defaults {
    pub(super) level: Level,
    pub(super) log_type: LogType,
    pub(super) texts: HashMap<Field, String>,
}

/// Why rows can't be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("the mapping names a column that does not exist: {0}")]
    UnknownColumn(String),
    #[error("the mapping's value for {0} does not fit")]
    BadDefault(String),
    #[error("the time zone {0} is unknown")]
    UnknownTimezone(String),
    #[error("the pattern {name} is no regular expression")]
    BadPattern { name: String },
    #[error("the pattern has no named group")]
    NoGroups,
    #[error("no known format explains these lines; name their fields by a pattern in a mapping")]
    NeedsPattern,
    #[error(
        "the time format {0} is unknown; use a name such as epoch_ms, dmy or asctime, or a pattern such as %Y-%m-%d"
    )]
    UnknownTimeFormat(String),
    #[error("the format {0} is unknown; use a name such as syslog, access, logfmt or json_lines")]
    UnknownFormat(String),
    #[error("the content encoding {0} is not supported; use gzip or none")]
    UnknownEncoding(String),
    #[error("the compressed data is damaged")]
    Damaged,
    #[error("it is larger than {limit} bytes once expanded")]
    TooLarge { limit: u64 },
    #[error("it has more than {limit} rows; send them in several batches")]
    TooManyRows { limit: usize },
    #[error("it could not be read: {0}")]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Store(#[from] crate::Error),
}

impl Error {
    /// What a person reads.
    pub fn text(&self, lang: Lang) -> String {
        if matches!(lang, Lang::En) {
            return self.to_string();
        }
        match self {
            Self::UnknownColumn(name) => format!("매핑에 없는 열이 있습니다: {name}"),
            Self::BadDefault(name) => format!("매핑의 {name} 기본값이 맞지 않습니다"),
            Self::UnknownTimezone(name) => format!("모르는 시간대입니다: {name}"),
            Self::BadPattern { name } => format!("패턴 {name}이(가) 올바른 정규식이 아닙니다"),
            Self::NoGroups => "패턴에 이름 붙은 그룹이 없습니다".into(),
            Self::NeedsPattern => {
                "아는 형식으로 읽을 수 없는 줄입니다; 매핑의 패턴으로 필드를 정하세요".into()
            }
            Self::UnknownTimeFormat(name) => format!(
                "모르는 시각 형식입니다: {name}; epoch_ms, dmy, asctime 같은 이름이나 %Y-%m-%d 같은 패턴을 쓰세요"
            ),
            Self::UnknownFormat(name) => {
                format!("모르는 형식입니다: {name}; syslog, access, logfmt, json_lines 같은 이름을 쓰세요")
            }
            Self::UnknownEncoding(name) => {
                format!("지원하지 않는 내용 인코딩입니다: {name}; gzip을 쓰거나 생략하세요")
            }
            Self::Damaged => "압축된 데이터가 손상되었습니다".into(),
            Self::TooLarge { limit } => format!("압축을 풀면 {limit}바이트보다 큽니다"),
            Self::TooManyRows { limit } => format!("{limit}행보다 많습니다; 여러 묶음으로 나누어 보내세요"),
            Self::Io(error) => format!("읽을 수 없습니다 (자세히: {error})"),
            Self::Store(error) => error.text(lang),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::plain()
    }
}

impl Settings {
    fn plain() -> Self {
        Self {
            aliases: Aliases::usual(),
            defaults: Defaults { level: Level::Info, log_type: LogType::Backend, texts: HashMap::new() },
            levels: HashMap::new(),
            timezone: TimeZone::UTC,
            time_format: None,
            year: None,
            format: None,
            pattern: None,
            keep_ids: false,
            masks: Masks::default(),
            fingerprint: 0,
            row_bytes: 1 << 20,
            body_bytes: 64 << 20,
            batch_rows: 100_000,
            expansion: 200,
        }
    }

    /// Checks a mapping.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(mapping: &Mapping) -> Result<Self, Error> {
        let mut settings = Self::plain();
        let field = |name: &String| Field::of(name).ok_or_else(|| Error::UnknownColumn(name.clone()));
        for (name, others) in &mapping.fields {
            settings.aliases.add(field(name)?, others);
        }
        for (name, value) in &mapping.defaults {
            let bad = || Error::BadDefault(name.clone());
            match field(name)? {
                Field::Level => settings.defaults.level = super::values::level(value).ok_or_else(bad)?,
                Field::LogType => {
                    settings.defaults.log_type = super::values::log_type(value).ok_or_else(bad)?
                }
                Field::Id | Field::CreatedAt | Field::Duration(_) | Field::Deleted | Field::Metadata => {
                    return Err(bad());
                }
                text => drop(settings.defaults.texts.insert(text, value.clone())),
            }
        }
        for (word, level) in &mapping.levels {
            let level = super::values::level(level).ok_or_else(|| Error::BadDefault(word.clone()))?;
            settings.levels.insert(word.to_lowercase(), level);
        }
        if let Some(name) = &mapping.timezone {
            settings.timezone = TimeZone::get(name).map_err(|_| Error::UnknownTimezone(name.clone()))?;
        }
        if let Some(name) = &mapping.time_format {
            let unknown = || Error::UnknownTimeFormat(name.clone());
            settings.time_format = Some(TimeFormat::named(name).ok_or_else(unknown)?);
        }
        if let Some(name) = &mapping.format {
            let unknown = || Error::UnknownFormat(name.clone());
            settings.format = Some(Format::named(name).ok_or_else(unknown)?);
        }
        settings.year = mapping.year;
        if let Some(pattern) = &mapping.pattern {
            let pattern = regex(pattern, "pattern")?;
            if pattern.capture_names().flatten().next().is_none() {
                return Err(Error::NoGroups);
            }
            settings.pattern = Some(pattern);
        }
        settings.keep_ids = mapping.keep_ids;
        settings.masks = Masks::new(mapping.mask, &mapping.masks)?;
        let text = serde_json::to_string(mapping).unwrap_or_default();
        settings.fingerprint = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        Ok(settings)
    }

    /// How times are read, of a source that was last written to then.
    pub(super) fn times(&self, written: Option<Timestamp>) -> TimeContext {
        let now = Timestamp::now();
        TimeContext {
            zone: self.timezone.clone(),
            now,
            latest: written.filter(|written| *written < now).unwrap_or(now),
            year: self.year,
            order: None,
            format: self.time_format.clone(),
        }
    }
}

/// A pattern of the user's. The engine takes linear time, and this much memory.
pub(super) fn regex(pattern: &str, name: &str) -> Result<Regex, Error> {
    let built = regex::RegexBuilder::new(pattern).size_limit(1 << 20).build();
    built.map_err(|_| Error::BadPattern { name: name.to_owned() })
}
