//! The plan by rules: which teams, for what, in which order.

use super::lang::Lang;
use super::plan::{Status, Step};
use super::state::{Advice, Planning};
use super::tools::Team;
use super::understand::region::Region;
use super::understand::{DataKind, Intent, Question};
use super::wanted;

/// Whether a question cannot be answered by looking things up alone.
pub(super) fn needs_analysis(planning: &Planning, question: &Question) -> bool {
    let by_intent = matches!(
        planning.intent,
        Some(Intent::ContractReview | Intent::RiskAnalysis | Intent::Comprehensive)
    );
    by_intent || !planning.calculations.is_empty() || wanted::weighs(question)
}

/// The teams that must work, and those that may.
pub(super) fn teams(planning: &Planning, question: &Question) -> (Vec<Team>, Vec<Team>) {
    let analysis = needs_analysis(planning, question);
    match planning.intent {
        None | Some(Intent::Unclear | Intent::Irrelevant) => (vec![], vec![]),
        Some(Intent::ContractCreation) => (vec![Team::Document], vec![]),
        Some(Intent::LegalConsult) if !analysis => (vec![Team::Search], vec![Team::Analysis, Team::Document]),
        Some(_) if analysis => (vec![Team::Search, Team::Analysis], vec![]),
        Some(_) => (vec![Team::Search], vec![Team::Analysis]),
    }
}

/// The steps. `scope` is what a search must still find; without any the search is left out.
pub(super) fn steps(
    must: &[Team],
    may: &[Team],
    scope: &[DataKind],
    s: &Advice,
    planning: &Planning,
) -> Vec<Step> {
    let lang = s.lang();
    let mut wanted: Vec<(Team, bool)> = must.iter().map(|team| (*team, false)).collect();
    wanted.extend(may.iter().filter(|team| !must.contains(team)).map(|team| (*team, true)));
    let documents = wanted.iter().any(|(team, optional)| *team == Team::Document && !optional);
    if scope.is_empty() {
        wanted.retain(|(team, _)| *team != Team::Search);
        // Somebody must make something of what is there.
        if !documents && !wanted.iter().any(|(_, optional)| !optional) {
            wanted = vec![(Team::Analysis, false)];
        }
    }
    let mut steps: Vec<Step> = Vec::new();
    for (team, optional) in wanted {
        let depends_on = match team {
            Team::Search => vec![],
            // A draft that was asked for waits for nobody.
            Team::Document if !optional => vec![],
            Team::Analysis | Team::Document => {
                steps.iter().filter(|step| step.team != Team::Document).map(|step| step.id.clone()).collect()
            }
        };
        steps.push(Step {
            id: id(team, s),
            team,
            task: task(team, scope, lang),
            description: describe(team, planning, lang),
            depends_on,
            status: Status::Pending,
            optional,
            scope: if team == Team::Search { scope.to_vec() } else { vec![] },
            tries: 0,
        });
    }
    steps
}

/// A step's name: of its team and the turn of the conversation, so that no two questions share one.
pub(super) fn id(team: Team, s: &Advice) -> String {
    format!("{}-{}", name(team), s.turn())
}

fn name(team: Team) -> &'static str {
    match team {
        Team::Search => "search",
        Team::Analysis => "analysis",
        Team::Document => "document",
    }
}

/// What a kind of data is called.
pub(super) fn kind(kind: DataKind, lang: Lang) -> String {
    let (ko, en) = match kind {
        DataKind::Legal => ("법률", "law"),
        DataKind::Market => ("시세", "prices"),
        DataKind::Loan => ("대출", "loans"),
        DataKind::Contract => ("계약서", "the contract"),
        DataKind::Infrastructure => ("주변 시설", "what is nearby"),
    };
    lang.pick(ko, en)
}

pub(super) fn task(team: Team, scope: &[DataKind], lang: Lang) -> String {
    match team {
        Team::Search => {
            let kinds: Vec<String> = scope.iter().map(|one| kind(*one, lang)).collect();
            let kinds = kinds.join(&lang.pick("·", ", "));
            lang.pick(format!("{kinds} 검색"), format!("Look up {kinds}"))
        }
        Team::Analysis => lang.pick("분석과 계산", "Analyse and calculate"),
        Team::Document => lang.pick("문서 작성", "Draft the document"),
    }
}

fn describe(team: Team, planning: &Planning, lang: Lang) -> String {
    let name = |region: &Region| lang.pick(region.name(), region.name_in_english());
    let places: Vec<String> = planning.regions.iter().map(name).collect();
    let places = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
    match team {
        Team::Search => {
            lang.pick(format!("필요한 자료를 찾습니다{places}."), format!("Finds what is needed{places}."))
        }
        Team::Analysis => {
            lang.pick("찾은 자료로 계산하고 판단합니다.", "Works things out from what was found.")
        }
        Team::Document => lang.pick("초안을 만들고 확인을 받습니다.", "Makes a draft and has it confirmed."),
    }
}
