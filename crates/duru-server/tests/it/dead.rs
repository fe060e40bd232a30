//! Runs that failed for good.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::fixture::{Fixture, Place};

async fn settled(server: &Fixture, path: &str) -> Value {
    let give_up = Instant::now() + crate::client::PATIENCE;
    loop {
        let run = server.client().get(path).await.expect(200);
        if !matches!(run["status"].as_str(), Some("pending" | "running")) {
            return run;
        }
        assert!(Instant::now() < give_up, "{run}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Two servers die of it; then nobody tries any more, until somebody says so.
#[tokio::test]
async fn a_run_that_kills_its_workers_is_given_up_and_done_once_when_the_fault_is_gone() {
    let place = Place::sqlite();
    let folder = tempfile::TempDir::new().unwrap();
    let poison = folder.path().join("poison");
    std::fs::write(&poison, "").unwrap();
    let deadly = ["--most-deaths", "2"];
    let mut server = place.serve_with(&deadly);
    let client = server.client();
    let thread =
        client.post("/threads", json!({})).await.expect(200)["thread_id"].as_str().unwrap().to_owned();
    let asked = json!({ "assistant_id": "poison", "input": { "folder": folder.path() } });
    let run = client.try_send("POST", &format!("/threads/{thread}/runs"), Some(asked)).await;
    // The first one may die before it has answered: the run is in the queue all the same.
    drop(run);
    for _ in 0..2 {
        assert!(server.ended(crate::client::PATIENCE).await.is_some(), "nobody died");
        server = place.serve_with(&deadly);
    }
    let runs = server.client().get(&format!("/threads/{thread}/runs")).await.expect(200);
    let id = runs[0]["run_id"].as_str().unwrap().to_owned();
    let run = settled(&server, &format!("/threads/{thread}/runs/{id}")).await;
    assert_eq!(run["status"], "error", "as clients know it: {run}");

    let client = server.client();
    let dead = client.get("/runs/dead").await.expect(200);
    assert_eq!((dead.as_array().unwrap().len(), &dead[0]["run_id"]), (1, &json!(id)), "{dead}");
    let dead = client.get(&format!("/runs/dead/{id}")).await.expect(200);
    assert_eq!(
        (&dead["status"], &dead["graph_id"], &dead["deaths"]),
        (&json!("dead"), &json!("poison"), &json!(2))
    );
    assert!(dead["reason"].as_str().unwrap().contains("workers died of it"), "{dead}");

    std::fs::remove_file(&poison).unwrap();
    let again = client.post(&format!("/runs/dead/{id}/retry"), json!({})).await.expect(202);
    assert_eq!(again["run_id"], id.as_str());
    assert_eq!(settled(&server, &format!("/threads/{thread}/runs/{id}")).await["status"], "success");
    let state = client.get(&format!("/threads/{thread}/state")).await.expect(200);
    assert_eq!(state["values"]["done"], true, "{state}");
    let done = |what: &str| std::fs::read_to_string(folder.path().join(what)).unwrap();
    assert_eq!((done("prepared").as_str(), done("swallowed").as_str()), (".", "."));
    assert_eq!(client.get("/runs/dead").await.expect(200), json!([]));
    assert_eq!(client.post(&format!("/runs/dead/{id}/retry"), json!({})).await.status, 404);
}

#[tokio::test]
async fn a_run_that_failed_is_listed_with_its_reason_tried_again_and_dropped() {
    let place = Place::sqlite();
    let server = place.serve();
    let client = server.client();
    let thread =
        client.post("/threads", json!({})).await.expect(200)["thread_id"].as_str().unwrap().to_owned();
    let asked = json!({ "assistant_id": "fail", "input": { "x": 1 } });
    client.post(&format!("/threads/{thread}/runs/wait"), asked.clone()).await.expect(200);
    let dead = client.get("/runs/dead").await.expect(200);
    let id = dead[0]["run_id"].as_str().unwrap().to_owned();
    assert_eq!((dead.as_array().unwrap().len(), &dead[0]["status"]), (1, &json!("error")), "{dead}");
    assert!(dead[0]["reason"].as_str().unwrap().contains("kaboom"), "{dead}");

    let again = client.post(&format!("/runs/dead/{id}/retry"), json!({})).await.expect(202);
    let again = again["run_id"].as_str().unwrap().to_owned();
    assert_ne!(again, id);
    let run = settled(&server, &format!("/threads/{thread}/runs/{again}")).await;
    assert_eq!((&run["status"], &run["metadata"]["retry_of"]), (&json!("error"), &json!(id)), "{run}");
    // The old one is gone from the list, and the new one is there.
    let dead = client.get("/runs/dead").await.expect(200);
    assert_eq!((dead.as_array().unwrap().len(), &dead[0]["run_id"]), (1, &json!(again)), "{dead}");
    assert_eq!(client.delete(&format!("/runs/dead/{again}")).await.status, 204);
    assert_eq!(client.delete(&format!("/runs/dead/{again}")).await.status, 404);
    assert_eq!(client.get("/runs/dead").await.expect(200), json!([]));
}

/// Nobody has named its thread, and nobody else would know of it.
#[tokio::test]
async fn a_run_without_a_thread_that_failed_is_listed_tried_again_and_leaves_nothing() {
    let mut places = vec![Place::sqlite()];
    places.extend(Place::postgres());
    for place in places {
        let server = place.serve_with(&["--most-deaths", "5"]);
        let client = server.client();
        let folder = tempfile::TempDir::new().unwrap();
        let asked = json!({ "assistant_id": "fail", "input": { "x": 1 } });
        for path in ["/runs/wait", "/runs/stream"] {
            client.post(path, asked.clone()).await;
        }
        let dead = client.get("/runs/dead").await.expect(200);
        assert_eq!(dead.as_array().unwrap().len(), 2, "{dead}");
        assert!(dead[0]["reason"].as_str().unwrap().contains("kaboom"), "{dead}");
        let (first, second) = (dead[0]["run_id"].as_str().unwrap(), dead[1]["run_id"].as_str().unwrap());
        let thread = dead[0]["thread_id"].as_str().unwrap();
        // It fails again, under another name.
        let again = client.post(&format!("/runs/dead/{first}/retry"), json!({})).await.expect(202);
        let again = again["run_id"].as_str().unwrap().to_owned();
        assert_eq!(settled(&server, &format!("/threads/{thread}/runs/{again}")).await["status"], "error");
        let dead = client.get("/runs/dead").await.expect(200);
        assert_eq!(dead.as_array().unwrap().len(), 2, "{dead}");
        for run in [&again, second] {
            assert_eq!(client.delete(&format!("/runs/dead/{run}")).await.status, 204);
        }
        assert_eq!(client.get("/runs/dead").await.expect(200), json!([]));
        assert_eq!(
            client.post("/threads/search", json!({})).await.expect(200),
            json!([]),
            "no thread is left"
        );

        // One that succeeds when it is tried again takes its thread along.
        let asked =
            json!({ "assistant_id": "poison", "input": { "folder": folder.path().join("not there") } });
        client.post("/runs/wait", asked).await.expect(200);
        let dead = client.get("/runs/dead").await.expect(200);
        assert_eq!(dead.as_array().unwrap().len(), 1, "{dead}");
        std::fs::create_dir(folder.path().join("not there")).unwrap();
        let id = dead[0]["run_id"].as_str().unwrap();
        client.post(&format!("/runs/dead/{id}/retry"), json!({})).await.expect(202);
        let give_up = Instant::now() + crate::client::PATIENCE;
        while client.post("/threads/search", json!({})).await.expect(200) != json!([]) {
            assert!(Instant::now() < give_up);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(client.get("/runs/dead").await.expect(200), json!([]));
    }
}
