//! Services, environments and kinds of programs.

use std::sync::LazyLock;

use regex::Regex;

use super::negation::negated;
use super::values::find_word;
use crate::analyst::understand::lexicon::{self, SERVICE_STEMS};
use crate::analyst::understand::query::Field;
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{Scan, compile, re};
use crate::analyst::understand::vocabulary::Vocabulary;

/// Services by their names, parts of them, and what people call them.
pub(in crate::analyst::understand) fn services(
    scan: &mut Scan,
    vocabulary: &Vocabulary,
    reading: &mut Reading,
) {
    let field = || Field::column("service");
    const KIND: &str = r"(?:\s*(?:서비스|쪽|서버|시스템|파트|모듈|팀|앱|api|\bservices?\b|\bservers?\b|\bapis?\b|\bapps?\b|\bside\b))*";
    static AFTER: LazyLock<Regex> = LazyLock::new(|| compile(&format!("^{KIND}")));
    // "All services with errors" asks for them.
    let asked_for =
        scan.has(re!(r"\ball\s+(?:of\s+the\s+)?services?\s+(?:with|that|which|whose|where|having)\b"));
    if !asked_for && scan.drop_all(re!(r"(?:전체|모든|전\s)\s*서비스(?:에서|에|의|를)?(?:\s*걸쳐)?|(?:across\s+)?\ball\s+(?:of\s+the\s+)?services?\b|서비스\s*전체|전사")) {
        reading.every_service = true;
    }
    let mut names: Vec<&String> = vocabulary.services().iter().collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        for spelled in [name.to_ascii_lowercase(), name.replace(['-', '_'], " ").to_ascii_lowercase()] {
            while let Some(start) = find_word(&scan.rest, &spelled) {
                let mut end = start + spelled.len();
                end += AFTER.find(scan.rest.get(end..).unwrap_or_default()).map_or(0, |found| found.end());
                scan.blank(start, end);
                let without = negated(scan, start, end);
                reading.add(field(), name, without);
            }
        }
    }
    // Before the parts of names: "order-wbe" is one name and not what is about orders.
    misspelt(scan, vocabulary, reading);
    static STEMS: LazyLock<Vec<(Regex, &[&str])>> = LazyLock::new(|| {
        SERVICE_STEMS
            .iter()
            .map(|(words, stems)| {
                let mut words: Vec<&str> = words.split('|').collect();
                // The longer name first: 센서 허브 before 센서.
                words.sort_by_key(|word| std::cmp::Reverse(word.len()));
                let words: Vec<String> = words
                    .into_iter()
                    .map(|word| if word.is_ascii() { format!(r"\b{word}\b") } else { word.to_owned() })
                    .collect();
                (compile(&format!(r"(?:{})({KIND})", words.join("|"))), *stems)
            })
            .collect()
    });
    for (pattern, stems) in STEMS.iter() {
        let of: Vec<&String> = vocabulary
            .services()
            .iter()
            .filter(|service| service.split(['-', '_', '.']).any(|part| stems.contains(&part)))
            .collect();
        let mut from = 0;
        while let Some(captures) = pattern.captures_at(&scan.rest.clone(), from) {
            let (Some(all), Some(kind)) = (captures.get(0), captures.get(1)) else { break };
            from = all.end();
            let kind = kind.as_str().trim();
            let before = scan.rest.get(..all.start()).and_then(|text| text.chars().next_back());
            let after = scan.rest.get(all.end()..).unwrap_or_default();
            let inside = before.is_some_and(|before| before.is_alphanumeric());
            // People and sensors are also what is counted; a phone is not its app.
            let also = stems.contains(&"user") || stems.contains(&"account");
            let counted = re!(
                r"^\s*(?:\([^)]*\)\s*)?(?:별|마다|당|수|id|아이디|기기|디바이스|단말|크기|사이즈|금액|에러\s*유형별?\s*비교)"
            )
            .is_match(after);
            let other =
                kind.is_empty() && (also || counted) || inside || stems.contains(&"mobile") && counted;
            if other || of.is_empty() {
                continue;
            }
            scan.blank(all.start(), all.end());
            match of.as_slice() {
                [one] => {
                    let without = negated(scan, all.start(), all.end());
                    reading.add(field(), one, without);
                }
                several => reading.unclear_services.extend(several.iter().map(|name| (*name).clone())),
            }
        }
    }
    if reading.query.filter("service").is_none() {
        parts(scan, vocabulary, reading);
    }
}

