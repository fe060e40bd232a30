//! What a sum is by what stands around it rather than by a name: a loan with its rate and term, a rent beside its deposit,
//! a number in the unit of the sum before it.

use duru_language::figure::{shares, terms};

use super::roles::is_yearly;
use super::{Amount, Bound, Role};

/// A rate above this is no rate of a loan.
const HIGHEST: f64 = 0.2;
/// The shortest term of a loan for a home, in months.
const SHORTEST: u32 = 60;
/// A rent is less than this part of its deposit.
const RENT_PART: u64 = 4;

/// Words of a loan of which only interest is paid.
const INTEREST: &[&str] = &["이자만", "만기일시", "interest only", "interest-only"];

/// 3억을 30년 3.95%로, 250 million, 4.3%, 30 years: a sum without a name that stands with a rate, and a term or interest
/// alone, in one sentence is lent.
pub(super) fn lent(text: &str, found: &mut [Amount]) {
    let (rates, terms) = (shares(text), terms(text));
    for at in 0..found.len() {
        if !matches!(found[at].role, Role::Unsaid | Role::Deposit) || found[at].bound != Bound::Exact {
            continue;
        }
        let end = found[at].span.1;
        let next = found.get(at + 1).map_or(text.len(), |next| next.span.0);
        let behind = &text[end..next.max(end)];
        let stop = ["? ", "! ", ". "].iter().filter_map(|mark| behind.find(mark)).min();
        let stop = end + stop.unwrap_or(behind.len());
        // 9억짜리를 사면 …: what is bought with a loan is not what is lent.
        let bought =
            ["짜리", "사면", "사려", "살 때", "집", "아파트", "ltv", "엘티비", "flat", "home", "buy"];
        let stop =
            bought.iter().filter_map(|word| text[end..stop].find(word)).min().map_or(stop, |at| end + at);
        let within = |start: usize| (end..stop).contains(&start);
        let rated = rates.iter().any(|rate| within(rate.start) && rate.value < HIGHEST);
        let timed = terms.iter().any(|term| within(term.start) && term.years && term.months >= SHORTEST);
        let bare = INTEREST.iter().any(|word| text[end..stop].contains(word));
        // 전세면 1억 4천을 3.5%로 빌려야: what is said of a deposit is borrowed for it.
        let borrowed =
            ["빌려", "빌리", "대출받", "대출 받", "borrow"].iter().any(|word| text[end..stop].contains(word));
        if rated && (timed || bare) && (borrowed || found[at].role == Role::Unsaid) {
            found[at].role = Role::Loan;
        }
    }
}

/// Rent from 1.8m to 2m: what something goes to is what it was.
pub(super) fn goes_from_to(text: &str, found: &mut [Amount]) {
    for at in 1..found.len() {
        let (first, second) = (&found[at - 1], &found[at]);
        let between = text.get(first.span.1..second.span.0).unwrap_or_default().trim();
        let from = text[..first.span.0].trim_end().ends_with("from");
        // 보증금 5천을 3천으로.
        let becomes = matches!(between, "을" | "를" | "에서")
            && ["으로", "로"].iter().any(|word| text[second.span.1..].starts_with(word))
            && matches!(first.role, Role::Deposit | Role::MonthlyRent);
        let to = from && matches!(between, "to" | "up to" | "down to");
        if (to || becomes) && second.role == Role::Unsaid {
            found[at].role = first.role;
        }
    }
}

/// 20 million deposit plus 950k: what is added to a deposit and is far below it is paid each month.
pub(super) fn let_for(text: &str, found: &mut [Amount]) {
    for at in 1..found.len() {
        let (first, second) = (&found[at - 1], &found[at]);
        let small = second.won < first.won / RENT_PART && second.won < 30_000_000;
        let between = text.get(first.span.1..second.span.0).unwrap_or_default();
        let joined =
            ["plus", " + ", " / ", " and ", " & ", "with "].iter().any(|word| between.contains(word))
                && between.chars().count() < 24;
        if first.role == Role::Deposit
            && small
            && joined
            && matches!(second.role, Role::Unsaid | Role::Deposit | Role::MonthlyRent)
        {
            found[at].role = Role::MonthlyRent;
        }
    }
    // At 20 million / 1.05 million: a deposit and its rent.
    for at in 1..found.len() {
        let (first, second) = (&found[at - 1], &found[at]);
        let between = text.get(first.span.1..second.span.0).unwrap_or_default();
        if between.trim() == "/" && first.role == Role::Unsaid && second.won < first.won / RENT_PART {
            found[at - 1].role = Role::Deposit;
            found[at].role = Role::MonthlyRent;
        }
    }
}

/// An offer of 380, it would sell for 300: a number of English right behind the words of a price counts what the other sums
/// of the text count.
pub(super) fn bare_million(text: &str, at: usize, before: &[Amount]) -> Option<(u64, usize)> {
    const OPENS: &[&str] =
        &["sell for ", "offer of ", "sold for ", "bought for ", "sell at ", "selling at ", "worth "];
    let known = before.iter().rev().find(|amount| amount.won >= 10_000_000)?;
    if !OPENS.iter().any(|word| text[..at].ends_with(word)) {
        return None;
    }
    let digits: String = text[at..].chars().take_while(char::is_ascii_digit).collect();
    let number: u64 = digits.parse().ok()?;
    let rest = &text[at + digits.len()..];
    let bare = rest.chars().next().is_none_or(|c| c.is_whitespace() || ",.?!".contains(c))
        && !rest.trim_start().starts_with("million")
        && !rest.trim_start().starts_with("billion");
    let won = number * 1_000_000;
    let near = won < known.won.saturating_mul(4) && won > known.won / 4;
    (bare && near).then_some((won, digits.len()))
}

/// Car loan of 300k a month, 차 대출로 매달 40만원: what another loan takes each month.
pub(super) fn paid_monthly(before: &str, after: &str, role: Role) -> Role {
    let near: String = before.chars().rev().take(26).collect::<Vec<_>>().into_iter().rev().collect();
    const OTHER: &[&str] = &[
        "차 대출",
        "자동차 대출",
        "자동차대출",
        "신용대출",
        "학자금",
        "차 할부",
        "자동차 할부",
        "할부",
        "마이너스",
        "카드론",
        "다른 대출",
        "car loan",
        "student loan",
        "credit loan",
        "personal loan",
        "other loan",
        "car payment",
        "card loan",
    ];
    // 1년에 원리금 480씩: by the year.
    if is_yearly(role) || ["년", "year", "해마다"].iter().any(|word| near.contains(word)) {
        return role;
    }
    let other = OTHER.iter().any(|word| near.contains(word));
    let after = after.trim_start().trim_start_matches("won").trim_start();
    let monthly = ["매달", "매월", "한 달에", "한달에", "달에", "월 ", "monthly "]
        .iter()
        .any(|word| near.contains(word))
        || ["a month", "per month", "/month", "monthly", "every month", "each month", "씩"]
            .iter()
            .any(|word| after.starts_with(word));
    if other && monthly { Role::MonthlyRepayment } else { role }
}
