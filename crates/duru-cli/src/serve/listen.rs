//! Where a server listens.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::net::TcpListener;

use crate::args::{ServeArgs, USUAL_PORT};
use crate::lang::Lang;
use crate::problem::Problem;
use crate::settings;

/// So many ports are tried where any near the usual one will do.
const NEAR: u16 = 10;

pub(super) async fn on(serve: &ServeArgs, lang: Lang) -> Result<(TcpListener, SocketAddr), Problem> {
    let host = serve.host.clone().or_else(|| settings::get("DURU_HOST"));
    let host = host.as_deref().unwrap_or("127.0.0.1");
    match (serve.port, set_port(lang)?) {
        (Some(port), _) | (None, Some(port)) => {
            bind(host, port).await.map_err(|source| problem(host, port, source))
        }
        (None, None) if serve.nearby => near(host, USUAL_PORT).await,
        (None, None) => bind(host, USUAL_PORT).await.map_err(|source| problem(host, USUAL_PORT, source)),
    }
}

/// The port that the settings name.
pub(crate) fn set_port(lang: Lang) -> Result<Option<u16>, Problem> {
    let Some(given) = settings::get("DURU_PORT") else { return Ok(None) };
    given.trim().parse().map(Some).map_err(|_| {
        Problem::Usage(lang.pick(
            format!("DURU_PORT: {given:?}은(는) 포트가 아닙니다 (0~65535)"),
            format!("DURU_PORT: {given:?} is no port (0 to 65535)"),
        ))
    })
}

/// The first port that is free. Someone who typed no port must not be sent away because of one.
async fn near(host: &str, first: u16) -> Result<(TcpListener, SocketAddr), Problem> {
    let mut last = first;
    for port in first..first.saturating_add(NEAR) {
        last = port;
        match bind(host, port).await {
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            other => return other.map_err(|source| problem(host, port, source)),
        }
    }
    Err(problem(host, last, ErrorKind::AddrInUse.into()))
}

async fn bind(host: &str, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind((host, port)).await?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

fn problem(host: &str, port: u16, source: io::Error) -> Problem {
    Problem::Address { address: format!("{host}:{port}"), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::DocsPlace;

    #[tokio::test]
    async fn a_taken_port_is_no_reason_not_to_start_unless_it_was_asked_for() {
        let taken = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = taken.local_addr().unwrap().port();
        let (_listener, address) = near("127.0.0.1", port).await.unwrap();
        assert!(address.port() > port, "{address}");
        let serve = ServeArgs {
            host: None,
            port: Some(port),
            nearby: true,
            logs: None,
            tables: crate::args::TablesPlace::default(),
            documents: DocsPlace::default(),
            tables: crate::args::tables::usual(),
            ingest_map: None,
            log_format: None,
            log_level: None,
        };
        assert!(matches!(on(&serve, Lang::En).await, Err(Problem::Address { .. })));
    }
}
