//! Days, weeks, months and dates of the calendar.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _, Zoned};

use super::periods::{Piece, What};
use crate::analyst::understand::scan::{Scan, re};

/// "The day before yesterday", "이틀 전": before lengths are read, which they hold.
pub(super) fn days_ago(scan: &mut Scan, now: &Zoned, pieces: &mut Vec<Piece>) {
    let today = now.date();
    let mut push = |start, end, days: i64| {
        let day = add(today, -days);
        pieces.push(Piece { start, end, what: What::Days(day, add(day, 1)) });
    };
    while let Some(found) = scan.take(re!(r"그끄저께|그끄제")) {
        push(found.start, found.end, 3);
    }
    while let Some(found) = scan
        .take(re!(r"그저께|그제|엊그제|엊그저께|(?:\bon\s+)?(?:the\s+)?\bday\s+before\s+yesterday(?:'s)?\b"))
    {
        push(found.start, found.end, 2);
    }
    while let Some(found) =
        scan.find(re!(r"(하루|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘)\s*전(부터|\s*이후)?"))
    {
        if found.has(2) {
            break;
        }
        scan.blank(found.start, found.end);
        const DAYS: [&str; 10] =
            ["하루", "이틀", "사흘", "나흘", "닷새", "엿새", "이레", "여드레", "아흐레", "열흘"];
        let days = DAYS.iter().position(|name| *name == found.get(1)).map_or(1, |place| place + 1);
        push(found.start, found.end, i64::try_from(days).unwrap_or(1));
    }
    while let Some(found) =
        scan.take(re!(r"(?:작년|지난\s*해|\blast\s+year's)\s*(\d{1,2})월(?:\s*(\d{1,2})일)?"))
    {
        let year = (today.year() - 1).to_string();
        let day = if found.has(2) { found.get(2) } else { "1" };
        let Some(first) = date(&year, found.get(1), day) else { continue };
        let after = if found.has(2) { add(first, 1) } else { add_span(first, 1.month()) };
        pieces.push(Piece { start: found.start, end: found.end, what: What::Days(first, after) });
    }
    while let Some(found) = scan.take(re!(
        r"(?:(\d{1,2})월|(지난\s*달|저번\s*달)|(?:이번\s*달|이달))(?:의)?\s*(?:(첫\s*날)|마지막\s*날|말일)"
    )) {
        let this = today.first_of_month();
        let first = match found.get(1).parse::<i8>() {
            Ok(month) => {
                let year = if month > today.month() { today.year() - 1 } else { today.year() };
                Date::new(year, month, 1).ok()
            }
            Err(_) if found.has(2) => Some(add_span(this, -1.months())),
            Err(_) => Some(this),
        };
        let Some(first) = first else { continue };
        let day = if found.has(3) { first } else { add(add_span(first, 1.month()), -1) };
        pieces.push(Piece { start: found.start, end: found.end, what: What::Days(day, add(day, 1)) });
    }
    while let Some(found) = scan.find(re!(
        r"(?:이번\s*달|이달)\s*(\d{1,2})일|\bon\s+the\s+(\d{1,2})(?:st|nd|rd|th)\b(\s+of\s+[a-z]+)?"
    )) {
        let day = [found.get(1), found.get(2)].concat();
        let Some(day) = date(&today.year().to_string(), &today.month().to_string(), &day) else { break };
        if found.has(3) && !found.get(3).ends_with("month") {
            break;
        }
        scan.blank(found.start, found.end);
        pieces.push(Piece { start: found.start, end: found.end, what: What::Days(day, add(day, 1)) });
    }
}

