//! Numbers that are written in several words, and what they count.

use crate::numeral;
use crate::segment::{Token, TokenKind};
use crate::sense::{Sense, Unit};

/// Puts number words that belong together into one token: 스물 + 네, twenty + four, 3 + million.
pub fn join_numbers(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(first) = tokens.get(at) {
        let number = numeral::in_words(&tokens[at..]);
        let Some((value, count)) = number.filter(|(_, count)| *count > 1 || !is_pronoun(first)) else {
            joined.push(first.clone());
            at += 1;
            continue;
        };
        let last = &tokens[at + count - 1];
        joined.push(Token {
            kind: TokenKind::Number(value),
            end: last.end,
            full_end: last.full_end,
            particles: last.particles.clone(),
            ..first.clone()
        });
        at += count;
    }
    joined
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
