//! Sums of money: 5억, 3억5천, 8천만원, 보증금 1억 월세 50, 500/50.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::is_taken_back;

/// What a sum is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Price,
    Deposit,
    MonthlyRent,
    Loan,
    /// What somebody owes already.
    Debt,
    Income,
    Budget,
    /// What others may claim from a home before its tenant.
    Prior,
    /// What a home is to be sold again for.
    Resale,
    /// 공시가격.
    Official,
    /// What is paid back in a year for other loans, as interest alone, and for the loan that is spoken of.
    YearlyRepayment,
    YearlyInterest,
    LoanPayments,
    /// What other tenants of the house paid in before.
    OtherDeposits,
    /// What was paid of a price or deposit already.
    PaidDown,
    /// What is paid beside a rent each month.
    MonthlyCosts,
    /// What was spent on a home beside its price.
    Extra,
    /// What a gain is less by.
    Expense,
    Unsaid,
}

/// Whether a sum is a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    Exact,
    AtMost,
    AtLeast,
    /// 5억대: from there to the next round number.
    Around,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Amount {
    pub won: u64,
    pub role: Role,
    pub bound: Bound,
    /// The sum that it takes the place of: "6억 말고 7억".
    #[serde(default)]
    pub instead_of: Option<u64>,
    #[serde(skip)]
    pub(crate) span: (usize, usize),
}

impl Amount {
    /// At most so much, though nobody said so here.
    pub(crate) fn most(won: u64, role: Role) -> Self {
        Self { won, role, bound: Bound::AtMost, instead_of: None, span: (0, 0) }
    }

    /// Does the sum narrow down what is looked for?
    pub fn is_limit(&self) -> bool {
        self.bound != Bound::Exact || self.role == Role::Budget
    }
}

const MAN: f64 = 1e4;
const EOK: f64 = 1e8;

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
    ("borrow", Role::Loan),
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
    ("resale", Role::Resale),
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

/// So many letters before a sum may say what it is: English takes more of them.
const NEAR: usize = 10;
const NEAR_EN: usize = 24;
/// So many letters behind a sum may say that it is to be spent.
const REACH: usize = 14;

/// The sums in `text`, in order.
pub(crate) fn find(text: &str) -> Vec<Amount> {
    let mut found: Vec<Amount> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let step = text[at..].chars().next().map_or(1, char::len_utf8);
        let inside_number = text[..at].chars().next_back().is_some_and(|c| c.is_ascii_digit() || c == '.');
        if !inside_number {
            let from = found.last().map_or(0, |last| last.span.1);
            let role = match (role_before(&text[from..at]), corrected(text, found.last())) {
                // 연봉 4천이 아니라 7천5백: what is said instead is the same thing.
                (Role::Unsaid, Some(role)) => role,
                (role, _) => role,
            };
            if let Some((deposit, rent, length)) =
                pair(&text[at..]).or_else(|| spoken_pair(&text[at..], text, at))
            {
                let span = (at, at + length);
                let bound = bound(&text[at + length..], Role::MonthlyRent);
                found.push(Amount { won: deposit, role: Role::Deposit, bound, instead_of: None, span });
                found.push(Amount { won: rent, role: Role::MonthlyRent, bound, instead_of: None, span });
                at += length;
                continue;
            }
            let role = yearly(&text[from..at], &text[at..], role);
            if let Some((won, length)) = sum(&text[at..], role) {
                let after = &text[at + length..];
                let role = if is_yearly(role) {
                    role
                } else {
                    owed(&text[from..at], after, role_after(after, role))
                };
                let bound = limited(&text[..at]).unwrap_or_else(|| bound(after, role));
                let taken_back = found.last().filter(|last| is_taken_back(&text[last.span.1..]));
                let instead_of = taken_back.map(|last| last.won);
                found.push(Amount { won, role, bound, instead_of, span: (at, at + length) });
                at += length;
                continue;
            }
        }
        at += step;
    }
    found.retain(|amount| !is_taken_back(&text[amount.span.1..]));
    claims(text, &mut found);
    // 예산을 8억에서 8억 3천으로: what it was is no longer.
    if let [from, to] = &found[..]
        && from.role == Role::Budget
        && matches!(to.role, Role::Budget | Role::Unsaid)
        && text.get(from.span.1..to.span.0).is_some_and(|between| ["에서", "서"].contains(&between.trim()))
    {
        let to = Amount { role: Role::Budget, ..to.clone() };
        found = vec![to];
    }
    // 보증금 1000에 월세 60 이하: who sets a limit to the one sets it to the other.
    for at in 1..found.len() {
        let (first, second) = (&found[at - 1], &found[at]);
        let lease = first.role == Role::Deposit && second.role == Role::MonthlyRent;
        let joined = first.span == second.span
            || text.get(first.span.1..second.span.0).is_some_and(|between| {
                let between = between.trim().trim_start_matches('에').trim();
                ["월세", "월", "/", ""].contains(&between)
            });
        if lease && joined && second.bound == Bound::AtMost && first.bound == Bound::Exact {
            found[at - 1].bound = Bound::AtMost;
        }
    }
    found
}

