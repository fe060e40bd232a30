//! Each kind of thing, by the reader of it.

use duru_language::time::{self, Period, TimeSpan, Timed};
use duru_language::{Op, Sense, Token, Unit, money, quantity, segment, spelling, words};
use jiff::{Timestamp, Zoned};

pub(crate) fn now() -> Zoned {
    "2026-03-18T14:30:00+09:00[Asia/Seoul]".parse().unwrap()
}

/// A phrase as the agents read it: one slip in a word is mended, and number words stand together.
fn tokens(text: &str) -> (String, Vec<Token>) {
    let (text, _) = spelling::corrected(text, &[words::general()]);
    let tokens = quantity::join_numbers(segment(&text, &[words::general()]));
    (text, tokens)
}

fn spans(text: &str) -> Vec<TimeSpan> {
    time::read(&tokens(text).1, &now())
}

pub(crate) type Bounds = (Option<Timestamp>, Option<Timestamp>);

pub(crate) fn periods(text: &str) -> Vec<Bounds> {
    let periods = spans(text).into_iter().filter_map(|span| match span.what {
        Timed::Period(period) => Some((period.bounds(&now()).0, span.until)),
        _ => None,
    });
    periods.collect()
}

/// Lengths in seconds, whether they are said to be until now or of anything.
pub(crate) fn lengths(text: &str) -> Vec<f64> {
    let lengths = spans(text).into_iter().filter_map(|span| match span.what {
        Timed::Length(length) | Timed::Within(length) | Timed::Period(Period::Last(length)) => {
            Some(length.seconds())
        }
        _ => None,
    });
    lengths.collect()
}

/// What is counted; neither times nor money, nor shares, nor numbers that only name something.
pub(crate) fn numbers(text: &str) -> Vec<f64> {
    let spans = spans(text);
    let (text, tokens) = tokens(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let timed = spans.iter().find(|span| span.tokens.start == at).map(|span| span.tokens.len());
        let other = timed
            .or_else(|| money::money(&text, &tokens, at).map(|money| money.tokens))
            .or_else(|| quantity::percentile(&tokens, at).map(|(_, tokens)| tokens))
            .or_else(|| quantity::percent(&tokens, at).map(|_| 1))
            .or_else(|| quantity::is_label(&text, &tokens, at).then_some(1));
        let one = quantity::quantity(&tokens, at).filter(|_| other.is_none());
        found.extend(one.map(|one| one.value));
        at += other.unwrap_or(1);
    }
    found
}

pub(crate) fn percents(text: &str) -> Vec<f64> {
    let (_, tokens) = tokens(text);
    (0..tokens.len()).filter_map(|at| quantity::percent(&tokens, at)).collect()
}

pub(crate) fn amounts(text: &str) -> Vec<(f64, &'static str)> {
    let (text, tokens) = tokens(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let money = money::money(&text, &tokens, at);
        at += money.map_or(1, |money| money.tokens);
        found.extend(money.map(|money| {
            let currency = match money.currency {
                Unit::Won => "KRW",
                Unit::Dollar => "USD",
                Unit::Euro => "EUR",
                _ => "JPY",
            };
            (money.amount, currency)
        }));
    }
    found
}

/// The median is known by its word, and is the half.
pub(crate) fn percentiles(text: &str) -> Vec<f64> {
    let (_, tokens) = tokens(text);
    let read = |at: usize| match quantity::percentile(&tokens, at) {
        Some((part, _)) => Some(part * 100.0),
        None => tokens[at].has(Sense::Op(Op::Median)).then_some(50.0),
    };
    (0..tokens.len()).filter_map(read).collect()
}

pub(crate) fn windows(text: &str) -> Vec<f64> {
    quantity::moving_window(&tokens(text).1).into_iter().map(|(count, _)| count).collect()
}

/// Checks every example, so that all that is wrong is seen at once.
pub(crate) fn check<T: PartialEq + std::fmt::Debug>(
    read: impl Fn(&str) -> Vec<T>,
    examples: Vec<(&str, Vec<T>)>,
) {
    let wrong: Vec<String> = examples
        .iter()
        .filter_map(|(text, expected)| {
            let read = read(text);
            (read != *expected).then(|| format!("{text}: {read:?}, not {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), examples.len(), wrong.join("\n"));
}

pub(crate) fn check_values(read: impl Fn(&str) -> Vec<f64>, examples: &[(&str, &[f64])]) {
    check(read, examples.iter().map(|(text, values)| (*text, values.to_vec())).collect());
}
