//! What threads can be told when they are made: how long they are kept, and their past.

use serde_json::json;

use crate::served::served;

#[tokio::test]
async fn how_long_a_thread_is_kept_is_told_to_whoever_asks() {
    let served = served().await;
    let client = &served.client;
    for (ttl, minutes, strategy) in [
        (json!(60), json!(60.0), "delete"),
        (json!({ "ttl": 1.5, "strategy": "keep_latest" }), json!(1.5), "keep_latest"),
    ] {
        let thread = client.post("/threads", json!({ "ttl": ttl })).await.expect(200);
        assert!(thread.get("ttl").is_none(), "{thread}");
        let path = format!("/threads/{}", thread["thread_id"].as_str().unwrap());
        let shown = client.get(&format!("{path}?include=ttl")).await.expect(200);
        assert_eq!(
            (&shown["ttl"]["ttl_minutes"], &shown["ttl"]["strategy"]),
            (&minutes, &json!(strategy)),
            "{shown}"
        );
        assert!(shown["ttl"]["expires_at"].as_str() > shown["created_at"].as_str(), "{shown}");
    }
    let thread = client.post("/threads", json!({})).await.expect(200);
    let path = format!("/threads/{}", thread["thread_id"].as_str().unwrap());
    assert_eq!(client.get(&format!("{path}?include=ttl")).await.expect(200)["ttl"], json!(null));
    client.send("PATCH", &path, Some(json!({ "ttl": 5 }))).await.expect(200);
    assert_eq!(client.get(&format!("{path}?include=ttl")).await.expect(200)["ttl"]["ttl_minutes"], 5.0);
    for wrong in [json!(0), json!(-1), json!("soon"), json!({ "ttl": 1, "strategy": "burn" })] {
        assert_eq!(client.post("/threads", json!({ "ttl": wrong })).await.status, 422, "{wrong}");
    }
}

#[tokio::test]
async fn a_thread_can_be_made_with_its_past_and_goes_on_from_there() {
    let served = served().await;
    let client = &served.client;
    let update = |node: &str, n: u32| json!({ "updates": [{ "values": { "n": n }, "as_node": node }] });
    let steps = json!([update("__input__", 0), update("add", 1), update("add", 2)]);
    let made = json!({ "metadata": { "graph_id": "count" }, "supersteps": steps });
    let thread = client.post("/threads", made).await.expect(200);
    assert_eq!(thread["values"]["n"], 2, "{thread}");
    let path = format!("/threads/{}", thread["thread_id"].as_str().unwrap());
    let history = client.post(&format!("{path}/history"), json!({ "limit": 10 })).await.expect(200);
    let seen: Vec<_> = history.as_array().unwrap().iter().map(|state| state["values"]["n"].clone()).collect();
    assert_eq!(seen, [json!(2), json!(1), json!(null)], "an input that waits is not taken in");
    let storage = client.get(&format!("{path}/storage")).await.expect(200);
    assert_eq!(storage["checkpoints"], 3, "{storage}");
    assert!(storage["bytes"].as_u64().unwrap() > 0 && storage["events"].as_u64().unwrap() > 0, "{storage}");
    // Three is where it ends.
    let run = json!({ "assistant_id": "count" });
    let values = client.post(&format!("{path}/runs/wait"), run).await.expect(200);
    assert_eq!(values["n"], 3, "{values}");
    let more = client.get(&format!("{path}/storage")).await.expect(200);
    assert!(more["bytes"].as_u64() > storage["bytes"].as_u64(), "{more}");

    let id = "11111111-2222-4333-8444-555555555555";
    for (wrong, status) in [
        (json!({ "supersteps": [update("add", 1)] }), 422),
        (json!({ "metadata": { "graph_id": "count" }, "supersteps": [update("nobody", 1)] }), 400),
        (json!({ "metadata": { "graph_id": "count" }, "supersteps": [{ "updates": [] }] }), 400),
        (
            json!({ "metadata": { "graph_id": "count" }, "supersteps":
                [{ "updates": [{ "values": { "n": "no number" }, "as_node": "add" }] }] }),
            422,
        ),
    ] {
        let mut wrong = wrong;
        wrong["thread_id"] = json!(id);
        let answer = client.post("/threads", wrong.clone()).await;
        assert!(
            answer.status == status || answer.status == 400,
            "{wrong}: {} {}",
            answer.status,
            answer.text
        );
        assert_eq!(client.get(&format!("/threads/{id}")).await.status, 404, "nothing is left of {wrong}");
    }
    assert_eq!(client.get(&format!("/threads/{id}/storage")).await.status, 404);
}

/// It was added up to more than there is.
#[tokio::test]
async fn a_page_far_beyond_the_end_is_empty() {
    let served = served().await;
    let client = &served.client;
    client.post("/threads", json!({})).await.expect(200);
    for search in [json!({ "offset": u64::MAX }), json!({ "offset": u64::MAX, "values": { "n": 1 } })] {
        for path in ["/threads/search", "/assistants/search", "/runs/crons/search"] {
            assert_eq!(client.post(path, search.clone()).await.expect(200), json!([]), "{path} {search}");
        }
    }
}
