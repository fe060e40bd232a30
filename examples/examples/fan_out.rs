//! One task per word, all in one step, then a node that waits for all of them.
//! Results come in the order in which the tasks were sent, not in the order
//! in which they ended.

use std::sync::Arc;
use std::time::Duration;

use duru::{Cx, END, Graph, Policy, Result, State};
use serde::{Deserialize, Serialize};

#[derive(State, Clone)]
struct Text {
    words: Vec<String>,
    #[merge(append)]
    lengths: Vec<(String, usize)>,
    #[merge(max)]
    longest: usize,
    report: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct Word {
    text: String,
}

async fn split(s: Arc<Text>, _: Cx) -> Result<TextUpdate> {
    assert!(!s.words.is_empty());
    Ok(TextUpdate::new())
}

async fn measure(word: Word, _: Cx) -> Result<TextUpdate> {
    let length = word.text.chars().count();
    // Long words end first.
    tokio::time::sleep(Duration::from_millis(20 / length as u64)).await;
    Ok(TextUpdate::new().lengths([(word.text, length)]).longest(length))
}

async fn report(s: Arc<Text>, _: Cx) -> Result<TextUpdate> {
    Ok(TextUpdate::new().report(format!("{} words, the longest of {}", s.lengths.len(), s.longest)))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut g = Graph::<Text>::new("fan-out");
    let split = g.node("split", split);
    let measure = g.worker("measure", measure);
    let report = g.node("report", report);
    g.start(split);
    g.route(split, [measure], move |s: &Text| {
        s.words.iter().map(|text| measure.send(Word { text: text.clone() })).collect::<Vec<_>>()
    });
    g.edge(measure, report).edge(report, END);
    g.policy(measure, Policy::new().limit(8));
    let graph = g.compile()?;
    println!("{}", graph.mermaid());

    let words = ["a", "graph", "is", "typed"].map(String::from).to_vec();
    let end = graph.invoke(TextUpdate::new().words(words)).await?.done()?;
    let lengths: Vec<usize> = end.lengths.iter().map(|(_, length)| *length).collect();
    assert_eq!(lengths, [1, 5, 2, 5]);
    assert_eq!(end.report, "4 words, the longest of 5");
    println!("{}", end.report);
    Ok(())
}
