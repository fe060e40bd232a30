//! One client at a WebSocket.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use bytes::Bytes;
use duru::{Clock, Event, Mode, SystemClock, ThreadId};
use serde_json::{Map, Value};
use tokio::time::sleep;

use super::manner::{Ended, Manner, Query};
use super::{Frame, LARGEST, Opening, question_frames, words};
use crate::error::log_line;
use crate::{ApiError, Came, Following, Next, Runs, Start, Started, Watching};

/// What is read of a thread.
pub(super) const MODES: [Mode; 5] = [Mode::Runs, Mode::Updates, Mode::Messages, Mode::Custom, Mode::Tasks];

/// How often to look whether somebody else has made the thread.
const LOOK: Duration = Duration::from_millis(500);

/// Why a socket is closed whose key is no more.
const REVOKED: &str = "the key is no longer valid";

/// The client is gone, or can't be told anything.
struct Gone;

struct Session {
    socket: WebSocket,
    runs: Runs,
    manner: Arc<dyn Manner>,
    thread: Option<ThreadId>,
    /// None while nobody knows the thread.
    watching: Option<Watching>,
    /// Nobody knew the thread when this client came: all of it is yet to be shown.
    is_new: bool,
    /// The run that was last started here: it may end without a trace in the log.
    started: Option<(Started, Following)>,
    opening: Opening,
    /// The key that opened it is no more.
    revoked: Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// What happened first.
enum Turn {
    Said(Option<Result<Message, axum::Error>>),
    Next(Result<Next, ApiError>),
    Started(Result<Next, ApiError>),
    Look,
    Revoked,
    /// The server stops.
    Over,
}

pub(super) async fn talk(socket: WebSocket, runs: Runs, manner: Arc<dyn Manner>, opening: Opening) {
    let thread = opening.thread.clone();
    let revoked = Box::pin(runs.caller().revoked());
    let (watching, started) = (None, None);
    let mut session =
        Session { socket, runs, manner, thread, watching, is_new: false, started, opening, revoked };
    if session.open().await.is_ok() {
        // A client that left needs no close frame.
        let Gone = session.go_on().await;
    }
}

impl Session {
    /// Shows what the client has not seen of a thread that exists.
    async fn open(&mut self) -> Result<(), Gone> {
        let Some(thread) = self.thread.clone() else { return Ok(()) };
        match self.first(&thread).await {
            Ok(watching) => self.watching = watching,
            Err(error) => self.complain(&words::refused(&error, self.opening.korean)).await?,
        }
        Ok(())
    }

    async fn first(&mut self, thread: &ThreadId) -> Result<Option<Watching>, ApiError> {
        if !self.runs.knows(thread).await? {
            self.is_new = true;
            return Ok(None);
        }
        let after = match self.opening.after {
            Some(after) => Some(after),
            // A run may be over before it is looked for.
            None if self.is_new => None,
            None => self.runs.before_open_run(thread).await?,
        };
        Ok(Some(self.runs.watch(thread, after, MODES).await?))
    }

    async fn go_on(&mut self) -> Gone {
        loop {
            let done = match self.turn().await {
                Turn::Said(None | Some(Err(_) | Ok(Message::Close(_)))) => return Gone,
                Turn::Said(Some(Ok(Message::Text(text)))) if text.len() > LARGEST => self.too_large().await,
                Turn::Said(Some(Ok(Message::Text(text)))) => self.heard(text.as_str()).await,
                Turn::Said(Some(Ok(Message::Binary(_)))) => {
                    self.complain(&words::UNREADABLE.frame(self.opening.korean)).await
                }
                Turn::Said(Some(Ok(_))) => Ok(()),
                Turn::Next(Ok(Next::Event(event))) => self.show(&event).await,
                Turn::Next(Ok(Next::Silence)) => self.send(Message::Ping(Bytes::new())).await,
                Turn::Over | Turn::Next(Ok(Next::Cut | Next::Over(_))) => {
                    self.close(close_code::AWAY, "the server is stopping").await
                }
                Turn::Next(Err(error)) => {
                    // The client comes back, and finds everything.
                    log_line(&error.detail());
                    return Gone;
                }
                Turn::Started(next) => self.started(next).await,
                Turn::Look => self.open().await,
                Turn::Revoked => self.close(close_code::POLICY, REVOKED).await,
            };
            if done.is_err() {
                return Gone;
            }
        }
    }

