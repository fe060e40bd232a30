//! Hints between processes on one store, over a NATS server or several.
//!
//! NATS keeps nothing and decides nothing here: what is told may be lost, and the
//! store is asked in any case. See [`Hints`].

mod address;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Message};
use async_trait::async_trait;
use bytes::Bytes;
use duru::ThreadId;
use duru::store::{Hint, Hints, Owner};
use futures_util::StreamExt as _;
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};
use xxhash_rust::xxh3::xxh3_128;

pub use address::{Address, BadAddress};

/// So many hints may wait, in either direction, before more are lost.
const WAITING: usize = 4096;
/// How long a server may take to answer when we begin.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why there can be no hints.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It wants to know who we are, and does not accept what we say.
    #[error(
        "NATS at {address} does not let us in: {reason}; put the user and the password into the address, or name a file of credentials"
    )]
    Refused {
        /// The server, without secrets.
        address: String,
        /// What it says.
        reason: String,
    },
    /// A file of credentials can't be read.
    #[error("the credentials in {file} can't be read: {reason}")]
    Credentials {
        /// The file.
        file: String,
        /// Why.
        reason: String,
    },
    /// There can be no encrypted connection.
    #[error("no encrypted connection to NATS at {address}: {reason}")]
    Tls {
        /// The server, without secrets.
        address: String,
        /// Why.
        reason: String,
    },
}

/// Hints over NATS. While no server can be reached they are lost, and others
/// notice a little later; the connection is made again by itself.
pub struct NatsHints {
    client: Client,
    prefix: String,
    out: mpsc::Sender<(String, Bytes)>,
    heard: mpsc::Sender<Hint>,
    back: tokio::sync::Mutex<mpsc::Receiver<Hint>>,
    followed: Mutex<HashMap<ThreadId, AbortHandle>>,
    /// They end with this.
    tasks: Mutex<JoinSet<()>>,
}

impl NatsHints {
    /// Connects. A server that can't be reached is no error: it may come later.
    ///
    /// # Errors
    /// If the server does not let us in, or the credentials can't be read.
    pub async fn connect(address: &Address) -> Result<Self, Error> {
        let client = match options(address).await?.connect(address.servers()).await {
            Ok(client) => client,
            Err(error) => match error.kind() {
                ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                    return Err(Error::Refused { address: address.to_string(), reason: error.to_string() });
                }
                ConnectErrorKind::Tls => {
                    return Err(Error::Tls { address: address.to_string(), reason: error.to_string() });
                }
                _ => {
                    tracing::warn!(address = %address, "NATS can't be reached; others notice later until it can");
                    later(address).await?
                }
            },
        };
        let (out, waiting) = mpsc::channel(WAITING);
        let (heard, back) = mpsc::channel(WAITING);
        let mut tasks = JoinSet::new();
        tasks.spawn(send(client.clone(), waiting));
        let prefix = address.prefix().to_owned();
        for (subject, read) in [
            ("work", (|_| Some(Hint::Work)) as fn(&str) -> _),
            ("stop", |text| Some(Hint::Stop(Owner::named(text)))),
        ] {
            tasks.spawn(listen(client.clone(), format!("{prefix}.{subject}"), heard.clone(), read));
        }
        Ok(Self {
            client,
            prefix,
            out,
            heard,
            back: tokio::sync::Mutex::new(back),
            followed: Mutex::default(),
            tasks: Mutex::new(tasks),
        })
    }

    /// Names are anything, and subjects are not.
    fn subject(&self, thread: &ThreadId) -> String {
        format!("{}.thread.{:032x}", self.prefix, xxh3_128(thread.as_str().as_bytes()))
    }
}

async fn options(address: &Address) -> Result<ConnectOptions, Error> {
    // What we tell is for others.
    let options = ConnectOptions::new().no_echo().name("duru").connection_timeout(PATIENCE);
    let options = match address.user() {
        Some((user, Some(password))) => options.user_and_password(user, password),
        Some((token, None)) => options.token(token),
        None => options,
    };
    match address.credentials() {
        Some(file) => options.credentials_file(file).await.map_err(|error| Error::Credentials {
            file: file.display().to_string(),
            reason: error.to_string(),
        }),
        None => Ok(options),
    }
}

async fn later(address: &Address) -> Result<Client, Error> {
    let connecting = options(address).await?.retry_on_initial_connect().connect(address.servers());
    connecting
        .await
        .map_err(|error| Error::Refused { address: address.to_string(), reason: error.to_string() })
}

async fn send(client: Client, mut waiting: mpsc::Receiver<(String, Bytes)>) {
    while let Some((subject, payload)) = waiting.recv().await {
        // What would be told after a pause is known by then.
        if client.connection_state() == State::Connected {
            drop(client.publish(subject, payload).await);
        }
    }
}

/// Listens to a subject until it is aborted; after a pause of the server the client asks for it again by itself.
async fn listen(client: Client, subject: String, heard: mpsc::Sender<Hint>, read: fn(&str) -> Option<Hint>) {
    let Ok(mut messages) = client.subscribe(subject).await else { return };
    while let Some(Message { payload, .. }) = messages.next().await {
        // Whoever else may write there: what makes no sense is nothing.
        if let Some(hint) = std::str::from_utf8(&payload).ok().and_then(read) {
            // Where too many wait, one more says nothing new.
            drop(heard.try_send(hint));
        }
    }
}

#[async_trait]
impl Hints for NatsHints {
    fn tell(&self, hint: Hint) {
        let (subject, text) = match &hint {
            Hint::Work => (format!("{}.work", self.prefix), ""),
            Hint::Thread(thread) => (self.subject(thread), thread.as_str()),
            Hint::Stop(owner) => (format!("{}.stop", self.prefix), owner.as_str()),
        };
        drop(self.out.try_send((subject, Bytes::copy_from_slice(text.as_bytes()))));
    }

    async fn hear(&self) -> Hint {
        match self.back.lock().await.recv().await {
            Some(hint) => hint,
            // It has a sender of its own.
            None => std::future::pending().await,
        }
    }

    fn follow(&self, thread: &ThreadId) {
        let read: fn(&str) -> Option<Hint> = |text| ThreadId::new(text).ok().map(Hint::Thread);
        let listening = listen(self.client.clone(), self.subject(thread), self.heard.clone(), read);
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        // Those that were aborted.
        while tasks.try_join_next().is_some() {}
        let task = tasks.spawn(listening);
        drop(tasks);
        let before =
            self.followed.lock().unwrap_or_else(PoisonError::into_inner).insert(thread.clone(), task);
        before.inspect(AbortHandle::abort);
    }

    fn unfollow(&self, thread: &ThreadId) {
        let task = self.followed.lock().unwrap_or_else(PoisonError::into_inner).remove(thread);
        task.inspect(AbortHandle::abort);
    }

    fn arrive(&self) -> bool {
        self.client.connection_state() == State::Connected
    }
}
