//! Regular expressions: PostgreSQL's, on an engine that reads a little differently.
//!
//! Whether something matches is the same for both. Which part matches is not:
//! PostgreSQL takes the longest of alternatives, the engine the first. A pattern for
//! which that matters is refused where the part is what is asked for.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, Int32Array, ListBuilder, StringBuilder};
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::Result;
use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind};

use super::scalar::{Call, Function, fails, unsupported};
use duru_sql::Fault;

pub(super) const ALL: &[Function] = &[
    Function { name: "pg_regex_is_match", returns: |_, _| Ok(DataType::Boolean), run: is_match },
    Function { name: "pg_regexp_replace", returns: |_, _| Ok(DataType::Utf8), run: replace },
    Function { name: "pg_regexp_substring", returns: |_, _| Ok(DataType::Utf8), run: substring },
    Function { name: "pg_regexp_match", returns: |_, _| Ok(texts()), run: first_match },
    Function { name: "pg_regexp_split", returns: |_, _| Ok(texts()), run: split },
    Function { name: "pg_regexp_count", returns: |_, _| Ok(DataType::Int32), run: count },
];

fn texts() -> DataType {
    DataType::List(Arc::new(Field::new("item", DataType::Utf8, true)))
}

/// `SIMILAR TO` as a regular expression.
pub(crate) fn similar_to(pattern: &str, escape: Option<char>) -> String {
    let mut regex = String::from("^(?:");
    let mut chars = pattern.chars();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match c {
            c if Some(c) == escape => {
                if let Some(c) = chars.next() {
                    regex.push_str(&regex::escape(&c.to_string()));
                }
            }
            _ if in_class => {
                in_class = c != ']';
                regex.push(c);
            }
            '%' => regex.push_str(".*"),
            '_' => regex.push('.'),
            '[' => {
                in_class = true;
                regex.push(c);
            }
            '.' | '^' | '$' | '\\' => {
                regex.push('\\');
                regex.push(c);
            }
            c => regex.push(c),
        }
    }
    regex.push_str(")$");
    regex
}

/// The pattern as the engine reads it.
fn translated(pattern: &str) -> Result<String> {
    let mut to = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    if pattern.starts_with("***") {
        return Err(unsupported("directors in regular expressions"));
    }
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('y') => to.push_str(r"\b"),
                Some('Y') => to.push_str(r"\B"),
                Some('m') => to.push_str(r"\b{start}"),
                Some('M') => to.push_str(r"\b{end}"),
                Some('Z') => to.push_str(r"\z"),
                Some(c @ ('1'..='9')) => return Err(unsupported(format!("\\{c} in regular expressions"))),
                Some(c @ ('b' | 'B' | 'c' | 'e' | 'x' | 'u' | 'U' | '0')) => {
                    return Err(unsupported(format!("\\{c} in regular expressions")));
                }
                Some(c) if c.is_ascii_alphanumeric() => {
                    to.push('\\');
                    to.push(c);
                }
                Some(c) => to.push_str(&regex::escape(&c.to_string())),
                None => return Err(fails(Fault::BadPattern)),
            },
            '(' if chars.peek() == Some(&'?') => {
                let mut ahead = chars.clone();
                ahead.next();
                if ahead.next() != Some(':') {
                    return Err(unsupported("conditions and options inside regular expressions"));
                }
                to.push(c);
            }
            // Inside brackets the engine knows set operations that PostgreSQL does not.
            '[' => {
                to.push('[');
                if chars.peek() == Some(&'^') {
                    to.extend(chars.next());
                }
                if chars.peek() == Some(&']') {
                    chars.next();
                    to.push_str(r"\]");
                }
                let mut before = ' ';
                loop {
                    match chars.next() {
                        None => return Err(fails(Fault::BadPattern)),
                        Some(']') => break,
                        Some('[') if matches!(chars.peek(), Some(':')) => {
                            to.push('[');
                            for c in chars.by_ref() {
                                to.push(c);
                                if c == ']' {
                                    break;
                                }
                            }
                        }
                        Some('[') if matches!(chars.peek(), Some('.' | '=')) => {
                            return Err(unsupported("collating elements in regular expressions"));
                        }
                        Some('\\') => {
                            to.push('\\');
                            to.extend(chars.next());
                        }
                        Some(c @ ('[' | '&' | '~')) => {
                            to.push('\\');
                            to.push(c);
                        }
                        Some('-') if before == '-' => to.push_str(r"\-"),
                        Some(c) => {
                            before = c;
                            to.push(c);
                        }
                    }
                }
                to.push(']');
            }
            c => to.push(c),
        }
    }
    Ok(to)
}

