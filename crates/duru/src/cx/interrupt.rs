//! Asking somebody outside the graph, and waiting however long it takes.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::to_raw_value;

use super::{Cx, Question, question_hash};
use crate::InterruptId;
use crate::error::{Cause, NodeError, Result};

/// When a question answers itself, and with what.
#[derive(Debug, Clone)]
pub struct Deadline<A> {
    after: Duration,
    default: A,
}

impl<A> Deadline<A> {
    /// Answers with `default` when nobody has answered after this time. The
    /// deadline holds over restarts.
    pub fn after(after: Duration, default: A) -> Self {
        Self { after, default }
    }
}

impl Cx {
    /// Asks a question and pauses the run until it is answered. The answer is
    /// checked against the schema of `A` before it is accepted.
    ///
    /// When the answer is there, the node runs again **from its start**: what
    /// comes before the question should be repeatable, or be done through
    /// [`Cx::effect`] or [`Cx::memo`]. Answers find their questions by order; asking something
    /// else than before is an error.
    ///
    /// ```
    /// # use duru::{Cx, Result, State}; use std::sync::Arc;
    /// # #[derive(State, Clone)] struct Order { approved: bool }
    /// async fn approve(_: Arc<Order>, cx: Cx) -> Result<OrderUpdate> {
    ///     let yes: bool = cx.interrupt("Ship it?")?;
    ///     Ok(OrderUpdate::new().approved(yes))
    /// }
    /// ```
    pub fn interrupt<A>(&self, question: impl Serialize) -> Result<A>
    where
        A: DeserializeOwned + JsonSchema,
    {
        self.ask(question, None, None)
    }

    /// Like [`Cx::interrupt`], with a time after which a default answers.
    pub fn interrupt_until<A>(&self, question: impl Serialize, deadline: Deadline<A>) -> Result<A>
    where
        A: DeserializeOwned + Serialize + JsonSchema,
    {
        let default = to_raw_value(&deadline.default).map_err(NodeError::fatal)?;
        self.ask(question, Some(deadline.after), Some(default))
    }

    fn ask<A>(
        &self,
        question: impl Serialize,
        after: Option<Duration>,
        default: Option<crate::Json>,
    ) -> Result<A>
    where
        A: DeserializeOwned + JsonSchema,
    {
        let run = &self.0.run;
        if run.thread.is_none() {
            return Err(NodeError::fatal(
                "a node can't ask without a store: nobody could come back with the answer; \
                 run the graph on a thread of a store",
            ));
        }
        self.ensure_running()?;
        let value = to_raw_value(&question).map_err(NodeError::fatal)?;
        let mut desk = self.desk();
        let index = desk.asked;
        desk.asked += 1;
        let id = InterruptId::derive(self.0.task, index, self.0.by_handler);
        if let Some(answer) = self.0.answers.iter().rfind(|answer| answer.index == index) {
            if answer.question_hash.is_some_and(|hash| hash != question_hash(&value)) {
                return Err(NodeError(Cause::Mismatch(format!(
                    "question {index} of node {} changed since it was answered; it asks now: {value}; ask the same \
                     however often the node runs, or give the step up with `on_unfinished(Unfinished::Discard)`",
                    self.0.node
                ))));
            }
            match serde_json::from_str(answer.value.get()) {
                Ok(answer) => return Ok(answer),
                // Nobody could check an answer that came before its question: then it is asked.
                Err(_) if answer.question_hash.is_none() => {}
                Err(error) => {
                    let text = format!("the answer to question {id} does not fit its type: {error}");
                    return Err(NodeError::fatal(text));
                }
            }
        }
        let schema = to_raw_value(&schemars::schema_for!(A)).map_err(NodeError::fatal)?;
        let before = self.0.deadlines.iter().find(|(asked, _)| *asked == id);
        let deadline_ms = after.map(|after| match before {
            Some((_, at_ms)) => *at_ms,
            None => {
                let wait = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
                run.clock.now_ms().saturating_add(wait)
            }
        });
        desk.pending.push(Question {
            id,
            value,
            schema,
            node: self.0.node.to_string(),
            ns: self.0.ns.clone(),
            task: self.0.task,
            index,
            deadline_ms,
            default,
        });
        Err(NodeError(Cause::Interrupted))
    }
}
