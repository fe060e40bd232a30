//! Gifts that a question speaks of: what is given, to whom, and what was given before.

use super::homes::age;
use crate::advisor::tools::{GiftTerms, Parameters, Recipient};
use crate::advisor::understand::{Amount, Question, Role, Terms};

/// Words of a gift.
const GIFT: &[&str] = &["증여", "gift"];
/// Words around a sum that was given some time ago.
const EARLIER: &[&str] =
    &["전에", "년전", "년 전", "예전", "지난번", "before", "ago", "earlier", "previously", "already gave"];
/// From this age on, nobody is a minor.
const ADULT: u32 = 19;

/// Is a gift spoken of, here or before?
fn is_gift(text: &str, before: &Parameters) -> bool {
    GIFT.iter().any(|word| text.contains(word)) || before.gift.is_some()
}

/// Gives the sums of a gift their roles, and reads to whom it goes; `known` is what was said before.
pub(in crate::advisor) fn gifts(
    question: &Question,
    known: &Parameters,
    terms: &mut Terms,
    asked: &mut GiftTerms,
) -> bool {
    let text = question.text.to_lowercase();
    if !is_gift(&text, known) {
        return false;
    }
    let mut given = false;
    for amount in terms
        .amounts
        .iter_mut()
        .filter(|amount| matches!(amount.role, Role::Unsaid | Role::Price | Role::Budget))
    {
        let gives = is_given(&text, amount);
        if is_earlier(&text, amount) {
            (amount.role, given) = (Role::EarlierGift, true);
        } else if gives || GIFT.iter().any(|word| text.contains(word)) {
            (amount.role, given) = (Role::Gift, true);
        }
    }
    *asked = known.gift_terms.unwrap_or_default();
    let before = *asked;
    asked.to = recipient(&text).or(asked.to);
    asked.marriage |= marries(&text);
    given || *asked != before
}

/// The words that stand around a sum: up to the next comma or sentence.
fn around<'a>(text: &'a str, amount: &Amount) -> (&'a str, &'a str) {
    let (start, end) = amount.span;
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { return ("", "") };
    let from = before.rfind([',', '.', '?', '!']).map_or(0, |at| at + 1);
    let to = after.find([',', '.', '?', '!']).unwrap_or(after.len());
    (&before[from..], &after[..to])
}

fn is_earlier(text: &str, amount: &Amount) -> bool {
    let (before, after) = around(text, amount);
    let gave = ["준", "줬", "주었", "드렸", "보낸", "보냈", "받", "gave", "given", "sent", "got"];
    EARLIER.iter().any(|word| before.contains(word) || after.contains(word))
        && gave.iter().any(|word| before.contains(word) || after.contains(word))
}

fn is_given(text: &str, amount: &Amount) -> bool {
    let (before, after) = around(text, amount);
    ["주면", "주려", "줄 ", "줄까", "주고", "주자", "드리", "보태", "보내", "물려"]
        .iter()
        .any(|word| after.contains(word))
        || ["give", "giving", "send", "transfer", "hand"].iter().any(|word| before.contains(word))
}

/// To whom: a child by any word for one, anybody else where something is said to go to them.
fn recipient(text: &str) -> Option<Recipient> {
    let to = |names: &[&str]| {
        names.iter().any(|name| {
            if name.is_ascii() {
                [
                    format!("to my {name}"),
                    format!("give my {name}"),
                    format!("giving my {name}"),
                    format!("for my {name}"),
                ]
                .iter()
                .any(|said| text.contains(said.as_str()))
            } else {
                ["한테", "에게", "께", "님께", "앞으로"]
                    .iter()
                    .any(|end| text.contains(&format!("{name}{end}")))
            }
        })
    };
    if to(&["아내", "남편", "배우자", "와이프", "신랑", "wife", "husband", "spouse"]) {
        return Some(Recipient::Spouse);
    }
    if to(&["부모", "어머니", "아버지", "엄마", "아빠", "parents", "mother", "father", "mom", "dad"])
    {
        return Some(Recipient::Parent);
    }
    if to(&[
        "며느리",
        "사위",
        "동생",
        "누나",
        "오빠",
        "언니",
        "형",
        "조카",
        "brother",
        "sister",
        "nephew",
        "niece",
    ]) {
        return Some(Recipient::Relative);
    }
    let child =
        ["아들", "딸", "자녀", "자식", "아이", "애한테", "애들", "daughter", " son", "my kid", "my child"];
    if !child.iter().any(|word| text.contains(word)) {
        return None;
    }
    let minor = ["미성년", "초등", "중학생", "고등학생", "minor", "schoolchild"]
        .iter()
        .any(|word| text.contains(word));
    let young = age(text).or_else(|| said_age(text)).is_some_and(|age| age < ADULT);
    Some(if minor || young { Recipient::Minor } else { Recipient::Child })
}

/// My daughter is 12: an age without its unit, and one below those that buy homes.
fn said_age(text: &str) -> Option<u32> {
    let digits =
        |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u32>().ok();
    let behind = ["daughter is ", "son is ", "kid is ", "child is ", "aged ", "age "];
    let english = behind.iter().find_map(|word| digits(text.split_once(word)?.1));
    english.or_else(|| {
        let at = text.find("살").or_else(|| text.find('세'))?;
        let number: String = text[..at].trim_end().chars().rev().take_while(char::is_ascii_digit).collect();
        number.chars().rev().collect::<String>().parse().ok()
    })
}

/// A marriage or a birth, not one that is denied.
fn marries(text: &str) -> bool {
    let says = ["혼인", "결혼", "출산", "아기", "marri", "wedding", "birth", "baby"];
    let denies = ["결혼 안", "결혼안", "미혼", "not married", "unmarried", "isn't married", "no wedding"];
    says.iter().any(|word| text.contains(word)) && !denies.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::{Context, understand};

    fn read(text: &str, known: &Parameters) -> (Vec<(u64, Role)>, GiftTerms) {
        let question = understand(text, &Context::default());
        let (mut terms, mut asked) = (question.terms.clone(), GiftTerms::default());
        gifts(&question, known, &mut terms, &mut asked);
        (terms.amounts.iter().map(|amount| (amount.won, amount.role)).collect(), asked)
    }

    #[test]
    fn a_gift_is_read_with_who_it_is_for_and_what_was_given_before() {
        let none = Parameters::default();
        let (sums, terms) = read("딸에게 2억을 증여하면 세금이 얼마죠?", &none);
        assert_eq!((sums, terms.to), (vec![(200_000_000, Role::Gift)], Some(Recipient::Child)));
        let (_, terms) = read("gift tax if I give my wife 700 million?", &none);
        assert_eq!(terms.to, Some(Recipient::Spouse));
        let (_, terms) = read("my son is 15, what gift tax on 60 million?", &none);
        assert_eq!(terms.to, Some(Recipient::Minor));
        let known = Parameters {
            gift: Some(200_000_000),
            gift_terms: Some(GiftTerms { to: Some(Recipient::Child), marriage: false }),
            ..Parameters::default()
        };
        let (sums, terms) = read("4년 전에 5천만원 준 적이 있어요", &known);
        assert_eq!((sums, terms.to), (vec![(50_000_000, Role::EarlierGift)], Some(Recipient::Child)));
        assert!(
            read("내년에 결혼하는데요", &known).1.marriage && !read("아직 미혼이에요", &known).1.marriage
        );
    }
}
