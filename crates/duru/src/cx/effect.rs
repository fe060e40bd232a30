//! Acting on the world once.

use std::collections::HashMap;
use std::future::Future;
use std::sync::PoisonError;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::to_raw_value;
use xxhash_rust::xxh3::xxh3_128;

use super::Cx;
use crate::error::{NodeError, Result};
use crate::log::{Effect, Logged, Record};
use crate::state::Json;

impl Cx {
    /// Does something outside the graph and records the result, so that a
    /// retry, a restart or an answered question gives the recorded result
    /// instead of doing it again.
    ///
    /// The record is unique by thread, namespace, task and `key`. A process can
    /// die between the act and the record; then it is tried again with the
    /// **same idempotency key**, by which the other side can tell.
    ///
    /// ```
    /// # use duru::{Cx, Result, State}; use std::sync::Arc;
    /// # #[derive(State, Clone)] struct Order { receipt: String }
    /// async fn charge(_: Arc<Order>, cx: Cx) -> Result<OrderUpdate> {
    ///     let receipt: String = cx
    ///         .effect("charge", |idempotency_key| async move {
    ///             Ok(format!("paid under {idempotency_key}"))
    ///         })
    ///         .await?;
    ///     Ok(OrderUpdate::new().receipt(receipt))
    /// }
    /// ```
    pub async fn effect<T, F, Fut>(&self, key: &str, act: F) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        F: FnOnce(String) -> Fut,
        Fut: Future<Output = Result<T>>,
    {
        let recorded = self.with_effects(|effects| effects.get(key).cloned());
        if let Some(json) = recorded {
            return serde_json::from_str(json.get()).map_err(|error| {
                NodeError::fatal(format!("the recorded result of effect {key:?} can't be read: {error}"))
            });
        }
        self.ensure_running()?;
        let value = act(self.idempotency_key(key)).await?;
        self.heartbeat();
        let json = to_raw_value(&value).map_err(NodeError::fatal)?;
        // Noted before the wait: a try that times out meanwhile leaves its record behind.
        self.with_effects(|effects| effects.insert(key.to_owned(), json.clone()));
        if let Some(committer) = &self.0.run.committer {
            let effect = Effect { task: self.0.task, key: key.to_owned(), value: json };
            let ticket = committer.push(Logged { ns: self.0.ns.clone(), record: Record::Effect(effect) });
            committer.durable(ticket).await.map_err(NodeError::fatal)?;
        }
        Ok(value)
    }

    fn with_effects<T>(&self, with: impl FnOnce(&mut HashMap<String, Json>) -> T) -> T {
        match &self.0.effects {
            // Every change is a single insertion.
            Some(shared) => with(&mut shared.lock().unwrap_or_else(PoisonError::into_inner)),
            None => with(&mut self.desk().effects),
        }
    }

    /// The same for every try of this task's effect `key`, and for no other.
    fn idempotency_key(&self, key: &str) -> String {
        let thread = self.0.run.thread.as_ref().map_or("", |thread| thread.as_str());
        let text = format!("{thread}\0{}\0{}\0{key}", self.0.ns, self.0.task);
        format!("{:032x}", xxh3_128(text.as_bytes()))
    }
}