/// "pyment-api": nearly a service's name, so the person is asked whether it is meant.
fn misspelt(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    let joined = re!(r"\b[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+\b");
    let mut from = 0;
    while let Some(found) = joined.find_at(&scan.rest.clone(), from) {
        from = found.end();
        let near = vocabulary.services().iter().filter(|name| {
            name.len() > 5 && name.is_ascii() && apart(&name.to_ascii_lowercase(), found.as_str()) <= 2
        });
        let near: Vec<String> = near.cloned().collect();
        if !near.is_empty() {
            scan.blank(found.start(), found.end());
            reading.unclear_services.extend(near);
        }
    }
}

/// How many letters must change to make one word of the other; two that change places are one change.
fn apart(one: &str, other: &str) -> usize {
    let (one, other): (&[u8], &[u8]) = (one.as_bytes(), other.as_bytes());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let same = rows[i][j] + usize::from(a != b);
            let mut least = same.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// A part of a name: of one service, or of too many.
fn parts(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    let pattern = re!(
        r"\b([a-z][a-z0-9]{2,})\b(\s*(?:서비스|서버|쪽|앱|services?\b|servers?\b))?(?:들)?(?:의|에서|에)?"
    );
    let mut from = 0;
    while let Some(captures) = pattern.captures_at(&scan.rest.clone(), from) {
        let (Some(all), Some(word)) = (captures.get(0), captures.get(1)) else { break };
        from = all.end();
        let holding: Vec<&String> = vocabulary
            .services()
            .iter()
            .filter(|service| {
                service.to_ascii_lowercase().split(['-', '_', '.']).any(|part| part == word.as_str())
            })
            .collect();
        // People and sensors are also what is counted.
        let also = re!(r"^(?:users?|sensors?|mobile)$").is_match(word.as_str());
        match holding.as_slice() {
            [] => {}
            _ if also && captures.get(2).is_none() => {}
            [one] => {
                scan.blank(all.start(), all.end());
                let without = negated(scan, all.start(), all.end());
                reading.add(Field::column("service"), one, without);
            }
            several if captures.get(2).is_some() => {
                scan.blank(all.start(), all.end());
                reading.unclear_services.extend(several.iter().map(|name| (*name).clone()));
            }
            _ => {}
        }
    }
}

/// Environments and kinds of programs.
pub(in crate::analyst::understand) fn places(scan: &mut Scan, reading: &mut Reading) {
    for (start, end, value) in lexicon::environment(scan) {
        let without = negated(scan, start, end);
        reading.add(Field::column("environment"), &value, without);
    }
    let kinds = [
        ("BACKEND", re!(r"백\s*엔드|\bback-?end\b|서버\s*사이드|server-side")),
        ("FRONTEND", re!(r"프[론런]트\s*엔드|\bfront-?end\b|클라이언트\s*사이드|client-side")),
        ("MOBILE", re!(r"모바일\s*(?:로그|타입|에러|오류)|\bmobile\s+(?:logs?|type)")),
        ("IOT", re!(r"\biot\b|사물\s*인터넷")),
        ("WORKER", re!(r"\bworker\s+(?:logs?|type)|워커\s*(?:로그|타입)")),
    ];
    for (value, pattern) in kinds {
        while let Some(found) = scan.take(pattern) {
            let without = negated(scan, found.start, found.end);
            reading.add(Field::column("log_type"), value, without);
        }
    }
}
