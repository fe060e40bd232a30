//! What a sum is, by the words before and behind it.

use super::Role;

const ROLES: &[(&str, Role)] = &[
    ("보증금", Role::Deposit),
    ("전세금", Role::Deposit),
    ("전세", Role::Deposit),
    ("근저당", Role::Prior),
    ("저당", Role::Prior),
    ("선순위", Role::Prior),
    ("채권최고액", Role::Prior),
    ("융자", Role::Prior),
    ("prior mortgage", Role::Prior),
    ("prior claim", Role::Prior),
    ("senior mortgage", Role::Prior),
    ("월세", Role::MonthlyRent),
    ("월", Role::MonthlyRent),
    ("대출", Role::Loan),
    ("주담대", Role::Loan),
    ("내 돈", Role::Budget),
    ("내돈", Role::Budget),
    ("제 돈", Role::Budget),
    ("마이너스통장", Role::Loan),
    ("마이너스 통장", Role::Loan),
    ("마통", Role::Loan),
    ("학자금", Role::Loan),
    ("카드론", Role::Loan),
    ("할부", Role::Loan),
    ("빚", Role::Loan),
    ("연봉", Role::Income),
    ("연소득", Role::Income),
    ("소득", Role::Income),
    ("맞벌이", Role::Income),
    ("합산", Role::Income),
    ("월급", Role::Income),
    ("와이프", Role::Income),
    ("아내", Role::Income),
    ("남편", Role::Income),
    ("배우자", Role::Income),
    ("수입", Role::Income),
    ("계약금", Role::PaidDown),
    ("관리비", Role::MonthlyCosts),
    ("복비", Role::Expense),
    ("중개보수", Role::Expense),
    ("수리비", Role::Extra),
    ("인테리어비", Role::Extra),
    ("공사비", Role::Extra),
    ("필요경비", Role::Expense),
    ("이자 합계", Role::Expense),
    ("혼자", Role::Income),
    ("maintenance", Role::MonthlyCosts),
    ("building fee", Role::MonthlyCosts),
    ("max claim", Role::Prior),
    ("maximum claim", Role::Prior),
    ("공시가격", Role::Official),
    ("공시가", Role::Official),
    ("공시지가", Role::Official),
    ("official price", Role::Official),
    ("차익", Role::Gain),
    ("gain of", Role::Gain),
    ("offer of", Role::Resale),
    ("tenant at", Role::Deposit),
    ("tenant for", Role::Deposit),
    ("selling at", Role::Resale),
    ("sell at", Role::Resale),
    ("contract deposit of", Role::PaidDown),
    ("down payment of", Role::PaidDown),
    ("assessed value", Role::Official),
    ("assessed at", Role::Official),
    ("매도가", Role::Resale),
    ("양도가", Role::Resale),
    ("파는 값", Role::Resale),
    ("파는 가격", Role::Resale),
    ("판 값", Role::Resale),
    ("매입가", Role::Price),
    ("매수가", Role::Price),
    ("취득가", Role::Price),
    ("감정가", Role::Price),
    ("낙찰가", Role::Price),
    ("호가", Role::Price),
    ("실거래", Role::Price),
    ("분양가", Role::Price),
    ("예산", Role::Budget),
    ("자금", Role::Budget),
    ("현금", Role::Budget),
    ("매매가", Role::Price),
    ("매매", Role::Price),
    ("집값", Role::Price),
    ("가격", Role::Price),
    ("시세", Role::Price),
    ("income", Role::Income),
    ("earn", Role::Income),
    ("i make", Role::Income),
    ("we make", Role::Income),
    ("make about", Role::Income),
    ("borrow", Role::Loan),
    ("bank", Role::Loan),
    ("lender", Role::Loan),
    ("mortgage", Role::Loan),
    ("은행에서", Role::Loan),
    ("은행이", Role::Loan),
    ("take home", Role::Income),
    ("takes home", Role::Income),
    ("salary", Role::Income),
    ("deposit", Role::Deposit),
    ("loan", Role::Loan),
    ("debt", Role::Loan),
    ("sold for", Role::Resale),
    ("bought for", Role::Price),
    ("bought it for", Role::Price),
    ("bought at", Role::Price),
    ("sell it for", Role::Resale),
    ("sell for", Role::Resale),
    ("selling", Role::Resale),
    ("sale price", Role::Resale),
    ("resale", Role::Resale),
    ("contract money", Role::PaidDown),
    ("earnest money", Role::PaidDown),
    ("중도금", Role::Middle),
    ("interim payment", Role::Middle),
    ("middle payment", Role::Middle),
    ("산값", Role::Price),
    ("산 값", Role::Price),
    ("판값", Role::Resale),
    ("budget", Role::Budget),
    ("savings", Role::Budget),
    ("cash", Role::Budget),
    ("jeonse", Role::Deposit),
    ("rent", Role::MonthlyRent),
    ("worth", Role::Price),
    ("price", Role::Price),
    ("house for", Role::Price),
    ("home for", Role::Price),
    ("flat for", Role::Price),
    ("apartment for", Role::Price),
];

/// Names of fees, which are asked for as often as they are said.
const FEES: &[&str] = &["복비", "중개보수"];

/// So many letters before a sum may say what it is: English takes more of them.
const NEAR: usize = 10;

const NEAR_EN: usize = 24;

