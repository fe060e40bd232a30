//! From rows to events. Every row is exactly the events that
//! `Record::events` counts, in that order; a reader sees those it asked for.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{Event, Mode, Wanted};
use crate::cx::Question;
use crate::log::{Checkpoint, Done, Item, Plan, Planned, Record, TaskOutcome, TaskRecord};
use crate::state::{Entry, Json};
use crate::store::{self, Row, Seq};
use crate::view::View;
use crate::{Namespace, ThreadId};

/// Follows a thread's log and makes events of it.
pub(crate) struct Projector {
    thread: ThreadId,
    wanted: Wanted,
    views: HashMap<Namespace, View>,
    /// The namespace whose view holds the next row already.
    ahead: Option<Namespace>,
}

/// A view, before or after the row that is shown next.
pub(crate) enum Standing {
    Before(View),
    After(View),
}

impl Projector {
    pub(crate) fn new(thread: ThreadId, wanted: Wanted) -> Self {
        Self { thread, wanted, views: HashMap::new(), ahead: None }
    }

    /// Whether the state of a namespace must be loaded before its rows are shown.
    pub(crate) fn lacks(&self, ns: &Namespace) -> bool {
        self.wanted.needs_state() && !self.views.contains_key(ns)
    }

    pub(crate) fn follow(&mut self, ns: Namespace, standing: Standing) {
        let (view, ahead) = match standing {
            Standing::Before(view) => (view, false),
            Standing::After(view) => (view, true),
        };
        self.ahead = ahead.then(|| ns.clone());
        self.views.insert(ns, view);
    }

    /// The wanted events of a row, from number `from` on.
    pub(crate) fn events(&mut self, row: &Row, from: Seq) -> Result<Vec<Event>, store::Error> {
        let record = Record::from_row(&self.thread, row)?;
        let modes = record.events();
        let is_wanted = modes.iter().any(|mode| self.wanted.wants(*mode, &row.ns));
        let mut events = Vec::new();
        let is_ahead = self.ahead.take().is_some_and(|ns| ns == row.ns);
        if self.wanted.needs_state() && !is_ahead {
            let view = self.views.entry(row.ns.clone()).or_default();
            let corrupt = |error: crate::state::FoldError| store::Error::Corrupt {
                what: format!("row {} of thread {}", row.seq, self.thread),
                reason: error.to_string(),
            };
            view.apply(record.clone()).map_err(corrupt)?;
        }
        if !is_wanted {
            return Ok(events);
        }
        let view = self.views.get(&row.ns);
        let picture = Picture { row, view };
        for (offset, mode) in modes.into_iter().enumerate() {
            let seq = row.seq + offset as Seq;
            if seq < from || !self.wanted.wants(mode, &row.ns) {
                continue;
            }
            let data = picture.data(&record, mode, offset);
            events.push(Event { seq, at_ms: row.at_ms, ns: row.ns.clone(), run: row.run, mode, data });
        }
        Ok(events)
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
                Some(Item::Custom(json)) => value(json),
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
            json!({
                "id": checkpoint.id, "parent": checkpoint.parent, "step": checkpoint.step,
                "source": checkpoint.source, "values": self.values(), "next": next(&checkpoint.plan),
                "tasks": tasks(&checkpoint.plan),
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
    let object = |entries: &Vec<Entry>| {
        Value::Object(
            entries.iter().map(|Entry(channel, _, json)| (channel.to_string(), value(json))).collect(),
        )
    };
    match done.writes.as_slice() {
        [] => Value::Null,
        [one] => object(one),
        several => Value::Array(several.iter().map(object).collect()),
    }
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
