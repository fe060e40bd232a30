//! Which column a name of somebody else's means.

use std::collections::HashMap;

/// A column of ours that a row's value can fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Field {
    Id,
    CreatedAt,
    Level,
    LogType,
    Service,
    Environment,
    ServiceVersion,
    TraceId,
    UserId,
    SessionId,
    ErrorType,
    Message,
    StackTrace,
    Path,
    Method,
    ActionType,
    FunctionName,
    FilePath,
    Duration(Unit),
    Deleted,
    Metadata,
}

/// Of a duration without one, by the name of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Unit {
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
}

impl Field {
    /// By our own name.
    pub(super) fn of(column: &str) -> Option<Self> {
        Some(match column {
            "id" => Self::Id,
            "created_at" => Self::CreatedAt,
            "level" => Self::Level,
            "log_type" => Self::LogType,
            "service" => Self::Service,
            "environment" => Self::Environment,
            "service_version" => Self::ServiceVersion,
            "trace_id" => Self::TraceId,
            "user_id" => Self::UserId,
            "session_id" => Self::SessionId,
            "error_type" => Self::ErrorType,
            "message" => Self::Message,
            "stack_trace" => Self::StackTrace,
            "path" => Self::Path,
            "method" => Self::Method,
            "action_type" => Self::ActionType,
            "function_name" => Self::FunctionName,
            "file_path" => Self::FilePath,
            "duration_ms" => Self::Duration(Unit::Milliseconds),
            "deleted" => Self::Deleted,
            "metadata" => Self::Metadata,
            _ => return None,
        })
    }

    /// Our own name.
    pub(super) fn column(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::CreatedAt => "created_at",
            Self::Level => "level",
            Self::LogType => "log_type",
            Self::Service => "service",
            Self::Environment => "environment",
            Self::ServiceVersion => "service_version",
            Self::TraceId => "trace_id",
            Self::UserId => "user_id",
            Self::SessionId => "session_id",
            Self::ErrorType => "error_type",
            Self::Message => "message",
            Self::StackTrace => "stack_trace",
            Self::Path => "path",
            Self::Method => "method",
            Self::ActionType => "action_type",
            Self::FunctionName => "function_name",
            Self::FilePath => "file_path",
            Self::Duration(_) => "duration_ms",
            Self::Deleted => "deleted",
            Self::Metadata => "metadata",
        }
    }
}

/// Names in one form: `service.name`, `serviceName` and `SERVICE_NAME` are the
/// same, and so is `name` inside of `service`. The earlier a name stands here,
/// the better it is when a row has several.
const USUAL: &[(Field, &[&str])] = &[
    (Field::Id, &["id"]),
    (
        Field::CreatedAt,
        &[
            "createdat",
            "timestamp",
            "ts",
            "time",
            "datetime",
            "eventtime",
            "logtime",
            "logtimestamp",
            "date",
            "timeunixnano",
            "observedtimestamp",
            "eventcreated",
            "t",
            "asctime",
            "시각",
            "시간",
            "일시",
        ],
    ),
    (
        Field::Level,
        &["level", "loglevel", "levelname", "severity", "severitytext", "lvl", "priority", "레벨", "등급"],
    ),
    (Field::LogType, &["logtype"]),
    (
        Field::Service,
        &[
            "service",
            "servicename",
            "svc",
            "app",
            "application",
            "appname",
            "applicationname",
            "component",
            "logger",
            "loggername",
            "program",
            "source",
            "서비스",
        ],
    ),
    (
        Field::Environment,
        &["environment", "env", "serviceenvironment", "deploymentenvironment", "stage", "환경"],
    ),
    (Field::ServiceVersion, &["serviceversion", "version", "appversion", "release", "버전"]),
    (Field::TraceId, &["traceid", "trace", "xtraceid", "correlationid"]),
    (Field::UserId, &["userid", "user", "username", "uid", "사용자"]),
    (Field::SessionId, &["sessionid", "session", "sid", "세션"]),
    (
        Field::ErrorType,
        &["errortype", "exceptiontype", "exceptionclass", "errorclass", "errorname", "errname", "errtype"],
    ),
    (Field::Message, &["message", "msg", "log", "body", "text", "event", "메시지", "내용"]),
    (
        Field::StackTrace,
        &[
            "stacktrace",
            "errorstacktrace",
            "exceptionstacktrace",
            "stack",
            "errorstack",
            "errstack",
            "traceback",
        ],
    ),
    (
        Field::Path,
        &[
            "path",
            "urlpath",
            "requestpath",
            "httppath",
            "httptarget",
            "httproute",
            "url",
            "uri",
            "requesturi",
            "경로",
        ],
    ),
    (Field::Method, &["method", "httpmethod", "httprequestmethod", "requestmethod", "verb"]),
    (Field::ActionType, &["actiontype", "action", "eventaction"]),
    (
        Field::FunctionName,
        &["functionname", "function", "func", "funcname", "logoriginfunction", "codefunction"],
    ),
    (
        Field::FilePath,
        &["filepath", "file", "filename", "pathname", "logoriginfilename", "codefilepath", "caller"],
    ),
    (
        Field::Duration(Unit::Milliseconds),
        &[
            "durationms",
            "elapsedms",
            "latencyms",
            "responsetimems",
            "tookms",
            "timems",
            "duration",
            "elapsed",
            "latency",
            "responsetime",
            "took",
            "소요시간",
        ],
    ),
    (
        Field::Duration(Unit::Seconds),
        &["durations", "durationsec", "durationseconds", "elapsedseconds", "requesttime"],
    ),
    (Field::Duration(Unit::Microseconds), &["durationus", "durationmicros", "elapsedus", "latencyus"]),
    (
        Field::Duration(Unit::Nanoseconds),
        &["durationns", "durationnanos", "elapsedns", "latencyns", "eventduration"],
    ),
    (Field::Deleted, &["deleted", "isdeleted"]),
    (Field::Metadata, &["metadata", "meta", "attributes", "extra"]),
];

