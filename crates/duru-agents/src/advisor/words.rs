//! What the person and the models are told on the way, in the asker's language.

use duru_llm::decision::Untrusted;
use jiff::Timestamp;

use super::lang::Lang;
use super::planner;
use super::progress::{Choice, ConfirmationContext, Progress, Reused};
use super::state::{Advice, Exchange, FaultKind, PastSearch};
use super::sufficiency::{Judgement, Kept, Tier};
use super::understand::DataKind;

/// So much of a message is shown.
const SHOWN: usize = 500;
/// So much of what was found is shown.
const EXCERPT: usize = 300;

/// 3분 전.
pub(super) fn age(seconds: i64, lang: Lang) -> String {
    let (number, ko, en) = match seconds.max(0) {
        0..60 => return lang.pick("방금", "just now"),
        s @ 60..3_600 => (s / 60, "분", "minutes"),
        s @ 3_600..86_400 => (s / 3_600, "시간", "hours"),
        s => (s / 86_400, "일", "days"),
    };
    lang.pick(format!("{number}{ko} 전"), format!("{number} {en} ago"))
}

fn reused(kept: &Kept, lang: Lang) -> Reused {
    Reused {
        kind: kept.kind,
        region: kept.region.as_ref().map(|region| lang.pick(region.name(), region.name_in_english())),
        count: kept.count,
        age: kept.age.map(|seconds| age(seconds, lang)),
    }
}

pub(super) fn reuse_decision(judgement: &Judgement, scope: &[DataKind], lang: Lang) -> Progress {
    Progress::DataReuseDecision {
        message: lang
            .pick("이전 대화의 데이터를 재사용합니다.", "The data of the conversation are used again."),
        source: judgement.data_source,
        reasoning: lang.pick(judgement.reasoning.as_str(), judgement.reasoning_en.as_str()),
        confidence: judgement.confidence,
        reused: judgement.kept.iter().map(|kept| reused(kept, lang)).collect(),
        still_searching: scope.to_vec(),
    }
}

/// Why the gate decided so, and that nobody was asked where that would have taken longer than a search.
pub(super) fn why(judgement: &Judgement, at_once: bool, lang: Lang) -> String {
    let why = lang.pick(judgement.reasoning.as_str(), judgement.reasoning_en.as_str());
    if !at_once {
        return why;
    }
    let at_once = lang.pick(
        "검색이 1초도 걸리지 않아 묻지 않고 새로 찾습니다.",
        "A search takes less than a second here, so it is made without asking.",
    );
    format!("{why} {at_once}")
}

pub(super) fn confirmation(judgement: &Judgement, s: &Advice, deadline: Option<String>) -> Progress {
    let lang = s.lang();
    let kept: Vec<Reused> = judgement.kept.iter().map(|kept| reused(kept, lang)).collect();
    let summary: Vec<String> = kept
        .iter()
        .map(|one| {
            let region = one.region.clone().map(|region| format!("{region} ")).unwrap_or_default();
            let count = lang.pick(format!("{}건", one.count), format!("{} items", one.count));
            format!("{region}{} {count}", planner::kind(one.kind, lang))
        })
        .collect();
    let ages: Vec<String> = kept.iter().filter_map(|one| one.age.clone()).collect();
    let saved = match s.search_seconds().map(|seconds| seconds.round()).filter(|seconds| *seconds >= 1.0) {
        Some(seconds) => lang.pick(
            format!("검색 시간 약 {seconds}초 단축"),
            format!("Saves about {seconds} seconds of searching"),
        ),
        None => lang.pick("새로 검색하지 않음", "Nothing is searched for"),
    };
    let option = |value: &str, label: String, description: String| Choice {
        value: value.to_owned(),
        label,
        description,
    };
    Progress::UserConfirmationRequired {
        confirmation_id: format!("confirm-{}", planner::id(super::tools::Team::Search, s)),
        message: lang
            .pick("이전 대화의 데이터를 사용하시겠습니까?", "Shall the data of the conversation be used?"),
        context: ConfirmationContext {
            previous_data_summary: summary.join(", "),
            data_age: ages.first().cloned().unwrap_or_default(),
            uncertainty_reason: lang.pick(judgement.reasoning.as_str(), judgement.reasoning_en.as_str()),
        },
        options: vec![
            option("use_previous", lang.pick("예, 이전 데이터 사용", "Yes, use the earlier data"), saved),
            option(
                "search_new",
                lang.pick("아니요, 최신 정보 검색", "No, search for the newest"),
                lang.pick("최신 데이터로 분석", "Analyses the newest data"),
            ),
        ],
        deadline,
    }
}

