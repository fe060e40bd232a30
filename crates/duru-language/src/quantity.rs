//! Numbers that are written in several words, and what they count.

use crate::numeral;
use crate::segment::{Token, TokenKind};
use crate::sense::{Link, Op, Sense, TimeWord, Unit};
use crate::words;

/// Puts number words that belong together into one token: 스물 + 네, twenty + four, 3 + million.
pub fn join_numbers(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(first) = tokens.get(at) {
        if let Some((value, count)) = numeral::ordinal(&tokens[at..]) {
            joined.push(Token {
                senses: vec![Sense::Ordinal(value as u8)],
                ..number_token(&tokens[at..at + count], value)
            });
            at += count;
            continue;
        }
        if let Some((tenths, count)) = tenths(&tokens[at..]) {
            joined.push(Token { kind: TokenKind::Number(tenths), ..first.clone() });
            joined.push(widened(&tokens[at + 1..at + count]));
            at += count;
            continue;
        }
        let number = numeral::in_words(&tokens[at..]);
        let Some((value, count)) = number.filter(|(_, count)| *count > 1 || !is_pronoun(first)) else {
            joined.push(without_place(first));
            at += 1;
            continue;
        };
        joined.push(number_token(&tokens[at..at + count], value));
        at += count;
    }
    joined
}

/// One number for several tokens. Half a million is no half any more.
fn number_token(tokens: &[Token], value: f64) -> Token {
    let (first, last) = (&tokens[0], &tokens[tokens.len() - 1]);
    let part = |sense: &Sense| {
        matches!(sense, Sense::Op(Op::Half) | Sense::Link(Link::Article) | Sense::Unit(_) | Sense::Ordinal(_))
    };
    Token {
        senses: first.senses.iter().copied().filter(|sense| !part(sense)).collect(),
        kind: TokenKind::Number(value),
        end: last.end,
        full_end: last.full_end,
        particles: last.particles.clone(),
        ..first.clone()
    }
}

/// A place that counts nothing here is a word like any other.
fn without_place(token: &Token) -> Token {
    let senses: Vec<Sense> =
        token.senses.iter().copied().filter(|sense| !matches!(sense, Sense::Ordinal(_))).collect();
    let unknown = senses.is_empty() && !token.senses.is_empty();
    let kind = if unknown { TokenKind::Unknown } else { token.kind.clone() };
    Token { senses, kind, ..token.clone() }
}

/// 3할 5푼, 2할 7푼 5리: how many tenths, and how many tokens they take.
fn tenths(tokens: &[Token]) -> Option<(f64, usize)> {
    let part = |at: usize, unit: Unit| {
        let one = quantity(tokens, at)?;
        tokens.get(at + 1)?.has(Sense::Unit(unit)).then_some(one.value)
    };
    let joined = |at: usize| tokens.get(at).is_some_and(|token| token.particles.is_empty());
    let (whole, hundredths) = (part(0, Unit::Tenth)?, part(2, Unit::Hundredth).filter(|_| joined(1))?);
    let value = whole + hundredths / 10.0;
    // 리 is a syllable of too many words to be one by itself.
    let syllable = tokens.get(5).is_some_and(|token| {
        token.kind == TokenKind::Unknown && !token.spaced && token.end - token.start == '리'.len_utf8()
    });
    match quantity(tokens, 4).filter(|_| joined(3) && syllable) {
        Some(thousandths) => Some((value + thousandths.value / 100.0, 6)),
        None => Some((value, 4)),
    }
}

/// The first token, as long as all of them.
fn widened(tokens: &[Token]) -> Token {
    let (first, last) = (&tokens[0], &tokens[tokens.len() - 1]);
    Token { end: last.end, full_end: last.full_end, particles: last.particles.clone(), ..first.clone() }
}

/// "One" is a number only beside something that it counts, which the reader of the sentence sees.
fn is_pronoun(token: &Token) -> bool {
    token.has(Sense::Filler)
}

/// A number and its unit, at a place of a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    pub value: f64,
    pub unit: Option<Unit>,
    /// How many tokens it takes.
    pub tokens: usize,
}

