//! Sums as they are written: digits and units, spoken numbers, a deposit with its rent.

use super::Role;
use super::roles::is_yearly;
use crate::advisor::understand::words::begins_word;

const MAN: f64 = 1e4;

const EOK: f64 = 1e8;

/// 500/50: deposit and monthly rent in units of 10,000 won, or 1억/50.
pub(super) fn pair(text: &str) -> Option<(u64, u64, usize)> {
    let (deposit, mut at) = match sum(text, Role::Unsaid) {
        Some((won, length)) => (won as f64, length),
        // 천/65.
        None if text.starts_with("천/") => (1_000.0 * MAN, '천'.len_utf8()),
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
pub(super) fn spoken_pair(text: &str, whole: &str, start: usize) -> Option<(u64, u64, usize)> {
    // A bare 천 must begin a word.
    let (deposit, mut at) = match text.strip_prefix("천에") {
        Some(_) if begins_word(whole, start) => (1_000.0 * MAN, '천'.len_utf8()),
        Some(_) => return None,
        None => match sum(text, Role::Deposit) {
            Some((won, length)) => (won as f64, length),
            None => return None,
        },
    };
    at += text[at..].strip_prefix("에 ").map(|_| "에 ".len())?;
    // 천에 월 65.
    at += ["월세 ", "월 "].iter().find(|word| text[at..].starts_with(**word)).map_or(0, |word| word.len());
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
pub(super) fn sum(text: &str, role: Role) -> Option<(u64, usize)> {
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
        let Some((unit, unit_length, certain)) = unit_after(number, rest, total, role) else { break };
        // 12만5천: thousands of won behind 만.
        let unit = if unit == 1e7 && below == MAN && rest.starts_with('천') { 1e3 } else { unit };
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

/// What a number counts, by what stands behind it or by what the sum is for: the unit, its length, and whether that is certain.
fn unit_after(number: f64, rest: &str, total: f64, role: Role) -> Option<(f64, usize, bool)> {
    let gap = usize::from(rest.starts_with(' ') && rest[1..].starts_with(['억', '만', '천']));
    let found = match unit(&rest[gap..]) {
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
            [
                "올려", "올린", "올리", "더 올", "인상", "증액", "대출", "빌", "벌", "들었", "보냈", "넣었",
                "으로",
            ]
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
            || matches!(role, Role::Extra | Role::Expense)
                && (10.0..=99_999.0).contains(&number)
                && ends_number(rest) =>
        {
            (MAN, 0, true)
        }
        // 계약금 5500 넣었는데.
        None if role == Role::PaidDown && (100.0..=99_999.0).contains(&number) && ends_number(rest) => {
            (MAN, 0, true)
        }
        // 그 2500을 신용대출로 빌리면: what is borrowed counts 10,000 won.
        None if (100.0..=99_999.0).contains(&number) && total == 0.0 && is_lent(rest) => (MAN, 0, true),
        // 작년에 3600 벌었는데.
        None if (1_000.0..=99_999.0).contains(&number) && total == 0.0 && is_earned(rest) => (MAN, 0, true),
        // 연봉 7000: nobody earns so few won, nor so many of 10,000.
        None if role == Role::Income && (1_000.0..=99_999.0).contains(&number) && ends_number(rest) => {
            (MAN, 0, true)
        }
        None if ["원", " won", "won", " krw"].iter().any(|won| rest.starts_with(won))
            && number >= 1_000.0 =>
        {
            (1.0, 0, true)
        }
        None => return None,
    };
    Some(found)
}

/// Is a bare number what somebody earns in a year: 3600 벌었는데?
fn is_earned(rest: &str) -> bool {
    ["벌었", "벌어", "벌고", "버는", "법니다"].iter().any(|word| rest.trim_start().starts_with(word))
}

/// Is a bare number what is borrowed: 2500을 5%로 빌리면?
fn is_lent(rest: &str) -> bool {
    let near: String = rest.chars().take(24).collect();
    rest.starts_with(['을', '를']) && ["빌리", "빌려", "빌릴"].iter().any(|word| near.contains(word))
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
        ("million", 1e6),
        ("billion", 1e9),
    ];
    // 만 as in "84㎡만" follows no number.
    let known = UNITS.iter().find(|(word, _)| text.starts_with(word)).map(|(word, unit)| (*unit, word.len()));
    // 600k, 300m won; not 5km or 84m².
    let ends = |rest: &str| rest.chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '²');
    known
        .or_else(|| text.strip_prefix('k').filter(|rest| ends(rest)).map(|_| (1e3, 1)))
        // 1.2 mil.
        .or_else(|| {
            let word = [" mil", "mil"].iter().find(|word| text.starts_with(**word))?;
            ends(&text[word.len()..]).then_some((1e6, word.len()))
        })
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
            "입", "임", "을", "를", "였", "도", "받", "놓", "까지", "보다",
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
