//! What a thread's log says about where its runs have been.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::text::duration;
use super::{END, START};
use crate::error::Error;
use crate::log::{Breakpoint, Checkpoint, Plan, Record, Source, TaskOutcome, TaskRecord};
use crate::past::ThreadLog;
use crate::store::{Kind, Row, RowQuery};
use crate::{Namespace, RunId, TaskId};

/// Where runs have been, to be marked on a drawing of their graph. Made by
/// [`ThreadLog::path`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Path {
    /// By [`Node::id`](super::Node::id).
    pub(super) nodes: BTreeMap<String, Visit>,
    /// Where starts, routes and commands went; to the end if nowhere.
    pub(super) moves: HashSet<(String, String)>,
    /// Nodes that ended with their own edges followed, not by an error handler.
    pub(super) followed: HashSet<String>,
}

/// What runs did in a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Visit {
    /// How many tasks of it there were. A task that went on after a pause or a
    /// failure is still the same task.
    pub count: usize,
    /// How the last one ended.
    pub status: VisitStatus,
    /// How long all of them took, in milliseconds, between the commits around
    /// them. Waiting for an answer does not count.
    pub total_ms: u64,
    /// How long the last one took.
    pub last_ms: u64,
}

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VisitStatus {
    /// It finished, if need be by its error handler.
    Done,
    /// It failed.
    Failed,
    /// It waits for an answer, or the run stopped before it.
    Paused,
    /// It has not ended: it is under way, or its process has died.
    Running,
}

impl VisitStatus {
    pub(super) const ALL: [Self; 4] = [Self::Done, Self::Failed, Self::Paused, Self::Running];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Paused => "paused",
            Self::Running => "running",
        }
    }

    /// Seen on light and on dark ground.
    pub(super) fn colour(self) -> &'static str {
        match self {
            Self::Done => "#2da44e",
            Self::Failed => "#e5484d",
            Self::Paused => "#bf8700",
            Self::Running => "#3b82f6",
        }
    }
}

impl Visit {
    /// How often and how long, for a label.
    pub(super) fn words(&self) -> String {
        let status = match self.status {
            VisitStatus::Done => "",
            other => other.as_str(),
        };
        let count = format!("×{}", self.count);
        let time = duration(self.total_ms);
        let parts: &[&str] = match self.count {
            0 => &[status],
            1 => &[&time, status],
            _ => &[&count, &time, status],
        };
        parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" · ")
    }
}

impl Path {
    /// What runs did in a node, by [`Node::id`](super::Node::id).
    pub fn visit(&self, id: &str) -> Option<&Visit> {
        self.nodes.get(id)
    }

    /// All nodes that runs have been in, by [`Node::id`](super::Node::id).
    pub fn visits(&self) -> impl Iterator<Item = (&str, &Visit)> {
        self.nodes.iter().map(|(id, visit)| (id.as_str(), visit))
    }
}

impl ThreadLog {
    /// Where the thread's runs have been, or one of them: all that ran, also
    /// what a later fork has left behind.
    pub async fn path(&self, run: Option<RunId>) -> Result<Path, Error> {
        let kinds = vec![Kind::Begin, Kind::Checkpoint, Kind::Task, Kind::End];
        let rows = self.store.rows(&self.id, RowQuery { kinds, ..RowQuery::default() }).await?;
        let mut tracer = Tracer { only: run, ..Tracer::default() };
        for row in &rows {
            tracer.read(row, Record::from_row(&self.id, row)?);
        }
        if let Some(run) = run
            && rows.iter().all(|row| row.run != run)
        {
            return Err(Error::UnknownRun { thread: self.id.clone(), run });
        }
        Ok(tracer.finish())
    }
}

/// Reads a log from its beginning.
#[derive(Default)]
struct Tracer {
    only: Option<RunId>,
    path: Path,
    /// When the run that is being read began. Its first rows may carry on tasks
    /// that were planned long before.
    began_ms: u64,
    /// The step under way in each graph, and when it was planned.
    steps: HashMap<Namespace, (Plan, u64)>,
    /// Tasks that the run has started and that have not ended.
    started: HashSet<TaskId>,
    counted: HashSet<TaskId>,
    last: Option<RunId>,
    is_over: bool,
}

impl Tracer {
    fn read(&mut self, row: &Row, record: Record) {
        let wanted = self.only.is_none_or(|run| run == row.run);
        if self.last != Some(row.run) {
            (self.last, self.began_ms, self.is_over) = (Some(row.run), row.at_ms, false);
        }
        match record {
            Record::Begin(begin) => self.started = begin.tasks.iter().map(|task| task.id).collect(),
            Record::Task(task) => self.task(row, &task, wanted),
            Record::Checkpoint(checkpoint) => self.checkpoint(row, checkpoint, wanted),
            Record::End(_) => {
                self.is_over = true;
                self.breakpoint(wanted);
            }
            _ => {}
        }
    }

