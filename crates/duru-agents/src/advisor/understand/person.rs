//! Whose income, name or contract is spoken of.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// The people of a text (lower case, single spaces).
pub(super) fn find(text: &str) -> Vec<Person> {
    let mut people = Vec::new();
    let mut add = |person| {
        if !people.contains(&person) {
            people.push(person);
        }
    };
    for (noun, person) in NOUNS {
        let said = text.match_indices(noun).any(|(at, _)| {
            let rest = rest_of_word(text, at + noun.len());
            begins_word(text, at) && (is_particle(rest) || rest.starts_with("명의") || rest == "s")
        });
        if said {
            add(*person);
        }
    }
    let own = OWN.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let rest = &text[at + word.len()..];
            begins_word(text, at) && OWNED.iter().any(|owned| rest.starts_with(owned))
        })
    });
    if own {
        add(Person::Myself);
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
        assert_eq!(find("my wife's income"), [Person::Wife]);
        assert!(find("소형 아파트 대형 평수, 내 생각").is_empty());
    }
}
