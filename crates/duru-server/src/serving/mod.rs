//! Connections: accepted, served, and closed when a client takes too long to say what it wants.

mod patient;

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tower_service::Service as _;

pub(crate) use patient::is_impatience;

use crate::error::log_line;
use patient::Patient;

/// The largest head of a request, in bytes.
const LARGEST_HEAD: usize = 64 << 10;
/// How long to wait where there is no place for another connection.
const BREATH: Duration = Duration::from_secs(1);

/// What connections are served with.
struct Connections {
    http: http1::Builder,
    /// Made once: a router that is served as it is copies its whole table of routes for every connection, some 70 KB.
    app: Router,
    /// How long a head may take, and every piece of a body.
    patience: Duration,
    stop: CancellationToken,
}

/// Serves until it is told to stop, and then until all answers are sent.
pub(crate) async fn serve(listener: TcpListener, app: Router, patience: Duration, stop: CancellationToken) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(LARGEST_HEAD);
    let served = Arc::new(Connections { http, app: app.with_state(()), patience, stop });
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = served.stop.cancelled() => break,
            Some(_) = open.join_next(), if !open.is_empty() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, from)) => drop(open.spawn(Arc::clone(&served).connection(stream, from))),
                Err(error) if is_of_one_client(&error) => {}
                // Such as too many open files: those that are open go on.
                Err(error) => {
                    log_line(&format_args!("no more connections for now: {error}"));
                    tokio::select! {
                        () = served.stop.cancelled() => {}
                        () = tokio::time::sleep(BREATH) => {}
                    }
                }
            }
        }
    }
    drop(listener);
    while open.join_next().await.is_some() {}
}

/// Whether only the connection is lost that was about to be made.
fn is_of_one_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

impl Connections {
    async fn connection(self: Arc<Self>, stream: TcpStream, from: SocketAddr) {
        // Tokens are small and must not wait for each other; a socket that refuses still works.
        drop(stream.set_nodelay(true));
        let answer = service_fn(|request: hyper::Request<Incoming>| {
            let mut request = request.map(|body| match body.is_end_stream() {
                true => Body::empty(),
                false => Body::new(Patient::new(body, self.patience)),
            });
            request.extensions_mut().insert(ConnectInfo(from));
            self.app.clone().call(request)
        });
        let mut connection = pin!(self.http.serve_connection(TokioIo::new(stream), answer).with_upgrades());
        // What goes wrong with a connection is for its client to see.
        tokio::select! {
            ended = connection.as_mut() => return drop(ended),
            () = self.stop.cancelled() => connection.as_mut().graceful_shutdown(),
        }
        drop(connection.await);
    }
}
