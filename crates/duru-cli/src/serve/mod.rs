//! `duru` and `duru serve`: the agents and the example graph over HTTP.

pub(crate) mod audit;
mod hints;
mod limits;
mod listen;
mod notice;
pub(crate) mod parts;
mod telling;
mod welcome;

pub(crate) use listen::set_port;
pub(crate) use notice::running;

use std::sync::Arc;
use std::time::Duration;

use duru::memory::Memory;
use duru_server::{Keys, People, Server};
use tokio_util::sync::CancellationToken;

use crate::agents;
use crate::args::{Args, ServeArgs};
use crate::data::attached::{Shelf, WithFiles};
use crate::data::erase::Eraser;
use crate::data::keep::{Keeper, Keeping};
use crate::demo;
use crate::docs;
use crate::docs::uploads::Uploads;
use crate::output::Output;
use crate::page;
use crate::problem::Problem;
use crate::routes;
use crate::store;

/// How long each node of the example takes: long enough to be seen.
const PACE: Duration = Duration::from_millis(300);

/// `duru`: all of it, with sample data where there is none, beside whatever else uses the port.
pub(crate) async fn start(serve: &ServeArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    if let Some(address) = running().await {
        return welcome::already(&address, output);
    }
    run(serve, args, output).await
}

/// `duru serve`
pub(crate) async fn run(serve: &ServeArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let keeping = Keeping::read()?;
    let options = limits::options()?;
    let hints = hints::connect().await?;
    let telemetry = telling::begin(serve)?;
    let mut opened = store::open_or_make(args.store.as_ref()).await?;
    let shelf = Shelf::default();
    opened.stores.catalog = Arc::new(WithFiles { catalog: opened.stores.catalog, shelf: Arc::clone(&shelf) });
    let catalog = Arc::clone(&opened.stores.catalog);
    let graph = demo::to_serve(&opened.place, pace())?;
    let security = audit::security(&opened)?;
    let memory = Memory::new(Arc::clone(&opened.stores.memories));
    let keys = Keys::new(Arc::clone(&opened.stores.catalog));
    // Before anything is made that takes a while: whoever comes meanwhile waits. The server refuses the one without
    // keys too, but only after people were told that it is there.
    let (listener, address) = listen::on(serve, output.lang).await?;
    let there = keys.list().await.map_err(Problem::Store)?;
    if there.is_empty() && (!address.ip().is_loopback() || !security.proxies.is_empty()) {
        return Err(Problem::NoKeys { address: address.to_string() });
    }
    if let Some(warning) = crate::keys::warning(&there, output) {
        output.complain(&warning);
    }
    if there.is_empty() && keys.are_wanted().await.map_err(Problem::Store)? {
        output.complain(&welcome::locked(output));
    }
    let people = People::new(opened.stores.clone());
    let mut server = Server::new(opened.stores).graph(graph).security(security.clone()).options(options);
    for (name, _) in opened.shards.iter().flat_map(|store| store.shards()) {
        let (store, shard) = (opened.shards.clone(), Arc::clone(&name));
        server = server.part(format!("shard {name}"), move || {
            let all = store.as_ref().map(|store| store.shards()).unwrap_or_default();
            all.into_iter().find(|(name, _)| *name == shard).and_then(|(_, trouble)| trouble)
        });
    }
    if let Some(hints) = hints {
        server = server.hints(hints);
    }
    let server = server.mount(page::assets()).page(page::index);
    let audit = security.audit;
    let joined = agents::join(server, serve, audit.clone(), memory.clone(), output).await?;
    if let Some(index) = &joined.index {
        shelf.get_or_init(|| Arc::clone(index));
    }
    let uploads = Some(Uploads::beside(&docs::folder(&serve.documents))?);
    let eraser = Eraser { people, memory, index: joined.index, uploads, audit: audit.clone() };
    let server = joined.server.mount(routes::people::routes(eraser.clone()));
    let keeper = Keeper { keeping, eraser, logs: joined.logs, catalog, audit };
    let _notice = notice::put(&address);
    let server = routes::mount(server);
    let reloading = tokio::spawn(limits::reload_when_told(server.limits(), output.lang));
    let stop = CancellationToken::new();
    // Before anybody knows that it is there: who is told where it listens may stop it at once.
    let told = tokio::spawn(stop_when_told(stop.clone()));
    welcome::print(&address, &opened.place, output)?;
    let keeping = tokio::spawn(keeper.work(stop.clone()));
    let served = server.serve(listener, stop).await;
    told.abort();
    reloading.abort();
    keeping.abort();
    telling::finish(telemetry).await;
    served.map_err(|error| match error {
        duru_server::StartError::Store(error) => Problem::Store(error),
        duru_server::StartError::NoKeys(address) => Problem::NoKeys { address: address.to_string() },
        other => Problem::Unexpected(other.into()),
    })
}

/// Tests that stop or kill it in the middle need more time for that than people do.
fn pace() -> Duration {
    let told = std::env::var("DURU_EXAMPLE_PACE_MS").ok().and_then(|told| told.parse().ok());
    told.map_or(PACE, Duration::from_millis)
}

/// Ctrl-C, or whoever stops services on this machine. Signals are listened for from the call on, not from the first wait.
pub(crate) fn stop_when_told(stop: CancellationToken) -> impl Future<Output = ()> {
    #[cfg(unix)]
    let terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate()).ok().zip(signal(SignalKind::interrupt()).ok())
    };
    async move {
        #[cfg(unix)]
        if let Some((mut terminate, mut interrupt)) = terminate {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            return stop.cancel();
        }
        // Without it the process can only be killed, and that loses nothing.
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    }
}
