//! Figures and places that a conversation has settled: what a follow-up need not say again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::{Advice, PastSearch};
use super::tools::{Calculation, Parameters, Report, Sort};
use super::understand::region::{PlaceMention, Region};
use super::understand::{Amount, DataKind, Intent, Question, Role, Terms};
use super::{turn, wanted};

/// So many questions later figures still count.
const TURNS: usize = 4;
/// So many places are compared.
const PLACES: usize = 4;

/// The figures of the latest calculation, and the turn it was made in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figures {
    pub asked: Parameters,
    pub turn: usize,
    /// What the question wanted, and the data it rested on.
    #[serde(default)]
    pub intent: Option<Intent>,
    #[serde(default)]
    pub required: Vec<DataKind>,
}

/// What a question goes on with.
pub(super) struct Carried {
    pub(super) calculations: Vec<Calculation>,
    pub(super) figures: Option<Parameters>,
    /// What was worked out before is worked out again, with other figures.
    pub(super) again: bool,
}

/// Words that point at a home, a sum or a condition that was spoken of, or that change one of its figures.
const POINTS: &[&str] = &[
    "그 집",
    "이 집",
    "그 가격",
    "이 가격",
    "그 한도",
    "그 금액",
    "그 돈",
    "그 조건",
    "같은 조건",
    "그 대출",
    "바꾸면",
    "바꿔서",
    "늘리면",
    "줄이면",
    "올리면",
    "내리면",
    "낮추면",
    "높이면",
    "with that",
    "at that",
    "instead",
    "what if",
];
/// Words that ask for the same with something changed: 금리가 5%면, 대출을 받으면. Endings and openings of an "if"; they
/// count only where nothing else is spoken of.
const SUPPOSES: &[&str] =
    &["면?", "면요?", "면 ", "what if", "and if", "if i ", "if we ", "instead", "what about", "how about"];
/// Words that ask how much.
const HOW_MUCH: &[&str] = &["얼마", "몇 ", "how much"];
/// Words that a question begins with which goes on from the one before.
const OPENERS: &[&str] =
    &["그럼", "그러면", "그렇다면", "그리고", "then ", "and ", "what about", "how about", "okay", "ok "];
/// Words that mean all places that were spoken of, without naming one.
const BOTH: &[&str] = &[
    "두 곳",
    "두곳",
    "두 지역",
    "두 동네",
    "두 구",
    "둘 다",
    "둘 중",
    "둘의",
    "양쪽",
    "both",
    "the two",
    "between them",
];
/// Words that add the place that is named to those.
const ADDS: &[&str] = &[
    "도 넣",
    "도 포함",
    "도 추가",
    "까지 넣",
    "까지 포함",
    "도 같이 비교",
    "도 함께 비교",
    "도 비교",
    "add ",
    "include ",
];

/// The calculations and figures of this question, with those of the one before where it goes on from it.
pub(super) fn figures(s: &Advice, question: &Question, own: Vec<Calculation>) -> Carried {
    let alone = |calculations| Carried { calculations, figures: None, again: false };
    let Some(last) = s.figures.as_ref().filter(|last| s.turn() <= last.turn + TURNS) else {
        return alone(own);
    };
    let text = question.text.to_lowercase();
    let points = POINTS.iter().any(|word| text.contains(word));
    let refers = question.reference.is_any() || question.reference.onward || points;
    let named: Vec<Region> = question.regions();
    let elsewhere = !named.is_empty() && named != last.asked.regions;
    // A limit of a search is no figure of a calculation.
    let says_sum =
        question.terms.amounts.iter().any(|amount| !amount.is_limit() && amount.role != Role::Budget);
    let changes = says_sum
        || wanted::percent(&text).is_some()
        || wanted::years(&text).is_some()
        || wanted::homes_after(&text).is_some();
    let elliptical = question.named.is_empty() && named.is_empty();
    // "금리가 5%면" after a loan speaks of nothing new, though it names it.
    let same = question.named.iter().all(|kind| field(&last.asked.calculations).contains(kind));
    let ending = format!("{} ", text.trim_end_matches(['?', '.', '!', ' ']));
    let supposes =
        named.is_empty() && same && SUPPOSES.iter().any(|word| text.contains(word) || ending.ends_with(word));
    // "그럼 얼마까지?" right after is about the same sum.
    let asks_again = named.is_empty()
        && same
        && s.turn() <= last.turn + 2
        && refers
        && HOW_MUCH.iter().any(|word| text.contains(word))
        && question.terms.subjects.iter().all(|subject| last.asked.subjects.contains(subject));
    // "그럼 용산구는?" right after: the same, worked out for another place.
    let by_place = |one: &Calculation| {
        matches!(one, Calculation::LoanLimit | Calculation::Returns | Calculation::AcquisitionTax)
    };
    let moved = elsewhere
        && refers
        && question.named.is_empty()
        && Terms { features: Vec::new(), ..question.terms.clone() } == Terms::default()
        && s.turn() <= last.turn + 1
        && last.asked.calculations.iter().any(by_place);
    let again = own.is_empty();
    let calculations = if !again {
        own
    } else if ((changes || question.calculates) && (refers || elliptical || supposes) || asks_again || moved)
        && !wanted::weighs(question)
    {
        last.asked.calculations.clone()
    } else {
        return alone(own);
    };
    let mut figures = last.asked.clone();
    figures.calculations.clear();
    // Prices that were found count more than one that was once said.
    let by_market = question.named.contains(&DataKind::Market) || question.reference.to_result && !points;
    if elsewhere || by_market {
        (figures.price, figures.deposit, figures.monthly_rent, figures.area) = (None, None, None, None);
    }
    if elsewhere && !refers {
        return alone(calculations);
    }
    // What was lent is paid back; it is no leverage of another calculation.
    if !calculations.contains(&Calculation::Repayment) {
        figures.loan = None;
    }
    let again = again && !calculations.is_empty();
    Carried { calculations, figures: Some(figures), again }
}

