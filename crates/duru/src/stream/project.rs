//! From rows to events. Every row is exactly the events that
//! `Record::events` counts, in that order; a reader sees those it asked for.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Event, Mode, Wanted};
use crate::cx::Question;
use crate::log::{Checkpoint, Done, Item, Plan, Planned, Record, TaskOutcome, TaskRecord};
use crate::state::{Entry, Json};
use crate::store::{self, Kind, Row, Seq};
use crate::view::View;
use crate::{Namespace, ThreadId};

/// Follows a thread's log and makes events of it.
pub(crate) struct Projector {
    thread: ThreadId,
    wanted: Wanted,
    /// The namespaces that are under way. A subgraph's goes when the step that
    /// called it ends, however many calls there are.
    followed: BTreeMap<Namespace, Followed>,
    /// The namespace whose view holds the next row already.
    ahead: Option<Namespace>,
}

struct Followed {
    view: View,
    /// Whether a step of it has ended since it is followed: what is called from
    /// then on is new, and nothing need be read of it.
    has_moved: bool,
}

impl Projector {
    pub(crate) fn new(thread: ThreadId, wanted: Wanted) -> Self {
        Self { thread, wanted, followed: BTreeMap::new(), ahead: None }
    }

    /// Whether the state of a row's namespace must be loaded before it is shown.
    pub(crate) fn lacks(&self, row: &Row) -> bool {
        self.shows_state(row)
            && !self.followed.contains_key(&row.ns)
            && !row
                .ns
                .parent()
                .is_some_and(|parent| self.followed.get(&parent).is_some_and(|parent| parent.has_moved))
    }

    fn shows_state(&self, row: &Row) -> bool {
        self.wanted.needs_state() && row.kind != Kind::Emit
    }

    /// A namespace as it was before the next row.
    pub(crate) fn follow(&mut self, ns: Namespace, view: View) {
        self.followed.insert(ns, Followed { view, has_moved: false });
    }

    /// A namespace as it is after the next row.
    pub(crate) fn follow_after(&mut self, ns: Namespace, view: View) {
        self.ahead = Some(ns.clone());
        self.follow(ns, view);
    }

    /// Forgets all states: rows were removed that they may have been made of.
    pub(crate) fn forget(&mut self) {
        self.followed.clear();
        self.ahead = None;
    }

    /// The wanted events of a row, from number `from` on. None if the state at
    /// hand does not lead to the row: those before it are gone.
    pub(crate) fn events(&mut self, row: &Row, from: Seq) -> Result<Option<Vec<Event>>, store::Error> {
        let record = Record::from_row(&self.thread, row)?;
        if self.shows_state(row) && !self.advance(row, &record)? {
            return Ok(None);
        }
        let modes = record.events();
        let mut events = Vec::new();
        if !modes.iter().any(|mode| self.wanted.wants(*mode, &row.ns)) {
            return Ok(Some(events));
        }
        let view = self.followed.get(&row.ns).map(|followed| &followed.view);
        let picture = Picture { row, view };
        for (offset, mode) in modes.into_iter().enumerate() {
            let seq = row.seq + offset as Seq;
            if seq < from || !self.wanted.wants(mode, &row.ns) {
                continue;
            }
            let data = picture.data(&record, mode, offset);
            events.push(Event { seq, at_ms: row.at_ms, ns: row.ns.clone(), run: row.run, mode, data });
        }
        Ok(Some(events))
    }

    /// Brings the row's namespace to where the row leaves it. False if it was
    /// not where the row begins.
    fn advance(&mut self, row: &Row, record: &Record) -> Result<bool, store::Error> {
        let is_ahead = self.ahead.take().is_some_and(|ns| ns == row.ns);
        let new = || Followed { view: View::default(), has_moved: false };
        let followed = self.followed.entry(row.ns.clone()).or_insert_with(new);
        if !is_ahead {
            if !followed.view.leads_to(record) {
                return Ok(false);
            }
            let corrupt = |error: crate::state::FoldError| store::Error::Corrupt {
                what: format!("row {} of thread {}", row.seq, self.thread),
                reason: error.to_string(),
            };
            followed.view.apply(record.clone()).map_err(corrupt)?;
        }
        if let Record::Checkpoint(_) = record {
            followed.has_moved = true;
            let over: Vec<Namespace> = self
                .followed
                .range(row.ns.clone()..)
                .map(|(ns, _)| ns.clone())
                .skip(1)
                .take_while(|ns| ns.is_within(&row.ns))
                .collect();
            over.iter().for_each(|ns| drop(self.followed.remove(ns)));
        }
        Ok(true)
    }
}

