//! The graphs that clients are tested with do what the recorded exchanges show.

#[path = "../../examples/fixtures/graphs/mod.rs"]
mod graphs;

use std::sync::Arc;

use duru::store::MemoryStore;
use duru::{ErasedThread, Event, Mode, Outcome, Run, ThreadId};
use serde_json::{Value, json};

/// A fresh thread of one of the graphs.
fn thread(graph: &str) -> ErasedThread {
    let all = graphs::all().unwrap();
    let graph = all.into_iter().find(|found| found.name() == graph).unwrap();
    graph.on(Arc::new(MemoryStore::new())).thread(ThreadId::random())
}

/// What a run shows, and how it ends.
struct Seen(Vec<Event>, Outcome<Value>);

impl Seen {
    async fn of(run: Run<Value>) -> Self {
        let modes = [Mode::Values, Mode::Updates, Mode::Custom, Mode::Messages];
        let mut stream = run.stream(modes).await.unwrap();
        let mut events = Vec::new();
        while let Some(event) = stream.next().await.unwrap() {
            events.push(event);
        }
        Self(events, stream.outcome().await.unwrap())
    }

    /// The events of one kind in the root graph.
    fn root(&self, mode: Mode) -> Vec<Value> {
        self.events(|event| event.mode == mode && event.ns.is_root())
    }

    /// Those of the graphs below it.
    fn below(&self, mode: Mode) -> Vec<Value> {
        self.events(|event| event.mode == mode && !event.ns.is_root())
    }

    /// What the input wrote is left out, as clients don't see it as an update.
    fn events(&self, wanted: impl Fn(&&Event) -> bool) -> Vec<Value> {
        let shown = self.0.iter().filter(wanted).map(|event| event.data.clone());
        shown.filter(|data| data.get("__start__").is_none()).collect()
    }

    /// The pieces of messages, without where they come from.
    fn chunks(&self) -> Vec<Value> {
        self.root(Mode::Messages).into_iter().map(|mut data| data[0].take()).collect()
    }
}

#[test]
fn the_graphs_have_the_names_that_clients_know() {
    let all = graphs::all().unwrap();
    let names: Vec<&str> = all.iter().map(|graph| graph.name()).collect();
    assert_eq!(names, ["agent", "three", "hitl", "slow", "fail", "parent"]);
}

#[tokio::test]
async fn three_counts() {
    let thread = thread("three");
    let seen = Seen::of(thread.invoke(json!({"x": 1})).unwrap()).await;
    let values = [
        json!({"x": 1, "log": []}),
        json!({"x": 2, "log": ["a"]}),
        json!({"x": 3, "log": ["a", "b"]}),
        json!({"x": 4, "log": ["a", "b", "c"]}),
    ];
    assert_eq!(seen.root(Mode::Values), values);
    assert_eq!(seen.root(Mode::Updates)[1], json!({"b": {"x": 3, "log": ["b"]}}));

    let again = Seen::of(thread.invoke(json!({})).unwrap()).await;
    assert_eq!(again.root(Mode::Values)[0], values[3], "the next input keeps the log");
}

#[tokio::test]
async fn what_nobody_set_is_not_shown() {
    let seen = Seen::of(thread("three").invoke(json!({})).unwrap()).await;
    assert_eq!(seen.root(Mode::Values)[0], json!({"log": []}));
    assert_eq!(seen.root(Mode::Values)[3], json!({"x": 3, "log": ["a", "b", "c"]}));
}

#[tokio::test]
async fn slow_ticks() {
    let seen = Seen::of(thread("slow").invoke(json!({"n": 2, "tick": 0})).unwrap()).await;
    assert_eq!(seen.root(Mode::Custom), [json!({"tick": 0}), json!({"tick": 1})]);
    let values = seen.root(Mode::Values);
    assert_eq!(values[0], json!({"n": 2, "tick": 0, "log": []}));
    assert_eq!(values[2], json!({"n": 2, "tick": 0, "log": ["s1", "s2"]}));
}

#[tokio::test]
async fn fail_fails_with_its_name() {
    let thread = thread("fail");
    let seen = Seen::of(thread.invoke(json!({"x": 1})).unwrap()).await;
    let failure = seen.1.failure().unwrap();
    assert_eq!((failure.name.as_str(), failure.message.as_str()), ("ValueError", "kaboom"));
    let state = thread.log().state().await.unwrap();
    assert_eq!(Value::Object(state.values.clone()), json!({"x": 2, "log": ["a"]}));
    assert_eq!(state.next(), ["boom"]);
}

#[tokio::test]
async fn parent_gets_all_that_its_child_has() {
    let seen = Seen::of(thread("parent").invoke(json!({"x": 1})).unwrap()).await;
    let values =
        [json!({"x": 1, "log": []}), json!({"x": 2, "log": ["a"]}), json!({"x": 3, "log": ["a", "a", "a"]})];
    assert_eq!(seen.root(Mode::Values), values);
    let updates = [json!({"p": {"x": 2, "log": ["a"]}}), json!({"child": {"x": 3, "log": ["a", "a"]}})];
    assert_eq!(seen.root(Mode::Updates), updates);
    let inner = [json!({"x": 2, "log": ["a"]}), json!({"x": 3, "log": ["a", "a"]})];
    assert_eq!(seen.below(Mode::Values), inner);
    assert_eq!(seen.below(Mode::Updates), [json!({"sa": {"x": 3, "log": ["a"]}})]);
}

