//! Answers that last as long as a run.

use std::pin::pin;

use axum::Json;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use duru::store::{Cancel, RunQuery, Seq};
use duru::{Event, RunId, ThreadId};
use futures_util::stream::{self, Stream};
use serde_json::Value;

use super::legacy::{Legacy, Wanted};
use super::sse::{Frame, heartbeat};
use super::tail::{Step, Tail, ended_elsewhere};
use crate::error::{ApiError, ApiResult, log_line};
use crate::hub::Shared;
use crate::routes::stop;
use crate::worker::{Ended, Follower};

/// A run to be watched.
pub(crate) struct Watch {
    pub(crate) thread: ThreadId,
    /// From which event of the thread on the run is read.
    pub(crate) from: Seq,
    /// Frames up to this one are known already.
    pub(crate) seen: Option<Seen>,
    pub(crate) wanted: Wanted,
    /// Whether frames have ids, by which a reader can come back.
    pub(crate) resumable: bool,
    /// Whether the run is to stop when its reader goes.
    pub(crate) leave: Leave,
    /// Where the stream can be found again.
    pub(crate) location: Option<String>,
    pub(crate) content_location: String,
}

/// The last frame that a reader has seen: of which event, and which one of its
/// frames; none for the last one. An id is `<milliseconds>-<event>`, with
/// `.<frame>` behind it where more frames of the event follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(super) event: Seq,
    frame: Option<usize>,
}

impl Seen {
    /// Everything up to an event.
    pub(crate) fn all_of(event: Seq) -> Self {
        Self { event, frame: None }
    }

    pub(crate) fn parse(id: &str) -> Option<Self> {
        match id.split_once('.') {
            Some((event, frame)) => {
                Some(Self { event: Event::parse_id(event)?, frame: Some(frame.parse().ok()?) })
            }
            None => Event::parse_id(id).map(Self::all_of),
        }
    }

    /// How many of an event's frames are known.
    fn known(self, event: Seq, frames: usize) -> usize {
        match self.frame {
            _ if event > self.event => 0,
            Some(frame) if event == self.event => frames.min(frame + 1),
            _ => frames,
        }
    }
}

/// Shows a run until it is over.
pub(crate) async fn watch(watch: Watch) -> ApiResult {
    let reading = Reading::open(watch.leave, &watch.thread, watch.from, watch.wanted).await?;
    let reading = Reading { resumable: watch.resumable, ..reading.after(watch.seen) };
    let mut response = Response::new(Body::from_stream(frames(reading)));
    as_stream(&mut response);
    locate(&mut response, watch.location, &watch.content_location);
    Ok(response)
}

/// Says that events follow, which nobody may keep back.
pub(crate) fn as_stream(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
}

/// Says where a run is to be found.
pub(crate) fn locate(response: &mut Response, location: Option<String>, content_location: &str) {
    let headers = response.headers_mut();
    if let Some(Ok(location)) = location.map(HeaderValue::try_from) {
        headers.insert(header::LOCATION, location);
    }
    if let Ok(content_location) = HeaderValue::try_from(content_location) {
        headers.insert(header::CONTENT_LOCATION, content_location);
    }
}

/// A reader on its way. It is moved on only when the client takes what it got:
/// a slow one holds nothing but its place.
pub(super) struct Reading {
    tail: Tail,
    legacy: Legacy,
    seen: Option<Seen>,
    resumable: bool,
    leave: Leave,
    over: bool,
}

/// What a client gets that has to come back: a stream that breaks off. One that
/// ends would be the end of the run to some.
fn cut() -> std::io::Error {
    std::io::ErrorKind::ConnectionAborted.into()
}

fn frames(reading: Reading) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    stream::unfold(reading, async |mut reading| {
        let bytes = reading.next().await?;
        Some((bytes, reading))
    })
}

impl Reading {
    /// From an event of the thread on, with ids.
    pub(super) async fn open(
        leave: Leave,
        thread: &ThreadId,
        from: Seq,
        wanted: Wanted,
    ) -> Result<Self, duru::Error> {
        let legacy = Legacy::new(leave.run, thread.clone(), wanted);
        let tail = Tail::open(&leave.hub, thread, leave.run, from, legacy.modes()).await?;
        Ok(Self { tail, legacy, seen: None, resumable: true, leave, over: false })
    }

    /// The same, without what was seen.
    pub(super) fn after(self, seen: Option<Seen>) -> Self {
        Self { seen, ..self }
    }