/// The quantity that begins at a token. Where a unit has two readings (분: minutes or people) the first that fits the
/// preference is taken, and minutes before people.
pub fn quantity(tokens: &[Token], at: usize) -> Option<Quantity> {
    let TokenKind::Number(value) = tokens.get(at)?.kind else { return None };
    let next = tokens.get(at + 1).filter(|_| tokens[at].particles.is_empty());
    let units = |token: &Token| -> Vec<Unit> {
        token
            .senses
            .iter()
            .filter_map(|sense| match sense {
                Sense::Unit(unit) => Some(*unit),
                _ => None,
            })
            .collect()
    };
    let unit = next.map(units).and_then(|units| {
        units.iter().copied().find(|unit| unit.seconds().is_some()).or_else(|| units.first().copied())
    });
    Some(Quantity { value, unit, tokens: if unit.is_some() { 2 } else { 1 } })
}

/// Whether a number only names something, like the 404 of error code 404 and the 1002 of 1002호: it counts nothing.
pub fn is_label(sentence: &str, tokens: &[Token], at: usize) -> bool {
    let labels = words::labels();
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    let hash = before.is_some_and(|before| before.is_mark('#'));
    let counted = quantity(tokens, at).is_some_and(|one| one.unit.is_some());
    let after = tokens.get(at + 1).filter(|next| !next.spaced);
    // RFC 7231, Debian 12: an unknown name with its number, and nothing that is counted or compared behind.
    let name = before.is_some_and(|before| {
        before.kind == TokenKind::Unknown
            && before.text(sentence).starts_with(|it: char| it.is_ascii_uppercase())
    });
    let free =
        tokens.get(at + 1).is_none_or(|next| !next.senses.iter().any(|sense| matches!(sense, Sense::Op(_))));
    let labelled = before.is_some_and(|before| labels.before(before.text(sentence)));
    hash || !counted && (labelled || name && free)
        || after.is_some_and(|after| labels.after(after.text(sentence)))
}

/// The number of hundredths that is said at a token: 30프로, 2할, 절반.
pub fn percent(tokens: &[Token], at: usize) -> Option<f64> {
    let is = |at: usize, sense: Sense| tokens.get(at).is_some_and(|token| token.has(sense));
    if is(at, Sense::Op(Op::Half)) {
        // Half an hour, 두 시간 반: half of something else.
        let unit = |at: usize| {
            tokens.get(at).is_some_and(|token| {
                token
                    .senses
                    .iter()
                    .any(|sense| matches!(sense, Sense::Unit(_) | Sense::Time(TimeWord::Length(..))))
            })
        };
        let article = usize::from(is(at + 1, Sense::Link(Link::Article)));
        let part = unit(at + 1 + article)
            || is(at, Sense::Time(TimeWord::Half)) && at > 0 && unit(at - 1)
            || at > 1 && is(at - 1, Sense::Link(Link::Article)) && is(at - 2, Sense::Link(Link::And));
        return (!part).then_some(50.0);
    }
    let one = quantity(tokens, at)?;
    // 3분의 1.
    if is_denominator(tokens, at)
        && let Some(TokenKind::Number(part)) = tokens.get(at + 2).map(|token| &token.kind)
    {
        return Some(part / one.value * 100.0);
    }
    match one.unit? {
        Unit::Percent => Some(one.value),
        Unit::Tenth => Some(one.value * 10.0),
        _ => None,
    }
}

/// The 3분의 of 3분의 1 is neither minutes nor people.
pub(crate) fn is_denominator(tokens: &[Token], at: usize) -> bool {
    let parts = tokens.get(at + 1).is_some_and(|token| {
        token.has(Sense::Unit(Unit::Minute)) && token.particles == [crate::Particle::Of]
    });
    let number = |at: usize| matches!(tokens.get(at).map(|token| &token.kind), Some(TokenKind::Number(_)));
    let counted = tokens.get(at + 3).is_some_and(|token| {
        !token.spaced && token.senses.iter().any(|sense| matches!(sense, Sense::Unit(_)))
    });
    parts && number(at) && number(at + 2) && !counted
}

