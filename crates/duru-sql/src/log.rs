//! One log line, as both stores keep it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How grave a line is; ordered by severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    Trace,
    Debug,
    Info,
    Warn,
    Error,
    Fatal,
}

impl Level {
    /// Lowest first.
    pub const ALL: [Self; 6] = [Self::Trace, Self::Debug, Self::Info, Self::Warn, Self::Error, Self::Fatal];

    pub fn word(self) -> &'static str {
        match self {
            Self::Trace => "TRACE",
            Self::Debug => "DEBUG",
            Self::Info => "INFO",
            Self::Warn => "WARN",
            Self::Error => "ERROR",
            Self::Fatal => "FATAL",
        }
    }
}

/// What kind of program wrote a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum LogType {
    Backend,
    Frontend,
    Mobile,
    Iot,
    Worker,
}

impl LogType {
    pub const ALL: [Self; 5] = [Self::Backend, Self::Frontend, Self::Mobile, Self::Iot, Self::Worker];

    pub fn word(self) -> &'static str {
        match self {
            Self::Backend => "BACKEND",
            Self::Frontend => "FRONTEND",
            Self::Mobile => "MOBILE",
            Self::Iot => "IOT",
            Self::Worker => "WORKER",
        }
    }
}

/// One line: the 21 columns of the table `logs`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Given by the store unless the line brings one.
    #[serde(default)]
    pub id: Option<i64>,
    pub created_at: Timestamp,
    pub level: Level,
    pub log_type: LogType,
    pub service: String,
    pub environment: String,
    pub service_version: String,
    #[serde(default)]
    pub trace_id: Option<String>,
    #[serde(default)]
    pub user_id: Option<String>,
    #[serde(default)]
    pub session_id: Option<String>,
    #[serde(default)]
    pub error_type: Option<String>,
    pub message: String,
    #[serde(default)]
    pub stack_trace: Option<String>,
    #[serde(default)]
    pub path: Option<String>,
    #[serde(default)]
    pub method: Option<String>,
    #[serde(default)]
    pub action_type: Option<String>,
    #[serde(default)]
    pub function_name: Option<String>,
    #[serde(default)]
    pub file_path: Option<String>,
    /// Thousandths of a millisecond, so that both stores keep the same number.
    #[serde(default)]
    pub duration_us: Option<i64>,
    #[serde(default)]
    pub deleted: bool,
    /// Everything else, such as `status_code`, `host`, `client_ip`.
    #[serde(default)]
    pub metadata: Option<serde_json::Map<String, serde_json::Value>>,
}
