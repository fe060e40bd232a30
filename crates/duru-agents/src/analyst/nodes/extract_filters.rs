//! Finds the service and the time range.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;
use serde_json::json;

use super::shared;
use crate::analyst::conflict::CONFLICTING_TIME;
use crate::analyst::decide::{ExtractFilters, FiltersAsked};
use crate::analyst::reading::Reading;
use crate::analyst::state::{Analysis, AnalysisUpdate, Trouble, TroubleCode, Turn};
use crate::analyst::words;
use crate::decided;

pub(in crate::analyst) async fn extract_filters(s: Arc<Analysis>, cx: Cx) -> Result<AnalysisUpdate> {
    if s.given_sql.is_some() {
        return Ok(AnalysisUpdate::new());
    }
    if let Some(range) = &s.time_range_structured
        && let Err(error) = range.check(s.moment())
    {
        let message = words::bad_range(&error, s.lang());
        return Ok(shared::gives_up(
            AnalysisUpdate::new(),
            Trouble { code: TroubleCode::TimeRange, message },
        ));
    }
    let tools = shared::toolbox(&s, &cx)?;
    let prepared = shared::prepared(&tools).await?;
    let reading = Reading::of(&s, &prepared);
    let services = reading.services.clone();
    let conflicting = reading.asks.iter().any(|ask| ask.kind == CONFLICTING_TIME);
    // The person may just ask on instead of answering: then this is what was asked last.
    let asked_back = reading.draft.clone().map(|draft| Turn {
        question: s.resolved_question.clone(),
        frame: Some(draft),
        top: Vec::new(),
        sql: String::new(),
        at: s.moment().to_string(),
    });
    let asked = FiltersAsked {
        question: s.resolved_question.clone(),
        now: words::local(&s),
        timezone: s.timezone.clone(),
        services: services.iter().map(|service| Untrusted::new(service.as_str())).collect(),
        draft: reading.covers_all().then(|| reading.filters.clone()),
        rule: reading.filters.clone(),
    };
    let outcome = decided::decider(&cx)?.decide::<ExtractFilters>(&asked).await?;
    let mut filters = outcome.value;
    // A model may name what does not exist, or a range that can't be asked for.
    if filters.service.as_ref().is_some_and(|service| !services.contains(service)) {
        filters.service = asked.rule.service.clone();
    }
    if filters.time_range.as_ref().is_some_and(|range| range.check(s.moment()).is_err()) {
        filters.time_range = asked.rule.time_range.clone();
    }
    // Where the words name another period, the person is asked which.
    if let Some(picked) = &s.time_range_structured
        && !conflicting
    {
        filters.time_range = Some(picked.clone());
        filters.ambiguous_time = false;
    }
    let event = json!({ "type": "filters_extracted", "filters": filters, "by": outcome.by });
    cx.emit(&event)?;
    Ok(AnalysisUpdate::new().filters(filters).asked_back(asked_back).events([event]))
}
