use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{Cx, END, Graph, Result, State};

use super::*;

fn event(seq: Seq, ns: &str, mode: Mode, data: Value) -> Event {
    Event { seq, at_ms: 12, ns: Namespace::from_stored(ns), run: RunId::from_u128(7), mode, data }
}

/// `[number, method, data]` of each frame.
fn told(events: &[Event]) -> Value {
    let mut mapper = Mapper::default();
    let frames = events.iter().flat_map(|event| mapper.map(event));
    frames.map(|out| json!([out.place.id(12), out.method, out.data])).collect()
}

fn begin(seq: Seq, source: &str) -> Event {
    event(seq, "", Mode::Runs, json!({ "type": "begin", "graph": "g", "source": source, "metadata": {} }))
}

fn end(seq: Seq, status: &str) -> Event {
    event(seq, "", Mode::Runs, json!({ "type": "end", "status": status, "error": { "cause": "kaboom" } }))
}

#[test]
fn a_question_is_asked_and_its_values_shown_without_it() {
    let question = json!([{ "id": "b3", "value": { "q": 1 }, "node": "ask" }]);
    let events = [
        begin(0, "input"),
        event(1, "", Mode::Values, json!({ "q": 1 })),
        event(2, "", Mode::Checkpoints, json!({ "id": "c1", "parent": null, "step": 0, "source": "input" })),
        event(6, "", Mode::Updates, json!({ "__interrupt__": question })),
        event(9, "", Mode::Values, json!({ "q": 1, "__interrupt__": question })),
        end(10, "paused"),
    ];
    let expected = json!([
        ["12-0", "lifecycle", { "event": "running", "graph_name": "g" }],
        ["12-2", "checkpoints", { "id": "c1", "step": 0, "source": "input" }],
        ["12-2.1", "values", { "q": 1 }],
        ["12-6", "input.requested", { "interrupt_id": "b3", "payload": { "q": 1 } }],
        ["12-9", "values", { "q": 1 }],
        ["12-10", "lifecycle", { "event": "interrupted", "graph_name": "g" }],
    ]);
    assert_eq!(told(&events), expected);
}

#[test]
fn a_run_that_others_took_up_is_one_run() {
    let events = [begin(0, "input"), end(1, "drained"), begin(2, "continue"), end(3, "failed")];
    let expected = json!([
        ["12-0", "lifecycle", { "event": "running", "graph_name": "g" }],
        ["12-3", "lifecycle", { "event": "failed", "graph_name": "g", "error": "kaboom" }],
    ]);
    assert_eq!(told(&events), expected);
}

#[test]
fn a_change_from_outside_is_no_run() {
    let events = [begin(0, "update"), event(1, "", Mode::Custom, json!(1))];
    assert_eq!(told(&events), json!([["12-1", "custom", { "payload": 1 }]]));
}

