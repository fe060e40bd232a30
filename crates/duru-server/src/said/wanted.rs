//! What somebody looks for in what was said.

use super::text::Text;

/// So many characters of an excerpt stand before and after what was found.
const BEFORE: usize = 16;
const AFTER: usize = 64;

/// What is looked for: words that must all be there. Of the last syllable of a word, a part is enough.
pub(crate) struct Wanted(Vec<Word>);

struct Word {
    start: String,
    /// The last letter, if it is Hangul, which may be half typed.
    half: Option<char>,
}

impl Wanted {
    /// None, if there is no word in it.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let words: Vec<Word> = text
            .to_ascii_lowercase()
            .split_whitespace()
            .map(|word| {
                let half = word.chars().next_back().filter(|last| !jamo(*last).is_empty());
                let start = half.map_or(word, |last| &word[..word.len() - last.len_utf8()]);
                Word { start: start.to_owned(), half }
            })
            .collect();
        (!words.is_empty()).then_some(Self(words))
    }

    /// A few words around the place where the first one was found, if all were.
    pub(crate) fn find(&self, text: &Text) -> Option<String> {
        let places: Option<Vec<usize>> = self.0.iter().map(|word| word.place_in(text.low())).collect();
        let at = *places?.first()?;
        let (before, after) = text.said().split_at_checked(at)?;
        let mut from: Vec<char> = before.chars().rev().take(BEFORE).collect();
        from.reverse();
        let excerpt: String = from.into_iter().chain(after.chars().take(AFTER)).collect();
        Some(excerpt.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

impl Word {
    fn place_in(&self, low: &str) -> Option<usize> {
        let Some(half) = self.half else { return low.find(&self.start) };
        let half = jamo(half);
        let fits = |at: usize| {
            let next = low[at + self.start.len()..].chars().next();
            next.is_some_and(|next| jamo(next).starts_with(&half))
        };
        if self.start.is_empty() {
            return low.char_indices().map(|(at, _)| at).find(|at| fits(*at));
        }
        low.match_indices(&self.start).map(|(at, _)| at).find(|at| fits(*at))
    }
}

/// The consonants that can begin a syllable, as keyboards write them.
const INITIALS: &str = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";

/// Which initial, vowel and final a letter has; empty if it is not Hangul.
fn jamo(letter: char) -> Vec<u32> {
    if let Some(initial) = INITIALS.chars().position(|one| one == letter) {
        return vec![initial as u32];
    }
    match u32::from(letter) {
        syllable @ 0xac00..=0xd7a3 => {
            let (first, rest) = ((syllable - 0xac00) / 588, (syllable - 0xac00) % 588);
            let (vowel, last) = (rest / 28, rest % 28);
            if last == 0 { vec![first, vowel] } else { vec![first, vowel, last] }
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(said: &str, wanted: &str) -> Option<String> {
        Wanted::read(wanted).and_then(|wanted| wanted.find(&Text::new(said.to_owned(), String::new())))
    }

    #[test]
    fn every_word_must_be_there_and_a_syllable_may_be_half_typed() {
        let said = "어제 결제 서비스의 오류는 몇 건인가요?\n모두 12건이며 Billing이 가장 많습니다.";
        for wanted in ["결제", "결ㅈ", "결저", "billing", "BILLING 결제", "ㄱ", "오류는 12건", "서비"]
        {
            let hit = found(said, wanted).is_some();
            assert_eq!(hit, wanted != "결저", "{wanted}");
        }
        for wanted in ["결재", "결제 환불", "billings", "젱"] {
            assert_eq!(found(said, wanted), None, "{wanted}");
        }
        assert!(Wanted::read(" \n").is_none());
    }

    #[test]
    fn an_excerpt_has_the_words_around_it_in_one_line() {
        let said = format!("{} 그 다음에\n\nBilling이 나옵니다 {}", "앞".repeat(99), "뒤".repeat(99));
        let excerpt = found(&said, "billing").unwrap();
        assert!(excerpt.contains("그 다음에 Billing이 나옵니다"), "{excerpt}");
        assert!(excerpt.chars().count() <= BEFORE + AFTER, "{excerpt}");
    }
}
