//! How often a step of one task goes to a PostgreSQL server and back.

use std::sync::Arc;

use anyhow::Result;

use crate::chain::{CountUpdate, graph};
use crate::postgres;

/// Runs of two lengths: what only their beginnings and ends need is in both, and cancels out.
const FEW: u64 = 10;
const MANY: u64 = 110;
/// Both runs.
pub(crate) const STEPS: u64 = FEW + MANY;

/// Transactions per step, each of which is one message and one answer; that nothing else is sent is for the store's
/// own tests, which listen on the wire.
pub(crate) async fn per_step(url: Arc<str>) -> Result<f64> {
    let (store, _postgres) = postgres::open(&url).await?;
    let store = Arc::new(store);
    let mut taken = Vec::new();
    for steps in [FEW, MANY] {
        let before = store.transactions();
        let app = graph(steps, false)?.on(store.clone());
        let thread = app.thread(format!("t{steps}").as_str())?;
        thread.invoke(CountUpdate::new().count(0u64)).recursion_limit(steps + 10).await?.done()?;
        taken.push((store.transactions() - before) as f64);
    }
    Ok((taken[1] - taken[0]) / (MANY - FEW) as f64)
}