/// A loan on the home of whoever pays a deposit is no loan of theirs: "대출 3억 낀 집에 보증금 2억".
fn claims(text: &str, found: &mut [Amount]) {
    const ON_HOME: &[&str] = &[
        "잡혀",
        "잡힌",
        "껴",
        "낀",
        "끼어",
        "끼고",
        "걸려",
        "걸린",
        "설정",
        "있는 집",
        "있는집",
        "on it",
        "on the home",
        "on the house",
        "on the property",
    ];
    const LANDLORD: &[&str] = &[
        "집주인",
        "임대인",
        "집에 ",
        "등기부",
        "the landlord",
        "the owner",
        "the register",
        "register shows",
        "register says",
    ];
    let leases = found.iter().any(|amount| amount.role == Role::Deposit);
    for amount in found.iter_mut().filter(|amount| matches!(amount.role, Role::Loan | Role::Debt)) {
        let after: String = text[amount.span.1..].chars().take(16).collect();
        let before: String =
            text[..amount.span.0].chars().rev().take(20).collect::<Vec<_>>().into_iter().rev().collect();
        let on_home = ON_HOME.iter().any(|word| after.contains(word));
        if leases && (on_home || LANDLORD.iter().any(|word| before.contains(word))) {
            amount.role = Role::Prior;
        }
    }
}

/// The role of a sum that is taken back right after it was said.
fn corrected(text: &str, last: Option<&Amount>) -> Option<Role> {
    last.filter(|last| is_taken_back(&text[last.span.1..])).map(|last| last.role)
}

/// 500/50: deposit and monthly rent in units of 10,000 won, or 1억/50.
fn pair(text: &str) -> Option<(u64, u64, usize)> {
    let (deposit, mut at) = match sum(text, Role::Unsaid) {
        Some((won, length)) => (won as f64, length),
        None => number(text).map(|(number, length)| (number * MAN, length))?,
    };
    at += text[at..].strip_prefix('/').map(|_| 1)?;
    // A date's month may begin with a zero, a rent does not.
    let (rent, length) = number(&text[at..]).filter(|_| !text[at..].starts_with('0'))?;
    at += length;
    // 84/59㎡ and dates are no rents.
    let rest = &text[at..];
    let clean = rest.chars().next().is_none_or(|c| c.is_whitespace() || ",.)만에으로은는이".contains(c));
    if !clean || !(100.0 * MAN..=100.0 * EOK).contains(&deposit) || !(5.0..=5_000.0).contains(&rent) {
        return None;
    }
    if let Some(man) = rest.strip_prefix("만원").or(rest.strip_prefix('만')) {
        at = text.len() - man.len();
    }
    Some((deposit as u64, (rent * MAN) as u64, at))
}

/// 천에 60, 3천에 51, 1000에 60만원: deposit and monthly rent as they are spoken.
fn spoken_pair(text: &str, whole: &str, start: usize) -> Option<(u64, u64, usize)> {
    // A bare 천 must begin a word.
    let (deposit, mut at) = match text.strip_prefix("천에") {
        Some(_) if super::words::begins_word(whole, start) => (1_000.0 * MAN, '천'.len_utf8()),
        Some(_) => return None,
        None => match sum(text, Role::Deposit) {
            Some((won, length)) => (won as f64, length),
            None => return None,
        },
    };
    at += text[at..].strip_prefix("에 ").map(|_| "에 ".len())?;
    let (rent, length) = number(&text[at..]).filter(|(rent, _)| (10.0..=2_000.0).contains(rent))?;
    at += length;
    let rest = &text[at..];
    let man = ["만원", "만"].iter().find(|word| rest.starts_with(**word));
    if man.is_none() && !ends_number(rest) || !(100.0 * MAN..=20.0 * EOK).contains(&deposit) {
        return None;
    }
    // "1억에 90 %", "9천에 30 명": other counts.
    let behind = rest.trim_start();
    let counts = ["%", "퍼", "프로", "년", "평", "㎡", "억", "천", "명", "세대", "층", "번"];
    if man.is_none() && counts.iter().any(|word| behind.starts_with(word)) {
        return None;
    }
    Some((deposit as u64, (rent * MAN) as u64, at + man.map_or(0, |word| word.len())))
}

