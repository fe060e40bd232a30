//! Results of nodes that need not run again for the same key.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::RunShared;
use crate::graph::topology::{BoxFuture, CacheKey, Given, Topology};
use crate::graph::{Goto, Node, Replied, Send};
use crate::log::{Done, StoredGoto};
use crate::memory::Memory;
use crate::stepper::TaskResult;
use crate::store::Memories;

/// The label under which results are kept, apart from what graphs remember.
const PLACE: &str = "duru-node-cache";

/// Where one result is kept, and for how long.
pub(super) struct Place {
    memory: Memory,
    node: String,
    key: String,
    ttl: Option<Duration>,
    topology: Arc<Topology>,
}

/// A kept result.
#[derive(Serialize, Deserialize)]
struct Kept {
    done: String,
}

impl Place {
    /// Where the result of a task is kept; none if its node keeps none, or the
    /// graph has no memory to keep it in.
    pub(super) fn of(
        topology: &Arc<Topology>,
        node: usize,
        given: &Given,
        shared: &RunShared,
    ) -> Option<Self> {
        let spec = topology.node(node);
        let CacheKey { key, ttl } = spec.cache.as_ref()?;
        let store = shared.services.get::<Arc<dyn Memories>>().ok()?;
        let hash = |text: &str| format!("{:032x}", xxh3_128(text.as_bytes()));
        Some(Self {
            memory: Memory::by(Arc::clone(&store), Arc::clone(&shared.clock)),
            // Names may hold what a label may not.
            node: hash(&format!("{}\0{}", topology.name, spec.name)),
            key: hash(&key(given)?),
            ttl: *ttl,
            topology: Arc::clone(topology),
        })
    }

    /// The kept result, or that of the task, which is then kept. A cache that
    /// can't be read or written is passed over: it only saves work.
    pub(super) async fn or_run(self, task: impl FnOnce() -> BoxFuture<TaskResult>) -> TaskResult {
        if let Ok(Some(Kept { done })) = self.memory.get([PLACE, &self.node], &self.key).await
            && let Some(replied) = self.decode(&done)
        {
            return TaskResult::Done(replied);
        }
        let result = task().await;
        if let TaskResult::Done(replied) = &result
            && let Some(done) = self.encode(replied)
        {
            let kept = Kept { done };
            let put = match self.ttl {
                Some(ttl) => self.memory.put_for([PLACE, &self.node], &self.key, &kept, ttl).await,
                None => self.memory.put([PLACE, &self.node], &self.key, &kept).await,
            };
            drop(put);
        }
        result
    }

    /// None if the result is more than writes and where to go.
    fn encode(&self, replied: &Replied) -> Option<String> {
        if replied.parent.is_some() {
            return None;
        }
        let ops = &self.topology.ops;
        let writes = replied.updates.iter().map(|update| ops.entries(update).ok());
        let goto = replied.goto.iter().filter(|goto| !matches!(goto, Goto::End)).map(|goto| {
            let (node, input, timeout) = match goto {
                Goto::Node(node) => (node, None, None),
                Goto::Send(send) => (&send.node, Some(send.input.to_json().ok()?), send.timeout),
                Goto::End => return None,
            };
            let timeout_ms = timeout.and_then(|timeout| u64::try_from(timeout.as_millis()).ok());
            let node = Arc::clone(&self.topology.nodes.get(node.index)?.name);
            Some(StoredGoto { node, input, timeout_ms })
        });
        let done = Done {
            writes: writes.collect::<Option<_>>()?,
            goto: goto.collect::<Option<_>>()?,
            ..Done::default()
        };
        serde_json::to_string(&done).ok()
    }

    /// None if the graph has changed since.
    fn decode(&self, text: &str) -> Option<Replied> {
        let done: Done = serde_json::from_str(text).ok()?;
        let updates = done.writes.iter().map(|entries| self.topology.ops.update(entries).ok());
        let goto = done.goto.iter().map(|goto| {
            let node = Node { graph: self.topology.id, index: self.topology.index_of(&goto.node)? };
            let Some(json) = &goto.input else { return Some(Goto::Node(node)) };
            let input = (self.topology.node(node.index).decode)(json).ok()?;
            Some(Goto::Send(Send { node, input, timeout: goto.timeout_ms.map(Duration::from_millis) }))
        });
        Some(Replied {
            updates: updates.collect::<Option<_>>()?,
            goto: goto.collect::<Option<_>>()?,
            parent: None,
            cached: true,
        })
    }
}
