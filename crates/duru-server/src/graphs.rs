//! The graphs that a server has, and their default assistants.

use std::collections::BTreeMap;

use duru::{ErasedApp, ErasedGraph};
use uuid::Uuid;

/// Every graph by its id, all on one store.
pub(crate) struct Graphs {
    by_id: BTreeMap<String, Graph>,
}

/// A graph that is served.
pub(crate) struct Graph {
    pub(crate) app: ErasedApp,
    /// The id of the assistant that is there from the start.
    pub(crate) assistant: Uuid,
}

/// Not the one for URLs, which differs in a digit: clients compute these ids too.
const ASSISTANTS: Uuid = Uuid::from_u128(0x6ba7_b821_9dad_11d1_80b4_00c0_4fd4_30c8);

/// The assistant of a graph that nobody has made: its id is the same on every
/// server.
pub(crate) fn default_assistant(graph: &str) -> Uuid {
    Uuid::new_v5(&ASSISTANTS, graph.as_bytes())
}

impl Graphs {
    pub(crate) fn new(apps: BTreeMap<String, ErasedApp>) -> Self {
        let graph = |(id, app): (String, ErasedApp)| {
            let assistant = default_assistant(&id);
            (id, Graph { app, assistant })
        };
        Self { by_id: apps.into_iter().map(graph).collect() }
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Graph> {
        self.by_id.get(id)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Graph)> {
        self.by_id.iter().map(|(id, graph)| (id.as_str(), graph))
    }

    /// Any of them: all share one store and know of each other's runs.
    pub(crate) fn any(&self) -> Option<&ErasedApp> {
        self.by_id.values().next().map(|graph| &graph.app)
    }
}

/// Those of the names that are nodes of a graph, or stand for all of them, and those that are not.
pub(crate) fn known_nodes(graph: &ErasedGraph, names: &[String]) -> (Vec<String>, Vec<String>) {
    let known = graph.node_names();
    names.iter().cloned().partition(|name| name == "*" || known.contains(name))
}

#[cfg(test)]
mod tests {
    #[test]
    fn default_assistants_have_the_known_ids() {
        assert_eq!(super::default_assistant("agent").to_string(), "fe096781-5601-53d2-b2f6-0d3403f7e9ca");
        assert_eq!(super::default_assistant("slow").to_string(), "cad1b5ad-d177-59d1-ab39-5e327188ed3a");
    }
}
