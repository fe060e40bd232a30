//! Spans as a collector reads them: the messages of OTLP, in protobuf. They are few, and written by hand: what every
//! span says of itself is in its final form before it ends.

use crate::span::Span;

/// An attribute that is a list, although a program says it as one text.
const LIST: &str = "gen_ai.response.finish_reasons";

/// Fields of the messages, with how their values are written: in the lowest bits, 0 is a number, 1 eight bytes, and
/// 2 bytes behind their length.
pub(crate) mod field {
    pub(crate) const RESOURCE_SPANS: u8 = 1 << 3 | 2;

    pub(crate) const RESOURCE: u8 = 1 << 3 | 2;
    pub(crate) const SCOPE_SPANS: u8 = 2 << 3 | 2;
    pub(crate) const RESOURCE_ATTRIBUTE: u8 = 1 << 3 | 2;

    pub(crate) const SCOPE: u8 = 1 << 3 | 2;
    pub(crate) const SPAN: u8 = 2 << 3 | 2;
    pub(crate) const SCOPE_NAME: u8 = 1 << 3 | 2;
    pub(crate) const SCOPE_VERSION: u8 = 2 << 3 | 2;

    pub(crate) const TRACE_ID: u8 = 1 << 3 | 2;
    pub(crate) const SPAN_ID: u8 = 2 << 3 | 2;
    pub(crate) const PARENT: u8 = 4 << 3 | 2;
    pub(crate) const NAME: u8 = 5 << 3 | 2;
    pub(crate) const KIND: u8 = 6 << 3;
    pub(crate) const START: u8 = 7 << 3 | 1;
    pub(crate) const END: u8 = 8 << 3 | 1;
    pub(crate) const ATTRIBUTE: u8 = 9 << 3 | 2;
    pub(crate) const STATUS: u8 = 15 << 3 | 2;
    pub(crate) const STATUS_CODE: u8 = 3 << 3;

    pub(crate) const KEY: u8 = 1 << 3 | 2;
    pub(crate) const VALUE: u8 = 2 << 3 | 2;
    pub(crate) const TEXT: u8 = 1 << 3 | 2;
    pub(crate) const FLAG: u8 = 2 << 3;
    pub(crate) const NUMBER: u8 = 3 << 3;
    pub(crate) const FLOAT: u8 = 4 << 3 | 1;
    pub(crate) const ITEMS: u8 = 5 << 3 | 2;
    pub(crate) const ITEM: u8 = 1 << 3 | 2;
}

/// Room for any length that is only known at the end.
const LATER: [u8; 5] = [0x80, 0x80, 0x80, 0x80, 0];

/// What stands before the spans of every request: this process.
#[derive(Debug)]
pub(crate) struct Head {
    bytes: Vec<u8>,
    /// Where the length of all spans is to be written; that of all there is comes right behind the first byte.
    spans: usize,
}

impl Head {
    pub(crate) fn new(resource: &[(String, String)]) -> Self {
        let mut attributes = Vec::new();
        for (name, value) in resource {
            text_of(&mut attributes, field::RESOURCE_ATTRIBUTE, name, value);
        }
        let mut scope = Vec::new();
        bytes(&mut scope, field::SCOPE_NAME, b"duru");
        bytes(&mut scope, field::SCOPE_VERSION, env!("CARGO_PKG_VERSION").as_bytes());
        let mut out = vec![field::RESOURCE_SPANS];
        out.extend_from_slice(&LATER);
        bytes(&mut out, field::RESOURCE, &attributes);
        out.push(field::SCOPE_SPANS);
        let spans = out.len();
        out.extend_from_slice(&LATER);
        bytes(&mut out, field::SCOPE, &scope);
        Self { bytes: out, spans }
    }

    /// Adds a span to the body of a request, which begins with this.
    pub(crate) fn add(&self, body: &mut Vec<u8>, one: &Span) {
        let name = if one.said.name.is_empty() { one.name } else { &one.said.name };
        let length = 18
            + 10
            + if one.parent.is_some() { 10 } else { 0 }
            + bytes_len(name.len())
            + 2
            + 9
            + 9
            + one.said.attributes.len()
            + if one.said.failed { 4 } else { 0 };
        body.reserve(self.bytes.len() + bytes_len(length));
        if body.is_empty() {
            body.extend_from_slice(&self.bytes);
        }
        body.push(field::SPAN);
        varint(body, length as u64);
        span(body, name, one);
    }

