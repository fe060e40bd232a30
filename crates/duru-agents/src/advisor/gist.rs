//! What a team found or worked out, in a line or two, as models see it: our own figures and counts, and never the words
//! of what was found, which may speak to whoever reads them.

use super::answer::report_lines;
use super::lang::Lang;
use super::planner::kind;
use super::state::{Advice, TeamResult};
use super::tools::{Item, Report, Team, Used};
use super::understand::DataKind;

/// So many findings of a team are told, each in so many characters.
const LINES: usize = 3;
const LINE: usize = 160;

/// One line per team that is done: how much, how well, and what is in it.
pub(super) fn results(s: &Advice) -> Vec<String> {
    let lang = s.lang();
    let data = s.data();
    let line = |(team, result): (&Team, &TeamResult)| {
        let status = serde_json::to_value(result.status).ok();
        let status = status.as_ref().and_then(|value| value.as_str()).unwrap_or_default();
        let head = match team {
            Team::Search => format!("Search: {} results ({status})", result.items),
            Team::Analysis => format!("Analysis: {} insights ({status})", result.insights.len()),
            Team::Document => format!("Document: lease contract ({status})"),
        };
        let contents = contents(*team, result, &data, lang);
        if contents.is_empty() { head } else { format!("{head}: {}", contents.join("; ")) }
    };
    s.team_results.iter().map(line).collect()
}

/// The best of what a team has.
fn contents(team: Team, result: &TeamResult, data: &[Used], lang: Lang) -> Vec<String> {
    // What is used again was found before, by the search.
    let own: Vec<&Used> = data
        .iter()
        .filter(|used| result.tools.contains(&used.tool) || team == Team::Search && result.tools.is_empty())
        .collect();
    let reports = own.iter().flat_map(|used| &used.found.reports);
    let mut lines: Vec<String> = reports.flat_map(|report| told(report, lang)).collect();
    if team == Team::Search {
        let items: Vec<&Item> = own.iter().flat_map(|used| &used.found.items).collect();
        lines.extend(counted(&items, lang));
    }
    lines.truncate(LINES);
    lines.into_iter().map(|line| line.chars().take(LINE).collect()).collect()
}

/// What a report says first. A contract speaks with somebody else's words: of it only how many clauses matter.
fn told(report: &Report, lang: Lang) -> Option<String> {
    match report {
        Report::Contract(report) => {
            let count = report.risks.len() + report.unsaid.len();
            Some(lang.pick(
                format!("위험하거나 빠진 조항 {count}개"),
                format!("{count} clauses that are dangerous or missing"),
            ))
        }
        Report::Draft(_) => None,
        report => report_lines(report, lang).into_iter().next(),
    }
}

/// How many of each kind, where, and how well they fit.
fn counted(items: &[&Item], lang: Lang) -> Vec<String> {
    let kinds =
        [DataKind::Market, DataKind::Legal, DataKind::Loan, DataKind::Contract, DataKind::Infrastructure];
    let line = |wanted: DataKind| {
        let of: Vec<&&Item> = items.iter().filter(|item| item.kind == wanted).collect();
        let best = of.iter().map(|item| item.fit).fold(0.0, f64::max);
        let mut places: Vec<String> = Vec::new();
        for place in of.iter().filter_map(|item| item.region.as_ref()) {
            let place = lang
                .pick(place.district.clone().unwrap_or_else(|| place.to_string()), place.name_in_english());
            if places.len() < 2 && !places.contains(&place) {
                places.push(place);
            }
        }
        let places = if places.is_empty() { String::new() } else { format!("{} ", places.join(", ")) };
        let (name, count) = (kind(wanted, lang), of.len());
        (count > 0).then(|| {
            lang.pick(
                format!("{places}{name} {count}건(가장 맞는 것 {best:.2})"),
                format!("{places}{name}: {count} (best fit {best:.2})"),
            )
        })
    };
    kinds.into_iter().filter_map(line).collect()
}
