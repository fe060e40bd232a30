//! Values of the data, as they are or as people call them.

use std::sync::LazyLock;

use regex::Regex;

use super::negation::negated;
use crate::analyst::understand::lexicon::TRANSLATED;
use crate::analyst::understand::query::Field;
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{Scan, compile, re};
use crate::analyst::understand::vocabulary::Vocabulary;

/// Values of the data that are named as they are, or in Korean.
pub(in crate::analyst::understand) fn values(
    scan: &mut Scan,
    vocabulary: &Vocabulary,
    reading: &mut Reading,
) {
    const TOO_COMMON: &[&str] =
        &["report", "home", "true", "false", "test", "other", "search", "login", "cart", "checkout"];
    let mut named: Vec<(Field, String, String)> = vocabulary
        .named_values()
        .map(|(field, value)| (field, value.to_owned(), value.to_ascii_lowercase()))
        .filter(|(_, _, word)| {
            word.len() > 2 && !TOO_COMMON.contains(&word.as_str()) && word.parse::<f64>().is_err()
        })
        .collect();
    named.sort_by_key(|(_, _, word)| std::cmp::Reverse(word.len()));
    for (field, value, word) in named {
        while let Some(start) = find_word(&scan.rest, &word) {
            let end = start + word.len();
            scan.blank(start, end);
            let without = negated(scan, start, end);
            reading.add(field.clone(), &value, without);
        }
    }
    translated(scan, vocabulary, reading);
}

/// Where an ASCII word stands by itself; a plural counts too.
pub(super) fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    text.match_indices(word)
        .find(|(start, _)| {
            let before = start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
            let after = text.as_bytes().get(start + word.len());
            !before.is_some_and(|byte| is_part(*byte)) && !after.is_some_and(|byte| is_part(*byte))
        })
        .map(|(start, _)| start)
}

/// "인증 실패" for AuthenticationFailed: every word of the name is said, one after the other.
fn translated(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    static WORDS: LazyLock<Vec<(Regex, &[&str])>> = LazyLock::new(|| {
        TRANSLATED
            .iter()
            .map(|(words, english)| {
                let english_words = english.join(r"s?\b|");
                (compile(&format!(r"^(?:{words}|(?:{english_words}s?\b))")), *english)
            })
            .collect()
    });
    static ANY: LazyLock<Regex> = LazyLock::new(|| {
        let all: Vec<String> =
            TRANSLATED.iter().map(|(words, english)| format!("{words}|{}", english.join("|"))).collect();
        compile(&format!("^(?:{})", all.join("|")))
    });
    let mut starts: Vec<usize> = scan.rest.char_indices().map(|(at, _)| at).collect();
    starts.retain(|at| {
        let before = scan.rest.get(..*at).and_then(|text| text.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric()) && ANY.is_match(&scan.rest[*at..])
    });
    let app = scan.said(re!(r"모바일|안드로이드|아이폰|\bmobile\b|\bandroid\b|\bios\b"));
    // "실패한 로그인": said the other way round.
    if let Some(found) = scan.find(re!(r"(?:^|\s)(?:실패(?:한|된)|\bfailed)\s+([가-힣]+|[a-z]+)")) {
        let noun = found.end - found.get(1).len();
        let said = WORDS
            .iter()
            .find_map(|(word, english)| word.find(found.get(1)).map(|place| (noun + place.end(), *english)));
        if let Some((end, english)) = said
            && let Some((field, value)) =
                meant(&[english, &["failed", "failure", "fail"]], "", false, app, vocabulary)
            && reading.query.filter("status_code").is_none()
        {
            scan.blank(found.start, end);
            reading.subject = true;
            reading.add(field, &value, false);
        }
    }
    for start in starts {
        // The longest run of known words from here.
        let (mut at, mut said) = (start, Vec::<(usize, &[&str])>::new());
        while let Some(rest) = scan.rest.get(at..) {
            let Some((length, english)) =
                WORDS.iter().find_map(|(word, english)| word.find(rest).map(|found| (found.end(), *english)))
            else {
                break;
            };
            at += length;
            said.push((at, english));
            at += scan.rest.get(at..).map_or(0, |rest| rest.len() - rest.trim_start().len());
        }
        while let Some((end, _)) = said.last().copied() {
            let english: Vec<&[&str]> = said.iter().map(|(_, english)| *english).collect();
            let followed = scan.rest.get(end..).unwrap_or_default().trim_start();
            if let Some((field, value)) =
                meant(&english, followed, scan.rest[start..].is_char_boundary(1), app, vocabulary)
            {
                // "로그인 실패(401)": the code says which failures are meant.
                let coded = reading.query.filter("status_code").is_some() && field.name() == "error_type";
                if !coded {
                    let marked = re!(
                        r"^\s*(?:에러|오류|예외|경로|엔드포인트|페이지|화면|기기|디바이스|브라우저|api\b)"
                    );
                    let tail =
                        marked.find(scan.rest.get(end..).unwrap_or_default()).map_or(0, |found| found.end());
                    let tail = if field.name() == "error_type" { 0 } else { tail };
                    scan.blank(start, end + tail);
                    let without = negated(scan, start, end + tail);
                    reading.add(field, &value, without);
                    break;
                }
            }
            said.pop();
        }
    }
}