    fn checkpoint(&mut self, row: &Row, checkpoint: Checkpoint, wanted: bool) {
        let place = place(&row.ns);
        let plan = &checkpoint.plan;
        let is_input = |task: &&TaskRecord| &*task.node == START;
        if checkpoint.source == Source::Loop {
            for task in checkpoint.results.iter().filter(|task| !is_input(task)) {
                self.task(row, task, wanted);
            }
        }
        // An input may have waited for a while before it was taken in.
        if wanted
            && checkpoint.source != Source::Update
            && checkpoint.results.iter().any(|task| is_input(&task))
        {
            let first =
                plan.tasks.iter().map(|task| &*task.node).chain(plan.parked.iter().map(String::as_str));
            let first = first.chain((plan.tasks.is_empty() && plan.parked.is_empty()).then_some(END));
            let start = format!("{place}{START}");
            self.path.moves.extend(first.map(|node| (start.clone(), format!("{place}{node}"))));
        }
        self.started.extend(plan.tasks.iter().map(|task| task.id));
        if row.ns.is_root() {
            // What was inside the tasks of the step before is over with them.
            self.steps.clear();
        }
        self.steps.insert(row.ns.clone(), (checkpoint.plan, row.at_ms));
    }

    fn task(&mut self, row: &Row, task: &TaskRecord, wanted: bool) {
        // It is still under way.
        if matches!(task.outcome, TaskOutcome::Retried(_)) {
            return;
        }
        self.started.remove(&task.id);
        if !wanted {
            return;
        }
        let place = place(&row.ns);
        let id = format!("{place}{}", task.node);
        let status = match &task.outcome {
            TaskOutcome::Done(done) => {
                let target = |name: &str| (id.clone(), format!("{place}{name}"));
                self.path.moves.extend(done.goto.iter().map(|goto| target(&goto.node)));
                if done.goto.is_empty() {
                    self.path.moves.insert(target(END));
                }
                if !done.by_handler {
                    self.path.followed.insert(id.clone());
                }
                VisitStatus::Done
            }
            TaskOutcome::Failed(_) | TaskOutcome::Retried(_) => VisitStatus::Failed,
            TaskOutcome::Paused(_) => VisitStatus::Paused,
        };
        let planned_ms = self.steps.get(&row.ns).map_or(0, |(_, at_ms)| *at_ms);
        let ms = row.at_ms.saturating_sub(planned_ms.max(self.began_ms));
        self.visit(id, task.id, status, ms);
    }

    fn visit(&mut self, id: String, task: TaskId, status: VisitStatus, ms: u64) {
        let none = Visit { count: 0, status, total_ms: 0, last_ms: 0 };
        let visit = self.path.nodes.entry(id).or_insert(none);
        visit.status = status;
        visit.total_ms += ms;
        if self.counted.insert(task) {
            visit.count += 1;
            visit.last_ms = ms;
        } else {
            visit.last_ms += ms;
        }
    }

    /// The nodes before which the run stopped.
    fn breakpoint(&mut self, wanted: bool) {
        for (ns, (plan, _)) in self.steps.iter().filter(|_| wanted) {
            let Some(Breakpoint::Before(nodes)) = &plan.paused else { continue };
            for node in nodes {
                let none = Visit { count: 0, status: VisitStatus::Paused, total_ms: 0, last_ms: 0 };
                self.path.nodes.entry(format!("{}{node}", place(ns))).or_insert(none).status =
                    VisitStatus::Paused;
            }
        }
    }

    /// Tasks of a run that has not ended are still running, as far as the log knows.
    fn finish(mut self) -> Path {
        let is_wanted = self.only.is_none() || self.only == self.last;
        if !self.is_over && is_wanted {
            let steps = std::mem::take(&mut self.steps);
            for (ns, (plan, _)) in steps {
                for task in plan.tasks {
                    let id = format!("{}{}", place(&ns), task.node);
                    if self.started.contains(&task.id) {
                        self.visit(id, task.id, VisitStatus::Running, 0);
                    }
                }
            }
        }
        self.path
    }
}

/// The ids of the nodes around a graph, each followed by a colon.
fn place(ns: &Namespace) -> String {
    ns.path().filter_map(|part| part.rsplit_once(':')).map(|(node, _)| format!("{node}:")).collect()
}
