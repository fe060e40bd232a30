//! Plain arithmetic of amounts that are only named: what they come to, what is left, what is lacking. The amounts stay with
//! their names, so that one of them can be said again.

mod read;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::answer::money;
use super::lang::Lang;
use super::ledger::Ledger;
use super::restated;
use super::tools::{Constants, Contracted, Estate, Parameters, brokerage_fee, monthly_payment};

/// One amount and its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    pub label: String,
    pub won: u64,
    /// It is had or earned, not paid.
    pub adds: bool,
}

/// What is asked of the amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    Total,
    Left,
    /// What has to be borrowed for the rest.
    Loan,
    /// What is lacking of a price or a deposit.
    Lacking,
    /// How many months it takes to save up to a sum.
    Months(u64),
}

/// Amounts that were named, and what is asked of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    pub lines: Vec<Line>,
    pub asks: Asks,
}

const TOTAL: &[&str] = &[
    "합치면",
    "합하면",
    "더하면",
    "다 합",
    "다합",
    "모두 합",
    "전부 합",
    "총합",
    "합계",
    "add up",
    "add it up",
    "in total",
    "altogether",
    "sum of",
    "total of",
    "all in all",
    "comes to in all",
];
const LEFT: &[&str] = &[
    "얼마 남",
    "얼마남",
    "남는 돈",
    "남는돈",
    "남나",
    "남지",
    "남아",
    "얼마 모",
    "얼마모",
    "모을 수",
    "모아요",
    "left over",
    "what's left",
    "whats left",
    "is left",
    "am i left",
    "are we left",
    "remains",
    "left after",
    "how much left",
];
const LOAN: &[&str] = &[
    "how big a loan",
    "how much of a loan",
    "how large a loan",
    "how much loan",
    "need to borrow",
    "have to borrow",
    "얼마나 빌려야",
    "얼마 빌려야",
    "대출 얼마나 받아야",
    "대출을 얼마나 받아야",
    "대출이 얼마나 필요",
    "대출 얼마나 필요",
];
const LACKING: &[&str] = &[
    "더 보태",
    "보태야",
    "모자라",
    "얼마 부족",
    "얼마가 부족",
    "얼마나 부족",
    "더 필요",
    "top up",
    "short by",
    "how much short",
    "how much more do",
    "how much more money",
];
/// A share of something is no sum of amounts.
const SHARE: &[&str] =
    &["몇 프로", "몇프로", "몇 퍼", "몇퍼", "몇 %", "몇%", "비율", "percent", "ratio", "what share"];
const MONTHS: &[&str] = &["how many months", "how long", "몇 달", "몇달", "몇 개월", "몇개월"];
/// What a home costs, by its name.
const HOME: &[&str] =
    &["flat", "home", "house", "apartment", "place", "price", "집", "아파트", "빌라", "전세", "매매"];

impl Tally {
    /// What it comes to; below zero where more is paid than had.
    pub(super) fn result(&self) -> i64 {
        let of = |adds: bool| -> i64 {
            let own = self.lines.iter().filter(|line| line.adds == adds);
            own.map(|line| i64::try_from(line.won).unwrap_or(i64::MAX)).sum()
        };
        match self.asks {
            Asks::Total => of(true) + of(false),
            _ => of(true) - of(false),
        }
    }

    /// What has to be borrowed, where that is what was asked.
    pub(super) fn loan(&self) -> Option<u64> {
        (self.asks == Asks::Loan).then(|| u64::try_from(self.result()).ok()).flatten()
    }
}

