//! A run that dies at any moment goes on, and no tool call that was recorded is made again.

use std::collections::BTreeSet;
use std::sync::Arc;

use duru::store::{Checkpoints, MemoryStore};
use duru::testkit::crash::{CrashStore, Death};
use duru::{Mode, Outcome, ThreadId, ThreadLog, Unfinished};
use duru_agents::advisor::Toolbox;
use duru_llm::decision::Decider;

use super::world::{advisor_on, answer, asks, counted, said, sources};

/// The tool calls whose results are in the log.
async fn recorded(store: &Arc<dyn Checkpoints>) -> BTreeSet<String> {
    let log = ThreadLog::new(Arc::clone(store), ThreadId::new("kim").unwrap());
    let mut events = log.events(0, [Mode::Debug]).await.unwrap();
    let mut found = BTreeSet::new();
    while let Some(event) = events.next_ready().await.unwrap() {
        let text = event.data.to_string();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        found.extend(keys(&value));
    }
    found
}

fn keys(value: &serde_json::Value) -> Vec<String> {
    match value {
        serde_json::Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, value)| match value.as_str() {
                Some(text) if name == "key" && text.starts_with("tool ") => vec![text.to_owned()],
                _ => keys(value),
            })
            .collect(),
        serde_json::Value::Array(items) => items.iter().flat_map(keys).collect(),
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn a_run_that_dies_at_any_call_goes_on_and_repeats_no_recorded_tool_call() {
    let question = || asks("마포구 아파트 시세 알려주고 그걸로 대출 한도 계산해줘. 연봉은 7천만원이야");
    let toolbox = Toolbox::new(&sources());
    let whole = {
        let advisor = advisor_on(Arc::new(MemoryStore::new()), toolbox.clone(), Decider::by_rules());
        said(&*answer(&advisor, "kim", question()).await).to_owned()
    };
    let (mut deaths, mut kept) = (0, 0);
    for death in [Death::Before, Death::After] {
        for nth in 1.. {
            let store: Arc<dyn Checkpoints> = Arc::new(MemoryStore::new());
            let dying = Arc::new(CrashStore::new(Arc::clone(&store), nth, death));
            let (tools, calls) = counted(toolbox.tools.clone());
            let counting = toolbox.clone().with_tools(tools);
            let first =
                advisor_on(Arc::clone(&dying) as Arc<dyn Checkpoints>, counting.clone(), Decider::by_rules());
            let ended = first.thread("kim").unwrap().invoke(question()).await;
            if !dying.died() {
                assert!(matches!(ended, Ok(Outcome::Done(_))));
                break;
            }
            deaths += 1;
            drop(first);
            let done = recorded(&store).await;
            let before = calls.lock().unwrap().clone();
            let second = advisor_on(Arc::clone(&store), counting, Decider::by_rules());
            let thread = second.thread("kim").unwrap();
            let state = thread.state().await.unwrap();
            let run = if state.checkpoint.is_none() {
                thread.invoke(question()).on_unfinished(Unfinished::Discard)
            } else if state.next().is_empty() {
                continue;
            } else {
                thread.go_on()
            };
            let end = run.await.unwrap().done().unwrap();
            assert_eq!(said(&end), whole, "{death:?} {nth}");
            if state.checkpoint.is_none() {
                continue;
            }
            let after = calls.lock().unwrap().clone();
            for key in &done {
                // "tool NAME#1 {…}" was called as "NAME {…}".
                let (name, parameters) = key["tool ".len()..].split_once(' ').unwrap();
                let call = format!("{} {parameters}", name.split('#').next().unwrap());
                assert_eq!(before[&call], after[&call], "{call} was made again: {death:?} {nth}");
                kept += 1;
            }
        }
    }
    assert!(deaths > 30 && kept > 30, "{deaths} {kept}");
}
