//! A graph of a thread, opened to be changed: the root, or one that is inside a
//! task which has not finished.

use std::sync::Arc;

use super::ThreadLog;
use crate::driver::nested::{self, Steps};
use crate::error::Error;
use crate::graph::topology::{Sharing, Topology, Work};
use crate::log::{Begin, End, EndStatus, Logged, Record, TaskOutcome};
use crate::options::Options;
use crate::run::rules;
use crate::stepper::{Item, Rules, Slot, Stepper};
use crate::store::{Kind, Row, RowQuery};
use crate::view::View;
use crate::{Namespace, TaskId};

/// A graph that stands where its view does, and what is around it.
pub(super) struct Inside {
    pub(super) stepper: Stepper,
    pub(super) around: Around,
}

impl ThreadLog {
    /// Opens the graph that is looked at, where `view` stands.
    pub(super) async fn stepper(&self, root: &Arc<Topology>, view: View) -> Result<Inside, Error> {
        let rules = rules(root, &Options::default(), Some(&self.id), true)?;
        let around = self.around().await?;
        if self.ns.is_root() {
            return Ok(Inside { stepper: self.restore(root, rules, view)?, around });
        }
        let now = self.clone().within(Namespace::root()).view(None).await?;
        let mut stepper = self.restore(root, rules, now)?;
        let mut view = Some(view);
        let segments: Vec<String> = self.ns.path().map(str::to_owned).collect();
        for segment in &segments {
            let index = self.task(&stepper, segment)?;
            let slot = &stepper.slots[index];
            let Work::Subgraph(subgraph) = &stepper.topology.node(slot.node).work else {
                return Err(self.no_subgraph(segment));
            };
            let (subgraph, given) = (subgraph.clone(), slot.given(&stepper.state));
            let rules = nested::rules(&subgraph, &stepper, index);
            let log = self.clone().within(rules.ns.clone());
            let view = match rules.ns == self.ns {
                true => view.take().unwrap_or_default(),
                false => log.view(None).await?,
            };
            stepper = if view.at.is_none() {
                nested::fresh(&subgraph, rules, &given)
            } else {
                let rows = match subgraph.sharing {
                    Sharing::Same => log.steps().await?,
                    Sharing::Own { .. } => Vec::new(),
                };
                let steps = Steps { thread: &self.id, rows };
                nested::restored(&subgraph, rules, &given, view, &steps)
                    .map_err(|reason| self.unfit(root, reason))?
            };
        }
        Ok(Inside { stepper, around })
    }

    /// What is around the graph in question. It must be in a task that has not
    /// finished: a change would reach nothing else.
    pub(super) async fn around(&self) -> Result<Around, Error> {
        let mut around = Around { tasks: Vec::new(), status: EndStatus::Drained };
        let mut outer = Namespace::root();
        for segment in self.ns.path() {
            let gone = || self.no_subgraph(segment);
            let (name, task) = segment.split_once(':').ok_or_else(gone)?;
            let task: TaskId = task.parse().map_err(|_| gone())?;
            let view = self.clone().within(outer.clone()).view(None).await?;
            let is_planned =
                view.plan.tasks.iter().any(|planned| planned.id == task && *planned.node == *name);
            let is_done =
                view.tasks.get(&task).is_some_and(|task| matches!(task.outcome, TaskOutcome::Done(_)));
            if !is_planned || is_done {
                return Err(gone());
            }
            if outer.is_root() {
                around.status = view.end.as_ref().map_or(EndStatus::Drained, |end| end.status);
            }
            around.tasks.push((outer.clone(), task));
            outer = outer.child(name, task);
        }
        Ok(around)
    }

    fn restore(&self, topology: &Arc<Topology>, rules: Rules, view: View) -> Result<Stepper, Error> {
        Stepper::restore(Arc::clone(topology), rules, view).map_err(|reason| self.unfit(topology, reason))
    }

    fn unfit(&self, topology: &Topology, reason: String) -> Error {
        Error::Incompatible { thread: self.id.clone(), graph: topology.name.to_string(), reason }
    }

    /// The task of a graph that a segment of a namespace names: one that has not finished.
    fn task(&self, stepper: &Stepper, segment: &str) -> Result<usize, Error> {
        let (name, task) = segment.split_once(':').ok_or_else(|| self.no_subgraph(segment))?;
        let is_it = |(index, slot): (usize, &Slot)| {
            let is_named = **stepper.node_name(index) == *name && slot.id.to_string() == task;
            (is_named && !slot.is_done()).then_some(index)
        };
        let found = stepper.slots.iter().enumerate().find_map(is_it);
        found.ok_or_else(|| self.no_subgraph(segment))
    }

    fn no_subgraph(&self, segment: &str) -> Error {
        Error::NoSubgraph { thread: self.id.clone(), task: segment.to_owned() }
    }

    /// The rows that say what the steps of the graph wrote.
    async fn steps(&self) -> Result<Vec<Row>, Error> {
        let (ns, kinds) = (Some(self.ns.clone()), vec![Kind::Checkpoint, Kind::Task]);
        Ok(self.store.rows(&self.id, RowQuery { ns, kinds, ..RowQuery::default() }).await?)
    }
}

/// What is around a graph that was changed.
pub(super) struct Around {
    /// The graphs that it is in, each with its task that leads to it.
    tasks: Vec<(Namespace, TaskId)>,
    /// How the thread stands.
    status: EndStatus,
}

impl Around {
    /// All records of a change.
    pub(super) fn records(self, begin: Begin, made: Vec<Item>) -> Vec<Item> {
        let item = |ns: Namespace, record: Record| Item { logged: Logged { ns, record }, snapshot: None };
        let is_root = self.tasks.is_empty();
        let mut items = Vec::with_capacity(made.len() + self.tasks.len() + 1);
        for (ns, task) in self.tasks {
            items.push(item(ns, Record::Begin(Begin { changed: Some(task), ..begin.clone() })));
        }
        if is_root {
            items.push(item(Namespace::root(), Record::Begin(begin)));
        }
        items.extend(made);
        if !is_root {
            let end = End { status: self.status, error: None };
            items.push(item(Namespace::root(), Record::End(end)));
        }
        items
    }
}
