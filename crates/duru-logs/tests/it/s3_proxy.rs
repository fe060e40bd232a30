//! Stands between a store and its bucket, and does what a network and a busy service do.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Pass,
    /// 503, `SlowDown`.
    Busy,
    /// 403, with this code.
    Refuse(&'static str),
    /// Passes everything, after a while.
    Slow(Duration),
    /// Takes requests and never answers.
    Silent,
    /// Says that what is put was put, though a condition forbids it.
    Careless,
    /// Carries out what is put, and loses the answers.
    Forgetful,
}

/// How it treats requests whose first line has this in it; all others pass.
type Treated = (String, Manner);

pub(crate) struct S3Proxy {
    pub(crate) port: u16,
    manner: Arc<Mutex<Treated>>,
    pub(crate) requests: Arc<AtomicU64>,
}

impl S3Proxy {
    pub(crate) async fn start(to: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let manner = Arc::new(Mutex::new((String::new(), Manner::Pass)));
        let requests = Arc::new(AtomicU64::new(0));
        let (shared, counted) = (manner.clone(), requests.clone());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (manner, requests) = (shared.clone(), counted.clone());
                tokio::spawn(async move { serve(client, to, &manner, &requests).await });
            }
        });
        Self { port, manner, requests }
    }

    pub(crate) fn set(&self, manner: Manner) {
        self.set_for("", manner);
    }

    /// Treats requests that have this in their first line so, and passes all others.
    pub(crate) fn set_for(&self, part: &str, manner: Manner) {
        *self.manner.lock().unwrap() = (part.to_owned(), manner);
    }
}

/// One request to a connection: both sides are told so.
async fn serve(mut client: TcpStream, to: u16, manner: &Mutex<Treated>, requests: &AtomicU64) -> Option<()> {
    let mut bytes = Vec::new();
    let head = loop {
        if client.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 2;
        }
    };
    requests.fetch_add(1, Ordering::Relaxed);
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let whole = head + 2 + length.unwrap_or(0);
    while bytes.len() < whole {
        client.read_buf(&mut bytes).await.ok()?;
    }
    let now = {
        let treated = manner.lock().unwrap();
        let is_meant = text.lines().next().is_some_and(|line| line.contains(&treated.0));
        if is_meant { treated.1 } else { Manner::Pass }
    };
    match now {
        Manner::Busy => return answer(client, "503 Service Unavailable", "SlowDown").await,
        Manner::Refuse(code) => return answer(client, "403 Forbidden", code).await,
        Manner::Silent => std::future::pending().await,
        Manner::Slow(pause) => tokio::time::sleep(pause).await,
        Manner::Pass | Manner::Careless | Manner::Forgetful => {}
    }
    let mut server = TcpStream::connect(("127.0.0.1", to)).await.ok()?;
    server.write_all(&bytes[..head]).await.ok()?;
    server.write_all(b"connection: close\r\n\r\n").await.ok()?;
    server.write_all(&bytes[head + 2..whole]).await.ok()?;
    if now == Manner::Forgetful && text.starts_with("PUT") {
        let mut lost = Vec::new();
        server.read_to_end(&mut lost).await.ok()?;
        return None;
    }
    if now == Manner::Careless {
        let mut answer = Vec::new();
        server.read_to_end(&mut answer).await.ok()?;
        if answer.starts_with(b"HTTP/1.1 412") {
            answer =
                b"HTTP/1.1 200 OK\r\netag: \"1\"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".into();
        }
        client.write_all(&answer).await.ok()?;
        return client.shutdown().await.ok();
    }
    tokio::io::copy(&mut server, &mut client).await.ok()?;
    client.shutdown().await.ok()
}

async fn answer(mut client: TcpStream, status: &str, code: &str) -> Option<()> {
    let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>…</Message></Error>");
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/xml\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    client.write_all(head.as_bytes()).await.ok()?;
    client.write_all(body.as_bytes()).await.ok()?;
    client.shutdown().await.ok()
}
