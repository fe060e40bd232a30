//! What follows, by rule: before the first team and after each.

use super::plan::{Status, Step};
use super::state::{Action, Adjust, Advice, Collaboration, TeamStatus};
use super::tools::Team;
use super::understand::{DataKind, Intent};

/// Fewer results than this are searched for again.
const FEW: usize = 3;
/// Results this good are good.
pub(super) const GOOD: f64 = 0.5;
/// A search is made at most so often.
pub(super) const SEARCHES: u32 = 3;

/// What follows, and why, in Korean and English.
#[derive(Debug, PartialEq)]
pub(super) struct Ruled {
    pub(super) action: Action,
    pub(super) why: (&'static str, &'static str),
}

fn ruled(action: Action, ko: &'static str, en: &'static str) -> Ruled {
    Ruled { action, why: (ko, en) }
}

/// Before the first team.
pub(super) fn first(s: &Advice) -> Ruled {
    let planned = |team| s.steps.iter().any(|step| step.team == team);
    match s.planning.intent {
        Some(Intent::RiskAnalysis) if !planned(Team::Analysis) => ruled(
            Action::AddAgent { next_agent: Team::Analysis },
            "위험을 묻는 질문이라 분석이 꼭 필요합니다.",
            "A question of risk needs analysis.",
        ),
        Some(Intent::ContractCreation) if !planned(Team::Document) => ruled(
            Action::AddAgent { next_agent: Team::Document },
            "계약서를 쓰는 질문이라 문서 팀이 꼭 필요합니다.",
            "Drafting a contract needs the document team.",
        ),
        _ => ruled(Action::Continue, "계획의 첫 단계를 시작합니다.", "The first step of the plan."),
    }
}

/// After a team.
pub(super) fn after(s: &Advice, team: Team) -> Ruled {
    match team {
        Team::Search => after_search(s),
        Team::Analysis => after_analysis(s),
        Team::Document => after_document(s),
    }
}

fn after_search(s: &Advice) -> Ruled {
    let result = s.team_results.get(&Team::Search);
    let items = result.map_or(0, |result| result.items);
    let poor = result.is_none_or(|result| result.quality < GOOD);
    let runs = result.map_or(0, |result| result.runs);
    let saved = s.using_cached_data || s.data_reused;
    if !saved && (items < FEW || poor) && runs < SEARCHES && s.execution.adjust.round + 1 < SEARCHES {
        return ruled(
            Action::AddAgent { next_agent: Team::Search },
            "결과가 적거나 질문과 멀어 다른 말로 다시 찾습니다.",
            "Too few results or too far off: another search in other words.",
        );
    }
    instead(s, Team::Search).unwrap_or_else(|| rest(s))
}

fn after_analysis(s: &Advice) -> Ruled {
    let result = s.team_results.get(&Team::Analysis);
    // The analysis lacks data that a search can find: the search helps once.
    let wants_prices =
        result.is_some_and(|result| result.gaps.iter().any(|gap| gap == "price" || gap == "market_data"));
    let has_prices =
        s.data().iter().any(|used| used.found.items.iter().any(|item| item.kind == DataKind::Market));
    if wants_prices && !has_prices && !s.planning.regions.is_empty() && s.collaboration_plan.is_none() {
        return ruled(
            Action::Collaborate(Collaboration {
                primary_agent: Team::Analysis,
                supporting_agent: Team::Search,
                collaboration_type: "data_refinement".to_owned(),
            }),
            "계산에 시세가 필요해 검색 팀의 도움을 받습니다.",
            "The calculation needs prices: the search team helps.",
        );
    }
    let failed = result.is_none_or(|result| result.status == TeamStatus::Failed);
    let runs = result.map_or(0, |result| result.runs);
    let must = s.steps.iter().any(|step| step.team == Team::Analysis && !step.optional);
    if failed && must && runs < 2 && runs > 0 {
        return ruled(
            Action::AddAgent { next_agent: Team::Analysis },
            "꼭 필요한 분석이 실패해 다시 시도합니다.",
            "The analysis is needed and failed: once more.",
        );
    }
    instead(s, Team::Analysis).unwrap_or_else(|| rest(s))
}

fn after_document(s: &Advice) -> Ruled {
    let result = s.team_results.get(&Team::Document);
    let failed = result.is_some_and(|result| result.status == TeamStatus::Failed && result.runs < 2);
    if failed {
        return ruled(
            Action::AddAgent { next_agent: Team::Document },
            "문서 작성이 실패해 다시 시도합니다.",
            "The draft failed: once more.",
        );
    }
    instead(s, Team::Document).unwrap_or_else(|| rest(s))
}

