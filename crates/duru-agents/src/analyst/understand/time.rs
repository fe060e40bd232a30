//! Time as people say it, in the asker's time zone.

use jiff::civil::{Date, Weekday};
use jiff::{Span, Timestamp, ToSpan as _, Zoned};

use super::clock::{self, Hours};
use super::query::{Length, Period, Unit};
use super::scan::{Scan, number, re};

/// What a question says about time.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    /// In the order of the question.
    pub(super) periods: Vec<Period>,
    /// A period that is named by what it precedes.
    pub(super) before: Option<Before>,
    /// 조금 전, a while ago: nobody can say how long.
    pub(super) vague: bool,
    /// "Around the release": known to the asker only.
    pub(super) event: bool,
    /// Hours of every day of a longer period.
    pub(super) hours: Option<(u8, u8)>,
    pub(super) weekdays: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// "그 직전 24시간".
    Length(Length),
    /// "The day before", "전주": as long as this unit.
    Unit(Unit),
    /// "그 전 같은 기간".
    Same,
}

/// A piece of a time expression and where it stands.
#[derive(Debug, Clone)]
struct Piece {
    start: usize,
    end: usize,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    /// Whole days, half open.
    Days(Date, Date),
    Hours(Hours),
}

const LENGTH: &str = r"(?:({N})\s*(초|분|시간|일|주일|주|개월|달|년|seconds?\b|secs?\b|minutes?\b|mins?\b|hours?\b|hrs?\b|days?\b|weeks?\b|months?\b|years?\b|m\b|h\b|d\b|w\b)|(하루|이틀|사흘|나흘|닷새|열흘|보름|일주일|반나절|한나절|반\s*시간|half\s+(?:an?\s+)?(?:hour|day)\b|day\b|hour\b|minute\b))";

macro_rules! with_length {
    ($before:expr, $after:expr) => {{
        static PATTERN: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| super::scan::compile(&format!("{}{}{}", $before, LENGTH, $after)));
        &*PATTERN
    }};
}

