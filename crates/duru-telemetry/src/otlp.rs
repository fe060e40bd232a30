//! Spans as a collector reads them: OTLP in JSON.

use std::fmt::Write as _;

use crate::json;
use crate::span::Span;

/// The end of everything that [`batch`] writes.
const TAIL: &str = "]}]}]}";

/// Attributes that are lists, although a program says them as one text.
const LISTS: [&str; 1] = ["gen_ai.response.finish_reasons"];

/// What stands before every batch: this process.
pub(crate) fn head(resource: &[(String, String)]) -> String {
    let mut out = String::from("{\"resourceSpans\":[{\"resource\":{\"attributes\":[");
    for (index, (name, value)) in resource.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        key(&mut out, name);
        string(&mut out, value);
        out.push('}');
    }
    out.push_str("]},\"scopeSpans\":[{\"scope\":{\"name\":\"duru\",\"version\":");
    json::text(&mut out, env!("CARGO_PKG_VERSION"));
    out.push_str("},\"spans\":[");
    out
}

/// The body of one request.
pub(crate) fn batch(head: &str, spans: &[Box<Span>]) -> String {
    let mut out = String::with_capacity(head.len() + spans.len() * 600);
    out.push_str(head);
    for (index, one) in spans.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        span(&mut out, one);
    }
    out.push_str(TAIL);
    out
}

fn span(out: &mut String, span: &Span) {
    out.push_str("{\"traceId\":\"");
    json::hex(out, span.context.trace, 32);
    out.push_str("\",\"spanId\":\"");
    json::hex(out, span.context.span.into(), 16);
    if let Some(parent) = span.parent {
        out.push_str("\",\"parentSpanId\":\"");
        json::hex(out, parent.into(), 16);
    }
    out.push_str("\",\"name\":");
    json::text(out, span.said.name.as_deref().unwrap_or(span.name));
    // Writing into a string cannot fail.
    let _ = write!(
        out,
        ",\"kind\":{},\"startTimeUnixNano\":\"{}\",\"endTimeUnixNano\":\"{}\",\"attributes\":[",
        span.said.kind as u8, span.start_ns, span.end_ns
    );
    out.push_str(&span.said.json);
    out.push_str(if span.said.failed { "],\"status\":{\"code\":2}}" } else { "]}" });
}

/// Adds an attribute.
pub(crate) fn text(out: &mut String, name: &str, text: &str) {
    next(out);
    key(out, name);
    let is_list = LISTS.contains(&name);
    if is_list {
        out.push_str("{\"arrayValue\":{\"values\":[");
    }
    string(out, text);
    out.push_str(if is_list { "]}}}" } else { "}" });
}

pub(crate) fn number(out: &mut String, name: &str, number: i64) {
    next(out);
    key(out, name);
    // The protocol has large numbers as text.
    let _ = write!(out, "{{\"intValue\":\"{number}\"}}}}");
}

pub(crate) fn float(out: &mut String, name: &str, number: f64) {
    // JSON has no others.
    if number.is_finite() {
        next(out);
        key(out, name);
        let _ = write!(out, "{{\"doubleValue\":{number}}}}}");
    }
}

pub(crate) fn flag(out: &mut String, name: &str, flag: bool) {
    next(out);
    key(out, name);
    let _ = write!(out, "{{\"boolValue\":{flag}}}}}");
}

/// Attributes have commas between them.
fn next(out: &mut String) {
    if !out.is_empty() {
        out.push(',');
    }
}

fn key(out: &mut String, name: &str) {
    out.push_str("{\"key\":");
    json::text(out, name);
    out.push_str(",\"value\":");
}

fn string(out: &mut String, text: &str) {
    out.push_str("{\"stringValue\":");
    json::text(out, text);
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::span::{Attributes, Kind};

    #[test]
    fn a_batch_is_what_the_protocol_says() {
        let mut json = String::new();
        number(&mut json, "gen_ai.usage.input_tokens", 12);
        text(&mut json, "gen_ai.response.finish_reasons", "stop");
        float(&mut json, "share", 0.5);
        float(&mut json, "nothing", f64::NAN);
        flag(&mut json, "cached", true);
        let name = Some("chat \"m\"".into());
        let said = Attributes { name, kind: Kind::Client, failed: true, json, ..Attributes::default() };
        let context = Context { trace: 0xa, span: 0xb, sampled: true };
        let span = Span { context, parent: Some(0xc), name: "chat", said, start_ns: 1, end_ns: 2 };
        let text = batch(&head(&[("service.name".into(), "두루".into())]), &[Box::new(span)]);
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let of = &json["resourceSpans"][0];
        assert_eq!(of["resource"]["attributes"][0]["value"]["stringValue"], "두루");
        let span = &of["scopeSpans"][0]["spans"][0];
        assert_eq!(span["traceId"], "0000000000000000000000000000000a");
        assert_eq!((&span["parentSpanId"], &span["kind"]), (&"000000000000000c".into(), &3.into()));
        assert_eq!((&span["name"], &span["status"]["code"]), (&"chat \"m\"".into(), &2.into()));
        assert_eq!(span["attributes"][0]["value"]["intValue"], "12");
        assert_eq!(span["attributes"][1]["value"]["arrayValue"]["values"][0]["stringValue"], "stop");
        assert_eq!(span["attributes"][2]["value"]["doubleValue"], 0.5);
        assert_eq!(span["attributes"][3]["value"]["boolValue"], true);
    }
}
