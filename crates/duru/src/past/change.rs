//! Changing a thread from outside, as if a node had written. This needs the
//! graph: what follows is that node's to say.

use std::sync::Arc;

use serde_json::Map;

use crate::error::Error;
use crate::log::{Begin, Record, Source};
use crate::options::Options;
use crate::run::rules;
use crate::stepper::{Change, Stepper};
use crate::thread::Thread;
use crate::view::View;
use crate::{CheckpointId, Namespace, State};

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
        self.change(None, node, update).await
    }

    /// Like [`Thread::edit`], on the state of an earlier checkpoint. What came
    /// after it stays in the log, but the thread goes on from here.
    pub async fn edit_at(
        &self,
        checkpoint: CheckpointId,
        node: &str,
        update: S::Update,
    ) -> Result<Edited, Error> {
        self.change(Some(checkpoint), node, update).await
    }

    async fn change(
        &self,
        checkpoint: Option<CheckpointId>,
        name: &str,
        update: S::Update,
    ) -> Result<Edited, Error> {
        let log = self.log();
        let _turn = log.begin()?;
        let position = log.position().await?;
        let now = View::load(&*log.store, &self.id, &Namespace::root(), None).await?;
        let finished = now.finished();
        let newest = now.at.as_ref().map(|at| at.id);
        let (view, goes_back) = match checkpoint {
            Some(checkpoint) => (log.view_at(checkpoint).await?, newest != Some(checkpoint)),
            None => (now.clone(), false),
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
        let node = topology.index_of(name).ok_or_else(|| {
            let known: Vec<&str> = topology.names().collect();
            let reason = format!("there is no node {name:?}; there are: {}", known.join(", "));
            Error::Input { graph: graph.clone(), reason }
        })?;
        let begin = Begin {
            graph: graph.clone(),
            source: Source::Update,
            metadata: Map::new(),
            discarded: finished.clone(),
            tasks: Vec::new(),
            step: None,
        };
        let change = Change { begin, goes_back, at_ms: self.app.graph.clock.now_ms() };
        let items = stepper
            .edit(node, Box::new(update), change)
            .map_err(|error| Error::Input { graph: graph.clone(), reason: error.to_string() })?;
        let made = items.iter().any(|item| matches!(item.logged.record, Record::Checkpoint(_)));
        let Some(written) = stepper.checkpoint.filter(|_| made) else {
            return Err(Error::Input { graph, reason: "the change could not be made".into() });
        };
        log.write(items, position, &now).await?;
        Ok(Edited { checkpoint: written, discarded: finished })
    }
}
