//! What a message begins: a task, or the next part of one that waits for it.

use serde_json::json;

use super::Agent;
use super::calls::{UNSUPPORTED, no_task};
use super::message::Asked;
use super::spoken::Spoken;
use super::task::{State, Task, TaskId};
use crate::rpc::{Fault, INTERNAL, INVALID_PARAMS};
use crate::{Start, Started};

/// The note of a run that says which message it was begun with.
pub(super) const MESSAGE: &str = "a2a_message";

/// A task that was begun, or gone on with.
pub(super) struct Begun {
    pub(super) task: TaskId,
    pub(super) started: Started,
}

impl Agent {
    /// Accepts what a message asks for, or answers. What is given back is durable.
    pub(super) async fn begin(&self, asked: &Asked, streaming: bool) -> Result<Begun, Fault> {
        let waiting = match (&asked.task, &asked.context) {
            (Some(task), context) => {
                if context.as_ref().is_some_and(|context| *context != task.thread) {
                    return Err(Fault(
                        INVALID_PARAMS,
                        "Invalid params: the task is of another context".into(),
                    ));
                }
                let found = self.task(task).await?.ok_or_else(|| no_task(&task.to_string()))?;
                if found.state != State::InputRequired {
                    let state = Spoken::Old.state(found.state);
                    let why = format!(
                        "The task is {state} and takes no message: leave taskId out to go on with its context"
                    );
                    return Err(Fault(UNSUPPORTED, why));
                }
                Some(found)
            }
            (None, Some(context)) => self.waiting(context).await?,
            (None, None) => None,
        };
        let task = waiting.as_ref().map(|task| task.id.clone());
        let mut start = match waiting {
            Some(Task { id, question: Some((question, value)), .. }) => {
                self.runs.answering(&id.thread, &question, asked.reply(&value)?).await?
            }
            // It waits at a breakpoint, which is nothing that words could answer.
            Some(_) => return Err(Fault(UNSUPPORTED, "The task waits, but not for an answer".into())),
            None => self.asking(asked)?,
        };
        start = start.metadata("interface", json!("a2a")).metadata(MESSAGE, json!(asked.id));
        if streaming {
            start = start.streaming();
        }
        let started = self.runs.start(start).await?;
        let task = task.unwrap_or_else(|| TaskId { thread: started.thread.clone(), run: started.run });
        Ok(Begun { task, started })
    }

    fn asking(&self, asked: &Asked) -> Result<Start, Fault> {
        let schemas = self.runs.schemas(&self.assistant.graph);
        let schemas = schemas.ok_or_else(|| {
            Fault(INTERNAL, format!("Graph {:?} is not served here.", self.assistant.graph))
        })?;
        let start = Start::new(self.assistant.id.to_string(), asked.input(schemas)?);
        Ok(match &asked.context {
            Some(context) => start.on(context.clone()),
            // A conversation, which may go on.
            None => start.lasting(),
        })
    }
}