/// The kinds of data that such calculations speak of.
fn field(calculations: &[Calculation]) -> Vec<DataKind> {
    let mut kinds = Vec::new();
    for calculation in calculations {
        kinds.extend(match calculation {
            Calculation::LoanLimit | Calculation::Repayment => &[DataKind::Loan][..],
            Calculation::Returns => &[DataKind::Market, DataKind::Loan][..],
            Calculation::AcquisitionTax
            | Calculation::Brokerage
            | Calculation::Increase
            | Calculation::Conversion => &[DataKind::Legal][..],
        });
    }
    kinds
}

/// The conditions of a search: its own, and where the question only goes on, those of the search before.
pub(super) fn terms(s: &Advice, question: &Question) -> Terms {
    let own = question.terms.clone();
    let priced = |search: &&PastSearch| search.held().found(DataKind::Market).is_some();
    let before = s.previous_search_results.last().filter(priced);
    let (Some(before), true) = (before, question.required.contains(&DataKind::Market)) else { return own };
    let text = question.text.trim().to_lowercase();
    let opens = OPENERS.iter().any(|word| text.starts_with(word));
    let bare = question.named.is_empty() && own.properties.is_empty();
    if !(opens || bare) || question.takes_back {
        return own;
    }
    let mut carried = before.terms.clone();
    // A sum that was weighed is no condition; one that limits is.
    carried.amounts.retain(Amount::is_limit);
    (carried.groups, carried.loans, carried.subjects) = (Vec::new(), Vec::new(), Vec::new());
    // Homes of another kind have other sizes.
    if !own.properties.is_empty() && own.properties != carried.properties {
        carried.areas.clear();
    }
    // What is dear for a sale is nothing for a rent.
    if !own.deals.is_empty() && own.deals != carried.deals {
        carried.amounts.clear();
    }
    // 더 넓은 건?: the size that was said is no longer wanted.
    if matches!(turn::sort(&text), Some(Sort::Largest | Sort::Smallest)) {
        carried.areas.clear();
    }
    own.or(&carried)
}

/// What this question settled, for those that follow; none if it settled nothing.
pub(super) fn settled(s: &Advice) -> Option<Figures> {
    let question = s.question();
    let planning = &s.planning;
    let mut asked = wanted::parameters(&question, &planning.terms, &planning.calculations);
    if let Some(carried) = &planning.carried {
        fill(&mut asked, carried);
    }
    let limit = s.used.iter().flat_map(|used| &used.found.reports).find_map(|report| match report {
        Report::LoanLimit(view) => Some(view.limit.limit),
        _ => None,
    });
    let lent = asked.loan.or(limit);
    let asked = Parameters {
        regions: planning.regions.clone(),
        calculations: planning.calculations.clone(),
        price: asked.price,
        deposit: asked.deposit,
        monthly_rent: asked.monthly_rent,
        loan: lent,
        income: asked.income,
        rate: asked.rate,
        years: asked.years,
        area: asked.area,
        own_money: asked.own_money,
        debt: asked.debt,
        properties: asked.properties,
        loans: asked.loans,
        groups: asked.groups,
        subjects: asked.subjects,
        ..Parameters::default()
    };
    let (intent, required) = (planning.intent, planning.required.clone());
    (!asked.calculations.is_empty() || asked.loan.is_some() || !asked.loans.is_empty()).then(|| Figures {
        asked,
        turn: s.turn(),
        intent,
        required,
    })
}

/// What is not said is as it was.
pub(super) fn fill(asked: &mut Parameters, before: &Parameters) {
    asked.price = asked.price.or(before.price);
    asked.deposit = asked.deposit.or(before.deposit);
    asked.monthly_rent = asked.monthly_rent.or(before.monthly_rent);
    asked.loan = asked.loan.or(before.loan);
    asked.income = asked.income.or(before.income);
    asked.rate = asked.rate.or(before.rate);
    asked.years = asked.years.or(before.years);
    asked.area = asked.area.or(before.area);
    asked.own_money = asked.own_money.or(before.own_money);
    asked.debt = asked.debt.or(before.debt);
    if asked.properties.is_empty() {
        asked.properties = before.properties.clone();
    }
    if asked.loans.is_empty() {
        asked.loans = before.loans.clone();
    }
    if asked.groups.is_empty() {
        asked.groups = before.groups.clone();
    }
}

/// Has a question that speaks of "both places", or of one more, name all it means.
pub(super) fn places(s: &Advice, question: &mut Question) {
    let text = question.text.to_lowercase();
    let own = question.regions();
    let both = own.is_empty() && BOTH.iter().any(|word| text.contains(word));
    let adds = own.len() == 1 && ADDS.iter().any(|word| text.contains(word)) && wanted::weighs(question);
    if !both && !adds {
        return;
    }
    let most = if both { 2 } else { PLACES - 1 };
    let mut meant: Vec<Region> = Vec::new();
    for region in s.previous_search_results.iter().rev().flat_map(|search| &search.regions) {
        if meant.len() < most && !meant.contains(region) && !own.contains(region) {
            meant.push(region.clone());
        }
    }
    // In the order in which they were spoken of.
    for region in meant.into_iter().rev() {
        question.places.insert(0, PlaceMention::meant(region));
    }
}
