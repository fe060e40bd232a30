//! The ways in which providers break.

use std::time::Duration;

use duru_messages::ToolCall;
use serde::Deserialize;
use serde_json::{Value, json};

use super::plan::{Act, Head, Plan, frames};
use super::script::milliseconds;
use super::{Says, Seen, Wire, anthropic, openai, responses};

/// A way to fail. "Midway" is behind the first half of a good reply.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fault {
    /// 429, with this `retry-after`.
    RateLimited(Option<String>),
    /// Any other status, with an error of the provider below it.
    Status(u16),
    /// 401, with the key in the message, as some providers do.
    WrongKey,
    /// 404, with the model in the message.
    UnknownModel,
    /// The account is empty.
    NoQuota,
    /// The connection is reset before anything came.
    Reset,
    /// The connection is reset midway.
    ResetMidway,
    /// The stream ends midway, without an error.
    EndsMidway,
    /// An error event midway, of this type.
    ErrorMidway(String),
    /// Nothing ever comes.
    Hang,
    /// Nothing more comes midway.
    HangMidway,
    /// A good reply, one byte after the other with this time between them.
    Drip(#[serde(deserialize_with = "milliseconds")] Duration),
    /// Something that is not JSON.
    InvalidJson,
    /// JSON with numbers for texts and the like.
    WrongTypes,
    /// JSON that is nested very deeply.
    DeepJson,
    /// A tool call that breaks off in its arguments, in a reply that ends well.
    TruncatedCall,
    /// A call of a tool that nobody offered.
    UnknownTool,
    /// A reply of so many bytes.
    Huge(usize),
    /// A status of success, and nothing else.
    Empty,
    /// A good reply without any text.
    EmptyText,
    /// A reply with an escaped NUL in its text.
    Nul,
    /// A reply with a raw NUL in it.
    RawNul,
    /// A line that is not UTF-8.
    NotUtf8,
    /// This text, byte by byte, so that every syllable is split.
    SplitBytes(String),
    /// This text as a whole, although a stream was wanted.
    NotStreamed(String),
    /// The page of some proxy.
    Html,
    /// Sends elsewhere.
    Redirect,
}

/// What is said where the fault leaves something to say.
const TEXT: &str = "이것은 중간에 끊길 답입니다.";

pub(super) fn plan(fault: &Fault, seen: &Seen) -> Plan {
    let says = |text: &str| Says::text(text);
    match fault {
        Fault::RateLimited(retry_after) => {
            let mut plan = error(429, "rate_limit_error", "slow down");
            let after = retry_after.iter().map(|after| ("retry-after", after.clone()));
            plan.head.iter_mut().for_each(|head| head.headers.extend(after.clone()));
            plan
        }
        Fault::Status(status) => error(*status, "api_error", "it broke"),
        Fault::WrongKey => {
            let key = seen.key().unwrap_or_default();
            error(401, "authentication_error", &format!("Incorrect API key provided: {key}"))
        }
        Fault::UnknownModel => error(404, "not_found_error", &format!("model: {}", seen.body["model"])),
        Fault::NoQuota => error(429, "insufficient_quota", "you exceeded your current quota"),
        Fault::Reset => Plan { head: None, acts: vec![Act::Reset] },
        Fault::ResetMidway => midway(seen, Some(Act::Reset)),
        Fault::EndsMidway => midway(seen, None),
        Fault::ErrorMidway(kind) => {
            let body = json!({"type": "error", "error": {"type": kind, "message": "it broke midway"}});
            midway(seen, Some(Act::Send(frame(seen, body).into_bytes())))
        }
        Fault::Hang => Plan { head: None, acts: vec![Act::Hang] },
        Fault::HangMidway => midway(seen, Some(Act::Hang)),
        Fault::Drip(pause) => bytewise(&frames(&says(TEXT), seen).concat(), *pause),
        Fault::InvalidJson => spoiled(seen, |_| b"data: {\"type\": oops\n\n".to_vec()),
        Fault::WrongTypes => Plan::stream(vec![Act::Send(frame(seen, wrong_types(seen.wire)).into_bytes())]),
        Fault::DeepJson => {
            let deep = format!("data: {}1{}\n\n", "[".repeat(100_000), "]".repeat(100_000));
            spoiled(seen, move |_| deep.clone().into_bytes())
        }
        Fault::TruncatedCall => truncated_call(seen),
        Fault::UnknownTool => {
            Plan::good(&Says::calls([ToolCall::new("call_1", "launch_rockets").with_arg("n", 3)]), seen)
        }
        Fault::Huge(bytes) => Plan::good(&Says { piece: 64 << 10, ..says(&"x".repeat(*bytes)) }, seen),
        Fault::Empty => Plan::stream(Vec::new()),
        Fault::EmptyText => Plan::good(&says(""), seen),
        Fault::Nul => Plan::good(&says("가\0나"), seen),
        Fault::RawNul => {
            spoiled(seen, |frame| [&frame[..frame.len() / 2], b"\0", &frame[frame.len() / 2..]].concat())
        }
        Fault::NotUtf8 => spoiled(seen, |_| b"data: {\"a\": \"\xec\x95\"}\n\n".to_vec()),
        Fault::SplitBytes(text) => bytewise(&frames(&says(text), seen).concat(), Duration::ZERO),
        Fault::NotStreamed(text) => Plan::whole(&says(text), seen),
        Fault::Html => page(200, Vec::new()),
        Fault::Redirect => page(302, vec![("location", "http://127.0.0.1:1/".into())]),
    }
}