/// Objects that hold what an event says: a name inside of them means what it means outside.
const EVENTS: [&str; 13] = [
    "fields",
    "data",
    "attributes",
    "context",
    "ctx",
    "payload",
    "jsonpayload",
    "record",
    "properties",
    "details",
    "extra",
    "mdc",
    "labels",
];

/// Objects about a request: only what requests have is meant.
const REQUESTS: [&str; 6] = ["req", "res", "request", "response", "httprequest", "client"];

/// What the names inside of an object mean on their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Event,
    Request,
}

impl Container {
    pub(super) fn of(plain: &str) -> Option<Self> {
        match plain {
            name if EVENTS.contains(&name) => Some(Self::Event),
            name if REQUESTS.contains(&name) => Some(Self::Request),
            _ => None,
        }
    }

    /// Whether a column's value may come from there.
    pub(super) fn holds(self, field: Field) -> bool {
        match self {
            Self::Event => !matches!(field, Field::Id | Field::Deleted | Field::Metadata),
            Self::Request => matches!(
                field,
                Field::Path
                    | Field::Method
                    | Field::Duration(_)
                    | Field::UserId
                    | Field::SessionId
                    | Field::TraceId
            ),
        }
    }
}

/// Which name means which column, and how good it is: less is better.
#[derive(Debug, Clone)]
pub(super) struct Aliases {
    names: HashMap<String, (Field, i32)>,
    /// Names that others begin with: worth looking inside of.
    prefixes: Vec<String>,
}

impl Aliases {
    pub(super) fn usual() -> Self {
        let mut aliases = Self { names: HashMap::new(), prefixes: Vec::new() };
        for (field, names) in USUAL {
            for (rank, name) in (0..).zip(*names) {
                aliases.names.insert((*name).to_owned(), (*field, rank));
            }
        }
        aliases.prefixes = [
            "service",
            "log",
            "trace",
            "user",
            "session",
            "http",
            "url",
            "error",
            "err",
            "exception",
            "event",
            "deployment",
            "request",
            "code",
            "logorigin",
            "httprequest",
            "origin",
        ]
        .map(str::to_owned)
        .into();
        aliases
    }

    /// Names of the user's own, better than all others.
    pub(super) fn add(&mut self, field: Field, names: &[String]) {
        let first = -(names.len() as i32);
        for (rank, name) in (first..).zip(names) {
            self.names.insert(plain(name), (field, rank));
            for (end, _) in name.match_indices('.') {
                self.prefixes.push(plain(&name[..end]));
            }
        }
    }

    /// By a name in its plain form.
    pub(super) fn get(&self, plain: &str) -> Option<(Field, i32)> {
        self.names.get(plain).copied()
    }

    pub(super) fn is_prefix(&self, plain: &str) -> bool {
        self.prefixes.iter().any(|prefix| prefix == plain)
    }
}

/// Small letters and digits only.
pub(super) fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    add_plain(&mut plain, name);
    plain
}

/// Adds a name in its plain form: done for every field of every row, so into memory that is there.
pub(super) fn add_plain(to: &mut String, name: &str) {
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => to.push(c.to_ascii_lowercase()),
            c if c.is_ascii() => {}
            c => to.extend(Some(c).filter(|c| c.is_alphanumeric()).into_iter().flat_map(char::to_lowercase)),
        }
    }
}