/// Before a sentence that takes the place of one that failed its check.
pub(super) fn corrected(lang: Lang) -> String {
    lang.pick("[바로잡음]", "[corrected]")
}

/// What was said, numbered, each line at most 500 characters.
pub(super) fn history(exchanges: &[Exchange], lang: Lang) -> Vec<Untrusted> {
    let cut = |text: &str| text.chars().take(SHOWN).collect::<String>();
    let mut lines = Vec::new();
    for exchange in exchanges {
        lines.push((lang.pick("사용자", "user"), cut(&exchange.question)));
        if !exchange.answer.is_empty() {
            lines.push((lang.pick("상담", "advisor"), cut(&exchange.answer)));
        }
    }
    let numbered = lines.into_iter().enumerate();
    numbered.map(|(at, (who, text))| Untrusted::new(format!("{}. {who}: {text}", at + 1))).collect()
}

/// What there is of each kind: place, number, age, where it was kept, and a little of it.
pub(super) fn evidence(searches: &[&PastSearch], now: Timestamp, lang: Lang) -> Vec<Untrusted> {
    let mut lines = Vec::new();
    for (at, search) in searches.iter().enumerate() {
        let places: Vec<String> = search.regions.iter().map(|region| region.name()).collect();
        let tier = match search.tier {
            Tier::Conversation => lang.pick("이 대화", "this conversation"),
            Tier::ShortTerm => lang.pick("단기 기억", "short-term memory"),
            Tier::MidTerm => lang.pick("중기 기억", "mid-term memory"),
            Tier::LongTerm => lang.pick("장기 기억", "long-term memory"),
        };
        for found in search.held().found {
            let old = found.at.map(|at| age(now.duration_since(at).as_secs(), lang));
            let content = search.results.iter().flat_map(|used| &used.found.items);
            let content: Vec<String> = content
                .filter(|item| item.kind == found.kind)
                .map(|item| item.title.clone())
                .take(5)
                .collect();
            let content: String = content.join(", ").chars().take(EXCERPT).collect();
            let ago = lang.pick(format!("{}개 대화 전", at + 1), format!("{} searches ago", at + 1));
            lines.push(Untrusted::new(format!(
                "{}: {}, {} × {}, {}, {ago}, {tier}; {content}",
                planner::kind(found.kind, lang),
                places.join(" "),
                search.query.chars().take(80).collect::<String>(),
                found.count,
                old.unwrap_or_else(|| lang.pick("때를 모름", "age unknown")),
            )));
        }
    }
    lines
}

pub(super) fn no_such_tool(lang: Lang) -> String {
    lang.pick("그런 도구가 없습니다.", "There is no such tool.")
}

pub(super) fn needs_data(lang: Lang) -> String {
    lang.pick("먼저 있어야 할 자료가 없습니다.", "What it works on is not there.")
}

pub(super) fn fault_reason(what: FaultKind, lang: Lang) -> String {
    let (ko, en) = match what {
        FaultKind::TimedOut => ("시간 안에 답하지 않았습니다.", "It did not answer in time."),
        FaultKind::Failed => ("도구가 실패했습니다.", "The tool failed."),
        FaultKind::Empty => ("결과가 없습니다.", "It found nothing."),
        FaultKind::LowQuality => ("결과가 부실합니다.", "The results are poor."),
        FaultKind::MissingDependency => ("먼저 있어야 할 자료가 없습니다.", "What it works on is not there."),
    };
    lang.pick(ko, en)
}

/// What a tool is called, for people.
pub(super) fn tool(name: &str, lang: Lang) -> String {
    let (ko, en) = match name {
        "legal_search" => ("법률 검색", "law search"),
        "law_digest" => ("법률 요약", "digest of law"),
        "market_data" => ("시세 조회", "price look-up"),
        "real_estate_search" => ("매물 검색", "listing search"),
        "loan_data" => ("대출 상품 조회", "loan look-up"),
        "infrastructure" => ("주변 시설 조회", "look-up of what is nearby"),
        "contract_analysis" => ("계약서 분석", "contract analysis"),
        "market_analysis" => ("시장 분석", "market analysis"),
        "loan_simulator" => ("대출 계산", "loan simulator"),
        "roi_calculator" => ("수익률 계산", "return calculator"),
        "cost_calculator" => ("비용 계산", "cost calculator"),
        "lease_draft" => ("계약서 초안", "lease draft"),
        other => (other, other),
    };
    lang.pick(ko, en)
}
