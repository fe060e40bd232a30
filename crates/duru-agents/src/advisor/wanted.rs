//! What a question wants worked out, and with which figures.

use super::tools::{Calculation, Parameters};
use super::understand::{
    Amount, Bound, DataKind, Deal, Intent, LoanKind, Property, Question, Role, Subject, Terms,
};

/// A wish and the words that say it.
#[rustfmt::skip]
const WORDS: &[(Calculation, &[&str])] = &[
    (Calculation::Returns, &["수익률", "임대 수익", "임대수익", "투자 수익", "roi", "yield", "갭투자", "수익이", "현금 흐름", "현금흐름"]),
    (Calculation::LoanLimit, &["한도", "얼마까지", "얼마나 빌", "얼마 빌", "얼마나 대출", "대출 얼마", "ltv", "dsr", "dti", "how much can i borrow", "borrow"]),
    (Calculation::Repayment, &["월 상환", "월상환", "원리금", "상환액", "매달 얼마", "월 이자", "monthly payment", "repay"]),
    (Calculation::AcquisitionTax, &["취득세", "acquisition tax"]),
    (Calculation::Brokerage, &["중개보수", "중개수수료", "중개 수수료", "복비", "brokerage"]),
    (Calculation::Conversion, &["전환", "월세로 바꾸", "월세로 돌리", "전세로 바꾸", "convert"]),
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

/// 금리 4.2%, 4.2퍼센트: only beside a word for interest, for a share may be of anything.
fn rate(text: &str) -> Option<f64> {
    let about = ["금리", "이자", "연 ", "rate", "interest"];
    let lower = text.to_lowercase();
    if !about.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let form = regex::Regex::new(r"([0-9]{1,2}(?:\.[0-9]{1,3})?)\s*(?:%|퍼센트|프로|percent)").ok()?;
    let percent: f64 = form.captures(&lower)?.get(1)?.as_str().parse().ok()?;
    (percent > 0.0 && percent < 30.0).then_some(percent / 100.0)
}

/// 30년, 30 years: how long, not when.
fn years(text: &str) -> Option<u32> {
    let form = regex::Regex::new(r"(?:^|[^0-9])([0-9]{1,2})\s*(?:년|years?)").ok()?;
    let lower = text.to_lowercase();
    let years: u32 = form.captures(&lower)?.get(1)?.as_str().parse().ok()?;
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
