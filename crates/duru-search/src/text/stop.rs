//! Which words of a question only ask, and how much the others say.

use super::hangul::{self, Syllable};
use super::stem::{inflects, looks_inflected};
use super::stop_words::{ASKING, ASKING_VERBS, COLOURING, SAID_OTHERWISE, VAGUE, VERB_ENDINGS};

/// How much a question's word says about what is looked for: nothing if it only asks.
pub(crate) fn weight(text: &str, stem: &str) -> f32 {
    if ASKING.contains(&stem) || ASKING.contains(&text) || (!text.is_ascii() && only_asks(text, stem)) {
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

/// A Korean verb or question word.
fn only_asks(text: &str, stem: &str) -> bool {
    (ASKING_VERBS.iter().any(|verb| inflects(verb, text)) && !names_a_thing(stem)) || asks(text)
}

/// Nouns that begin like a form of 하다 or 되다: 하자보수는 is no 하자고.
fn names_a_thing(stem: &str) -> bool {
    let defect =
        stem.strip_prefix("하자").is_some_and(|rest| !rest.starts_with(['고', '는', '면', '니', '며']));
    defect || stem.starts_with("되도록")
}

/// How sure it is that a word of a question names something that an answer must speak of. Verbs are said in other words,
/// a noun of one syllable is hard to tell from a part of another, and some words only colour a question.
pub(crate) fn firmness(text: &str, stem: &str) -> f32 {
    // What is asked for, and a person's own amount, documents say in their own way: 5%, 2억원 이상.
    let amount = stem.starts_with(|c: char| c.is_ascii_digit()) && stem.contains(['억', '만', '천', '원']);
    if amount || SAID_OTHERWISE.contains(&stem) {
        return 0.0;
    }
    // 음주운전하면: a compound names a thing, whatever makes a verb of it.
    let rest = text.strip_prefix(stem).unwrap_or_default();
    if stem.chars().count() >= 4 && rest.starts_with(['하', '해', '했', '되', '돼', '됐']) {
        return 1.0;
    }
    if COLOURING.contains(&stem) || COLOURING.contains(&text) {
        return 0.2;
    }
    // 내야 and 보러 are verbs by themselves.
    if VERB_ENDINGS.iter().any(|ending| text.ends_with(ending)) {
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

/// 뭐죠, 얼마야, 며칠까지야, 어떡하죠, 거예요: a word that asks, however it ends.
fn asks(text: &str) -> bool {
    const TAILS: &str = "고죠지야요임냐니데가인이며였더라예에를을로까부터동안쯤나은는서한테게씩든간";
    const WORDS: [&str; 9] = ["뭐", "뭔", "무엇", "얼마", "며칠", "몇일", "언제", "누구", "어디"];
    let ends_as = |word: &&str, tails: &str| {
        text.strip_prefix(*word).is_some_and(|rest| rest.chars().all(|c| tails.contains(c)))
    };
    WORDS.iter().any(|word| ends_as(word, TAILS))
        || ["거", "건", "걸"].iter().any(|thing| ends_as(thing, "야예에요죠지가임냐데까"))
        || text.starts_with("어떡")
        || wishes(text)
}

/// 올려 달래요, 고쳐 달라는데: somebody wants it. Not 달라지다 and 달라요, which differ.
fn wishes(text: &str) -> bool {
    const FORMS: [&str; 9] =
        ["달래", "달라고", "달라는", "달라네", "달라던", "달라며", "달라면", "달라서", "달랍니"];
    FORMS.iter().any(|form| text.starts_with(form))
}

/// Is a word a verb by what follows it? 내릴 수, 끝날 때, 밝혀야 하나요.
pub(crate) fn is_verb(text: &str, next: &str) -> bool {
    let begins = |signs: &[&str]| signs.iter().any(|sign| next.starts_with(sign));
    let coda = text.chars().next_back().and_then(Syllable::of).map_or(hangul::NONE, |last| last.coda);
    (coda == hangul::L && begins(&["수", "때", "경우", "것", "만"]))
        || (text.ends_with('야') && begins(&["하", "되", "돼", "한", "할"]))
        || (wishes(next) && serves(text))
}

/// Could it be a verb's form before another verb: 올려 달래요, 깎아 주세요? Not what is wanted itself: 현금으로 달래요.
fn serves(text: &str) -> bool {
    use hangul::{A, AE, EO, NONE, WA, WAE, WO, YEO};
    let last = text.chars().next_back().and_then(Syllable::of);
    last.is_some_and(|last| last.coda == NONE && matches!(last.vowel, A | AE | EO | YEO | WA | WAE | WO))
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
        for word in [
            "뭐죠",
            "뭐고",
            "뭔데요",
            "무엇이며",
            "얼마야",
            "며칠까지야",
            "되냐",
            "있냐",
            "어떡하죠",
            "거예요",
            "달래요",
        ] {
            assert_eq!(weigh(word), 0.0, "{word}");
        }
        assert!(weigh("생겨") < 0.5 && firmness("생겨", "생겨") == 0.0);
        assert_eq!(weigh("보증금을"), 1.0);
        for noun in ["하자보수는", "하자를", "해지하려면", "해고수당", "거래"] {
            assert!(weigh(noun) > 0.0, "{noun}");
        }
        assert!(weigh("절차는") < 1.0);
    }

    #[test]
    fn what_somebody_said_or_wants_is_a_verb_and_names_nothing() {
        let firm = |word: &str| firmness(word, crate::text::stem::stem(word));
        for verb in
            ["해달라고", "돌리자고", "나가냐고", "준다던데", "안해줘", "내야", "보러", "프로야", "프로까지야"]
        {
            assert_eq!(firm(verb), 0.0, "{verb}");
        }
        assert!(is_verb("올려", "달래요") && !is_verb("현금으로", "달래요"));
        assert_eq!((firm("음주운전하면"), firm("거래")), (1.0, 1.0));
    }
}
