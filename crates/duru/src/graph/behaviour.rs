//! How nodes behave when things go wrong, take long, or are to be looked at.

use std::future::Future;
use std::sync::Arc;

use super::builder::Graph;
use super::nodes::wrong_input;
use super::topology::{self, Handler};
use super::{Node, Policy, Replied, Reply, replied};
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
    /// are not followed: the handler says with a [`Command`] where to go.
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
