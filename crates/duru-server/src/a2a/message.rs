//! Messages, as they are sent and told.

use duru::ThreadId;
use serde_json::{Map, Value};

use super::calls::{NO_PUSH, NO_SUCH_CONTENT, no_task};
use super::task::TaskId;
use crate::answer;
use crate::routes::thread_id;
use crate::rpc::{Fault, INVALID_PARAMS};

pub(super) const PUSHES_NOTHING: &str = "Push notifications are not supported: get the task, or stream it";

/// A part of a message or of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Text(String),
    Data(Value),
}

/// A message that is told.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) id: String,
    pub(super) of_user: bool,
    pub(super) parts: Vec<Part>,
}

/// A message that was sent.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) id: String,
    /// Empty where there are only data.
    text: String,
    data: Option<Value>,
    pub(super) context: Option<ThreadId>,
    pub(super) task: Option<TaskId>,
    /// Whether the answer is waited for.
    pub(super) waits: bool,
    pub(super) history: Option<usize>,
}

fn invalid(why: impl std::fmt::Display) -> Fault {
    Fault(INVALID_PARAMS, format!("Invalid params: {why}"))
}

/// How many messages of a task are wanted; none for all.
pub(super) fn history(params: &Value) -> Result<Option<usize>, Fault> {
    match params.get("historyLength") {
        None | Some(Value::Null) => Ok(None),
        Some(length) => match length.as_u64() {
            Some(length) => Ok(Some(usize::try_from(length).unwrap_or(usize::MAX))),
            None => Err(invalid("historyLength: a number of messages")),
        },
    }
}

/// Some send an empty name for none.
fn name<'a>(message: &'a Value, field: &str) -> Result<Option<&'a str>, Fault> {
    match &message[field] {
        Value::Null => Ok(None),
        Value::String(name) => Ok(Some(name.as_str()).filter(|name| !name.is_empty())),
        _ => Err(invalid(format!("message.{field}: a text"))),
    }
}

impl Asked {
    pub(super) fn read(params: &Value) -> Result<Self, Fault> {
        let message = &params["message"];
        if !message.is_object() {
            return Err(invalid("message: what is asked is missing"));
        }
        let id = name(message, "messageId")?.ok_or_else(|| invalid("message.messageId: missing"))?;
        if !matches!(message["role"].as_str(), Some("user" | "ROLE_USER")) {
            return Err(invalid("message.role: it is a user who asks"));
        }
        let (text, data) = parts(&message["parts"])?;
        let context = name(message, "contextId")?.map(thread_id).transpose();
        let task = match name(message, "taskId")? {
            Some(name) => Some(TaskId::parse(name).ok_or_else(|| no_task(name))?),
            None => None,
        };
        let settings = &params["configuration"];
        accepts(&settings["acceptedOutputModes"])?;
        let pushed = ["pushNotificationConfig", "taskPushNotificationConfig"];
        if pushed.into_iter().any(|field| !settings[field].is_null()) {
            return Err(Fault(NO_PUSH, PUSHES_NOTHING.into()));
        }
        Ok(Self {
            id: id.to_owned(),
            text,
            data,
            context: context.map_err(|error| invalid(format!("message.contextId: {}", error.detail())))?,
            task,
            waits: settings["blocking"] != false && settings["returnImmediately"] != true,
            history: history(settings)?,
        })
    }

    /// A graph's input. Clients of this protocol can be asked back.
    pub(super) fn input(&self, schemas: &duru::Schemas) -> Result<Value, Fault> {
        let mut input = if self.text.is_empty() {
            Map::new()
        } else {
            let said = serde_json::json!([{ "role": "user", "content": self.text }]);
            let said = said.as_array().map(Vec::as_slice).unwrap_or_default();
            match answer::input(schemas, said).map_err(invalid)? {
                Value::Object(input) => input,
                _ => Map::new(),
            }
        };
        if schemas.input["properties"].get("interactive").is_some() {
            input.insert("interactive".into(), true.into());
        }
        match &self.data {
            None => {}
            Some(Value::Object(fields)) => input.extend(fields.clone()),
            Some(_) => return Err(invalid("message.parts: data are the fields of an input, an object")),
        }
        Ok(Value::Object(input))
    }

    /// What is answered to a question.
    pub(super) fn reply(&self, question: &Value) -> Result<Value, Fault> {
        let said = || answer::reply(question, &self.text);
        match &self.data {
            None => Ok(said()),
            Some(data) if self.text.is_empty() => Ok(data.clone()),
            Some(Value::Object(fields)) => {
                let mut fields = fields.clone();
                fields.entry("value").or_insert_with(said);
                Ok(Value::Object(fields))
            }
            Some(_) => Err(invalid("message.parts: words, or data, or words with an object")),
        }
    }
}

