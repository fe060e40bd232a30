//! Gate 1 by rules: what a question needs against what was found before.

use jiff::Timestamp;

use super::dimension::{Dimension, Need};
use super::held::{Search, Tier};
use super::issue::{Issue, Weight};
use super::judgement::{DataSource, Judgement, Kept, Verdict};
use super::standing::{self, Standing};
use super::talk::Talk;
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{AND, DataKind, Intent, Question};

/// Judges whether earlier searches (the newest first) are enough for the question.
pub fn judge(question: &Question, searches: &[Search], talk: &Talk, now: Timestamp) -> Judgement {
    let asked = asked_regions(question, searches);
    let looked: Vec<Looked> = question
        .required
        .iter()
        .flat_map(|kind| look(question, searches, talk, &asked, *kind, now))
        .collect();
    let mut issues: Vec<Issue> = Vec::new();
    for issue in looked.iter().flat_map(|one| &one.standing.issues) {
        if !issues.contains(issue) {
            issues.push(*issue);
        }
    }
    if !looked.is_empty() && is_ambiguous(question, searches, &talk.regions) {
        issues.push(Issue::AmbiguousReference);
    }
    let verdict = match issues.iter().map(|issue| issue.weight()).max() {
        None => Verdict::Reuse,
        Some(Weight::Data) => Verdict::Verify,
        Some(Weight::Person) => Verdict::Confirm,
        Some(Weight::Search) => Verdict::Search,
    };
    let bad = |one: &&Looked| one.standing.weight() == Some(Weight::Search);
    let mut missing: Vec<DataKind> = looked.iter().filter(bad).map(|one| one.kind).collect();
    missing.dedup();
    let (reasoning, reasoning_en) = reasons(verdict, &issues, &missing);
    Judgement {
        verdict,
        confidence: confidence(verdict, &issues, question),
        data_source: source(verdict, &looked, searches),
        missing_regions: looked.iter().filter(bad).filter_map(|one| one.region.clone()).collect(),
        kept: looked.iter().filter(|one| !bad(one)).filter_map(|one| one.kept(searches, now)).collect(),
        missing,
        issues,
        reasoning,
        reasoning_en,
    }
}

/// The places a question is about: its own, or those of the search it goes on from.
pub fn asked_regions(question: &Question, searches: &[Search]) -> Vec<Region> {
    let own = question.regions();
    let follows = !matches!(question.intent, Intent::ContractCreation | Intent::Unclear | Intent::Irrelevant);
    // What another conversation was about is meant only by who points there.
    let meant = |search: &&Search| search.tier == Tier::Conversation || question.reference.is_any();
    match searches.iter().find(meant) {
        Some(latest) if question.compares => {
            latest.regions.iter().filter(|region| !own.contains(region)).cloned().chain(own.clone()).collect()
        }
        // "도봉 말고 먼저 물어본 쪽": what is left without it.
        Some(latest) if own.is_empty() && follows => {
            let left_out = |region: &Region| {
                question.places.iter().any(|place| place.taken_back && place.region == *region)
            };
            latest.regions.iter().filter(|region| !left_out(region)).cloned().collect()
        }
        _ => own,
    }
}

/// The best there is of one kind, for one place where the kind has places.
struct Looked {
    kind: DataKind,
    region: Option<Region>,
    search: Option<usize>,
    standing: Standing,
}

impl Looked {
    fn kept(&self, searches: &[Search], now: Timestamp) -> Option<Kept> {
        let index = self.search?;
        let search = searches.get(index)?;
        let found = search.found(self.kind)?;
        Some(Kept {
            kind: self.kind,
            region: self.region.clone(),
            count: found.count,
            age: found.at.map(|at| now.duration_since(at).as_secs()),
            source: tier_source(search.tier),
            search: index,
        })
    }
}

fn look(
    question: &Question,
    searches: &[Search],
    talk: &Talk,
    asked: &[Region],
    kind: DataKind,
    now: Timestamp,
) -> Vec<Looked> {
    if kind == DataKind::Contract && question.brings_contract {
        return vec![Looked { kind, region: None, search: None, standing: Standing::default() }];
    }
    let places: Vec<Option<&Region>> = match kind {
        DataKind::Market | DataKind::Infrastructure if !asked.is_empty() => asked.iter().map(Some).collect(),
        _ => vec![None],
    };
    places.into_iter().map(|place| best(question, searches, talk, kind, place, now)).collect()
}

