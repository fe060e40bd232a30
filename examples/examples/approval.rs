//! A run asks, the program ends, and days later another one opens the same file
//! and answers. An answer that does not fit is refused and loses nothing.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use duru::{App, Cx, Deadline, END, Error, Graph, Outcome, Result, State};
use duru_store::SqliteStore;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(State, Clone)]
struct Order {
    item: String,
    price: u32,
    status: String,
}

#[derive(Serialize, Deserialize)]
struct Ask {
    item: String,
    price: u32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Approve,
    Refuse { reason: String },
}

async fn approve(s: Arc<Order>, cx: Cx) -> Result<OrderUpdate> {
    let ask = Ask { item: s.item.clone(), price: s.price };
    let too_late = Verdict::Refuse { reason: "nobody answered".into() };
    let deadline = Deadline::after(Duration::from_secs(7 * 24 * 3600), too_late);
    let status = match cx.interrupt_until(ask, deadline)? {
        Verdict::Approve => "approved".to_owned(),
        Verdict::Refuse { reason } => format!("refused: {reason}"),
    };
    Ok(OrderUpdate::new().status(status))
}

/// The graph on a store file, as every start of the program makes it.
fn open(file: &Path) -> anyhow::Result<App<Order>> {
    let mut g = Graph::<Order>::new("order");
    let approve = g.node("approve", approve);
    g.start(approve).edge(approve, END);
    Ok(g.compile()?.on(Arc::new(SqliteStore::open(file)?)))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("orders.db");

    {
        let thread = open(&file)?.thread("order-17")?;
        let order = OrderUpdate::new().item("a lathe").price(4200_u32);
        let Outcome::Paused(questions) = thread.invoke(order).await? else { anyhow::bail!("it did not ask") };
        let asked: Ask = questions[0].get()?;
        println!("asked: {} for {}?", asked.item, asked.price);
    }

    let thread = open(&file)?.thread("order-17")?;
    let refused = thread.resume("maybe").await;
    assert!(matches!(refused, Err(Error::UnfitAnswer { .. })), "the schema of Verdict refuses it");
    assert_eq!(thread.state().await?.questions().len(), 1, "the question still waits");

    let end = thread.resume(Verdict::Approve).await?.done()?;
    assert_eq!(end.status, "approved");
    println!("{}: {}", end.item, end.status);
    Ok(())
}
