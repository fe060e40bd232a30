//! Numbers that are written in several words, and what they count.

use crate::segment::{Token, TokenKind};
use crate::sense::{Sense, Unit};

/// Puts number words that belong together into one token: 스물 + 네, twenty + four, 3 + million.
pub fn join_numbers(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        // 10만: digits before 만, written as one.
        let scale = match token.kind {
            TokenKind::Number(value) if !token.spaced && SCALES.contains(&value) => Some(value),
            _ => None,
        };
        let word = number_word(&token).or(scale);
        if let (Some(value), Some(last)) = (word, joined.last_mut())
            && let TokenKind::Number(before) = last.kind
            && last.particles.is_empty()
            && let Some(sum) = together(before, value)
        {
            last.kind = TokenKind::Number(sum);
            (last.end, last.full_end) = (token.end, token.full_end);
            last.particles = token.particles;
            continue;
        }
        match word {
            Some(value) if !is_pronoun(&token) => {
                joined.push(Token { kind: TokenKind::Number(value), ..token })
            }
            _ => joined.push(token),
        }
    }
    joined
}

/// 만, 억: what digits before them are multiplied by.
const SCALES: [f64; 2] = [10_000.0, 100_000_000.0];

/// A number in words; digits are no words.
fn number_word(token: &Token) -> Option<f64> {
    token.senses.iter().find_map(|sense| match sense {
        Sense::Number(value) => Some(*value),
        _ => None,
    })
}

/// "One" is a number only beside something that it counts, which the reader of the sentence sees.
fn is_pronoun(token: &Token) -> bool {
    token.has(Sense::Filler)
}

fn together(before: f64, value: f64) -> Option<f64> {
    match value {
        scale if SCALES.contains(&scale) && before < scale => Some(before * scale),
        // Two hundred, 3 million.
        100.0 | 1_000.0 | 1_000_000.0 | 1_000_000_000.0 if before < value => Some(before * value),
        // Twenty four, 스물 네, two hundred five.
        small if small < 10.0 && before % 10.0 == 0.0 && before > 0.0 => Some(before + small),
        tens if tens < 100.0 && before % 100.0 == 0.0 && before > 0.0 => Some(before + tens),
        _ => None,
    }
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
