//! The SQLite and PostgreSQL stores: the contract, and what the contract can't say.
// Helpers are not `#[test]`s themselves.
#![allow(clippy::unwrap_used)]

mod contract;
mod counts;
mod crash;
mod damage;
mod files;
mod full_disk;
mod groups;
mod kill;
mod memories;
mod pg_bouncer;
mod pg_cluster;
mod pg_contract;
mod pg_cuts;
mod pg_groups;
mod pg_kill;
mod pg_lease;
mod pg_memories;
mod pg_open;
mod pg_proxy;
mod pg_restart;
mod pg_round_trips;
mod pg_runs;
mod pg_runs_cuts;
mod pg_runs_races;
mod pg_server;
mod pg_sweep;
mod pg_tls;
mod pg_upgrade;
mod previous;
mod processes;
mod runs;
mod sharded;
mod upgrade;

use duru::store::{Checkpoints, Commit, FORMAT, Head, Kind, Lease, Row, RowQuery, Status};
use duru::{Incarnation, Namespace, RunId, ThreadId};

fn thread(name: &str) -> ThreadId {
    ThreadId::new(name).unwrap()
}

/// A commit of one sealed row that extends `head`.
fn one_row(t: &ThreadId, head: Option<Head>, payload: &[u8]) -> Commit {
    let (version, epoch, seq) = head.map_or((0, 0, 0), |head| (head.version, head.epoch, head.next_seq));
    let incarnation = head.map_or_else(Incarnation::random, |head| head.incarnation);
    let mut row = Row {
        seq,
        events: 1,
        ns: Namespace::root(),
        kind: Kind::Task,
        run: RunId::from_u128(1),
        checkpoint: None,
        source: None,
        at_ms: 1000,
        format: FORMAT,
        payload: payload.to_vec(),
        checksum: 0,
    };
    row.seal(t);
    Commit {
        thread: t.clone(),
        incarnation,
        version,
        epoch,
        claim: false,
        lease: Lease::default(),
        queued: None,
        status: Status::Busy,
        at_ms: 1000,
        remove: None,
        rows: vec![row],
        snapshots: Vec::new(),
        set_timers: Vec::new(),
        clear_timers: Vec::new(),
    }
}

async fn all_rows(store: &dyn Checkpoints, t: &ThreadId) -> Vec<Row> {
    store.rows(t, RowQuery::default()).await.unwrap()
}
