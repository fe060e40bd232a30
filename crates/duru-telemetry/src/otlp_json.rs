//! The same messages in JSON, for a collector that is to have them so. They are read back from what was written for
//! all others: whoever ends a span writes it in one way only.

use std::io::Write as _;

use crate::json;
use crate::otlp::field;

/// The body of a request in JSON; none if that is not what it is.
pub(crate) fn json(body: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(body.len() * 2);
    out.extend_from_slice(b"{\"resourceSpans\":[");
    each(&mut out, body, field::RESOURCE_SPANS, |out, one| {
        out.extend_from_slice(b"{\"resource\":{\"attributes\":[");
        let resource = only(one, field::RESOURCE)?;
        each(out, resource, field::RESOURCE_ATTRIBUTE, attribute)?;
        out.extend_from_slice(b"]},\"scopeSpans\":[");
        each(out, one, field::SCOPE_SPANS, scope_spans)?;
        out.extend_from_slice(b"]}");
        Some(())
    })?;
    out.extend_from_slice(b"]}");
    Some(out)
}

fn scope_spans(out: &mut Vec<u8>, bytes: &[u8]) -> Option<()> {
    let scope = only(bytes, field::SCOPE)?;
    out.extend_from_slice(b"{\"scope\":{\"name\":");
    text(out, only(scope, field::SCOPE_NAME)?)?;
    out.extend_from_slice(b",\"version\":");
    text(out, only(scope, field::SCOPE_VERSION)?)?;
    out.extend_from_slice(b"},\"spans\":[");
    each(out, bytes, field::SPAN, span)?;
    out.extend_from_slice(b"]}");
    Some(())
}

fn span(out: &mut Vec<u8>, bytes: &[u8]) -> Option<()> {
    out.push(b'{');
    let mut rest = bytes;
    while !rest.is_empty() {
        match next(&mut rest)? {
            (field::TRACE_ID, Part::Bytes(id)) => member(out, "traceId", |out| hex(out, id)),
            (field::SPAN_ID, Part::Bytes(id)) => member(out, "spanId", |out| hex(out, id)),
            (field::PARENT, Part::Bytes(id)) => member(out, "parentSpanId", |out| hex(out, id)),
            (field::NAME, Part::Bytes(name)) => member(out, "name", |out| text(out, name)),
            (field::KIND, Part::Number(kind)) => member(out, "kind", |out| digits(out, kind)),
            (field::START, Part::Number(at)) => member(out, "startTimeUnixNano", |out| quoted(out, at)),
            (field::END, Part::Number(at)) => member(out, "endTimeUnixNano", |out| quoted(out, at)),
            (field::STATUS, Part::Bytes(status)) => member(out, "status", |out| {
                let mut rest = status;
                let (field::STATUS_CODE, Part::Number(code)) = next(&mut rest)? else { return None };
                out.extend_from_slice(b"{\"code\":");
                json::number(out, code);
                out.push(b'}');
                Some(())
            }),
            (field::ATTRIBUTE, Part::Bytes(_)) => Some(()),
            _ => None,
        }?;
    }
    member(out, "attributes", |out| {
        out.push(b'[');
        each(out, bytes, field::ATTRIBUTE, attribute)?;
        out.push(b']');
        Some(())
    })?;
    out.push(b'}');
    Some(())
}

fn attribute(out: &mut Vec<u8>, bytes: &[u8]) -> Option<()> {
    out.extend_from_slice(b"{\"key\":");
    text(out, only(bytes, field::KEY)?)?;
    out.extend_from_slice(b",\"value\":");
    value(out, only(bytes, field::VALUE)?)?;
    out.push(b'}');
    Some(())
}

fn value(out: &mut Vec<u8>, bytes: &[u8]) -> Option<()> {
    out.push(b'{');
    let mut rest = bytes;
    match next(&mut rest)? {
        (field::TEXT, Part::Bytes(said)) => member(out, "stringValue", |out| text(out, said)),
        (field::FLAG, Part::Number(flag)) => member(out, "boolValue", |out| {
            out.extend_from_slice(if flag == 1 { b"true" } else { b"false" });
            Some(())
        }),
        // JSON of the protocol has large numbers as text.
        (field::NUMBER, Part::Number(number)) => member(out, "intValue", |out| {
            // Writing into memory cannot fail.
            write!(out, "\"{}\"", number.cast_signed()).ok()
        }),
        (field::FLOAT, Part::Number(bits)) => member(out, "doubleValue", |out| {
            let number = f64::from_bits(bits);
            // And those that JSON does not know as text, too.
            if number.is_finite() { write!(out, "{number}") } else { write!(out, "\"{number}\"") }.ok()
        }),
        (field::ITEMS, Part::Bytes(items)) => member(out, "arrayValue", |out| {
            out.extend_from_slice(b"{\"values\":[");
            each(out, items, field::ITEM, value)?;
            out.extend_from_slice(b"]}");
            Some(())
        }),
        _ => None,
    }?;
    out.push(b'}');
    Some(())
}

/// Writes all values of a field, with commas between.
fn each(
    out: &mut Vec<u8>,
    bytes: &[u8],
    wanted: u8,
    write: fn(&mut Vec<u8>, &[u8]) -> Option<()>,
) -> Option<()> {
    let (mut rest, mut first) = (bytes, true);
    while !rest.is_empty() {
        let (found, part) = next(&mut rest)?;
        if let Part::Bytes(bytes) = part
            && found == wanted
        {
            if !std::mem::take(&mut first) {
                out.push(b',');
            }
            write(out, bytes)?;
        }
    }
    Some(())
}