    /// The next bytes; none when everything is said.
    pub(super) async fn next(&mut self) -> Option<Result<Bytes, std::io::Error>> {
        while !self.over {
            match self.tail.next().await {
                Ok(Step::Silence) => return Some(Ok(heartbeat())),
                Ok(Step::Event(event)) => {
                    if self.legacy.needs_state_before(&event) {
                        match self.tail.values_before(&event).await {
                            Ok(values) => self.legacy.state_before(values),
                            Err(error) => {
                                log_line(&error);
                                return Some(Err(self.cut()));
                            }
                        }
                    }
                    let mut frames = self.legacy.frames(&event);
                    if self.resumable {
                        name(&mut frames, &event.id());
                    }
                    let known = self.seen.map_or(0, |seen| seen.known(event.seq, frames.len()));
                    frames.drain(..known);
                    if !frames.is_empty() {
                        return Some(Ok(frames.iter().flat_map(|frame| frame.to_bytes()).collect()));
                    }
                }
                Ok(Step::Over(ended)) => {
                    self.over = true;
                    self.leave.armed = false;
                    let frames = self.legacy.last(&ended.result);
                    if !frames.is_empty() && self.seen.is_none() {
                        return Some(Ok(frames.iter().flat_map(|frame| frame.to_bytes()).collect()));
                    }
                }
                Ok(Step::Cut) => return Some(Err(self.cut())),
                Err(error) => {
                    log_line(&error);
                    return Some(Err(self.cut()));
                }
            }
        }
        None
    }

    /// The client comes back, and finds everything: it is not the one who left.
    fn cut(&mut self) -> std::io::Error {
        self.over = true;
        self.leave.armed = false;
        cut()
    }
}

/// Gives an event's frames their ids.
fn name(frames: &mut [Frame], id: &str) {
    let last = frames.len().saturating_sub(1);
    for (i, frame) in frames.iter_mut().enumerate() {
        frame.id = Some(if i == last { id.to_owned() } else { format!("{id}.{i}") });
    }
}

/// Stops the run when its reader goes before its end, if that was asked for.
pub(crate) struct Leave {
    pub(crate) hub: Shared,
    pub(crate) run: RunId,
    pub(crate) armed: bool,
}

impl Drop for Leave {
    fn drop(&mut self) {
        // All streams end with the server, which nobody asked to stop runs.
        if !self.armed || self.hub.pool.is_closed() {
            return;
        }
        let (hub, run) = (self.hub.clone(), self.run);
        tokio::spawn(async move {
            let query = RunQuery { ids: vec![run], ..RunQuery::default() };
            if let Err(error) = stop(&hub, query, Cancel::Interrupt).await {
                log_line(&error.detail());
                hub.pool.stop_here(run, Cancel::Interrupt);
            }
        });
    }
}

/// What came of a run, once it is over; none if the server stops before.
async fn end_of(hub: &Shared, follower: &Follower, run: RunId, thread: &ThreadId) -> Option<Ended> {
    let mut watcher = hub.lookout.wait_for(thread, run);
    loop {
        tokio::select! {
            biased;
            ended = follower.ended() => return Some(ended),
            () = hub.pool.closed() => return None,
            () = watcher.over() => match ended_elsewhere(hub, run, thread).await {
                Ok(Some(ended)) => return Some(ended),
                Ok(None) => watcher.goes_on(),
                Err(error) => {
                    log_line(&error);
                    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
                }
            },
        }
    }
}

/// Gives what came of a run when it is over. Until then a line end now and then
/// keeps the connection open.
pub(crate) async fn wait(hub: &Shared, thread: ThreadId, follower: Follower, leave: Leave) -> Response {
    let (hub, run) = (hub.clone(), leave.run);
    let every = hub.options.heartbeat;
    let mut ending = Box::pin(async move {
        let mut leave = leave;
        let ended = end_of(&hub, &follower, run, &thread).await;
        leave.armed = false;
        ended.map(|ended| ended.result)
    });
    match tokio::time::timeout(every, &mut ending).await {
        Ok(Some(result)) => Json(result).into_response(),
        Ok(None) => {
            ApiError::unavailable("The server is stopping. The run goes on; join it again.").into_response()
        }
        Err(_) => {
            let lines = stream::unfold((Some(ending), true), move |(ending, first)| async move {
                let mut ending = ending?;
                let line = Ok(Bytes::from_static(b"\n"));
                if first {
                    return Some((line, (Some(ending), false)));
                }
                match tokio::time::timeout(every, pin!(&mut ending)).await {
                    Ok(Some(result)) => Some((Ok(Value::to_string(&result).into()), (None, false))),
                    Ok(None) => Some((Err(cut()), (None, false))),
                    Err(_) => Some((line, (Some(ending), false))),
                }
            });
            let mut response = Response::new(Body::from_stream(lines));
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(header::CONTENT_TYPE, json);
            response
        }
    }
}

/// A stream of these frames and nothing else.
pub(crate) fn only(frames: &[Frame]) -> Response {
    let bytes: Bytes = frames.iter().flat_map(|frame| frame.to_bytes()).collect();
    let mut response = Response::new(Body::from(bytes));
    let kind = HeaderValue::from_static("text/event-stream; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
