//! Several kinds of events of one run at once. Events are numbered without
//! gaps and stored: a reader that comes back later gets exactly the rest.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Cx, END, Event, Graph, Mode, Result, State};
use duru_messages::MessageChunk;

#[derive(State, Clone)]
struct Talk {
    topic: String,
    text: String,
}

async fn write(s: Arc<Talk>, cx: Cx) -> Result<TalkUpdate> {
    cx.emit("thinking")?;
    let words = ["About", " ", s.topic.as_str(), "."];
    for word in words {
        cx.chunk(&MessageChunk::text("reply-1", word))?;
    }
    Ok(TalkUpdate::new().text(words.concat()))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut g = Graph::<Talk>::new("talk");
    let write = g.node("write", write);
    g.start(write).edge(write, END);
    let app = g.compile()?.on(Arc::new(MemoryStore::new()));
    let thread = app.thread("talk-1")?;

    let modes = [Mode::Values, Mode::Updates, Mode::Messages, Mode::Custom, Mode::Runs];
    let mut stream = thread.invoke(TalkUpdate::new().topic("graphs")).stream(modes).await?;
    let mut seen: Vec<Event> = Vec::new();
    while let Some(event) = stream.next().await? {
        println!("{:>3} {:<8} {}", event.seq, event.mode.as_str(), event.data);
        seen.push(event);
    }
    assert_eq!(stream.outcome().await?.done()?.text, "About graphs.");

    let of = |mode| seen.iter().filter(move |event| event.mode == mode);
    let text: String = of(Mode::Messages).filter_map(|event| event.data[0]["content"].as_str()).collect();
    assert_eq!(text, "About graphs.");
    assert_eq!(of(Mode::Custom).next().map(|event| &event.data), Some(&"thinking".into()));
    assert_eq!(of(Mode::Runs).count(), 2, "it began and ended");

    // A reader that was cut off after the third event comes back for the rest.
    let mut reader = thread.events(seen[2].seq + 1, modes).await?;
    let mut rest = Vec::new();
    while let Some(event) = reader.next_ready().await? {
        rest.push(event);
    }
    assert_eq!(rest, seen[3..]);
    Ok(())
}
