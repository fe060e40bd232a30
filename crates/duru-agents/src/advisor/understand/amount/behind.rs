//! What a sum is, by the words behind it.

use duru_language::particle;

use super::Role;
use super::sums::sum;

/// So many letters behind a sum may say that it is to be spent.
const REACH: usize = 14;

/// Words behind a sum that say what it is; of several that fit, the first.
const BEHIND: &[(&str, Role)] = &[
    ("을 빌", Role::Loan),
    ("를 빌", Role::Loan),
    ("빌리", Role::Loan),
    ("빌려", Role::Loan),
    ("빌릴", Role::Loan),
    ("대출", Role::Loan),
    ("전세대출", Role::Loan),
    ("보증금", Role::Deposit),
    ("jeonse", Role::Deposit),
    ("deposit", Role::Deposit),
    ("more deposit", Role::Unsaid),
    ("won jeonse", Role::Deposit),
    ("won deposit", Role::Deposit),
    ("a month of building", Role::MonthlyCosts),
    ("a month of maintenance", Role::MonthlyCosts),
    ("벌어", Role::Income),
    ("벌었", Role::Income),
    ("버는", Role::Income),
    ("벌고", Role::Income),
    ("법니다", Role::Income),
    ("들었", Role::Expense),
    ("이 들었", Role::Expense),
    ("만 냈", Role::PaidDown),
    ("을 냈", Role::PaidDown),
    ("냈", Role::PaidDown),
    ("a month", Role::MonthlyRent),
    ("per month", Role::MonthlyRent),
    ("monthly rent", Role::MonthlyRent),
    ("won monthly rent", Role::MonthlyRent),
    ("/month", Role::MonthlyRent),
    ("every month", Role::MonthlyRent),
    ("won every month", Role::MonthlyRent),
    ("into a jeonse", Role::Deposit),
    ("won into a jeonse", Role::Deposit),
    ("은 대출", Role::Loan),
    ("는 대출", Role::Loan),
    ("이 대출", Role::Loan),
    ("짜리 집", Role::Price),
    ("짜리 아파트", Role::Price),
    ("짜리 빌라", Role::Price),
    ("에 산 ", Role::Price),
    ("에 샀", Role::Price),
    ("에 사서", Role::Price),
    ("에 낙찰", Role::Price),
    ("maintenance", Role::MonthlyCosts),
    ("a month in maintenance", Role::MonthlyCosts),
    ("won a month", Role::MonthlyRent),
    ("won per month", Role::MonthlyRent),
    ("mortgage", Role::Loan),
    ("won mortgage", Role::Loan),
    ("won loan", Role::Loan),
    ("loan", Role::Loan),
    ("lease", Role::Deposit),
    ("won lease", Role::Deposit),
    ("contract deposit", Role::PaidDown),
    ("won contract deposit", Role::PaidDown),
    ("down payment", Role::PaidDown),
    ("as contract", Role::PaidDown),
    ("as earnest", Role::PaidDown),
    ("of contract money", Role::PaidDown),
    ("earnest", Role::PaidDown),
    ("interim", Role::Middle),
    ("basic deduction", Role::Spared),
    ("deduction", Role::Spared),
    ("allowance", Role::Spared),
    ("기본공제", Role::Spared),
    ("공제", Role::Spared),
    ("flat", Role::Price),
    ("apartment", Role::Price),
    ("won flat", Role::Price),
    ("won home", Role::Price),
    ("won house", Role::Price),
    ("won apartment", Role::Price),
];

/// "2억 대출": the word behind it says more.
pub(super) fn role_after(after: &str, before: Role) -> Role {
    let after = after.trim_start();
    if let Some((rest, role)) =
        BEHIND.iter().find_map(|(word, role)| Some((after.strip_prefix(word)?, *role)))
    {
        // "월세 100만원 보증금 1000": the word is of the sum behind it.
        let rest = particle::behind(rest).trim_start();
        // What somebody earns a month is no rent.
        let known =
            role == Role::MonthlyRent && !matches!(before, Role::Unsaid | Role::Price | Role::Deposit);
        return if known || sum(rest, role).is_some() { before } else { role };
    }
    if is_spared(after) {
        return Role::Spared;
    }
    if before == Role::Unsaid && is_borrowed(after) {
        return Role::Loan;
    }
    if matches!(before, Role::Unsaid | Role::Resale | Role::Price) && is_cost(after) {
        return Role::Expense;
    }
    let after = after.strip_prefix("won").map_or(after, str::trim_start);
    if is_sold(after) {
        return Role::Resale;
    }
    if before == Role::Unsaid && (is_cash(after) || is_spent(after)) {
        return Role::Budget;
    }
    before
}

/// "1억을 5프로 이자만 내는 걸로 빌려서": is it borrowed, as what follows up to the next sum says?
fn is_borrowed(after: &str) -> bool {
    let near: String = after.chars().take(24).collect();
    let ends =
        [near.find(['억', '?', ',']), near.find(". ")].into_iter().flatten().min().unwrap_or(near.len());
    ["빌려", "빌리", "빌릴", "대출받", "대출 받"].iter().any(|word| near[..ends].contains(word))
}

/// "12억까진 세금 안 낸다면서요", "the first 1.2 billion is tax free": what a rule spares.
fn is_spared(after: &str) -> bool {
    let near: String = after.chars().take(16).collect();
    let up_to = ["까지", "까진", "이하"].iter().any(|word| near.starts_with(word));
    up_to
        && ["안 내", "안내", "안 낸", "안낸", "비과세", "면제", "세금 없"]
            .iter()
            .any(|word| near.contains(word))
        || ["is exempt", "is tax free", "is tax-free", "are exempt"].iter().any(|word| near.starts_with(word))
}

/// "6m in acquisition tax and agents": what something cost beside its price.
fn is_cost(after: &str) -> bool {
    let after = after.strip_prefix("won").map_or(after, str::trim_start);
    let Some(rest) = ["in ", "on ", "for ", "of "].iter().find_map(|word| after.strip_prefix(word)) else {
        return false;
    };
    let near: String = rest.chars().take(24).collect();
    let near = near.split([',', '.', '?']).next().unwrap_or_default();
    ["tax", "fee", "cost", "agent", "repair", "renovat", "commission", "legal", "stamp"]
        .iter()
        .any(|word| near.contains(word))
}

/// "6억에 팔면".
fn is_sold(after: &str) -> bool {
    ["에 팔", "에 되팔", "에 매도", "에 처분", "으로 팔", "로 팔"].iter().any(|word| after.starts_with(word))
}

/// "200 million won in cash".
fn is_cash(after: &str) -> bool {
    ["in cash", "of cash", "cash", "in savings", "of savings", "saved"]
        .iter()
        .any(|word| after.starts_with(word))
}

/// "7억으로 살 수 있는", "8천만원으로 전세 구할": what somebody has, not what something costs.
fn is_spent(after: &str) -> bool {
    const BUYS: &[&str] =
        &["살 수", "살수", "살 만한", "살만한", "구할", "매수", "갈 수", "갈만한", "들어갈", "가능한", "찾"];
    const CHANGES: &[&str] = &["올", "늘", "줄", "낮", "바꾸", "바꿔", "갱신", "계약"];
    let Some(rest) = after.strip_prefix("으로").or(after.strip_prefix("로")) else { return false };
    let near: String = rest.trim_start().chars().take(REACH).collect();
    let at = BUYS.iter().filter_map(|word| near.find(word)).min();
    at.is_some_and(|at| !CHANGES.iter().any(|word| near[..at].contains(word)))
}
