//! By what the answer is divided, and which values are counted or asked for.

use std::sync::LazyLock;

use regex::Regex;

use super::lexicon;
use super::query::{Field, Group, Length, Period, Test, Unit};
use super::reading::Reading;
use super::scan::{Scan, compile, re};
use super::time;
use super::vocabulary::Vocabulary;

/// Stretches of time into which the answer is cut. Before time is read: "10분 단위" is no period.
pub(super) fn buckets(scan: &mut Scan, reading: &mut Reading) {
    while let Some(found) = scan.take(re!(
        r"(?:매\s*)?({N})\s*(초|분|시간|일|주|개월|달)\s*(?:단위|간격|마다|별|씩|구간|주기|버킷|윈도우|묶음|텀)(?:로|의|으로)?(?:\s*(?:끊어서?|나눠서?|묶어서?|쪼개서?))?"
    ))
    .or_else(|| scan.take(re!(
        r"\b(?:every|per|each|in|by)\s+({N})[\s-]+(seconds?|minutes?|mins?|hours?|days?|weeks?)(?:[\s-]+(?:intervals?|buckets?|windows?|bins?|steps?|slots?))?\b|\b({N})[\s-]+(minutes?|mins?|hours?|days?|weeks?)[\s-]+(?:intervals?|buckets?|windows?|bins?|steps?|slots?)\b"
    )))
    {
        let (amount, unit) = if found.has(1) { (1, 2) } else { (3, 4) };
        if let Some(length) = time::length(found.get(amount), found.get(unit), "") {
            reading.group(Group::Every(length));
        }
    }
    // "10분 안에 … 20번 이상": counted within such stretches.
    // After 최근 it is the period itself.
    if !reading.query.having.is_empty()
        && let Some(found) = scan.find(re!(r"({N})\s*(초|분|시간)\s*(?:안에|이내에|내에|동안)(?:\s*같은)?|\bwithin\s+(?:any\s+|a\s+)?({N})[\s-]+(seconds?|minutes?|hours?)(?:\s+window)?\b"))
        && !re!(r"(?:최근|지난|과거|\blast|\bpast)\s*$").is_match(&scan.rest[..found.start])
    {
        scan.blank(found.start, found.end);
        let (amount, unit) = if found.has(1) { (1, 2) } else { (3, 4) };
        if let Some(length) = time::length(found.get(amount), found.get(unit), "") {
            reading.group(Group::Every(length));
        }
    }
    // "(10분 구간, IP, 횟수)" names the columns again.
    scan.drop_all(re!(r"\(\s*({N})\s*분\s*구간"));
    // "하루 평균", "일평균 에러 수": the average itself is read later.
    if let Some(found) = scan.find(re!(r"(하루|일일|일|매일)\s*평균|\b(daily)\s+average\b")) {
        let word = if found.has(1) { found.get(1).len() } else { "daily".len() };
        scan.blank(found.start, found.start + word);
        reading.group(every(Unit::Day));
    }
    // "하루에 몇 건씩": for each day.
    if let Some(found) = scan.find(re!(
        r"(하루(?:에|당)?|날마다)\s*(?:평균\s*)?(?:각각\s*)?몇\s*(?:건|번|개|회|명|줄|차례)(?:이나)?씩"
    )) {
        scan.blank(found.start, found.start + found.get(1).len());
        reading.group(every(Unit::Day));
    }
    let words = [
        (
            re!(
                r"(?:^|\s)요일\s*(?:별|마다|기준|단위|로|의|에\s*따라)(?:로|으로)?|(?:^|\s)요일(?:이|은|는|을)(?:\s|$)|\b(?:by|per|each)\s+(?:weekday|day\s+of\s+(?:the\s+)?week)\b|\bday\s+of\s+(?:the\s+)?week\b|(?:무슨|어느|어떤)\s*요일"
            ),
            Group::Weekday,
        ),
        (
            re!(
                r"\bhour\s+of\s+(?:the\s+)?day\b|(?:하루\s*중\s*)?(?:몇\s*시(?:에|쯤|대|경|가|인|였|이|\s|[?.,]|$)|시각\s*별)"
            ),
            Group::HourOfDay,
        ),
        (re!(r"\b(?:per|by|each|every)\s+second\b|(?:^|[^가-힣])초\s*(?:별|당)(?:로)?"), every(Unit::Second)),
        (
            re!(
                r"(?:^|[^가-힣])분\s*(?:별|단위|당)(?:로)?|매\s*분|\bminute[\s-]by[\s-]minute\b|\b(?:per|by|each|every)\s+minute\b|\bminutely\b"
            ),
            every(Unit::Minute),
        ),
        (
            re!(
                r"시간\s*대?\s*(?:별|마다|당)(?:로)?|시간\s*(?:단위|간격)(?:으?로)?|매\s*시간?|\bhourly\b|\b(?:per|by|each|every)\s+(?:the\s+)?hour\b|\bhour[\s-]by[\s-]hour\b"
            ),
            every(Unit::Hour),
        ),
        (
            re!(
                r"(?:일자|날짜|하루)\s*(?:별|단위|마다|간격)(?:으?로)?|(?:^|[^가-힣])(?:일|날)\s*(?:별|단위|마다|간격)(?:으?로)?|(?:^|\s)일간(?:\s|$)|하루하루|매일(?:매일)?|\bdaily\b|\b(?:per|by|each|every)\s+(?:the\s+)?(?:day|date)\b|\bday[\s-]by[\s-]day\b"
            ),
            every(Unit::Day),
        ),
        (
            re!(
                r"(?:^|[^가-힣])(?:주차?|주간)\s*(?:별|단위|마다)(?:로)?|(?:^|\s)주간(?:\s|$)|매주|\bweekly\b|\b(?:per|by|each|every)\s+week\b|\bweek[\s-]by[\s-]week\b"
            ),
            every(Unit::Week),
        ),
        (
            re!(
                r"(?:^|[^가-힣])(?:월|달)\s*(?:별|단위|마다)(?:로)?|(?:^|\s)월간(?:\s|$)|매월|매달|\bmonthly\b|\b(?:per|by|each|every)\s+month\b"
            ),
            every(Unit::Month),
        ),
    ];
    for (pattern, group) in words {
        if let Some(found) = scan.take(pattern) {
            scan.drop_all(pattern);
            if found.get(0).contains("대") {
                reading.hour_slots = true;
            }
            reading.group(group);
        }
    }
    // "하루에 100건 넘은 날", "days with more than 100 errors".
    // A number before the days makes them a period.
    if !reading.query.having.is_empty()
        && let Some(found) =
            scan.find(re!(r"(?:^|\s)날(?:짜)?(?:은|이|을|는|들|만|에)*(?:[\s?.,]|$)|\bdays\b|하루에"))
        && !re!(r"(?:{N})\s*$").is_match(&scan.rest[..found.start])
    {
        scan.blank(found.start, found.end);
        while let Some(found) =
            scan.find(re!(r"(?:^|(최근|지난)?\s)(하루)(?:\s|$)")).filter(|found| !found.has(1))
        {
            scan.blank(found.end - found.get(0).trim_start().len(), found.end);
        }
        reading.group(every(Unit::Day));
    }
    // "제일 많이 발생한 날짜": a day is asked for, however far its adjective stands.
    if reading.query.groups.is_empty()
        && scan.said(re!(r"가장|제일|최다|\bmost\b|\bhighest\b|\bfewest\b|\bworst\b|\bbusiest\b"))
        && let Some(found) = scan.find(re!(
            r"[한된난았었던은린온인]\s(날짜|일자|날|시간대|요일)(?:은|는|이|가|을|를|에|만|과|와|이랑|랑|하고)?(?:[\s?,.]|$)|\b(?:the|which|what|single|one)\s+(day|date|hour|weekday)\b"
        ))
    {
        let word = [found.get(1), found.get(2)].concat();
        let at = found.start + found.get(0).find(word.as_str()).unwrap_or_default();
        scan.blank(at, at + word.len());
        scan.drop_all(re!(r"(?:^|\s)하루만"));
        let group = match word.as_str() {
            "시간대" | "hour" => every(Unit::Hour),
            "요일" | "weekday" => Group::Weekday,
            _ => every(Unit::Day),
        };
        reading.hour_slots |= word == "시간대";
        reading.group(group);
        reading.superlative = reading.query.having.is_empty();
        reading.counted = true;
    }
    // "에러가 가장 많았던 시간대", "which hour".
    if let Some(found) = scan.take(re!(r"(시간대|(?:어느|어떤|무슨)\s*시간)(?:는|은|가|를|에)?|\b(?:which|what|busiest|peak|worst)\s+(hours?)\b|\b(hours?)\s+with\b|(?:어느|어떤|무슨)\s*(날짜?)|(?:가장|제일)\s*[가-힣]+\s*(날)(?:은|이|에|\s|\?|$)|\b(?:which|what)\s+(days?)\b")) {
        let day = found.has(4) || found.has(5) || found.has(6);
        if reading.query.groups.is_empty() {
            reading.group(every(if day { Unit::Day } else { Unit::Hour }));
            reading.superlative = reading.query.having.is_empty();
            reading.counted = true;
        }
    }
}

