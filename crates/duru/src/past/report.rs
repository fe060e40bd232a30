//! What runs wrote, read from their own rows: as quick at the end of a long thread as at its beginning.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::ThreadLog;
use crate::cx::Question;
use crate::error::Error;
use crate::log::{Begin, EndStatus, Item, Record, RunError, Source};
use crate::store::{self, Row, RowQuery};
use crate::view::View;
use crate::{CheckpointId, Namespace, RunId};

/// Runs that lie so many events apart are read one by one.
const SPAN: u64 = 50_000;

/// What a run left behind, together with the runs that went on after it asked.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RunReport {
    /// What they wrote: of lists that grow, only what they added. Where they did not begin with an input but went on
    /// from a checkpoint, the whole state.
    pub values: Map<String, Value>,
    /// The checkpoint that their input made; none where they went on from another.
    pub input: Option<CheckpointId>,
    /// The checkpoint that they ended at.
    pub checkpoint: Option<CheckpointId>,
    /// The nodes that were still to run there.
    pub next: Vec<String>,
    /// The questions that waited at their end, in task order.
    pub questions: Vec<Question>,
    /// What their nodes told on the way, in subgraphs too.
    pub custom: Vec<Value>,
    /// How the last of them ended; none while it is under way, or if its process died.
    pub ended: Option<EndStatus>,
    /// Why it failed, if it did.
    pub error: Option<RunError>,
}

impl ThreadLog {
    /// What runs left behind, for each of some chains of them: a run, and those that went on after it asked. Runs that
    /// have written nothing, or whose rows are forgotten, have left nothing.
    ///
    /// ```
    /// # use duru::{Cx, END, Graph, Result, State, store::MemoryStore}; use std::sync::Arc;
    /// # #[derive(State, Clone)] struct Talk { #[merge(append)] said: Vec<String> }
    /// # async fn answer(s: Arc<Talk>, _: Cx) -> Result<TalkUpdate> { Ok(TalkUpdate::new().said(["yes".to_owned()])) }
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let mut g = Graph::<Talk>::new("talk"); let node = g.node("answer", answer); g.start(node).edge(node, END);
    /// # let app = g.compile()?.on(Arc::new(MemoryStore::new()));
    /// let thread = app.thread("kim")?;
    /// thread.invoke(TalkUpdate::new().said(["hello?".to_owned()])).await?;
    /// thread.invoke(TalkUpdate::new().said(["there?".to_owned()])).await?;
    /// let run = thread.state().await?.run.expect("it was run");
    /// let [second] = &thread.log().reports(&[vec![run]]).await?[..] else { panic!() };
    /// assert_eq!(second.values["said"], serde_json::json!(["there?", "yes"]));
    /// # Ok(()) }
    /// ```
    pub async fn reports(&self, chains: &[Vec<RunId>]) -> Result<Vec<RunReport>, Error> {
        let mut rows = self.rows_of(chains).await?;
        let mut reports = Vec::with_capacity(chains.len());
        for chain in chains {
            let rows = chain.iter().flat_map(|run| rows.remove(run).unwrap_or_default());
            reports.push(self.report(rows.collect()).await?);
        }
        Ok(reports)
    }

    async fn report(&self, rows: Vec<Row>) -> Result<RunReport, Error> {
        let (mut view, mut custom, mut input) = (View::default(), Vec::new(), None);
        for row in rows {
            let mut record = Record::from_row(&self.id, &row)?;
            match &mut record {
                Record::Emit(emit) => custom.extend(emit.items.iter().filter_map(told)),
                _ if !row.ns.is_root() => continue,
                // Whatever it went on with before, such as a deadline's default, was asked earlier.
                Record::Begin(Begin { source: Source::Input, .. }) => {
                    (view, custom, input) = (View::default(), Vec::new(), None);
                }
                Record::Begin(_) if view.at.is_none() => {
                    view = View::load(&*self.store, &self.id, &Namespace::root(), Some(row.seq)).await?;
                }
                Record::Checkpoint(checkpoint) if checkpoint.source == Source::Input => {
                    // A command is no input: there is no moment before it to ask differently.
                    input = checkpoint.input().map(|_| checkpoint.id);
                    // Where the thread went back, this repeats what was written until then.
                    if checkpoint.parent.is_some() {
                        checkpoint.base.clear();
                    }
                }
                _ => {}
            }
            view.apply(record).map_err(|error| store::Error::Corrupt {
                what: format!("row {} of thread {}", row.seq, self.id),
                reason: error.to_string(),
            })?;
        }
        let (questions, finished) = (view.pending(), view.finished());
        let mut next: Vec<String> = view.plan.tasks.iter().map(|task| task.node.to_string()).collect();
        for node in finished {
            if let Some(at) = next.iter().position(|planned| *planned == node) {
                next.remove(at);
            }
        }
        let checkpoint = view.at.map(|at| at.id);
        let (ended, error) = view.end.map_or((None, None), |end| (Some(end.status), end.error));
        Ok(RunReport {
            values: view.state.into_channels(),
            input,
            checkpoint,
            next,
            questions,
            custom,
            ended,
            error,
        })
    }

    /// The rows of runs, in one read where the runs lie close together.
    async fn rows_of(&self, chains: &[Vec<RunId>]) -> Result<HashMap<RunId, Vec<Row>>, Error> {
        let mut rows: HashMap<RunId, Vec<Row>> =
            chains.iter().flatten().map(|run| (*run, Vec::new())).collect();
        let of = |run: RunId| RowQuery { run: Some(run), ..RowQuery::default() };
        let one = |run: RunId, newest_first| RowQuery { limit: Some(1), newest_first, ..of(run) };
        if let (Some(first), Some(last)) = (chains.iter().flatten().next(), chains.iter().flatten().last())
            && let Some(from) = self.store.rows(&self.id, one(*first, false)).await?.first()
            && let Some(until) = self.store.rows(&self.id, one(*last, true)).await?.first()
            && until.end().saturating_sub(from.seq) <= SPAN
        {
            let all = RowQuery { from: from.seq, until: Some(until.end()), ..RowQuery::default() };
            for row in self.store.rows(&self.id, all).await? {
                if let Some(own) = rows.get_mut(&row.run) {
                    own.push(row);
                }
            }
        }
        for (run, own) in &mut rows {
            if own.is_empty() {
                *own = self.store.rows(&self.id, of(*run)).await?;
            }
        }
        Ok(rows)
    }
}

/// A custom event's data.
fn told(item: &Item) -> Option<Value> {
    match item {
        Item::Custom(data) => serde_json::from_str(data.get()).ok(),
        Item::Message(_) | Item::Tool(_) => None,
    }
}
