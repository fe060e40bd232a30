//! "최근 3시간", "last 2 weeks", "3일간": how long, rather than when.

use super::read::{Before, Said};
use crate::analyst::understand::query::{Length, Period, Unit};
use crate::analyst::understand::scan::{Scan, number, re};

const LENGTH: &str = r"(?:({N})\s*(초|분|시간|일|주일|주|개월|달|년|seconds?\b|secs?\b|minutes?\b|mins?\b|hours?\b|hrs?\b|days?\b|weeks?\b|months?\b|years?\b|m\b|h\b|d\b|w\b)|(하루|이틀|사흘|나흘|닷새|열흘|보름|일주일|반나절|한나절|반\s*시간|half\s+(?:an?\s+)?(?:hour|day)\b|day\b|hour\b|minute\b))";

macro_rules! with_length {
    ($before:expr, $after:expr) => {{
        static PATTERN: std::sync::LazyLock<regex::Regex> = std::sync::LazyLock::new(|| {
            crate::analyst::understand::scan::compile(&format!("{}{}{}", $before, LENGTH, $after))
        });
        &*PATTERN
    }};
}

/// "최근 3시간", "last 2 weeks", "3일간", and what comes right before such.
pub(super) fn relative(scan: &mut Scan, said: &mut Said) {
    let mut found_at: Vec<(usize, Period)> = Vec::new();
    while let Some(found) = scan.take(with_length!(
        r"(?:그\s*(?:바로\s*)?(?:직전|이전|전|앞)|바로\s*(?:직전|이전|전|앞)|직전|이전|앞선|the\s+(?:previous|preceding|prior)|previous|preceding|prior)\s*의?\s*",
        r"(?:\s*(?:동안|간))?"
    ))
    .or_else(|| scan.take(with_length!(r"(?:the\s+)?", r"\s+(?:before\s+(?:that|it|then|those)|prior|earlier|before\b)")))
    {
        if let Some(length) = length(found.get(1), found.get(2), found.get(3)) {
            said.before = Some(Before::Length(length));
        }
    }
    while let Some(found) = scan
        .take(with_length!(r"(?:최근|지난|과거|요\s*(?:근래|몇)?|\blast\b|\bpast\b|\brecent\b|\bwithin\b|\btrailing\b)\s*(?:the\s+(?:last|past)\s+)?(?:약\s*)?", r"(?:\s*(?:동안|간|이내|내|치|사이|새)(?:에서|에는|에|의|은|는|도|만|으로|로|을|를|까지|요)?(?:[\s,.?!)]|$))?"))
        .or_else(|| scan.take(with_length!("", r"\s*(?:동안|간|이내|내|치|사이|새)(?:에서|에는|에|의|은|는|도|만|으로|로|을|를|까지|요)?(?:[\s,.?!)]|$)")))
        .or_else(|| scan.take(with_length!("", r"\s*(?:전|ago)\s*(?:부터|이후)")))
        .or_else(|| scan.take(with_length!(r"since\s+", r"\s+ago")))
        .or_else(|| scan.take(with_length!("", r"\s*기준")))
    {
        if let Some(length) = length(found.get(1), found.get(2), found.get(3)) {
            found_at.push((found.start, Period::Last(length)));
        }
    }
    while let Some(found) =
        scan.take(re!(r"\b(?:past|the\s+last)\s+(week|month|year)\b|(?:지난|최근|과거)\s*(?:한|1)\s*(주|달)"))
    {
        let unit = match (found.get(1), found.get(2)) {
            ("week", _) | (_, "주") => Unit::Week,
            ("year", _) => Unit::Year,
            _ => Unit::Month,
        };
        found_at.push((found.start, Period::Last(Length { amount: 1, unit })));
    }
    // "24시간으로 늘리면": a length that the question before had otherwise.
    if let Some(found) = scan.find(with_length!(
        r"(?:^|\s)",
        r"(?:으로|로)\s*(?:늘|줄|넓|좁|바꾸|바꿔|확대|축소|변경|한정|하면|보면|해|다시|볼|$|[?.])"
    )) && let Some(length) = length(found.get(1), found.get(2), found.get(3))
    {
        let said = found.get(0).find('로').map_or(found.end, |at| found.start + at + '로'.len_utf8());
        scan.blank(found.start, said);
        found_at.push((found.start, Period::Last(length)));
    }
    found_at.sort_by_key(|(start, _)| *start);
    said.periods.extend(found_at.into_iter().map(|(_, period)| period));
}

