//! Reuse is earned word by word: what a question says is held, points there, or says nothing. A word that is none of
//! these may name another home, lender or law, and nobody but the person knows.

use duru_language::hangul::jamo;

use super::dimension::Need;
use super::held::Search;
use super::issue::Issue;
use crate::advisor::understand::{DataKind, UnreadRole, UnreadWord};

impl Need<'_> {
    /// What is left to say against the data, where nothing that was read does: a word that is not accounted for.
    pub(super) fn unaccounted(&self, kind: DataKind, held: &Search) -> Option<Issue> {
        let reference = self.question.reference;
        let asks_of_paper = self.question.required.contains(&DataKind::Contract);
        let mut unread = self.unread_words(held).filter(|_| !reference.is_about_held()).peekable();
        unread.peek()?;
        match kind {
            // 펜트하우스는요: of whatever it is, nothing is held.
            DataKind::Market if unread.any(|word| word.role == UnreadRole::Topic) => {
                Some(Issue::ConditionMismatch)
            }
            // 군인이면, 처제가 빌리면: a loan hangs on who one is.
            DataKind::Loan
                if unread.any(|word| matches!(word.role, UnreadRole::Topic | UnreadRole::Subject)) =>
            {
                Some(Issue::BorrowerMismatch)
            }
            // 타운하우스 시세: whether that is held only the person knows. What is done with the answer changes nothing of it.
            DataKind::Market | DataKind::Loan => self
                .unread_words(held)
                .any(|word| word.role == UnreadRole::Narrows)
                .then_some(Issue::WordsUnread),
            // The articles tell whether they speak of it.
            DataKind::Legal if !reference.again && !asks_of_paper => Some(Issue::TopicUnknown),
            // A contract is known by its name, and holds words that nobody can foresee.
            DataKind::Legal | DataKind::Contract | DataKind::Infrastructure => None,
        }
    }

    /// The words that nobody knows and that were not said of these data either.
    fn unread_words<'a>(&'a self, held: &'a Search) -> impl Iterator<Item = &'a UnreadWord> {
        let said = held.query.to_lowercase();
        let told = |text: &str, word: &str| text.contains(word) || is_misspelt(word, text);
        let known = move |word: &str| told(&said, word) || self.talk.knows(word, told);
        self.question.unread.iter().filter(move |word| !known(&word.text))
    }

    pub(super) fn unread<'a>(&'a self, held: &'a Search) -> impl Iterator<Item = &'a str> {
        self.unread_words(held).map(|word| word.text.as_str())
    }
}

/// 전셰 of 전세: one letter other than a word of the text.
fn is_misspelt(word: &str, text: &str) -> bool {
    let length = word.chars().count();
    let letters = jamo(word);
    text.split_whitespace().any(|known| {
        let known: String = known.chars().take(length).collect();
        let known = jamo(&known);
        let others = letters.chars().zip(known.chars()).filter(|(a, b)| a != b).count();
        letters.chars().count() == known.chars().count() && others == 1
    })
}
