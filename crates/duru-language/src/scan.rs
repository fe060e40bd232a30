//! Numbers, dates, names and quoted texts: what is known by its form.

use crate::hangul::is_hangul;
use crate::segment::TokenKind;
use crate::text::Letter;

/// Something that begins at a place, and where it ends.
pub(crate) struct Scanned {
    pub(crate) to: usize,
    pub(crate) kind: TokenKind,
    pub(crate) cost: f32,
}

/// Where a run of such letters ends.
pub(crate) fn run(letters: &[Letter], at: usize, of: impl Fn(char) -> bool) -> usize {
    letters[at..].iter().position(|letter| !of(letter.it)).map_or(letters.len(), |count| at + count)
}

pub(crate) fn all(letters: &[Letter], at: usize) -> Vec<Scanned> {
    let mut found = Vec::new();
    let inside = is_inside(letters, at);
    if matches!(letters[at].it, '"' | '\'') {
        found.extend(quoted(letters, at));
    }
    let after_top = letters[at].it.is_ascii_digit()
        && at >= 3
        && [['t', 'o', 'p'], ['a', 's', 't'], ['r', 's', 't']]
            .iter()
            .any(|word| letters[at - 3..at].iter().map(|letter| letter.it).eq(word.iter().copied()));
    if after_top {
        found.extend(number(letters, at));
    }
    if letters[at].it.is_ascii_digit() && !inside {
        found.extend(date(letters, at).or_else(|| clock(letters, at)));
        found.extend(number(letters, at));
    }
    if letters[at].it == 'p' && !inside {
        found.extend(percentile(letters, at));
    }
    if !inside {
        found.extend(name(letters, at));
    }
    found
}

/// Whether a word or a number goes on here that began before.
pub(crate) fn is_inside(letters: &[Letter], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| letters[before].it);
    before.is_some_and(|it| it.is_alphanumeric() && !is_hangul(it) || matches!(it, '.' | '_'))
}

fn quoted(letters: &[Letter], at: usize) -> Option<Scanned> {
    let mark = letters[at].it;
    let length = letters[at + 1..].iter().position(|letter| letter.it == mark)?;
    let to = at + 1 + length + 1;
    // An apostrophe has letters on both sides.
    let apostrophe = mark == '\'' && at > 0 && letters[at - 1].it.is_ascii_alphabetic();
    (length > 0 && !apostrophe).then_some(Scanned { to, kind: TokenKind::Quoted, cost: 0.5 })
}

fn digits(letters: &[Letter], at: usize) -> Option<(u32, usize)> {
    let to = run(letters, at.min(letters.len()), |it| it.is_ascii_digit());
    if to == at || to - at > 9 {
        return None;
    }
    let text: String = letters[at..to].iter().map(|letter| letter.it).collect();
    text.parse().ok().map(|number| (number, to))
}

fn is(letters: &[Letter], at: usize, marks: &[char]) -> bool {
    letters.get(at).is_some_and(|letter| marks.contains(&letter.it))
}