/// A bare 최근, and lengths that stand apart from it.
pub(super) fn bare(scan: &mut Scan, said: &mut Said) {
    let recently = scan.drop_all(re!(
        r"최근(?:에|의)?|방금(?:\s*전)?|요즘|요새|근래(?:에)?|\brecently\b|\bjust\s+now\b|\brecent\b"
    ));
    // "지난 일주일(7일)": said twice.
    while let Some(found) = scan.find(with_length!(r"\(\s*(?:최근\s*|last\s+)?", r"(?:\s*간|\s*동안)?\s*\)"))
    {
        let Some(again) = length(found.get(1), found.get(2), found.get(3)) else { break };
        if !said
            .periods
            .iter()
            .any(|period| matches!(period, Period::Last(length) if seconds(*length) == seconds(again)))
        {
            break;
        }
        scan.blank(found.start, found.end);
    }
    if !said.periods.is_empty() || said.before.is_some() {
        return;
    }
    if recently || said.periods.is_empty() {
        let pattern = with_length!(
            r"(?:^|[\s(,])(?:over\s+|for\s+|in\s+|to\s+)?",
            r"(?:[\s),.?]|에|의|으?로(?:\s|$)|$)"
        );
        if let Some(found) = scan.find(pattern)
            && let Some(length) = length(found.get(1), found.get(2), found.get(3))
            && (recently || (found.has(1) && length.unit != Unit::Second))
        {
            scan.blank(found.start, found.end);
            said.periods.push(Period::Last(length));
            return;
        }
    }
    if recently && !said.vague && !said.event {
        said.periods.push(Period::Last(Length { amount: 1, unit: Unit::Hour }));
    }
}

pub(in crate::analyst::understand) fn length(amount: &str, unit: &str, word: &str) -> Option<Length> {
    let of = |amount, unit| Some(Length { amount, unit });
    match word {
        "" => {}
        "하루" | "day" => return of(1, Unit::Day),
        "이틀" => return of(2, Unit::Day),
        "사흘" => return of(3, Unit::Day),
        "나흘" => return of(4, Unit::Day),
        "닷새" => return of(5, Unit::Day),
        "열흘" => return of(10, Unit::Day),
        "보름" => return of(15, Unit::Day),
        "일주일" => return of(1, Unit::Week),
        "반나절" => return of(6, Unit::Hour),
        "한나절" => return of(12, Unit::Hour),
        half if half.starts_with("반") && half.ends_with("시간") => return of(30, Unit::Minute),
        half if half.starts_with("half") && half.ends_with("hour") => return of(30, Unit::Minute),
        half if half.starts_with("half") => return of(12, Unit::Hour),
        "hour" => return of(1, Unit::Hour),
        "minute" => return of(1, Unit::Minute),
        _ => return None,
    }
    let amount = number(amount).filter(|amount| (1..=100_000).contains(amount))?;
    let unit = match unit {
        "초" => Unit::Second,
        "분" => Unit::Minute,
        "시간" => Unit::Hour,
        "일" => Unit::Day,
        "주" | "주일" => Unit::Week,
        "개월" | "달" => Unit::Month,
        "년" => Unit::Year,
        word if word.starts_with('s') => Unit::Second,
        word if word.starts_with("mo") => Unit::Month,
        word if word.starts_with('m') => Unit::Minute,
        word if word.starts_with('h') => Unit::Hour,
        word if word.starts_with('d') => Unit::Day,
        word if word.starts_with('w') => Unit::Week,
        word if word.starts_with('y') => Unit::Year,
        _ => return None,
    };
    of(amount, unit)
}

/// How long that is.
pub(in crate::analyst::understand) fn seconds(length: Length) -> u64 {
    let unit = match length.unit {
        Unit::Second => 1,
        Unit::Minute => 60,
        Unit::Hour => 3_600,
        Unit::Day => 86_400,
        Unit::Week => 604_800,
        Unit::Month => 2_592_000,
        Unit::Year => 31_536_000,
    };
    unit * u64::from(length.amount)
}
