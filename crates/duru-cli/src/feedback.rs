//! `duru feedback`: what people thought of answers, as cases to evaluate with.

use anyhow::Context as _;
use duru::memory::{Hit, Memory, Search};
use serde_json::{Value, json};

use crate::args::Args;
use crate::output::{Form, Output};
use crate::problem::Problem;
use crate::store;

/// Where the page keeps it; that of people with keys is under their names.
const KEPT: [&str; 2] = ["page", "feedback"];
const PEOPLE: &str = "@";
const AT_ONCE: usize = 1000;

pub(crate) async fn run(only_bad: bool, args: &Args, output: &Output) -> Result<(), Problem> {
    let mut cases = Vec::new();
    if let Some(opened) = store::open_existing(args.store.as_ref()).await? {
        let memory = Memory::new(opened.stores.memories);
        let own = all(&memory, &KEPT).await?;
        let others = all(&memory, &[PEOPLE]).await?;
        let is_feedback = |hit: &Hit| hit.item.namespace.labels().skip(2).eq(KEPT);
        cases.extend(own.into_iter().map(|hit| hit.item.value));
        cases.extend(others.into_iter().filter(is_feedback).map(|hit| hit.item.value));
    }
    let mut cases: Vec<Value> = cases.into_iter().map(Value::from).collect();
    cases.retain(|case| !only_bad || case["verdict"] == "bad");
    cases.sort_by(|a, b| a["at"].as_str().cmp(&b["at"].as_str()));
    if cases.is_empty() {
        output.progress(output.lang.pick("아직 의견이 없습니다", "Nobody has said anything yet"));
    }
    if output.form == Form::Text {
        return output.text(&cases.iter().map(|case| format!("{case}\n")).collect::<String>());
    }
    output.json(json!({ "feedback": cases }))
}

async fn all(memory: &Memory, within: &[&str]) -> Result<Vec<Hit>, Problem> {
    let mut found = Vec::new();
    loop {
        let search = Search::within(within).context("feedback").map_err(Problem::Unexpected)?;
        let page = memory.search(search.limit(AT_ONCE).offset(found.len())).await;
        let page = page.context("feedback").map_err(Problem::Unexpected)?;
        let is_last = page.len() < AT_ONCE;
        found.extend(page);
        if is_last {
            return Ok(found);
        }
    }
}