fn best(
    question: &Question,
    searches: &[Search],
    talk: &Talk,
    kind: DataKind,
    place: Option<&Region>,
    now: Timestamp,
) -> Looked {
    let region = place.cloned();
    let fitting = searches.iter().enumerate().filter_map(|(index, search)| {
        let found = search.found(kind)?;
        let mut standing = standing::of_data(found, now);
        let days = found.at.map(|at| now.duration_since(at).as_hours().div_euclid(24));
        let need = Need { question, place, talk, days };
        let compared = Dimension::of(kind).iter().filter_map(|by| need.compare(*by, search).issue(*by));
        let changed = talk.changed.contains(&kind).then_some(Issue::AsksLatest);
        for issue in compared.chain(standing::of_newness(question, kind)).chain(changed) {
            standing.add(issue);
        }
        if standing.issues.is_empty() {
            need.unaccounted(kind, search).into_iter().for_each(|issue| standing.add(issue));
        }
        Some((index, standing))
    });
    // The first of equals is the newest.
    match fitting.min_by_key(|(_, standing)| standing.weight()) {
        Some((index, standing)) => Looked { kind, region, search: Some(index), standing },
        None => {
            let issue = if searches.is_empty() { Issue::NoPrevious } else { Issue::MissingType };
            Looked { kind, region, search: None, standing: Standing::of(issue) }
        }
    }
}

/// Could "그거", "그 동네" or "지난번 그 시세" mean more than one thing?
fn is_ambiguous(question: &Question, searches: &[Search], spoken: &[Region]) -> bool {
    let reference = question.reference;
    let Some(latest) = searches.first() else { return false };
    if !question.regions().is_empty() {
        return false;
    }
    let mut places: Vec<&Region> = Vec::new();
    for region in searches.iter().flat_map(|search| &search.regions).chain(spoken) {
        if !places.contains(&region) {
            places.push(region);
        }
    }
    let several = places.len() > 1;
    let beyond_latest = places.iter().any(|place| !latest.regions.contains(place));
    let vague = reference.before && !reference.just_now && question.required.contains(&DataKind::Market);
    let another_talk = latest.tier != Tier::Conversation;
    one_of_several(question, latest)
        || reference.to_place && several
        || reference.pronoun && !reference.just_now && several
        || reference.to_result && !reference.just_now && beyond_latest && several
        || vague && (reference.to_place || reference.pronoun || reference.that || another_talk)
}

/// "그 매물", "그 대출", "그 시세" where several homes, kinds of loans or kinds of deals are held.
fn one_of_several(question: &Question, latest: &Search) -> bool {
    let reference = question.reference;
    let needs = |kind| question.required.contains(&kind);
    let points = (reference.that || reference.pronoun) && !reference.just_now && !reference.keep;
    let homes = latest.found(DataKind::Market).is_some_and(|found| found.count > 1);
    let deals = latest.terms.deals.len() > 1 && question.needed_deals.is_empty();
    let loans = names_several(&latest.query, question)
        || latest.terms.loans.len() > 1 && question.terms.loans.is_empty();
    needs(DataKind::Market) && reference.one && homes
        || needs(DataKind::Market) && points && deals
        || needs(DataKind::Loan) && points && loans
        || reference.pronoun && points && question.named.is_empty() && latest.kinds().len() > 1
}

/// "버팀목·신혼부부 대출": two were looked for by name, and the question neither names one nor speaks of both.
fn names_several(query: &str, question: &Question) -> bool {
    let Some(names) = two_loans(query) else { return false };
    let named = names.iter().any(|name| question.text.contains(name));
    !named && !question.picks && !question.reference.among
}

/// Two names that are joined and share the word of what is lent, or have one each. What is merely listed, an income
/// and a loan, is not two of them.
fn two_loans(query: &str) -> Option<[&str; 2]> {
    const LENT: &[&str] = &["대출", "론", "금리", "이자", "융자", "loan", "mortgage", "rate"];
    let lent = |word: &str| LENT.iter().any(|of| word.contains(of));
    let last = |text: &'_ str| text.trim_end().rsplit(' ').next().unwrap_or_default().len();
    let joints = [("·", false), ("/", false), (";", true), (",", true)];
    let joined = joints.iter().find_map(|(sign, listed)| {
        let (first, second) = query.split_once(sign)?;
        Some((first.trim_end(), second.trim_start(), *listed))
    });
    let and = || {
        AND.iter().find_map(|word| {
            let (first, second) = query.split_once(&format!("{word} "))?;
            Some((first.trim_end(), second.trim_start(), false))
        })
    };
    let (first, second, listed) = joined.or_else(and)?;
    let first_name = &first[first.len() - last(first)..];
    let mut behind = second.split(' ');
    let second_name = behind.next().unwrap_or_default();
    let sum = |name: &str| name.is_empty() || name.contains(|c: char| c.is_ascii_digit());
    // What follows the second name, or is grown onto it, is of both.
    let shared = lent(second_name) || behind.next().is_some_and(lent);
    let each = !listed || lent(first_name);
    (shared && each && !sum(first_name) && !sum(second_name)).then_some([first_name, second_name])
}

