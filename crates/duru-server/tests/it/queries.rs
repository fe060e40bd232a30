//! What stands behind the question mark, as clients write it.

use serde_json::{Value, json};

use crate::client::Client;
use crate::served::served;

/// A thread on which so many runs have ended.
async fn thread_with_runs(client: &Client, count: usize) -> String {
    let thread = client.post("/threads", json!({})).await.expect(200)["thread_id"].take();
    let thread = thread.as_str().unwrap().to_owned();
    for _ in 0..count {
        let run = json!({ "assistant_id": "count", "input": { "n": 0 } });
        client.post(&format!("/threads/{thread}/runs/wait"), run).await.expect(200);
    }
    thread
}

/// The names of the fields of the first of a list.
fn fields(list: &Value) -> Vec<&str> {
    list[0].as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn an_empty_select_asks_for_whole_runs() {
    let served = served().await;
    let client = &served.client;
    let runs = format!("/threads/{}/runs", thread_with_runs(client, 1).await);
    let whole = client.get(&runs).await.expect(200);
    assert!(fields(&whole).len() > 5, "{whole}");
    assert_eq!(client.get(&format!("{runs}?select=")).await.expect(200), whole);
    let one = client.get(&format!("{runs}?select=&select=run_id")).await.expect(200);
    assert_eq!(fields(&one), ["run_id"]);
    let two = client.get(&format!("{runs}?select=run_id&select=status")).await.expect(200);
    assert_eq!(fields(&two), ["run_id", "status"]);
}

#[tokio::test]
async fn the_last_of_several_numbers_counts() {
    let served = served().await;
    let client = &served.client;
    let runs = format!("/threads/{}/runs", thread_with_runs(client, 3).await);
    for (query, count) in
        [("limit=1&limit=2", 2), ("limit=2&limit=1", 1), ("limit=1&limit=", 1), ("limit=", 3)]
    {
        let found = client.get(&format!("{runs}?{query}")).await.expect(200);
        assert_eq!(found.as_array().unwrap().len(), count, "{query}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_parameter_is_said_plainly() {
    let served = served().await;
    let client = &served.client;
    let runs = format!("/threads/{}/runs", thread_with_runs(client, 0).await);
    let said = async |query: &str| client.get(&format!("{runs}?{query}")).await.detail(422);
    assert_eq!(said("limit=x").await, "limit must be a number, not \"x\"");
    assert_eq!(said("offset=-1").await, "offset must be a number, not \"-1\"");
    assert_eq!(client.get("/store/items").await.detail(422), "\"key\" is a required parameter");
}
