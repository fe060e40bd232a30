//! What the tests of several agents share.

use std::sync::Arc;

use duru::store::{Checkpoints, MemoryStore};
use duru::testkit::crash::{CrashStore, Death};
use duru::{App, Outcome, State, Unfinished};
use duru_agents::decisions::registry;
use duru_llm::Settings;
use duru_llm::decision::{Decider, Setup};
use duru_llm::fake::Fake;

/// Decides with the fake provider's model, in the format of `wire`: `openai:m`, `anthropic:m`.
pub(crate) fn decider(fake: &Fake, wire: &str) -> Decider {
    let get = |name: &str| if name == "DURU_MODEL" { Some(wire.to_owned()) } else { fake.variable(name) };
    Decider::new(Settings::read(get).unwrap().unwrap().model().unwrap())
}

/// Decides as a program does that was told of this model and nothing else.
pub(crate) fn as_set_up(fake: &Fake, model: &str) -> Decider {
    let get = |name: &str| if name == "DURU_MODEL" { Some(model.to_owned()) } else { fake.variable(name) };
    Setup::read(get, &registry()).unwrap().decider()
}

/// How often a model was told what was planted. It must always stand in a fence.
pub(crate) fn fenced(text: &str, planted: &str) -> usize {
    let places = text.match_indices(planted).map(|(at, _)| {
        let (before, after) = text.split_at(at);
        let opened = before.rfind("<untrusted-data>").expect("it stands in a fence");
        assert!(!before[opened..].contains("</untrusted-data>"), "the fence was closed before");
        assert!(after.contains("</untrusted-data>"));
    });
    places.count()
}

/// Lets a run die before and after every call of its store, lets another
/// process go on, and shows where it ended.
pub(crate) async fn dies_at_every_call<S, I>(
    app_on: impl Fn(Arc<dyn Checkpoints>) -> App<S, I>,
    question: impl Fn() -> I,
    ended_well: impl Fn(&S, &str),
) where
    S: State,
    I: Send + 'static,
{
    let mut deaths = 0;
    for death in [Death::Before, Death::After] {
        for nth in 1.. {
            let store: Arc<dyn Checkpoints> = Arc::new(MemoryStore::new());
            let dying = Arc::new(CrashStore::new(Arc::clone(&store), nth, death));
            let first = app_on(Arc::clone(&dying) as Arc<dyn Checkpoints>);
            let ended = first.thread("kim").unwrap().invoke(question()).await;
            if !dying.died() {
                assert!(matches!(ended, Ok(Outcome::Done(_))));
                break;
            }
            deaths += 1;
            drop(first);
            let second = app_on(Arc::clone(&store));
            let thread = second.thread("kim").unwrap();
            let state = thread.state().await.unwrap();
            let run = if state.checkpoint.is_none() {
                // It died before anything was acknowledged: the question is asked again.
                thread.invoke(question()).on_unfinished(Unfinished::Discard)
            } else if state.next().is_empty() {
                continue;
            } else {
                thread.go_on()
            };
            ended_well(&*run.await.unwrap().done().unwrap(), &format!("{death:?} {nth}"));
        }
    }
    assert!(deaths > 15, "{deaths}");
}