fn confidence(verdict: Verdict, issues: &[Issue], question: &Question) -> f32 {
    let further = issues.len().saturating_sub(1) as f32;
    match verdict {
        Verdict::Reuse if question.required.is_empty() => 1.0,
        Verdict::Reuse if question.reference.is_explicit() => 0.98,
        Verdict::Reuse => 0.95,
        Verdict::Verify => (0.85 - 0.05 * further).max(0.65),
        Verdict::Confirm => (0.75 - 0.05 * further).max(0.65),
        Verdict::Search if issues.contains(&Issue::NoPrevious) => 0.0,
        Verdict::Search => (0.4 - 0.1 * further).max(0.1),
    }
}

fn tier_source(tier: Tier) -> DataSource {
    match tier {
        Tier::Conversation => DataSource::ChatHistory,
        Tier::ShortTerm | Tier::MidTerm | Tier::LongTerm => DataSource::LongTermMemory,
    }
}

fn source(verdict: Verdict, looked: &[Looked], searches: &[Search]) -> DataSource {
    if verdict == Verdict::Search {
        return DataSource::None;
    }
    let tiers = looked.iter().filter_map(|one| one.search).filter_map(|index| searches.get(index));
    // The oldest place that something comes from says most about the whole.
    tiers.map(|search| search.tier).max().map_or(DataSource::None, tier_source)
}

fn reasons(verdict: Verdict, issues: &[Issue], missing: &[DataKind]) -> (String, String) {
    let (ko, en) = match verdict {
        Verdict::Reuse => {
            ("이전 대화의 데이터를 재사용합니다.", "The data of the conversation are used again.")
        }
        Verdict::Verify => ("이전 데이터를 확인한 뒤 씁니다.", "The earlier data are checked first."),
        Verdict::Confirm => {
            ("이전 대화의 데이터를 사용하시겠습니까?", "Shall the data of the conversation be used?")
        }
        Verdict::Search => ("새로 검색합니다.", "A new search is made."),
    };
    let words: Vec<(&str, &str)> = issues.iter().map(|issue| issue.words()).collect();
    let mut korean = ko.to_owned();
    let mut english = en.to_owned();
    if !words.is_empty() {
        let list: Vec<&str> = words.iter().map(|words| words.0).collect();
        korean = format!("{ko} {}.", list.join(", "));
        let list: Vec<&str> = words.iter().map(|words| words.1).collect();
        english = format!("{en} Because {}.", list.join("; "));
    }
    if !missing.is_empty() {
        let name = |kind: &DataKind| match kind {
            DataKind::Legal => ("법률", "law"),
            DataKind::Market => ("시세", "market"),
            DataKind::Loan => ("대출", "loans"),
            DataKind::Contract => ("계약서", "contract"),
            DataKind::Infrastructure => ("주변 시설", "what is nearby"),
        };
        let names: Vec<(&str, &str)> = missing.iter().map(name).collect();
        let list: Vec<&str> = names.iter().map(|name| name.0).collect();
        korean = format!("{korean} 찾을 것: {}.", list.join(", "));
        let list: Vec<&str> = names.iter().map(|name| name.1).collect();
        english = format!("{english} To find: {}.", list.join(", "));
    }
    (korean, english)
}

#[cfg(test)]
mod tests {
    use super::two_loans;

    #[test]
    fn two_loans_by_name_are_told_from_a_list_of_conditions() {
        assert_eq!(two_loans("디딤돌·보금자리 대출 금리"), Some(["디딤돌", "보금자리"]));
        assert_eq!(two_loans("청년 대출, 신혼 대출"), Some(["대출", "신혼"]));
        assert_eq!(two_loans("국민은행과 신한은행 전세대출"), Some(["국민은행", "신한은행"]));
        for one in
            ["연봉 6천, 전세대출 한도", "서울 마포구, 전세대출", "무주택; 전세대출 금리", "디딤돌 대출 금리"]
        {
            assert_eq!(two_loans(one), None, "{one}");
        }
    }
}
