//! How nodes behave when things go wrong, take long, or are to be looked at.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::builder::Graph;
use super::nodes::wrong_input;
use super::topology::{self, CacheKey, Given, Handler};
use super::{Node, Policy, Replied, Reply, Worker, replied};
use crate::State;
use crate::cx::Cx;
use crate::error::Result;
use crate::outcome::NodeFailure;
use crate::state::erased::AnyState;

impl<S: State, I: 'static, O: 'static> Graph<S, I, O> {
    /// Sets how a node behaves when things go wrong or take long.
    pub fn policy(&mut self, node: impl Into<Node>, policy: Policy) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "policy".into()) {
            self.nodes[index].policy = policy;
        }
        self
    }

    /// Sets how nodes behave whose own [`Graph::policy`] does not say.
    pub fn defaults(&mut self, policy: Policy) -> &mut Self {
        self.defaults = policy;
        self
    }

    /// Runs `handler` when all tries of a node without a handler of its own have
    /// failed; see [`Graph::on_error`].
    pub fn on_any_error<F, Fut, R>(&mut self, handler: F) -> &mut Self
    where
        F: Fn(Arc<S>, NodeFailure, Cx) -> Fut + std::marker::Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + std::marker::Send + 'static,
        R: Reply<S> + 'static,
    {
        self.default_handler = Some(erase_handler::<S, _, _, _>(handler));
        self
    }

    /// Runs `handler` when all tries of a node have failed. The node's own edges
    /// are not followed: the handler says with a [`Command`](crate::Command) where to go.
    pub fn on_error<F, Fut, R>(&mut self, node: impl Into<Node>, handler: F) -> &mut Self
    where
        F: Fn(Arc<S>, NodeFailure, Cx) -> Fut + std::marker::Send + Sync + 'static,
        Fut: Future<Output = Result<R>> + std::marker::Send + 'static,
        R: Reply<S> + 'static,
    {
        if let Some(index) = self.own(node.into(), || "on_error".into()) {
            self.nodes[index].handler = Some(erase_handler::<S, _, _, _>(handler));
        }
        self
    }

    /// Keeps a node's results by a key made from the state: for the same key, the
    /// node is not run again until the time is over. They are kept in the graph's
    /// memory, see [`Compiled::memories`](crate::Compiled::memories); without one,
    /// nothing is kept. Failures and questions never are.
    pub fn cache(
        &mut self,
        node: Node,
        key: impl Fn(&S) -> String + std::marker::Send + Sync + 'static,
        ttl: Option<Duration>,
    ) -> &mut Self {
        let key = move |given: &Given| match given {
            Given::State(state) => state.downcast_ref::<S>().map(&key),
            Given::Own(_) => None,
        };
        self.keep_results(node, CacheKey { key: Arc::new(key), ttl })
    }

    /// Like [`Graph::cache`], by a key made from the input of a [`Worker`].
    pub fn cache_worker<T: Clone + 'static>(
        &mut self,
        worker: Worker<T>,
        key: impl Fn(&T) -> String + std::marker::Send + Sync + 'static,
        ttl: Option<Duration>,
    ) -> &mut Self {
        let key = move |given: &Given| match given {
            Given::Own(input) => input.get::<T>().map(|input| key(&input)),
            Given::State(_) => None,
        };
        self.keep_results(worker.into(), CacheKey { key: Arc::new(key), ttl })
    }

    fn keep_results(&mut self, node: Node, cache: CacheKey) -> &mut Self {
        if let Some(index) = self.own(node, || "cache".into()) {
            self.nodes[index].cache = Some(cache);
        }
        self
    }

    /// Pauses every run before a node.
    pub fn pause_before(&mut self, node: impl Into<Node>) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "pause_before".into()) {
            self.before.push(index);
        }
        self
    }

    /// Pauses every run after a node.
    pub fn pause_after(&mut self, node: impl Into<Node>) -> &mut Self {
        if let Some(index) = self.own(node.into(), || "pause_after".into()) {
            self.after.push(index);
        }
        self
    }
}

fn erase_handler<S, F, Fut, R>(handler: F) -> Handler
where
    S: State,
    F: Fn(Arc<S>, NodeFailure, Cx) -> Fut + std::marker::Send + Sync + 'static,
    Fut: Future<Output = Result<R>> + std::marker::Send + 'static,
    R: Reply<S> + 'static,
{
    Arc::new(move |state: AnyState, failure, cx| -> topology::BoxFuture<Result<Replied>> {
        let Ok(state) = state.downcast::<S>() else { return wrong_input() };
        let future = handler(state, failure, cx);
        Box::pin(async move { Ok(replied(future.await?)) })
    })
}
