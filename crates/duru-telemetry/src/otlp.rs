//! Spans as a collector reads them: OTLP in JSON.

use std::fmt::Write as _;

use crate::json;
use crate::span::{Span, Value};

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

/// Writing into a string cannot fail.
fn span(out: &mut String, span: &Span) {
    let _ = write!(
        out,
        "{{\"traceId\":\"{:032x}\",\"spanId\":\"{:016x}\",",
        span.context.trace, span.context.span
    );
    if let Some(parent) = span.parent {
        let _ = write!(out, "\"parentSpanId\":\"{parent:016x}\",");
    }
    out.push_str("\"name\":");
    json::text(out, span.said.name.as_deref().unwrap_or(span.name));
    let _ = write!(
        out,
        ",\"kind\":{},\"startTimeUnixNano\":\"{}\",\"endTimeUnixNano\":\"{}\",\"attributes\":[",
        span.said.kind as u8, span.start_ns, span.end_ns
    );
    for (index, (name, value)) in span.said.fields.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        key(out, name);
        if LISTS.contains(name) {
            out.push_str("{\"arrayValue\":{\"values\":[");
            attribute(out, value);
            out.push_str("]}}");
        } else {
            attribute(out, value);
        }
        out.push('}');
    }
    out.push(']');
    if span.said.get("error.type").is_some() {
        out.push_str(",\"status\":{\"code\":2}");
    }
    out.push('}');
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

fn attribute(out: &mut String, value: &Value) {
    let _ = match value {
        Value::Text(text) => {
            string(out, text);
            Ok(())
        }
        // The protocol has large numbers as text.
        Value::Number(number) => write!(out, "{{\"intValue\":\"{number}\"}}"),
        Value::Float(number) if number.is_finite() => write!(out, "{{\"doubleValue\":{number}}}"),
        Value::Float(_) => write!(out, "{{}}"),
        Value::Flag(flag) => write!(out, "{{\"boolValue\":{flag}}}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::span::{Kind, Said};

    #[test]
    fn a_batch_is_what_the_protocol_says() {
        let said = Said {
            name: Some("chat \"m\"".into()),
            kind: Kind::Client,
            fields: vec![
                ("gen_ai.usage.input_tokens", Value::Number(12)),
                ("gen_ai.response.finish_reasons", Value::Text("stop".into())),
                ("error.type", Value::Text("Timeout".into())),
                ("share", Value::Float(0.5)),
                ("nothing", Value::Float(f64::NAN)),
            ],
            ..Said::default()
        };
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
    }
}