/// One sum at the beginning of `text`, and its length.
fn sum(text: &str, role: Role) -> Option<(u64, usize)> {
    let (mut total, mut at, mut sure) = (0.0, 0, false);
    let mut below = f64::INFINITY;
    loop {
        let spaces = text[at..].len() - text[at..].trim_start_matches(' ').len();
        // Only inside a sum may a space stand: 5억 5천.
        if at == 0 && spaces > 0 || spaces > 1 {
            break;
        }
        let Some((number, length)) = number(&text[at + spaces..]) else { break };
        let after = at + spaces + length;
        let rest = &text[after..];
        let gap = usize::from(rest.starts_with(' ') && rest[1..].starts_with(['억', '만', '천']));
        let (unit, unit_length, certain) = match unit(&rest[gap..]) {
            Some((unit, length)) => (unit, gap + length, true),
            // 3억5천, 연봉 6천: thousands of 10,000.
            None if rest.starts_with('천') && (total > 0.0 || role != Role::Unsaid) => {
                (1e7, '천'.len_utf8(), true)
            }
            // 7천5백.
            None if rest.starts_with('백') && total > 0.0 => (1e6, '백'.len_utf8(), true),
            // 5천 올려 달라: what is to be added.
            None if rest.strip_prefix('천').is_some_and(|rest| {
                let rest = rest.trim_start().trim_start_matches(['을', '를']).trim_start();
                ["올려", "올린", "올리", "더 올", "인상", "증액", "대출", "빌"]
                    .iter()
                    .any(|word| rest.starts_with(word))
            }) =>
            {
                (1e7, '천'.len_utf8(), true)
            }
            // 3억 5000, 월세 50.
            None if total > 0.0 && number >= 100.0
                || role == Role::MonthlyRent && number < 10_000.0 && ends_number(rest) =>
            {
                (MAN, 0, role == Role::MonthlyRent)
            }
            // Whole won, as English has them: a rent of 900,000, 10,000,000 won.
            None if number >= 100_000.0 && total == 0.0 && role != Role::Unsaid && ends_number(rest) => {
                (1.0, 0, true)
            }
            None if role == Role::Deposit && number >= 100.0 && ends_number(rest) => (MAN, 0, true),
            // 일년에 480, 관리비 6, 수리비 900.
            None if is_yearly(role) && (10.0..=99_999.0).contains(&number) && ends_number(rest)
                || role == Role::MonthlyCosts && (1.0..1_000.0).contains(&number) && ends_number(rest)
                || role == Role::Extra && (10.0..=99_999.0).contains(&number) && ends_number(rest) =>
            {
                (MAN, 0, true)
            }
            // 연봉 7000: nobody earns so few won, nor so many of 10,000.
            None if role == Role::Income && (1_000.0..=99_999.0).contains(&number) && ends_number(rest) => {
                (MAN, 0, true)
            }
            None if ["원", " won", "won", " krw"].iter().any(|won| rest.starts_with(won))
                && number >= 1_000.0 =>
            {
                (1.0, 0, true)
            }
            None => break,
        };
        if unit >= below {
            break;
        }
        total += number * unit;
        sure |= certain;
        below = unit;
        at = after + unit_length;
    }
    if !sure || total < 1.0 {
        return None;
    }
    for word in ["원", " 원"] {
        if text[at..].starts_with(word) {
            at += word.len();
            break;
        }
    }
    (total <= 1e15).then_some((total.round() as u64, at))
}

fn unit(text: &str) -> Option<(f64, usize)> {
    const UNITS: &[(&str, f64)] = &[
        ("억", EOK),
        ("천만", 1e7),
        ("백만", 1e6),
        ("십만", 1e5),
        ("만", MAN),
        (" thousand", 1e3),
        (" million", 1e6),
        (" billion", 1e9),
    ];
    // 만 as in "84㎡만" follows no number.
    let known = UNITS.iter().find(|(word, _)| text.starts_with(word)).map(|(word, unit)| (*unit, word.len()));
    // 600k, 300m won; not 5km or 84m².
    let ends = |rest: &str| rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '²');
    known
        .or_else(|| text.strip_prefix('k').filter(|rest| ends(rest)).map(|_| (1e3, 1)))
        .or_else(|| text.strip_prefix("bn").filter(|rest| ends(rest)).map(|_| (1e9, 2)))
        .or_else(|| text.strip_prefix('b').filter(|rest| ends(rest)).map(|_| (1e9, 1)))
        // 84m is no sum where square metres are spoken of; those are written so.
        .or_else(|| text.strip_prefix('m').filter(|rest| ends(rest)).map(|_| (1e6, 1)))
}

/// Does the number stand for itself, without 평, 년 or 층 behind it?
fn ends_number(rest: &str) -> bool {
    let rest = rest.strip_prefix("만").unwrap_or(rest);
    rest.chars().next().is_none_or(|c| c.is_whitespace() || ",./)".contains(c))
        || [
            "이", "에", "으로", "로", "정도", "짜리", "은", "는", "인데", "씩", "네", "래", "고 ", "고,",
            "입", "임", "을", "를", "였", "도", "받", "놓",
        ]
        .iter()
        .any(|word| rest.starts_with(word))
}

