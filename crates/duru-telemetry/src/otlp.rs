//! Spans as a collector reads them: OTLP in JSON.

use std::io::Write as _;

use crate::json;
use crate::span::Span;

/// The end of every request.
const TAIL: &[u8] = b"]}]}]}";

/// An attribute that is a list, although a program says it as one text.
const LIST: &str = "gen_ai.response.finish_reasons";

/// What stands before every batch: this process.
pub(crate) fn head(resource: &[(String, String)]) -> Vec<u8> {
    let mut out = b"{\"resourceSpans\":[{\"resource\":{\"attributes\":[".to_vec();
    for (index, (name, value)) in resource.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"key\":");
        json::text(&mut out, name);
        out.extend_from_slice(b",\"value\":{\"stringValue\":");
        json::text(&mut out, value);
        out.extend_from_slice(b"}}");
    }
    out.extend_from_slice(b"]},\"scopeSpans\":[{\"scope\":{\"name\":\"duru\",\"version\":");
    json::text(&mut out, env!("CARGO_PKG_VERSION"));
    out.extend_from_slice(b"},\"spans\":[");
    out
}

/// Adds a span to the body of a request, which begins with `head`.
pub(crate) fn add(out: &mut Vec<u8>, head: &[u8], one: &Span) {
    // Its ids, its times and what stands around them.
    out.reserve(head.len() + one.said.json.len() + 320);
    match out.is_empty() {
        true => out.extend_from_slice(head),
        false => out.push(b','),
    }
    span(out, one);
}

/// Ends the body of a request.
pub(crate) fn end(out: &mut Vec<u8>) {
    out.extend_from_slice(TAIL);
}

fn span(out: &mut Vec<u8>, span: &Span) {
    out.extend_from_slice(b"{\"traceId\":\"");
    json::hex(out, &span.context.trace.to_be_bytes());
    out.extend_from_slice(b"\",\"spanId\":\"");
    json::hex(out, &span.context.span.to_be_bytes());
    if let Some(parent) = span.parent {
        out.extend_from_slice(b"\",\"parentSpanId\":\"");
        json::hex(out, &parent.to_be_bytes());
    }
    out.extend_from_slice(b"\",\"name\":\"");
    json::inside(out, if span.said.name.is_empty() { span.name } else { &span.said.name });
    out.extend_from_slice(b"\",\"kind\":");
    json::number(out, span.said.kind as u64);
    out.extend_from_slice(b",\"startTimeUnixNano\":\"");
    json::number(out, span.start_ns);
    out.extend_from_slice(b"\",\"endTimeUnixNano\":\"");
    json::number(out, span.end_ns);
    out.extend_from_slice(b"\",\"attributes\":[");
    out.extend_from_slice(&span.said.json);
    out.extend_from_slice(if span.said.failed { b"],\"status\":{\"code\":2}}" } else { b"]}" });
}

/// Adds an attribute.
pub(crate) fn text(out: &mut Vec<u8>, name: &'static str, text: &str) {
    if name == LIST {
        key(out, name, b"\",\"value\":{\"arrayValue\":{\"values\":[{\"stringValue\":\"");
        json::inside(out, text);
        return out.extend_from_slice(b"\"}]}}}");
    }
    key(out, name, b"\",\"value\":{\"stringValue\":\"");
    json::inside(out, text);
    out.extend_from_slice(b"\"}}");
}

pub(crate) fn number(out: &mut Vec<u8>, name: &'static str, number: i64) {
    // The protocol has large numbers as text.
    key(out, name, b"\",\"value\":{\"intValue\":\"");
    if number < 0 {
        out.push(b'-');
    }
    json::number(out, number.unsigned_abs());
    out.extend_from_slice(b"\"}}");
}

pub(crate) fn float(out: &mut Vec<u8>, name: &'static str, number: f64) {
    // JSON has no others.
    if number.is_finite() {
        key(out, name, b"\",\"value\":{\"doubleValue\":");
        // Writing into memory cannot fail.
        let _ = write!(out, "{number}}}}}");
    }
}

pub(crate) fn flag(out: &mut Vec<u8>, name: &'static str, flag: bool) {
    key(out, name, b"\",\"value\":{\"boolValue\":");
    out.extend_from_slice(if flag { b"true}}" } else { b"false}}" });
}

/// Attributes have commas between them.
pub(crate) fn next(out: &mut Vec<u8>) {
    if !out.is_empty() {
        out.push(b',');
    }
}

/// Begins an attribute. Its name is one of a program, and so is plain.
fn key(out: &mut Vec<u8>, name: &'static str, then: &[u8]) {
    next(out);
    out.extend_from_slice(b"{\"key\":\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(then);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::span::{Attributes, Kind};

    #[test]
    fn a_batch_is_what_the_protocol_says() {
        let mut json = Vec::new();
        number(&mut json, "gen_ai.usage.input_tokens", 12);
        number(&mut json, "least", i64::MIN);
        text(&mut json, "gen_ai.response.finish_reasons", "stop");
        float(&mut json, "share", 0.5);
        float(&mut json, "nothing", f64::NAN);
        flag(&mut json, "cached", true);
        let mut said = Attributes::default();
        (said.name, said.kind, said.failed, said.json) = ("chat \"m\"".into(), Kind::Client, true, json);
        let context = Context { trace: 0xa, span: 0xb, sampled: true };
        let span = Span { context, parent: Some(0xc), name: "chat", said, start_ns: 1, end_ns: 2 };
        let (mut body, head) = (Vec::new(), head(&[("service.name".into(), "두루".into())]));
        add(&mut body, &head, &span);
        add(&mut body, &head, &span);
        end(&mut body);
        let json: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let of = &json["resourceSpans"][0];
        assert_eq!(of["resource"]["attributes"][0]["value"]["stringValue"], "두루");
        let spans = &of["scopeSpans"][0]["spans"];
        assert_eq!((spans.as_array().unwrap().len(), &spans[0]), (2, &spans[1]));
        let span = &spans[0];
        assert_eq!(span["traceId"], "0000000000000000000000000000000a");
        assert_eq!((&span["parentSpanId"], &span["kind"]), (&"000000000000000c".into(), &3.into()));
        assert_eq!((&span["name"], &span["status"]["code"]), (&"chat \"m\"".into(), &2.into()));
        assert_eq!(span["attributes"][0]["value"]["intValue"], "12");
        assert_eq!(span["attributes"][1]["value"]["intValue"], i64::MIN.to_string());
        assert_eq!(span["attributes"][2]["value"]["arrayValue"]["values"][0]["stringValue"], "stop");
        assert_eq!(span["attributes"][3]["value"]["doubleValue"], 0.5);
        assert_eq!(span["attributes"][4]["value"]["boolValue"], true);
    }
}
