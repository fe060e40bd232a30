//! A graph as a node of another: once with a state of its own, once sharing
//! its parent's. Both keep their place in the thread's log: a question inside
//! a subgraph is answered like any other.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Compiled, Cx, END, Graph, Outcome, Result, State};

#[derive(State, Clone)]
struct Trip {
    city: String,
    price: u32,
    #[merge(append)]
    diary: Vec<String>,
}

/// The inner graph knows nothing of trips.
#[derive(State, Clone)]
struct Offer {
    product: String,
    price: u32,
}

async fn look_up(s: Arc<Offer>, _: Cx) -> Result<OfferUpdate> {
    Ok(OfferUpdate::new().price(100 * s.product.len() as u32))
}

async fn haggle(s: Arc<Offer>, cx: Cx) -> Result<OfferUpdate> {
    let bid: u32 = cx.interrupt(format!("They want {}. What do you offer?", s.price))?;
    Ok(OfferUpdate::new().price(bid.max(s.price / 2)))
}

fn pricing() -> anyhow::Result<Compiled<Offer>> {
    let mut g = Graph::<Offer>::new("pricing");
    let look_up = g.node("look_up", look_up);
    let haggle = g.node("haggle", haggle);
    g.start(look_up).edge(look_up, haggle).edge(haggle, END);
    Ok(g.compile()?)
}

async fn pack(s: Arc<Trip>, _: Cx) -> Result<TripUpdate> {
    Ok(TripUpdate::new().diary([format!("packed for {}", s.city)]))
}

async fn go(_: Arc<Trip>, _: Cx) -> Result<TripUpdate> {
    Ok(TripUpdate::new().diary(["went there".to_owned()]))
}

/// The inner graph has the same state as the outer one.
fn travelling() -> anyhow::Result<Compiled<Trip>> {
    let mut g = Graph::<Trip>::new("travelling");
    let pack = g.node("pack", pack);
    let go = g.node("go", go);
    g.start(pack).edge(pack, go).edge(go, END);
    Ok(g.compile()?)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut g = Graph::<Trip>::new("trip");
    let book = g.subgraph(
        "book",
        &pricing()?,
        |trip: &Trip| OfferUpdate::new().product(format!("ticket to {}", trip.city)),
        |offer: Arc<Offer>| TripUpdate::new().price(offer.price),
    );
    let travel = g.embed("travel", &travelling()?);
    g.start(book).edge(book, travel).edge(travel, END);
    let app = g.compile()?.on(Arc::new(MemoryStore::new()));
    println!("{}", app.graph().mermaid());

    let thread = app.thread("summer")?;
    let Outcome::Paused(questions) = thread.invoke(TripUpdate::new().city("Jeju")).await? else {
        anyhow::bail!("it did not ask")
    };
    assert_eq!(questions[0].node, "haggle");
    assert_eq!(questions[0].ns.path().count(), 1, "one graph below the root");

    let end = thread.resume(1000).await?.done()?;
    assert_eq!((end.price, end.diary.len()), (1000, 2));
    assert_eq!(end.diary, ["packed for Jeju", "went there"]);
    println!("{} for {}: {}", end.city, end.price, end.diary.join(", "));
    Ok(())
}
