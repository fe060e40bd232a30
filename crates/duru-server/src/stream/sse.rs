//! Server-sent events, byte by byte as clients expect them.

use bytes::Bytes;
use serde_json::Value;

/// One event on its way to a client.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) event: String,
    pub(crate) data: Value,
    pub(crate) id: Option<String>,
}

impl Frame {
    pub(crate) fn new(event: impl Into<String>, data: Value) -> Self {
        Self { event: event.into(), data, id: None }
    }

    /// Event, data, id, each on one line: JSON has no raw line ends, and what
    /// else stands here is not allowed any.
    pub(crate) fn to_bytes(&self) -> Bytes {
        let mut text = format!("event: {}\r\ndata: {}\r\n", one_line(&self.event), self.data);
        if let Some(id) = &self.id {
            text += &format!("id: {}\r\n", one_line(id));
        }
        text += "\r\n";
        text.into()
    }
}

/// A line end in a name would begin a line of its own: nobody may forge an event.
fn one_line(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '\r' | '\n' | '\0')).collect()
}

/// A sign of life that no client takes for an event.
pub(crate) fn heartbeat() -> Bytes {
    Bytes::from_static(b": heartbeat\r\n\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_frame_is_as_captured() {
        let mut frame = Frame::new("values", json!({"글": "가\n나"}));
        assert_eq!(frame.to_bytes(), "event: values\r\ndata: {\"글\":\"가\\n나\"}\r\n\r\n".as_bytes());
        frame.id = Some("17-4".into());
        frame.event = "a\r\nevent: forged".into();
        let text = String::from_utf8(frame.to_bytes().to_vec()).expect("UTF-8");
        assert_eq!(text, "event: aevent: forged\r\ndata: {\"글\":\"가\\n나\"}\r\nid: 17-4\r\n\r\n");
    }
}