/// What a query's call asks for: only whether, or also which part.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    Whether,
    Part,
}

fn compiled(pattern: &str, flags: &str, wanted: Wanted) -> Result<Regex> {
    let text = translated(pattern)?;
    let (mut fold, mut lines, mut dot) = (false, false, true);
    for flag in flags.chars() {
        match flag {
            'i' => fold = true,
            'c' => fold = false,
            'g' => {}
            'n' | 'm' => (lines, dot) = (true, false),
            's' => (lines, dot) = (false, true),
            _ => return Err(unsupported(format!("the flag {flag:?} of regular expressions"))),
        }
    }
    if wanted == Wanted::Part {
        let hir = regex_syntax::Parser::new().parse(&text).map_err(|_| fails(Fault::BadPattern))?;
        if prefers_first(&hir) || mixed_greed(&hir) {
            return Err(unsupported("alternatives of different length in regular expressions that extract"));
        }
    }
    RegexBuilder::new(&text)
        .case_insensitive(fold)
        .multi_line(lines)
        .dot_matches_new_line(dot)
        .size_limit(1 << 20)
        .build()
        .map_err(|_| fails(Fault::BadPattern))
}

/// Whether there are alternatives of which one may be longer.
fn prefers_first(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Alternation(all) => {
            let length = |hir: &Hir| (hir.properties().minimum_len(), hir.properties().maximum_len());
            let first = all.first().map(length);
            all.iter().any(prefers_first)
                || first.is_none_or(|(low, high)| low != high)
                || all.iter().any(|hir| Some(length(hir)) != first)
        }
        HirKind::Concat(all) => all.iter().any(prefers_first),
        HirKind::Capture(capture) => prefers_first(&capture.sub),
        HirKind::Repetition(repetition) => prefers_first(&repetition.sub),
        _ => false,
    }
}

/// PostgreSQL gives a whole expression one preference, the engine each part its own.
fn mixed_greed(hir: &Hir) -> bool {
    fn collect(hir: &Hir, to: &mut (bool, bool)) {
        match hir.kind() {
            HirKind::Repetition(repetition) => {
                if repetition.max != Some(repetition.min) {
                    *(if repetition.greedy { &mut to.0 } else { &mut to.1 }) = true;
                }
                collect(&repetition.sub, to);
            }
            HirKind::Capture(capture) => collect(&capture.sub, to),
            HirKind::Concat(all) | HirKind::Alternation(all) => all.iter().for_each(|hir| collect(hir, to)),
            _ => {}
        }
    }
    let mut found = (false, false);
    collect(hir, &mut found);
    found.0 && found.1
}

/// Compiled once for each pattern.
struct Patterns {
    known: HashMap<(String, String), Regex>,
    wanted: Wanted,
}

impl Patterns {
    fn new(wanted: Wanted) -> Self {
        Self { known: HashMap::new(), wanted }
    }

    fn get(&mut self, pattern: &str, flags: &str) -> Result<&Regex> {
        let key = (pattern.to_owned(), flags.to_owned());
        if !self.known.contains_key(&key) {
            let regex = compiled(pattern, flags, self.wanted)?;
            self.known.insert(key.clone(), regex);
        }
        self.known.get(&key).ok_or_else(|| fails(Fault::BadPattern))
    }
}

/// Text, pattern and flags of each row; none where one is null.
fn rows(call: &Call, flags: usize) -> Result<Vec<Option<(String, String, String)>>> {
    let (texts, patterns) = (call.text(0)?, call.text(1)?);
    let flags = if call.args.len() > flags { Some(call.text(flags)?) } else { None };
    let each = (0..call.rows).map(|i| {
        let flags = match &flags {
            Some(flags) if flags.is_null(i) => return None,
            Some(flags) => flags.value(i),
            None => "",
        };
        let valid = texts.is_valid(i) && patterns.is_valid(i);
        valid.then(|| (texts.value(i).to_owned(), patterns.value(i).to_owned(), flags.to_owned()))
    });
    Ok(each.collect())
}

fn is_match(call: &Call) -> Result<ArrayRef> {
    let (texts, patterns) = (call.text(0)?, call.text(1)?);
    let flags = if call.args.len() > 2 { call.constant_text(2)?.unwrap_or_default() } else { String::new() };
    let mut last: Option<(String, Regex)> = None;
    let mut result = Vec::with_capacity(call.rows);
    for (text, pattern) in texts.iter().zip(patterns.iter()) {
        let (Some(text), Some(pattern)) = (text, pattern) else {
            result.push(None);
            continue;
        };
        if last.as_ref().is_none_or(|(of, _)| of != pattern) {
            last = Some((pattern.to_owned(), compiled(pattern, &flags, Wanted::Whether)?));
        }
        result.push(last.as_ref().map(|(_, regex)| regex.is_match(text)));
    }
    Ok(Arc::new(BooleanArray::from(result)))
}