/// 2026-03-18, 2026.3.18, 2026/03, 3/18.
fn date(letters: &[Letter], at: usize) -> Option<Scanned> {
    const MARKS: &[char] = &['-', '/', '.'];
    let (first, to) = digits(letters, at)?;
    let small = |number: u32| u8::try_from(number).ok();
    if !is(letters, to, MARKS) {
        return None;
    }
    let mark = letters[to].it;
    let (second, to_second) = digits(letters, to + 1)?;
    let month = small(second).filter(|month| (1..=12).contains(month));
    if to - at == 4 && (1900..2200).contains(&first) {
        let (year, month) = (i16::try_from(first).ok()?, month?);
        if is(letters, to_second, &[mark])
            && let Some((third, end)) = digits(letters, to_second + 1)
        {
            let day = small(third).filter(|day| (1..=31).contains(day))?;
            return Some(Scanned { to: end, kind: TokenKind::Date(Some(year), month, day), cost: 0.6 });
        }
        return Some(Scanned { to: to_second, kind: TokenKind::YearMonth(year, month), cost: 0.8 });
    }
    let month = small(first).filter(|month| (1..=12).contains(month))?;
    let day = small(second).filter(|day| (1..=31).contains(day))?;
    // 3/18/2026.
    if mark == '/'
        && is(letters, to_second, &['/'])
        && let Some((year, end)) = digits(letters, to_second + 1)
        && (1900..2200).contains(&year)
    {
        let kind = TokenKind::Date(Some(i16::try_from(year).ok()?), month, day);
        return Some(Scanned { to: end, kind, cost: 0.6 });
    }
    let more =
        letters.get(to_second).is_some_and(|letter| letter.it == '/' || letter.it.is_ascii_alphabetic());
    let short = mark == '/' || ends_range(letters, at, mark) && !is(letters, to_second, &[mark]);
    (short && !more).then_some(Scanned { to: to_second, kind: TokenKind::Date(None, month, day), cost: 0.8 })
}

/// Whether a date with a year stands before it, and a mark from one to another: the 03-07 of 2026-03-01~03-07.
fn ends_range(letters: &[Letter], at: usize, mark: char) -> bool {
    let before = |at: usize, of: &dyn Fn(char) -> bool| {
        letters[..at].iter().rposition(|letter| !of(letter.it)).map_or(0, |before| before + 1)
    };
    let tilde = before(at, &|it| it == ' ');
    if tilde == 0 || letters[tilde - 1].it != '~' {
        return false;
    }
    let end = before(tilde - 1, &|it| it == ' ');
    let start = before(end, &|it| it.is_ascii_digit() || it == mark);
    let parts: Vec<&[Letter]> = letters[start..end].split(|letter| letter.it == mark).collect();
    matches!(parts.as_slice(), [year, month, day] if year.len() == 4 && !month.is_empty() && !day.is_empty())
}

/// 14:30, 02:15:00.
fn clock(letters: &[Letter], at: usize) -> Option<Scanned> {
    let (hour, to) = digits(letters, at)?;
    if to - at > 2 || !is(letters, to, &[':']) {
        return None;
    }
    let (minute, mut end) = digits(letters, to + 1)?;
    if end - to != 3 || hour > 24 || minute > 59 {
        return None;
    }
    if is(letters, end, &[':'])
        && let Some((_, after)) = digits(letters, end + 1)
    {
        end = after;
    }
    let kind = TokenKind::Clock(u8::try_from(hour).ok()?, u8::try_from(minute).ok()?);
    Some(Scanned { to: end, kind, cost: 0.6 })
}

/// 1,234.5: its value, and where it ends.
pub(crate) fn decimal(letters: &[Letter], at: usize) -> Option<(f64, usize)> {
    let mut to = at;
    let mut text = String::new();
    let mut point = false;
    while let Some(letter) = letters.get(to) {
        let next_digit = letters.get(to + 1).is_some_and(|next| next.it.is_ascii_digit());
        match letter.it {
            digit if digit.is_ascii_digit() => text.push(digit),
            ',' if next_digit && !point => {}
            '.' if next_digit && !point => {
                point = true;
                text.push('.');
            }
            _ => break,
        }
        to += 1;
    }
    Some((text.parse().ok()?, to))
}

/// 1,234.5; 10k; 2.5M, for a small m counts minutes.
pub(crate) fn number(letters: &[Letter], at: usize) -> Option<Scanned> {
    let (mut value, mut to) = decimal(letters, at)?;
    let alone = |to: usize| {
        !letters.get(to).is_some_and(|letter| letter.it.is_alphanumeric() && !is_hangul(letter.it))
    };
    let tail: String = letters[to..].iter().take(2).map(|letter| letter.it).collect();
    if matches!(tail.as_str(), "st" | "nd" | "rd" | "th") && alone(to + 2) {
        return Some(Scanned { to: to + 2, kind: TokenKind::Number(value), cost: 1.0 });
    }
    // 429s: several of them.
    if is(letters, to, &['s']) && alone(to + 1) && value >= 100.0 && value.fract() == 0.0 {
        return Some(Scanned { to: to + 1, kind: TokenKind::Number(value), cost: 0.9 });
    }
    let scale =
        letters.get(to).filter(|_| alone(to + 1)).and_then(|letter| match (letter.it, letter.capital) {
            ('k', _) => Some(1e3),
            ('m', true) => Some(1e6),
            ('b', true) => Some(1e9),
            _ => None,
        });
    if let Some(scale) = scale {
        value *= scale;
        to += 1;
    }
    Some(Scanned { to, kind: TokenKind::Number(value), cost: 1.0 })
}