pub(super) fn read(scan: &mut Scan, now: &Zoned, same_hours: bool) -> Said {
    let vague = scan.drop_all(re!(
        r"요\s*며칠|며칠(?:간|\s*동안|\s*새|\s*사이)|(?:last|past)\s+(?:few|couple\s+of)\s+(?:minutes|hours|days|weeks)|조금\s*전|좀\s*전|얼마\s*전|얼마전|며칠\s*전|몇\s*(?:시간|분|일|주|달)\s*전|한참\s*전|예전|옛날|아까|잠시\s*전|이따|언젠가|^\s*(?:이)?전에\s|(?:^|\s)(?:요|일)전에(?:\s|$)|(?:지난|저)번에(?:\s|$)|\bpreviously\b|\bat\s+some\s+point\b|\bin\s+the\s+past(?:[?.,]|$)|(?:several|some|a\s+few|a\s+couple\s+of)\s+(?:minutes|hours|days|weeks)\s+(?:ago|back)|a\s+(?:little\s+)?while\s+(?:ago|back)|some\s*time\s+(?:ago|back)|a\s+few\s+(?:minutes|hours|days|weeks)\s+ago|earlier(?:\s+today)?\b|the\s+other\s+day|\bonce\b|not\s+long\s+ago|a\s+moment\s+ago|lately\b|a\s+bit\s+ago|back\s+then"
    ));
    let event = scan.drop_all(re!(
        r"(?:배포|릴리스|릴리즈|출시|업데이트|패치|점검)(?:를|을)?\s*(?:하고|되고|끝나고)\s*(?:나서|난\s*(?:뒤|후|다음)(?:에|로)?)?|(?:(?:그|지난|마지막|최근|이번)\s*)?(?:배포|릴리스|릴리즈|출시|업데이트|장애|점검|사고|이벤트|마이그레이션|패치)(?:가|이|를|을)?\s*(?:났을|있었던|된|한|하기)?\s*(?:직후|이후|후|전후|직전|이전|전|때|당시|시점|무렵|즈음|부터)(?:에|로|의)?|(?:around|since|after|before|during|at)\s+(?:the\s+time\s+of\s+)?(?:the\s+|our\s+|that\s+|this\s+)?(?:last\s+|latest\s+|recent\s+)?(?:release|deploy(?:ment)?|rollout|incident|outage|launch|maintenance|migration|upgrade)\b|그때|그\s*당시|그\s*시점|그\s*시간대?|\bback\s+then\b|at\s+that\s+time"
    ));
    let mut said = Said { vague, event, ..Said::default() };
    let mut pieces = Vec::new();
    days_ago(scan, now, &mut pieces);
    // "어제 하루 동안" is yesterday.
    while let Some(found) = scan.find(re!(r"(?:오늘|어제|그저께|그제|\d일(?:\s*전)?|이틀\s*전|사흘\s*전|요일|주말|지난\s*주|이번\s*주|지난\s*달|이번\s*달|\d월)\s*(하루(?:\s*(?:동안|종일|내내|치))?|이틀(?:\s*(?:동안|간|내내))?|한\s*(?:주|달)(?:\s*동안|간)?)")) {
        scan.blank(found.end - found.get(1).len(), found.end);
    }
    relative(scan, &mut said);
    let long =
        said.periods.iter().any(|period| matches!(period, Period::Last(one) if seconds(*one) > 604_800));
    if long {
        // "최근 30일 동안 일요일에": every one of them.
        while let Some(found) = scan.find(re!(
            r"(?:(?:매주|\bon)\s*)?\b?(월요일|화요일|수요일|목요일|금요일|토요일|일요일|\bmondays?\b|\btuesdays?\b|\bwednesdays?\b|\bthursdays?\b|\bfridays?\b|\bsaturdays?\b|\bsundays?\b)(?:마다|에만|에|만)?"
        )) {
            let before = scan.rest[..found.start].trim_end();
            let Some(day) = weekday(found.get(1)) else { break };
            if before.ends_with("지난") || before.ends_with("이번") || before.ends_with("last") || before.ends_with("주") {
                break;
            }
            scan.blank(found.start, found.end);
            said.weekdays.push(u8::try_from(day.to_monday_one_offset()).unwrap_or(1));
        }
    }
    days(scan, now, &mut pieces);
    clock::read(scan, |start, end, hours| pieces.push(Piece { start, end, what: What::Hours(hours) }));
    pieces.sort_by_key(|piece| piece.start);
    // "점심시간(12시~13시)": what is in the brackets says it better.
    let glossed = |pair: &[Piece]| {
        let both = matches!(pair, [Piece { what: What::Hours(_), .. }, Piece { what: What::Hours(_), .. }]);
        both && scan.whole.get(pair[0].end..pair[1].start).is_some_and(|gap| gap.trim() == "(")
    };
    let loose: Vec<usize> =
        pieces.windows(2).filter(|pair| glossed(pair)).map(|pair| pair[0].start).collect();
    pieces.retain(|piece| !loose.contains(&piece.start));
    if same_hours {
        repeat_hours(now, &mut pieces);
    }
    combine(scan, now, &pieces, &mut said);
    if scan.drop_all(re!(r"평일(?:에만|에|만|의)?|(?:\bon\s+)?\bweekdays\b")) {
        said.weekdays.extend(1..=5);
    }
    if scan.drop_all(re!(r"주말(?:에만|에|만|의)?|(?:\bon\s+)?\bweekends\b")) {
        said.weekdays.extend(6..=7);
    }
    before_words(scan, &mut said);
    bare(scan, &mut said);
    said
}

/// "v2.4.0 올린 뒤로": since something that only the asker knows.
pub(super) fn rolled_out(scan: &mut Scan) -> bool {
    scan.drop_all(re!(
        r"(?:v?\d+\.\d+\.\d+\s*)(?:버전\s*)?(?:을|를|이|가|으로|로)?\s*(?:올린|올라간|올라온|배포(?:한|된|하고)?|나간|적용(?:한|된)?|출시(?:한|된)?|릴리[스즈](?:한|된)?|업데이트(?:한|된)?)\s*(?:뒤|후|이후|다음|직후|때)(?:로|에|부터|의)?|\b(?:since|after)\s+(?:we\s+|the\s+)?(?:deployed|released|shipped|rolled\s+out|release\s+of|rollout\s+of|deployment\s+of)\s+v?\d+\.\d+\.\d+|\b(?:since|after)\s+v?\d+\.\d+\.\d+\s+(?:(?:was\s+)?(?:deployed|released|shipped|rolled\s+out)|went\s+(?:live|out)|release|rollout|deployment)\b"
    ))
}

