//! Amounts of money: 3억 5천, 2만5천원, $1.2k, 450 million won, KRW 30,000.

use crate::quantity::{self, Quantity};
use crate::segment::{Token, TokenKind};
use crate::sense::{Sense, Unit};

/// An amount in one currency, at a place of a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Money {
    pub amount: f64,
    pub currency: Unit,
    /// How many tokens it takes.
    pub tokens: usize,
}

const SIGNS: [(char, Unit); 5] =
    [('$', Unit::Dollar), ('₩', Unit::Won), ('￦', Unit::Won), ('€', Unit::Euro), ('¥', Unit::Yen)];

/// The amount that begins at a token.
///
/// ```
/// use duru_language::{Unit, money, quantity, segment, words};
///
/// let sentence = "보증금 3억 5천 이하";
/// let tokens = quantity::join_numbers(segment(sentence, &[words::general()]));
/// let money = money::money(sentence, &tokens, 1).unwrap();
/// assert_eq!((money.amount, money.currency), (350_000_000.0, Unit::Won));
/// ```
pub fn money(sentence: &str, tokens: &[Token], at: usize) -> Option<Money> {
    let first = tokens.get(at)?;
    let number = |at: usize| quantity::quantity(tokens, at);
    let sign = SIGNS.iter().find(|(sign, _)| first.is_mark(*sign)).map(|(_, currency)| *currency);
    // $20, KRW 30,000; but not the won of 20 won 30 times.
    if let Some(currency) = sign.or_else(|| currency(first)) {
        let Quantity { value, unit, tokens: count } = number(at + 1)?;
        let counted = at > 0 && matches!(tokens[at - 1].kind, TokenKind::Number(_));
        let named = sign.is_none() && (counted || unit.is_some());
        let count = if unit.is_some_and(is_currency) { count } else { 1 };
        return (!named).then_some(Money { amount: value, currency, tokens: 1 + count });
    }
    let Quantity { value, unit, tokens: count } = number(at)?;
    let scaled = first.text(sentence).contains('억');
    let amount = if scaled { with_ten_thousands(value) } else { value };
    match unit {
        Some(currency) if is_currency(currency) => Some(Money { amount, currency, tokens: count }),
        // 12억 8,500: what follows 억 counts 만.
        None if scaled => {
            let rest = number(at + 1).filter(|rest| {
                rest.unit.is_none_or(is_currency) && rest.value < 10_000.0 && first.particles.is_empty()
            });
            let rest = rest.filter(|_| value % 1e8 == 0.0);
            let tokens = 1 + rest.map_or(0, |rest| rest.tokens);
            let amount = amount + rest.map_or(0.0, |rest| rest.value * 1e4);
            Some(Money { amount, currency: Unit::Won, tokens })
        }
        _ => None,
    }
}

/// 3억 5천 is said for 3억 5천만: nobody names a few thousand after hundreds of millions.
fn with_ten_thousands(value: f64) -> f64 {
    let rest = value % 1e8;
    if rest < 1e4 { value - rest + rest * 1e4 } else { value }
}

fn is_currency(unit: Unit) -> bool {
    matches!(unit, Unit::Won | Unit::Dollar | Unit::Euro | Unit::Yen)
}

fn currency(token: &Token) -> Option<Unit> {
    token.senses.iter().find_map(|sense| match sense {
        Sense::Unit(unit) if is_currency(*unit) => Some(*unit),
        _ => None,
    })
}
