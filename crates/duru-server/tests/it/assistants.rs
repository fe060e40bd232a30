use serde_json::{Value, json};

use crate::served::served;

fn id_of(assistant: &Value) -> String {
    assistant["assistant_id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn an_assistant_is_made_read_and_removed() {
    let served = served().await;
    let client = &served.client;
    let new = json!({ "graph_id": "count", "config": { "configurable": { "z": 1 } }, "metadata": { "k": 1 },
                      "name": "my", "unknown": true });
    let made = client.post("/assistants", new).await.expect(200);
    assert_eq!(made["context"], json!({ "z": 1 }), "both names of one thing");
    assert_eq!(
        (&made["version"], &made["name"], &made["description"]),
        (&json!(1), &json!("my"), &Value::Null)
    );
    let id = id_of(&made);
    let path = format!("/assistants/{id}");
    assert_eq!(client.get(&path).await.expect(200), made);

    let again = json!({ "graph_id": "count", "assistant_id": id });
    let detail = client.post("/assistants", again.clone()).await.detail(409);
    assert_eq!(detail, format!("Assistant {id} already exists"));
    let mut again = again;
    again["if_exists"] = "do_nothing".into();
    assert_eq!(client.post("/assistants", again).await.expect(200), made);

    let unknown = client.post("/assistants", json!({ "graph_id": "nope" })).await.detail(404);
    assert_eq!(unknown, "Graph 'nope' not found. Expected one of: ['count', 'parent']");
    assert_eq!(client.delete(&path).await.expect(204), Value::Null);
    client.get(&path).await.detail(404);
    client.delete(&path).await.detail(404);
}

#[tokio::test]
async fn wrong_requests_are_refused_and_say_why() {
    let served = served().await;
    let client = &served.client;
    client.get("/assistants/parent").await.detail(422);
    client.get("/assistants/parent/schemas").await.detail(422);
    client.post("/assistants", json!({})).await.detail(422);
    client.post("/assistants/search", json!({ "limit": -1 })).await.detail(422);
    client.post("/assistants/search", json!({ "sort_by": "shoe size" })).await.detail(422);
    let nul = json!({ "graph_id": "count", "metadata": { "a": ["\0"] } });
    assert!(client.post("/assistants", nul).await.detail(422).contains("NUL"));
    let both =
        json!({ "graph_id": "count", "context": { "a": 1 }, "config": { "configurable": { "a": 2 } } });
    client.post("/assistants", both).await.detail(400);
    let broken = client.raw("POST", "/assistants/search", "text/plain", Some("{")).await.expect("an answer");
    assert_eq!(broken.detail(422), "Invalid JSON in request body");
    let found = client.post("/assistants/search", json!({ "graph_id": "count" })).await.expect(200);
    client.delete(&format!("/assistants/{}", id_of(&found[0]))).await.detail(409);
}

#[tokio::test]
async fn searches_are_filtered_sorted_and_paged() {
    let served = served().await;
    let client = &served.client;
    for name in ["Beta", "alphabet", "gamma"] {
        let new = json!({ "graph_id": "count", "name": name, "metadata": { "mine": true, "name": name } });
        client.post("/assistants", new).await.expect(200);
    }
    let body = r#"{"metadata":{"created_by":"system"}}"#;
    let system = client.raw("POST", "/assistants/search", "text/plain", Some(body)).await.expect("an answer");
    assert_eq!(system.header("x-pagination-total"), Some("2"), "one for each graph");
    assert_eq!(system.header("x-pagination-next"), None);

    let page = json!({ "metadata": { "mine": true }, "sort_by": "name", "sort_order": "asc", "limit": 2,
                       "select": ["name"] });
    let page = client.post("/assistants/search", page).await;
    assert_eq!((page.header("x-pagination-total"), page.header("x-pagination-next")), (Some("3"), Some("2")));
    assert_eq!(page.expect(200), json!([{ "name": "Beta" }, { "name": "alphabet" }]));

    let part = json!({ "name": "BET", "sort_by": "name", "select": ["name"], "limit": 1 });
    let part = client.post("/assistants/search", part).await;
    assert_eq!((part.header("x-pagination-total"), part.header("x-pagination-next")), (Some("2"), Some("1")));
    assert_eq!(part.expect(200), json!([{ "name": "alphabet" }]));

    assert_eq!(client.post("/assistants/count", json!({ "graph_id": "count" })).await.expect(200), json!(4));
    assert_eq!(client.post("/assistants/count", json!({ "name": "bet" })).await.expect(200), json!(2));
}

#[tokio::test]
async fn every_version_is_kept_and_can_be_used_again() {
    let served = served().await;
    let client = &served.client;
    let new = json!({ "graph_id": "count", "context": { "z": 1 }, "metadata": { "k": 1 }, "name": "my" });
    let path = format!("/assistants/{}", id_of(&client.post("/assistants", new).await.expect(200)));
    let change = json!({ "context": { "q": 2 }, "name": "my2", "description": "d", "metadata": { "l": 2 } });
    let second = client.send("PATCH", &path, Some(change)).await.expect(200);
    assert_eq!((&second["version"], &second["metadata"]), (&json!(2), &json!({ "k": 1, "l": 2 })));
    assert_eq!(second["config"], json!({ "configurable": { "q": 2 } }));

    let all = client.post(&format!("{path}/versions"), json!({})).await.expect(200);
    let numbers =
        |rows: &Value| rows.as_array().map(|rows| rows.iter().map(|row| row["version"].clone()).collect());
    assert_eq!(numbers(&all), Some(vec![json!(2), json!(1)]));
    assert_eq!((&all[0]["name"], &all[1]["name"]), (&json!("my2"), &json!("my")));

    let first = client.post(&format!("{path}/latest"), json!({ "version": 1 })).await.expect(200);
    assert_eq!((&first["version"], &first["context"]), (&json!(1), &json!({ "z": 1 })));
    assert_eq!(first["config"], json!({ "configurable": { "z": 1 } }));
    assert_eq!((&first["name"], &first["metadata"]), (&json!("my"), &json!({ "k": 1 })));
    client.post(&format!("{path}/latest"), json!({ "version": 9 })).await.detail(404);

    let third = client.send("PATCH", &path, Some(json!({ "name": "my3" }))).await.expect(200);
    assert_eq!(third["version"], 3, "a number is never used twice");
    for (offset, expected) in [(0, vec![3, 2]), (1, vec![2, 1]), (2, vec![1])] {
        let page = json!({ "limit": 2, "offset": offset });
        let page = client.post(&format!("{path}/versions"), page).await.expect(200);
        assert_eq!(numbers(&page), Some(expected.into_iter().map(Value::from).collect()));
    }
}

#[tokio::test]
async fn changes_at_the_same_time_all_count() {
    let served = served().await;
    let made = served.client.post("/assistants", json!({ "graph_id": "count" })).await.expect(200);
    let path = format!("/assistants/{}", id_of(&made));
    let mut changes = tokio::task::JoinSet::new();
    for i in 0..8 {
        let (client, path) = (served.client.clone(), path.clone());
        changes.spawn(async move {
            let change = json!({ "metadata": { format!("k{i}"): i } });
            client.send("PATCH", &path, Some(change)).await.expect(200);
        });
    }
    while let Some(change) = changes.join_next().await {
        change.expect("it was accepted");
    }
    let end = served.client.get(&path).await.expect(200);
    assert_eq!((&end["version"], end["metadata"].as_object().map(|all| all.len())), (&json!(9), Some(8)));
    let versions = served.client.post(&format!("{path}/versions"), json!({ "limit": 20 })).await.expect(200);
    assert_eq!(versions.as_array().map(Vec::len), Some(9));
}

#[tokio::test]
async fn a_graph_is_drawn_and_described() {
    let served = served().await;
    let client = &served.client;
    let runnable = |id: &str| json!({ "id": id, "type": "runnable", "data": { "name": id } });
    let count = client.get("/assistants/count/graph").await.expect(200);
    assert_eq!(count["nodes"], json!([runnable("__start__"), runnable("add"), { "id": "__end__" }]));
    let edges = count["edges"].as_array().expect("edges");
    assert!(
        edges.contains(&json!({ "source": "add", "target": "__end__", "conditional": true })),
        "{edges:?}"
    );

    let closed = client.get("/assistants/parent/graph?xray=false").await.expect(200);
    assert_eq!(closed["nodes"][2], runnable("child"));
    let open = json!({
        "nodes": [runnable("__start__"), runnable("first"), runnable("child:step"), { "id": "__end__" }],
        "edges": [{ "source": "__start__", "target": "first" }, { "source": "first", "target": "child:step" },
                  { "source": "child:step", "target": "__end__" }],
    });
    for xray in ["true", "1"] {
        assert_eq!(client.get(&format!("/assistants/parent/graph?xray={xray}")).await.expect(200), open);
    }
    client.get("/assistants/parent/graph?xray=much").await.detail(422);
    client.get("/assistants/nope/graph").await.detail(404);

    let found = client.post("/assistants/search", json!({ "graph_id": "count" })).await.expect(200);
    let schemas = client.get(&format!("/assistants/{}/schemas", id_of(&found[0]))).await.expect(200);
    assert_eq!(schemas["graph_id"], "count");
    assert!(schemas["state_schema"]["properties"]["n"].is_object(), "{schemas}");
    assert!(schemas["context_schema"]["properties"]["by"].is_object(), "{schemas}");

    let inner = client.get("/assistants/parent/subgraphs?recurse=true").await.expect(200);
    assert!(inner["child"]["state_schema"]["properties"]["n"].is_object(), "{inner}");
    assert_eq!(client.get("/assistants/parent/subgraphs/child").await.expect(200), inner);
    assert_eq!(client.get("/assistants/parent/subgraphs/other").await.expect(200), json!({}));
}
