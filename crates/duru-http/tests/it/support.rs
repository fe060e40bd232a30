//! Servers and proxies on this machine.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use duru_http::{Client, Network, Reach};
use http::{Request, Uri};
use http_body_util::BodyExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The network that these variables say.
pub(crate) fn network(set: &[(&str, &str)]) -> Network {
    let find =
        |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    Network::read(find).unwrap()
}

pub(crate) fn client(network: &Network, base: &str) -> Client {
    Client::through(network, &uri(base), Reach::Anywhere, None).unwrap()
}

pub(crate) fn uri(text: &str) -> Uri {
    text.parse().unwrap()
}

pub(crate) fn request(to: &str) -> Request<Bytes> {
    Request::post(to).header("content-type", "text/plain").body(Bytes::from_static(b"hello")).unwrap()
}

/// What a good answer says.
pub(crate) async fn said(client: &Client, to: &str) -> String {
    let answer = client.send(request(to)).await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.status());
    let bytes = answer.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Answers every request with `name`, keeps the connection, and remembers the first line of each.
pub(crate) struct Plain {
    pub(crate) port: u16,
    lines: Arc<Mutex<Vec<String>>>,
    connections: Arc<Mutex<usize>>,
}

impl Plain {
    pub(crate) async fn start(name: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let plain = Self { port, lines: Arc::default(), connections: Arc::default() };
        let (lines, connections) = (Arc::clone(&plain.lines), Arc::clone(&plain.connections));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                *connections.lock().unwrap() += 1;
                tokio::spawn(answer(stream, name, Arc::clone(&lines)));
            }
        });
        plain
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap().clone()
    }

    pub(crate) fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }
}

async fn answer(mut stream: TcpStream, name: &str, lines: Arc<Mutex<Vec<String>>>) {
    while let Some(line) = read_request(&mut stream).await {
        lines.lock().unwrap().push(line.clone());
        // A tunnel: whoever is asked for listens at this machine, whatever it is called.
        if let Some(port) = line.strip_prefix("CONNECT ").and_then(|to| to.split([':', ' ']).nth(1)) {
            let mut there = TcpStream::connect(("127.0.0.1", port.parse().unwrap())).await.unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
            tokio::io::copy_bidirectional(&mut stream, &mut there).await.ok();
            return;
        }
        let text = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{name}", name.len());
        if stream.write_all(text.as_bytes()).await.is_err() {
            return;
        }
    }
}

/// The first line of a request, once its body has come, too.
async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(bytes).unwrap();
    let length =
        head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).await.ok()?;
    head.lines().next().map(str::to_owned)
}