fn member(out: &mut Vec<u8>, name: &str, write: impl FnOnce(&mut Vec<u8>) -> Option<()>) -> Option<()> {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    json::text(out, name);
    out.push(b':');
    write(out)
}

fn text(out: &mut Vec<u8>, bytes: &[u8]) -> Option<()> {
    json::text(out, std::str::from_utf8(bytes).ok()?);
    Some(())
}

fn hex(out: &mut Vec<u8>, id: &[u8]) -> Option<()> {
    out.push(b'"');
    json::hex(out, id);
    out.push(b'"');
    Some(())
}

fn digits(out: &mut Vec<u8>, number: u64) -> Option<()> {
    json::number(out, number);
    Some(())
}

fn quoted(out: &mut Vec<u8>, number: u64) -> Option<()> {
    out.push(b'"');
    json::number(out, number);
    out.push(b'"');
    Some(())
}

/// The value of a field.
enum Part<'a> {
    Bytes(&'a [u8]),
    /// Also eight bytes, whatever they mean.
    Number(u64),
}

/// The bytes of the one field of this kind.
fn only(bytes: &[u8], wanted: u8) -> Option<&[u8]> {
    let mut rest = bytes;
    loop {
        if let (field, Part::Bytes(found)) = next(&mut rest)?
            && field == wanted
        {
            return Some(found);
        }
    }
}

/// The next field.
fn next<'a>(rest: &mut &'a [u8]) -> Option<(u8, Part<'a>)> {
    let (&field, after) = rest.split_first()?;
    *rest = after;
    let part = match field & 7 {
        0 => Part::Number(varint(rest)?),
        1 => {
            let (bytes, after) = rest.split_first_chunk()?;
            *rest = after;
            Part::Number(u64::from_le_bytes(*bytes))
        }
        2 => {
            let length = usize::try_from(varint(rest)?).ok()?;
            let (bytes, after) = rest.split_at_checked(length)?;
            *rest = after;
            Part::Bytes(bytes)
        }
        _ => return None,
    };
    Some((field, part))
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;
    use crate::otlp::{self, Head};
    use crate::span::{Attributes, Kind, Span};

    #[test]
    fn what_was_written_for_one_collector_is_the_same_for_the_other() {
        let mut attributes = Vec::new();
        otlp::number(&mut attributes, "gen_ai.usage.input_tokens", 12);
        otlp::number(&mut attributes, "least", i64::MIN);
        otlp::text(&mut attributes, "gen_ai.response.finish_reasons", "stop");
        otlp::float(&mut attributes, "share", 0.5);
        otlp::float(&mut attributes, "nothing", f64::NAN);
        otlp::flag(&mut attributes, "cached", true);
        // Lengths of one, two and three bytes.
        let long = ["한".repeat(40), "글".repeat(5000), "자".repeat(8000)];
        long.iter().for_each(|text| otlp::text(&mut attributes, "long", text));
        let mut said = Attributes::default();
        (said.name, said.kind, said.failed, said.attributes) =
            ("chat \"m\"".into(), Kind::Client, true, attributes);
        let context = Context { trace: 0xa, span: 0xb, sampled: true };
        let span = Span { context, parent: Some(0xc), name: "chat", said, start_ns: 1, end_ns: u64::MAX };
        let (mut body, head) = (Vec::new(), Head::new(&[("service.name".into(), "두루".into())]));
        head.add(&mut body, &span);
        head.add(&mut body, &span);
        head.end(&mut body);
        let json: serde_json::Value = serde_json::from_slice(&json(&body).unwrap()).unwrap();
        let of = &json["resourceSpans"][0];
        assert_eq!(of["resource"]["attributes"][0]["value"]["stringValue"], "두루");
        let spans = &of["scopeSpans"][0]["spans"];
        assert_eq!((spans.as_array().unwrap().len(), &spans[0]), (2, &spans[1]));
        let span = &spans[0];
        assert_eq!(span["traceId"], "0000000000000000000000000000000a");
        assert_eq!((&span["parentSpanId"], &span["kind"]), (&"000000000000000c".into(), &3.into()));
        assert_eq!((&span["name"], &span["status"]["code"]), (&"chat \"m\"".into(), &2.into()));
        assert_eq!(
            (&span["startTimeUnixNano"], &span["endTimeUnixNano"]),
            (&"1".into(), &u64::MAX.to_string().into())
        );
        let values: Vec<_> =
            span["attributes"].as_array().unwrap().iter().map(|one| one["value"].clone()).collect();
        assert_eq!(values[0]["intValue"], "12");
        assert_eq!(values[1]["intValue"], i64::MIN.to_string());
        assert_eq!(values[2]["arrayValue"]["values"][0]["stringValue"], "stop");
        assert_eq!((&values[3]["doubleValue"], &values[4]["doubleValue"]), (&0.5.into(), &"NaN".into()));
        assert_eq!(values[5]["boolValue"], true);
        assert_eq!(
            values[6..].iter().map(|value| &value["stringValue"]).collect::<Vec<_>>(),
            long.each_ref()
        );
    }

    #[test]
    fn what_was_cut_off_is_not_read() {
        let (mut body, head) = (Vec::new(), Head::new(&[("service.name".into(), "두루".into())]));
        head.add(&mut body, &Span::default());
        head.end(&mut body);
        assert!(json(&body).is_some());
        for length in 1..body.len() {
            assert!(json(&body[..length]).is_none(), "{length}");
        }
    }
}