#[test]
fn a_message_ends_once() {
    let piece = |seq, text: &str, last: Value| {
        let piece = json!({ "type": "AIMessageChunk", "id": "m", "content": text, "chunk_position": last });
        event(seq, "", Mode::Messages, json!([piece, { "node": "n" }]))
    };
    let written = |seq| {
        let message = json!({ "type": "ai", "id": "m", "content": "Hello" });
        event(seq, "", Mode::Updates, json!({ "n": { "messages": [message] } }))
    };
    let events = |events: &[Event]| {
        let frames = told(events);
        let frames = frames.as_array().cloned().unwrap_or_default();
        let of_messages = frames.iter().filter(|frame| frame[1] == "messages");
        of_messages.map(|frame| frame[2]["event"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let all = [
        "message-start",
        "content-block-start",
        "content-block-delta",
        "content-block-finish",
        "message-finish",
    ];
    // Whether the model says that it has ended, or only its node, or nobody.
    assert_eq!(events(&[piece(1, "Hello", json!("last")), written(2)]), all);
    assert_eq!(events(&[piece(1, "Hello", json!(null)), written(2)]), all);
    assert_eq!(events(&[begin(0, "input"), piece(1, "Hello", json!(null)), end(2, "done")]), all);
    let cut = events(&[begin(0, "input"), piece(1, "Hello", json!(null)), end(2, "failed")]);
    assert_eq!(cut, ["message-start", "content-block-start", "content-block-delta", "error"]);
}

#[derive(State, Clone)]
struct Count {
    x: i64,
}

async fn add(count: Arc<Count>, _: Cx) -> Result<CountUpdate> {
    Ok(CountUpdate::new().x(count.x + 1))
}

/// A reader with values and one without hear of a subgraph by different events,
/// and have to give its frames the same numbers.
#[tokio::test]
async fn all_readers_number_alike() {
    for shares in [true, false] {
        number_alike(shares).await;
    }
}

async fn number_alike(shares: bool) {
    let mut child = Graph::<Count>::new("child");
    let sa = child.node("sa", add);
    child.start(sa).edge(sa, END);
    let child = child.compile().expect("a graph");
    let mut parent = Graph::<Count>::new("parent");
    let p = parent.node("p", add);
    // One with a state of its own begins with its input, the other with a task.
    let enter = |outer: &Count| CountUpdate::new().x(outer.x);
    let inner = match shares {
        true => parent.embed("child", &child),
        false => parent.subgraph("child", &child, enter, |end: Arc<Count>| CountUpdate::new().x(end.x)),
    };
    parent.start(p).edge(p, inner).edge(inner, END);
    let app = parent.compile().expect("a graph").erased().on(Arc::new(MemoryStore::new()));
    let thread = app.thread(duru::ThreadId::new("t").expect("an id"));
    let ran = thread.invoke(json!({ "x": 1 })).expect("input").await;
    assert!(ran.is_ok());

    let mut seen = Vec::new();
    for channels in [json!(["values", "lifecycle"]), json!(["lifecycle"])] {
        let filter = crate::stream::v2::Filter::of(&json!({ "channels": channels })).expect("a filter");
        let mut reader = thread.log().events(0, filter.modes()).await.expect("a reader");
        let (mut mapper, mut frames) = (Mapper::default(), Vec::new());
        while let Some(event) = reader.next_ready().await.expect("an event") {
            let outs: Vec<Out> = mapper.map(&event);
            frames.extend(
                outs.into_iter()
                    .filter(|out| out.method == "lifecycle")
                    .map(|out| (out.place, out.data["event"].clone())),
            );
        }
        seen.push(frames);
    }
    assert_eq!(seen[0], seen[1]);
    let words: Vec<&Value> = seen[0].iter().map(|(_, word)| word).collect();
    assert_eq!(words, ["running", "started", "completed", "completed"]);
    assert!(seen[0].is_sorted_by_key(|(place, _)| *place));
}

#[test]
fn a_tool_is_told_as_it_is_called_or_else_by_what_it_answered() {
    let call = json!({ "type": "ai", "id": "m", "content": "",
                       "tool_calls": [{ "id": "c1", "name": "look", "args": { "a": 1 }, "type": "tool_call" }] });
    let answer = json!({ "type": "tool", "id": "t", "name": "look", "tool_call_id": "c1", "content": "found",
                         "status": "success" });
    let failed = json!({ "type": "tool", "id": "u", "name": "buy", "tool_call_id": "c2", "content": "no money",
                         "status": "error" });
    let started =
        json!({ "event": "tool-started", "tool_call_id": "c1", "tool_name": "look", "input": { "a": 1 } });
    let ended = json!({ "event": "tool-finished", "tool_call_id": "c1", "output": "found" });
    let tools = |events: &[Event]| -> Value {
        let all = told(events);
        all.as_array()
            .unwrap()
            .iter()
            .filter(|frame| frame[1] == "tools")
            .map(|frame| frame[2].clone())
            .collect()
    };
    let called = event(1, "", Mode::Updates, json!({ "agent": { "messages": [call] } }));
    let answered = event(9, "", Mode::Updates, json!({ "tools": { "messages": [answer, failed] } }));
    // Told by the node: once, when it happens.
    let live = [
        begin(0, "input"),
        called.clone(),
        event(4, "", Mode::Tools, started.clone()),
        event(5, "", Mode::Tools, ended.clone()),
        answered.clone(),
    ];
    let buy = [
        json!({ "event": "tool-started", "tool_call_id": "c2", "tool_name": "buy", "input": null }),
        json!({ "event": "tool-error", "tool_call_id": "c2", "message": "no money" }),
    ];
    assert_eq!(tools(&live), json!([started, ended, buy[0], buy[1]]));
    // Otherwise by the message that it left.
    let told = tools(&[begin(0, "input"), called, answered]);
    assert_eq!((&told[0], &told[1]["event"]), (&started, &json!("tool-finished")));
    assert_eq!(told[1]["output"]["content"], "found");
    assert_eq!(told.as_array().unwrap()[2..], buy);
}