fn every(unit: Unit) -> Group {
    Group::Every(Length { amount: 1, unit })
}

/// How finely to cut a period when nobody said so.
pub(super) fn fitting(period: Option<&Period>, now: &jiff::Zoned) -> Group {
    let hours = match period {
        Some(Period::Last(length)) => match length.unit {
            Unit::Second | Unit::Minute => 1,
            Unit::Hour => i64::from(length.amount),
            Unit::Day => i64::from(length.amount) * 24,
            Unit::Week => i64::from(length.amount) * 168,
            Unit::Month | Unit::Year => i64::from(length.amount) * 720,
        },
        Some(Period::Between { from: Some(from), until }) => {
            let until = until.unwrap_or_else(|| now.timestamp());
            until.duration_since(*from).as_hours()
        }
        _ => 24 * 30,
    };
    match hours {
        ..=1 => every(Unit::Minute),
        2..=48 => every(Unit::Hour),
        _ => every(Unit::Day),
    }
}

/// Dimensions: "서비스별", "by path", "어떤 함수", "사용자 수", "그 서비스".
pub(super) fn dimensions(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    static ROLES: LazyLock<[Regex; 10]> = LazyLock::new(|| {
        [
            // Refers to what was said or found before.
            r"(?:^|[\s,])(?:그\s?(?:럼\s*)?|이\s|해당\s*|저\s|위\s*|방금\s*그?\s*|앞의?\s*|that\s+|this\s+|those\s+|these\s+|the\s+same\s+|its\s+|said\s+)$",
            // Divides: before the word, and after it.
            r"(?:\bby|\bper|\beach|\bfor\s+each|\bevery|\bacross|\bgrouped\s+by|\bgroup\s+by|각|매)\s*(?:the\s+|different\s+)?$",
            r"^\s*(?:\([^)]*\)\s*)?(?:별|마다|당|각각|간)(?:로|의)?",
            // Counts values.
            r"(?:서로\s*다른|다른|고유한?|유니크한?|중복\s*(?:없는|제외한?|제거한?)|몇\s*(?:명|개|가지|종류)의|\bdistinct|\bunique|\bdifferent|\bhow\s+many(?:\s+(?:distinct|unique|different))?|\bnumber\s+of(?:\s+(?:distinct|unique|different))?)\s*$",
            r"^\s*(?:의\s*)?(?:(?:은|는|이|가|을|를)?\s*(?:총\s*|모두\s*|전부\s*)?몇\s*(?:명|가지|종류|곳|개|종|대|군데)(?:이나|이야|야|인지|이지|나|인가)?|(?:개\s*)?수(?:는|를|가|은|도|만|의|와|과|로|\s|$|[?,.)])|종류\s*수)",
            // Asks which.
            r"(?:어떤|어느|무슨|\bwhich|\bwhat|\bwhose)\s*(?:the\s+)?$",
            // Is not there.
            r"^\s*(?:값|정보)?(?:이|가)?\s*(?:비어\s*있|비었|없는|없던|누락|빠진|\bnull\b|(?:is|are)\s+(?:null|empty|missing)\b)[가-힣]*",
            // Is there.
            r"^\s*(?:값|정보)?(?:이|가)?\s*(?:있는|존재하는|붙은|기록된)(?:\s|$)",
            r"(?:\bwith\s+an?\s+|\b(?:has|have|having)\s+an?\s+)$",
            r"(?:\bwithout\s+(?:an?\s+|any\s+)?|\bmissing\s+(?:an?\s+|the\s+|their\s+)?|\bwith\s+no\s+|\blacking\s+(?:an?\s+)?)$",
        ]
        .map(compile)
    });
    let [
        refers,
        by_before,
        by_after,
        counts_before,
        counts_after,
        which,
        lacks_after,
        has_after,
        has_before,
        lacks_before,
    ] = &*ROLES;
    let mut found: Vec<(usize, Field, Role)> = Vec::new();
    // "어떤 에러가 많았어": the kinds are asked for.
    if let Some(place) = scan.find(re!(
        r"(?:어떤|무슨)\s*(?:에러|오류|예외)(?:들이|들|가|이)?(?:\s|$)|\b(?:which|what)\s+(?:kinds?\s+of\s+)?(?:errors|exceptions)\b"
    )) {
        scan.blank(place.start, place.end);
        found.push((place.start, Field::column("error_type"), Role::Asks));
        reading.error_said = true;
        reading.subject = true;
    }
    // "같은 사용자가 같은 에러를 5번": for each of both.
    if !reading.query.having.is_empty()
        && let Some(place) = scan.find(re!(r"(?:같은|동일한?|\bthe\s+same)\s*(?:에러|오류|errors?\b)"))
    {
        scan.blank(place.start, place.end);
        found.push((place.start, Field::column("error_type"), Role::Divides));
        reading.error_said = true;
        reading.subject = true;
    }
    for (field, pattern) in lexicon::dimensions(vocabulary) {
        let mut from = 0;
        while let Some(place) = pattern.find_at(&scan.rest.clone(), from) {
            from = place.end();
            let (text, scan_whole) = (scan.marked(), scan.whole.clone());
            let (before, after) = (&text[..place.start()], &text[place.end()..]);
            // Of its own script: a Korean particle may touch an English word.
            let touches = |near: Option<char>, own: Option<char>| match (near, own) {
                (Some(near), Some(own)) if own.is_ascii() => near.is_ascii_alphanumeric(),
                (Some(near), Some(_)) => near.is_alphanumeric(),
                _ => false,
            };
            let last = place.as_str().chars().next_back().filter(char::is_ascii);
            let inside = touches(before.chars().next_back(), place.as_str().chars().next())
                || touches(after.chars().next(), last);
            if inside || place.as_str().trim().is_empty() {
                continue;
            }
            let mut blank = |start: usize, end: usize| scan.blank(start, end);
            let role = if let Some(word) = lacks_after.find(after) {
                blank(place.end(), place.end() + word.end());
                Role::Lacks
            } else if let Some(word) = lacks_before.find(before) {
                blank(word.start(), word.end());
                Role::Lacks
            } else if let Some(word) = has_after.find(after) {
                blank(place.end(), place.end() + word.end());
                Role::Has
            } else if let Some(word) = has_before.find(before) {
                blank(word.start(), word.end());
                Role::Has
            } else if let Some(word) = by_after.find(after) {
                blank(place.end(), place.end() + word.end());
                Role::Divides
            } else if let Some(word) = by_before.find(before) {
                blank(word.start(), word.end());
                Role::Divides
            } else if let Some(word) = refers.find(scan_whole.get(..place.start()).unwrap_or_default()) {
                blank(word.start(), word.end());
                Role::Refers
            } else if let Some(word) = counts_before.find(before) {
                // "Which distinct versions": they themselves, not how many.
                let listed = re!(r"(?:\bwhich|\bwhat|\blist|\bshow|\bgive)\b[^.?]*$")
                    .is_match(&before[..word.start()])
                    && !scan_whole.contains("number of")
                    && !scan_whole.contains("how many")
                    && !scan_whole.contains("count")
                    || re!(r"^\s*(?:이름|값)?\s*(?:들)?(?:의)?\s*(?:목록|리스트|전부|나열)").is_match(after);
                blank(word.start(), word.end());
                if listed {
                    blank(place.start(), place.end());
                    found.push((place.start(), field.clone(), Role::Asks));
                    continue;
                }
                if let Some(word) = counts_after.find(after) {
                    blank(place.end(), place.end() + word.end());
                }
                Role::Counts
            } else if let Some(word) = counts_after.find(after) {
                blank(place.end(), place.end() + word.end());
                Role::Counts
            } else if let Some(word) = which.find(before) {
                blank(word.start(), word.end());
                Role::Asks
            } else {
                Role::Named
            };
            scan.blank(place.start(), place.end());
            if field.name() == "error_type" || field.name() == "message" {
                reading.error_said |= re!(r"에러|오류|error").is_match(place.as_str());
            }
            // "user_042의 행동을 시간순으로": what they did, one after the other.
            if field.name() == "action_type"
                && role == Role::Named
                && reading.rows
                && reading.query.filter("user_id").is_some()
            {
                reading.journey = true;
                continue;
            }
            // "trace 중 … 몇 개": how many of them.
            let role = match role {
                Role::Named
                    if matches!(
                        field.name(),
                        "trace_id" | "session_id" | "user_id" | "client_ip" | "service"
                    ) && re!(r"^(?:들)?\s*(?:중|가운데)(?:에서|에)?\s").is_match(after)
                        && re!(
                            r"(?:^|\s)(?:건|게|것은?|경우는?|수는?|사람은?)?\s*(?:총\s*)?몇\s*(?:개|건|명|곳)"
                        )
                        .is_match(after) =>
                {
                    Role::Counts
                }
                role => role,
            };
            // "API 응답 중": what answers, not which.
            if field.name() == "path"
                && role == Role::Named
                && re!(r"^apis?$").is_match(place.as_str())
                && re!(r"^\s*(?:응답|요청|호출|서버|로그|에러|오류)").is_match(after)
            {
                continue;
            }
            // An API is a path of a backend.
            if re!(r"\bapis?\b").is_match(place.as_str()) && field.name() == "path" {
                reading.api_said = true;
                if role == Role::Named
                    && re!(r"^apis?$").is_match(place.as_str())
                    && !reading.slowest
                    && !reading.superlative
                {
                    continue;
                }
            }
            found.push((place.start(), field.clone(), role));
        }
    }
    found.sort_by_key(|(start, _, _)| *start);
    for (_, field, role) in found {
        match role {
            Role::Divides => push(&mut reading.divided, field),
            Role::Refers => push(&mut reading.references, field),
            Role::Counts => push(&mut reading.distinct, field),
            Role::Asks => push(&mut reading.asked, field),
            // Nobody counts by whole stacks: it is a part of the line that is to be seen.
            Role::Named if field.name() == "stack_trace" => reading.push(field, Test::Present),
            Role::Named => push(&mut reading.named, field),
            Role::Lacks => reading.push(field, Test::Absent),
            Role::Has => reading.push(field, Test::Present),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Divides,
    Refers,
    Counts,
    Asks,
    Named,
    /// Lines that have no such value, or any.
    Lacks,
    Has,
}

fn push(list: &mut Vec<Field>, field: Field) {
    if !list.contains(&field) {
        list.push(field);
    }
}
