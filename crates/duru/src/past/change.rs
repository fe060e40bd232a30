//! Changing a thread from outside, as if a node had written. This needs the
//! graph: what follows is that node's to say.

use std::sync::Arc;

use serde_json::Map;

use super::ThreadLog;
use crate::error::Error;
use crate::graph::topology::Topology;
use crate::log::{Begin, Record, Source};
use crate::options::Options;
use crate::run::rules;
use crate::state::erased::AnyUpdate;
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
        self.log().edit(&self.app.graph.kit.topology, None, node, Box::new(update)).await
    }

    /// Like [`Thread::edit`], on the state of an earlier checkpoint. What came
    /// after it stays in the log, but the thread goes on from here.
    pub async fn edit_at(
        &self,
        checkpoint: CheckpointId,
        node: &str,
        update: S::Update,
    ) -> Result<Edited, Error> {
        self.log().edit(&self.app.graph.kit.topology, Some(checkpoint), node, Box::new(update)).await
    }
}

impl ThreadLog {
    pub(crate) async fn edit(
        &self,
        topology: &Arc<Topology>,
        at: Option<CheckpointId>,
        node: &str,
        update: AnyUpdate,
    ) -> Result<Edited, Error> {
        let node = topology.find(node)?;
        let _turn = self.begin()?;
        let position = self.position().await?;
        let now = View::load(&*self.store, &self.id, &Namespace::root(), None).await?;
        let finished = now.finished();
        let newest = now.at.as_ref().map(|at| at.id);
        let (view, goes_back) = match at {
            Some(at) => (self.view_at(at).await?, newest != Some(at)),
            None => (now.clone(), false),
        };
        let graph = topology.name.to_string();
        let rules = rules(topology, &Options::default(), Some(&self.id), true)?;
        let unfit = |reason| Error::Incompatible { thread: self.id.clone(), graph: graph.clone(), reason };
        let mut stepper = Stepper::restore(Arc::clone(topology), rules, view).map_err(unfit)?;
        // The new checkpoint comes after all others, whatever it goes back to.
        stepper.not_before(newest);
        let begin = Begin {
            graph: graph.clone(),
            source: Source::Update,
            metadata: Map::new(),
            discarded: finished.clone(),
            tasks: Vec::new(),
            step: None,
        };
        let change = Change { begin, goes_back, at_ms: self.clock.now_ms() };
        let items = stepper
            .edit(node, update, change)
            .map_err(|error| Error::Input { graph: graph.clone(), reason: error.to_string() })?;
        let made = items.iter().any(|item| matches!(item.logged.record, Record::Checkpoint(_)));
        let Some(written) = stepper.checkpoint.filter(|_| made) else {
            return Err(Error::Input { graph, reason: "the change could not be made".into() });
        };
        self.write(items, position, &now).await?;
        Ok(Edited { checkpoint: written, discarded: finished })
    }
}
