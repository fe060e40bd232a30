//! Which words of a question only ask, and how much the others say.

use super::hangul::{self, Syllable};
use super::stem::{inflects, looks_inflected};
use super::stop_words::{ASKING, ASKING_VERBS, COLOURING, SAID_OTHERWISE, VAGUE, VERB_ENDINGS};

/// How much a question's word says about what is looked for: nothing if it only asks.
pub(crate) fn weight(text: &str, stem: &str) -> f32 {
    if ASKING.contains(&stem)
        || ASKING.contains(&text)
        || ASKING_VERBS.iter().any(|verb| inflects(verb, text))
        || asks(text)
    {
        0.0
    } else if VAGUE.contains(&stem) {
        0.35
    } else if stem == text && looks_inflected(text) {
        // Verbs that no list knows are seldom what is looked for.
        0.3
    } else {
        1.0
    }
}

/// How sure it is that a word of a question names something that an answer must speak of. Verbs are said in other words,
/// a noun of one syllable is hard to tell from a part of another, and some words only colour a question.
pub(crate) fn firmness(text: &str, stem: &str) -> f32 {
    // What is asked for, and a person's own amount, documents say in their own way: 5%, 2억원 이상.
    let amount = stem.starts_with(|c: char| c.is_ascii_digit()) && stem.contains(['억', '만', '천', '원']);
    if amount || SAID_OTHERWISE.contains(&stem) {
        return 0.0;
    }
    if COLOURING.contains(&stem) || COLOURING.contains(&text) {
        return 0.2;
    }
    if VERB_ENDINGS.iter().any(|ending| text.len() > ending.len() && text.ends_with(ending)) {
        return 0.0;
    }
    let syllables = stem.chars().count();
    let bare =
        text.strip_suffix(['을', '를', '은', '는', '이', '가', '에', '의', '로', '도', '만', '과', '와']);
    let short = bare.is_some_and(|bare| bare.chars().count() == 1)
        || ["까지", "에서", "에는", "부터", "으로"]
            .iter()
            .any(|particle| text.strip_suffix(particle).is_some_and(|bare| bare.chars().count() == 1));
    if short || syllables == 1 { 0.3 } else { 1.0 }
}

/// 뭐죠, 뭐고, 뭔데, 무엇이며: a word that asks, however it ends.
fn asks(text: &str) -> bool {
    let rest = ["뭐", "뭔", "무엇"].iter().find_map(|word| text.strip_prefix(word));
    rest.is_some_and(|rest| rest.chars().all(|c| "고죠지야요임냐니데가인이며였더라예에를을로".contains(c)))
}

/// Is a word a verb by what follows it? 내릴 수, 끝날 때, 밝혀야 하나요.
pub(crate) fn is_verb(text: &str, next: &str) -> bool {
    let begins = |signs: &[&str]| signs.iter().any(|sign| next.starts_with(sign));
    let coda = text.chars().next_back().and_then(Syllable::of).map_or(hangul::NONE, |last| last.coda);
    (coda == hangul::L && begins(&["수", "때", "경우", "것", "만"]))
        || (text.ends_with('야') && begins(&["하", "되", "돼", "한", "할"]))
}

/// Does a word only say what kind of answer is wanted?
pub(crate) fn vague(stem: &str) -> bool {
    const KINDS: [&str; 12] =
        ["뜻", "의미", "개념", "정의", "사항", "항목", "경우", "역할", "업무", "일", "것", "말"];
    VAGUE.contains(&stem) || KINDS.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_only_ask_say_nothing() {
        let weigh = |word: &str| weight(word, crate::text::stem::stem(word));
        for word in ["무엇인가요", "어떻게", "되나요", "있나요", "하는지", "돼요"] {
            assert_eq!(weigh(word), 0.0, "{word}");
        }
        for word in ["뭐죠", "뭐고", "뭔데요", "무엇이며"] {
            assert_eq!(weigh(word), 0.0, "{word}");
        }
        assert!(weigh("생겨") < 0.5 && firmness("생겨", "생겨") == 0.0);
        assert_eq!(weigh("보증금을"), 1.0);
        assert!(weigh("절차는") < 1.0);
    }
}
