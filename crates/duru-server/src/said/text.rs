//! What was said in one thread.

use serde_json::{Map, Value};

use crate::answer::{first_asked, text_of};

/// Of a longer conversation, so many bytes are searched.
const MOST: usize = 50_000;
/// So many letters make a title.
const TITLE: usize = 80;

/// What was said in a thread.
pub(crate) struct Text {
    said: String,
    /// The same in small letters, byte by byte; none where it has no others.
    low: Option<String>,
    /// What it may be called, if nobody gave it a name: the beginning of what was asked first.
    title: String,
}

impl Text {
    pub(super) fn new(said: String, title: String) -> Self {
        let low = said.bytes().any(|byte| byte.is_ascii_uppercase()).then(|| said.to_ascii_lowercase());
        Self { said, low, title }
    }

    /// Of a thread with these notes and values.
    pub(super) fn of(metadata: &Map<String, Value>, values: &Map<String, Value>) -> Self {
        Self::new(said_in(metadata, values), title_of(values))
    }

    pub(super) fn said(&self) -> &str {
        &self.said
    }

    pub(super) fn low(&self) -> &str {
        self.low.as_deref().unwrap_or(&self.said)
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// How much room it takes.
    pub(super) fn bytes(&self) -> usize {
        self.said.len() + self.low.as_ref().map_or(0, String::len) + self.title.len()
    }
}

/// The first line of what was asked first, within reason.
fn title_of(values: &Map<String, Value>) -> String {
    let asked = first_asked(values).unwrap_or_default();
    let line = asked.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().filter(|letter| !letter.is_control()).take(TITLE).collect()
}

/// The title, and every message but the machinery's own notes; of a graph without messages, its texts.
fn said_in(metadata: &Map<String, Value>, values: &Map<String, Value>) -> String {
    let title = metadata.get("title").and_then(Value::as_str).map(str::to_owned);
    let said: Vec<String> = match values.get("messages").and_then(Value::as_array) {
        Some(messages) => messages
            .iter()
            .filter(|message| message["type"] == "human" || message["type"] == "ai")
            .filter(|message| message["additional_kwargs"]["internal"] != true)
            .map(|message| text_of(&message["content"]))
            .collect(),
        None => values.values().filter_map(Value::as_str).map(str::to_owned).collect(),
    };
    let mut all = title.into_iter().chain(said).collect::<Vec<_>>().join("\n");
    // Not every store can keep these, and nobody types them.
    all.retain(|letter| letter != '\0');
    if let Some(end) = (MOST..all.len()).find(|end| all.is_char_boundary(*end)) {
        all.truncate(end);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_the_machinery_are_not_searched() {
        let values = serde_json::json!({ "messages": [
            { "type": "human", "content": "질문" },
            { "type": "ai", "content": [{ "type": "text", "text": "대답" }] },
            { "type": "ai", "content": "비밀", "additional_kwargs": { "internal": true } },
        ] });
        let metadata = serde_json::json!({ "title": "제목" });
        assert_eq!(said_in(metadata.as_object().unwrap(), values.as_object().unwrap()), "제목\n질문\n대답");
    }

    #[test]
    fn a_thread_without_a_name_is_called_what_was_asked_first() {
        let title = |values: Value| title_of(values.as_object().unwrap());
        let messages = serde_json::json!({ "messages": [
            { "type": "ai", "content": "안녕하세요" },
            { "type": "human", "content": "\n 첫 질문\n둘째 줄" },
            { "type": "human", "content": "다음 질문" },
        ] });
        assert_eq!(title(messages), "첫 질문");
        assert_eq!(title(serde_json::json!({ "answer": "a", "topic": "두루" })), "두루");
        assert_eq!(title(serde_json::json!({ "n": 1 })), "");
        assert_eq!(title(serde_json::json!({ "question": "가".repeat(500) })).chars().count(), TITLE);
    }
}
