//! Where a server listens.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use tokio::net::TcpListener;

use crate::args::{Port, ServeArgs};
use crate::problem::Problem;

/// So many ports are tried where any near the usual one will do.
const NEAR: u16 = 10;

pub(super) async fn on(serve: &ServeArgs) -> Result<(TcpListener, SocketAddr), Problem> {
    let host = serve.host.as_str();
    match serve.port {
        Port::This(port) => bind(host, port).await.map_err(|source| problem(host, port, source)),
        Port::Near(port) => near(host, port).await,
    }
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
        let serve = |port| ServeArgs {
            host: "127.0.0.1".to_owned(),
            port,
            logs: None,
            documents: DocsPlace::default(),
            ingest_map: None,
            log_format: None,
            log_level: None,
        };
        let (_listener, address) = on(&serve(Port::Near(port))).await.unwrap();
        assert!(address.port() > port, "{address}");
        assert!(matches!(on(&serve(Port::This(port))).await, Err(Problem::Address { .. })));
    }
}
