//! A message that is shown while a model still writes it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use duru::{Cx, Result};
use duru_llm::Piece;
use duru_messages::{Message, MessageChunk};

use crate::decided::NodeDecider;

/// Shows one text field of an answer sentence by sentence. What was shown is
/// never taken back, because clients only ever join pieces: a sentence is held
/// until it is whole and `fits`, and what comes after one that does not fit,
/// or after a reply that broke off, is not shown.
#[derive(Clone)]
pub(crate) struct Spoken {
    cx: Cx,
    id: String,
    field: &'static str,
    fits: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    state: Arc<Mutex<Heard>>,
}

#[derive(Default)]
struct Heard {
    /// The reply so far, JSON that breaks off.
    reply: String,
    shown: String,
    /// Nothing more is shown of this or any other reply.
    closed: bool,
}

impl Spoken {
    pub(crate) fn new(
        cx: &Cx,
        field: &'static str,
        fits: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        // A task that runs again says its message anew: pieces of both must not be joined.
        let id = format!("{}-{:016x}", cx.task(), fastrand::u64(..));
        Self { cx: cx.clone(), id, field, fits: Arc::new(fits), state: Arc::default() }
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
                // Another reply would not go on where this one stopped.
                heard.closed |= !heard.shown.is_empty();
            }
            Piece::Chunk(chunk) if !heard.closed => {
                heard.reply.push_str(&chunk.content.text());
                let Some(so_far) = text_of(&heard.reply, self.field) else { return };
                let whole = so_far.get(..last_sentence(&so_far)).unwrap_or_default();
                if whole.len() <= heard.shown.len() {
                    return;
                }
                if !(self.fits)(whole) {
                    heard.closed = true;
                    return;
                }
                let fresh = whole.get(heard.shown.len()..).unwrap_or_default().to_owned();
                heard.shown.push_str(&fresh);
                // It fails only for what is no JSON, and text is.
                let _ = self.cx.chunk(&MessageChunk::text(self.id.as_str(), fresh));
            }
            Piece::Chunk(_) => {}
        }
    }

    /// What the text becomes, given what the decision says in the end: no other
    /// text than the one of which a part was shown already.
    pub(crate) fn settle(&self, said: String) -> String {
        let shown = self.state().shown.clone();
        if said.starts_with(&shown) { said } else { shown }
    }

    /// The whole message. Whatever of it was not shown yet is shown now.
    pub(crate) fn finish(self, text: String) -> Result<Message> {
        let shown = self.state().shown.clone();
        // Without a single piece, the message is shown whole.
        if !shown.is_empty() {
            let rest = text.strip_prefix(shown.as_str()).unwrap_or_default().to_owned();
            self.cx.chunk(&MessageChunk::text(self.id.as_str(), rest).last())?;
        }
        Ok(Message::ai(text).with_id(self.id))
    }

    // Every change leaves a state that holds, so a panic elsewhere does not spoil it.
    fn state(&self) -> MutexGuard<'_, Heard> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the last whole sentence ends: after its mark, if a space follows.
fn last_sentence(text: &str) -> usize {
    let ends = text
        .char_indices()
        .zip(text.chars().skip(1))
        .filter(|((_, mark), after)| matches!(mark, '.' | '!' | '?' | '。') && after.is_whitespace());
    ends.map(|((at, mark), _)| at + mark.len_utf8()).last().unwrap_or(0)
}

/// The value of a text field of an object of which only the beginning is
/// there, as far as it is certain.
fn text_of(json: &str, field: &str) -> Option<String> {
    let (_, rest) = json.split_once(&format!("\"{field}\""))?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let (mut text, mut letters) = (String::new(), rest.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
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
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_as_far_as_it_goes() {
        let of = |json: &str| text_of(json, "insight");
        assert_eq!(of(r#"{"insight": "에러 \"5\"건. 그"#).as_deref(), Some("에러 \"5\"건. 그"));
        assert_eq!(of(r#"{"insight": "a\nb", "x": 1}"#).as_deref(), Some("a\nb"));
        assert_eq!(of(r#"{"insight": "a\u00e9"#).as_deref(), Some("a"));
        assert_eq!((of(r#"{"insi"#), of(r#"{"insight": "#), of("")), (None, None, None));
    }

    #[test]
    fn sentences_end_at_a_mark_and_a_space() {
        assert_eq!(last_sentence("평균은 845.2ms입니다. 다음"), "평균은 845.2ms입니다.".len());
        assert_eq!(last_sentence("에러는 5건입니다."), 0, "more may follow");
        assert_eq!(last_sentence("한 문장! 두 문장? "), "한 문장! 두 문장?".len());
    }
}
