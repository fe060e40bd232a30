//! The queue and the catalog on PostgreSQL.

use std::sync::Arc;

use duru::testkit::runs_contract::{self, Seams};

use crate::pg_server;

#[tokio::test(flavor = "multi_thread")]
async fn the_contract() {
    let Some(pg) = pg_server::shared() else { return };
    runs_contract::check(async || Seams::of(Arc::new(pg.store().await))).await;
}