/// p95, p99.9, 95th percentile is read by its words.
fn percentile(letters: &[Letter], at: usize) -> Option<Scanned> {
    let Scanned { to, kind: TokenKind::Number(value), .. } = number(letters, at + 1)? else { return None };
    let fits = (1.0..100.0).contains(&value)
        && !letters.get(to).is_some_and(|letter| letter.it.is_ascii_alphanumeric());
    fits.then_some(Scanned { to, kind: TokenKind::Percentile(value / 100.0), cost: 0.6 })
}

/// 95th-percentile: digits, and a word behind a hyphen.
fn is_number_and_word(text: &str) -> bool {
    text.split_once('-').is_some_and(|(number, word)| {
        let digits = number.trim_end_matches(|it: char| it.is_ascii_alphabetic());
        let tail = &number[digits.len()..];
        ["", "st", "nd", "rd", "th"].contains(&tail)
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && word.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

/// What only a machine would write so: user_042, /api/v1/orders, 203.0.113.77, v2.4.0, a1b2c3.
fn name(letters: &[Letter], at: usize) -> Option<Scanned> {
    let joins = |it: char| matches!(it, '_' | '-' | '.' | '/' | ':' | '@' | '{' | '}' | '#' | '$');
    let part = |it: char| it.is_ascii_alphanumeric();
    let first = letters[at].it;
    if !part(first) && !matches!(first, '/' | '_' | '$') {
        return None;
    }
    let mut to = run(letters, at, |it| part(it) || joins(it));
    while to > at + 1 && !part(letters[to - 1].it) && letters[to - 1].it != '}' {
        to -= 1;
    }
    let text: String = letters[at..to].iter().map(|letter| letter.it).collect();
    // TOP3 is two words.
    if ["top", "last", "past", "first"].iter().any(|word| {
        text.strip_prefix(word)
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    }) {
        return None;
    }
    // 2pm-4pm, 2-4pm.
    if text.split('-').all(|part| {
        part.trim_end_matches(['a', 'p', 'm']).bytes().all(|byte| byte.is_ascii_digit()) && part.len() <= 4
    }) && text.ends_with('m')
    {
        return None;
    }
    // $1.2k is an amount of money.
    let amount = text.strip_prefix('$').map(|amount| amount.trim_end_matches(['k', 'm', 'b']));
    if amount.is_some_and(|amount| amount.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')) {
        return None;
    }
    let has = |of: fn(char) -> bool| text.chars().any(of);
    let (digit, letter) = (has(|it| it.is_ascii_digit()), has(|it| it.is_ascii_alphabetic()));
    let path = text.starts_with('/') && text.len() > 1;
    let dots = text.matches('.').count();
    let cost = if path || text.contains('_') && letter || text.contains('@') || dots >= 2 && digit {
        1.0
    } else if digit && letter && text.len() >= 3 {
        // 500ms, 3h and 95-percentile are numbers with words.
        let begins = text.starts_with(|it: char| it.is_ascii_digit());
        if begins && (text.len() < 12 || is_number_and_word(&text)) { 2.7 } else { 1.6 }
    } else if letter && (text.contains('-') || dots == 1 || text.contains(':')) {
        2.4
    } else {
        return None;
    };
    Some(Scanned { to, kind: TokenKind::Name, cost })
}