    async fn turn(&mut self) -> Turn {
        let Self { socket, watching, started, thread, runs, revoked, .. } = self;
        // Watchers of the thread get the end from there, after everything that was still to be shown.
        let idle = watching.is_none();
        let look = thread.is_some() && idle;
        // Fair: who cancels is heard while there is much to show.
        tokio::select! {
            next = next_of(watching) => Turn::Next(next),
            said = socket.recv() => Turn::Said(said),
            next = end_of(started) => Turn::Started(next),
            () = sleep(LOOK), if look => Turn::Look,
            () = revoked.as_mut() => Turn::Revoked,
            () = runs.closed(), if idle => Turn::Over,
        }
    }

    /// The frames of an event.
    async fn show(&mut self, event: &Event) -> Result<(), Gone> {
        let frames = frames(&self.runs, &*self.manner, self.thread.as_ref(), event, self.opening.debug).await;
        for frame in frames {
            let json = frame.json(self.thread.as_ref(), Some(event.seq), event.at_ms);
            self.send(Message::Text(json.to_string().into())).await?;
        }
        Ok(())
    }

    /// What the queue says of the run that was started here. Its events are shown
    /// by the thread's log; only what is not there is said here.
    async fn started(&mut self, next: Result<Next, ApiError>) -> Result<(), Gone> {
        match next {
            Ok(Next::Over(Came::Failed { name, message })) => {
                let Some((started, _)) = self.started.take() else { return Ok(()) };
                match self.manner.ended(Ended::Failed { name, message }) {
                    Some(frame) if matches!(self.runs.is_told(&started).await, Ok(false)) => {
                        self.complain(&frame).await
                    }
                    _ => Ok(()),
                }
            }
            Ok(Next::Event(_) | Next::Silence) => Ok(()),
            Ok(Next::Over(_) | Next::Cut) | Err(_) => {
                self.started = None;
                Ok(())
            }
        }
    }

    async fn heard(&mut self, text: &str) -> Result<(), Gone> {
        let korean = self.opening.korean;
        // A frame is a request like any other.
        if let Err(error) = self.runs.caller().spend(1).await {
            self.complain(&words::refused(&error, korean)).await?;
            return match error.status() {
                axum::http::StatusCode::UNAUTHORIZED => self.close(close_code::POLICY, REVOKED).await,
                _ => Ok(()),
            };
        }
        let Ok(Value::Object(frame)) = serde_json::from_str::<Value>(text) else {
            return self.complain(&words::UNREADABLE.frame(korean)).await;
        };
        let kind = frame.get("type").map_or(Some("query"), Value::as_str);
        let done = match kind {
            None => Err(words::UNREADABLE.frame(korean)),
            Some("query") => self.query(&frame).await,
            Some("interrupt_response" | "clarification") => self.answer(&frame).await,
            Some("cancel") => self.cancel().await,
            Some(other) => self.other(other, &frame).await,
        };
        match done {
            Ok(()) => Ok(()),
            Err(complaint) => self.complain(&complaint).await,
        }
    }

    async fn query(&mut self, frame: &Map<String, Value>) -> Result<(), Frame> {
        let korean = self.opening.korean;
        let Query { thread, input } =
            self.manner.query(frame).map_err(|why| words::bad_query(&why, korean))?;
        let refused = |error: ApiError| words::refused(&error, korean);
        let thread = match (&self.opening.thread, &self.thread, thread) {
            // The address says which conversation this is, and nothing else does.
            (Some(thread), _, _) => thread.clone(),
            (None, Some(thread), None) => thread.clone(),
            (None, _, named) => self.runs.thread(named.as_deref()).map_err(refused)?,
        };
        if self.thread.as_ref() != Some(&thread) {
            (self.thread, self.watching, self.is_new) = (Some(thread.clone()), None, false);
        }
        // Before it can write anything, so that nothing is missed.
        let last = self.runs.last_event(&thread).await.map_err(refused)?;
        let start = Start::new(self.manner.graph(), input).on(thread.clone()).streaming();
        let started = self.runs.start(start).await.map_err(refused)?;
        if self.watching.is_none() {
            self.watching = Some(self.runs.watch(&thread, last, MODES).await.map_err(refused)?);
        }
        let following = self.runs.follow(&started, []).await.map_err(refused)?;
        self.started = Some((started, following));
        Ok(())
    }

    /// The thread, if there is one that this client may speak of.
    async fn known(&mut self) -> Result<ThreadId, Frame> {
        let korean = self.opening.korean;
        let Some(thread) = &self.thread else { return Err(words::NO_THREAD.frame(korean)) };
        match self.runs.knows(thread).await {
            Ok(true) => Ok(thread.clone()),
            Ok(false) => Err(words::NO_THREAD.frame(korean)),
            Err(error) => Err(words::refused(&error, korean)),
        }
    }

