//! What the results mean, in words.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;

use super::state::{TeamRun, TeamRunUpdate};
use crate::advisor::answer::{report_lines, sound};
use crate::advisor::ask::decide;
use crate::advisor::decide::{
    ContractAdvice, ContractAsked, FindInsights, Insights, InsightsAsked, ReadContract,
};
use crate::advisor::tools::Report;
use crate::meaning::mended;

/// So much of a contract is shown to a model.
const SHOWN: usize = 6_000;

pub(super) async fn insights(s: Arc<TeamRun>, cx: Cx) -> Result<TeamRunUpdate> {
    let order = &s.order;
    let lang = order.lang();
    let given = s.given();
    let reports: Vec<&Report> = given.iter().flat_map(|used| &used.found.reports).collect();
    let (contracts, figures): (Vec<&Report>, Vec<&Report>) =
        reports.into_iter().partition(|report| matches!(report, Report::Contract(_)));
    let lines = |reports: &[&Report]| -> Vec<String> {
        reports.iter().flat_map(|report| report_lines(report, lang)).collect()
    };
    let (clauses, figures) = (lines(&contracts), lines(&figures));
    let mut left = order.calls_left.saturating_sub(s.model_calls + 1);
    let (mut said, mut calls) = (Vec::new(), 0);
    if !clauses.is_empty() {
        let contract: String = order.contract.clone().unwrap_or_default().chars().take(SHOWN).collect();
        let asked = ContractAsked {
            question: Untrusted::new(order.query.chars().take(500).collect::<String>()),
            contract: Untrusted::new(contract.as_str()),
            findings: clauses.iter().map(Untrusted::new).collect(),
            language: lang.name().to_owned(),
            draft: ContractAdvice { advice: clauses.clone() },
        };
        let read = decide::<ReadContract>(&cx, left, &asked).await?;
        calls += read.calls;
        left = left.saturating_sub(read.calls);
        let known = format!("{}\n{contract}", clauses.join("\n"));
        said.extend(meant(read.value.advice, &clauses, &known));
    }
    // A plain calculation speaks for itself; the answer tells it.
    if order.planning.single && !order.planning.calculations.is_empty() {
        left = 0;
    }
    if !figures.is_empty() {
        let asked = InsightsAsked {
            question: Untrusted::new(order.query.as_str()),
            figures: figures.iter().map(Untrusted::new).collect(),
            language: lang.name().to_owned(),
            draft: Insights { findings: figures.clone() },
        };
        let read = decide::<FindInsights>(&cx, left, &asked).await?;
        calls += read.calls;
        let known = format!("{}\n{}", figures.join("\n"), order.query);
        // A figure that nobody worked out is not told.
        said.extend(meant(read.value.findings, &figures, &known));
    }
    Ok(TeamRunUpdate::new().insights(said).model_calls(calls))
}

/// The lines that may be told: without figures that nobody has, and with what was worked out in the place of what says
/// otherwise.
fn meant(lines: Vec<String>, facts: &[String], known: &str) -> Vec<String> {
    let facts = facts.join("\n");
    let sound = lines.into_iter().filter(|line| sound(line, known));
    sound.map(|line| mended(&line, &facts)).filter(|line| !line.is_empty()).collect()
}
