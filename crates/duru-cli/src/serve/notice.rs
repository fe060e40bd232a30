//! The note beside a person's data that says which server has it open: the folder of logs belongs to one process.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::store;

/// A server on this machine that lives answers within this time.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Serialize, Deserialize)]
struct Notice {
    address: SocketAddr,
    process: u32,
}

/// Taken away when it is dropped.
pub(super) struct Put(PathBuf);

/// Says that this process serves the person's data. A folder that can't be written to costs only the note.
pub(super) fn put(address: &SocketAddr) -> Option<Put> {
    let file = file()?;
    let notice = Notice { address: *address, process: std::process::id() };
    std::fs::write(&file, serde_json::to_vec(&notice).ok()?).ok()?;
    Some(Put(file))
}

impl Drop for Put {
    fn drop(&mut self) {
        // Another server may have come after this one and said so.
        if read().is_some_and(|notice| notice.process == std::process::id()) {
            drop(std::fs::remove_file(&self.0));
        }
    }
}

/// The address of the server that has the person's data open, if it answers. A note that a killed server left
/// behind names nobody.
pub(crate) async fn running() -> Option<SocketAddr> {
    let address = read()?.address;
    timeout(PATIENCE, is_well(address)).await.ok()?.then_some(address)
}

async fn is_well(address: SocketAddr) -> bool {
    let answer = async {
        let mut stream = TcpStream::connect(address).await?;
        stream
            .write_all(format!("GET /ok HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").as_bytes())
            .await?;
        let mut answer = Vec::new();
        stream.take(4096).read_to_end(&mut answer).await?;
        std::io::Result::Ok(answer)
    };
    answer.await.is_ok_and(|answer| {
        answer.starts_with(b"HTTP/1.1 200") && answer.windows(4).any(|part| part == b"\"ok\"")
    })
}

fn read() -> Option<Notice> {
    serde_json::from_slice(&std::fs::read(file()?).ok()?).ok()
}

fn file() -> Option<PathBuf> {
    Some(store::usual()?.parent()?.join("serving.json"))
}