struct Picture<'a> {
    row: &'a Row,
    view: Option<&'a View>,
}

impl Picture<'_> {
    /// What the event at this place of the record says.
    fn data(&self, record: &Record, mode: Mode, offset: usize) -> Value {
        match record {
            Record::Begin(begin) if offset > 0 => {
                self.planned(begin.tasks.get((offset - 1) / 2), begin.step, mode)
            }
            Record::Begin(begin) => json!({
                "type": "begin", "run": self.row.run, "graph": begin.graph, "source": begin.source,
                "metadata": begin.metadata, "discarded": begin.discarded,
            }),
            Record::End(end) => json!({
                "type": "end", "run": self.row.run, "status": end.status, "error": end.error,
            }),
            Record::Checkpoint(checkpoint) => self.checkpoint(checkpoint, mode, offset),
            Record::Task(TaskRecord { id, node, outcome: TaskOutcome::Retried(failed) }) => {
                self.debug("task_retry", json!({ "id": id, "node": node, "error": failed }))
            }
            Record::Task(task) => self.result(task, mode),
            Record::Answer(answer) => self.debug("answer", json!({
                "id": answer.id, "task": answer.task, "value": value(&answer.value), "by_default": answer.by_default,
            })),
            Record::Effect(effect) => self.debug("effect", json!({
                "task": effect.task, "key": effect.key, "value": value(&effect.value),
            })),
            Record::Emit(emit) => match emit.items.get(offset) {
                Some(Item::Custom(json) | Item::Tool(json)) => value(json),
                Some(Item::Message(json)) => json!([value(json), {
                    "node": emit.node, "task": emit.task, "step": emit.step, "run": self.row.run,
                }]),
                None => Value::Null,
            },
        }
    }

    fn checkpoint(&self, checkpoint: &Checkpoint, mode: Mode, offset: usize) -> Value {
        let results = 3 * checkpoint.results.len();
        if offset < results {
            return self.result(&checkpoint.results[offset / 3], mode);
        }
        if offset >= results + 3 {
            let planned = checkpoint.plan.tasks.get((offset - results - 3) / 2);
            return self.planned(planned, Some(checkpoint.step), mode);
        }
        let description = || {
            let starts_anew = checkpoint.reset || checkpoint.parent.is_none();
            json!({
                "id": checkpoint.id, "parent": checkpoint.parent, "step": checkpoint.step,
                "source": checkpoint.source, "values": self.values(), "next": next(&checkpoint.plan),
                "tasks": tasks(&checkpoint.plan), "input": checkpoint.input().map(update),
                // What the step began with, where that is not what the one before it ended with.
                "base": starts_anew.then(|| fields(&checkpoint.base)),
            })
        };
        match mode {
            Mode::Values => Value::Object(self.values()),
            Mode::Checkpoints => description(),
            _ => self.debug("checkpoint", description()),
        }
    }

    fn values(&self) -> Map<String, Value> {
        self.view.map(|view| view.state.channels().clone()).unwrap_or_default()
    }

    /// The start of a task that the checkpoint of `step` planned.
    fn planned(&self, planned: Option<&Planned>, step: Option<i64>, mode: Mode) -> Value {
        let Some(Planned { id, node, input, .. }) = planned else { return Value::Null };
        let task = json!({
            "type": "start", "id": id, "node": node, "step": step.map(|step| step + 1),
            "input": input.as_ref().map(value),
        });
        if mode == Mode::Debug { self.debug("task", task) } else { task }
    }

    /// The end of a task.
    fn result(&self, task: &TaskRecord, mode: Mode) -> Value {
        let TaskRecord { id, node, outcome } = task;
        match mode {
            Mode::Updates => match outcome {
                TaskOutcome::Done(done) if done.cached => {
                    json!({ &**node: update(done), "__metadata__": { "cached": true } })
                }
                TaskOutcome::Done(done) => json!({ &**node: update(done) }),
                TaskOutcome::Failed(failed) | TaskOutcome::Retried(failed) => {
                    json!({ &**node: Value::Null, "__error__": failed })
                }
                TaskOutcome::Paused(questions) => json!({ "__interrupt__": interrupts(questions) }),
            },
            Mode::Values => {
                let mut values = self.values();
                if let TaskOutcome::Paused(questions) = outcome {
                    values.insert("__interrupt__".into(), interrupts(questions));
                }
                Value::Object(values)
            }
            _ => {
                let mut result = json!({ "type": "end", "id": id, "node": node });
                match outcome {
                    TaskOutcome::Done(done) => result["result"] = update(done),
                    TaskOutcome::Failed(failed) | TaskOutcome::Retried(failed) => {
                        result["error"] = json!(failed);
                    }
                    TaskOutcome::Paused(questions) => result["interrupts"] = interrupts(questions),
                }
                if mode == Mode::Debug { self.debug("task_result", result) } else { result }
            }
        }
    }

    fn debug(&self, kind: &str, payload: Value) -> Value {
        let step = self.view.and_then(|view| view.at.as_ref()).map(|at| at.step);
        json!({ "type": kind, "step": step, "at_ms": self.row.at_ms, "payload": payload })
    }
}

