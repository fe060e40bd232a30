//! The same frames, one way, as server-sent events.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use duru::{Clock, SystemClock};
use futures_util::stream as futures;

use super::manner::{Ended, Manner};
use super::session::{MODES, frames};
use super::{Frame, Opening};
use crate::stream::as_stream;
use crate::stream::sse::{self, heartbeat};
use crate::{ApiError, Came, Following, Next, Runs, Started};

/// The frames of one run, until it is over.
///
/// # Errors
/// If the store can't be read.
pub async fn stream(
    runs: Runs,
    manner: Arc<dyn Manner>,
    started: Started,
    opening: Opening,
) -> Result<Response, ApiError> {
    let following = runs.follow(&started, MODES).await?;
    let sending = Sending { runs, manner, started, following, opening, ended: false, over: false };
    let bytes = futures::unfold(sending, async |mut sending| {
        let bytes = sending.next().await?;
        Some((Ok::<_, std::io::Error>(bytes), sending))
    });
    let mut response = Response::new(Body::from_stream(bytes));
    as_stream(&mut response);
    Ok(response)
}

struct Sending {
    runs: Runs,
    manner: Arc<dyn Manner>,
    started: Started,
    following: Following,
    opening: Opening,
    /// The run's last frame was sent.
    ended: bool,
    over: bool,
}

impl Sending {
    async fn next(&mut self) -> Option<Bytes> {
        while !self.over {
            match self.following.next().await {
                Ok(Next::Event(event)) => {
                    let thread = Some(&self.started.thread);
                    let shown = frames(&self.runs, &*self.manner, thread, &event, self.opening.debug).await;
                    self.ended |= event.data["type"] == "end" && event.mode == duru::Mode::Runs;
                    if !shown.is_empty() {
                        let bytes =
                            shown.iter().flat_map(|frame| self.bytes(frame, Some(event.seq), event.at_ms));
                        return Some(bytes.collect());
                    }
                }
                Ok(Next::Silence) => return Some(heartbeat()),
                Ok(Next::Over(came)) => {
                    self.over = true;
                    // What left no trace in the log is said all the same.
                    if let Came::Failed { name, message } = came
                        && !self.ended
                        && let Some(frame) = self.manner.ended(Ended::Failed { name, message })
                    {
                        return Some(self.bytes(&frame, None, SystemClock.now_ms()));
                    }
                }
                Ok(Next::Cut) | Err(_) => self.over = true,
            }
        }
        None
    }

    fn bytes(&self, frame: &Frame, seq: Option<u64>, at_ms: u64) -> Bytes {
        let json = frame.json(Some(&self.started.thread), seq, at_ms);
        let mut sent = sse::Frame::new(frame.kind(), &json);
        sent.id = seq.map(|seq| format!("{at_ms}-{seq}"));
        sent.to_bytes()
    }
}
