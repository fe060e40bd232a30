use serde_json::{Value, json};

use crate::served::served;

#[tokio::test]
async fn items_are_kept_read_found_and_forgotten() {
    let served = served().await;
    let client = &served.client;
    let item = json!({ "namespace": ["a", "b"], "key": "k1", "value": { "v": 1, "text": "hello" } });
    assert_eq!(client.send("PUT", "/store/items", Some(item)).await.expect(204), Value::Null);
    let other =
        json!({ "namespace": ["a", "b"], "key": "k2", "value": { "v": 2 }, "index": false, "ttl": 10 });
    client.send("PUT", "/store/items", Some(other)).await.expect(204);

    let read = client.get("/store/items?namespace=a.b&key=k1").await.expect(200);
    assert_eq!((&read["namespace"], &read["value"]["v"]), (&json!(["a", "b"]), &json!(1)));
    let missing = client.get("/store/items?namespace=a.b&key=zz").await;
    assert_eq!((missing.status, missing.text.as_str()), (200, "null"));

    let wanted = json!({ "namespace_prefix": ["a"], "filter": { "v": 1 }, "limit": 5, "offset": 0 });
    let found = client.post("/store/items/search", wanted).await.expect(200);
    assert_eq!(found["items"].as_array().map(Vec::len), Some(1));
    assert_eq!((&found["items"][0]["key"], &found["items"][0]["score"]), (&json!("k1"), &Value::Null));
    let found = client.post("/store/items/search", json!({ "query": "hello" })).await.expect(200);
    assert!(found["items"][0]["score"].as_f64().is_some_and(|score| score > 0.0), "{found}");

    let wanted = json!({ "prefix": ["a"], "max_depth": 1, "limit": 100, "offset": 0 });
    let namespaces = client.post("/store/namespaces", wanted).await.expect(200);
    assert_eq!(namespaces, json!({ "namespaces": [["a"]] }));

    for _ in 0..2 {
        let at = json!({ "namespace": ["a", "b"], "key": "k1" });
        client.send("DELETE", "/store/items", Some(at)).await.expect(204);
    }
    assert_eq!(client.get("/store/items?namespace=a.b&key=k1").await.expect(200), Value::Null);
}

#[tokio::test]
async fn an_item_lives_as_long_as_it_is_said_and_read() {
    let served = served().await;
    let client = &served.client;
    // Half a second, as clients say it.
    let item = json!({ "namespace": ["n"], "key": "k", "value": {}, "ttl": 0.5 / 60.0 });
    client.send("PUT", "/store/items", Some(item)).await.expect(204);
    let nap = || tokio::time::sleep(std::time::Duration::from_millis(300));
    for _ in 0..3 {
        nap().await;
        let read = client.get("/store/items?namespace=n&key=k").await.expect(200);
        assert!(read.is_object(), "reading it has kept it alive");
    }
    nap().await;
    client.get("/store/items?namespace=n&key=k&refresh_ttl=false").await.expect(200);
    nap().await;
    assert_eq!(client.get("/store/items?namespace=n&key=k").await.expect(200), Value::Null);
}

#[tokio::test]
async fn what_can_t_be_kept_is_refused() {
    let served = served().await;
    let client = &served.client;
    let put = async |item: Value| client.send("PUT", "/store/items", Some(item)).await;
    let empty = put(json!({ "namespace": [], "key": "k1", "value": {} })).await;
    assert_eq!(empty.detail(400), "Namespace cannot be empty.");
    put(json!({ "namespace": ["a.b"], "key": "k1", "value": {} })).await.detail(400);
    put(json!({ "namespace": ["a"], "key": "k1", "value": 3 })).await.detail(422);
    put(json!({ "namespace": ["a"], "key": "", "value": {} })).await.detail(422);
    put(json!({ "namespace": ["a"], "key": "k", "value": { "x": "\0" } })).await.detail(422);
    for ttl in [-1.0, 0.0, 1e300] {
        put(json!({ "namespace": ["a"], "key": "k", "value": {}, "ttl": ttl })).await.detail(422);
    }
    client.get("/store/items?key=k").await.detail(400);
    client.get("/store/items?namespace=a").await.detail(422);
    client.post("/store/items/search", json!({ "filter": { "a": { "$near": 1 } } })).await.detail(422);
}