/// What a question asks of the amounts that it names, or of those named before.
pub(super) fn asked(text: &str, ledger: &Ledger, all: &Parameters, constants: &Constants) -> Option<Tally> {
    let text = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(SHARE) {
        return None;
    }
    let (known, taken) = corrected(&text, ledger.tally.as_ref());
    let asks = if says(LOAN) {
        Some(Asks::Loan)
    } else if says(LACKING) {
        Some(Asks::Lacking)
    } else if says(LEFT) {
        Some(Asks::Left)
    } else if says(TOTAL) || text.matches(" + ").count() > 1 {
        Some(Asks::Total)
    } else {
        None
    };
    let mut lines = read::lines(&text);
    lines.retain(|line| !taken.contains(&line.won));
    if let (true, Some(known), [.., goal]) = (says(MONTHS), &known, &lines[..])
        && known.asks == Asks::Left
    {
        return Some(Tally { asks: Asks::Months(goal.won), ..known.clone() });
    }
    // What was lent before counts where a question says nothing of a loan itself.
    let all = Parameters { loan: ledger.parameters().loan.or(all.loan), ..all.clone() };
    let fresh = asks.and_then(|asks| fresh(&text, asks, lines, known.as_ref(), &all, constants));
    fresh.or_else(|| known.filter(|_| !taken.is_empty()))
}

/// The amounts that a question names itself, with what it points at; none where there is nothing to reckon.
fn fresh(
    text: &str,
    asks: Asks,
    mut lines: Vec<Line>,
    known: Option<&Tally>,
    all: &Parameters,
    constants: &Constants,
) -> Option<Tally> {
    let named = lines.len();
    lines.extend(pointed(text, asks, known, all, constants));
    match asks {
        Asks::Total => {
            for line in &mut lines {
                line.adds = true;
            }
            (named >= 2 && lines.len() >= 3).then_some(Tally { lines, asks })
        }
        Asks::Left => {
            if !lines.iter().any(|line| line.adds) {
                lines.insert(0, sold(all).filter(|_| !lines.is_empty())?);
            }
            let pays = lines.iter().any(|line| !line.adds);
            (pays && lines.iter().any(|line| line.adds)).then_some(Tally { lines, asks })
        }
        Asks::Loan => {
            let home = lines.iter().position(|line| HOME.iter().any(|word| line.label.contains(word)));
            let home = home.filter(|_| lines.len() >= 2)?;
            for (at, line) in lines.iter_mut().enumerate() {
                line.adds = at == home;
            }
            let tally = Tally { lines, asks };
            (tally.result() > 0).then_some(tally)
        }
        Asks::Lacking => {
            let whole = all.deposit.or(all.price)?;
            lines.retain(|line| line.adds && line.won < whole);
            for line in &mut lines {
                line.adds = false;
            }
            let named = lines.len();
            let label = if text.is_ascii() { "needed" } else { "필요한 돈" };
            lines.insert(0, Line { label: label.to_owned(), won: whole, adds: true });
            let tally = Tally { lines, asks };
            (named > 0 && tally.result() > 0).then_some(tally)
        }
        Asks::Months(_) => None,
    }
}

/// What is pointed at without its figure: the payment, the fee, what was added up before.
fn pointed(
    text: &str,
    asks: Asks,
    known: Option<&Tally>,
    all: &Parameters,
    constants: &Constants,
) -> Vec<Line> {
    const PAYMENT: &[&str] = &[
        "은행에 내",
        "원리금",
        "대출 갚",
        "대출금 내",
        "이자내",
        "이자 내",
        "그 이자",
        "that payment",
        "the payment",
        "the loan payment",
        "that interest",
        "the interest",
        "mortgage payment",
    ];
    const FEE: &[&str] = &["that fee", "the fee", "agent's fee", "agent fee"];
    const BEFORE: &[&str] = &["부대비용", "그 비용", "those costs", "the costs", "all those"];
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let english = text.is_ascii();
    let name = |ko: &str, en: &str| if english { en.to_owned() } else { ko.to_owned() };
    let mut found = Vec::new();
    let mut add = |label: String, won: Option<u64>| {
        found.extend(won.filter(|won| *won > 0).map(|won| Line { label, won, adds: false }));
    };
    if asks == Asks::Left && says(PAYMENT) {
        add(name("대출 상환", "loan payment"), payment(all));
    }
    if says(FEE) {
        add(name("중개보수", "fee"), fee(all, constants));
    }
    if let (Asks::Left, true, Some(known)) =
        (asks, says(BEFORE), known.filter(|known| known.asks == Asks::Total))
    {
        add(name("부대비용", "costs"), u64::try_from(known.result()).ok());
    }
    // 6억에서 대출 뺀 나머지: a loan pays its part.
    if asks == Asks::Left
        && ["대출 뺀", "대출을 뺀", "대출 빼고", "minus the loan", "less the loan"]
            .iter()
            .any(|word| text.contains(word))
    {
        found.extend(all.loan.map(|won| Line { label: name("대출", "loan"), won, adds: true }));
    }
    found
}

