//! A message that is shown while a model still writes it.

mod telling;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use duru::{Cx, Result};
use duru_llm::Piece;
use duru_messages::{Message, MessageChunk};

use crate::decided::NodeDecider;
pub(crate) use telling::{Telling, Verdict};

/// Shows one text field of an answer while it is written, as a [`Telling`] tells it. What was shown is never taken
/// back, because clients only ever join pieces.
#[derive(Clone)]
pub(crate) struct Spoken {
    cx: Cx,
    id: String,
    field: &'static str,
    /// A yes or no that must come before the text.
    only_if: Option<&'static str>,
    state: Arc<Mutex<Heard>>,
}

struct Heard {
    /// The reply so far, JSON that breaks off.
    reply: String,
    telling: Telling,
    /// The text to its last letter, once the reply has gone on behind it.
    ended: Option<String>,
    /// So much of what is told was shown.
    sent: usize,
    /// Nothing more is shown of this or any other reply.
    closed: bool,
}

impl Spoken {
    pub(crate) fn new(cx: &Cx, field: &'static str, telling: Telling) -> Self {
        // A task that runs again says its message anew: pieces of both must not be joined.
        let id = format!("{}-{:016x}", cx.task(), fastrand::u64(..));
        let heard = Heard { reply: String::new(), telling, ended: None, sent: 0, closed: false };
        Self { cx: cx.clone(), id, field, only_if: None, state: Arc::new(Mutex::new(heard)) }
    }

    /// The same, and nothing is shown unless this field of the reply is there before, and true.
    pub(crate) fn only_if(self, field: &'static str) -> Self {
        Self { only_if: Some(field), ..self }
    }

    /// The same decider, whose replies are shown while they are written.
    pub(crate) fn listen(&self, decider: NodeDecider) -> NodeDecider {
        let spoken = self.clone();
        decider.hearing(move |piece| spoken.hear(piece))
    }

    fn hear(&self, piece: &Piece) {
        let mut heard = self.state();
        match piece {
            Piece::Superseded { .. } => {
                heard.reply.clear();
                heard.ended = None;
                match heard.sent {
                    0 => heard.telling.restart(),
                    // Another reply would not go on where this one stopped.
                    _ => heard.closed = true,
                }
            }
            Piece::Chunk(chunk) if !heard.closed => {
                heard.reply.push_str(&chunk.content.text());
                if self.only_if.is_some_and(|field| !is_true(&heard.reply, field)) {
                    return;
                }
                let Some(so_far) = text_of(&heard.reply, self.field) else { return };
                // The last sentence need not wait for what else the reply says, nor for what is done with it.
                heard.telling.hear(&so_far.text, so_far.ended);
                heard.ended = so_far.ended.then_some(so_far.text);
                let fresh = heard.telling.told().get(heard.sent..).unwrap_or_default().to_owned();
                if fresh.is_empty() {
                    return;
                }
                heard.sent += fresh.len();
                // It fails only for what is no JSON, and text is.
                let _ = self.cx.chunk(&MessageChunk::text(self.id.as_str(), fresh));
            }
            Piece::Chunk(_) => {}
        }
    }

    /// What was shown.
    pub(crate) fn shown(&self) -> String {
        let heard = self.state();
        heard.telling.told().get(..heard.sent).unwrap_or_default().to_owned()
    }

    /// The name of the message, where some of it was shown.
    pub(crate) fn begun(&self) -> Option<String> {
        (self.state().sent > 0).then(|| self.id.clone())
    }

    /// The whole text as it is told, and how many of its sentences were replaced; `None` where it does not go on where
    /// what was shown ends, or has a sentence that is not told.
    pub(crate) fn whole(&self, said: &str) -> Option<(String, usize)> {
        let mut heard = self.state();
        let so_far = text_of(&heard.reply, self.field).unwrap_or_default();
        if heard.closed || (heard.sent > 0 && !said.starts_with(&so_far.text)) {
            return None;
        }
        // A text that only seemed to end was told to that end.
        if heard.ended.as_ref().is_some_and(|ended| ended != said) {
            return None;
        }
        heard.telling.hear(said, true);
        let told = (heard.telling.told().to_owned(), heard.telling.replaced());
        (!heard.telling.is_held()).then_some(told)
    }

