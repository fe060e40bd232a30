//! The port at which this process works for others.

use std::time::Duration;

use datafusion_distributed::Worker;
use subtle::ConstantTimeEq as _;
use tokio::net::TcpListener;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Status};

/// Whoever asked and is gone is noticed after both of these.
const PING: Duration = Duration::from_secs(5);
const PONG: Duration = Duration::from_secs(5);

pub(super) async fn serve(worker: Worker, listener: TcpListener, secret: String) {
    let bearer = format!("Bearer {secret}");
    let check = move |request: Request<()>| {
        let given = request.metadata().get("authorization").map(|given| given.as_bytes());
        match given.is_some_and(|given| bool::from(given.ct_eq(bearer.as_bytes()))) {
            true => Ok(request),
            false => Err(Status::unauthenticated("the workers' secret is another")),
        }
    };
    let service = InterceptedService::new(worker.into_worker_server(), check);
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let mut server =
        Server::builder().http2_keepalive_interval(Some(PING)).http2_keepalive_timeout(Some(PONG));
    // It ends only if its listener fails; whoever asks then notices, and does without this worker.
    drop(server.add_service(service).serve_with_incoming(incoming).await);
}
