//! A conversation: messages merge by id, each turn stores only what it added,
//! and a message can be replaced or removed later.

use std::sync::Arc;

use duru::{Cx, END, Graph, Result, State};
use duru_messages::{Message, Messages};
use duru_store::SqliteStore;

#[derive(State, Clone)]
struct Chat {
    #[merge(messages)]
    messages: Messages,
    #[merge(sum)]
    turns: u32,
}

async fn reply(s: Arc<Chat>, _: Cx) -> Result<ChatUpdate> {
    let heard = s.messages.last().map(|message| message.text().into_owned()).unwrap_or_default();
    Ok(ChatUpdate::new().messages([Message::ai(format!("You said: {heard}"))]).turns(1_u32))
}

/// Keeps the last four messages.
async fn forget(s: Arc<Chat>, _: Cx) -> Result<ChatUpdate> {
    let old = s.messages.len().saturating_sub(4);
    let ids = s.messages.iter().take(old).filter_map(|message| message.id.clone());
    Ok(ChatUpdate::new().messages(ids.map(Message::remove)))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let mut g = Graph::<Chat>::new("chat");
    let reply = g.node("reply", reply);
    let forget = g.node("forget", forget);
    g.start(reply).edge(reply, forget).edge(forget, END);
    let app = g.compile()?.on(Arc::new(SqliteStore::open(folder.path().join("chat.db"))?));

    let thread = app.thread("kim")?;
    for text in ["hello", "한 번 더", "and again"] {
        thread.invoke(ChatUpdate::new().messages([Message::human(text)])).await?.done()?;
    }
    let chat = thread.state().await?.decode::<Chat>()?;
    assert_eq!(chat.turns, 3);
    let texts: Vec<String> = chat.messages.iter().map(|message| message.text().into_owned()).collect();
    assert_eq!(texts, ["한 번 더", "You said: 한 번 더", "and again", "You said: and again"]);
    assert!(chat.messages.iter().all(|message| message.id.is_some()), "the engine gave them ids");
    println!("{}", texts.join("\n"));
    Ok(())
}
