//! What is asked of the analyst, and what comes back: the same over HTTP and WebSockets.

use std::collections::BTreeMap;

use duru_agents::analyst::{AskedAbout, TimeRange};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

/// The largest number of rows that can be asked for.
const MOST: u32 = 10_000;

/// A question, or answers to what was asked back.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub(super) struct QueryBody {
    #[serde(default)]
    pub(super) question: Option<String>,
    #[serde(default)]
    sql: Option<String>,
    #[serde(default)]
    max_results: Option<u32>,
    #[serde(default)]
    pub(super) conversation_id: Option<String>,
    #[serde(default)]
    #[schema(value_type = Option<Value>)]
    time_range_structured: Option<TimeRange>,
    #[serde(default)]
    pub(super) clarification_answers: Option<BTreeMap<String, String>>,
    #[serde(default)]
    #[schema(value_type = Value)]
    about: AskedAbout,
    #[serde(default)]
    timezone: Option<String>,
    /// A clock that stands still, for evaluations.
    #[serde(default)]
    now: Option<String>,
    /// Shows what models decided.
    #[serde(default)]
    pub(super) debug: bool,
}

impl QueryBody {
    /// From JSON; why not, if it can't be read.
    pub(super) fn read(value: Value) -> Result<Self, String> {
        let body = Self::deserialize(value).map_err(|error| error.to_string())?;
        if body.max_results.is_some_and(|rows| !(1..=MOST).contains(&rows)) {
            return Err(format!("max_results: 1 … {MOST}"));
        }
        if let Some(zone) = &body.timezone
            && jiff::tz::TimeZone::get(zone).is_err()
        {
            return Err("timezone: Asia/Seoul, UTC, …".to_owned());
        }
        if let Some(now) = &body.now
            && now.parse::<jiff::Timestamp>().is_err()
        {
            return Err("now: 2026-03-18T14:30:00+09:00".to_owned());
        }
        Ok(body)
    }

    /// The words of the question; a query that somebody wrote is one, too.
    pub(super) fn asks(&self) -> Option<&str> {
        let said = self.question.as_deref().or(self.sql.as_deref()).map(str::trim);
        said.filter(|said| !said.is_empty())
    }

    /// As the analyst takes it.
    pub(super) fn input(&self) -> Value {
        json!({
            "question": self.question, "sql": self.sql, "max_results": self.max_results,
            "time_range_structured": self.time_range_structured, "timezone": self.timezone, "now": self.now, "about": self.about,
            "clarification_answers": self.clarification_answers.clone().unwrap_or_default(),
        })
    }
}

/// What the analyst's values say: an answer, or why there is none.
pub(super) enum Said {
    Answer(Value),
    /// With the code of the trouble.
    Trouble(String, Value),
}

pub(super) fn said(values: &Map<String, Value>) -> Said {
    let value = |name: &str| values.get(name).cloned().unwrap_or_default();
    let took = values.get("execution_time_ms").and_then(Value::as_u64).unwrap_or(0);
    if let Some(trouble) = values.get("problem").filter(|problem| problem.is_object()) {
        let code = trouble["code"].as_str().unwrap_or("failed").to_owned();
        let mut failed = failure(trouble["message"].as_str().unwrap_or_default());
        (failed["sql"], failed["execution_time_ms"]) = (value("generated_sql"), took.into());
        failed["code"] = code.clone().into();
        return Said::Trouble(code, failed);
    }
    let shown = value("formatted_results");
    Said::Answer(json!({
        "sql": value("generated_sql"), "results": shown.get("data").cloned().unwrap_or_else(|| json!([])),
        "count": shown.get("count").cloned().unwrap_or_else(|| json!(0)),
        "count_is_lower_bound": shown["count_is_lower_bound"] == true,
        "displayed": shown.get("displayed").cloned().unwrap_or_else(|| json!(0)),
        "truncated": shown["truncated"] == true, "execution_time_ms": took, "insight": value("insight"),
        "executed_sql": value("executed_sql"), "soft_delete_added": value("soft_delete_added"),
        "understood_as": value("explanation"), "chart": value("chart"), "suggestions": value("suggestions"),
    }))
}

/// What a question that waits for answers comes to for now.
pub(super) fn asks_back(questions: &[Value]) -> Value {
    let asked = questions
        .iter()
        .flat_map(|question| question["value"]["clarifications"].as_array().cloned().unwrap_or_default());
    json!({
        "sql": null, "results": [], "count": 0, "displayed": 0, "truncated": false, "execution_time_ms": 0,
        "insight": null, "clarifications": asked.collect::<Vec<Value>>(),
    })
}

/// Why there is no answer, in the shape that every failure has; `detail` is what errors say elsewhere.
pub(super) fn failure(message: &str) -> Value {
    json!({
        "error": message, "detail": message, "sql": null, "results": [], "count": 0, "execution_time_ms": 0, "insight": null,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_every_field_and_a_failure_has_its_own() {
        let values = json!({
            "generated_sql": "SELECT 1", "execution_time_ms": 7, "insight": "하나",
            "formatted_results": { "count": 3, "displayed": 1, "truncated": true, "data": [{ "n": 1 }] },
        });
        let Said::Answer(answer) = said(values.as_object().unwrap()) else { panic!("no answer") };
        for (name, value) in [
            ("sql", json!("SELECT 1")),
            ("results", json!([{ "n": 1 }])),
            ("count", json!(3)),
            ("displayed", json!(1)),
            ("truncated", json!(true)),
            ("execution_time_ms", json!(7)),
            ("insight", json!("하나")),
        ] {
            assert_eq!(answer[name], value, "{name}");
        }
        let values =
            json!({ "generated_sql": "SELECT x", "problem": { "code": "guard", "message": "안 됩니다" } });
        let Said::Trouble(code, failed) = said(values.as_object().unwrap()) else { panic!("an answer") };
        assert_eq!((code.as_str(), &failed["error"]), ("guard", &json!("안 됩니다")));
        assert_eq!(failed["sql"], "SELECT x");
        assert_eq!(
            (&failed["results"], &failed["count"], &failed["insight"]),
            (&json!([]), &json!(0), &Value::Null)
        );
    }

    #[test]
    fn what_can_not_be_meant_is_refused_with_its_field() {
        for (body, field) in [
            (json!({ "max_results": 0 }), "max_results"),
            (json!({ "timezone": "Mars/Base" }), "timezone"),
            (json!({ "now": "soon" }), "now"),
        ] {
            assert!(QueryBody::read(body).unwrap_err().starts_with(field));
        }
        assert!(QueryBody::read(json!({ "question": 7 })).is_err());
        assert_eq!(QueryBody::read(json!({ "question": " " })).unwrap().asks(), None);
    }
}
