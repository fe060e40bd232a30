use std::sync::Arc;

use duru::{Cx, END, Graph, Result, State};

#[derive(State, Clone)]
struct Count {
    n: u32,
    #[merge(append)]
    seen: Vec<u32>,
}

async fn add(state: Arc<Count>, _: Cx) -> Result<CountUpdate> {
    Ok(CountUpdate::new().n(state.n + 1).seen([state.n]))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut g = Graph::<Count>::new("count");
    let add = g.node("add", add);
    g.start(add).route(add, [add.into(), END], move |s: &Count| if s.n < 3 { add.into() } else { END });
    let end = g.compile()?.invoke(CountUpdate::new()).await?.done()?;
    assert_eq!(end.seen, [0, 1, 2]);
    Ok(())
}
