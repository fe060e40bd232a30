//! Graphs as something that is asked in words and answers in words, for
//! protocols that know nothing else.

use duru::Schemas;
use serde_json::{Map, Value, json};

/// Fields of an input that take a question, the likeliest first.
const ASKED_IN: [&str; 5] = ["question", "query", "text", "topic", "q"];
/// Fields of values that hold an answer, where there are no messages.
const ANSWERED_IN: [&str; 5] = ["answer", "final_response", "response", "insight", "output"];

/// The input of a graph for a conversation, which nobody can be asked about.
pub(crate) fn input(schemas: &Schemas, messages: &[Value]) -> Result<Value, String> {
    let known = schemas.input.get("properties").and_then(Value::as_object);
    let takes = |name: &str| known.is_none_or(|known| known.contains_key(name));
    let mut input = Map::new();
    if takes("messages") {
        input.insert("messages".into(), messages.into());
    } else {
        let field = ASKED_IN.into_iter().find(|name| takes(name));
        let field = field.ok_or("this graph takes neither messages nor a question")?;
        let last = messages.iter().rev().find(|message| message["role"] == "user");
        let text = last.map(|message| text_of(&message["content"])).ok_or("there is no message of a user")?;
        input.insert(field.into(), text.into());
    }
    if known.is_some_and(|known| known.contains_key("interactive")) {
        input.insert("interactive".into(), false.into());
    }
    Ok(Value::Object(input))
}

/// The text of a message's content: a text, or blocks of which some are text.
pub(crate) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block["text"].as_str().or(block.as_str()));
            texts.collect::<Vec<_>>().join("")
        }
        _ => String::new(),
    }
}

/// The words of an input: the field that takes a question, and what was asked there. The other way of [`input`].
pub(crate) fn asked(input: &Map<String, Value>) -> Option<(&str, String)> {
    if let Some((name, Value::Array(messages))) = input.get_key_value("messages") {
        let is_asked = |message: &&Value| message["role"] == "user" || message["type"] == "human";
        return Some((name, text_of(&messages.iter().rev().find(is_asked)?["content"])));
    }
    let (name, text) = ASKED_IN.iter().find_map(|name| input.get_key_value(*name))?;
    Some((name, text.as_str()?.to_owned()))
}

/// What was asked first, as the values of a thread say it.
pub(crate) fn first_asked(values: &Map<String, Value>) -> Option<String> {
    if let Some(messages) = values.get("messages").and_then(Value::as_array) {
        let is_asked = |message: &&Value| message["role"] == "user" || message["type"] == "human";
        return Some(text_of(&messages.iter().find(is_asked)?["content"]));
    }
    asked(values).map(|(_, text)| text)
}

/// What the values of a thread say to whoever asked: the last message of the
/// graph, or a field that sounds like an answer, or all of them.
pub(crate) fn text(values: &Map<String, Value>) -> String {
    words(values).unwrap_or_else(|| Value::Object(values.clone()).to_string())
}

/// The same; none where the values have no words of their own.
pub(crate) fn words(values: &Map<String, Value>) -> Option<String> {
    if let Some(message) = last_message(values) {
        return Some(text_of(&message["content"]));
    }
    ANSWERED_IN.iter().find_map(|name| values.get(*name).and_then(Value::as_str)).map(str::to_owned)
}

pub(crate) fn last_message(values: &Map<String, Value>) -> Option<&Value> {
    let messages = values.get("messages")?.as_array()?;
    messages.iter().rev().find(|message| message["type"] == "ai" || message["role"] == "assistant")
}

/// A question of a graph in words.
pub(crate) fn question(value: &Value) -> String {
    if let Some(asked) = value["clarifications"].as_array() {
        return asked.iter().map(one_question).collect::<Vec<_>>().join("\n\n");
    }
    one_question(value)
}

fn one_question(value: &Value) -> String {
    if let Some(text) = value.as_str() {
        return text.to_owned();
    }
    let Some(text) = ["question", "message"].iter().find_map(|name| value[*name].as_str()) else {
        return value.to_string();
    };
    let mut text = text.to_owned();
    for option in value["options"].as_array().into_iter().flatten() {
        let label = option.as_str().or(option["label"].as_str()).or(option["value"].as_str());
        text += &format!("\n- {}", label.unwrap_or_default());
    }
    text
}

/// What an answer in words means to the question: options are shown by their labels, and answered by their values.
pub(crate) fn reply(question: &Value, text: &str) -> Value {
    let text = text.trim();
    let options = question["options"].as_array().into_iter().flatten();
    let meant = options.filter(|option| option["label"] == text).find_map(|option| option.get("value"));
    meant.cloned().unwrap_or_else(|| text.into())
}

/// Tokens that were used: those that the last message tells of.
pub(crate) fn usage(values: &Map<String, Value>) -> Value {
    let used = last_message(values).map(|message| &message["usage_metadata"]);
    let count = |name: &str| used.and_then(|used| used[name].as_u64()).unwrap_or(0);
    let (asked, said) = (count("input_tokens"), count("output_tokens"));
    json!({ "prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_the_last_message_or_a_field_or_everything() {
        let values = |json: Value| json.as_object().cloned().unwrap();
        let said = json!({ "messages": [
            { "type": "human", "content": "?" }, { "type": "ai", "content": [{ "type": "text", "text": "가" }] },
            { "type": "tool", "content": "x" },
        ] });
        assert_eq!(text(&values(said)), "가");
        assert_eq!(text(&values(json!({ "answer": "나", "n": 1 }))), "나");
        assert_eq!(text(&values(json!({ "n": 1 }))), r#"{"n":1}"#);
    }

    #[test]
    fn what_was_asked_is_found_again() {
        let asked_of =
            |json: Value| asked(json.as_object().unwrap()).map(|(name, text)| (name.to_owned(), text));
        let messages = json!({ "messages": [{ "role": "user", "content": "가" }], "n": 1 });
        assert_eq!(asked_of(messages), Some(("messages".into(), "가".into())));
        assert_eq!(
            asked_of(json!({ "query": "나", "interactive": true })),
            Some(("query".into(), "나".into()))
        );
        assert_eq!(asked_of(json!({ "x": 1 })), None);
    }

    #[test]
    fn a_question_is_told_with_its_options() {
        let asked = json!({ "type": "clarification_needed", "question": "원래 질문", "clarifications": [
            { "question": "어느 서비스인가요?", "options": ["payment-api", "전체"] },
        ] });
        assert_eq!(question(&asked), "어느 서비스인가요?\n- payment-api\n- 전체");
        let chosen = json!({ "message": "?", "options": [{ "label": "네", "value": "yes" }, "no"] });
        assert_eq!((reply(&chosen, " 네 "), reply(&chosen, "no")), (json!("yes"), json!("no")));
        assert_eq!(question(&json!("plain")), "plain");
        assert_eq!(question(&json!({ "n": 1 })), r#"{"n":1}"#);
    }
}
