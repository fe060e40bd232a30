//! Amounts of money: 3억 5천, 2만5천원, $1.2k, 450 million won, KRW 30,000.

use crate::quantity::{self, Quantity};
use crate::segment::{Token, TokenKind};
use crate::sense::Unit;
use crate::words;

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

/// The codes of currencies; the word won is also a verb.
const CODES: [(&str, Unit); 4] =
    [("krw", Unit::Won), ("usd", Unit::Dollar), ("eur", Unit::Euro), ("jpy", Unit::Yen)];

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
    // $20, KRW 30,000; but not the krw of 20 krw 30 times.
    let word = first.text(sentence);
    let code = CODES.iter().find(|(code, _)| code.eq_ignore_ascii_case(word)).map(|(_, currency)| *currency);
    if let Some(currency) = sign.or(code) {
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
        // 월세 50만: a number with a scale is a price where one is spoken of.
        None if word.contains(['만', '천', '백']) && is_priced(sentence, first) => {
            Some(Money { amount, currency: Unit::Won, tokens: 1 })
        }
        _ => None,
    }
}

/// Whether a word for a price stands a few words before.
fn is_priced(sentence: &str, number: &Token) -> bool {
    let before = sentence.get(..number.start).unwrap_or_default();
    before.split_whitespace().rev().take(3).any(|word| words::labels().price(word))
}

/// 3억 5천 is said for 3억 5천만: nobody names a few thousand after hundreds of millions.
fn with_ten_thousands(value: f64) -> f64 {
    let rest = value % 1e8;
    if rest < 1e4 { value - rest + rest * 1e4 } else { value }
}

fn is_currency(unit: Unit) -> bool {
    matches!(unit, Unit::Won | Unit::Dollar | Unit::Euro | Unit::Yen)
}
