//! Every row of the lexicons is read the way it says, and says it once.

use std::collections::HashSet;

use duru_language::hangul::{is_hangul, jamo};
use duru_language::{
    Class, Row, Sense, Token, TokenKind, english, money, quantity, rows, segment, verb, words,
};

const GLOSSARY: &str = include_str!("../../lexicon/glossary.tsv");
const MOST_WORDS: usize = 4;

/// How a surface is kept: in small letters, with spaces only between Latin words.
fn spelled(surface: &str) -> String {
    let mut all = String::new();
    let mut gap = false;
    for letter in surface.chars().flat_map(char::to_lowercase) {
        if letter.is_whitespace() || matches!(letter, '-' | '_') {
            gap = true;
            continue;
        }
        let latin = |one: char| !is_hangul(one);
        if gap && latin(letter) && all.chars().next_back().is_some_and(latin) {
            all.push(' ');
        }
        gap = false;
        all.push(letter);
    }
    all
}

/// Whether a token is this word, in one of its forms.
fn is_word(text: &str, surface: &str, class: Option<Class>) -> bool {
    let text = jamo(&spelled(text));
    let whole = spelled(surface);
    if class.is_none()
        && let Some(stem) =
            surface.strip_suffix('다').filter(|stem| stem.chars().next_back().is_some_and(is_hangul))
    {
        let (before, last) = stem.rsplit_once(' ').unwrap_or(("", stem));
        let forms = verb::forms(last);
        let before = jamo(&spelled(before));
        return forms
            .bases
            .iter()
            .chain(&forms.infinitives)
            .any(|form| text.starts_with(&format!("{before}{form}")));
    }
    let (before, last) = whole
        .rsplit_once(' ')
        .map_or((String::new(), whole.as_str()), |(before, last)| (format!("{before} "), last));
    text == jamo(&whole) || english::forms(last).iter().any(|form| text == format!("{before}{form}"))
}

/// Whether a row's example is read as the row says.
fn is_read(row: &Row<'_>, class: Option<Class>) -> bool {
    let Some(sense) = Sense::named(row.sense) else { return false };
    let tokens = segment(row.example, &[words::general()]);
    let attached = |token: &Token| {
        let whole = row.example.get(token.start..token.full_end).unwrap_or_default();
        jamo(&spelled(whole)).contains(&jamo(&spelled(row.surface)))
    };
    tokens.iter().any(|token| match sense {
        Sense::Particle(particle) => token.particle(particle) && attached(token),
        Sense::Ending(ending) => token.ending(ending) && attached(token),
        _ => token.has(sense) && is_word(token.text(row.example), row.surface, class),
    })
}

/// What is wrong with how a surface is written.
fn badly_written(surface: &str) -> Option<&'static str> {
    let sign = surface.chars().all(|letter| !letter.is_alphanumeric());
    if surface.is_empty() {
        return Some("no surface");
    }
    if surface.split_whitespace().count() > MOST_WORDS {
        return Some("more than four words");
    }
    (!sign && surface.contains(['^', '$', '*', '+', '?', '[', ']', '{', '}', '\\', '|', '(', ')']))
        .then_some("pattern syntax")
}

fn report(offenders: &[String]) {
    assert!(offenders.is_empty(), "{} rows:\n{}", offenders.len(), offenders.join("\n"));
}

#[test]
fn the_example_of_every_row_is_read_as_the_row_says() {
    let mut offenders = Vec::new();
    for (file, text, class) in words::FILES {
        for row in rows(text) {
            if !is_read(&row, *class) {
                let tokens = segment(row.example, &[words::general()]);
                let read: Vec<String> = tokens
                    .iter()
                    .map(|token| {
                        format!(
                            "{} {:?}{:?}{:?}",
                            token.text(row.example),
                            token.senses,
                            token.particles,
                            token.endings
                        )
                    })
                    .collect();
                offenders.push(format!(
                    "{file}: {} {}: \"{}\" is read {}",
                    row.surface,
                    row.sense,
                    row.example,
                    read.join(" / ")
                ));
            }
        }
    }
    report(&offenders);
}

#[test]
fn surfaces_are_a_few_plain_words() {
    let mut offenders = Vec::new();
    let files = words::FILES.iter().map(|(file, text, _)| (*file, *text)).chain([("glossary", GLOSSARY)]);
    for (file, text) in files {
        for row in rows(text) {
            if let Some(fault) = badly_written(row.surface) {
                offenders.push(format!("{file}: {} {}: {fault}", row.surface, row.sense));
            }
        }
    }
    report(&offenders);
}

#[test]
fn no_row_says_what_another_one_says() {
    let mut offenders = Vec::new();
    let mut seen = HashSet::new();
    let files = words::FILES.iter().map(|(file, text, class)| (*file, *text, *class)).chain([(
        "glossary",
        GLOSSARY,
        Some(Class::Word),
    )]);
    for (file, text, class) in files {
        for row in rows(text) {
            let scope = if file == "glossary" { file } else { "" };
            if !seen.insert((scope, class, spelled(row.surface), row.sense)) {
                offenders.push(format!("{file}: {} {}", row.surface, row.sense));
            }
        }
    }
    report(&offenders);
}

#[test]
fn glossary_rows_are_found_by_their_english_word() {
    let mut offenders = Vec::new();
    for row in rows(GLOSSARY) {
        let right = match row.domain {
            "generic" => words::glossary().is_generic(row.surface),
            "gloss" => {
                row.sense.is_ascii()
                    && !row.sense.contains(' ')
                    && words::glossary().korean(row.sense).contains(&row.surface)
            }
            _ => false,
        };
        if !right || !spelled(row.example).contains(&spelled(row.surface)) {
            offenders.push(format!("{} {} {}: \"{}\"", row.surface, row.sense, row.domain, row.example));
        }
    }
    report(&offenders);
}

#[test]
fn the_number_of_every_label_is_a_name_or_a_price() {
    let mut offenders = Vec::new();
    let mut seen = HashSet::new();
    for row in rows(words::LABELS) {
        let tokens = quantity::join_numbers(segment(row.example, &[words::general()]));
        let named = |at: usize| match row.sense {
            "label:price" => money::money(row.example, &tokens, at).is_some(),
            "label:before" | "label:after" => {
                matches!(tokens[at].kind, TokenKind::Number(_))
                    && quantity::is_label(row.example, &tokens, at)
            }
            _ => false,
        };
        let right = (0..tokens.len()).any(named) && badly_written(row.surface).is_none();
        if !right || !seen.insert((row.surface, row.sense)) {
            offenders.push(format!("{} {}: \"{}\"", row.surface, row.sense, row.example));
        }
    }
    report(&offenders);
}
