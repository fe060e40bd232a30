//! Korean is read in one place: particles, sums of money and days are `duru-language`'s, and a second reader of them
//! drifts from the first. What writes them (a word with its particle, an amount) may be anywhere.

use super::files::{is_test, line_at};
use super::finding::Finding;
use super::mask::{code_only, without_tests};

/// The one place.
const HOME: &str = "crates/duru-language/";

const PARTICLES: [&str; 24] = [
    "은", "는", "이", "가", "을", "를", "의", "에", "에서", "에는", "에게", "으로", "로", "와", "과", "도",
    "만", "랑", "이랑", "부터", "까지", "보다", "처럼", "하고",
];
/// So many beside each other are a list to read by; two are what a word is written with.
const LIST: usize = 3;

const MYRIADS: [&str; 6] = ["만", "억", "조", "천만", "백만", "만원"];
const MULTIPLIERS: [&str; 10] =
    ["1e4", "1e6", "1e7", "1e8", "1e12", "10_000", "1_000_000", "10_000_000", "100_000_000", "10000"];

const DAYS: [&str; 8] = ["오늘", "어제", "그제", "그저께", "엊그제", "내일", "모레", "글피"];
/// What compares a text with a word.
const READING: [&str; 6] = ["contains(", "starts_with(", "ends_with(", "strip_prefix(", "find(", "== "];

/// Second readers that are there today: how many of which kind in which file, and why. A reader that goes takes its
/// line along.
const KNOWN: &[(&str, Kind, usize, &str)] = &[
    ("bench/src/search/corpus.rs", Kind::Particles, 1, WRITES),
    ("crates/duru-agents/src/advisor/draft/dates.rs", Kind::Particles, 1, ADVISOR),
    ("crates/duru-agents/src/advisor/draft/read.rs", Kind::Particles, 4, ADVISOR),
    ("crates/duru-agents/src/advisor/restated.rs", Kind::Particles, 1, ADVISOR),
    ("crates/duru-agents/src/advisor/restated.rs", Kind::Money, 1, ADVISOR),
    ("crates/duru-agents/src/advisor/tools/contract.rs", Kind::Particles, 1, ADVISOR),
    ("crates/duru-agents/src/advisor/turn.rs", Kind::Particles, 1, ADVISOR),
    ("crates/duru-agents/src/advisor/understand/amount/roles.rs", Kind::Particles, 2, ADVISOR),
    ("crates/duru-agents/src/advisor/understand/amount/sums.rs", Kind::Particles, 1, ADVISOR),
    ("crates/duru-agents/src/advisor/understand/amount/sums.rs", Kind::Money, 2, ADVISOR),
    ("crates/duru-agents/src/advisor/understand/complex.rs", Kind::Particles, 1, ADVISOR),
    ("crates/duru-agents/src/advisor/understand/words.rs", Kind::Particles, 2, ADVISOR),
    ("crates/duru-agents/src/advisor/wanted/homes.rs", Kind::Particles, 1, ADVISOR),
    ("crates/duru-agents/src/advisor/wanted/said.rs", Kind::Particles, 2, ADVISOR),
    (
        "crates/duru-agents/src/analyst/reader/items.rs",
        Kind::Particles,
        1,
        "particles that are forms of verbs, of its tokens",
    ),
    (
        "crates/duru-agents/src/meaning/figures.rs",
        Kind::Money,
        1,
        "what a model says is compared by letters, not read",
    ),
    (
        "crates/duru-agents/src/researcher/small_talk.rs",
        Kind::Particles,
        1,
        "greetings are patterns until they are a lexicon",
    ),
    ("crates/duru-search/src/retrieve/asked.rs", Kind::Particles, 1, SEARCH),
    ("crates/duru-search/src/text/numbers.rs", Kind::Money, 2, SEARCH),
    ("crates/duru-search/src/text/stop.rs", Kind::Particles, 2, SEARCH),
];

const WRITES: &str = "it makes texts to search in, and reads none";
const ADVISOR: &str = "the advisor's reader has not moved to duru-language yet";
const SEARCH: &str = "terms of an index: another reading would make all indexes anew";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Particles,
    Money,
    Days,
}

impl Kind {
    fn what(self) -> &'static str {
        match self {
            Self::Particles => "particles",
            Self::Money => "sums of money",
            Self::Days => "days",
        }
    }
}