    /// Ends the body of a request.
    pub(crate) fn end(&self, body: &mut [u8]) {
        for at in [1, self.spans] {
            let mut left = body.len().saturating_sub(at + LATER.len());
            for (byte, later) in body[at..].iter_mut().zip(LATER) {
                *byte = later | (left & 0x7f) as u8;
                left >>= 7;
            }
        }
    }
}

fn span(out: &mut Vec<u8>, name: &str, span: &Span) {
    let mut ids = [0; 28];
    (ids[0], ids[1]) = (field::TRACE_ID, 16);
    ids[2..18].copy_from_slice(&span.context.trace.to_be_bytes());
    (ids[18], ids[19]) = (field::SPAN_ID, 8);
    ids[20..].copy_from_slice(&span.context.span.to_be_bytes());
    out.extend_from_slice(&ids);
    if let Some(parent) = span.parent {
        out.extend_from_slice(&[field::PARENT, 8]);
        out.extend_from_slice(&parent.to_be_bytes());
    }
    bytes(out, field::NAME, name.as_bytes());
    let mut times = [field::KIND, span.said.kind as u8, field::START, 0, 0, 0, 0, 0, 0, 0, 0, field::END];
    times[3..11].copy_from_slice(&span.start_ns.to_le_bytes());
    out.extend_from_slice(&times);
    out.extend_from_slice(&span.end_ns.to_le_bytes());
    out.extend_from_slice(&span.said.attributes);
    if span.said.failed {
        out.extend_from_slice(&[field::STATUS, 2, field::STATUS_CODE, 2]);
    }
}

/// Adds an attribute of a span.
pub(crate) fn text(out: &mut Vec<u8>, name: &'static str, text: &str) {
    if name != LIST {
        return text_of(out, field::ATTRIBUTE, name, text);
    }
    let item = bytes_len(text.len());
    let items = bytes_len(item);
    key(out, field::ATTRIBUTE, name, bytes_len(items));
    out.push(field::ITEMS);
    varint(out, items as u64);
    out.push(field::ITEM);
    varint(out, item as u64);
    bytes(out, field::TEXT, text.as_bytes());
}

pub(crate) fn number(out: &mut Vec<u8>, name: &'static str, number: i64) {
    // Those below zero have all ten bytes.
    let number = number.cast_unsigned();
    key(out, field::ATTRIBUTE, name, 1 + varint_len(number));
    out.push(field::NUMBER);
    varint(out, number);
}

pub(crate) fn float(out: &mut Vec<u8>, name: &'static str, number: f64) {
    key(out, field::ATTRIBUTE, name, 9);
    out.push(field::FLOAT);
    out.extend_from_slice(&number.to_le_bytes());
}

pub(crate) fn flag(out: &mut Vec<u8>, name: &'static str, flag: bool) {
    key(out, field::ATTRIBUTE, name, 2);
    out.extend_from_slice(&[field::FLAG, u8::from(flag)]);
}

fn text_of(out: &mut Vec<u8>, field: u8, name: &str, text: &str) {
    // Nearly all are so short that every length has one byte.
    const BETWEEN: usize = 6;
    let length = BETWEEN + name.len() + text.len();
    if length < 0x80 {
        out.reserve(2 + length);
        out.extend_from_slice(&[field, length as u8, field::KEY, name.len() as u8]);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(&[field::VALUE, 2 + text.len() as u8, field::TEXT, text.len() as u8]);
        return out.extend_from_slice(text.as_bytes());
    }
    key(out, field, name, bytes_len(text.len()));
    bytes(out, field::TEXT, text.as_bytes());
}

/// Begins an attribute, whose value is of this length.
fn key(out: &mut Vec<u8>, field: u8, name: &str, value: usize) {
    let length = bytes_len(name.len()) + bytes_len(value);
    out.reserve(bytes_len(length));
    out.push(field);
    varint(out, length as u64);
    bytes(out, field::KEY, name.as_bytes());
    out.push(field::VALUE);
    varint(out, value as u64);
}

fn bytes(out: &mut Vec<u8>, field: u8, bytes: &[u8]) {
    out.push(field);
    varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// How long a field is that has so many bytes.
fn bytes_len(bytes: usize) -> usize {
    1 + varint_len(bytes as u64) + bytes
}

fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn varint_len(number: u64) -> usize {
    // Seven bits are in a byte, and there is always one.
    (64 - (number | 1).leading_zeros()).div_ceil(7) as usize
}