/// The percentile that is said at a token, as a part of one, and how many tokens it takes: p95, 95번째 백분위.
pub fn percentile(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    match tokens.get(at)?.kind {
        TokenKind::Percentile(part) => Some((part, 1)),
        TokenKind::Number(value) => {
            // 번째: which one, in a row.
            let ordinal = tokens.get(at + 1).is_some_and(|token| token.has(Sense::Filler) && !token.spaced);
            let hyphen = tokens.get(at + 1).is_some_and(|token| token.is_mark('-') && !token.spaced);
            let end = at + 1 + usize::from(ordinal || hyphen);
            if tokens.get(end)?.has(Sense::Op(Op::Quartile)) && [1.0, 2.0, 3.0].contains(&value) {
                return Some((value / 4.0, end + 1 - at));
            }
            let named = tokens.get(end)?.has(Sense::Op(Op::Percentile)) && (0.0..=100.0).contains(&value);
            named.then_some((value / 100.0, end + 1 - at))
        }
        _ => None,
    }
}

/// How many rows or units of time a moving average goes over, and the tokens of that number: 7일 이동평균, rolling mean
/// over 14 days, trailing 30 day average.
pub fn moving_window(tokens: &[Token]) -> Option<(f64, std::ops::Range<usize>)> {
    let is = |at: usize, sense: Sense| tokens.get(at).is_some_and(|token| token.has(sense));
    let number = |at: usize| {
        // 열흘 이동평균.
        if let Some(days) = tokens.get(at)?.senses.iter().find_map(length_word) {
            return Some((days, at..at + 1));
        }
        let TokenKind::Number(value) = tokens.get(at)?.kind else { return None };
        let hyphen = usize::from(tokens.get(at + 1).is_some_and(|token| token.is_mark('-')));
        let unit = tokens.get(at + 1 + hyphen).is_some_and(|token| {
            token.senses.iter().any(|sense| {
                matches!(
                    sense,
                    Sense::Unit(_) | Sense::Op(Op::List | Op::Event) | Sense::Time(TimeWord::During)
                )
            })
        });
        Some((value, at..if unit { at + 2 + hyphen } else { at + 1 }))
    };
    if let Some(moving) = tokens.iter().position(|token| token.has(Sense::Op(Op::Moving))) {
        // Right before it, or a few words behind.
        let before = (moving.saturating_sub(4)..moving).filter_map(number).find(|(_, at)| {
            tokens[at.end.min(moving)..moving]
                .iter()
                .all(|token| token.is_mark('-') || token.has(Sense::Filler))
        });
        let near = || (moving + 1..(moving + 5).min(tokens.len())).find_map(number);
        // Of the previous 5 rows: only small words stand between.
        let rest = &tokens[moving + 1..];
        let far = || number(moving + 1 + rest.iter().position(|token| !is_small(token))?);
        return before.or_else(near).or_else(far);
    }
    let trailing = tokens
        .iter()
        .position(|token| token.has(Sense::Time(TimeWord::Recent)) && token.has(Sense::Op(Op::Journey)))?;
    let found = number(trailing + 1)?;
    is(found.1.end, Sense::Op(Op::Average)).then_some(found)
}

/// 열흘, a fortnight: so many days or larger units.
fn length_word(sense: &Sense) -> Option<f64> {
    match sense {
        Sense::Time(TimeWord::Length(weeks, Unit::Week)) => Some(f64::from(weeks * 7)),
        Sense::Time(TimeWord::Length(amount, _)) => Some(f64::from(*amount)),
        _ => None,
    }
}

/// Words that say nothing of what a moving average goes over: mean of the last.
fn is_small(token: &Token) -> bool {
    let small = |sense: &Sense| {
        matches!(
            sense,
            Sense::Filler
                | Sense::Link(_)
                | Sense::Op(Op::Average | Op::About)
                | Sense::Time(TimeWord::Recent | TimeWord::Previous | TimeWord::Within | TimeWord::During)
        )
    };
    token.kind == TokenKind::Word && token.senses.iter().any(small)
}
