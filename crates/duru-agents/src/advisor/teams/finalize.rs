//! What the team's work was worth.

use std::sync::Arc;

use duru::{Cx, Result};

use super::state::{TeamRun, TeamRunUpdate};
use crate::advisor::plan::Status;
use crate::advisor::progress::{Progress, show};
use crate::advisor::state::{Remedy, TeamResult, TeamStatus};
use crate::advisor::tools::Team;

/// Below this a team's result is taken in part only.
fn threshold(team: Team) -> f64 {
    match team {
        Team::Search => 0.6,
        Team::Analysis => 0.7,
        Team::Document => 0.8,
    }
}

pub(super) async fn finalize(s: Arc<TeamRun>, cx: Cx) -> Result<TeamRunUpdate> {
    let order = &s.order;
    let team = order.team();
    let cached = s.checked.as_ref().filter(|checked| checked.sufficient);
    let filled: Vec<f64> =
        s.used.iter().filter(|used| !used.found.is_empty()).map(|used| used.quality).collect();
    // Another search that finds nothing more leaves what the one before it found.
    let kept: Vec<f64> = match (team, filled.is_empty()) {
        (Team::Search, true) => {
            order.ran.iter().filter(|used| !used.found.items.is_empty()).map(|used| used.quality).collect()
        }
        _ => filled.clone(),
    };
    let quality = match cached {
        Some(checked) => checked.quality,
        None if kept.is_empty() => 0.0,
        None => kept.iter().sum::<f64>() / kept.len() as f64,
    };
    let own: usize = s.used.iter().map(|used| used.found.items.len()).sum();
    let items =
        if cached.is_some() { order.earlier.iter().map(|used| used.found.items.len()).sum() } else { own };
    // An earlier pass of the team counts, too.
    let before: usize = if team == Team::Search && cached.is_none() {
        order.ran.iter().map(|used| used.found.items.len()).sum()
    } else {
        0
    };
    let lost = s.faults.iter().any(|fault| fault.done == Remedy::Skipped);
    let partly = s.faults.iter().any(|fault| fault.done == Remedy::AcceptedPartly);
    let empty = filled.is_empty() && cached.is_none();
    // Tools that only ask for more have worked; nothing to do is no failure.
    let asks = !s.result.gaps.is_empty();
    let status = match (empty, lost) {
        (true, _) if before > 0 => TeamStatus::PartialAccepted,
        (true, true) => TeamStatus::Failed,
        (true, false) if asks || s.chosen.is_empty() => TeamStatus::PartialAccepted,
        (true, false) => TeamStatus::Failed,
        (false, true) => TeamStatus::PartialAccepted,
        (false, false) if quality < threshold(team) || partly => TeamStatus::PartialAccepted,
        (false, false) => TeamStatus::Accepted,
    };
    let seconds: f64 = s.used.iter().map(|used| used.seconds).fold(0.0, f64::max);
    let result = TeamResult {
        status,
        quality,
        seconds,
        items: items + before,
        insights: s.insights.clone(),
        gaps: s.result.gaps.clone(),
        tools: s.used.iter().map(|used| used.tool.clone()).collect(),
        runs: order.runs + 1,
    };
    let name = serde_json::to_value(status).ok().and_then(|value| value.as_str().map(str::to_owned));
    show(&cx, &Progress::TeamComplete { team, status: name.unwrap_or_default(), quality, seconds });
    if let Some(step) = &order.step {
        let status = if status == TeamStatus::Failed { Status::Failed } else { Status::Completed };
        show(&cx, &Progress::TodoUpdated { step_id: step.id.clone(), status, progress: 100 });
    }
    Ok(TeamRunUpdate::new().result(result))
}
