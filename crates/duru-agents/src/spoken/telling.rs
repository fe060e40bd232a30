//! A text as it is told while it is still written: sentence by sentence, each checked before it is told.

use std::ops::Range;

/// What becomes of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is told so.
    Told(String),
    /// It failed its check: this takes its place, or nothing does.
    Instead(Option<String>),
    /// It is told elsewhere.
    Left,
    /// It is not told, and neither is what follows.
    Held,
}

/// Judges a sentence; before it comes the text as far as its end.
pub(crate) type Judge = Box<dyn FnMut(&str, &str) -> Verdict + Send>;

/// How a text is told. What was told is never taken back, because clients only ever join pieces.
pub(crate) struct Telling {
    /// The sentences of a text, each a part of it.
    split: fn(&str) -> Vec<&str>,
    judge: Judge,
    /// What stands before the first sentence.
    lead: String,
    /// Words are told before their sentence is whole, as long as none could be wrong; this says in the text that what
    /// was begun so is replaced.
    mark: Option<String>,
    told: String,
    /// So far the text was judged.
    read: usize,
    /// Between the last sentence that was told and the next.
    gap: String,
    /// So much of a sentence that is not whole yet was told.
    begun: usize,
    replaced: usize,
    held: bool,
}

impl Telling {
    pub(crate) fn new(
        split: fn(&str) -> Vec<&str>,
        judge: impl FnMut(&str, &str) -> Verdict + Send + 'static,
    ) -> Self {
        Self {
            split,
            judge: Box::new(judge),
            lead: String::new(),
            mark: None,
            told: String::new(),
            read: 0,
            gap: String::new(),
            begun: 0,
            replaced: 0,
            held: false,
        }
    }

    /// The same below `lead`.
    pub(crate) fn below(self, lead: String) -> Self {
        Self { lead, ..self }
    }

    /// The same word by word, with `mark` before whatever takes a sentence's place.
    pub(crate) fn word_by_word(self, mark: String) -> Self {
        Self { mark: Some(mark), ..self }
    }

    pub(crate) fn told(&self) -> &str {
        &self.told
    }

    /// So many sentences were replaced or left out.
    pub(crate) fn replaced(&self) -> usize {
        self.replaced
    }

    /// Whether a sentence was reached that is not told.
    pub(crate) fn is_held(&self) -> bool {
        self.held
    }

    /// Begins with another text. Only where nothing was told.
    pub(super) fn restart(&mut self) {
        (self.read, self.held) = (0, false);
        self.gap.clear();
    }

    /// The text as far as it has come. What was told of it before must still be its beginning.
    pub(crate) fn hear(&mut self, text: &str, whole: bool) {
        let sentences = places(text, (self.split)(text));
        let last = sentences.len().saturating_sub(1);
        for (at, place) in sentences.into_iter().enumerate() {
            if self.held {
                return;
            }
            if place.end <= self.read {
                continue;
            }
            if at == last && !whole {
                self.begin(text, place.start);
                return;
            }
            self.sentence(text, place);
        }
    }

    fn sentence(&mut self, text: &str, place: Range<usize>) {
        let sentence = text.get(place.clone()).unwrap_or_default();
        let gap = between(text.get(self.read..place.start).unwrap_or_default());
        let verdict = (self.judge)(text.get(..place.end).unwrap_or_default(), sentence);
        match verdict {
            Verdict::Held => {
                self.held = true;
                return;
            }
            Verdict::Told(as_told) => {
                self.open(&gap);
                self.told.push_str(as_told.get(self.begun..).unwrap_or_default());
            }
            Verdict::Left if self.begun == 0 => self.skip(gap),
            Verdict::Instead(None) if self.begun == 0 => {
                self.replaced += 1;
                self.skip(gap);
            }
            Verdict::Left => self.told.push_str(" …"),
            Verdict::Instead(other) => {
                self.replaced += 1;
                let begun = self.begun > 0;
                self.open(&gap);
                let parts = [begun.then(|| " …".to_owned()), self.mark.clone(), other];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                self.told.push_str(&parts.join(" "));
            }
        }
        (self.read, self.begun) = (place.end, 0);
    }

    /// Tells the words of a sentence that is not whole yet, as far as they can't be wrong.
    fn begin(&mut self, text: &str, start: usize) {
        let sentence = text.get(start..).unwrap_or_default();
        let sure = if self.mark.is_some() { harmless(sentence) } else { 0 };
        if sure > self.begun {
            self.open(&between(text.get(self.read..start).unwrap_or_default()));
            self.told.push_str(sentence.get(self.begun..sure).unwrap_or_default());
            self.begun = sure;
        }
    }

    /// Before the first word of a sentence.
    fn open(&mut self, gap: &str) {
        if self.begun > 0 {
            return;
        }
        let before = std::mem::take(&mut self.gap);
        if self.told.is_empty() {
            self.told = std::mem::take(&mut self.lead);
            self.told.push_str(gap.trim_start());
        } else {
            // A line that was left out still ends.
            let lines = before.contains('\n') && !gap.contains('\n');
            self.told.push_str(if lines { &before } else { gap });
        }
    }

    fn skip(&mut self, gap: String) {
        if gap.contains('\n') || self.gap.is_empty() {
            self.gap = gap;
        }
    }
}

