//! A server that is killed and started again loses nothing it has accepted, and
//! clients that come back miss nothing.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{ChildStdout, Command};
use tokio::task::JoinSet;

use crate::fixture::Place;
use crate::runs::{Accepted, start, steps, try_start};
use crate::tools;

/// A Python client that was promised so many steps, and what it prints.
async fn python(url: &str, n: usize) -> Option<(tokio::process::Child, Lines<BufReader<ChildStdout>>)> {
    let wanted = std::fs::read_to_string(tools::scripts().join("python/requirements.txt")).unwrap();
    // Not in the way of others while it is made.
    let python = tokio::task::spawn_blocking(move || tools::python("python", &wanted)).await.unwrap()?;
    let mut client = Command::new(python)
        .arg("-B")
        .arg(tools::scripts().join("python/one_stream.py"))
        .args(["--url", url, "--steps", &n.to_string(), "--tick", "150"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let lines = BufReader::new(client.stdout.take().unwrap()).lines();
    Some((client, lines))
}

/// The server is killed twice while a client streams. The client is one call of
/// the SDK, which knows nothing of it.
async fn one_call_outlives_its_server(place: Place) {
    const N: usize = 16;
    let mut server = place.serve();
    let Some((mut client, mut lines)) = python(&server.url(), N).await else { return };
    let mut seen: Vec<Value> = Vec::new();
    let mut kill_after = vec![9, 4];
    while let Some(line) = lines.next_line().await.unwrap() {
        let event: Value = serde_json::from_str(&line).unwrap();
        if kill_after.last().is_some_and(|tick| event["data"] == json!({ "tick": tick })) {
            kill_after.pop();
            let port = server.port;
            server.kill();
            server = place.serve_at(port);
        }
        seen.push(event);
    }
    assert!(client.wait().await.unwrap().success());
    assert!(kill_after.is_empty(), "the server was not killed as often as planned");

    let of = |kind: &str| -> Vec<&Value> {
        seen.iter().filter(|event| event["event"] == kind).map(|event| &event["data"]).collect()
    };
    let updates: Vec<Value> = (0..N).map(|i| json!({ "step": { "log": [i] } })).collect();
    assert_eq!(of("updates"), updates.iter().collect::<Vec<_>>(), "each step once, in order");
    // A step that was interrupted runs again, and says so again; its events are others.
    let mut ticks = of("custom");
    assert!(ticks.len() <= N + 2, "{ticks:?}");
    ticks.dedup();
    let once: Vec<Value> = (0..N).map(|i| json!({ "tick": i })).collect();
    assert_eq!(ticks, once.iter().collect::<Vec<_>>());
    let mut ids: Vec<(u64, u64)> = Vec::new();
    for event in &seen {
        let Some((_, number)) = event["id"].as_str().and_then(|id| id.rsplit_once('-')) else { continue };
        let (event, frame) = number.split_once('.').unwrap_or((number, "999"));
        ids.push((event.parse().unwrap(), frame.parse().unwrap()));
    }
    assert!(ids.len() >= 2 * N && ids.is_sorted_by(|one, next| one < next), "{ids:?}");

    let metadata = seen.iter().find(|event| event["event"] == "metadata").unwrap();
    let run = Accepted {
        thread: metadata["thread"].as_str().unwrap().to_owned(),
        run: metadata["data"]["run_id"].as_str().unwrap().to_owned(),
    };
    run.is_done(&server.client(), N).await;
}

/// A server is killed again and again while it accepts. Whatever it has
/// accepted is carried out, each step once.
async fn what_was_acknowledged_is_done(place: Place) {
    const N: usize = 5;
    let mut server = place.serve();
    let mut accepted: Vec<Accepted> = Vec::new();
    let mut refused = 0;
    for _ in 0..4 {
        let client = server.client();
        let mut posts = JoinSet::new();
        for _ in 0..40 {
            let client = client.clone();
            posts.spawn(async move { try_start(&client, steps(N, 40)).await });
        }
        let mut asked = 0;
        while let Some(answer) = posts.join_next().await {
            asked += 1;
            if asked == 20 {
                server.kill();
            }
            match answer.unwrap() {
                Ok(run) => accepted.push(run),
                Err(_) => refused += 1,
            }
        }
        server = place.serve_at(server.port);
    }
    println!("{} accepted, {refused} not", accepted.len());
    assert!(accepted.len() >= 80, "only {} were accepted", accepted.len());
    let client = server.client();
    for run in &accepted {
        run.is_done(&client, N).await;
    }
}

/// A question that was asked before the kill can be answered after it, once.
async fn a_question_outlives_its_server(place: Place) {
    let mut server = place.serve();
    let asked = json!({ "assistant_id": "hitl", "input": { "q": "go" }, "if_not_exists": "create" });
    let run = start(&server.client(), asked).await;
    assert_eq!(run.end(&server.client()).await, "success");
    server.kill();
    let server = place.serve_at(server.port);
    let client = server.client();
    let answer = |text: &str| json!({ "assistant_id": "hitl", "command": { "resume": text } });
    let path = format!("/threads/{}/runs/wait", run.thread);
    let end = client.post(&path, answer("yes")).await.expect(200);
    assert_eq!(end, json!({ "q": "go!", "answer": "yes done" }));
    let again = client.post(&path, answer("no")).await.expect(200);
    assert_eq!(again, end, "a second answer changes nothing");
}

/// A server that is told to stop gives up a step that takes longer than its
/// grace, although somebody waits for it; the next one begins it again.
async fn a_long_step_does_not_keep_its_server(place: Place) {
    let mut server = place.serve();
    let client = server.client();
    let run = start(&client, steps(2, 60_000)).await;
    let mut events = client.events(&format!("{}/stream", run.path()), Some("-1")).await.unwrap();
    events.next().await.unwrap();
    let join = format!("{}/join", run.path());
    let waiting = tokio::spawn(async move { client.try_send("GET", &join, None).await });
    server.terminate();
    let status = server.ended(Duration::from_secs(50)).await.expect("it stops in time");
    assert_eq!(status.code(), Some(0), "{}", server.log());
    assert!(waiting.await.unwrap().is_err(), "what is waited for is not over");
    loop {
        // One that ended would be the end of the run to its reader.
        let Ok(frame) = events.next().await else { break };
        assert!(frame.is_some(), "the stream ended");
    }

    let server = place.serve_at(server.port);
    let client = server.client();
    let give_up = Instant::now() + crate::client::PATIENCE;
    while run.status(&client).await.as_deref() != Some("running") {
        assert!(Instant::now() < give_up, "it does not begin again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(client.post(&format!("{}/cancel", run.path()), json!({})).await.status, 202);
    assert_eq!(run.end(&client).await, "interrupted");
}

/// Whoever talks over a socket hears that it is the server that goes, and not their network: with a run under way,
/// and before they have said anything.
#[tokio::test]
async fn sockets_are_told_goodbye() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut server = Place::sqlite().serve_told(&["--interfaces"], &[]);
    let address = format!("127.0.0.1:{}", server.port);
    let mut sockets = Vec::new();
    for _ in 0..2 {
        let mut socket = tokio::net::TcpStream::connect(&address).await.unwrap();
        let head = format!(
            "GET /ws/{} HTTP/1.1\r\nhost: {address}\r\n{}\r\n",
            crate::runs::new_thread(),
            crate::web_checks::upgrade("")
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(socket.read_u8().await.unwrap());
        }
        assert!(answer.starts_with(b"HTTP/1.1 101"));
        sockets.push(socket);
    }
    // A text frame of a client, masked with nothing.
    let query = br#"{"type":"query","text":"wait:20000","interactive":false}"#;
    let mut frame = vec![0x81, 0x80 | u8::try_from(query.len()).unwrap(), 0, 0, 0, 0];
    frame.extend_from_slice(query);
    sockets[0].write_all(&frame).await.unwrap();
    let mut heard = [Vec::new(), Vec::new()];
    while !String::from_utf8_lossy(&heard[0]).contains("plan_ready") {
        assert_ne!(sockets[0].read_buf(&mut heard[0]).await.unwrap(), 0);
    }
    server.terminate();
    for (socket, heard) in sockets.iter_mut().zip(&mut heard) {
        let read = tokio::time::timeout(crate::client::PATIENCE, socket.read_to_end(heard));
        read.await.expect("it is closed").unwrap();
        // The last frame closes, with the code for those who go away.
        let close = heard.windows(4).rposition(|part| part[0] == 0x88 && part[2..] == 1001_u16.to_be_bytes());
        assert!(close.is_some(), "{:?}", String::from_utf8_lossy(heard));
    }
    assert!(server.ended(crate::client::PATIENCE).await.is_some_and(|status| status.success()));
}

mod sqlite {
    use super::*;

    #[tokio::test]
    async fn a_long_step_is_begun_again() {
        a_long_step_does_not_keep_its_server(Place::sqlite()).await;
    }

    #[tokio::test]
    async fn a_streaming_call_outlives_its_server() {
        one_call_outlives_its_server(Place::sqlite()).await;
    }

    #[tokio::test]
    async fn an_acknowledged_run_is_carried_out() {
        what_was_acknowledged_is_done(Place::sqlite()).await;
    }

    #[tokio::test]
    async fn a_question_waits_for_its_answer() {
        a_question_outlives_its_server(Place::sqlite()).await;
    }
}

mod postgres {
    use super::*;

    #[tokio::test]
    async fn a_long_step_is_begun_again() {
        let Some(place) = Place::postgres() else { return };
        a_long_step_does_not_keep_its_server(place).await;
    }

    #[tokio::test]
    async fn a_streaming_call_outlives_its_server() {
        let Some(place) = Place::postgres() else { return };
        one_call_outlives_its_server(place).await;
    }

    #[tokio::test]
    async fn an_acknowledged_run_is_carried_out() {
        let Some(place) = Place::postgres() else { return };
        what_was_acknowledged_is_done(place).await;
    }

    #[tokio::test]
    async fn a_question_waits_for_its_answer() {
        let Some(place) = Place::postgres() else { return };
        a_question_outlives_its_server(place).await;
    }
}
