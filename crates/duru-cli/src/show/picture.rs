//! A thread as a person or a program sees it: where it stands, and how it came there.

use duru::store::Head;
use duru::{ThreadId, ThreadLog, ThreadState};
use serde_json::{Map, Value, json};

use super::changes::planned;
use super::checkpoint::Short;
use super::table::table;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::{clean, shorten, time};

/// How many checkpoints are shown.
pub(super) const MOST: usize = 1000;
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

impl Picture {
    pub(crate) async fn load(log: &ThreadLog, head: Option<Head>) -> Result<Self, Problem> {
        let mut history = log.history(MOST).await?;
        history.reverse();
        let (thread, graph, now) = (log.id().clone(), log.graph().await?, log.state().await?);
        Ok(Self { thread, graph, head, now, history })
    }

    fn status(&self) -> &'static str {
        self.head.map_or("unknown", |head| head.status.as_str())
    }

    pub(crate) fn print(&self, output: &Output) -> Result<(), Problem> {
        let lang = output.lang;
        if output.plain {
            return output.table(lang.history_head(), self.rows(Lang::En));
        }
        let updated = self.head.map(|head| time(head.updated_ms)).unwrap_or_default();
        let graph = clean(self.graph.as_deref().unwrap_or("?"));
        let mut text = format!(
            "{} · {graph} · {} · {updated}\n",
            clean(self.thread.as_str()),
            self.head.map_or("?", |head| lang.status(head.status))
        );
        for question in self.now.questions() {
            text.push_str(&format!("{}: {}\n", lang.waits(), short(&clean(question.value.get()))));
        }
        text.push_str(&format!("\n{}\n", lang.final_state()));
        for (name, value) in &self.now.values {
            text.push_str(&format!("  {} = {}\n", clean(name), short(&clean(&value.to_string()))));
        }
        text.push_str(&format!("\n{}\n", lang.history()));
        text.push_str(&table(lang.history_head(), self.rows(lang)));
        output.text(&text)
    }

    /// One row per checkpoint, and one more for each further value that changed.
    fn rows(&self, lang: Lang) -> Vec<[String; 5]> {
        let short_id = Short::among(&self.history);
        let mut rows = Vec::new();
        let mut before = &Map::new();
        for state in &self.history {
            let mut changes = changed(before, &state.values).into_iter().map(|(name, value)| {
                let text = format!("{} = {}", clean(name), clean(&value.to_string()));
                short(&text)
            });
            let step = state.step.map(|step| step.to_string()).unwrap_or_default();
            let id = short_id.of(state);
            rows.push([id, step, source(state, lang), next_text(state), changes.next().unwrap_or_default()]);
            rows.extend(changes.map(|change| {
                let [a, b, c, d] = [const { String::new() }; 4];
                [a, b, c, d, change]
            }));
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
        json!({
            "thread": self.thread, "graph": self.graph, "status": self.status(),
            "version": self.head.map(|head| head.version), "events": self.head.map(|head| head.next_seq),
            "created_ms": self.head.map(|head| head.created_ms), "updated_ms": self.head.map(|head| head.updated_ms),
            "state": self.now.values, "next": self.now.next(), "questions": questions(&self.now), "history": history,
        })
    }
}

/// The questions that wait for an answer.
pub(super) fn questions(state: &ThreadState) -> Vec<Value> {
    let json = |question: &duru::Question| {
        json!({
            "id": question.id, "node": question.node, "value": question.value, "schema": question.schema,
            "deadline_ms": question.deadline_ms, "default": question.default,
        })
    };
    state.questions().into_iter().map(json).collect()
}

pub(super) fn short(text: &str) -> String {
    shorten(text, COLUMNS)
}

/// The word for what wrote a checkpoint.
pub(super) fn source(state: &ThreadState, lang: Lang) -> String {
    state.source.map(|source| lang.source(source)).unwrap_or_default()
}

/// The nodes of the step after a checkpoint, for a person.
pub(super) fn next_text(state: &ThreadState) -> String {
    let next = planned(state);
    if next.is_empty() { "—".to_owned() } else { clean(&next.join(", ")) }
}

/// The values that differ from those before, new ones included.
fn changed<'a>(before: &Map<String, Value>, after: &'a Map<String, Value>) -> Vec<(&'a String, &'a Value)> {
    after.iter().filter(|(name, value)| before.get(*name) != Some(*value)).collect()
}
