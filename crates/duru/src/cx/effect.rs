//! Acting on the world once.

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
use crate::stepper::EffectBook;

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
        if let Some(recorded) = self.recorded(key) {
            return recorded;
        }
        self.ensure_running()?;
        let value = act(self.idempotency_key(key)).await?;
        self.heartbeat();
        let json = to_raw_value(&value).map_err(NodeError::fatal)?;
        // Noted before the wait: a try that times out meanwhile leaves its record behind.
        self.with_effects(|effects| effects.all.insert(key.to_owned(), json.clone()));
        if let Some(committer) = &self.0.run.committer {
            let effect = Effect { task: self.0.task, key: key.to_owned(), value: json };
            let ticket = committer.push(Logged { ns: self.0.ns.clone(), record: Record::Effect(effect) });
            committer.durable(ticket).await.map_err(NodeError::fatal)?;
        }
        Ok(value)
    }

    /// Makes something that costs little and harms nobody when it is made again, and keeps it for as long as the task
    /// lasts: a retry gets the same, and so does a run that goes on after a question of this task was answered. After
    /// a crash without a question it is made anew; what must not be is a [`Cx::effect`].
    ///
    /// What a question is made of belongs in here, if it could be something else next time.
    ///
    /// ```
    /// # use duru::{Cx, Result, State}; use std::sync::Arc;
    /// # #[derive(State, Clone)] struct Order { seats: Vec<u32>, seat: u32 }
    /// # fn free_seats() -> Vec<u32> { vec![7] }
    /// async fn choose(_: Arc<Order>, cx: Cx) -> Result<OrderUpdate> {
    ///     let free: Vec<u32> = cx.memo("free", async || Ok(free_seats())).await?;
    ///     Ok(OrderUpdate::new().seat(cx.interrupt::<u32>(format!("which of {free:?}?"))?))
    /// }
    /// ```
    pub async fn memo<T, F, Fut>(&self, key: &str, make: F) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<T>>,
    {
        if let Some(recorded) = self.recorded(key) {
            return recorded;
        }
        let value = make().await?;
        let json = to_raw_value(&value).map_err(NodeError::fatal)?;
        self.with_effects(|effects| {
            effects.all.insert(key.to_owned(), json);
            effects.unrecorded.push(key.to_owned());
        });
        Ok(value)
    }

    /// Records what was made for this task, because a question of it depends on that.
    pub(crate) fn record_memos(&self) {
        let memos: Vec<(String, Json)> = self.with_effects(|effects| {
            let keys = std::mem::take(&mut effects.unrecorded).into_iter();
            keys.filter_map(|key| effects.all.get(&key).cloned().map(|json| (key, json))).collect()
        });
        if let Some(committer) = &self.0.run.committer {
            committer.push_quietly(memos.into_iter().map(|(key, value)| {
                let effect = Effect { task: self.0.task, key, value };
                Logged { ns: self.0.ns.clone(), record: Record::Effect(effect) }
            }));
        }
    }

    /// What was recorded under a key.
    fn recorded<T: DeserializeOwned>(&self, key: &str) -> Option<Result<T>> {
        let json = self.with_effects(|effects| effects.all.get(key).cloned())?;
        Some(serde_json::from_str(json.get()).map_err(|error| {
            NodeError::fatal(format!("the recorded result of {key:?} can't be read: {error}"))
        }))
    }

    fn with_effects<T>(&self, with: impl FnOnce(&mut EffectBook) -> T) -> T {
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
