//! The events of a thread and the commands on it, over one WebSocket: what `/commands` and `/stream/events` are over
//! HTTP.

use std::collections::BTreeMap;
use std::pin::Pin;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use tracing::Instrument as _;

use super::commands::{self, Done, Refused, answer, carry_out, invalid};
use super::events::seen;
use super::threads::thread_id;
use crate::caller::Caller;
use crate::error::ApiResult;
use crate::hub::Shared;
use crate::scope::scoped;
use crate::stream::v2::{Filter, Reading};

/// The largest command, in bytes.
const LARGEST: usize = 1 << 20;
/// How many pieces of news wait for a client that is slow; then the log keeps them.
const WAITING: usize = 16;
/// A client subscribes to a few things, and changes its mind now and then.
const MOST_SUBSCRIPTIONS: usize = 32;

/// Watch a thread and command it, over a WebSocket
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/stream/events",
    responses((status = 101, description = "What follows are frames"), (status = 426)),
)]
pub(super) async fn connect(
    State(hub): State<Shared>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> ApiResult {
    let thread = thread_id(&id)?.to_string();
    let (open, span) = (hub.sockets.clone(), tracing::Span::current());
    let hub = scoped(&hub, &caller);
    Ok(upgraded(upgrade, move |socket| {
        let revoked = Box::pin(caller.revoked());
        let (news, told) = mpsc::channel(WAITING);
        let session = Session {
            hub,
            thread,
            headers,
            socket,
            news,
            told,
            subscriptions: BTreeMap::new(),
            reading: JoinSet::new(),
            made: 0,
            revoked,
            caller,
        };
        open.track_future(session.talk().instrument(span))
    }))
}

fn upgraded<F>(upgrade: WebSocketUpgrade, talk: impl FnOnce(WebSocket) -> F + Send + 'static) -> Response
where
    F: Future<Output = ()> + Send + 'static,
{
    upgrade.max_message_size(LARGEST).max_frame_size(LARGEST).on_upgrade(talk)
}

/// What a subscription has to tell: frames, none for a sign of life; nothing when the server stops.
type News = Option<Vec<String>>;

struct Session {
    hub: Shared,
    thread: String,
    headers: HeaderMap,
    socket: WebSocket,
    news: mpsc::Sender<News>,
    told: mpsc::Receiver<News>,
    subscriptions: BTreeMap<String, AbortHandle>,
    /// They end with the session.
    reading: JoinSet<()>,
    /// How many subscriptions there were.
    made: u64,
    revoked: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// It counts as an answer of theirs as long as it is open.
    caller: Caller,
}

impl Session {
    async fn talk(mut self) {
        loop {
            let pool = std::sync::Arc::clone(&self.hub.pool);
            let said = tokio::select! {
                said = self.socket.recv() => said,
                Some(news) = self.told.recv() => {
                    if self.tell(news).await { continue } else { break }
                }
                () = pool.closed() => {
                    self.tell(None).await;
                    break;
                }
                () = self.revoked.as_mut() => {
                    let reason = "the key is no longer valid".into();
                    let close = CloseFrame { code: close_code::POLICY, reason };
                    drop(self.socket.send(Message::Close(Some(close))).await);
                    break;
                }
            };
            let answer = match said {
                None | Some(Err(_) | Ok(Message::Close(_))) => break,
                Some(Ok(Message::Text(text))) => self.heard(text.as_bytes()).await,
                Some(Ok(Message::Binary(bytes))) => self.heard(&bytes).await,
                Some(Ok(_)) => continue,
            };
            if self.socket.send(Message::Text(answer.to_string().into())).await.is_err() {
                break;
            }
        }
    }

    /// Sends news. Whether the client is still there, and the server too.
    async fn tell(&mut self, news: News) -> bool {
        let Some(frames) = news else {
            let close = CloseFrame { code: close_code::AWAY, reason: "the server is stopping".into() };
            // A client that left needs no close frame.
            drop(self.socket.send(Message::Close(Some(close))).await);
            return false;
        };
        if frames.is_empty() {
            return self.socket.send(Message::Ping(Vec::new().into())).await.is_ok();
        }
        for frame in frames {
            if self.socket.send(Message::Text(frame.into())).await.is_err() {
                return false;
            }
        }
        true
    }

    /// Carries a command out; what is answered.
    async fn heard(&mut self, frame: &[u8]) -> Value {
        let command: Value = serde_json::from_slice(frame).unwrap_or_default();
        let Some((id, method, params)) = commands::read(&command) else { return commands::unreadable() };
        // A command is a request like any other.
        if let Err(error) = self.caller.spend(1).await {
            return json!({ "type": "error", "id": id, "error": "too_many", "message": error.detail() });
        }
        let done = match method {
            "subscription.subscribe" => self.subscribe(params).await,
            "subscription.unsubscribe" => self.unsubscribe(params),
            method => carry_out(&self.hub, &self.thread, &self.headers, method, params).await,
        };
        answer(id, done).unwrap_or_else(
            |error| json!({ "type": "error", "id": id, "error": "unavailable", "message": error.detail() }),
        )
    }

    /// The thread need not exist: pages subscribe before they start a run.
    async fn subscribe(&mut self, params: &Value) -> Done {
        if self.subscriptions.len() >= MOST_SUBSCRIPTIONS {
            return Err(Refused::Said(
                "too_many",
                "Too many subscriptions: end some of them first.".to_owned(),
            ));
        }
        let filter = Filter::of(params).map_err(|error| invalid(error.detail()))?;
        let seen = seen(params, &self.headers).map_err(|error| invalid(error.detail()))?;
        let thread = self.hub.visible(&thread_id(&self.thread)?).await?;
        let mut reading = Reading::open(&self.hub, &thread, filter, seen).await?;
        let news = self.news.clone();
        let task = self.reading.spawn(async move {
            loop {
                let frames = reading.next().await;
                let over = frames.is_none();
                let frames = frames.map(|frames| frames.into_iter().map(|frame| frame.data).collect());
                if news.send(frames).await.is_err() || over {
                    break;
                }
            }
        });
        self.made += 1;
        let id = format!("sub-{}", self.made);
        self.subscriptions.insert(id.clone(), task);
        Ok(json!({ "subscription_id": id }))
    }

    fn unsubscribe(&mut self, params: &Value) -> Done {
        let task = params["subscription_id"].as_str().and_then(|id| self.subscriptions.remove(id));
        match task {
            Some(task) => {
                task.abort();
                // Those that are over are not kept.
                while self.reading.try_join_next().is_some() {}
                Ok(json!({}))
            }
            None => Err(Refused::Said("no_such_subscription", "There is no such subscription.".to_owned())),
        }
    }
}