/// A number in digits (1,500 or 3.5) or a Korean one of one syllable (오억).
fn number(text: &str) -> Option<(f64, usize)> {
    const SPOKEN: &[(&str, f64)] = &[
        ("일", 1.0),
        ("이", 2.0),
        ("삼", 3.0),
        ("사", 4.0),
        ("오", 5.0),
        ("육", 6.0),
        ("칠", 7.0),
        ("팔", 8.0),
        ("구", 9.0),
        ("십", 10.0),
    ];
    let length = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(text.len());
    let digits = text[..length].trim_end_matches(['.', ',']);
    if !digits.is_empty() {
        return digits.replace(',', "").parse().ok().map(|number| (number, digits.len()));
    }
    let (word, value) = SPOKEN.iter().find(|(word, _)| text.starts_with(word))?;
    // 이억 is a number; 이만 ("only this") and 사천 (a city) need not be.
    let after = &text[word.len()..];
    (after.starts_with('억') || after.starts_with("천만") || after.starts_with("백만"))
        .then_some((*value, word.len()))
}

/// What the words before a sum say of it; the nearest counts.
fn role_before(text: &str) -> Role {
    let korean = text.chars().rev().take(NEAR).any(|c| ('가'..='힣').contains(&c));
    let letters = if korean { NEAR } else { NEAR_EN };
    let start = text.char_indices().rev().nth(letters - 1).map_or(0, |(at, _)| at);
    let near = &text[start..];
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
    ROLES
        .iter()
        .filter_map(|(word, role)| near.rfind(word).map(|at| (at + word.len(), word.len(), *role)))
        .filter(|(end, _, _)| !comes_with(*end))
        .max_by_key(|(end, length, _)| (*end, *length))
        .map_or(Role::Unsaid, |(_, _, role)| role)
}

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
    ("won jeonse", Role::Deposit),
    ("won deposit", Role::Deposit),
    ("a month of building", Role::MonthlyCosts),
    ("a month of maintenance", Role::MonthlyCosts),
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
    ("won flat", Role::Price),
    ("won home", Role::Price),
    ("won house", Role::Price),
    ("won apartment", Role::Price),
];

/// "2억 대출": the word behind it says more.
fn role_after(after: &str, before: Role) -> Role {
    let after = after.trim_start();
    if let Some((rest, role)) =
        BEHIND.iter().find_map(|(word, role)| Some((after.strip_prefix(word)?, *role)))
    {
        // "월세 100만원 보증금 1000": the word is of the sum behind it.
        let rest = rest.trim_start_matches(['은', '는', '이', '가']).trim_start();
        return if sum(rest, role).is_some() { before } else { role };
    }
    if before == Role::Unsaid && is_borrowed(after) {
        return Role::Loan;
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

/// Is it paid each year?
fn is_yearly(role: Role) -> bool {
    matches!(role, Role::YearlyRepayment | Role::YearlyInterest | Role::LoanPayments)
}

/// 신용대출 원리금 일년에 480, 다른 대출 이자가 일년 400: what is paid in a year, and for which loan.
fn yearly(before: &str, from: &str, role: Role) -> Role {
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
fn owed(before: &str, after: &str, role: Role) -> Role {
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

/// Words of English that stand before a limit.
fn limited(before: &str) -> Option<Bound> {
    let before = before.trim_end();
    let ends = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
    if ends(&["under", "below", "up to", "at most", "less than", "no more than", "within", "maximum", "max"])
    {
        Some(Bound::AtMost)
    } else if ends(&["over", "above", "at least", "more than"]) {
        Some(Bound::AtLeast)
    } else {
        None
    }
}

fn bound(after: &str, role: Role) -> Bound {
    let after = after.trim_start();
    let begins = |words: &[&str]| words.iter().any(|word| after.starts_with(word));
    // 1억 9천까지 깎으면: what it comes to.
    let reaches = after.strip_prefix("까지").map(str::trim_start);
    if reaches.is_some_and(|rest| rest.starts_with(['깎', '낮', '줄', '내', '올'])) {
        return Bound::Exact;
    }
    if begins(&["이하", "이내", "까지", "미만", "안쪽", "아래", "안에", "밑", "or less", "or under"])
    {
        Bound::AtMost
    } else if begins(&["이상", "초과", "넘", "부터", "or more"]) {
        Bound::AtLeast
    } else if begins(&["대 ", "대로", "대의", "대는", "대 아", "대인", "대,"]) || after == "대" {
        Bound::Around
    } else if role == Role::Budget {
        Bound::AtMost
    } else {
        Bound::Exact
    }
}

#[cfg(test)]
mod tests;