fn replace(call: &Call) -> Result<ArrayRef> {
    let mut patterns = Patterns::new(Wanted::Part);
    let with = call.text(2)?;
    let mut to = StringBuilder::new();
    for (i, row) in rows(call, 3)?.into_iter().enumerate() {
        let (Some((text, pattern, flags)), true) = (row, with.is_valid(i)) else {
            to.append_null();
            continue;
        };
        let regex = patterns.get(&pattern, &flags)?;
        let with = replacement(with.value(i))?;
        let limit = if flags.contains('g') { 0 } else { 1 };
        to.append_value(regex.replacen(&text, limit, with.as_str()));
    }
    Ok(Arc::new(to.finish()))
}

/// `\1` and `\&` as the engine writes them.
fn replacement(text: &str) -> Result<String> {
    let mut to = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '$' => to.push_str("$$"),
            '\\' => match chars.next() {
                Some(n @ '1'..='9') => to.push_str(&format!("${{{n}}}")),
                Some('&') => to.push_str("${0}"),
                Some('\\') => to.push('\\'),
                _ => return Err(unsupported("this replacement in regexp_replace")),
            },
            c => to.push(c),
        }
    }
    Ok(to)
}

/// The first group if there is one, else all of it.
fn substring(call: &Call) -> Result<ArrayRef> {
    let mut patterns = Patterns::new(Wanted::Part);
    let mut to = StringBuilder::new();
    for row in rows(call, 2)? {
        let Some((text, pattern, flags)) = row else {
            to.append_null();
            continue;
        };
        let regex = patterns.get(&pattern, &flags)?;
        let group = usize::from(regex.captures_len() > 1);
        to.append_option(regex.captures(&text).and_then(|found| found.get(group)).map(|part| part.as_str()));
    }
    Ok(Arc::new(to.finish()))
}

fn first_match(call: &Call) -> Result<ArrayRef> {
    let mut patterns = Patterns::new(Wanted::Part);
    let mut to = ListBuilder::new(StringBuilder::new());
    for row in rows(call, 2)? {
        let Some((text, pattern, flags)) = row else {
            to.append_null();
            continue;
        };
        let regex = patterns.get(&pattern, &flags)?;
        let from = usize::from(regex.captures_len() > 1);
        to.append_option(regex.captures(&text).map(|found| {
            let groups = (from..found.len()).map(|i| found.get(i).map(|part| part.as_str().to_owned()));
            groups.collect::<Vec<_>>()
        }));
    }
    Ok(Arc::new(to.finish()))
}

fn split(call: &Call) -> Result<ArrayRef> {
    let mut patterns = Patterns::new(Wanted::Part);
    let mut to = ListBuilder::new(StringBuilder::new());
    for row in rows(call, 2)? {
        let Some((text, pattern, flags)) = row else {
            to.append_null();
            continue;
        };
        let regex = patterns.get(&pattern, &flags)?;
        if regex.is_match("") {
            return Err(unsupported("splitting where nothing is"));
        }
        to.append_value(regex.split(&text).map(Some));
    }
    Ok(Arc::new(to.finish()))
}

fn count(call: &Call) -> Result<ArrayRef> {
    let mut patterns = Patterns::new(Wanted::Part);
    let mut result = Vec::with_capacity(call.rows);
    for row in rows(call, 3)? {
        result.push(match row {
            Some((text, pattern, flags)) => {
                let found = patterns.get(&pattern, &flags)?.find_iter(&text).count();
                Some(i32::try_from(found).map_err(|_| fails(Fault::OutOfRange))?)
            }
            None => None,
        });
    }
    Ok(Arc::new(Int32Array::from(result)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_whose_match_depends_on_the_engine_are_refused_where_it_matters() {
        assert!(compiled("foo|foobar", "", Wanted::Part).is_err());
        assert!(compiled("foo|foobar", "", Wanted::Whether).is_ok());
        assert!(compiled("foo|bar", "", Wanted::Part).is_ok());
        assert!(compiled("a.*?b+", "", Wanted::Part).is_err());
        assert!(compiled(r"(\d+) ms", "", Wanted::Part).is_ok());
        assert!(compiled(r"(a)\1", "", Wanted::Whether).is_err());
    }

    #[test]
    fn similar_to_is_anchored() {
        assert_eq!(similar_to("a%_(b|c)", Some('\\')), "^(?:a.*.(b|c))$");
        assert_eq!(similar_to(r"1\%.", Some('\\')), r"^(?:1%\.)$");
    }
}
