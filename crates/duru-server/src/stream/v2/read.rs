//! A reader of a thread: it sees what was, then what happens, until it goes.

use axum::body::Body;
use axum::response::Response;
use duru::store::{self, EntryKind, Kind, RowQuery, Seq};
use duru::{Event, Namespace, Reader, RunId, ThreadId};
use futures_util::stream;
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use super::filter::Filter;
use super::map::{Mapper, Out};
use super::place::Place;
use crate::error::{ApiResult, log_line};
use crate::hub::Shared;
use crate::stream::lookout::Watcher;
use crate::stream::respond::as_stream;
use crate::stream::sse::{Frame, heartbeat};

/// About how much is sent at once when there is a lot to catch up with.
const AT_ONCE: usize = 32 << 10;

/// A stream of a thread's events after `seen`. It ends with the server only.
pub(crate) async fn open(hub: &Shared, thread: &ThreadId, filter: Filter, seen: Option<Place>) -> ApiResult {
    let reading = Reading::open(hub, thread, filter, seen).await?;
    let bytes = stream::unfold(reading, async |mut reading| {
        let bytes = match reading.next().await? {
            frames if frames.is_empty() => heartbeat(),
            frames => frames.iter().flat_map(Frame::to_bytes).collect(),
        };
        Some((Ok::<_, std::io::Error>(bytes), reading))
    });
    let mut response = Response::new(Body::from_stream(bytes));
    as_stream(&mut response);
    Ok(response)
}

/// Where the run begins that an event is of: frames are made run by run.
pub(crate) async fn run_of(hub: &Shared, thread: &ThreadId, event: Seq) -> ApiResult<Seq> {
    let query = RowQuery {
        ns: Some(Namespace::root()),
        kinds: vec![Kind::Begin],
        until: Some(event.saturating_add(1)),
        newest_first: true,
        limit: Some(1),
        ..RowQuery::default()
    };
    let Some(begin) = hub.stores.checkpoints.rows(thread, query).await?.pop() else { return Ok(0) };
    // A run that was taken up again began more than once.
    let trace = hub.log(thread).run(begin.run).await?;
    Ok(trace.map_or(begin.seq, |trace| trace.first.min(begin.seq)))
}

/// A reader on its way. It is moved on only when the client takes what it got:
/// a slow one holds nothing but its place.
pub(crate) struct Reading {
    hub: Shared,
    thread: ThreadId,
    /// The run that was looked at last, and whether it may be shown.
    looked_at: Option<(RunId, bool)>,
    reader: Reader,
    mapper: Mapper,
    filter: Filter,
    seen: Option<Place>,
    heartbeat: Instant,
    /// Also what other processes write.
    _watcher: Watcher,
}

impl Reading {
    /// Of a thread, after `seen`.
    pub(crate) async fn open(
        hub: &Shared,
        thread: &ThreadId,
        filter: Filter,
        seen: Option<Place>,
    ) -> ApiResult<Self> {
        let from = match seen {
            Some(place) => run_of(hub, thread, place.event).await?,
            None => 0,
        };
        Ok(Self {
            hub: hub.clone(),
            thread: thread.clone(),
            looked_at: None,
            reader: hub.log(thread).events(from, filter.modes()).await?,
            mapper: Mapper::default(),
            filter,
            seen,
            heartbeat: Instant::now() + hub.options.heartbeat,
            _watcher: hub.lookout.watch(thread),
        })
    }

    /// The next frames, of which there are none where only a sign of life is due. Nothing when the server stops, or
    /// can't read on. Not to be dropped while it waits: an event would be lost.
    pub(crate) async fn next(&mut self) -> Option<Vec<Frame>> {
        match self.wait().await {
            Ok(frames) => frames,
            // Whatever has its name now is not for who read it.
            Err(duru::Error::Store(store::Error::Deleted { .. })) => None,
            Err(error) => {
                // The client comes back, and finds everything.
                log_line(&error);
                None
            }
        }
    }

    async fn wait(&mut self) -> Result<Option<Vec<Frame>>, duru::Error> {
        loop {
            let ready = self.ready().await?;
            if !ready.is_empty() {
                return Ok(Some(ready));
            }
            tokio::select! {
                biased;
                event = self.reader.next() => {
                    let frames = self.frames(&event?).await?;
                    if !frames.is_empty() {
                        return Ok(Some(frames));
                    }
                }
                () = self.hub.pool.stopped() => return Ok(None),
                () = sleep_until(self.heartbeat) => {
                    // Regular, whatever else was sent: clients measure it.
                    self.heartbeat += self.hub.options.heartbeat;
                    return Ok(Some(Vec::new()));
                }
            }
        }
    }

    /// What has happened already, as much as is sent at once.
    async fn ready(&mut self) -> Result<Vec<Frame>, duru::Error> {
        let (mut frames, mut length) = (Vec::new(), 0);
        while length < AT_ONCE
            && let Some(event) = self.reader.next_ready().await?
        {
            let more = self.frames(&event).await?;
            length += more.iter().map(|frame| frame.data.len()).sum::<usize>();
            frames.extend(more);
        }
        Ok(frames)
    }

    async fn frames(&mut self, event: &Event) -> Result<Vec<Frame>, duru::Error> {
        let mut frames = Vec::new();
        if !self.may_show(event.run).await? {
            return Ok(frames);
        }
        for out in self.mapper.map(event) {
            let known = self.seen.is_some_and(|seen| out.place <= seen);
            if known || !self.filter.wants(out.method, &out.ns) {
                continue;
            }
            if out.method == "lifecycle" && out.ns.is_root() && out.data["event"] != "running" {
                self.hub.pool.settled(event.run).await;
            }
            frames.push(frame(&out, event.at_ms));
        }
        Ok(frames)
    }

    /// Whoever reads may have come before the thread was made, and somebody else may have made it: whose it is now is
    /// asked with every run.
    async fn may_show(&mut self, run: RunId) -> Result<bool, duru::Error> {
        if self.hub.owner.is_none() {
            return Ok(true);
        }
        if let Some((_, may)) = self.looked_at.filter(|(known, _)| *known == run) {
            return Ok(may);
        }
        let own = self.hub.stores.catalog.entry(EntryKind::Thread, self.thread.as_str()).await?;
        self.looked_at = Some((run, own.is_some()));
        Ok(own.is_some())
    }
}

fn frame(out: &Out, at_ms: u64) -> Frame {
    let path: Vec<&str> = out.ns.path().collect();
    let mut params = json!({ "namespace": path, "timestamp": at_ms, "data": out.data });
    if let Some(node) = &out.node {
        params["node"] = node.as_str().into();
    }
    let seq = out.place.seq();
    let data = json!({
        "type": "event", "event_id": out.place.id(at_ms), "seq": seq, "method": out.method, "params": params,
    });
    Frame { id: Some(seq.to_string()), ..Frame::new(out.method, &data) }
}
