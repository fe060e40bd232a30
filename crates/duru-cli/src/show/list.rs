//! `duru threads ls`

use duru::store::Checkpoints;
use serde_json::{Value, json};

use super::table::table;
use crate::args::Args;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;
use crate::text::{clean, time};

pub(crate) async fn list(limit: usize, args: &Args, output: &Output) -> Result<(), Problem> {
    let threads = match store::open_existing(args.store.as_deref())? {
        Some(opened) => opened.store.threads(0, limit).await.map_err(Problem::Store)?,
        None => Vec::new(),
    };
    if threads.is_empty() {
        output.progress(&output.lang.no_threads(&clean(&output.command("demo"))));
    } else {
        let rows = threads.iter().map(|summary| {
            let head = &summary.head;
            [
                clean(summary.thread.as_str()),
                head.status.as_str().to_owned(),
                head.next_seq.to_string(),
                time(head.updated_ms),
            ]
        });
        output.text(&table(output.lang.list_head(), rows))?;
    }
    let threads: Vec<Value> = threads
        .iter()
        .map(|summary| {
            let head = &summary.head;
            json!({
                "id": summary.thread, "status": head.status.as_str(), "version": head.version,
                "events": head.next_seq, "created_ms": head.created_ms, "updated_ms": head.updated_ms,
            })
        })
        .collect();
    output.json(json!({ "threads": threads }))
}
