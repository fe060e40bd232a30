//! What a question wants worked out, and with which figures.

use std::sync::LazyLock;

use regex::Regex;

use super::tools::{Calculation, Parameters};
use super::understand::{
    Amount, Bound, DataKind, Deal, Intent, LoanKind, Property, Question, Role, Subject, Terms,
};

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static PERCENT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"([0-9]{1,2}(?:\.[0-9]{1,3})?)\s*(?:%|퍼센트|프로|percent)").unwrap());
#[allow(clippy::unwrap_used, reason = "see above")]
static YEARS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^0-9])([0-9]{1,2})\s*(?:년|years?)").unwrap());

/// A wish and the words that say it.
#[rustfmt::skip]
const WORDS: &[(Calculation, &[&str])] = &[
    (Calculation::Returns, &["수익률", "공실", "임대 수익", "임대수익", "투자 수익", "roi", "yield", "갭투자", "수익이", "현금 흐름", "현금흐름"]),
    (Calculation::LoanLimit, &["한도", "얼마까지", "얼마나 빌", "얼마 빌", "얼마나 대출", "대출 얼마", "ltv", "dsr", "dti", "how much can i borrow", "borrow"]),
    (Calculation::Repayment, &["월 상환", "월상환", "원리금", "상환액", "매달 얼마", "월 이자", "한 달에 얼마", "한달에 얼마", "이자가 얼마", "이자는 얼마", "월 얼마", "갚으면", "monthly payment", "per month", "a month", "repay"]),
    (Calculation::AcquisitionTax, &["취득세", "acquisition tax"]),
    (Calculation::Brokerage, &["중개보수", "중개수수료", "중개 수수료", "복비", "brokerage"]),
    (Calculation::Conversion, &["전환", "월세로 바꾸", "월세로 바꿔", "월세로 돌리", "월세로 돌려", "전세로 바꾸", "전세로 바꿔", "반전세", "convert"]),
];

/// Words that ask for a judgement rather than a look-up.
const WEIGHING: &[&str] = &[
    "적정",
    "비싼",
    "비싸",
    "싼가",
    "괜찮",
    "전망",
    "추이",
    "추세",
    "분석",
    "비교",
    "위험",
    "안전",
    "살까",
    "사도",
    "투자",
    "깡통",
    "평가",
    "오를",
    "떨어질",
    "should i",
    "worth",
    "compare",
    "trend",
    "analy",
    "risk",
    "safe",
    "fair",
];

/// Words that ask for homes rather than prices.
const LISTING: &[&str] =
    &["매물", "추천", "찾아줘", "찾아 줘", "골라", "살 만한", "listing", "recommend", "find me"];

