//! The person looks at a draft before it is final.

use std::collections::BTreeMap;
use std::sync::Arc;

use duru::{Cx, Result};
use serde_json::Value;

use super::super::progress::Progress;
use super::super::tools::{DraftView, Report};
use super::state::{TeamRun, TeamRunUpdate};

pub(super) async fn review(s: Arc<TeamRun>, cx: Cx) -> Result<TeamRunUpdate> {
    let drafted = s.used.iter().find_map(|used| used.found.reports.iter().find_map(draft));
    let (Some(view), true) = (drafted, cx.thread().is_some()) else { return Ok(TeamRunUpdate::new()) };
    let lang = s.order.lang();
    let question = Progress::DraftReviewRequired {
        confirmation_id: s.order.step.as_ref().map(|step| step.id.clone()).unwrap_or_default(),
        message: lang.pick(
            "계약서 초안입니다. 확인하거나 빈칸을 채워 주세요.",
            "This is the draft of the lease. Confirm it, or fill in the blanks.",
        ),
        fields: view.fields.clone(),
        missing: view.missing.clone(),
        markdown: view.markdown.clone(),
    };
    // For as long as it takes: nobody's contract becomes final by itself.
    let said: Value = cx.interrupt(&question)?;
    let mut view = view.clone();
    let fields = ["fields", "arguments", "value"].iter().find_map(|name| said[*name].as_object());
    let filled: BTreeMap<String, String> = fields
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .filter(|(_, value)| !value.trim().is_empty())
        .collect();
    let word = said.as_str().or_else(|| said["value"].as_str()).unwrap_or_default();
    view.confirmed =
        !filled.is_empty() || matches!(word, "approve" | "confirm" | "yes" | "확인" | "예" | "네");
    for (name, value) in filled {
        view.missing.retain(|missing| *missing != name);
        match view.fields.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => view.fields.push((name, value)),
        }
    }
    view.markdown = super::super::answer::lease_markdown(&view);
    let used = s.used.iter().map(|used| {
        let mut used = used.clone();
        for report in &mut used.found.reports {
            if let Report::Draft(known) = report {
                *known = view.clone();
            }
        }
        used
    });
    Ok(TeamRunUpdate::new().overwrite_used(used.collect::<Vec<_>>()))
}

fn draft(report: &Report) -> Option<&DraftView> {
    match report {
        Report::Draft(view) => Some(view),
        _ => None,
    }
}
