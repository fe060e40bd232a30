//! Talking to an agent: frames in both directions over a WebSocket, or one way
//! as server-sent events. Every frame that says what happened is an event of
//! the thread's log, under its number: who comes back with the last number gets
//! exactly the rest.

mod frame;
mod manner;
mod progress;
mod sent;
mod session;
mod words;

use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::response::Response;
use duru::ThreadId;
use duru::store::Seq;
use tracing::Instrument as _;

pub use frame::{Frame, question_frames};
pub use manner::{Ended, Manner, Query};
pub use progress::{Progress, token};
pub use sent::stream;

use crate::Runs;

/// The largest frame that a client may send, in bytes.
const LARGEST: usize = 1 << 20;
/// Up to so many times that it is read at all, so that whoever sent it can be told.
const TOLD: usize = 4;

/// How a conversation begins.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    /// The thread; none if the first query says so.
    pub thread: Option<ThreadId>,
    /// The number of the last frame that the client has seen. Without one it sees
    /// the run that is under way or waits for an answer, and whatever follows.
    pub after: Option<Seq>,
    /// Whether to show what models were asked and said.
    pub debug: bool,
    /// Whether to speak Korean; otherwise English.
    pub korean: bool,
}

/// Talks over a WebSocket until the client goes or the server stops.
pub fn connect(upgrade: WebSocketUpgrade, runs: Runs, manner: Arc<dyn Manner>, opening: Opening) -> Response {
    // Questions belong to the trace of the request that opened the socket.
    let span = tracing::Span::current();
    let open = runs.sockets().clone();
    upgrade.max_message_size(TOLD * LARGEST).max_frame_size(TOLD * LARGEST).on_upgrade(move |socket| {
        open.track_future(session::talk(socket, runs, manner, opening).instrument(span))
    })
}
