//! A reader of a thread: it sees what was, then what happens, until it goes.

use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use duru::store::{Kind, RowQuery, Seq};
use duru::{Event, Namespace, Reader, ThreadId};
use futures_util::stream;
use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until};

use super::super::respond::as_stream;
use super::super::sse::{Frame, heartbeat};
use super::filter::Filter;
use super::map::{Mapper, Out};
use super::place::Place;
use crate::error::{ApiResult, log_line};
use crate::hub::Shared;

/// How often to look what other processes have written: often after something
/// happened, less and less while nothing does.
const LOOK: Duration = Duration::from_millis(50);
const LOOK_IDLE: Duration = Duration::from_millis(500);
/// About how much is sent at once when there is a lot to catch up with.
const AT_ONCE: usize = 32 << 10;

/// A stream of a thread's events after `seen`. It ends with the server only.
pub(crate) async fn open(hub: &Shared, thread: &ThreadId, filter: Filter, seen: Option<Place>) -> ApiResult {
    let from = match seen {
        Some(place) => run_of(hub, thread, place.event).await?,
        None => 0,
    };
    let reading = Reading {
        hub: hub.clone(),
        reader: hub.log(thread).events(from, filter.modes()).await?,
        mapper: Mapper::default(),
        filter,
        seen,
        heartbeat: Instant::now() + hub.options.heartbeat,
        look: LOOK,
    };
    let bytes = stream::unfold(reading, async |mut reading| {
        let bytes = reading.next().await?;
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
struct Reading {
    hub: Shared,
    reader: Reader,
    mapper: Mapper,
    filter: Filter,
    seen: Option<Place>,
    heartbeat: Instant,
    look: Duration,
}

impl Reading {
    /// The next bytes; none when the server stops, or can't read on.
    async fn next(&mut self) -> Option<Bytes> {
        match self.wait().await {
            Ok(bytes) => bytes,
            Err(error) => {
                // The client comes back, and finds everything.
                log_line(&error);
                None
            }
        }
    }

    async fn wait(&mut self) -> Result<Option<Bytes>, duru::Error> {
        loop {
            let ready = self.ready().await?;
            if !ready.is_empty() {
                return Ok(Some(ready));
            }
            tokio::select! {
                biased;
                event = self.reader.next() => {
                    let frames = self.frames(&event?).await;
                    if !frames.is_empty() {
                        return Ok(Some(frames));
                    }
                }
                () = self.hub.pool.stopped() => return Ok(None),
                () = sleep_until(self.heartbeat) => {
                    // Regular, whatever else was sent: clients measure it.
                    self.heartbeat += self.hub.options.heartbeat;
                    return Ok(Some(heartbeat()));
                }
                () = sleep(self.look) => {
                    self.look = (self.look * 2).min(LOOK_IDLE);
                    self.reader.refresh().await?;
                }
            }
        }
    }

    /// What has happened already, as much as is sent at once.
    async fn ready(&mut self) -> Result<Bytes, duru::Error> {
        let mut bytes = BytesMut::new();
        while bytes.len() < AT_ONCE
            && let Some(event) = self.reader.next_ready().await?
        {
            bytes.extend_from_slice(&self.frames(&event).await);
        }
        Ok(bytes.freeze())
    }

    async fn frames(&mut self, event: &Event) -> Bytes {
        self.look = LOOK;
        let mut bytes = BytesMut::new();
        for out in self.mapper.map(event) {
            let known = self.seen.is_some_and(|seen| out.place <= seen);
            if known || !self.filter.wants(out.method, &out.ns) {
                continue;
            }
            if out.method == "lifecycle" && out.ns.is_root() && out.data["event"] != "running" {
                self.hub.pool.settled(event.run).await;
            }
            bytes.extend_from_slice(&frame(&out, event.at_ms).to_bytes());
        }
        bytes.freeze()
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