    async fn answer(&mut self, frame: &Map<String, Value>) -> Result<(), Frame> {
        let korean = self.opening.korean;
        let thread = self.known().await?;
        let refused = |error: ApiError| match error.status() {
            axum::http::StatusCode::CONFLICT => words::NOTHING_ASKED.frame(korean),
            _ => words::refused(&error, korean),
        };
        let question = match frame.get("interrupt_id").and_then(Value::as_str) {
            Some(id) => id.to_owned(),
            None => {
                let (_, waiting) = self.runs.state(&thread).await.map_err(refused)?;
                let first = waiting.first().ok_or_else(|| words::NOTHING_ASKED.frame(korean))?;
                first.id.to_string()
            }
        };
        let answer = self.manner.answer(frame);
        let started = self.runs.answer(&thread, &question, answer).await.map_err(refused)?;
        let following = self.runs.follow(&started, []).await.map_err(refused)?;
        self.started = Some((started, following));
        Ok(())
    }

    async fn cancel(&mut self) -> Result<(), Frame> {
        let korean = self.opening.korean;
        let thread = self.known().await?;
        match self.runs.cancel(&thread).await {
            Ok(0) => Err(words::NOTHING_RUNS.frame(korean)),
            Ok(_) => Ok(()),
            Err(error) => Err(words::refused(&error, korean)),
        }
    }

    async fn other(&mut self, kind: &str, frame: &Map<String, Value>) -> Result<(), Frame> {
        let korean = self.opening.korean;
        let thread = self.known().await?;
        match self.manner.other(&self.runs, &thread, kind, frame).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(words::UNKNOWN_TYPE.frame(korean)),
            Err(error) => Err(words::refused(&error, korean)),
        }
    }

    /// Says something that is no event of the thread.
    async fn complain(&mut self, frame: &Frame) -> Result<(), Gone> {
        let json = frame.json(self.thread.as_ref(), None, SystemClock.now_ms());
        self.send(Message::Text(json.to_string().into())).await
    }

    /// Says why, and that this was all.
    async fn too_large(&mut self) -> Result<(), Gone> {
        self.complain(&words::TOO_LARGE.frame(self.opening.korean)).await?;
        self.close(close_code::SIZE, "too large").await
    }

    /// The last frame.
    async fn close(&mut self, code: u16, reason: &'static str) -> Result<(), Gone> {
        self.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await?;
        Err(Gone)
    }

    async fn send(&mut self, message: Message) -> Result<(), Gone> {
        self.socket.send(message).await.map_err(|_| Gone)
    }
}

async fn next_of(watching: &mut Option<Watching>) -> Result<Next, ApiError> {
    match watching {
        Some(watching) => watching.next().await,
        None => std::future::pending().await,
    }
}

async fn end_of(started: &mut Option<(Started, Following)>) -> Result<Next, ApiError> {
    match started {
        Some((_, following)) => following.next().await,
        None => std::future::pending().await,
    }
}

/// The frames of an event, as an agent shows it.
pub(super) async fn frames(
    runs: &Runs,
    manner: &dyn Manner,
    thread: Option<&ThreadId>,
    event: &Event,
    debug: bool,
) -> Vec<Frame> {
    // What a graph within the graph asks is asked again by the whole one, which is what waits for the answer.
    if event.mode == Mode::Updates
        && event.ns.is_root()
        && let Some(questions) = question_frames(&event.data)
    {
        // An immediate answer must not find the run still under way.
        runs.settled(event.run).await;
        return questions;
    }
    if event.mode == Mode::Runs && event.ns.is_root() && event.data["type"] == "end" {
        runs.settled(event.run).await;
        let error = &event.data["error"];
        let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        let ended = match event.data["status"].as_str() {
            Some("done") => {
                let values = match thread {
                    Some(thread) => runs.state_before(thread, event.seq).await.map(|(values, _)| values),
                    None => Ok(Map::new()),
                };
                match values {
                    Ok(values) => Ended::Done(values),
                    Err(error) => {
                        Ended::Failed { name: "Unreadable".into(), message: error.detail().to_owned() }
                    }
                }
            }
            Some("paused") => Ended::Asks,
            Some("failed") => Ended::Failed { name: text("name"), message: text("cause") },
            // Only for now: the run goes on elsewhere.
            Some("drained") => return Vec::new(),
            _ => Ended::Stopped,
        };
        return manner.ended(ended).into_iter().collect();
    }
    manner.frame(event, debug).into_iter().collect()
}
