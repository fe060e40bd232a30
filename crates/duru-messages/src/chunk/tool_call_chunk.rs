//! A piece of a tool call, and what a set of pieces amounts to.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::{Map, Value};

use super::arguments::{parse_arguments, parse_begun_arguments};
use crate::{InvalidToolCall, ToolCall};

/// A piece of a tool call. The first piece has the name and the id, the others
/// usually only the index of the call and more of the arguments' text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCallChunk {
    /// Which tool.
    pub name: Option<String>,
    /// A piece of the arguments' JSON text.
    pub args: Option<String>,
    /// The call id.
    pub id: Option<String>,
    /// Which of the reply's calls this is a piece of.
    pub index: Option<u64>,
}

impl ToolCallChunk {
    /// The first piece of the call at `index`.
    pub fn begin(index: u64, id: impl Into<String>, name: impl Into<String>) -> Self {
        ToolCallChunk { name: Some(name.into()), args: None, id: Some(id.into()), index: Some(index) }
    }

    /// More of the arguments of the call at `index`.
    pub fn more(index: u64, args: impl Into<String>) -> Self {
        ToolCallChunk { args: Some(args.into()), index: Some(index), ..Default::default() }
    }

    /// Whether `next` continues this call. The index decides, with two
    /// exceptions: some providers number every call 0 and tell them apart by
    /// id, and without an index a piece that names a tool begins a new call.
    pub(crate) fn continues_with(&self, next: &ToolCallChunk) -> bool {
        if self.index != next.index {
            return false;
        }
        match (text(&self.id), text(&next.id)) {
            (Some(mine), Some(other)) => mine == other,
            _ => next.index.is_some() || text(&next.name).is_none(),
        }
    }

    pub(crate) fn join(&mut self, next: &ToolCallChunk) {
        if text(&self.id).is_none() {
            self.id.clone_from(&next.id);
        }
        // Some providers repeat the whole name with every piece.
        if self.name != next.name {
            join_text(&mut self.name, &next.name);
        }
        join_text(&mut self.args, &next.args);
    }
}

fn text(field: &Option<String>) -> Option<&str> {
    field.as_deref().filter(|text| !text.is_empty())
}

fn join_text(left: &mut Option<String>, right: &Option<String>) {
    match (left, right) {
        (Some(left), Some(right)) => left.push_str(right),
        (left @ None, Some(right)) => *left = Some(right.clone()),
        (_, None) => {}
    }
}

/// Good calls, and those that cannot be read.
pub(crate) type Calls = (Vec<ToolCall>, Vec<InvalidToolCall>);

/// The calls as far as they are written, the way the reference shows them in
/// every chunk: a piece that cannot begin an object is shown as invalid.
pub(crate) fn begun_calls(pieces: &[ToolCallChunk]) -> Calls {
    split(pieces, |piece| {
        let args = parse_begun_arguments(piece.args.as_deref().unwrap_or_default()).ok_or(None)?;
        Ok((piece.name.clone().unwrap_or_default(), args))
    })
}

/// The calls of a complete reply. Arguments that were cut off are not repaired:
/// running a tool with half of its arguments is worse than telling the model.
pub(crate) fn complete_calls(pieces: &[ToolCallChunk]) -> Calls {
    split(pieces, |piece| {
        let Some(name) = text(&piece.name) else { return Err(Some("the call names no tool".to_owned())) };
        let args = parse_arguments(piece.args.as_deref().unwrap_or_default()).map_err(Some)?;
        Ok((name.to_owned(), args))
    })
}

type NameAndArgs = (String, Map<String, Value>);

fn split(
    pieces: &[ToolCallChunk],
    read: impl Fn(&ToolCallChunk) -> Result<NameAndArgs, Option<String>>,
) -> Calls {
    let (mut calls, mut invalid) = (Vec::new(), Vec::new());
    for piece in pieces {
        let id = piece.id.clone();
        match read(piece) {
            Ok((name, args)) => calls.push(ToolCall { name, args, id }),
            Err(error) => {
                let (name, args) = (piece.name.clone(), piece.args.clone());
                invalid.push(InvalidToolCall { name, args, id, error });
            }
        }
    }
    (calls, invalid)
}

impl Serialize for ToolCallChunk {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ToolCallChunk", 5)?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("args", &self.args)?;
        out.serialize_field("id", &self.id)?;
        out.serialize_field("index", &self.index)?;
        out.serialize_field("type", "tool_call_chunk")?;
        out.end()
    }
}
