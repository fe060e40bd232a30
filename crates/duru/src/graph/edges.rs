//! Connecting nodes.

use std::sync::Arc;

use super::builder::Graph;
use super::topology::{Barrier, Route};
use super::{Node, Problem, Target, Targets};
use crate::State;
use crate::state::erased::AnyState;

impl<S: State, I: 'static, O: 'static> Graph<S, I, O> {
    /// Runs a node first; of several, all at once.
    pub fn start(&mut self, node: impl Into<Node>) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "start".into()) {
            self.start.fixed.push(index);
        }
        self
    }

    /// Chooses by the input what is run first.
    pub fn start_route<T: Into<Target>, R: Targets>(
        &mut self,
        targets: impl IntoIterator<Item = T>,
        pick: impl Fn(&S) -> R + std::marker::Send + Sync + 'static,
    ) -> &mut Self {
        if let Some(route) = self.make_route("start", targets, pick) {
            self.start.routes.push(route);
        }
        self
    }

    /// Runs `to` in the step after `from`.
    pub fn edge(&mut self, from: impl Into<Node>, to: impl Into<Target>) -> &mut Self {
        let (from, to) = (from.into(), to.into());
        let Some(source) = self.own(from, || "edge".into()) else { return self };
        // An edge to the end changes nothing; it is for readers of the code.
        let Some(to) = to.0 else { return self };
        let name = Arc::clone(&self.nodes[source].name);
        if let Some(target) = self.own(to, || format!("the edge from {name:?}")) {
            self.nodes[source].exits.fixed.push(target);
        }
        self
    }

    /// Chooses by the state, with `from`'s own changes made, what follows.
    /// Going anywhere but to the declared targets fails the task.
    pub fn route<T: Into<Target>, R: Targets>(
        &mut self,
        from: impl Into<Node>,
        targets: impl IntoIterator<Item = T>,
        pick: impl Fn(&S) -> R + std::marker::Send + Sync + 'static,
    ) -> &mut Self {
        let Some(source) = self.own(from.into(), || "route".into()) else { return self };
        let name = Arc::clone(&self.nodes[source].name);
        if let Some(route) = self.make_route(&name, targets, pick) {
            self.nodes[source].exits.routes.push(route);
        }
        self
    }

    fn make_route<T: Into<Target>, R: Targets>(
        &mut self,
        from: &str,
        targets: impl IntoIterator<Item = T>,
        pick: impl Fn(&S) -> R + std::marker::Send + Sync + 'static,
    ) -> Option<Route> {
        let place = || format!("the route from {from:?}");
        let mut route = Route {
            targets: Vec::new(),
            may_end: false,
            pick: Arc::new(move |state: &AnyState| {
                state.downcast_ref::<S>().map(|state| pick(state).into_gotos()).unwrap_or_default()
            }),
        };
        for target in targets {
            match target.into().0 {
                None => route.may_end = true,
                Some(node) => route.targets.push(self.own(node, place)?),
            }
        }
        if route.targets.is_empty() && !route.may_end {
            self.problems.push(Problem::NoTargets { place: place() });
            return None;
        }
        Some(route)
    }

    /// Runs `to` once all of `from` have run, however many steps that takes.
    pub fn join<N: Into<Node>>(
        &mut self,
        from: impl IntoIterator<Item = N>,
        to: impl Into<Node>,
    ) -> &mut Self {
        let Some(target) = self.own(to.into(), || "join".into()) else { return self };
        let barrier = self.barriers.len();
        let mut sources: Vec<usize> = Vec::new();
        for node in from {
            let Some(source) = self.own(node.into(), || "join".into()) else { return self };
            if !sources.contains(&source) {
                self.nodes[source].exits.barriers.push((barrier, sources.len()));
                sources.push(source);
            }
        }
        let names: Vec<&str> = sources.iter().map(|source| &*self.nodes[*source].name).collect();
        let key = format!("{}>{}", names.join("+"), self.nodes[target].name);
        self.barriers.push(Barrier { key, sources, target });
        self
    }

    /// Declares where a node's [`Command`](crate::Command)s may go.
    pub fn may_go<T: Into<Target>>(
        &mut self,
        from: impl Into<Node>,
        targets: impl IntoIterator<Item = T>,
    ) -> &mut Self {
        let Some(source) = self.own(from.into(), || "may_go".into()) else { return self };
        for target in targets {
            match target.into().0 {
                None => self.nodes[source].may_end = true,
                Some(node) => {
                    let Some(target) = self.own(node, || "may_go".into()) else { continue };
                    self.nodes[source].may_go.push(target);
                }
            }
        }
        self
    }

    /// Holds a node back until nothing else is left to run.
    pub fn defer(&mut self, node: impl Into<Node>) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "defer".into()) {
            self.nodes[index].deferred = true;
        }
        self
    }
}