/// The words and the data of a message.
fn parts(parts: &Value) -> Result<(String, Option<Value>), Fault> {
    let (mut words, mut data) = (Vec::new(), None);
    for part in parts.as_array().into_iter().flatten() {
        let kind = part["kind"].as_str();
        match (kind, part.get("text"), part.get("data")) {
            (None | Some("text"), Some(Value::String(text)), _) => words.push(text.as_str()),
            (None | Some("data"), None, Some(given)) => match (&mut data, whole(given)) {
                (None, given) => data = Some(given),
                (Some(Value::Object(fields)), Value::Object(more)) => fields.extend(more),
                _ => return Err(invalid("message.parts: several data that are no objects")),
            },
            (Some("text" | "data"), ..) => return Err(invalid("message.parts: a part without its content")),
            _ => {
                let why = "Incompatible content types: parts are text or data; files are not read here";
                return Err(Fault(NO_SUCH_CONTENT, why.into()));
            }
        }
    }
    let text = words.join("\n").trim().to_owned();
    if text.is_empty() && data.is_none() {
        return Err(invalid("message.parts: a part with text, or with data"));
    }
    Ok((text, data))
}

/// Data with whole numbers where the protocol knows only fractions: `1.0` that was `1` before it was sent.
fn whole(data: &Value) -> Value {
    match data {
        Value::Number(number) => match number.as_f64() {
            Some(n) if !number.is_i64() && n.fract() == 0.0 && n.abs() < 9e15 => (n as i64).into(),
            _ => data.clone(),
        },
        Value::Array(items) => items.iter().map(whole).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), whole(value))).collect(),
        _ => data.clone(),
    }
}

/// Whether somebody takes what is answered here.
fn accepts(modes: &Value) -> Result<(), Fault> {
    let Some(modes) = modes.as_array().filter(|modes| !modes.is_empty()) else { return Ok(()) };
    let ours = |mode: &str| mode.starts_with("text") || matches!(mode, "application/json" | "data" | "*/*");
    if modes.iter().filter_map(Value::as_str).any(ours) {
        return Ok(());
    }
    let why = "Incompatible content types: answers are text/plain or application/json";
    Err(Fault(NO_SUCH_CONTENT, why.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(parts: Value) -> Result<Asked, i64> {
        let message = json!({ "messageId": "m", "role": "user", "parts": parts });
        Asked::read(&json!({ "message": message })).map_err(|fault| fault.0)
    }

    #[test]
    fn both_versions_parts_are_read() {
        for parts in [json!([{ "kind": "text", "text": " 가 " }]), json!([{ "text": "가" }])] {
            assert_eq!(asked(parts).unwrap().text, "가");
        }
        let both = asked(json!([{ "kind": "data", "data": { "a": 1 } }, { "data": { "b": 2 } }])).unwrap();
        assert_eq!(both.data, Some(json!({ "a": 1, "b": 2 })));
        let sent = asked(json!([{ "data": { "n": [3.0, 0.5, -0.0, 1e300], "big": u64::MAX } }])).unwrap();
        assert_eq!(sent.data, Some(json!({ "n": [3, 0.5, 0, 1e300], "big": u64::MAX })));
    }

    #[test]
    fn what_can_t_be_read_is_told_apart() {
        let wrong = [json!([]), json!("text"), json!([{ "text": " " }]), json!([{ "kind": "text" }])];
        for parts in wrong {
            assert_eq!(asked(parts.clone()).err(), Some(INVALID_PARAMS), "{parts}");
        }
        for parts in [json!([{ "kind": "file", "file": {} }]), json!([{ "url": "http://x" }])] {
            assert_eq!(asked(parts.clone()).err(), Some(NO_SUCH_CONTENT), "{parts}");
        }
    }

    #[test]
    fn an_answer_is_words_or_data_or_both() {
        let question = json!({ "message": "?", "options": [{ "label": "네", "value": "yes" }] });
        let reply = |parts: Value| asked(parts).unwrap().reply(&question).unwrap();
        assert_eq!(reply(json!([{ "text": "네" }])), json!("yes"));
        assert_eq!(reply(json!([{ "data": 3 }])), json!(3));
        let fields = json!([{ "text": "네" }, { "data": { "fields": {} } }]);
        assert_eq!(reply(fields), json!({ "fields": {}, "value": "yes" }));
    }
}
