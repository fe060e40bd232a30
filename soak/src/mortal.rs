//! Threads that are deleted and made again under the same name, each time by another owner. Whatever is shown of one says
//! whose it is; what says something else has come back from the dead.

use std::sync::Arc;

use duru::store::{Checkpoints, Owner};
use duru::{App, Cx, END, Error, Event, Graph, Mode, Outcome, State, Thread, ThreadState};
use serde_json::Value;

use crate::work::LEASE;

/// How many there are in a round.
pub(crate) const MORTALS: usize = 3;

#[derive(State, Clone, Debug)]
struct Diary {
    owner: String,
    #[merge(append)]
    lines: Vec<String>,
}

pub(crate) struct Mortals {
    app: App<Diary>,
    store: Arc<dyn Checkpoints>,
}

/// The name of one of them.
pub(crate) fn mortal_name(index: usize) -> String {
    format!("m{index}")
}

impl Mortals {
    pub(crate) fn new(store: &Arc<dyn Checkpoints>, owner: &Owner) -> Self {
        let mut g = Graph::<Diary>::new("mortal");
        let write = g.node("write", |s: Arc<Diary>, cx: Cx| async move {
            cx.emit(&s.owner)?;
            Ok(DiaryUpdate::new().lines([s.owner.clone()]))
        });
        g.start(write).edge(write, END);
        // A graph that does not compile would be a mistake in this file.
        let graph = g.compile().unwrap_or_else(|error| panic!("{error}"));
        let app = graph.on(Arc::clone(store)).owned_by(owner.clone(), LEASE);
        Self { app, store: Arc::clone(store) }
    }

    fn thread(&self, index: usize) -> Result<Thread<Diary>, Error> {
        self.app.thread(mortal_name(index))
    }

    /// Any of them, to read.
    pub(crate) fn any(&self) -> Result<duru::ThreadLog, Error> {
        Ok(self.thread(fastrand::usize(..MORTALS))?.log())
    }

    /// Does something to one of them; what came back by that, in words.
    pub(crate) async fn advance(&self) -> Result<Option<String>, Error> {
        let thread = self.thread(fastrand::usize(..MORTALS))?;
        if fastrand::u8(..6) == 0 {
            // By whoever has it at hand, or behind everybody's back.
            if fastrand::bool() {
                thread.delete().await?;
            } else {
                self.store.delete(thread.id()).await?;
            }
            return Ok(None);
        }
        let state = thread.state().await?;
        let run = if state.checkpoint.is_none() {
            let owner = format!("{:016x}", fastrand::u64(..));
            thread.invoke(DiaryUpdate::new().owner(owner)).on_new_thread()
        } else if !state.tasks.is_empty() {
            thread.go_on()
        } else {
            thread.invoke(DiaryUpdate::new())
        };
        if let Outcome::Done(diary) = run.await?
            && let Some(line) = diary.lines.iter().find(|line| **line != diary.owner)
        {
            return Ok(Some(format!("a run of {:?} ends with {line:?}", diary.owner)));
        }
        Ok(strangers(&thread.state().await?))
    }

    /// Whose an event says that its thread is.
    pub(crate) fn words(event: &Event) -> Vec<String> {
        let word = |value: &Value| value.as_str().map(str::to_owned);
        match event.mode {
            Mode::Custom => word(&event.data).into_iter().collect(),
            Mode::Values => {
                let lines = event.data["lines"].as_array().into_iter().flatten();
                word(&event.data["owner"]).into_iter().chain(lines.filter_map(word)).collect()
            }
            Mode::Updates => {
                let lines = event.data["write"]["lines"].as_array().into_iter().flatten();
                lines.filter_map(word).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What of one of them is another's, as the store has it.
    pub(crate) async fn audit(&self, index: usize) -> Result<Option<String>, Error> {
        Ok(strangers(&self.thread(index)?.state().await?))
    }
}

/// Lines that are not the owner's.
fn strangers(state: &ThreadState) -> Option<String> {
    let owner = state.values.get("owner").and_then(Value::as_str).unwrap_or_default();
    let lines = state.values.get("lines").and_then(Value::as_array);
    let other = lines.into_iter().flatten().find(|line| line.as_str() != Some(owner))?;
    Some(format!("the state of {owner:?} has a line of {other}"))
}