/// Days, weeks, months and dates of the calendar.
pub(super) fn days(scan: &mut Scan, now: &Zoned, pieces: &mut Vec<Piece>) {
    let today = now.date();
    let monday = add(today, -i64::from(today.weekday().to_monday_zero_offset()));
    let month = today.first_of_month();
    let mut push = |start, end, from: Date, until: Date| {
        pieces.push(Piece { start, end, what: What::Days(from, until) });
    };
    // "지난주 월요일부터 수요일까지", "Monday to Wednesday last week": both ends are of that week.
    while let Some(found) = scan
        .take(re!(
            r"(지지난\s*주|지난\s*주|저번\s*주|이번\s*주|금주|전주)(?:의)?\s*(월|화|수|목|금|토|일)(?:요일)?\s*(?:부터|에서|~|-)\s*(월|화|수|목|금|토|일)요일(?:까지)?"
        ))
        .or_else(|| {
            scan.take(re!(
                r"\b(last\s+week|this\s+week)(?:'s)?,?\s+(?:from\s+)?(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\s+(?:to|through|until|-)\s+(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
            ))
        })
        .or_else(|| {
            scan.take(re!(
                r"\b(?:from\s+)?()(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\s+(?:to|through|until|-)\s+(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\s+(?:of\s+)?(last\s+week|this\s+week)\b"
            ))
        })
    {
        let week = [found.get(1), found.get(4)].concat();
        let back = match week.as_str() {
            word if word.starts_with("지지난") => -14,
            word if word.starts_with(['이', '금']) || word.starts_with("this") => 0,
            _ => -7,
        };
        if let (Some(first), Some(last)) = (weekday(found.get(2)), weekday(found.get(3))) {
            let day = |day: Weekday| add(monday, back + i64::from(day.to_monday_zero_offset()));
            push(found.start, found.end, day(first), add(day(last), 1));
        }
    }
    // "어제랑 지난주 같은 요일": a week before the day that is spoken of.
    while let Some(found) = scan.take(re!(
        r"(?:지난|저번|전)\s*주(?:의)?\s*(?:같은|동일한?)\s*(?:요일|날)|(?:일주일|1주일?|한\s*주)\s*전(?:의)?\s*(?:같은|동일한?)\s*(?:요일|날)|\bthe\s+same\s+(?:day|weekday)\s+(?:of\s+)?(?:last\s+week|(?:the\s+)?(?:previous\s+week|week\s+before)|a\s+week\s+(?:ago|earlier|before))\b"
    )) {
        let back = if scan.said(re!(r"그저께|그제|\bday\s+before\s+yesterday\b")) {
            2
        } else {
            i64::from(scan.said(re!(r"어제|\byesterday\b")))
        };
        let day = add(today, -back - 7);
        push(found.start, found.end, day, add(day, 1));
    }
    // "3월 초", "지난달 말": its first ten days, the ten after, the rest.
    while let Some(found) = scan.take(re!(
        r"(?:(\d{1,2})월|(지난\s*달|저번\s*달)|(?:이번\s*달|이달))(?:의)?\s*(초순?|중순|하순|말)(?:에는|에|경|쯤|께)?(?:[\s,.?!]|$)|\b(early|mid|late)[\s-]+(january|february|march|april|may|june|july|august|september|october|november|december|last\s+month|this\s+month)\b"
    )) {
        let named = found.get(1).parse::<i8>().ok().or_else(|| month_number(found.get(5)));
        let first = match named {
            Some(month) => {
                let year = if month > today.month() { today.year() - 1 } else { today.year() };
                Date::new(year, month, 1).ok()
            }
            None if found.has(2) || found.get(5).starts_with("last") => Some(add_span(month, -1.months())),
            None => Some(month),
        };
        let Some(first) = first else { continue };
        let (from, until) = match (found.get(3).chars().next(), found.get(4)) {
            (Some('초'), _) | (None, "early") => (first, add(first, 10)),
            (Some('중'), _) | (None, "mid") => (add(first, 10), add(first, 20)),
            _ => (add(first, 20), add_span(first, 1.month())),
        };
        push(found.start, found.end, from, until);
    }
    while let Some(found) = scan.take(re!(
        r"(지난|저번|전|직전)\s*분기|(?:이번|금|현)\s*분기|\b(last|previous)\s+quarter\b|\b(?:this|the\s+current)\s+quarter\b"
    )) {
        let into = i64::from((today.month() - 1) % 3);
        let this = add_span(month, (-into).months());
        let (from, until) = match found.has(1) || found.has(2) {
            true => (add_span(this, -3.months()), this),
            false => (this, add_span(this, 3.months())),
        };
        push(found.start, found.end, from, until);
    }
    while let Some(found) = scan.take(re!(
        r"(지지난\s*주|지난\s*주|저번\s*주|이번\s*주|금주|전주|({N})\s*주\s*전)(?:의)?\s*(월|화|수|목|금|토|일)요일"
    )) {
        let week = match found.get(1).chars().next() {
            Some('지') if found.get(1).starts_with("지지난") => -14,
            Some('이' | '금') => 0,
            _ => -7 * found.number(2).map_or(1, i64::from),
        };
        if let Some(day) = weekday(found.get(3)) {
            let day = add(monday, week + i64::from(day.to_monday_zero_offset()));
            push(found.start, found.end, day, add(day, 1));
        }
    }
    while let Some(found) = scan.take(re!(
        r"(?:(last\s+week(?:'s)?(?:\s+on)?|지난|last|this past|on|이번)\s*)?\b?(월요일|화요일|수요일|목요일|금요일|토요일|일요일|\bmonday\b|\btuesday\b|\bwednesday\b|\bthursday\b|\bfriday\b|\bsaturday\b|\bsunday\b)(?:\s+(last\s+week|this\s+week|of\s+last\s+week|of\s+this\s+week))?"
    )) {
        let Some(day) = weekday(found.get(2)) else { continue };
        let offset = i64::from(day.to_monday_zero_offset());
        let day = if found.get(3).contains("last") || found.get(1).starts_with("last week") {
            add(monday, offset - 7)
        } else if found.get(3).contains("this") || found.get(1) == "이번" {
            add(monday, offset)
        } else {
            let back = (i64::from(today.weekday().to_monday_zero_offset()) - offset).rem_euclid(7);
            let back = if back == 0 && found.has(1) && found.get(1) != "on" { 7 } else { back };
            add(today, -back)
        };
        push(found.start, found.end, day, add(day, 1));
    }
    let next_month = |date: Date| add_span(date, 1.month());
    let words: &[(&regex::Regex, Date, Date)] = &[
        (re!(r"어제|어젯|어저께|작일|\byesterday(?:'s)?\b|전일(?:\s|$)"), add(today, -1), today),
        (re!(r"오늘|금일|\btoday(?:'s)?\b|\bso\s+far\s+today\b"), today, add(today, 1)),
        (
            re!(
                r"(?:지난|저번)\s*주?\s*주말|주말\s*(?:동안|사이)|last\s+weekend|(?:over|during|on|at|for)\s+the\s+(?:past\s+)?weekend"
            ),
            add(monday, -2),
            monday,
        ),
        (re!(r"이번\s*주말|this\s+weekend"), add(monday, 5), add(monday, 7)),
        (
            re!(r"지지난\s*주|저저번\s*주|the\s+week\s+before\s+last|2주\s*전"),
            add(monday, -14),
            add(monday, -7),
        ),
        (re!(r"지난\s*주|저번\s*주|\blast\s+week(?:'s)?\b|\bprevious\s+week\b"), add(monday, -7), monday),
        (
            re!(r"이번\s*주|금주|\b(?:this|the\s+current)\s+week(?:\s+so\s+far)?\b|\bweek\s+to\s+date\b"),
            monday,
            add(monday, 7),
        ),
        (
            re!(r"지지난\s*달|저저번\s*달|the\s+month\s+before\s+last"),
            add_span(month, -2.months()),
            add_span(month, -1.months()),
        ),
        (
            re!(r"지난\s*달|저번\s*달|전월|\blast\s+month(?:'s)?\b|\bin\s+the\s+previous\s+month\b"),
            add_span(month, -1.months()),
            month,
        ),
        (
            re!(
                r"이번\s*달|이달|금월|당월|\b(?:this|the\s+current)\s+month(?:\s+so\s+far)?\b|\bmonth\s+to\s+date\b"
            ),
            month,
            next_month(month),
        ),
        (re!(r"작년|지난\s*해|\blast\s+year\b"), year(today, -1), year(today, 0)),
        (re!(r"올해|금년|\bthis\s+year\b|\byear\s+to\s+date\b"), year(today, 0), year(today, 1)),
    ];
    for (pattern, from, until) in words {
        while let Some(found) = scan.take(pattern) {
            push(found.start, found.end, *from, *until);
        }
    }
    while let Some(found) = scan.take(re!(r"({N})\s*(?:일|days?)\s*(?:전|ago)")) {
        if let Some(days) = found.number(1) {
            let day = add(today, -i64::from(days));
            push(found.start, found.end, day, add(day, 1));
        }
    }
    while let Some(found) = scan
        .take(re!(r"(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?:t\b|일)?"))
        .or_else(|| scan.take(re!(r"(\d{4})년\s*(\d{1,2})월\s*(\d{1,2})일")))
    {
        if let Some(day) = date(found.get(1), found.get(2), found.get(3)) {
            push(found.start, found.end, day, add(day, 1));
        }
    }
    // The year is not said: the latest such day that is not to come.
    let recent = |month: &str, day: &str| {
        let this = date(&today.year().to_string(), month, day)?;
        if this > today { date(&(today.year() - 1).to_string(), month, day) } else { Some(this) }
    };
    while let Some(found) = scan
        .take(re!(r"(\d{1,2})월\s*(\d{1,2})일?(?:\s*(?:부터|에서|~|-|–)\s*(\d{1,2})일)"))
        .or_else(|| scan.take(re!(r"(\d{1,2})월\s*(\d{1,2})일")))
        .or_else(|| scan.take(re!(r"\b(\d{1,2})/(\d{1,2})\b")))
    {
        let first = recent(found.get(1), found.get(2));
        let last = if found.has(3) { recent(found.get(1), found.get(3)) } else { first };
        if let (Some(first), Some(last)) = (first, last) {
            push(found.start, found.end, first, add(last, 1));
        }
    }
    while let Some(found) = scan
        .take(re!(r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:\s*(?:-|–|to|through|until)\s*(\d{1,2})(?:st|nd|rd|th)?\b)?(?:,?\s+\d{4}\b)?"))
        .or_else(|| scan.take(re!(r"\b(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b")))
    {
        let (name, day) = if month_number(found.get(1)).is_some() { (1, 2) } else { (2, 1) };
        let Some(month) = month_number(found.get(name)).map(|month| month.to_string()) else { continue };
        let first = recent(&month, found.get(day));
        let last = if name == 1 && found.has(3) { recent(&month, found.get(3)) } else { first };
        if let (Some(first), Some(last)) = (first, last) {
            push(found.start, found.end, first, add(last, 1));
        }
    }
    while let Some(found) = scan.take(re!(r"(?:(\d{4})년\s*)?(\d{1,2})월(?:\s*한\s*달|\s*달)?"))
        .or_else(|| scan.take(re!(r"\b(?:in|of|for|during)\s+()(january|february|march|april|may|june|july|august|september|october|november|december)\b(?:\s+\d{4}\b)?")))
    {
        let month = month_number(found.get(2)).map_or_else(|| found.get(2).to_owned(), |month| month.to_string());
        let first = if found.has(1) { date(found.get(1), &month, "1") } else { recent(&month, "1") };
        if let Some(first) = first {
            push(found.start, found.end, first, next_month(first));
        }
    }
}

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    const DAYS: [(&str, &str, Weekday); 7] = [
        ("월", "mon", Weekday::Monday),
        ("화", "tue", Weekday::Tuesday),
        ("수", "wed", Weekday::Wednesday),
        ("목", "thu", Weekday::Thursday),
        ("금", "fri", Weekday::Friday),
        ("토", "sat", Weekday::Saturday),
        ("일", "sun", Weekday::Sunday),
    ];
    DAYS.iter().find(|(ko, en, _)| word.starts_with(ko) || word.starts_with(en)).map(|(_, _, day)| *day)
}

fn month_number(word: &str) -> Option<i8> {
    const NAMES: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let place = NAMES.iter().position(|name| word.starts_with(name))?;
    i8::try_from(place + 1).ok()
}

fn date(year: &str, month: &str, day: &str) -> Option<Date> {
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

pub(super) fn add(date: Date, days: i64) -> Date {
    add_span(date, days.days())
}

fn add_span(date: Date, span: Span) -> Date {
    date.saturating_add(span)
}

fn year(today: Date, years: i64) -> Date {
    add_span(today.first_of_year(), years.years())
}
