//! What a run's nodes can know of its caller.

/// What the client of a run wants to see; nodes get it with `cx.get::<Asked>()`.
/// A node may save itself the trouble of streaming what nobody watches.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The stream modes that the client asked for.
    pub stream_modes: Vec<String>,
}

impl Asked {
    /// Whether messages are wanted piece by piece.
    pub fn wants_messages(&self) -> bool {
        self.stream_modes.iter().any(|mode| mode.starts_with("messages") || mode == "events")
    }
}