pub(super) fn check(path: &str, source: &str) -> Vec<Finding> {
    check_with(path, source, KNOWN)
}

fn check_with(path: &str, source: &str, known: &[(&str, Kind, usize, &str)]) -> Vec<Finding> {
    if path.starts_with(HOME) || path.starts_with("xtask/") || is_test(path) || path.ends_with("tests.rs") {
        return Vec::new();
    }
    let code = without_tests(&code_only(source));
    let mut findings = Vec::new();
    for kind in [Kind::Particles, Kind::Money, Kind::Days] {
        let places = match kind {
            Kind::Particles => particles(source, &code),
            Kind::Money => money(source, &code),
            Kind::Days => days(source, &code),
        };
        let allowed =
            known.iter().find(|(file, of, ..)| *file == path && *of == kind).map_or(0, |known| known.2);
        if places.len() == allowed {
            continue;
        }
        if places.len() < allowed {
            let text = format!(
                "{} readers of {} are left of {allowed}: lower the number in xtask/src/tidy/language.rs",
                places.len(),
                kind.what()
            );
            findings.push(Finding::warning(path, 1, text));
            continue;
        }
        let text = format!("a second reader of {}; use duru-language, which has the one", kind.what());
        findings.extend(places.iter().map(|at| Finding::error(path, line_at(&code, *at), text.clone())));
    }
    findings
}

/// A string in the source: where it is, and what it says.
struct Literal<'a> {
    start: usize,
    end: usize,
    text: &'a str,
}

/// Particles of one letter that are written as such.
fn letters<'a>(source: &'a str, code: &str) -> Vec<Literal<'a>> {
    let single = PARTICLES.iter().filter(|particle| particle.chars().count() == 1);
    let found = single.flat_map(|particle| {
        let quoted = format!("'{particle}'");
        let places: Vec<usize> = source.match_indices(&quoted).map(|(at, _)| at).collect();
        places.into_iter().map(move |start| (start, start + quoted.len()))
    });
    let is_code = |(start, _): &(usize, usize)| code.as_bytes().get(*start) == Some(&b'\'');
    let literal = |(start, end): (usize, usize)| Literal { start, end, text: &source[start + 1..end - 1] };
    found.filter(is_code).map(literal).collect()
}

/// All strings outside of comments and tests.
fn literals<'a>(source: &'a str, code: &str) -> Vec<Literal<'a>> {
    let quotes: Vec<usize> = code.match_indices('"').map(|(at, _)| at).collect();
    let pairs = quotes.chunks_exact(2);
    pairs
        .map(|pair| Literal { start: pair[0], end: pair[1] + 1, text: &source[pair[0] + 1..pair[1]] })
        .collect()
}

/// Particles beside each other, or divided by bars in one string.
fn particles(source: &str, code: &str) -> Vec<usize> {
    let is_particle = |text: &str| PARTICLES.contains(&text.trim());
    let mut all = literals(source, code);
    all.extend(letters(source, code));
    all.sort_by_key(|one| one.start);
    let mut places = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let mut next = at + 1;
        // A list goes on as long as nothing but commas divides its strings.
        while next < all.len()
            && code[all[next - 1].end..all[next].start].chars().all(|c| c == ',' || c.is_whitespace())
        {
            next += 1;
        }
        let run = &all[at..next];
        let listed = run.iter().filter(|one| is_particle(one.text)).count() >= LIST;
        let barred = |one: &&Literal<'_>| {
            one.text.split(['|', '(', ')', '?', ':', '^']).filter(|part| is_particle(part)).count() >= LIST
        };
        if listed {
            places.push(run[0].start);
        }
        places.extend(run.iter().filter(barred).map(|one| one.start));
        at = next;
    }
    places
}

/// A word for a myriad and its number on one line.
fn money(source: &str, code: &str) -> Vec<usize> {
    lines_where(source, code, |line, code_line| {
        let quoted = |word: &&str| {
            let (text, letter) = (format!("\"{word}\""), format!("'{word}'"));
            [text, letter].iter().any(|form| {
                line.find(form.as_str())
                    .is_some_and(|at| matches!(code_line.as_bytes().get(at), Some(b'"' | b'\'')))
            })
        };
        MYRIADS.iter().any(quoted) && MULTIPLIERS.iter().any(|number| has_number(code_line, number))
    })
}