/// "최근 3시간", "last 2 weeks", "3일간", and what comes right before such.
fn relative(scan: &mut Scan, said: &mut Said) {
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

pub(super) fn length(amount: &str, unit: &str, word: &str) -> Option<Length> {
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

/// "The day before yesterday", "이틀 전": before lengths are read, which they hold.
fn days_ago(scan: &mut Scan, now: &Zoned, pieces: &mut Vec<Piece>) {
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
fn days(scan: &mut Scan, now: &Zoned, pieces: &mut Vec<Piece>) {
    let today = now.date();
    let monday = add(today, -i64::from(today.weekday().to_monday_zero_offset()));
    let month = today.first_of_month();
    let mut push = |start, end, from: Date, until: Date| {
        pieces.push(Piece { start, end, what: What::Days(from, until) });
    };
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

fn weekday(word: &str) -> Option<Weekday> {
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

fn add(date: Date, days: i64) -> Date {
    add_span(date, days.days())
}

fn add_span(date: Date, span: Span) -> Date {
    date.saturating_add(span)
}

fn year(today: Date, years: i64) -> Date {
    add_span(today.first_of_year(), years.years())
}

/// "오늘 오전과 어제 같은 시간대": the hours of one day are those of the other; those of a day that is
/// not over yet end now.
fn repeat_hours(now: &Zoned, pieces: &mut Vec<Piece>) {
    let hours = pieces.iter().find_map(|piece| match piece.what {
        What::Hours(hours) => Some(hours),
        What::Days(..) => None,
    });
    let minutes = i64::from(now.hour()) * 60 + i64::from(now.minute());
    let hours = hours.unwrap_or(Hours { from: 0, until: minutes, exact: false });
    let mut place = 0;
    while place < pieces.len() {
        let bare = !matches!(pieces.get(place + 1), Some(Piece { what: What::Hours(_), .. }));
        if let What::Days(first, after) = pieces[place].what
            && bare
            && after == add(first, 1)
        {
            let end = pieces[place].end;
            pieces.insert(place + 1, Piece { start: end, end, what: What::Hours(hours) });
            place += 1;
        }
        place += 1;
    }
}

/// Puts days and hours that belong together into periods.
fn combine(scan: &mut Scan, now: &Zoned, pieces: &[Piece], said: &mut Said) {
    let today = now.date();
    let zone = now.time_zone();
    let at = |date: Date, minutes: i64| -> Option<Timestamp> {
        let midnight = date.to_zoned(zone.clone()).ok()?;
        Some(midnight.checked_add(minutes.minutes()).ok()?.timestamp())
    };
    let comparing = scan.said(re!(r"비교|대비|\bcompar|\bversus\b|\bvs\b|\bthan\b|차이|\bchange\b"));
    let mut place = 0;
    let mut last_day: Option<(Date, Date)> = None;
    while let Some(piece) = pieces.get(place) {
        let start = piece.start;
        let mut end = piece.end;
        let (mut from, mut until);
        match piece.what {
            What::Days(first, after) => {
                last_day = Some((first, after));
                (from, until) = (at(first, 0), at(after, 0));
                if let Some(Piece { end: stop, start: begin, what: What::Hours(hours) }) =
                    pieces.get(place + 1)
                    && near(scan, end, *begin)
                {
                    place += 1;
                    end = *stop;
                    if after > add(first, 1) {
                        said.hours = Some(hours.whole());
                    } else {
                        (from, until) = (at(first, hours.from), at(first, hours.until));
                        // "Last night" and "밤 10시부터 2시" reach into the next day.
                    }
                }
                if let Some(Piece { end: stop, start: begin, what: What::Days(_, other) }) =
                    pieces.get(place + 1)
                    && joins(scan, end, *begin, comparing)
                {
                    place += 1;
                    end = *stop;
                    until = at(*other, 0);
                    last_day = Some((add(*other, -1), *other));
                    if let Some(Piece { end: stop, start: begin, what: What::Hours(hours) }) =
                        pieces.get(place + 1)
                        && near(scan, end, *begin)
                    {
                        place += 1;
                        end = *stop;
                        let minutes = if hours.exact { hours.from } else { hours.until };
                        until = at(add(*other, -1), minutes);
                    }
                }
            }
            What::Hours(hours) => {
                // Hours of every day of a longer period, or of the day that was said, or of today.
                let daily = said.periods.iter().any(|period| match period {
                    Period::Last(length) => {
                        !matches!(length.unit, Unit::Second | Unit::Minute | Unit::Hour) || length.amount > 48
                    }
                    _ => false,
                });
                let later_days = pieces.iter().skip(place + 1).find_map(|piece| match piece.what {
                    What::Days(first, after) => Some((first, after)),
                    What::Hours(_) => None,
                });
                let (first, after) = last_day.or(later_days).unwrap_or((today, add(today, 1)));
                if daily || after > add(first, 1) {
                    said.hours = Some(hours.whole());
                    scan.blank(start, end);
                    place += 1;
                    continue;
                }
                if last_day.is_some() {
                    said.periods.pop();
                } else if later_days.is_some() {
                    // The day that follows is the one meant.
                    place += 1;
                    while let Some(piece) = pieces.get(place) {
                        end = piece.end;
                        place += 1;
                        if matches!(piece.what, What::Days(..)) {
                            break;
                        }
                    }
                    place -= 1;
                }
                (from, until) = (at(first, hours.from), at(first, hours.until));
            }
        }
        // "부터" without an end, "까지" without a beginning.
        let after = scan.whole.get(end..).unwrap_or_default();
        let before = scan.whole.get(..start).unwrap_or_default();
        let open =
            re!(r"^\s*(?:부터|이후|이래|onwards?)(?:로|에|의)?").find(after).map(|found| end + found.end());
        let closed = re!(r"^\s*(?:이전|전까지|까지)(?:에|의)?").find(after).map(|found| end + found.end());
        let single = re!(r"부터|~|between|from|에서|\bto\b|\buntil\b|\bthrough\b")
            .find(&scan.whole[start..end])
            .is_none();
        if let Some(stop) = open.filter(|_| single) {
            // "어제 6시 이후" is still yesterday; "어제 6시부터" goes on.
            let day = match piece.what {
                What::Days(first, after) if after == add(first, 1) && end > piece.end => Some(after),
                _ => None,
            };
            let same_day = scan.whole[end..stop].contains("이후");
            until = day.filter(|_| same_day).and_then(|after| at(after, 0));
            end = stop;
        } else if single
            && (re!(r"(?:\bsince|\bafter)\s*$").is_match(before)
                // "Errors from yesterday" are yesterday's; "from 10am" and "from March 3" go on.
                || re!(r"\bfrom\s*$").is_match(before)
                    && !re!(r"^(?:yesterday|today|the\s+day|last|this|오늘|어제|monday|tuesday|wednesday|thursday|friday|saturday|sunday)")
                        .is_match(scan.whole[start..end].trim_start()))
        {
            until = None;
        } else if let Some(stop) = closed {
            if single {
                // Whole days count to their end; what is before them, and clock times, to their beginning.
                let clock = matches!(piece.what, What::Hours(Hours { exact: true, .. })) || end > piece.end;
                if clock || scan.whole[end..stop].contains("이전") {
                    until = from;
                }
                // "오늘 10시까지" begins with the day.
                let day = match piece.what {
                    What::Days(first, _) => first,
                    What::Hours(_) => today,
                };
                from = if clock { at(day, 0) } else { None };
            }
            end = stop;
        } else if re!(r"(?:\bbefore|\buntil)\s*$").is_match(before) && single {
            until = from;
            from = None;
        }
        // Nothing was written after now.
        let until = until.filter(|until| *until <= now.timestamp());
        scan.blank(start, end);
        said.periods.push(Period::Between { from, until });
        place += 1;
    }
}

/// Whether nothing but a particle is between a day and its hours.
fn near(scan: &Scan, end: usize, start: usize) -> bool {
    let gap = scan.whole.get(end..start).unwrap_or("?");
    re!(r"^(?:\s|의|에|은|,|at|between|from|in\s+the|t)*$").is_match(gap)
}

/// Whether two days are the ends of one period.
fn joins(scan: &Scan, end: usize, start: usize, comparing: bool) -> bool {
    let gap = scan.whole.get(end..start).unwrap_or("?").trim();
    match gap {
        "부터" | "에서" | "~" | "-" | "–" | "to" | "until" | "till" | "through" | "thru" => true,
        "and" => !comparing && scan.said(re!(r"\bbetween\b")),
        "와" | "과" => !comparing && scan.said(re!(r"사이")),
        _ => false,
    }
}

/// "The day before", "전주": named by what they precede.
fn before_words(scan: &mut Scan, said: &mut Said) {
    if let Some(found) = scan.take(re!(
        r"(그\s*전날|전날|the\s+day\s+before|the\s+previous\s+day|previous\s+day|day[\s-]over[\s-]day)|(그\s*전\s*주|전주|the\s+week\s+before|previous\s+week|week[\s-]over[\s-]week)|(그\s*전\s*달|전월|the\s+month\s+before|previous\s+month|month[\s-]over[\s-]month)|(그\s*(?:직전|이전|전)(?:의)?\s*(?:같은|동일한?)\s*(?:기간|시간)|직전\s*(?:동일\s*)?기간|이전\s*기간|(?:the\s+)?(?:previous|preceding|prior)\s+period|the\s+same\s+period\s+before)"
    )) {
        let unit = if found.has(1) {
            Before::Unit(Unit::Day)
        } else if found.has(2) {
            Before::Unit(Unit::Week)
        } else if found.has(3) {
            Before::Unit(Unit::Month)
        } else {
            Before::Same
        };
        // "Week over week" beside both weeks only names the comparison.
        if said.periods.len() < 2 && said.before.is_none() {
            said.before = Some(unit);
        }
    }
}

/// A bare 최근, and lengths that stand apart from it.
fn bare(scan: &mut Scan, said: &mut Said) {
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

/// How long that is.
pub(super) fn seconds(length: Length) -> u64 {
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

/// The period of the same length right before, and one unit earlier.
pub(super) fn earlier(period: &Period, unit: Option<Unit>, now: &Zoned) -> Option<Period> {
    match (period, unit) {
        (Period::Last(length), None) => Some(Period::BeforeLast(*length)),
        (Period::Last(length), Some(unit)) => {
            let whole = Length { amount: 1, unit };
            (*length == whole || unit == Unit::Day && *length == Length { amount: 24, unit: Unit::Hour })
                .then_some(Period::BeforeLast(*length))
        }
        (Period::Between { from: Some(from), until }, unit) => {
            let zone = now.time_zone().clone();
            let from = from.to_zoned(zone.clone());
            // A period that is not over yet is compared with the whole one before it.
            let end = until.map(|until| until.to_zoned(zone));
            let span: Span = match unit {
                Some(Unit::Day) => 1.day(),
                Some(Unit::Week) => 1.week(),
                Some(Unit::Month) => 1.month(),
                Some(Unit::Year) => 1.year(),
                _ => {
                    let end = end.clone().unwrap_or_else(|| now.clone());
                    let days = (&end - &from).total((jiff::Unit::Day, &from)).ok()?.ceil();
                    if end.time() == from.time() || until.is_none() {
                        (days as i64).max(1).days()
                    } else {
                        &end - &from
                    }
                }
            };
            let begin = from.checked_sub(span).ok()?;
            let finish = match end {
                Some(end) => end.checked_sub(span).ok()?,
                None => from,
            };
            Some(Period::Between { from: Some(begin.timestamp()), until: Some(finish.timestamp()) })
        }
        _ => None,
    }
}