fn tasks(plan: &Plan) -> Vec<Value> {
    plan.tasks.iter().map(|task| json!({ "id": task.id, "node": task.node })).collect()
}

fn next(plan: &Plan) -> Vec<&str> {
    plan.tasks.iter().map(|task| &*task.node).collect()
}

/// What a task wrote: one object, or a list of them if it wrote several times.
pub(crate) fn update(done: &Done) -> Value {
    match done.writes.as_slice() {
        [] => Value::Null,
        [one] => fields(one),
        several => Value::Array(several.iter().map(|entries| fields(entries)).collect()),
    }
}

fn fields(entries: &[Entry]) -> Value {
    let field = |Entry(channel, _, json): &Entry| (channel.to_string(), value(json));
    Value::Object(entries.iter().map(field).collect())
}

/// Questions as clients expect them.
pub(crate) fn interrupts(questions: &[Question]) -> Value {
    questions
        .iter()
        .map(|question| {
            json!({
                "id": question.id, "value": value(&question.value), "response_schema": value(&question.schema),
                "node": question.node, "deadline_ms": question.deadline_ms,
            })
        })
        .collect()
}

pub(crate) fn value(json: &Json) -> Value {
    // It was checked when it was made, and again when it was read.
    serde_json::from_str(json.get()).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::{Checkpoints, MemoryStore, RowQuery};
    use crate::{Cx, END, Graph, State};

    #[derive(State, Clone)]
    struct Count {
        #[merge(sum)]
        n: u64,
    }

    fn one_more() -> CountUpdate {
        CountUpdate::new().n(1u64)
    }

    #[tokio::test]
    async fn the_states_of_subgraphs_that_have_ended_are_not_kept() {
        let mut g = Graph::<Count>::new("inmost");
        let add = g.node("add", |_: Arc<Count>, _: Cx| async { Ok(one_more()) });
        g.start(add).edge(add, END);
        let inmost = g.compile().unwrap();
        let mut g = Graph::<Count>::new("inner");
        let call = g.subgraph("call", &inmost, |_: &Count| CountUpdate::new(), |_| one_more());
        g.start(call).route(
            call,
            [call.into(), END],
            move |s: &Count| if s.n < 3 { call.into() } else { END },
        );
        let inner = g.compile().unwrap();
        let mut g = Graph::<Count>::new("outer");
        let call = g.subgraph("call", &inner, |_: &Count| CountUpdate::new(), |_| one_more());
        g.start(call).route(
            call,
            [call.into(), END],
            move |s: &Count| if s.n < 40 { call.into() } else { END },
        );
        let store = Arc::new(MemoryStore::new());
        let thread = g.compile().unwrap().on(store.clone()).thread("t").unwrap();
        thread.invoke(CountUpdate::new()).await.unwrap().done().unwrap();

        let wanted = Wanted { modes: vec![Mode::Values], subgraphs: true };
        let mut projector = Projector::new(thread.id().clone(), wanted);
        let (mut shown, mut most) = (0, 0);
        for row in store.rows(thread.id(), RowQuery::default()).await.unwrap() {
            let is_first = projector.followed.is_empty();
            assert_eq!(projector.lacks(&row), is_first, "row {} is read for nothing", row.seq);
            if is_first {
                projector.follow(row.ns.clone(), View::default());
            }
            shown += projector.events(&row, 0).unwrap().expect("it follows").len();
            most = most.max(projector.followed.len());
        }
        assert!(shown > 400 && most == 3, "{shown} states, {most} kept at once");
    }
}
