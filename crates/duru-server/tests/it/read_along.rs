//! Who reads a thread at one server sees what runs at another write: all of it, once and in order.

use std::sync::Arc;

use duru_server::Stores;
use duru_store::SqliteStore;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::deleted::{PATIENCE, Replica, fresh, replica};
use crate::events::Events;

async fn read(replica: &Replica, thread: &str) -> Events {
    let wanted = json!({ "channels": ["values", "updates", "lifecycle"], "since": 0 });
    let path = format!("POST /threads/{thread}/stream/events");
    Events::of(replica.begin(&replica.kim, &path, Some(wanted)).await).await.unwrap()
}

/// How many lines each state had that was shown, until it has so many.
async fn states(mut events: Events, until: usize) -> Vec<usize> {
    let (mut seen, mut last) = (Vec::new(), None);
    while seen.last() != Some(&until) {
        let frame = timeout(PATIENCE, events.next()).await.expect("an event").unwrap().expect("it goes on");
        let seq = frame.data["seq"].as_u64().unwrap();
        assert!(last.is_none_or(|last| seq > last), "event {seq} comes after {last:?}");
        last = Some(seq);
        if frame.data["method"] == "values" {
            let lines = frame.data["params"]["data"]["lines"].as_array().map_or(0, Vec::len);
            let expected: Vec<Value> = (0..lines).map(|i| json!(format!("turn {i}"))).collect();
            assert_eq!(frame.data["params"]["data"]["lines"], json!(expected), "a wrong state");
            seen.push(lines);
        }
    }
    seen.dedup();
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn who_reads_at_one_server_misses_nothing_that_another_wrote_between_two_runs() {
    let folder = tempfile::tempdir().unwrap();
    let open = || Stores::of(Arc::new(SqliteStore::open(folder.path().join("threads.db")).unwrap()));
    let (here, there) = (replica(open()).await, replica(open()).await);
    for _ in 0..4 {
        let thread = fresh();
        here.make(&here.kim, &thread).await;
        here.turn(&here.kim, &thread, "turn 0").await;
        let readers = [read(&here, &thread).await, read(&there, &thread).await];
        let readers = readers.map(|events| tokio::spawn(states(events, 13)));
        // Now and then two runs of the other server lie between two of this one.
        for i in 1..13 {
            let at = if [0, 3].contains(&(i % 4)) { &here } else { &there };
            at.turn(&at.kim, &thread, &format!("turn {i}")).await;
        }
        for reader in readers {
            assert_eq!(reader.await.unwrap(), (1..=13).collect::<Vec<_>>());
        }
    }
}