fn error(status: u16, kind: &str, message: &str) -> Plan {
    Plan::json(status, json!({"type": "error", "error": {"type": kind, "code": kind, "message": message}}))
}

fn page(status: u16, headers: Vec<(&'static str, String)>) -> Plan {
    let head = Head { status, content_type: "text/html", headers };
    Plan { head: Some(head), acts: vec![Act::Send(b"<html>Please log in.</html>".to_vec())] }
}

fn frame(seen: &Seen, event: Value) -> String {
    match seen.wire {
        Wire::Anthropic => anthropic::frame(event),
        Wire::Responses => responses::frame(event),
        _ => openai::frame(event),
    }
}

/// The first half of a good reply, then `act`.
fn midway(seen: &Seen, act: Option<Act>) -> Plan {
    let all = frames(&Says::text(TEXT), seen);
    let half = all.len() / 2;
    let sent = all.into_iter().take(half).map(|frame| Act::Send(frame.into_bytes()));
    Plan::stream(sent.chain(act).collect())
}

/// A good reply with the frame in its middle made into something else.
fn spoiled(seen: &Seen, spoil: impl Fn(&[u8]) -> Vec<u8>) -> Plan {
    let mut all: Vec<_> = frames(&Says::text(TEXT), seen).into_iter().map(String::into_bytes).collect();
    let half = all.len() / 2;
    all[half] = spoil(&all[half]);
    Plan::stream(all.into_iter().map(Act::Send).collect())
}

fn bytewise(text: &str, pause: Duration) -> Plan {
    let mut acts = Vec::new();
    for byte in text.bytes() {
        acts.push(Act::Send(vec![byte]));
        if !pause.is_zero() {
            acts.push(Act::Pause(pause));
        }
    }
    Plan::stream(acts)
}

fn wrong_types(wire: Wire) -> Value {
    match wire {
        Wire::Anthropic => json!({"type": "content_block_start", "index": "first", "content_block": 7}),
        Wire::Responses => json!({"type": "response.output_text.delta", "delta": 7}),
        _ => json!({"id": 7, "choices": {"delta": "text"}}),
    }
}

/// All of a call but the end of its arguments; the reply itself ends well.
fn truncated_call(seen: &Seen) -> Plan {
    let call = ToolCall::new("call_1", "search").with_arg("query", "서울 날씨");
    let mut all = frames(&Says { cut: true, ..Says::calls([call]) }, seen);
    let last = all.iter().rposition(|frame| is_argument(frame));
    last.map(|at| all.remove(at));
    Plan::stream(all.into_iter().map(|frame| Act::Send(frame.into_bytes())).collect())
}

fn is_argument(frame: &str) -> bool {
    let signs = ["partial_json", "\"arguments\"", "function_call_arguments.delta"];
    signs.iter().any(|sign| frame.contains(sign)) && !frame.contains("\"response\":")
}