/// What a loan that is known costs a month.
fn payment(all: &Parameters) -> Option<u64> {
    let (loan, rate) = (all.loan?, all.rate?);
    if all.interest_only {
        return Some((loan as f64 * rate / 12.0).round() as u64);
    }
    Some(monthly_payment(loan, rate / 12.0, all.years? * 12).round() as u64)
}

/// The highest fee of the contract that is known.
fn fee(all: &Parameters, constants: &Constants) -> Option<u64> {
    let contracted = match (all.deposit, all.price) {
        (Some(deposit), _) => Contracted::Lease { deposit, monthly_rent: all.monthly_rent.unwrap_or(0) },
        (None, Some(price)) => Contracted::Sale { price },
        _ => return None,
    };
    Some(brokerage_fee(Estate::Home, contracted, constants).most)
}

/// What a sale left that was spoken of.
fn sold(all: &Parameters) -> Option<Line> {
    let left = all.resale?.checked_sub(all.debt.or(all.loan)?)?.checked_sub(all.expenses.unwrap_or(0))?;
    Some(Line { label: "매도 뒤 남는 돈".to_owned(), won: left, adds: true })
}

/// The amounts before with one of them said again, and the sums that this took.
fn corrected(text: &str, known: Option<&Tally>) -> (Option<Tally>, Vec<u64>) {
    let Some(known) = known else { return (None, Vec::new()) };
    let (mut tally, mut taken) = (known.clone(), Vec::new());
    for (old, new) in restated::pairs(text) {
        for line in &mut tally.lines {
            let unit = [1.0, 1e3, 1e4, 1e6, 1e7, 1e8]
                .into_iter()
                .find(|unit| (old * unit - line.won as f64).abs() < 1.0);
            // What is said in its own unit is no part of another.
            let Some(unit) = unit.filter(|_| taken.is_empty()) else { continue };
            taken.push(line.won);
            line.won = (new * unit).round() as u64;
            taken.push(line.won);
        }
    }
    (Some(tally), taken)
}

/// The amounts in a line that shows each of them.
pub(super) fn sentence(tally: &Tally, lang: Lang) -> String {
    let one = |line: &Line| format!("{} {}", line.label, money(line.won, lang));
    let mut shown: Vec<&Line> = tally.lines.iter().collect();
    shown.sort_by_key(|line| !line.adds);
    let mut text = String::new();
    for (at, line) in shown.iter().enumerate() {
        let sign = if line.adds { " + " } else { " − " };
        if at > 0 || !line.adds {
            text.push_str(sign);
        }
        text.push_str(&one(line));
    }
    let text = text.trim();
    let result = tally.result();
    let (sum, sign) = (money(result.unsigned_abs(), lang), if result < 0 { "-" } else { "" });
    match tally.asks {
        Asks::Total => lang.pick(format!("{text} = 모두 {sum}입니다."), format!("{text} = {sum} in all.")),
        Asks::Left => {
            lang.pick(format!("{text} = {sign}{sum}이 남습니다."), format!("{text} = {sign}{sum} is left."))
        }
        Asks::Lacking => lang
            .pick(format!("{text} = {sum}을 더 보태야 합니다."), format!("{text} = {sum} more is needed.")),
        Asks::Loan => lang
            .pick(format!("{text} = {sum}을 빌려야 합니다."), format!("{text} = a loan of {sum} is needed.")),
        Asks::Months(goal) => {
            let months = goal.div_ceil(u64::try_from(result).unwrap_or(0).max(1));
            let goal = money(goal, lang);
            lang.pick(
                format!("{text} = 매달 {sign}{sum}씩 모으면 {goal}까지 {months}개월 걸립니다."),
                format!("{text} = {sign}{sum} a month, which takes {months} months to get to {goal}."),
            )
        }
    }
}

#[cfg(test)]
mod tests;