/// Another team in the place of one that is needed and failed for good: what can be looked up where nothing could be
/// worked out or drafted, what can be worked out where nothing was found.
fn instead(s: &Advice, team: Team) -> Option<Ruled> {
    let failed = s.team_results.get(&team).is_some_and(|result| result.status == TeamStatus::Failed);
    let must = s.steps.iter().any(|step| step.team == team && !step.optional);
    let other = match team {
        Team::Analysis | Team::Document => Team::Search,
        Team::Search => Team::Analysis,
    };
    let untried = !s.team_results.contains_key(&other);
    let planned = s.steps.iter().any(|step| step.team == other && !step.optional && !step.status.is_over());
    // A search that failed leaves something to work out only where figures were given or are held.
    let able = team != Team::Search || !s.planning.calculations.is_empty() || !s.data().is_empty();
    (failed && must && untried && !planned && able).then(|| {
        ruled(
            Action::AddAgent { next_agent: other },
            "꼭 필요한 팀이 실패해 다른 팀이 대신합니다.",
            "A team that is needed failed: another takes its place.",
        )
    })
}

/// What is left of the plan: what must be done is done, what may be is not where nothing is open.
fn rest(s: &Advice) -> Ruled {
    let open: Vec<&Step> = s.steps.iter().filter(|step| !step.status.is_over()).collect();
    let must = open.iter().any(|step| !step.optional);
    if open.is_empty() || must {
        return ruled(Action::Continue, "다음 단계로 갑니다.", "On to the next step.");
    }
    ruled(
        Action::SkipRemaining,
        "결과가 충분하고 단순한 질문이라 나머지 단계가 필요 없습니다.",
        "The results suffice for a plain question: the rest is not needed.",
    )
}

/// What an action does to the plan.
pub(super) struct Applied {
    pub(super) steps: Vec<Step>,
    pub(super) adjust: Adjust,
    pub(super) skip_remaining: bool,
    pub(super) collaboration: Option<Collaboration>,
}

/// Carries an action out on the plan.
pub(super) fn apply(s: &Advice, action: &Action, keywords: &[String], tools: &[String]) -> Applied {
    let mut applied = Applied {
        steps: Vec::new(),
        adjust: s.execution.adjust.clone(),
        skip_remaining: false,
        collaboration: None,
    };
    match action {
        Action::Continue => {}
        Action::AddAgent { next_agent } => {
            applied.adjust = Adjust {
                round: s.execution.adjust.round + u32::from(*next_agent == Team::Search),
                keywords: keywords.to_vec(),
                tools: tools.to_vec(),
            };
            applied.steps.push(again(s, *next_agent, &s.planning.required));
        }
        Action::SkipRemaining => {
            applied.skip_remaining = true;
            let open = s.steps.iter().filter(|step| !step.status.is_over());
            applied.steps.extend(open.map(|step| Step { status: Status::Skipped, ..step.clone() }));
        }
        Action::Collaborate(with) => {
            applied.collaboration = Some(with.clone());
            let mut helper = again(s, with.supporting_agent, &[DataKind::Market]);
            if with.supporting_agent == Team::Search && !helper.scope.contains(&DataKind::Market) {
                helper.scope.push(DataKind::Market);
            }
            let mut primary = again(s, with.primary_agent, &[]);
            if helper.id != primary.id {
                helper.depends_on.retain(|id| *id != primary.id);
                if !primary.depends_on.contains(&helper.id) {
                    primary.depends_on.push(helper.id.clone());
                }
                applied.steps.push(helper);
            }
            applied.steps.push(primary);
        }
    }
    applied
}

/// The team's step, to be done once more or for the first time.
pub(super) fn again(s: &Advice, team: Team, scope: &[DataKind]) -> Step {
    match s.steps.iter().find(|step| step.team == team) {
        Some(step) => Step { status: Status::Pending, optional: false, ..step.clone() },
        None => {
            let mut scope = if team == Team::Search { super::gate::searchable(scope) } else { Vec::new() };
            // In the place of a draft: what the law says of leases.
            if team == Team::Search && scope.is_empty() {
                scope.push(DataKind::Legal);
            }
            let lang = s.lang();
            Step {
                id: super::planner::id(team, s),
                team,
                task: super::planner::task(team, &scope, lang),
                description: String::new(),
                depends_on: Vec::new(),
                status: Status::Pending,
                optional: false,
                scope,
                tries: 0,
            }
        }
    }
}
