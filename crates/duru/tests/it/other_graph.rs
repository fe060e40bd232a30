//! Several graphs on one store.

use std::sync::Arc;

use duru::store::{Checkpoints, MemoryStore};
use duru::{App, Cx, END, Error, Graph, Outcome, State, Unfinished};

#[derive(State, Clone)]
struct Note {
    said: String,
}

fn app(name: &str, store: &Arc<dyn Checkpoints>) -> App<Note> {
    let mut g = Graph::<Note>::new(name);
    let by = name.to_owned();
    let ask = g.node("ask", move |_: Arc<Note>, cx: Cx| {
        let by = by.clone();
        async move {
            let yes: bool = cx.interrupt("sure?")?;
            Ok(NoteUpdate::new().said(format!("{by} {yes}")))
        }
    });
    g.start(ask).edge(ask, END);
    g.compile().unwrap().on(Arc::clone(store))
}

/// Two graphs with nodes of the same names: neither runs the other's step.
#[tokio::test]
async fn a_step_of_another_graph_is_never_run_by_mistake() {
    let store: Arc<dyn Checkpoints> = Arc::new(MemoryStore::new());
    let one = app("one", &store).thread("t").unwrap();
    let two = app("two", &store).thread("t").unwrap();
    assert!(matches!(one.invoke(NoteUpdate::new()).await.unwrap(), Outcome::Paused(_)));
    for refused in [two.resume(true).await, two.invoke(NoteUpdate::new()).await, two.go_on().await] {
        let text = refused.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(text.contains("\"one\", not of \"two\""), "{text}");
    }
    assert_eq!(one.resume(true).await.unwrap().done().unwrap().said, "one true");
    // An idle thread may be taken up by any graph of the same state.
    assert!(matches!(two.invoke(NoteUpdate::new()).await.unwrap(), Outcome::Paused(_)));
    assert!(matches!(one.go_on().await, Err(Error::OtherGraph { .. })));
    let given_up = one.invoke(NoteUpdate::new()).on_unfinished(Unfinished::Discard).await.unwrap();
    assert!(matches!(given_up, Outcome::Paused(_)));
}