/// What the words before a sum say of it; the nearest counts.
pub(super) fn role_before(text: &str) -> Role {
    let korean = text.chars().rev().take(NEAR).any(|c| ('가'..='힣').contains(&c));
    let letters = if korean { NEAR } else { NEAR_EN };
    let start = text.char_indices().rev().nth(letters - 1).map_or(0, |(at, _)| at);
    let mut near = &text[start..];
    // What was said in the sentence before is of that one.
    if let (false, Some(end)) =
        (korean, [". ", "? ", "! ", "; "].iter().filter_map(|mark| near.rfind(mark)).max())
    {
        near = &near[end + 1..];
    }
    // "전세 낀 7억 아파트": what it comes with, not what the sum is.
    let comes_with = |end: usize| {
        let rest = near[end..].trim_start_matches(['를', '을']).trim_start();
        rest.starts_with(['낀', '끼'])
    };
    // 먼저 들어온 세대들 보증금 합이 2억8천: what others paid in ranks before.
    let wide = text.char_indices().rev().nth(23).map_or(0, |(at, _)| at);
    let others = [
        "먼저 들어온",
        "앞 세대",
        "앞세대",
        "다른 세대",
        "다른 세입자",
        "선순위 보증금",
        "other tenants",
        "earlier tenants",
    ];
    if others.iter().any(|word| text[wide..].contains(word)) {
        return Role::OtherDeposits;
    }
    // "bought a flat in Mapo for 300 million": the verb stands further off.
    let sentence = text.rsplit(['.', '?', '!', ',']).next().unwrap_or(text);
    if text.ends_with(" for ") && ["bought", "purchased"].iter().any(|word| sentence.contains(word)) {
        return Role::Price;
    }
    ROLES
        .iter()
        .filter_map(|(word, role)| near.rfind(word).map(|at| (at + word.len(), word.len(), *role)))
        // 복비요 전용 59: a fee is said right behind its name.
        .filter(|(end, length, _)| {
            !FEES.contains(&&near[end - length..*end]) || near[*end..].trim().chars().count() <= 1
        })
        .filter(|(end, _, _)| !comes_with(*end))
        .max_by_key(|(end, length, _)| (*end, *length))
        .map_or(Role::Unsaid, |(_, _, role)| role)
}

/// Is it paid each year?
pub(super) fn is_yearly(role: Role) -> bool {
    matches!(role, Role::YearlyRepayment | Role::YearlyInterest | Role::LoanPayments)
}

/// 신용대출 원리금 일년에 480, 다른 대출 이자가 일년 400: what is paid in a year, and for which loan.
pub(super) fn yearly(before: &str, from: &str, role: Role) -> Role {
    const YEAR: &[&str] = &[
        "일년에",
        "1년에",
        "매년",
        "해마다",
        "연간",
        "일년",
        "연",
        "a year",
        "년에 원리금",
        "매년 원리금",
        "yearly",
    ];
    const PAYS: &[&str] = &["원리금", "갚", "상환", "이자", "repay", "pay back"];
    let start = before.char_indices().rev().nth(27).map_or(0, |(at, _)| at);
    let near = before[start..].trim_end();
    let after: String = from.chars().take(16).collect();
    let pays = PAYS.iter().any(|word| near.contains(word) || after.contains(word));
    let by_year = YEAR.iter().any(|word| near.ends_with(word));
    // 주담대 원리금이 2천이 아니라: said again without the year.
    let again = near.ends_with("원리금이") || near.ends_with("원리금은") || near.ends_with("원리금");
    if !pays || !by_year && !again || !from.starts_with(|c: char| c.is_ascii_digit()) {
        return role;
    }
    // The loan that is named last is the one it is paid for.
    let last = |words: &[&str]| words.iter().filter_map(|word| near.rfind(word)).max();
    let own = last(&["주담대", "주택담보", "mortgage"]);
    let other = last(&["다른", "신용대출", "학자금", "마이너스", "자동차", "기존", "other", "credit"]);
    let interest = near.contains("이자") && !near.contains("원리금") || last(&["이자"]) > last(&["원리금"]);
    match (own, other) {
        (Some(own), other) if other.is_none_or(|other| other < own) => Role::LoanPayments,
        _ if interest && !after.contains("원금") => Role::YearlyInterest,
        (None, None) if !by_year => role,
        _ => Role::YearlyRepayment,
    }
}

/// A loan that is there already is no loan that is asked for: "신용대출 5천만원 있는데".
pub(super) fn owed(before: &str, after: &str, role: Role) -> Role {
    if role != Role::Loan {
        return role;
    }
    let start = before.char_indices().rev().nth(NEAR_EN - 1).map_or(0, |(at, _)| at);
    let lower = before[start..].to_lowercase();
    let had = [
        "기존",
        "원래 있던",
        "이미 받은",
        "남은",
        "existing",
        "already have",
        "outstanding",
        " owe ",
        "other loan",
    ];
    let rest = ["won", "loan", "대출", "빚", "정도", "쯤", "이", "가", "은", "는", "을", "를", "도"]
        .iter()
        .fold(after.trim_start(), |rest, word| rest.strip_prefix(word).unwrap_or(rest).trim_start());
    let has =
        ["있", "남아", "남았", "쓰고", "갚고", "갚는 중", "보유", "갖고", "가지고", "already", "outstanding"];
    let owes = had.iter().any(|word| lower.contains(word)) || has.iter().any(|word| rest.starts_with(word));
    if owes { Role::Debt } else { role }
}
