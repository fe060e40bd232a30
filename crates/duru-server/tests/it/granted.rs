//! The tables that a key may ask about reach its runs, and nothing that a request says adds to them.

use std::sync::Arc;
use std::time::Duration;

use duru::store::MemoryStore;
use duru::{Cx, Deadline, END, ErasedGraph, GrantedTables, Graph, State};
use duru_server::{Keys, NewKey, Server, Stores};
use serde_json::{Value, json};

use crate::served::serve;
use crate::web_checks::{ask, status};

#[derive(State, Clone)]
struct Told {
    tables: Option<Vec<String>>,
}

/// Says which tables its run may ask about.
fn telling(name: &str, waits: bool) -> ErasedGraph {
    let mut g = Graph::<Told>::new(name);
    let tell = g.node("tell", move |_: Arc<Told>, cx: Cx| async move {
        if waits {
            let _: String = cx.interrupt_until("well?", Deadline::after(Duration::ZERO, "now".to_owned()))?;
        }
        let granted = cx.get::<GrantedTables>().ok().map(|granted| granted.0.clone());
        Ok(ToldUpdate::new().tables(granted))
    });
    g.start(tell).edge(tell, END);
    g.compile().expect("the graph is whole").erased()
}

async fn told(address: &str, headers: &str, line: &str, body: Value) -> Value {
    let answer = ask(address, line, headers, Some(&body)).await;
    assert_eq!(status(&answer), 200, "{answer}");
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[tokio::test]
async fn a_run_may_ask_what_its_key_was_granted_whatever_the_request_says() {
    let store = Arc::new(MemoryStore::new());
    let keys = Keys::new(store.clone());
    let key = async |name: &str, tables: Option<&[&str]>| {
        let tables = tables.map(|tables| tables.iter().map(|name| (*name).to_owned()).collect());
        let made = keys.add(NewKey { name: name.into(), tables, ..NewKey::default() }).await.unwrap();
        format!("x-api-key: {}\r\ncontent-type: application/json\r\n", made.0)
    };
    let kim = key("kim", Some(&["orders"])).await;
    // Another key of the same name is another key.
    let wide = key("kim", None).await;
    let lee = key("lee", Some(&[])).await;
    let server = Server::new(Stores::of(store)).graph(telling("tell", false)).graph(telling("wait", true));
    let served = serve(server).await;
    let address = served.client.address();

    let plain = json!({ "assistant_id": "tell", "input": {} });
    let more =
        json!({ "assistant_id": "tell", "input": {}, "metadata": { "granted_tables": ["customers"] } });
    for (headers, granted) in [(&kim, json!(["orders"])), (&wide, Value::Null), (&lee, json!([]))] {
        for body in [&plain, &more] {
            assert_eq!(told(address, headers, "POST /runs/wait", body.clone()).await["tables"], granted);
        }
        let metadata = json!({ "metadata": { "granted_tables": ["customers"] } });
        let thread = told(address, headers, "POST /threads", metadata).await;
        let line = format!("POST /threads/{}/runs/wait", thread["thread_id"].as_str().unwrap());
        assert_eq!(told(address, headers, &line, more.clone()).await["tables"], granted);
    }

    // A question whose time is over goes on as the run that asked it, though the thread is of the wide key.
    let thread = told(address, &wide, "POST /threads", json!({})).await;
    let id = thread["thread_id"].as_str().unwrap().to_owned();
    let waits = json!({ "assistant_id": "wait", "input": {} });
    told(address, &kim, &format!("POST /threads/{id}/runs/wait"), waits).await;
    let give_up = std::time::Instant::now() + crate::client::PATIENCE;
    let values = loop {
        let answer = ask(address, &format!("GET /threads/{id}/state"), &kim, None).await;
        let state: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        if state["next"] == json!([]) && state["values"].get("tables").is_some_and(|tables| !tables.is_null())
        {
            break state["values"].clone();
        }
        assert!(std::time::Instant::now() < give_up, "{state}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(values["tables"], json!(["orders"]));
}