#[tokio::test]
async fn hitl_asks_and_goes_on() {
    let thread = thread("hitl");
    let seen = Seen::of(thread.invoke(json!({"q": "go"})).unwrap()).await;
    assert_eq!(seen.root(Mode::Custom), [json!({"note": "pre"})]);
    assert_eq!(seen.root(Mode::Values)[..2], [json!({"q": "go"}), json!({"q": "go!"})]);
    let question: Value = seen.1.questions()[0].get().unwrap();
    assert_eq!(question, json!({"question": "approve?", "q": "go!"}));

    let seen = Seen::of(thread.resume("yes".into())).await;
    assert_eq!(seen.root(Mode::Updates)[0], json!({"ask": {"answer": "yes"}}));
    assert_eq!(seen.1.done().unwrap(), json!({"q": "go!", "answer": "yes done"}));
}

#[tokio::test]
async fn hitl_writes_any_answer_as_python_would() {
    let thread = thread("hitl");
    let _ = thread.invoke(json!({})).unwrap().await.unwrap();
    let answer = json!({"it's": [true, null, 1.5], "by": "kim\n"});
    let end = thread.resume(answer).await.unwrap().done().unwrap();
    let text = r#"{'by': 'kim\n', "it's": [True, None, 1.5]} done"#;
    assert_eq!(end, json!({"q": "?!", "answer": text}));
}

#[tokio::test]
async fn agent_streams_its_reply() {
    let input = json!({"messages": [{"role": "user", "content": "hi"}]});
    let seen = Seen::of(thread("agent").invoke(input).unwrap()).await;
    let chunks = seen.chunks();
    let texts: Vec<&str> = chunks.iter().filter_map(|chunk| chunk["content"].as_str()).collect();
    assert_eq!(texts, ["Hel", "lo ", "from fake", "", ""]);
    let id = chunks[0]["id"].as_str().unwrap();
    assert_eq!(id.strip_prefix("lc_run--").map(str::len), Some(36));
    assert!(chunks.iter().all(|chunk| chunk["id"] == id && chunk["type"] == "AIMessageChunk"));
    assert_eq!(chunks[3]["response_metadata"], json!({"finish_reason": "stop", "model_name": "fake-1"}));
    assert_eq!(chunks[3]["usage_metadata"]["total_tokens"], 6);
    assert_eq!((&chunks[3]["chunk_position"], &chunks[4]["chunk_position"]), (&Value::Null, &"last".into()));

    let values = seen.root(Mode::Values);
    let asked = values[0]["messages"][0]["id"].as_str().unwrap();
    assert_eq!(asked.len(), 36, "an input without an id gets one");
    assert_eq!(values[1]["messages"][0]["id"], asked);
    let reply = json!({
        "content": "Hello from fake", "additional_kwargs": {}, "type": "ai", "name": null, "id": id,
        "response_metadata": {"finish_reason": "stop", "model_name": "fake-1"},
        "tool_calls": [], "invalid_tool_calls": [],
        "usage_metadata": {"input_tokens": 3, "output_tokens": 3, "total_tokens": 6},
    });
    assert_eq!(values[1]["messages"][1], reply);
}

#[tokio::test]
async fn agent_calls_a_tool() {
    let input = json!({"messages": [{"role": "user", "content": "use tool"}]});
    let seen = Seen::of(thread("agent").invoke(input).unwrap()).await;
    assert_eq!(seen.root(Mode::Custom), [json!({"progress": "calling tool"})]);

    let chunks = seen.chunks();
    assert_eq!(chunks.len(), 9, "four of the call, five of the text");
    let piece = json!([{"name": "get_weather", "args": "{\"city\":", "id": "call_1", "index": 0, "type": "tool_call_chunk"}]);
    assert_eq!(chunks[0]["tool_call_chunks"], piece);
    let rest = json!([{"name": null, "args": "\"SF\"}", "id": null, "index": 0, "type": "tool_call_chunk"}]);
    assert_eq!(chunks[1]["tool_call_chunks"], rest);
    assert_ne!(chunks[0]["id"], chunks[4]["id"], "each reply has its own id");

    let messages = seen.1.done().unwrap()["messages"].take();
    let kinds: Vec<&str> = messages.as_array().unwrap().iter().filter_map(|m| m["type"].as_str()).collect();
    assert_eq!(kinds, ["human", "ai", "tool", "ai"]);
    let call = json!([{"name": "get_weather", "args": {"city": "SF"}, "id": "call_1", "type": "tool_call"}]);
    assert_eq!(messages[1]["tool_calls"], call);
    let tool = &messages[2];
    assert_eq!((&tool["content"], &tool["name"]), (&"sunny".into(), &"get_weather".into()));
    assert_eq!((&tool["tool_call_id"], &tool["status"]), (&"call_1".into(), &"success".into()));
}
