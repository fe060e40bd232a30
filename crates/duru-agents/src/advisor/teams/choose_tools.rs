//! The one place where a team's tools and their words are chosen.

use std::sync::Arc;

use duru::{Cx, Result};
use duru_llm::decision::Untrusted;

use super::choice;
use super::state::{Order, TeamRun, TeamRunUpdate, Wish};
use crate::advisor::ask::decide;
use crate::advisor::decide::{ChooseTools, LeftOut, ToolPlan, ToolWish, ToolsAsked};
use crate::advisor::progress::{DecidedBy, Progress, show};
use crate::advisor::toolbox::Toolbox;
use crate::advisor::tools::{Registry, Team, ToolSpec};

/// One call of the answer's is kept, and one for what comes after the tools.
const KEPT: u64 = 1;

pub(super) async fn choose_tools(s: Arc<TeamRun>, cx: Cx) -> Result<TeamRunUpdate> {
    let tools = cx.get::<Toolbox>()?;
    let order = &s.order;
    let planned = match &order.prepared {
        Some(prepared) => Planned { plan: prepared.plan.clone(), calls: 0 },
        None => plan_tools(order, &cx, &tools, order.calls_left.saturating_sub(KEPT)).await?,
    };
    let by_rule = choice::tools(order);
    let chosen = match &planned.plan {
        None => by_rule,
        Some(plan) => {
            for left_out in &plan.left_out {
                let (tool, reason) = (left_out.tool.clone(), left_out.why.clone());
                show(&cx, &Progress::ToolSkipped { tool, reason });
            }
            merged(by_rule, plan, order, &tools.registry)
        }
    };
    Ok(TeamRunUpdate::new().chosen(chosen).model_calls(planned.calls))
}

/// What a model chose, and what that cost.
pub(in crate::advisor) struct Planned {
    /// None where the rules choose.
    pub(in crate::advisor) plan: Option<ToolPlan>,
    pub(in crate::advisor) calls: u64,
}

/// Asks which of its tools a team is to use.
pub(in crate::advisor) async fn plan_tools(
    order: &Order,
    cx: &Cx,
    tools: &Toolbox,
    left: u64,
) -> Result<Planned> {
    let by_rule = choice::tools(order);
    // Nothing to choose, nothing to ask; nor where a single step works with data that are there, and only one tool fits
    // them or the question itself says what is to be worked out.
    let said = order.planning.single
        && order.team() == Team::Analysis
        && (by_rule.len() == 1 || !order.planning.calculations.is_empty());
    if by_rule.is_empty() || said || left == 0 {
        return Ok(Planned { plan: None, calls: 0 });
    }
    let all: Vec<&ToolSpec> = tools.registry.of(order.team()).collect();
    let wish = |wish: &Wish| ToolWish {
        tool: wish.tool.clone(),
        keywords: wish.parameters.keywords.clone(),
        limit: None,
    };
    let unneeded = |tool: &&ToolSpec| LeftOut {
        tool: tool.name.clone(),
        why: order.lang().pick("이 질문에는 필요하지 않습니다.", "Not needed for this question."),
    };
    let wanted = |tool: &&&ToolSpec| !by_rule.iter().any(|wish| wish.tool == tool.name);
    let draft = ToolPlan {
        tools: by_rule.iter().map(wish).collect(),
        left_out: all.iter().filter(wanted).map(unneeded).collect(),
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
        draft,
    };
    let said = decide::<ChooseTools>(cx, left, &asked).await?;
    let plan = (said.by == DecidedBy::Model).then_some(said.value);
    Ok(Planned { plan, calls: said.calls })
}

/// The model's choice among the tools there are. What the scope needs stays, whatever it says.
fn merged(by_rule: Vec<Wish>, plan: &ToolPlan, order: &Order, registry: &Registry) -> Vec<Wish> {
    let mut chosen = by_rule;
    for wish in &plan.tools {
        if !registry.of(order.team()).any(|tool| tool.name == wish.tool) {
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
                let mut asked = order.asked.clone();
                asked.keywords = words.collect();
                asked.text = order.contract.clone();
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
