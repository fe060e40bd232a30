//! `duru serve`: the agents and the example graph over HTTP.

use std::time::Duration;

use duru_server::Server;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::agents;
use crate::args::{Args, ServeArgs};
use crate::demo;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;

/// How long each node of the example takes: long enough to be seen.
const PACE: Duration = Duration::from_millis(300);

pub(crate) async fn run(serve: &ServeArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let (host, port) = (serve.host.as_str(), serve.port);
    let opened = store::open_or_make(args.store.as_ref()).await?;
    let graph = demo::to_serve(&opened.place, PACE)?;
    let mut server = Server::new(opened.stores).graph(graph);
    for agent in agents::served(serve, output).await? {
        server = server.graph(agent);
    }
    let listener = TcpListener::bind((host, port))
        .await
        .map_err(|source| Problem::Address { address: format!("{host}:{port}"), source })?;
    let address =
        listener.local_addr().map_err(|source| Problem::Address { address: host.to_owned(), source })?;
    output.text(&format!("{}\n", output.lang.listening(&address.to_string(), &opened.place.to_string())))?;
    output.progress(&output.lang.how_to_ask(&address.to_string()));
    let stop = CancellationToken::new();
    let told = tokio::spawn(stop_when_told(stop.clone()));
    let served = server.serve(listener, stop).await;
    told.abort();
    served.map_err(|error| match error {
        duru_server::StartError::Store(error) => Problem::Store(error),
        other => Problem::Unexpected(other.into()),
    })
}

/// Ctrl-C, or whoever stops services on this machine.
pub(crate) async fn stop_when_told(stop: CancellationToken) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return stop.cancel();
        }
    }
    // Without it the process can only be killed, and that loses nothing.
    if tokio::signal::ctrl_c().await.is_ok() {
        stop.cancel();
    }
}