    /// What the text becomes, given what the decision says in the end: no other
    /// text than the one of which a part was shown already.
    pub(crate) fn settle(&self, said: String) -> String {
        let shown = self.shown();
        if said.starts_with(&shown) { said } else { shown }
    }

    /// The whole message. Whatever of it was not shown yet is shown now.
    pub(crate) fn finish(self, text: String) -> Result<Message> {
        // Without a single piece, the message is shown whole.
        match self.begun() {
            Some(_) => self.finish_in_pieces(text),
            None => Ok(Message::ai(text).with_id(self.id)),
        }
    }

    /// The whole message, line by line.
    pub(crate) fn finish_in_pieces(self, text: String) -> Result<Message> {
        let shown = self.shown();
        let rest = text.strip_prefix(shown.as_str()).unwrap_or_default();
        for line in rest.split_inclusive('\n') {
            self.cx.chunk(&MessageChunk::text(self.id.as_str(), line))?;
        }
        self.cx.chunk(&MessageChunk::text(self.id.as_str(), "").last())?;
        Ok(Message::ai(text).with_id(self.id))
    }

    // Every change leaves a state that holds, so a panic elsewhere does not spoil it.
    fn state(&self) -> MutexGuard<'_, Heard> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a field of an object of which only the beginning is there is true for certain.
fn is_true(json: &str, field: &str) -> bool {
    let value = json.split_once(&format!("\"{field}\"")).map(|(_, rest)| rest.trim_start());
    let value = value.and_then(|rest| rest.strip_prefix(':')).map(str::trim_start);
    value.is_some_and(|value| value.starts_with("true"))
}

/// A text field of a reply, as far as it has come.
#[derive(Debug, Default, PartialEq)]
struct SoFar {
    text: String,
    /// Its closing quote was seen, and behind it what only follows a field: a quote that somebody forgot to escape
    /// looks the same until then.
    ended: bool,
}

/// The value of a text field of an object of which only the beginning is
/// there, as far as it is certain.
fn text_of(json: &str, field: &str) -> Option<SoFar> {
    let (_, rest) = json.split_once(&format!("\"{field}\""))?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let (mut text, mut letters) = (String::new(), rest.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                let ended = letters.as_str().trim_start().starts_with([',', '}']);
                return Some(SoFar { text, ended });
            }
            '\\' => match letters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(plain @ ('"' | '\\' | '/')) => text.push(plain),
                // Rarer escapes end what is certain; the whole reply has them right.
                _ => break,
            },
            _ => text.push(letter),
        }
    }
    Some(SoFar { text, ended: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_as_far_as_it_goes() {
        let of = |json: &str| text_of(json, "insight").map(|found| found.text);
        assert_eq!(of(r#"{"insight": "에러 \"5\"건. 그"#).as_deref(), Some("에러 \"5\"건. 그"));
        assert_eq!(of(r#"{"insight": "a\nb", "x": 1}"#).as_deref(), Some("a\nb"));
        assert_eq!(of(r#"{"insight": "a\u00e9"#).as_deref(), Some("a"));
        assert_eq!((of(r#"{"insi"#), of(r#"{"insight": "#), of("")), (None, None, None));
    }

    #[test]
    fn a_text_has_ended_when_the_reply_goes_on_behind_it() {
        let ended = |json: &str| text_of(json, "answer").is_some_and(|found| found.ended);
        assert!(ended(r#"{"answer": "가." }"#) && ended(r#"{"answer": "가.", "x"#));
        // A quote that should have been escaped ends nothing.
        assert!(!ended(r#"{"answer": "가.""#) && !ended(r#"{"answer": "그는 "네"라고"#));
    }

    #[test]
    fn what_must_come_before_is_waited_for() {
        let json = r#"{"answerable": true, "answer": "가"}"#;
        assert!(is_true(json, "answerable") && is_true(&json[..20], "answerable"));
        assert!(!is_true(&json[..16], "answerable") && !is_true(json, "other"));
        assert!(!is_true(r#"{"answerable": false"#, "answerable"));
    }
}
