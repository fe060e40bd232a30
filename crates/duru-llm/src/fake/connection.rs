//! One connection: requests in, plans carried out.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::sleep;

use super::Shared;
use super::plan::{Act, Head, Plan};
use super::request::Seen;

type Stream = BufReader<TcpStream>;

/// Answers until the other side goes or a plan ends the connection.
pub(super) async fn serve(stream: TcpStream, shared: &Shared) {
    // Without it the small pieces of a stream would wait for each other.
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let mut stream = BufReader::new(stream);
    while let Some(seen) = Seen::read(&mut stream).await {
        let plan = Plan::of(&shared.turn(&seen), &seen);
        // Whoever does not want the rest of an answer may leave; that is no error here.
        match carry_out(plan, &mut stream).await {
            Ok(After::Next) => {}
            Ok(After::Close) | Err(_) => return,
        }
    }
}

/// What becomes of the connection.
enum After {
    Next,
    Close,
}

async fn carry_out(plan: Plan, stream: &mut Stream) -> io::Result<After> {
    if let Some(head) = &plan.head {
        stream.write_all(head.text().as_bytes()).await?;
    }
    for act in plan.acts {
        match act {
            Act::Send(bytes) if bytes.is_empty() => {}
            Act::Send(bytes) => {
                let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
                chunk.extend_from_slice(&bytes);
                chunk.extend_from_slice(b"\r\n");
                stream.write_all(&chunk).await?;
            }
            Act::Pause(time) => {
                if !waited(time, stream).await {
                    return Ok(After::Close);
                }
            }
            Act::Hang => {
                gone(stream).await;
                return Ok(After::Close);
            }
            Act::Reset => {
                // Closed with this, a connection is reset instead of ended.
                stream.get_ref().set_zero_linger()?;
                return Ok(After::Close);
            }
        }
    }
    stream.write_all(b"0\r\n\r\n").await?;
    Ok(After::Next)
}

/// Whether the other side was still there after `time`.
async fn waited(time: Duration, stream: &mut Stream) -> bool {
    tokio::select! {
        () = sleep(time) => true,
        () = gone(stream) => false,
    }
}

/// Waits until the other side is gone. Nothing comes from it during an answer.
async fn gone(stream: &mut Stream) {
    let mut byte = [0];
    while matches!(stream.read(&mut byte).await, Ok(read) if read > 0) {}
}

impl Head {
    fn text(&self) -> String {
        let mut text = format!(
            "HTTP/1.1 {} Fake\r\ncontent-type: {}\r\ntransfer-encoding: chunked\r\n",
            self.status, self.content_type
        );
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("\r\n");
        text
    }
}