/// The calculations that a question asks for. Loans and rents are looked up and worked out.
pub(super) fn calculations(question: &Question) -> Vec<Calculation> {
    let text = question.text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let mut found: Vec<Calculation> =
        WORDS.iter().filter(|(_, words)| says(words)).map(|(calculation, _)| *calculation).collect();
    let subject = |subject| question.terms.subjects.contains(&subject);
    let figures = !question.terms.amounts.is_empty();
    if subject(Subject::RentIncrease) && figures {
        found.push(Calculation::Increase);
    }
    if subject(Subject::Conversion) && figures && !found.contains(&Calculation::Conversion) {
        found.push(Calculation::Conversion);
    }
    // "상한", "전환율" speak of law unless there is something to work with.
    if !figures {
        found.retain(|calculation| *calculation != Calculation::Conversion);
    }
    // 한도 of something else than a loan.
    let lends = question.required.contains(&DataKind::Loan) || question.named.contains(&DataKind::Loan);
    let earns = question.terms.amounts.iter().any(|amount| amount.role == Role::Income);
    if !lends {
        found.retain(|calculation| !matches!(calculation, Calculation::LoanLimit | Calculation::Repayment));
    } else if earns && !found.contains(&Calculation::LoanLimit) {
        found.push(Calculation::LoanLimit);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Is something worked out from a price that the question does not say?
pub(super) fn needs_prices(question: &Question, calculations: &[Calculation]) -> bool {
    let from_price = |one: &Calculation| {
        matches!(one, Calculation::LoanLimit | Calculation::Returns | Calculation::AcquisitionTax)
    };
    let said = question.terms.amounts.iter().any(|amount| matches!(amount.role, Role::Price | Role::Unsaid));
    let leases = question.terms.loans.contains(&LoanKind::Jeonse);
    calculations.iter().any(from_price) && !said && !leases
}

/// Does it ask for a judgement?
pub(super) fn weighs(question: &Question) -> bool {
    let text = question.text.to_lowercase();
    WEIGHING.iter().any(|word| text.contains(word)) || question.picks && question.regions().len() > 1
}

/// Does it ask for homes?
pub(super) fn lists(question: &Question) -> bool {
    let text = question.text.to_lowercase();
    LISTING.iter().any(|word| text.contains(word))
        || question.terms.amounts.iter().any(|amount| amount.is_limit() && amount.role != Role::Income)
            && question.required == [DataKind::Market]
}

/// The conditions that a search runs with: what was said, and what is meant where nothing was.
pub(super) fn with_defaults(terms: &Terms, required: &[DataKind]) -> Terms {
    let mut terms = terms.clone();
    if required.contains(&DataKind::Market) && terms.properties.is_empty() {
        terms.properties = vec![Property::Apartment];
    }
    terms
}

/// What tools are asked with, by what the question says.
pub(super) fn parameters(question: &Question, terms: &Terms, calculations: &[Calculation]) -> Parameters {
    let mut asked = Parameters {
        query: question.text.chars().take(500).collect(),
        deals: terms.deals.clone(),
        properties: terms.properties.clone(),
        loans: terms.loans.clone(),
        groups: terms.groups.clone(),
        subjects: terms.subjects.clone(),
        calculations: calculations.to_vec(),
        area: terms.areas.first().map(|area| {
            // A size in pyeong counts shared space; its exclusive part is about three quarters.
            let metres = if area.in_pyeong { area.square_metres * 0.75 } else { area.square_metres };
            (metres * 10.0).round() / 10.0
        }),
        area_slack: terms.areas.first().filter(|area| area.band).map(|_| 0.25),
        rate: rate(&question.text),
        years: years(&question.text),
        vacancy: vacancy(&question.text),
        ..Parameters::default()
    };
    // Who buys borrows on the home.
    let buys = calculations.contains(&Calculation::LoanLimit) && !terms.deals.contains(&Deal::Jeonse);
    if asked.loans.is_empty() && buys {
        asked.loans = vec![LoanKind::Mortgage];
    }
    for amount in &terms.amounts {
        place(&mut asked, amount, question, calculations);
    }
    if calculations.contains(&Calculation::Conversion) {
        // 2억을 1억으로 줄이고: the smaller deposit is what stays.
        let sums = terms.amounts.iter().filter(|amount| !matches!(amount.role, Role::MonthlyRent | Role::Income));
        let mut sums: Vec<u64> = sums.map(|amount| amount.won).collect();
        sums.sort_unstable();
        if let ([keep, .., from], None) = (&sums[..], asked.monthly_rent) {
            (asked.deposit, asked.keep) = (Some(*from), Some(*keep));
        }
    }
    asked
}

fn place(asked: &mut Parameters, amount: &Amount, question: &Question, calculations: &[Calculation]) {
    let won = amount.won;
    let role = match amount.role {
        Role::Unsaid => unsaid(question, calculations),
        role => role,
    };
    match (role, amount.bound) {
        (Role::Income, _) => asked.income = Some(yearly(won, &question.text)),
        (Role::Loan, _) => asked.loan = Some(won),
        (Role::MonthlyRent, _) => asked.monthly_rent = Some(won),
        (Role::Budget, _) | (_, Bound::AtMost) => asked.most_price = Some(won),
        (_, Bound::AtLeast) => asked.least_price = Some(won),
        (_, Bound::Around) => {
            asked.least_price = Some(won);
            asked.most_price = Some(won.saturating_add(around(won)));
        }
        (Role::Deposit, Bound::Exact) => asked.deposit = Some(won),
        (Role::Price | Role::Unsaid, Bound::Exact) => asked.price = Some(won),
    }
}

/// What a bare sum most likely is.
fn unsaid(question: &Question, calculations: &[Calculation]) -> Role {
    let has = |calculation| calculations.contains(&calculation);
    let leases = question.terms.deals.iter().any(|deal| *deal != Deal::Sale)
        || question.intent == Intent::ContractCreation;
    if has(Calculation::Increase) || has(Calculation::Conversion) || leases && !has(Calculation::Returns) {
        Role::Deposit
    } else if has(Calculation::Repayment) && !has(Calculation::LoanLimit) {
        Role::Loan
    } else {
        Role::Price
    }
}

/// 5억대 ends at 6억, 5천만원대 at 6천만.
fn around(won: u64) -> u64 {
    10_u64.pow(won.max(1).ilog10())
}

/// A monthly income is a twelfth of a year's.
fn yearly(won: u64, text: &str) -> u64 {
    let monthly = ["월급", "월 소득", "월소득", "월수입", "월 수입", "per month", "a month"];
    if monthly.iter().any(|word| text.contains(word)) { won.saturating_mul(12) } else { won }
}

/// The first share of a text: 0.1 for 10%.
pub(super) fn percent(text: &str) -> Option<f64> {
    let percent: f64 = PERCENT.captures(text)?.get(1)?.as_str().parse().ok()?;
    (percent > 0.0 && percent < 100.0).then_some(percent / 100.0)
}

/// 공실이 10%면: how long a home stands empty.
fn vacancy(text: &str) -> Option<f64> {
    let lower = text.to_lowercase();
    let at = ["공실", "vacancy", "vacant"].iter().find_map(|word| lower.find(word))?;
    percent(&lower[at..])
}

/// 금리 4.2%, 4.2퍼센트: only beside a word for interest, for a share may be of anything.
fn rate(text: &str) -> Option<f64> {
    let about = ["금리", "이자", "연 ", "rate", "interest"];
    let lower = text.to_lowercase();
    if !about.iter().any(|word| lower.contains(word)) {
        return None;
    }
    percent(&lower).filter(|rate| *rate < 0.3)
}

/// 30년, 30 years: how long, not when.
pub(super) fn years(text: &str) -> Option<u32> {
    let lower = text.to_lowercase();
    let years: u32 = YEARS.captures(&lower)?.get(1)?.as_str().parse().ok()?;
    (1..=50).contains(&years).then_some(years)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::{Context, understand};

    fn asked(text: &str) -> (Vec<Calculation>, Parameters) {
        let question = understand(text, &Context::default());
        let calculations = calculations(&question);
        let parameters = parameters(&question, &question.terms, &calculations);
        (calculations, parameters)
    }

    #[test]
    fn calculations_and_their_figures_are_read() {
        let (wanted, with) =
            asked("연봉 6천만원인데 8억 아파트 사려면 대출 한도가 얼마나 되나요? 금리 4.2% 30년");
        assert_eq!(wanted, [Calculation::LoanLimit]);
        assert_eq!((with.income, with.price), (Some(60_000_000), Some(800_000_000)));
        assert_eq!((with.rate, with.years), (Some(0.042), Some(30)));
        let (wanted, with) = asked("전세금 3억인데 얼마까지 인상할 수 있나요");
        assert_eq!((wanted, with.deposit), (vec![Calculation::Increase], Some(300_000_000)));
        let (wanted, with) = asked("7억 아파트 취득세와 복비는 얼마야?");
        assert_eq!(wanted, [Calculation::AcquisitionTax, Calculation::Brokerage]);
        assert_eq!(with.price, Some(700_000_000));
        assert_eq!(asked("전월세 전환율 알려줘").0, []);
        assert_eq!(asked("강남구 5억대 아파트 매물").1.most_price, Some(600_000_000));
    }
}
