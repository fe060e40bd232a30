//! Calls of tools that a model asked for.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::{Map, Value};

/// A tool that the model wants called, with parsed arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolCall {
    /// Which tool.
    pub name: String,
    /// Its arguments, by name.
    pub args: Map<String, Value>,
    /// Ties the answering tool message to this call.
    pub id: Option<String>,
}

impl ToolCall {
    /// A call of `name`, answered by the tool message with the same call id.
    ///
    /// ```
    /// use duru_messages::ToolCall;
    /// use serde_json::json;
    ///
    /// let call = ToolCall::new("call_1", "get_weather").with_arg("city", "SF");
    /// assert_eq!(
    ///     serde_json::to_value(&call)?,
    ///     json!({"name": "get_weather", "args": {"city": "SF"}, "id": "call_1", "type": "tool_call"}),
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn new(id: impl Into<String>, name: impl Into<String>) -> Self {
        ToolCall { name: name.into(), args: Map::new(), id: Some(id.into()) }
    }

    /// The same call with one more argument.
    #[must_use]
    pub fn with_arg(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.args.insert(name.into(), value.into());
        self
    }
}

/// A call whose arguments could not be read. The text is kept, so that the
/// model can be shown what it wrote.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InvalidToolCall {
    /// Which tool, if the model said so.
    pub name: Option<String>,
    /// The arguments as the model wrote them.
    pub args: Option<String>,
    /// The call id, if there is one.
    pub id: Option<String>,
    /// Why the call is unusable.
    pub error: Option<String>,
}

// Written by hand because the wire has the constant `type` last, which a serde
// tag would put first.
impl Serialize for ToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("ToolCall", 4)?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("args", &self.args)?;
        out.serialize_field("id", &self.id)?;
        out.serialize_field("type", "tool_call")?;
        out.end()
    }
}

impl Serialize for InvalidToolCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("InvalidToolCall", 5)?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("args", &self.args)?;
        out.serialize_field("id", &self.id)?;
        out.serialize_field("error", &self.error)?;
        out.serialize_field("type", "invalid_tool_call")?;
        out.end()
    }
}
