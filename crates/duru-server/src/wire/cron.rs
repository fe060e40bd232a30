//! Crons: runs that are started again and again.

use duru::store::Entry;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::words::OnCompletion;
use crate::schedule::Schedule;
use crate::time::iso;

/// The note of the key with which a cron was made, or changed last: it goes on as long as that. It is told to nobody.
pub(crate) const KEY: &str = "key_id";

/// A cron: a run on a schedule.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Cron)]
pub(crate) struct CronRecord {
    cron_id: String,
    #[schema(value_type = String)]
    assistant_id: Value,
    /// None where every run has a thread of its own.
    #[schema(required, value_type = Option<String>)]
    thread_id: Value,
    user_id: String,
    #[schema(required, format = DateTime)]
    end_time: Option<String>,
    #[schema(value_type = String)]
    schedule: Value,
    #[schema(required, value_type = Option<String>)]
    timezone: Value,
    /// What its runs are asked for.
    #[schema(value_type = Map<String, Value>)]
    payload: Value,
    /// None after its end.
    #[schema(required, format = DateTime)]
    next_run_date: Option<String>,
    metadata: Map<String, Value>,
    #[schema(required, value_type = Option<OnCompletion>)]
    on_run_completed: Value,
    #[schema(value_type = bool)]
    enabled: Value,
    #[schema(format = DateTime)]
    created_at: String,
    #[schema(format = DateTime)]
    updated_at: String,
}

impl CronRecord {
    pub(crate) fn of(entry: &Entry) -> Self {
        let field = |name: &str| entry.body.get(name).cloned().unwrap_or_default();
        let date = |name: &str| field(name).as_u64().map(|ms| iso(ms).replace(".000000", ""));
        Self {
            cron_id: entry.id.clone(),
            assistant_id: field("assistant_id"),
            thread_id: field("thread_id"),
            user_id: String::new(),
            end_time: date("end_ms"),
            schedule: field("schedule"),
            timezone: field("timezone"),
            payload: field("payload"),
            next_run_date: date("next_ms"),
            metadata: entry.metadata.clone(),
            on_run_completed: field("on_run_completed"),
            enabled: field("enabled"),
            created_at: iso(entry.created_ms),
            updated_at: iso(entry.updated_ms),
        }
    }
}

/// Sets the first date after now: none after the cron's end. One that is
/// switched off has a date too, but nothing is due then.
pub(crate) fn set_next(entry: &mut Entry, now_ms: u64) -> Result<(), String> {
    let text = |name: &str| entry.body.get(name).and_then(Value::as_str);
    let schedule = Schedule::parse(text("schedule").unwrap_or_default(), text("timezone"))?;
    let next = schedule.after(now_ms);
    entry.body.insert("next_ms".into(), next.into());
    set_due(entry);
    Ok(())
}

/// What follows from the next date, the end and whether it is switched on.
pub(crate) fn set_due(entry: &mut Entry) {
    let number = |name: &str| entry.body.get(name).and_then(Value::as_u64);
    let next = number("next_ms").filter(|next| number("end_ms").is_none_or(|end| *next <= end));
    let enabled = entry.body.get("enabled").and_then(Value::as_bool).unwrap_or(true);
    entry.due_ms = next.filter(|_| enabled);
    // Sorts by date, and those without one last.
    entry.label = format!("{:020}", next.unwrap_or(u64::MAX));
    entry.body.insert("next_ms".into(), next.into());
}
