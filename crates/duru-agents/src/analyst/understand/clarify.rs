//! When a question must be asked back, and how.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::query::{By, Field, Order, Period, Query, Test};
use super::reading::Reading;
use super::vocabulary::Vocabulary;
use duru_sql::guard::Lang;

/// What the clarifier found out about a question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QueryAnalysis {
    pub has_service: bool,
    pub service_type: ServiceType,
    pub is_aggregation: bool,
    pub is_filter_query: bool,
    pub time_clarity: TimeClarity,
    pub needs_service_clarification: bool,
    pub needs_time_clarification: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ServiceType {
    Specific,
    Aggregation,
    #[default]
    None,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeClarity {
    Clear,
    Ambiguous,
    #[default]
    None,
}

/// A question back, with the query as far as it is understood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clarification {
    pub asks: Vec<Ask>,
    pub draft: Query,
    pub analysis: QueryAnalysis,
}

impl Clarification {
    /// The names of what is asked for, with commas.
    pub fn fields(&self) -> String {
        self.asks.iter().map(|ask| ask.field.as_str()).collect::<Vec<_>>().join(",")
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ask {
    /// `service` or `time`.
    pub field: String,
    /// `missing_info` or `ambiguous_time`.
    pub kind: String,
    pub question: String,
    pub options: Vec<String>,
    pub required: bool,
    pub allow_custom: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Need {
    Service,
    Time,
    /// The value of another column, to which the question refers.
    Value(String),
}

/// What a person calls a column, and the column of such a name.
fn called(column: &str) -> &str {
    column.strip_suffix("_id").unwrap_or(column)
}

pub(super) fn column(called: &str) -> &str {
    match called {
        "user" => "user_id",
        "trace" => "trace_id",
        "session" => "session_id",
        other => other,
    }
}

/// Conditions that find certain lines, whatever the service.
const IDENTIFYING: &[&str] = &[
    "service",
    "user_id",
    "trace_id",
    "session_id",
    "path",
    "error_type",
    "message",
    "stack_trace",
    "service_version",
    "function_name",
    "file_path",
    "duration_ms",
    "action_type",
];

/// Whether lines are asked for that nothing tells apart from those of other services.
pub(super) fn needs_service(query: &Query, reading: &Reading) -> bool {
    let found = query
        .filters
        .iter()
        .any(|filter| matches!(filter.field, Field::Meta(_)) || IDENTIFYING.contains(&filter.field.name()));
    let by_number = matches!(query.order, Some(Order { by: By::Field(_), .. }));
    // "Errors today" asks for no list: all of them, whatever wrote them.
    let of_a_day = reading.bare && matches!(query.time, Some(Period::Between { .. }));
    query.is_rows() && !found && !by_number && !reading.every_service && !of_a_day
}

pub(super) fn needs(query: &Query, reading: &Reading, lost: &[Field], resolved: bool) -> Vec<Need> {
    let mut needs = Vec::new();
    let has_service = query.filter("service").is_some();
    let unclear = !reading.unclear_services.is_empty() && !has_service;
    let lost_service = lost.iter().any(|field| field.name() == "service") && !has_service;
    if unclear || lost_service || needs_service(query, reading) {
        needs.push(Need::Service);
    }
    if (reading.time.vague || reading.time.event)
        && reading.time.periods.is_empty()
        && !(resolved && query.time.is_some() && !reading.time.vague)
    {
        needs.push(Need::Time);
    }
    for field in lost.iter().filter(|field| field.name() != "service" && query.filter(field.name()).is_none())
    {
        needs.push(Need::Value(called(field.name()).to_owned()));
    }
    needs
}

pub(super) fn analyse(query: &Query, reading: &Reading, needs: &[Need]) -> QueryAnalysis {
    let has_service = query
        .filters
        .iter()
        .any(|filter| filter.field.name() == "service" && !matches!(filter.test, Test::Present));
    let aggregation = !query.is_rows();
    QueryAnalysis {
        has_service,
        service_type: match (has_service, aggregation) {
            (true, _) => ServiceType::Specific,
            (false, true) => ServiceType::Aggregation,
            (false, false) => ServiceType::None,
        },
        is_aggregation: aggregation,
        is_filter_query: !aggregation,
        time_clarity: if needs.contains(&Need::Time) || reading.time.vague {
            TimeClarity::Ambiguous
        } else if query.time.is_some() {
            TimeClarity::Clear
        } else {
            TimeClarity::None
        },
        needs_service_clarification: needs.contains(&Need::Service),
        needs_time_clarification: needs.contains(&Need::Time),
    }
}

pub(super) fn ask(
    needs: Vec<Need>,
    reading: &Reading,
    vocabulary: &Vocabulary,
    lang: Lang,
    draft: Query,
    analysis: QueryAnalysis,
) -> Clarification {
    let asks = needs.into_iter().map(|need| match need {
        Need::Service => {
            let known = if reading.unclear_services.is_empty() {
                vocabulary.services()
            } else {
                &reading.unclear_services
            };
            let mut options: Vec<String> = known.to_vec();
            options.dedup();
            options.push(lang.pick("전체", "all").into());
            Ask {
                field: "service".into(),
                kind: "missing_info".into(),
                question: lang
                    .pick("어느 서비스의 로그를 볼까요?", "Which service's logs do you mean?")
                    .into(),
                options,
                required: false,
                allow_custom: false,
            }
        }
        Need::Value(field) => Ask {
            kind: "missing_info".into(),
            question: lang
                .pick(format!("어느 {field}을(를) 말씀하시나요?"), format!("Which {field} do you mean?")),
            options: vocabulary.values(column(&field)).iter().take(10).cloned().collect(),
            required: true,
            allow_custom: true,
            field,
        },
        Need::Time => Ask {
            field: "time".into(),
            kind: "ambiguous_time".into(),
            question: lang.pick("언제의 로그를 볼까요?", "Which time do you mean?").into(),
            options: lang
                .pick(
                    ["최근 1시간", "최근 6시간", "최근 24시간", "최근 7일", "사용자 지정…"],
                    ["last 1 hour", "last 6 hours", "last 24 hours", "last 7 days", "custom…"],
                )
                .map(Into::into)
                .into(),
            required: true,
            allow_custom: true,
        },
    });
    Clarification { asks: asks.collect(), draft, analysis }
}
