//! A run's path on the drawing of its graph.

use std::collections::HashSet;

use super::{Drawing, EdgeKind, NodeKind, Path};

impl Drawing {
    /// With a path marked: nodes that ran get their [`Visit`](super::Visit), edges
    /// that were taken are marked so, in nested graphs too. Marks from before are gone.
    #[must_use]
    pub fn marked(mut self, path: &Path) -> Self {
        self.mark(path);
        self
    }

    fn mark(&mut self, path: &Path) {
        for node in &mut self.nodes {
            node.visit = path.nodes.get(&node.id).copied();
            if let Some(inner) = &mut node.inner {
                inner.mark(path);
            }
        }
        let ends: HashSet<&str> = self
            .nodes
            .iter()
            .filter(|node| matches!(node.kind, NodeKind::Start | NodeKind::End))
            .map(|node| node.id.as_str())
            .collect();
        for edge in &mut self.edges {
            let moved = || path.moves.contains(&(edge.source.clone(), edge.target.clone()));
            let reached = || path.nodes.contains_key(&edge.target) || ends.contains(&*edge.target);
            edge.taken = match edge.kind {
                EdgeKind::Route | EdgeKind::Command => moved(),
                EdgeKind::Fixed if ends.contains(&*edge.source) => moved(),
                // An error handler may go along one of its node's edges, and not along the others.
                EdgeKind::Fixed | EdgeKind::Join => {
                    moved() || (path.followed.contains(&edge.source) && reached())
                }
            };
        }
    }
}