fn has_number(code: &str, number: &str) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    code.match_indices(number).any(|(at, _)| {
        let bytes = code.as_bytes();
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        !is_part(before) && !is_part(bytes.get(at + number.len()))
    })
}

/// A word for a day that a text is compared with, or that stands for a number of days.
fn days(source: &str, code: &str) -> Vec<usize> {
    let all = literals(source, code);
    let is_read = |one: &&Literal<'_>| {
        let before = code[..one.start].trim_end_matches('&').trim_end_matches('[');
        let after = code[one.end..].trim_start();
        let arm = after.starts_with("=>") || after.starts_with('|') && !after.starts_with("||");
        let number = after
            .strip_prefix(',')
            .map(str::trim_start)
            .is_some_and(|rest| rest.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()));
        let compared = READING.iter().any(|call| before.trim_end().ends_with(call.trim_end()));
        DAYS.contains(&one.text) && (arm || number || compared)
    };
    all.iter().filter(is_read).map(|one| one.start).collect()
}

fn lines_where(source: &str, code: &str, is_so: impl Fn(&str, &str) -> bool) -> Vec<usize> {
    let mut at = 0;
    let mut places = Vec::new();
    for (line, code_line) in source.split('\n').zip(code.split('\n')) {
        if is_so(line, code_line) {
            places.push(at);
        }
        at += code_line.len() + 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        check_with("crates/a/src/b.rs", source, &[]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_planted_second_reader_is_found() {
        for (source, what) in [
            ("const P: [&str; 4] = [\"은\", \"는\", \"이\", \"가\"];\n", "particles"),
            ("fn a(s: &str) { s.strip_suffix(['을', '를', '의']); }\n", "particles"),
            ("fn a() {\n    re(\"(?:을|를|에서)?$\");\n}\n", "particles"),
            ("const M: [(&str, f64); 2] = [(\"억\", 1e8), (\"만\", 1e4)];\n", "sums of money"),
            ("fn a(c: char) -> u64 { match c {\n    '만' => 10_000,\n    _ => 1 } }\n", "sums of money"),
            ("fn a(s: &str) -> i64 { match s { \"어제\" => -1, _ => 0 } }\n", "days"),
            ("fn a(s: &str) -> bool { s.contains(\"오늘\") }\n", "days"),
            ("const D: [(&str, i64); 1] = [(\"그제\", -2)];\n", "days"),
        ] {
            let found = found(source);
            assert_eq!(found.len(), 1, "{source}: {found:?}");
            assert!(found[0].contains(what), "{found:?}");
        }
    }

    #[test]
    fn what_writes_them_and_what_speaks_of_them_passes() {
        for source in [
            "fn a() { with(&name, (\"이\", \"가\")) }\n",
            "// \"은\", \"는\", \"이\", \"가\"\n",
            "fn a(l: Lang) { pick(l, \"어제\", \"yesterday\") }\n",
            "fn a() { format!(\"{}만 원\", won / 10_000) }\n",
            "const MOST: u64 = 100_000_000;\n",
            "#[cfg(test)]\nmod tests {\n    const P: [&str; 3] = [\"은\", \"는\", \"이\"];\n}\n",
        ] {
            assert_eq!(found(source), Vec::<String>::new(), "{source}");
        }
        let planted = "const P: [&str; 4] = [\"은\", \"는\", \"이\", \"가\"];\n";
        assert!(check_with("crates/duru-language/src/a.rs", planted, &[]).is_empty());
        assert!(check_with("crates/a/tests/it/b.rs", planted, &[]).is_empty());
    }

    #[test]
    fn an_allowance_is_counted() {
        let planted = "const P: [&str; 4] = [\"은\", \"는\", \"이\", \"가\"];\n";
        let known: &[(&str, Kind, usize, &str)] = &[("crates/a/src/b.rs", Kind::Particles, 1, "why")];
        assert!(check_with("crates/a/src/b.rs", planted, known).is_empty());
        assert_eq!(
            check_with("crates/a/src/b.rs", &planted.repeat(2), known).len(),
            2,
            "one more is too many"
        );
        let fewer = check_with("crates/a/src/b.rs", "", known);
        assert!(fewer[0].to_string().contains("lower the number"), "{fewer:?}");
    }
}
