//! Figures and places that a conversation has settled: what a follow-up need not say again.

use super::ledger::{Ledger, Source, Value, What};
use super::state::{Advice, PastSearch};
use super::sums::{self, Sum};
use super::tools::embedded::is_asked;
use super::tools::{Calculation, Parameters, Report, Sort};
use super::understand::region::{PlaceMention, Region};
use super::understand::{Amount, DataKind, Person, Property, Question, Role, Subject, Terms, Unit};
use super::{restated, turn, wanted};

/// So many questions later what was worked out may be worked out again with other figures.
const TURNS: usize = 6;
/// So many places are compared.
const PLACES: usize = 4;

/// What a question goes on with.
pub(super) struct Carried {
    pub(super) calculations: Vec<Calculation>,
    pub(super) sums: Vec<Sum>,
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
/// Words that take something back and say it otherwise.
const CORRECTS: &[&str] = &[
    "아니 ",
    "아니,",
    "아니고",
    "아니라",
    "아냐",
    "아니야",
    "말고",
    "잘못",
    "실수",
    "redo",
    "again",
    "다시",
    "오타",
    "정정",
    "고쳐",
    "깜빡",
    "빼먹",
    "반영",
    "바뀌",
    "바꼈",
    "얹어",
    "더해서",
    "포함해",
    "돌아가면",
    "take that off",
    "add that",
    "include",
    "scratch that",
    "바꿔",
    "바꾸",
    "수정",
    "make it",
    "i meant",
    "i mean",
    "sorry",
    "actually",
    "not ",
    "correction",
    "wrong",
];
/// Words of who borrows without anybody else.
const ALONE: &[&str] = &["혼자", "나만", "저만", "단독으로", "alone", "just me", "only my", "my own salary"];
/// Words that say how a loan is paid back, other than by interest alone.
const LEVEL: &[&str] = &["원리금", "원금균등", "level", "equal", "instal", "principal"];
/// Words that ask for the same once more.
const AGAIN: &[&str] = &["다시", "둘다", "둘 다", "고쳐", "again", "redo", "both"];
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

/// The calculations and figures of this question, with those of the ledger where it goes on from them.
pub(super) fn figures(s: &Advice, question: &Question, own: Vec<Calculation>) -> Carried {
    let last = &s.ledger;
    let said = heard(s, question, &own);
    let mut sums = sums::wanted(&question.text, &said, &all(s, question, &said));
    if wanted::defines(question) || question.brings_contract {
        sums.clear();
    }
    if last.entries.is_empty() {
        let calculations = with_loan(question, last, own);
        return Carried { calculations, sums, figures: None, again: false };
    }
    let before = last.parameters();
    let text = question.text.to_lowercase();
    let points = POINTS.iter().any(|word| text.contains(word));
    let refers = question.reference.is_any() || question.reference.onward || points;
    let mut calculations = with_what_is_known(own, &said, &sums, last, &text);
    let nothing = calculations.is_empty() && sums.is_empty();
    // "월 납입액이랑 dsr 둘 다 다시": what is named, and what was worked out before.
    let redone = !nothing && AGAIN.iter().any(|word| text.contains(word)) && replaces(question, last);
    // A question about the law is none about the sum before it.
    let shop = of_shop(s, question);
    let law = is_asked(&question.text, shop) && !replaces(question, last) && wanted::percent(&text).is_none();
    let again = (nothing || redone) && !(law && nothing) && works_again(s, question, &before, refers);
    if again {
        calculations.extend(
            last.calculations.iter().filter(|one| !calculations.contains(one)).copied().collect::<Vec<_>>(),
        );
        calculations.sort_unstable();
        sums.extend(last.sums.iter().filter(|one| !sums.contains(one)).copied().collect::<Vec<_>>());
    }
    let again = again && nothing;
    let calculations = with_loan(question, last, calculations);
    let kept = still_holds(s, question, &calculations, points);
    let figures =
        (!calculations.is_empty()).then(|| Parameters { calculations: Vec::new(), ..kept.parameters() });
    let again = again && (!calculations.is_empty() || !sums.is_empty());
    Carried { calculations, sums, figures, again }
}

/// What a question asks for, given what was worked out before it.
fn with_what_is_known(
    mut own: Vec<Calculation>,
    said: &Parameters,
    sums: &[Sum],
    last: &Ledger,
    text: &str,
) -> Vec<Calculation> {
    // 배우자 소득도 합치면: an income alone asks for what was reckoned with the one before.
    if own == [Calculation::LoanLimit]
        && sums.is_empty()
        && !last.sums.is_empty()
        && said.price.is_none()
        && !LIMIT.iter().any(|word| text.contains(word))
    {
        own.clear();
    }
    // 다음번에 올린다면 얼마까지: of what is known to be paid.
    let before = last.parameters();
    let paid = before.monthly_rent.is_some() || before.deposit.is_some();
    if own.is_empty() && sums.is_empty() && paid && wanted::asks_increase(text) {
        own.push(Calculation::Increase);
    }
    own
}

/// The ledger without what no longer holds for this question.
fn still_holds(s: &Advice, question: &Question, calculations: &[Calculation], points: bool) -> Ledger {
    let mut kept = s.ledger.clone();
    let before = kept.parameters();
    let text = question.text.to_lowercase();
    let named: Vec<Region> = question.regions();
    // Prices that were found count more than one that was once said.
    let found = s
        .previous_search_results
        .last()
        .is_some_and(|search| search.held().found(DataKind::Market).is_some());
    let prices =
        ["시세", "시가", "실거래", "매물", "price", "going rate"].iter().any(|word| text.contains(word));
    let by_market =
        question.named.contains(&DataKind::Market) && prices && !points && (found || !named.is_empty())
            || question.reference.to_result && !points && found;
    if by_market {
        for what in [What::Price, What::Deposit, What::MonthlyRent, What::Area] {
            kept.remove(what);
        }
    }
    // Another home; who borrows and what they earn stays.
    let refers = question.reference.is_any() || question.reference.onward || points;
    let elsewhere = !named.is_empty() && named != before.regions;
    let corrects = CORRECTS.iter().any(|word| text.contains(word));
    if elsewhere && !corrects || another_home(question, &before, refers || corrects) {
        kept.leave_home();
    }
    // What a home was sold for matters where it is taxed, and nowhere else.
    if !calculations.contains(&Calculation::CapitalGains) {
        kept.remove(What::Resale);
    }
    // What was lent is paid back; it is no leverage of another calculation.
    if !calculations.contains(&Calculation::Repayment) {
        kept.remove(What::Loan);
    }
    kept
}

/// Words that ask how much may be borrowed.
const LIMIT: &[&str] = &[
    "한도",
    "얼마까지",
    "얼마나 빌",
    "얼마 빌",
    "살 수 있",
    "얼마나 나",
    "borrow",
    "afford",
    "the most",
    "highest",
];

/// Where it is known what somebody means to borrow, LTV and DSR are asked of that, and not what might be borrowed.
fn with_loan(question: &Question, ledger: &Ledger, mut calculations: Vec<Calculation>) -> Vec<Calculation> {
    let text = question.text.to_lowercase();
    let owed = question.terms.amounts.iter().any(|amount| amount.role == Role::Loan);
    let known = owed || ledger.said(What::Loan);
    if known
        && calculations.contains(&Calculation::LoanLimit)
        && !LIMIT.iter().any(|word| text.contains(word))
    {
        calculations.retain(|one| *one != Calculation::LoanLimit);
        if !calculations.contains(&Calculation::Repayment) {
            calculations.push(Calculation::Repayment);
        }
        calculations.sort_unstable();
    }
    calculations
}

/// A question that says itself which home it is about: its kind, and its price or its deposit.
fn another_home(question: &Question, before: &Parameters, goes_on: bool) -> bool {
    let sum = |role| question.terms.amounts.iter().any(|amount: &Amount| amount.role == role);
    let homes = !question.terms.properties.is_empty() && question.terms.properties != before.properties;
    !goes_on && homes && (sum(Role::Price) || sum(Role::Deposit) || sum(Role::Unsaid))
}

/// Does a question that asks for no calculation change a figure of the last one?
fn works_again(s: &Advice, question: &Question, before: &Parameters, refers: bool) -> bool {
    let last = &s.ledger;
    if last.calculations.is_empty() && last.sums.is_empty() || s.turn() > last.turn + TURNS {
        return false;
    }
    let text = question.text.to_lowercase();
    let named: Vec<Region> = question.regions();
    // A limit of a search is no figure of a calculation.
    let says_sum =
        question.terms.amounts.iter().any(|amount| !amount.is_limit() && amount.role != Role::Budget);
    let changes = says_sum
        || wanted::percent(&text).is_some()
        || wanted::years(&text).is_some()
        || !duru_language::figure::terms(&text).is_empty()
        || wanted::homes_after(&text).is_some()
        || wanted::regulated(&text).is_some();
    let elliptical = question.named.is_empty() && named.is_empty();
    // "금리가 5%면" after a loan speaks of nothing new, though it names it.
    let same =
        !last.sums.is_empty() || question.named.iter().all(|kind| field(&last.calculations).contains(kind));
    let ending = format!("{} ", text.trim_end_matches(['?', '.', '!', ' ']));
    let supposes =
        named.is_empty() && same && SUPPOSES.iter().any(|word| text.contains(word) || ending.ends_with(word));
    let corrects = same && CORRECTS.iter().any(|word| text.contains(word));
    // "그럼 얼마까지?" right after is about the same sum.
    let asks_again = named.is_empty()
        && same
        && s.turn() <= last.turn + 2
        && refers
        && HOW_MUCH.iter().any(|word| text.contains(word))
        && question.terms.subjects.iter().all(|subject| before.subjects.contains(subject));
    // "그럼 용산구는?" right after: the same, worked out for another place.
    let by_place = |one: &Calculation| {
        matches!(
            one,
            Calculation::LoanLimit
                | Calculation::Returns
                | Calculation::AcquisitionTax
                | Calculation::CapitalGains
                | Calculation::Registration
        )
    };
    let moved = !named.is_empty()
        && named != before.regions
        && (refers || corrects)
        && question.named.is_empty()
        && Terms { features: Vec::new(), ..question.terms.clone() } == Terms::default()
        && s.turn() <= last.turn + 1
        && last.calculations.iter().any(by_place);
    // What takes the place of an entry changes whatever rests on it, however it is put.
    if replaces(question, last) && !question.brings_contract {
        return true;
    }
    ((changes || question.calculates) && (refers || elliptical || supposes || corrects)
        || asks_again
        || moved)
        && !wanted::weighs(question)
}

/// Does a question say something of an entry otherwise?
fn replaces(question: &Question, ledger: &Ledger) -> bool {
    let instead = |amount: &Amount| amount.instead_of.is_some_and(|won| ledger.holds(won));
    question.terms.amounts.iter().any(instead)
        || wanted::regulated(&question.text).is_some()
            && ledger.calculations.contains(&Calculation::AcquisitionTax)
        || restated::restate(&question.text, ledger, &mut Parameters::default())
}

/// What a bare sum is that takes the place of one that was said, by the ledger; where what was worked out is worked out
/// again with it, the one that it comes nearest to.
pub(super) fn corrected(s: &Advice, text: &str, again: bool, terms: &mut Terms) {
    let mut restated = Parameters::default();
    restated::restate(text, &s.ledger, &mut restated);
    let lower = text.to_lowercase();
    let once_more = AGAIN.iter().any(|word| lower.contains(word));
    let mut meant = Ledger::default();
    meant.enter(&restated, Source::Said, 0, "");
    for amount in terms.amounts.iter_mut().filter(|amount| amount.role == Role::Unsaid) {
        let role = amount
            .instead_of
            .and_then(|won| s.ledger.role_of(won))
            .or_else(|| meant.role_of(amount.won))
            .or_else(|| s.ledger.nearest(amount.won).filter(|_| again || once_more));
        if let Some(role) = role {
            amount.role = role;
        }
    }
}

/// The kinds of data that such calculations speak of.
fn field(calculations: &[Calculation]) -> Vec<DataKind> {
    let mut kinds = Vec::new();
    for calculation in calculations {
        kinds.extend(match calculation {
            Calculation::LoanLimit | Calculation::Repayment => &[DataKind::Loan][..],
            Calculation::Returns => &[DataKind::Market, DataKind::Loan][..],
            _ => &[DataKind::Legal][..],
        });
    }
    kinds
}

/// The conditions of a search: its own, and where the question only goes on, those of the search before.
pub(super) fn terms(s: &Advice, question: &Question) -> Terms {
    let mut own = question.terms.clone();
    let before = s.previous_search_results.last();
    // 그럼 서초구는?: what was looked for around the place before.
    if let (Some(before), true) = (before, question.required.contains(&DataKind::Infrastructure))
        && own.facilities.is_empty()
    {
        own.facilities.clone_from(&before.terms.facilities);
        own.measures.extend(before.terms.measures.iter().filter(|one| one.unit == Unit::Metres).cloned());
    }
    let priced = |search: &&PastSearch| search.held().found(DataKind::Market).is_some();
    let before = before.filter(priced);
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

/// The ledger with what this question said and worked out.
pub(super) fn settled(s: &Advice) -> Ledger {
    let question = s.question();
    let planning = &s.planning;
    let mut said = said(s, &question);
    said.regions = question.regions();
    // How much a rent is to rise is no rate of a loan.
    if planning.calculations.iter().any(|one| matches!(one, Calculation::Increase | Calculation::Conversion))
    {
        said.rate = None;
    }
    // What was only meant is not said.
    said.properties = question.terms.properties.clone();
    let mut ledger = s.ledger.clone();
    let text = question.text.to_lowercase();
    let corrects = CORRECTS.iter().any(|word| text.contains(word));
    let before = ledger.parameters();
    let elsewhere = !said.regions.is_empty() && !before.regions.is_empty() && said.regions != before.regions;
    let goes_on = question.reference.is_any() || question.reference.onward || corrects;
    if elsewhere && !corrects || another_home(&question, &before, goes_on) {
        ledger.leave_home();
    }
    ledger.enter(&said, Source::Said, s.turn(), &s.now);
    let limit = s.used.iter().flat_map(|used| &used.found.reports).find_map(|report| match report {
        Report::LoanLimit(view) => Some(view.limit.limit),
        _ => None,
    });
    // The rent that a deposit came to is the rent from then on.
    let rent = s.used.iter().flat_map(|used| &used.found.reports).find_map(|report| match report {
        Report::Conversion(view) if view.paid.is_some() => Some(view.cost.monthly_rent),
        _ => None,
    });
    if said.monthly_rent.is_none() && rent.is_some() {
        let found = Parameters { monthly_rent: rent, ..Parameters::default() };
        ledger.enter(&found, Source::WorkedOut, s.turn(), &s.now);
    }
    // What somebody means to borrow is not what they may.
    let meant = ledger.said(What::Loan) || ledger.said(What::SaidLtv);
    if said.loan.is_none() && limit.is_some() && !meant {
        let found = Parameters { loan: limit, ..Parameters::default() };
        ledger.enter(&found, Source::WorkedOut, s.turn(), &s.now);
    }
    // A share of a price and a sum are two ways to say what is lent.
    if said.said_ltv.is_some() {
        ledger.remove(What::Loan);
    } else if said.loan.is_some() {
        ledger.remove(What::SaidLtv);
    }
    // As are a share and a sum of what is paid first.
    if said.paid_down.is_some() {
        ledger.remove(What::DownShare);
    } else if said.down_share.is_some() {
        ledger.remove(What::PaidDown);
    }
    if said.drops_tax {
        ledger.remove(What::TaxShare);
    }
    if said.interest_only {
        ledger.interest_only = true;
    } else if LEVEL.iter().any(|word| text.contains(word)) {
        ledger.interest_only = false;
    }
    if !planning.calculations.is_empty() || !planning.sums.is_empty() {
        ledger.calculations = planning.calculations.clone();
        ledger.sums = planning.sums.clone();
        (ledger.intent, ledger.required) = (planning.intent, planning.required.clone());
        ledger.turn = s.turn();
    }
    ledger
}

/// All that a question says, read with the ledger: bare numbers, and incomes that come together.
pub(super) fn said(s: &Advice, question: &Question) -> Parameters {
    let planning = &s.planning;
    let question = Question { terms: planning.terms.clone(), ..question.clone() };
    heard(s, &question, &planning.calculations)
}

/// The same before anything is planned.
pub(super) fn heard(s: &Advice, question: &Question, calculations: &[Calculation]) -> Parameters {
    let mut terms = question.terms.clone();
    // "2억 말고 1억으로": what takes the place of an entry is what that entry is.
    let mut instead: Vec<(What, u64)> = Vec::new();
    terms.amounts.retain(|amount| {
        let of = amount.instead_of.and_then(|won| s.ledger.what_of(won));
        instead.extend(of.map(|what| (what, amount.won)));
        of.is_none()
    });
    let mut asked = wanted::parameters(question, &terms, calculations);
    for (what, won) in instead {
        what.set(&mut asked, &Value::Won(won));
    }
    if !s.ledger.entries.is_empty() {
        restated::restate(&question.text, &s.ledger, &mut asked);
    }
    let text = question.text.to_lowercase();
    // 아파트랑 같나요: what something is compared with is not what is meant.
    let compared = ["랑 같", "와 같", "과 같", "하고 같", "랑 달", "와 달", "same as"]
        .iter()
        .any(|word| text.contains(word));
    if compared && !s.ledger.parameters().properties.is_empty() {
        asked.properties.clear();
    }
    // 와이프가 갚는 대출: is theirs.
    let partner = |person: &Person| matches!(person, Person::Husband | Person::Wife | Person::Spouse);
    if question.terms.people.iter().any(partner) {
        asked.partner_repayments = asked.other_repayments;
    }
    // 배우자 소득도 합치면: what was said before, and this.
    let adds = ["합치", "합하", "더하면", "합쳐", "합산", "together", "combined", "add"];
    let before = s.ledger.parameters().income;
    if let (Some(own), Some(before)) = (asked.income, before)
        && adds.iter().any(|word| text.contains(word))
        && question.terms.people.iter().any(|person| !matches!(person, Person::Myself | Person::Couple))
    {
        asked.income = Some(before.saturating_add(own));
    }
    asked
}

/// What a question says and what is known beside it.
pub(super) fn all(s: &Advice, question: &Question, said: &Parameters) -> Parameters {
    let mut all = said.clone();
    let before = s.ledger.parameters();
    if question.regions().is_empty() || before.regions.is_empty() || question.regions() == before.regions {
        fill(&mut all, &before);
    }
    // 저 혼자: without what somebody else owes.
    if ALONE.iter().any(|word| question.text.to_lowercase().contains(word)) {
        let own = all.other_repayments.unwrap_or(0).saturating_sub(all.partner_repayments.unwrap_or(0));
        all.other_repayments = Some(own);
    }
    // Interest alone stays what is paid until somebody says otherwise.
    let lower = question.text.to_lowercase();
    all.interest_only |=
        s.ledger.interest_only && !new_loan(question) && !LEVEL.iter().any(|word| lower.contains(word));
    // What is lent as a share of the price is known once the price is.
    if let (Some(share), Some(price), None) = (all.said_ltv, all.price, said.loan) {
        all.loan = Some((price as f64 * share).round() as u64);
    }
    if said.paid_down.is_some() {
        all.down_share = said.down_share;
    } else if said.down_share.is_some() {
        all.paid_down = None;
    }
    if said.drops_tax {
        all.tax_share = None;
    }
    all
}

/// Is another loan spoken of than the one before?
pub(super) fn new_loan(question: &Question) -> bool {
    question.terms.amounts.iter().any(|amount| amount.role == Role::Loan && amount.instead_of.is_none())
}

/// Is a shop spoken of: here, or before where nothing says otherwise?
pub(super) fn of_shop(s: &Advice, question: &Question) -> bool {
    if !question.terms.properties.is_empty() {
        return question.terms.properties.contains(&Property::Shop);
    }
    let text = question.text.to_lowercase();
    let home = ["집 얘기", "전세", "아파트", "빌라", "my flat", "my home", "jeonse"];
    question.terms.subjects.contains(&Subject::Shop)
        || s.ledger.parameters().properties.contains(&Property::Shop)
            && !home.iter().any(|word| text.contains(word))
}

/// A fee is of one contract: of a lease where only a deposit is said, of a sale where only a price is.
pub(super) fn one_contract(asked: &mut Parameters, said: &Parameters) {
    if !asked.calculations.contains(&Calculation::Brokerage)
        || asked.calculations.contains(&Calculation::Returns)
    {
        return;
    }
    if said.deposit.is_some() && said.price.is_none() && said.resale.is_none() {
        (asked.price, asked.resale) = (None, None);
    } else if said.price.is_some() && said.deposit.is_none() && said.monthly_rent.is_none() {
        (asked.deposit, asked.monthly_rent) = (None, None);
    }
}

/// What is not said is as it was.
pub(super) fn fill(asked: &mut Parameters, before: &Parameters) {
    What::fill(asked, before);
    asked.area = asked.area.or(before.area);
    if let (Some(share), Some(price), None) = (asked.said_ltv, asked.price, asked.loan) {
        asked.loan = Some((price as f64 * share).round() as u64);
    }
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
    // 노원 말고 광진: of two that were compared, the other stays.
    let given_up: Vec<Region> =
        question.places.iter().filter(|place| place.taken_back).map(|place| place.region.clone()).collect();
    let compared = s.previous_search_results.last().filter(|search| search.regions.len() > 1);
    if let (Some(compared), [_], false) = (compared, &own[..], given_up.is_empty()) {
        let stays =
            compared.regions.iter().filter(|region| !given_up.contains(region) && !own.contains(region));
        for region in stays.take(PLACES - 1).cloned().collect::<Vec<_>>().into_iter().rev() {
            question.places.insert(0, PlaceMention::meant(region));
        }
        return;
    }
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
