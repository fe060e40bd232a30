//! A whole thread, run after run, in the frames of its runs.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use duru::store::{self, RunQuery, Seq};
use duru::{Event, Mode, Reader, RunId, ThreadId};
use futures_util::stream;
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use super::legacy::Wanted;
use super::lookout::Watcher;
use super::respond::{Leave, Reading, Seen, as_stream};
use super::sse::{Frame, heartbeat};
use super::v2::run_of;
use crate::error::{ApiResult, log_line};
use crate::hub::Shared;
use crate::wire::run::RunPlan;

/// A stream of the runs of a thread from now on, or after what was seen. It ends
/// with the server only.
pub(crate) async fn open(hub: &Shared, thread: &ThreadId, seen: Option<Seen>) -> ApiResult {
    let from = match seen {
        Some(seen) => run_of(hub, thread, seen.event).await?,
        None => hub.stores.checkpoints.head(thread).await?.map_or(0, |head| head.next_seq),
    };
    let watching = Watching {
        hub: hub.clone(),
        thread: thread.clone(),
        reader: hub.log(thread).events(from, [Mode::Runs]).await?,
        _watcher: hub.lookout.watch(thread),
        current: None,
        last: None,
        seen,
        heartbeat: Instant::now() + hub.options.heartbeat,
    };
    let bytes = stream::unfold(watching, async |mut watching| {
        let bytes = watching.next().await?;
        Some((Ok::<_, std::io::Error>(bytes), watching))
    });
    let mut response = Response::new(Body::from_stream(bytes));
    as_stream(&mut response);
    Ok(response)
}

struct Watching {
    hub: Shared,
    thread: ThreadId,
    /// Sees runs begin.
    reader: Reader,
    /// Also where another process runs the thread.
    _watcher: Watcher,
    /// The run that is shown.
    current: Option<Box<Reading>>,
    /// The run that was shown last: one that is taken up again begins again.
    last: Option<RunId>,
    seen: Option<Seen>,
    heartbeat: Instant,
}

impl Watching {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(current) = &mut self.current {
                if let Some(bytes) = current.next().await {
                    // One that is cut off takes this one along; the client comes back.
                    return bytes.ok();
                }
                self.current = None;
                self.heartbeat = Instant::now() + self.hub.options.heartbeat;
                let run = self.last.map(|run| run.to_string());
                return Some(
                    Frame::new("metadata", &json!({ "status": "run_done", "run_id": run })).to_bytes(),
                );
            }
            tokio::select! {
                biased;
                event = self.reader.next() => {
                    let begun = match event {
                        Ok(event) => self.begin(&event).await,
                        Err(error) => Err(error.into()),
                    };
                    if let Err(error) = begun {
                        // The client comes back, and finds everything.
                        end(&error);
                        return None;
                    }
                }
                () = self.hub.pool.stopped() => return None,
                () = sleep_until(self.heartbeat) => {
                    self.heartbeat += self.hub.options.heartbeat;
                    return Some(heartbeat());
                }
            }
        }
    }

    /// Shows a run that begins; changes from outside are no runs of the queue.
    async fn begin(&mut self, event: &Event) -> Result<(), duru::Error> {
        if event.data["type"] != "begin" || self.last == Some(event.run) {
            return Ok(());
        }
        let query = RunQuery { ids: vec![event.run], ..RunQuery::default() };
        let Some(run) = self.hub.stores.runs.runs(query).await?.pop() else { return Ok(()) };
        let Ok(plan) = RunPlan::of(&run) else { return Ok(()) };
        let wanted = Wanted {
            modes: plan.stream_mode,
            subgraphs: plan.subgraphs,
            metadata: run.metadata,
            attempt: run.attempt,
        };
        let from: Seq = event.seq;
        let leave = Leave { hub: self.hub.clone(), run: run.id, armed: false };
        let reading = Reading::open(leave, &self.thread, from, wanted).await?;
        self.last = Some(run.id);
        self.current = Some(Box::new(reading.after(self.seen)));
        Ok(())
    }
}

/// Says why it ends, unless its thread was removed.
fn end(error: &duru::Error) {
    if !matches!(error, duru::Error::Store(store::Error::Deleted { .. })) {
        log_line(error);
    }
}
