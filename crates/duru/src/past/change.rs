//! Changing a thread from outside: editing it, and going back to a checkpoint.

use std::sync::Arc;

use serde_json::Map;

use crate::app::Switches;
use crate::driver::{Committer, Place, Position};
use crate::error::{Error, NodeError};
use crate::log::{Begin, Record, Source};
use crate::options::{Durability, Options};
use crate::run::rules;
use crate::stepper::{Change, Item, Stepper};
use crate::thread::Thread;
use crate::view::View;
use crate::{CheckpointId, Namespace, RunId, State};

/// What an edit did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The checkpoint that it wrote.
    pub checkpoint: CheckpointId,
    /// Nodes whose finished work of an unfinished step it gave up.
    pub discarded: Vec<String>,
}

impl<S: State, I, O> Thread<S, I, O> {
    /// Changes the state as if `node` had written it, and plans what follows
    /// from that node. Nothing is run; [`Thread::go_on`] does.
    pub async fn edit(&self, node: &str, update: S::Update) -> Result<Edited, Error> {
        self.change(None, Some((node, update))).await
    }

    /// Like [`Thread::edit`], on the state of an earlier checkpoint. What came
    /// after it stays in the log, but the thread goes on from here.
    pub async fn edit_at(
        &self,
        checkpoint: CheckpointId,
        node: &str,
        update: S::Update,
    ) -> Result<Edited, Error> {
        self.change(Some(checkpoint), Some((node, update))).await
    }

    /// Goes back to a checkpoint. What came after it stays in the log; the tasks
    /// that were planned there are planned again, and act on the world anew when
    /// [`Thread::go_on`] runs them.
    pub async fn fork(&self, checkpoint: CheckpointId) -> Result<Edited, Error> {
        self.change(Some(checkpoint), None).await
    }

    async fn change(
        &self,
        checkpoint: Option<CheckpointId>,
        edit: Option<(&str, S::Update)>,
    ) -> Result<Edited, Error> {
        let _turn = self.app.desk.begin(&self.id, Switches::default())?;
        self.app.desk.forget(&self.id);
        let store = &self.app.store;
        let head = store.head(&self.id).await?;
        let now = View::load(&**store, &self.id, &Namespace::root(), None).await?;
        let (finished, pending) = (now.finished(), now.pending());
        let newest = now.at.as_ref().map(|at| at.id);
        let (view, goes_back) = match checkpoint {
            Some(checkpoint) => (self.reader().view_at(checkpoint).await?, newest != Some(checkpoint)),
            None => (now, false),
        };
        let topology = self.app.graph.topology();
        let graph = self.app.graph.name().to_owned();
        let rules = rules(&topology, &Options::default(), Some(&self.id), true)?;
        let unfit = |reason| Error::Incompatible { thread: self.id.clone(), graph: graph.clone(), reason };
        let mut stepper = Stepper::restore(Arc::clone(&topology), rules, view).map_err(unfit)?;
        if newest > stepper.checkpoint {
            // The new checkpoint comes after all others, whatever it goes back to.
            stepper.not_before(newest);
        }
        let source = if edit.is_some() { Source::Update } else { Source::Fork };
        let begin = Begin {
            graph: graph.clone(),
            source,
            metadata: Map::new(),
            discarded: finished.clone(),
            tasks: Vec::new(),
            step: None,
        };
        let change = Change { begin, goes_back, at_ms: self.app.graph.clock.now_ms() };
        let items = match edit {
            Some((name, update)) => {
                let node = topology.index_of(name).ok_or_else(|| {
                    let known: Vec<&str> = topology.names().collect();
                    let reason = format!("there is no node {name:?}; there are: {}", known.join(", "));
                    Error::Input { graph: graph.clone(), reason }
                })?;
                stepper.edit(node, Box::new(update), change)
            }
            None => stepper.fork(change),
        };
        let items = items
            .map_err(|error: NodeError| Error::Input { graph: graph.clone(), reason: error.to_string() })?;
        let made = items.iter().any(|item| matches!(item.logged.record, Record::Checkpoint(_)));
        let Some(written) = stepper.checkpoint.filter(|_| made) else {
            return Err(Error::Input { graph, reason: "the change could not be made".into() });
        };
        let position = Position {
            version: head.map_or(0, |head| head.version),
            epoch: head.map_or(0, |head| head.epoch),
            next_seq: head.map_or(0, |head| head.next_seq),
            claimed: false,
            held: None,
        };
        self.write(items, position, pending.into_iter().map(|question| question.id).collect()).await?;
        Ok(Edited { checkpoint: written, discarded: finished })
    }

    async fn write(
        &self,
        items: Vec<Item>,
        position: Position,
        given_up: Vec<crate::InterruptId>,
    ) -> Result<(), Error> {
        let clock = &self.app.graph.clock;
        let place = Place {
            store: Some(Arc::clone(&self.app.store)),
            thread: self.id.clone(),
            run: RunId::random(clock.now_ms()),
            clock: Arc::clone(clock),
            feed: self.app.desk.feed(&self.id, position.next_seq),
            durability: Durability::EachStep,
        };
        let committer = Committer::new(place, position);
        committer.clear_timers(given_up);
        committer.push_all(items);
        Ok(committer.flush().await?)
    }
}
