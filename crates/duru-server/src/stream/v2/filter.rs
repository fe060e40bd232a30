//! What a client wants to see of a thread.

use duru::{Mode, Namespace};
use serde_json::Value;

use crate::error::{ApiError, ApiResult};

const CHANNELS: [&str; 8] =
    ["values", "updates", "messages", "tools", "custom", "lifecycle", "input", "tasks"];

/// Channels, and the parts of the tree of graphs.
#[derive(Debug)]
pub(crate) struct Filter {
    channels: Vec<String>,
    /// Namespaces and what is below them; everything if there are none.
    namespaces: Vec<Vec<String>>,
    /// How far below.
    depth: Option<usize>,
}

impl Filter {
    /// Reads what a request asks for.
    pub(crate) fn of(request: &Value) -> ApiResult<Self> {
        let missing = || ApiError::bad_request("channels is required and must be a non-empty array");
        let channels = request["channels"].as_array().filter(|list| !list.is_empty()).ok_or_else(missing)?;
        let channels: Vec<String> = channels.iter().map(text).collect();
        let unknown: Vec<&str> = channels.iter().map(String::as_str).filter(|name| !known(name)).collect();
        if !unknown.is_empty() {
            return Err(ApiError::bad_request(format!(
                "channels contains unsupported entries: {}. Allowed: {}, or any `custom:<name>`.",
                unknown.join(", "),
                CHANNELS.join(", ")
            )));
        }
        let bad = |what: &str| ApiError::bad_request(format!("{what} is not as it should be"));
        let namespaces = match &request["namespaces"] {
            Value::Null => Vec::new(),
            given => serde_json::from_value(given.clone()).map_err(|_| bad("namespaces"))?,
        };
        let depth = match &request["depth"] {
            Value::Null => None,
            given => Some(serde_json::from_value(given.clone()).map_err(|_| bad("depth"))?),
        };
        Ok(Self { channels, namespaces, depth })
    }

    fn has(&self, channel: &str) -> bool {
        self.channels.iter().any(|name| name == channel)
    }

    /// The engine's modes to read. Only following the state costs much; the
    /// others are always read, so that all frames are made in the same way.
    pub(super) fn modes(&self) -> Vec<Mode> {
        let mut modes =
            vec![Mode::Runs, Mode::Updates, Mode::Messages, Mode::Custom, Mode::Tools, Mode::Tasks];
        if self.has("values") || self.has("checkpoints") {
            modes.extend([Mode::Values, Mode::Checkpoints]);
        }
        modes
    }

    /// Whether a frame is wanted.
    pub(super) fn wants(&self, method: &str, ns: &Namespace) -> bool {
        let channel = if method == "input.requested" { "input" } else { method };
        self.has(channel)
            && (self.namespaces.is_empty() || self.namespaces.iter().any(|at| self.below(at, ns)))
    }

    fn below(&self, at: &[String], ns: &Namespace) -> bool {
        let path: Vec<&str> = ns.path().collect();
        let same = |(wanted, part): (&String, &&str)| {
            // A name alone stands for every task of that name.
            wanted == part || part.split(':').next() == Some(wanted.as_str())
        };
        path.len() >= at.len()
            && at.iter().zip(&path).all(same)
            && self.depth.is_none_or(|depth| path.len() - at.len() <= depth)
    }
}

fn known(name: &str) -> bool {
    CHANNELS.contains(&name) || name == "checkpoints" || name.starts_with("custom:")
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_filter_knows_channels_and_namespaces() {
        let filter = Filter::of(&json!({ "channels": ["values", "input"], "namespaces": [[]], "depth": 1 }))
            .expect("a filter");
        let ns = |text| Namespace::from_stored(text);
        assert!(filter.wants("values", &ns("")) && filter.wants("values", &ns("child:1")));
        assert!(!filter.wants("values", &ns("child:1|deep:2")) && !filter.wants("custom", &ns("")));
        assert!(filter.wants("input.requested", &ns("")));
        let filter =
            Filter::of(&json!({ "channels": ["values"], "namespaces": [["child"]] })).expect("a filter");
        assert!(filter.wants("values", &ns("child:1|deep:2")) && !filter.wants("values", &ns("other:1")));
    }

    #[test]
    fn unknown_channels_are_named() {
        let refused = Filter::of(&json!({ "channels": ["bogus", "values"] })).expect_err("refused");
        let says = "channels contains unsupported entries: bogus. Allowed: values, updates, messages, tools, \
                    custom, lifecycle, input, tasks, or any `custom:<name>`.";
        assert_eq!(refused.detail(), says);
        for request in [json!({}), json!({ "channels": [] }), json!([])] {
            assert!(Filter::of(&request).is_err());
        }
    }
}
