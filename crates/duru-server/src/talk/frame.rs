//! One frame to a client.

use duru::ThreadId;
use duru::store::Seq;
use serde_json::{Map, Value};

use crate::time::iso;

/// What is said to a client: a type, and what else there is to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    kind: String,
    rest: Map<String, Value>,
}

impl Frame {
    /// Of a type, with the fields of an object.
    pub fn new(kind: impl Into<String>, rest: Value) -> Self {
        let Value::Object(rest) = rest else { return Self { kind: kind.into(), rest: Map::new() } };
        Self { kind: kind.into(), rest }
    }

    /// From an object that names its type itself.
    pub fn typed(value: &Value) -> Option<Self> {
        let mut rest = value.as_object()?.clone();
        let Some(Value::String(kind)) = rest.remove("type") else { return None };
        Some(Self { kind, rest })
    }

    /// Its type.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// With one more field.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.rest.insert(name.to_owned(), value.into());
        self
    }

    /// As it travels: `type`, `thread_id`, `seq` and `ts` are in every frame. One
    /// that is no event of the thread has no number.
    pub(super) fn json(&self, thread: Option<&ThreadId>, seq: Option<Seq>, at_ms: u64) -> Value {
        let mut json = self.rest.clone();
        json.insert("type".into(), self.kind.clone().into());
        json.insert("thread_id".into(), thread.map(|thread| thread.as_str().to_owned()).into());
        json.insert("seq".into(), seq.into());
        json.insert("ts".into(), iso(at_ms).into());
        Value::Object(json)
    }
}

/// The frames of questions: the event of an interrupt, as the stream of updates has it.
pub fn question_frames(update: &Value) -> Option<Vec<Frame>> {
    let questions = update.get("__interrupt__")?.as_array()?;
    let frame = |question: &Value| {
        let value = &question["value"];
        let frame = Frame::typed(value)
            .unwrap_or_else(|| Frame::new("interrupt", serde_json::json!({ "value": value })));
        frame.with("interrupt_id", question["id"].clone())
    };
    Some(questions.iter().map(frame).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_frame_has_its_four_fields_whatever_else_it_says() {
        let frame = Frame::typed(&json!({ "type": "token", "text": "가", "seq": "mine", "ts": 7 })).unwrap();
        let thread = ThreadId::new("t").unwrap();
        let json = frame.json(Some(&thread), Some(4), 0);
        assert_eq!(
            json,
            json!({ "type": "token", "text": "가", "thread_id": "t", "seq": 4, "ts": "1970-01-01T00:00:00.000000+00:00" })
        );
        assert_eq!(Frame::typed(&json!({ "text": "no type" })), None);
    }

    #[test]
    fn a_question_keeps_its_own_type_and_gets_the_id_to_answer_by() {
        let update = json!({ "__interrupt__": [
            { "id": "a", "value": { "type": "user_confirmation_required", "message": "?" } },
            { "id": "b", "value": "plain" },
        ] });
        let frames = question_frames(&update).unwrap();
        assert_eq!(
            (frames[0].kind(), &frames[0].rest["interrupt_id"]),
            ("user_confirmation_required", &json!("a"))
        );
        assert_eq!((frames[1].kind(), &frames[1].rest["value"]), ("interrupt", &json!("plain")));
        assert_eq!(question_frames(&json!({ "node": {} })), None);
    }
}