/// The one value whose words these are.
fn meant(
    said: &[&[&str]],
    followed: &str,
    ascii: bool,
    app: bool,
    vocabulary: &Vocabulary,
) -> Option<(Field, String)> {
    let types = vocabulary.values("error_type").iter().filter(|value| {
        let mut words = camel(value);
        let bare: Vec<String> =
            words.iter().filter(|word| !matches!(word.as_str(), "error" | "exception")).cloned().collect();
        if bare.len() < words.len() && !bare.is_empty() {
            words = bare;
        }
        words.len() == said.len()
            // "네트워크 에러" is a type of that name.
            && (words.len() > 1 || camel(value).len() > 1 && re!(r"^(?:에러|오류|예외|errors?\b)").is_match(followed))
            && words.iter().zip(said).all(|(word, said)| said.contains(&word.as_str()))
    });
    let types: Vec<&String> = types.collect();
    if let [one] = types.as_slice() {
        return Some((Field::column("error_type"), (*one).clone()));
    }
    let [one] = said else { return None };
    let is_path = re!(r"^(?:경로|엔드포인트|페이지|화면|path\b|endpoint\b|page\b)").is_match(followed);
    // "환불 요청": those of a path of that name, if no service has it.
    let first = one.first().copied().unwrap_or_default();
    let asked_of = re!(r"^(?:요청|호출|requests?\b|calls?\b)").is_match(followed)
        && !vocabulary
            .services()
            .iter()
            .any(|service| service.split(['-', '_', '.']).any(|part| part == first));
    // An API is a service's, if one has that name.
    let of_service = || {
        vocabulary
            .services()
            .iter()
            .any(|service| service.split(['-', '_', '.']).any(|part| one.contains(&part)))
    };
    if is_path || asked_of || re!(r"^api\b").is_match(followed) && !of_service() {
        let paths = vocabulary.values("path").iter();
        let ends = |path: &&String| path.rsplit('/').next().is_some_and(|last| one.contains(&last));
        // A screen of an app is a path without a slash.
        let (with, without): (Vec<&String>, Vec<&String>) =
            paths.filter(ends).partition(|path| path.starts_with('/'));
        let screen = app && !without.is_empty() || with.is_empty();
        let mut paths = if screen { without } else { with };
        // A page is the shorter, an API the longer path of the same name.
        let page = re!(r"^(?:페이지|화면|page\b|screen\b)").is_match(followed);
        if let (true, Some(shortest)) = (page, paths.iter().map(|path| path.len()).min()) {
            paths.retain(|path| path.len() == shortest);
        }
        if let [path] = paths.as_slice() {
            return Some((Field::column("path"), (*path).clone()));
        }
    }
    if ascii {
        return None;
    }
    // "정리해줘" asks; it names nothing.
    if re!(r"^해\s*(?:줘|주|줄|봐|서|달)").is_match(followed) {
        return None;
    }
    let named = vocabulary.named_values().filter(|(field, value)| {
        let value = value.to_ascii_lowercase();
        let word = one.contains(&value.as_str());
        match field {
            Field::Meta(key) if key == "device" => {
                word && (value != "mobile"
                    || re!(r"^(?:기기|디바이스|단말|환경|브라우저|와|과|사용자)").is_match(followed))
            }
            Field::Meta(key) if key == "job" => word && re!(r"^(?:작업|잡|배치|job)").is_match(followed),
            Field::Meta(_) => word,
            Field::Column(name) => name == "action_type" && word,
        }
    });
    let named: Vec<(Field, &str)> = named.collect();
    named.first().map(|(field, value)| (field.clone(), (*value).to_owned()))
}

/// The words of a CamelCase name.
fn camel(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() || words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words
}

/// What the cache did, and other yes-or-no keys.
pub(in crate::analyst::understand) fn flags(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    if vocabulary.has_key("cache_hit")
        && let Some(found) = scan.take(re!(
            r"캐시\s*(?:(미스|실패)|(?:히트|적중))(?:된|난|한)?|\bcache\s*(?:(miss)(?:es)?|hits?)\b"
        ))
    {
        let value = if found.has(1) || found.has(2) { "false" } else { "true" };
        reading.subject = true;
        reading.add(Field::Meta("cache_hit".into()), value, false);
    }
}
