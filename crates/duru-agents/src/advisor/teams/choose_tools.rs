//! The one place where a team's tools and their words are chosen.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;

use super::super::ask::decide;
use super::super::decide::{ChooseTools, LeftOut, ToolPlan, ToolWish, ToolsAsked};
use super::super::progress::{DecidedBy, Progress, show};
use super::super::toolbox::Toolbox;
use super::super::tools::{Team, ToolSpec};
use super::choice;
use super::state::{TeamRun, TeamRunUpdate, Wish};

/// One call of the answer's is kept, and one for what comes after the tools.
const KEPT: u64 = 1;

pub(super) async fn choose_tools(s: Arc<TeamRun>, cx: Cx) -> Result<TeamRunUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let order = &s.order;
    let by_rule = choice::tools(&s);
    let all: Vec<&ToolSpec> = tools.registry.of(order.team()).collect();
    let draft = ToolPlan {
        tools: by_rule
            .iter()
            .map(|wish| ToolWish {
                tool: wish.tool.clone(),
                keywords: wish.parameters.keywords.clone(),
                limit: None,
            })
            .collect(),
        left_out: all
            .iter()
            .filter(|tool| !by_rule.iter().any(|wish| wish.tool == tool.name))
            .map(|tool| LeftOut {
                tool: tool.name.clone(),
                why: order.lang().pick("이 질문에는 필요하지 않습니다.", "Not needed for this question."),
            })
            .collect(),
    };
    let asked = ToolsAsked {
        question: Untrusted::new(order.query.as_str()),
        team: order.team(),
        scope: order.scope(),
        tools: all.iter().map(|tool| line(tool)).collect(),
        used: order
            .ran
            .iter()
            .map(|used| Untrusted::new(format!("{}: {}", used.tool, used.parameters.keywords.join(", "))))
            .collect(),
        draft: draft.clone(),
    };
    // Nothing to choose, nothing to ask; nor where the question itself says what is to be worked out from data that
    // are there.
    let said = order.planning.single && order.team() == Team::Analysis && !order.planning.calculations.is_empty();
    let left = if by_rule.is_empty() || said { 0 } else { order.calls_left.saturating_sub(KEPT) };
    let plan = decide::<ChooseTools>(&cx, left, &asked).await?;
    let chosen = match plan.by {
        DecidedBy::Rule => by_rule,
        DecidedBy::Model => merged(by_rule, &plan.value, &s, &all),
    };
    for left_out in plan.value.left_out.iter().filter(|_| plan.by == DecidedBy::Model) {
        show(&cx, &Progress::ToolSkipped { tool: left_out.tool.clone(), reason: left_out.why.clone() });
    }
    Ok(TeamRunUpdate::new().chosen(chosen).model_calls(plan.calls))
}

/// The model's choice among the tools there are. What the scope needs stays, whatever it says.
fn merged(by_rule: Vec<Wish>, plan: &ToolPlan, s: &TeamRun, all: &[&ToolSpec]) -> Vec<Wish> {
    let mut chosen = by_rule;
    for wish in &plan.tools {
        if !all.iter().any(|tool| tool.name == wish.tool) {
            continue;
        }
        let words = wish.keywords.iter().filter(|word| !word.trim().is_empty()).cloned();
        match chosen.iter_mut().find(|known| known.tool == wish.tool) {
            Some(known) => {
                if known.tool == "legal_search" {
                    known.parameters.keywords.extend(words);
                    known.parameters.keywords.dedup();
                }
                known.parameters.limit =
                    wish.limit.map(|limit| limit.clamp(3, 50) as usize).or(known.parameters.limit);
            }
            None => {
                let mut asked = s.order.asked.clone();
                asked.keywords = words.collect();
                asked.text = s.order.contract.clone();
                let parameters = choice::narrowed(&wish.tool, &asked);
                chosen.push(Wish { tool: wish.tool.clone(), parameters });
            }
        }
    }
    chosen
}

fn line(tool: &ToolSpec) -> String {
    let cost = serde_json::to_value(tool.cost).ok().and_then(|value| value.as_str().map(str::to_owned));
    let needs =
        if tool.needs.is_empty() { String::new() } else { format!(", needs {}", tool.needs.join(", ")) };
    format!(
        "{}: {}, {} s, quality {}{needs}",
        tool.name,
        cost.unwrap_or_default(),
        tool.seconds,
        tool.quality
    )
}
