//! What the advisor's commands say, in both languages.

use std::collections::HashMap;
use std::sync::Mutex;

use duru_agents::advisor::progress::Progress;
use duru_agents::advisor::{Action, Status};
use serde::Deserialize;

use crate::agents::Account;
use crate::lang::Lang;
use crate::text::clean;

pub(super) fn greeting(lang: Lang) -> &'static str {
    lang.pick(
        "시세, 대출, 전월세 법률, 계약서에 관해 물어보세요. /help로 명령을 보고, 빈 줄이나 Ctrl-D로 끝냅니다.",
        "Ask about prices, loans, leases or contracts. /help lists commands; an empty line or Ctrl-D ends it.",
    )
}

/// What the advisor tells on its way, in lines; most of it has none. Steps are called what the plan calls them.
pub(super) fn account() -> Account {
    let tasks: Mutex<HashMap<String, String>> = Mutex::default();
    Box::new(move |data, lang| {
        let Ok(told) = Progress::deserialize(data) else { return Vec::new() };
        match &told {
            // The question itself is put when it is asked.
            Progress::UserConfirmationRequired { .. } | Progress::DraftReviewRequired { .. } => Vec::new(),
            Progress::PlanReady { steps, .. } => {
                if let Ok(mut tasks) = tasks.lock() {
                    tasks.extend(steps.iter().map(|step| (step.id.clone(), clean(&step.task))));
                }
                frame(&told, lang)
            }
            Progress::TodoUpdated { step_id, .. } => {
                let task = tasks.lock().ok().and_then(|tasks| tasks.get(step_id).cloned());
                let named = |line: String| match &task {
                    Some(task) => line.replace(step_id.as_str(), task),
                    None => line,
                };
                frame(&told, lang).into_iter().map(named).collect()
            }
            _ => frame(&told, lang),
        }
    })
}

/// A frame in lines; most have none.
pub(super) fn frame(frame: &Progress, lang: Lang) -> Vec<String> {
    match frame {
        Progress::PlanReady { steps, .. } => {
            steps.iter().map(|step| format!("  ☐ {}", clean(&step.task))).collect()
        }
        Progress::TodoUpdated { step_id, status, .. } => {
            let sign = match status {
                Status::Pending => '☐',
                Status::InProgress => '▸',
                Status::Completed => '☑',
                Status::Failed => '✗',
                Status::Skipped | Status::Cancelled => '–',
            };
            vec![format!("  {sign} {}", clean(step_id))]
        }
        Progress::DataReuseDecision { message, reused, .. } => {
            let what: Vec<String> = reused
                .iter()
                .map(|one| format!("{} × {}", one.region.clone().unwrap_or_default(), one.count))
                .collect();
            vec![format!("  ↺ {} ({})", clean(message), clean(&what.join(", ")))]
        }
        Progress::OrchestrationDecision { action, reasoning, .. } if *action != Action::Continue => {
            vec![format!("  · {}", clean(reasoning))]
        }
        Progress::ToolComplete { tool, count, reused, .. } => {
            let again = if *reused { lang.pick(" (다시 씀)", " (used again)") } else { "" };
            vec![format!("    {} → {count}{again}", clean(tool))]
        }
        Progress::ToolSkipped { tool, reason } => vec![format!("    {} – {}", clean(tool), clean(reason))],
        Progress::UserConfirmationRequired { message, context, options, .. } => {
            let mut lines = vec![
                clean(message),
                format!("  {} {}", clean(&context.previous_data_summary), clean(&context.data_age)),
                format!("  {}", clean(&context.uncertainty_reason)),
            ];
            for (at, option) in options.iter().enumerate() {
                lines.push(format!(
                    "  {}. {} — {}",
                    at + 1,
                    clean(&option.label),
                    clean(&option.description)
                ));
            }
            lines
        }
        Progress::DraftReviewRequired { message, markdown, flaws, .. } => {
            let mut lines = vec![clean(message)];
            lines.extend(markdown.lines().map(clean));
            lines.extend(flaws.iter().map(|flaw| format!("  ! {}", clean(&flaw.text))));
            lines.push(
                lang.pick(
                    "  Enter: 이대로 문서 만들기, 이름=값, 이름=값: 채우거나 고치기, 취소: 문서 없이 끝내기",
                    "  Enter makes the document; NAME=VALUE, NAME=VALUE fills fields in; cancel makes none",
                )
                .to_owned(),
            );
            lines
        }
        Progress::Warning { message, .. } | Progress::Error { message, .. } => {
            vec![format!("  ! {}", clean(message))]
        }
        _ => Vec::new(),
    }
}
