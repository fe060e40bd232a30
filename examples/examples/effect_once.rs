//! The process dies after a payment and before the step that made it ends.
//! The next one goes on from the log: the payment is not made again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use duru::{App, Cx, END, Graph, Result, State};
use duru_store::SqliteStore;

#[derive(State, Clone)]
struct Order {
    amount: u32,
    receipt: String,
    shipped: bool,
}

/// The world outside: it counts what really happens to it.
#[derive(Clone, Default)]
struct Bank {
    payments: Arc<AtomicU32>,
}

impl Bank {
    fn pay(&self, amount: u32, idempotency_key: &str) -> String {
        self.payments.fetch_add(1, Ordering::SeqCst);
        format!("{amount} paid under {idempotency_key}")
    }
}

/// How long the node goes on after the payment.
struct Pause(Duration);

async fn pay(s: Arc<Order>, cx: Cx) -> Result<OrderUpdate> {
    let bank = cx.get::<Bank>()?;
    let amount = s.amount;
    let receipt: String = cx.effect("pay", |key| async move { Ok(bank.pay(amount, &key)) }).await?;
    cx.emit("paid")?;
    tokio::time::sleep(cx.get::<Pause>()?.0).await;
    Ok(OrderUpdate::new().receipt(receipt))
}

async fn ship(_: Arc<Order>, _: Cx) -> Result<OrderUpdate> {
    Ok(OrderUpdate::new().shipped(true))
}

fn open(file: &Path, bank: &Bank, pause: Duration) -> anyhow::Result<App<Order>> {
    let mut g = Graph::<Order>::new("order");
    let pay = g.node("pay", pay);
    let ship = g.node("ship", ship);
    g.start(pay).edge(pay, ship).edge(ship, END);
    Ok(g.compile()?.provide(bank.clone()).provide(Pause(pause)).on(Arc::new(SqliteStore::open(file)?)))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("orders.db");
    let bank = Bank::default();

    {
        let thread = open(&file, &bank, Duration::from_secs(3600))?.thread("order-17")?;
        let mut run = thread.invoke(OrderUpdate::new().amount(30_u32)).stream([duru::Mode::Custom]).await?;
        let event = run.next().await?;
        assert_eq!(event.map(|event| event.data), Some("paid".into()));
        // Dropping a run stops it where it is, like the end of its process.
    }
    assert_eq!(bank.payments.load(Ordering::SeqCst), 1);

    let thread = open(&file, &bank, Duration::ZERO)?.thread("order-17")?;
    assert_eq!(thread.state().await?.next(), ["pay"], "its step never ended");
    let end = thread.go_on().await?.done()?;
    assert!(end.shipped && end.receipt.starts_with("30 paid under "));
    assert_eq!(bank.payments.load(Ordering::SeqCst), 1, "paid once, though the node ran twice");
    println!("{}", end.receipt);
    Ok(())
}
