//! The advisor on embedded tools, at a known time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use duru::store::{Checkpoints, MemoryStore};
use duru::{App, Outcome};
use duru_agents::advisor::tools::embedded::Sources;
use duru_agents::advisor::tools::{Error, Found, Parameters, Tool, Tools, Used};
use duru_agents::advisor::{Advice, Inquiry, Toolbox, graph};
use duru_llm::decision::Decider;

pub(crate) type Advisor = App<Advice, Inquiry>;

pub(crate) const NOW: &str = "2026-05-13T10:00:00+09:00";

/// How often each tool was called, and with what.
pub(crate) type Calls = Arc<Mutex<BTreeMap<String, usize>>>;

/// A tool that is counted.
pub(crate) struct Counted {
    inner: Arc<dyn Tool>,
    calls: Calls,
}

#[async_trait]
impl Tool for Counted {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn call(&self, parameters: &Parameters, given: &[Used]) -> Result<Found, Error> {
        let key = format!("{} {}", self.name(), serde_json::to_string(parameters).unwrap());
        *self.calls.lock().unwrap().entry(key).or_default() += 1;
        self.inner.call(parameters, given).await
    }
}

pub(crate) fn sources() -> Sources {
    Sources::built_in(jiff::civil::date(2026, 5, 13))
}

pub(crate) fn counted(tools: Tools) -> (Tools, Calls) {
    let calls = Calls::default();
    let tools = {
        let calls = calls.clone();
        tools.map(move |inner| Arc::new(Counted { inner, calls: calls.clone() }))
    };
    (tools, calls)
}

pub(crate) fn advisor() -> Advisor {
    advisor_on(Arc::new(MemoryStore::new()), Toolbox::new(&sources()), Decider::by_rules())
}

/// Whose searches are always slow enough for the person to be asked instead.
pub(crate) fn patient() -> Toolbox {
    let mut toolbox = Toolbox::new(&sources());
    toolbox.bounds.worth_asking = std::time::Duration::ZERO;
    toolbox
}

pub(crate) fn advisor_on(store: Arc<dyn Checkpoints>, toolbox: Toolbox, decider: Decider) -> Advisor {
    graph(toolbox).unwrap().provide(decider).on(store)
}

pub(crate) fn asks(question: &str) -> Inquiry {
    Inquiry { now: Some(NOW.into()), ..Inquiry::question(question) }
}

/// Asks to the end.
pub(crate) async fn answer(advisor: &Advisor, thread: &str, inquiry: Inquiry) -> Arc<Advice> {
    match advisor.thread(thread).unwrap().invoke(inquiry).await.unwrap() {
        Outcome::Done(end) => end,
        other => panic!("not done: {other:?}"),
    }
}

pub(crate) fn said(end: &Advice) -> &str {
    &end.final_response.as_ref().unwrap().text
}
