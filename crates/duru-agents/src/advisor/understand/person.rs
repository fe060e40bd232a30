//! Whose income, name or contract is spoken of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lexicon::scan;
use super::terms::add;
use super::words::{begins_word, is_particle, rest_of_word};

/// Who borrows, signs or pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Person {
    Myself,
    Husband,
    Wife,
    Spouse,
    /// Two who borrow or buy together.
    Couple,
    Parent,
    Child,
    Sibling,
    Friend,
    /// Somebody in whose name it is, and whom no other word here names.
    Other,
}

/// Nouns; they count only as whole words, with or without a particle.
const NOUNS: &[(&str, Person)] = &[
    ("본인", Person::Myself),
    ("남편", Person::Husband),
    ("신랑", Person::Husband),
    ("아내", Person::Wife),
    ("와이프", Person::Wife),
    ("배우자", Person::Spouse),
    ("집사람", Person::Wife),
    ("부부", Person::Couple),
    ("부부합산", Person::Couple),
    ("맞벌이", Person::Couple),
    ("공동명의", Person::Couple),
    ("부모님", Person::Parent),
    ("부모", Person::Parent),
    ("아버지", Person::Parent),
    ("어머니", Person::Parent),
    ("아빠", Person::Parent),
    ("엄마", Person::Parent),
    ("장인", Person::Parent),
    ("장모님", Person::Parent),
    ("시부모님", Person::Parent),
    ("아들", Person::Child),
    ("딸", Person::Child),
    ("동생", Person::Sibling),
    ("여동생", Person::Sibling),
    ("남동생", Person::Sibling),
    ("형", Person::Sibling),
    ("누나", Person::Sibling),
    ("언니", Person::Sibling),
    ("오빠", Person::Sibling),
    ("친구", Person::Friend),
    ("지인", Person::Friend),
    ("동료", Person::Friend),
    ("선배", Person::Friend),
    ("후배", Person::Friend),
    ("husband", Person::Husband),
    ("wife", Person::Wife),
    ("spouse", Person::Spouse),
    ("jointly", Person::Couple),
    ("parents", Person::Parent),
    ("mother", Person::Parent),
    ("father", Person::Parent),
    ("mom", Person::Parent),
    ("dad", Person::Parent),
    ("son", Person::Child),
    ("daughter", Person::Child),
    ("brother", Person::Sibling),
    ("sister", Person::Sibling),
    ("friend", Person::Friend),
    ("colleague", Person::Friend),
];

/// What is somebody's own only where it is said of an income, a name or a contract.
const OWN: &[&str] = &["제 ", "내 ", "저의 ", "나의 ", "my own "];
const OWNED: &[&str] =
    &["소득", "연봉", "명의", "이름", "신용", "월급", "계약서", "income", "name", "salary"];

/// Titles that are grown onto a noun: 장인어른, 형님.
const TITLES: &[&str] = &["어른", "님"];

/// Where people are named.
pub(super) fn spans(text: &str) -> impl Iterator<Item = (usize, usize)> {
    nouns(text).map(|(span, _)| span)
}

fn nouns(text: &str) -> impl Iterator<Item = ((usize, usize), Person)> {
    NOUNS.iter().flat_map(move |(noun, person)| {
        text.match_indices(noun).filter_map(move |(at, _)| {
            let rest = rest_of_word(text, at + noun.len());
            let title = TITLES.iter().find(|title| rest.starts_with(**title)).map_or(0, |title| title.len());
            let rest = &rest[title..];
            let whole = is_particle(rest) || rest.starts_with("명의") || rest == "s";
            (begins_word(text, at) && whole).then_some(((at, at + noun.len() + title), *person))
        })
    })
}

/// 이모 명의로: whoever stands before it is somebody, if no other word is known there.
fn is_in_a_name(text: &str) -> bool {
    const NAMES: &[&str] = &["명의로", "이름으로"];
    const NOBODY: &[&str] =
        &["제", "내", "저의", "나의", "우리", "단독", "누구", "그", "이", "저", "같은", "다른"];
    let words: Vec<&str> = text.split(' ').collect();
    words.windows(2).any(|pair| {
        let named = NAMES.iter().any(|name| pair[1].starts_with(name));
        named && !NOBODY.contains(&pair[0]) && scan(pair[0]).is_empty()
    })
}

/// The people of a text (lower case, single spaces).
pub(super) fn find(text: &str) -> Vec<Person> {
    let mut people = Vec::new();
    for (_, person) in nouns(text) {
        add(&mut people, person);
    }
    if people.is_empty() && is_in_a_name(text) {
        people.push(Person::Other);
    }
    let own = OWN.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let rest = &text[at + word.len()..];
            begins_word(text, at) && OWNED.iter().any(|owned| rest.starts_with(owned))
        })
    });
    if own {
        add(&mut people, Person::Myself);
    }
    people
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_whole_words() {
        assert_eq!(find("남편 명의로 하면?"), [Person::Husband]);
        assert_eq!(find("부모님이랑 내 소득 합치면"), [Person::Parent, Person::Myself]);
        assert_eq!(find("장인어른이 빌리시면"), [Person::Parent]);
        assert_eq!(find("이모 명의로 하면"), [Person::Other]);
        assert!(find("단독 명의로 하면").is_empty());
        assert_eq!(find("my wife's income"), [Person::Wife]);
        assert!(find("소형 아파트 대형 평수, 내 생각").is_empty());
    }
}
