//! A thread as a person or a program sees it: where it stands, and how it came there.

use duru::store::Head;
use duru::{App, Mode, State, Thread, ThreadId, ThreadState};
use serde_json::{Map, Value, json};

use super::table::table;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::{clean, shorten, time};

/// How many checkpoints are shown.
const MOST: usize = 1000;
/// How many columns a value may take.
const COLUMNS: usize = 64;

pub(crate) struct Picture {
    thread: ThreadId,
    graph: Option<String>,
    head: Option<Head>,
    now: ThreadState,
    /// Oldest first.
    history: Vec<ThreadState>,
}

/// The graph that the thread's first run was of.
pub(crate) async fn graph_of<S: State>(thread: &Thread<S>) -> Result<Option<String>, Problem> {
    let mut runs = thread.events(0, [Mode::Runs]).await?;
    let first = runs.next_ready().await.map_err(Problem::Store)?;
    Ok(first.and_then(|event| event.data["graph"].as_str().map(str::to_owned)))
}

impl Picture {
    pub(crate) async fn load<S: State>(app: &App<S>, thread: &Thread<S>) -> Result<Self, Problem> {
        let mut history = thread.history(MOST).await?;
        history.reverse();
        Ok(Self {
            thread: thread.id().clone(),
            graph: graph_of(thread).await?,
            head: app.store().head(thread.id()).await.map_err(Problem::Store)?,
            now: thread.state().await?,
            history,
        })
    }

    fn status(&self) -> &'static str {
        self.head.map_or("unknown", |head| head.status.as_str())
    }

    pub(crate) fn print(&self, output: &Output) -> Result<(), Problem> {
        let lang = output.lang;
        let updated = self.head.map(|head| time(head.updated_ms)).unwrap_or_default();
        let graph = clean(self.graph.as_deref().unwrap_or("?"));
        let mut text = format!("{} · {graph} · {} · {updated}\n", clean(self.thread.as_str()), self.status());
        for question in self.now.questions() {
            text.push_str(&format!("{}: {}\n", lang.waits(), short(&clean(question.value.get()))));
        }
        text.push_str(&format!("\n{}\n", lang.final_state()));
        for (name, value) in &self.now.values {
            text.push_str(&format!("  {} = {}\n", clean(name), short(&clean(&value.to_string()))));
        }
        text.push_str(&format!("\n{}\n", lang.history()));
        text.push_str(&table(lang.history_head(), self.rows()));
        output.text(&text)
    }

    /// One row per checkpoint, and one more for each further value that changed.
    fn rows(&self) -> Vec<[String; 4]> {
        let mut rows = Vec::new();
        let mut before = &Map::new();
        for state in &self.history {
            let mut changes = changed(before, &state.values).into_iter().map(|(name, value)| {
                let text = format!("{} = {}", clean(name), clean(&value.to_string()));
                short(&text)
            });
            let step = state.step.map(|step| step.to_string()).unwrap_or_default();
            let next = planned(state);
            let next = if next.is_empty() { "—".to_owned() } else { clean(&next.join(", ")) };
            rows.push([step, source(state), next, changes.next().unwrap_or_default()]);
            rows.extend(changes.map(|change| [String::new(), String::new(), String::new(), change]));
            before = &state.values;
        }
        rows
    }

    pub(crate) fn json(&self) -> Value {
        let mut before = &Map::new();
        let mut history = Vec::new();
        for state in &self.history {
            let changed: Map<String, Value> = changed(before, &state.values)
                .into_iter()
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            history.push(json!({
                "checkpoint": state.checkpoint, "parent": state.parent, "step": state.step,
                "source": state.source, "next": planned(state), "changed": changed,
            }));
            before = &state.values;
        }
        let questions: Vec<Value> = self
            .now
            .questions()
            .into_iter()
            .map(|question| {
                json!({
                    "id": question.id, "node": question.node, "value": question.value, "schema": question.schema,
                    "deadline_ms": question.deadline_ms, "default": question.default,
                })
            })
            .collect();
        json!({
            "thread": self.thread, "graph": self.graph, "status": self.status(),
            "version": self.head.map(|head| head.version), "events": self.head.map(|head| head.next_seq),
            "created_ms": self.head.map(|head| head.created_ms), "updated_ms": self.head.map(|head| head.updated_ms),
            "state": self.now.values, "next": self.now.next(), "questions": questions, "history": history,
        })
    }
}

fn short(text: &str) -> String {
    shorten(text, COLUMNS)
}

/// The word for what wrote a checkpoint, as it is stored.
fn source(state: &ThreadState) -> String {
    let word = state.source.and_then(|source| serde_json::to_value(source).ok());
    word.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

/// The nodes of the step after a checkpoint, each once with its number.
fn planned(state: &ThreadState) -> Vec<String> {
    let mut nodes: Vec<(&str, usize)> = Vec::new();
    for task in &state.tasks {
        match nodes.iter_mut().find(|(node, _)| *node == task.node) {
            Some((_, count)) => *count += 1,
            None => nodes.push((&task.node, 1)),
        }
    }
    nodes
        .into_iter()
        .map(|(node, count)| if count == 1 { node.to_owned() } else { format!("{node} ×{count}") })
        .collect()
}

/// The values that differ from those before, new ones included.
fn changed<'a>(before: &Map<String, Value>, after: &'a Map<String, Value>) -> Vec<(&'a String, &'a Value)> {
    after.iter().filter(|(name, value)| before.get(*name) != Some(*value)).collect()
}
