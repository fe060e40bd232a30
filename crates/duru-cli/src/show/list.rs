//! `duru threads ls`

use std::sync::Arc;

use duru::store::{Checkpoints, Error, ThreadSummary};
use duru::{ThreadLog, ThreadState};
use serde_json::{Value, json};

use crate::args::Args;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;
use crate::text::{clean, time};

struct Listed {
    summary: ThreadSummary,
    graph: Option<String>,
    /// None if it can't be read: one damaged thread must not hide the others.
    state: Option<ThreadState>,
}

pub(crate) async fn list(limit: usize, args: &Args, output: &Output) -> Result<(), Problem> {
    let mut threads = Vec::new();
    if let Some(opened) = store::open_existing(args.store.as_ref()).await? {
        for summary in opened.store.threads(0, limit).await.map_err(Problem::Store)? {
            threads.push(look(&opened.store, summary).await?);
        }
    }
    if threads.is_empty() {
        output.progress(&output.lang.no_threads(&clean(&output.command("demo"))));
    } else {
        let rows = threads.iter().map(|listed| {
            let head = &listed.summary.head;
            let step = listed.state.as_ref().map(|state| state.step.unwrap_or_default().to_string());
            [
                clean(listed.summary.thread.as_str()),
                clean(listed.graph.as_deref().unwrap_or("?")),
                if output.plain { head.status.as_str() } else { output.lang.status(head.status) }.to_owned(),
                step.unwrap_or_else(|| "?".to_owned()),
                time(head.updated_ms),
            ]
        });
        output.table(output.lang.list_head(), rows)?;
    }
    output.json(json!({ "threads": threads.iter().map(Listed::json).collect::<Vec<_>>() }))
}

async fn look(store: &Arc<dyn Checkpoints>, summary: ThreadSummary) -> Result<Listed, Problem> {
    let log = ThreadLog::new(Arc::clone(store), summary.thread.clone());
    Ok(Listed { summary, graph: readable(log.graph().await)?.flatten(), state: readable(log.state().await)? })
}

fn readable<T>(read: Result<T, duru::Error>) -> Result<Option<T>, Problem> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(duru::Error::Store(Error::Corrupt { .. } | Error::Newer { .. })) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl Listed {
    fn json(&self) -> Value {
        let head = &self.summary.head;
        json!({
            "id": self.summary.thread, "graph": self.graph, "status": head.status.as_str(), "version": head.version,
            "steps": self.state.as_ref().map(|state| state.step), "readable": self.state.is_some(),
            "events": head.next_seq, "created_ms": head.created_ms, "updated_ms": head.updated_ms,
        })
    }
}