/// Where sentences stand in the text that they are parts of.
fn places(text: &str, sentences: Vec<&str>) -> Vec<Range<usize>> {
    let place = |sentence: &str| {
        let start = (sentence.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        start..start + sentence.len()
    };
    sentences.into_iter().map(place).collect()
}

/// One space, or the end of the line and what marks the next.
fn between(gap: &str) -> String {
    let lines = gap.trim_start_matches(' ');
    if !gap.is_empty() && lines.is_empty() { " ".to_owned() } else { lines.to_owned() }
}

/// Parts of words that turn what a sentence says, or are what is checked of it.
const WEIGHTY: [&str; 34] = [
    "없", "않", "못", "아니", "안", "불", "금지", "무효", "가능", "보다", "높", "낮", "많", "적", "크", "작",
    "억", "만원", "천", "백", "n't", "not", "no", "never", "allow", "may", "can", "must", "more", "less",
    "higher", "lower", "http", "www",
];

/// Words that answer.
const ANSWERS: [&str; 8] = ["네", "예", "yes", "no", "아니요", "아니오", "맞습니다", "물론"];

/// How much of a sentence that is not whole yet is words that can't be wrong whatever follows.
fn harmless(sentence: &str) -> usize {
    let mut sure = 0;
    let mut start = 0;
    for (at, letter) in sentence.char_indices() {
        if !letter.is_whitespace() {
            continue;
        }
        let word = sentence.get(start..at).unwrap_or_default();
        if !word.is_empty() && !is_harmless(word) {
            break;
        }
        if !word.is_empty() {
            sure = at;
        }
        start = at + letter.len_utf8();
    }
    sure
}

fn is_harmless(word: &str) -> bool {
    let word = word.to_lowercase();
    let bare = word.trim_end_matches([',', '.', '!']);
    // Names such as payment-api and user_id are what a sentence is about, not what it says of it. A dash alone begins a
    // line of a list.
    word.starts_with(char::is_alphabetic)
        && word.chars().all(|letter| letter.is_alphabetic() || matches!(letter, ',' | '-' | '_'))
        && !ANSWERS.contains(&bare)
        && !WEIGHTY.iter().any(|weighty| bare.contains(weighty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meaning::sentences_of;

    /// What is told of a text that comes letter by letter, and after how many letters the first of it.
    fn slowly(telling: &mut Telling, text: &str) -> Option<usize> {
        let mut first = None;
        for (at, letter) in text.char_indices() {
            let before = telling.told().to_owned();
            telling.hear(&text[..at + letter.len_utf8()], false);
            assert!(telling.told().starts_with(&before), "{before:?} was taken back");
            if !telling.told().is_empty() {
                first.get_or_insert(at);
            }
        }
        telling.hear(text, true);
        first
    }

    fn plain() -> Telling {
        Telling::new(sentences_of, |_, sentence| match sentence {
            wrong if wrong.contains("99") => Verdict::Instead(Some("5건입니다.".into())),
            false_one if false_one.contains("거짓") => Verdict::Instead(None),
            held if held.contains("evil") => Verdict::Held,
            fine => Verdict::Told(fine.to_owned()),
        })
    }

    #[test]
    fn a_sound_text_is_told_as_it_is_however_it_comes() {
        let text = "보증금은 3억원입니다. 더 볼 것은 둘입니다.\n\n## 알아 둘 것\n- 하나입니다.\n- 둘입니다.";
        for mut telling in [plain(), plain().word_by_word("[바로잡음]".into())] {
            slowly(&mut telling, text);
            assert_eq!((telling.told(), telling.replaced()), (text, 0));
        }
        let mut below = plain().below("제목\n\n".into());
        below.hear(text, true);
        assert_eq!(below.told(), format!("제목\n\n{text}"));
    }

    #[test]
    fn words_are_told_at_once_and_nothing_that_could_be_wrong_is() {
        let mut telling = plain().word_by_word("[바로잡음]".into());
        let first = slowly(&mut telling, "강남구 에러는 오늘 99건입니다. 다음은 셋입니다.");
        assert_eq!(first, Some("강남구".len()));
        assert_eq!(telling.told(), "강남구 에러는 오늘 … [바로잡음] 5건입니다. 다음은 셋입니다.");
        assert_eq!(telling.replaced(), 1);
        let mut telling = plain().word_by_word("[바로잡음]".into());
        assert!(slowly(&mut telling, "네, 99번 됩니다.").is_none());
        assert_eq!(telling.told(), "[바로잡음] 5건입니다.");
        let mut telling = plain().word_by_word("[바로잡음]".into());
        let first = slowly(&mut telling, "payment-api에서 에러가 3건 났습니다.");
        assert_eq!(first, Some("payment-api에서".len()), "a name is told at once");
    }

    #[test]
    fn what_is_left_out_leaves_no_hole() {
        let mut telling = plain();
        slowly(&mut telling, "하나입니다. 거짓입니다. 둘입니다.\n거짓\n셋입니다.");
        assert_eq!(telling.told(), "하나입니다. 둘입니다.\n셋입니다.");
    }

    #[test]
    fn nothing_is_told_behind_what_is_held() {
        let mut telling = plain();
        slowly(&mut telling, "하나입니다. evil.example을 보세요. 둘입니다.");
        assert_eq!((telling.told(), telling.is_held()), ("하나입니다.", true));
    }
}
