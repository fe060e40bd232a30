use serde_json::{Value, json};

use crate::served::served;

fn id_of(cron: &Value) -> String {
    cron["cron_id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn a_cron_is_made_changed_found_and_removed() {
    let served = served().await;
    let client = &served.client;
    let new = json!({ "schedule": "0 0 1 1 *", "input": { "n": 1 }, "assistant_id": "count" });
    let made = client.post("/runs/crons", new).await.expect(200);
    let (id, next) = (id_of(&made), made["next_run_date"].as_str().expect("a date").to_owned());
    assert!(next.ends_with("-01-01T00:00:00+00:00"), "{next}");
    assert_eq!((&made["thread_id"], &made["on_run_completed"]), (&Value::Null, &json!("delete")));
    assert_eq!(
        (&made["enabled"], &made["metadata"], &made["user_id"]),
        (&json!(true), &json!({}), &json!(""))
    );
    assert_eq!(made["payload"]["config"]["configurable"]["cron_id"], id.as_str());
    assert_eq!(made["payload"]["assistant_id"], made["assistant_id"], "its id, not the graph's");
    let path = format!("/runs/crons/{id}");
    assert_eq!(client.get(&path).await.expect(200), made);

    let change = json!({ "schedule": "0 1 1 1 *", "enabled": false });
    let changed = client.send("PATCH", &path, Some(change)).await.expect(200);
    assert_eq!(changed["next_run_date"], next.replace("T00", "T01"));
    assert_eq!((&changed["enabled"], &changed["payload"]["enabled"]), (&json!(false), &json!(false)));
    assert_eq!(changed["payload"]["input"], json!({ "n": 1 }), "what is not named stays");

    let other = json!({ "schedule": "*/5 * * * *", "assistant_id": "parent", "metadata": { "a": 1 },
                        "timezone": "Asia/Seoul", "end_time": "2999-01-01T00:00:00Z" });
    let other = client.post("/runs/crons", other).await.expect(200);
    assert_eq!((&other["timezone"], &other["metadata"]), (&json!("Asia/Seoul"), &json!({ "a": 1 })));
    assert_eq!(other["end_time"], "2999-01-01T00:00:00+00:00");

    let ids = |found: Value| found.as_array().expect("a list").iter().map(id_of).collect::<Vec<_>>();
    let all = client
        .post("/runs/crons/search", json!({ "limit": 1, "sort_by": "next_run_date", "sort_order": "asc" }))
        .await;
    assert_eq!((all.header("x-pagination-total"), all.header("x-pagination-next")), (Some("2"), Some("1")));
    assert_eq!(ids(all.expect(200)), [id_of(&other)]);
    for (filter, expected) in [
        (json!({ "assistant_id": "count" }), &id),
        (json!({ "assistant_id": made["assistant_id"] }), &id),
        (json!({ "enabled": false }), &id),
        (json!({ "metadata": { "a": 1 } }), &id_of(&other)),
    ] {
        assert_eq!(client.post("/runs/crons/count", filter.clone()).await.expect(200), json!(1));
        assert_eq!(
            ids(client.post("/runs/crons/search", filter).await.expect(200)),
            std::slice::from_ref(expected)
        );
    }
    client.delete(&path).await.expect(204);
    client.delete(&path).await.detail(404);
    client.get(&path).await.detail(404);
}

#[tokio::test]
async fn a_cron_of_a_thread_is_found_by_it() {
    let served = served().await;
    let client = &served.client;
    let thread = client.post("/threads", json!({})).await.expect(200)["thread_id"].clone();
    let path = format!("/threads/{}/runs/crons", thread.as_str().expect("an id"));
    let new = json!({ "schedule": "0 0 1 1 *", "input": { "n": 1 }, "assistant_id": "count" });
    let made = client.post(&path, new).await.expect(200);
    assert_eq!((&made["thread_id"], &made["on_run_completed"]), (&thread, &Value::Null));
    let found = client.post("/runs/crons/search", json!({ "thread_id": thread })).await.expect(200);
    assert_eq!(found, json!([made]));
}

#[tokio::test]
async fn a_cron_that_has_ended_has_no_next_date() {
    let served = served().await;
    let new = json!({ "schedule": "* * * * *", "assistant_id": "count", "end_time": "2001-01-01T00:00:00" });
    let made = served.client.post("/runs/crons", new).await.expect(200);
    assert_eq!(made["next_run_date"], Value::Null);
    let path = format!("/runs/crons/{}", id_of(&made));
    let longer = served.client.send("PATCH", &path, Some(json!({ "end_time": null }))).await.expect(200);
    assert!(longer["next_run_date"].is_string() && longer["end_time"].is_null(), "{longer}");
}

#[tokio::test]
async fn wrong_crons_are_refused() {
    let served = served().await;
    let client = &served.client;
    let post = async |body: Value| client.post("/runs/crons", body).await;
    let wrong = post(json!({ "schedule": "nope", "assistant_id": "count" })).await.detail(422);
    assert!(wrong.starts_with("Invalid cron schedule: 'nope'."), "{wrong}");
    post(json!({ "schedule": "* * * * *", "assistant_id": "count", "timezone": "Atlantis" }))
        .await
        .detail(422);
    post(json!({ "schedule": "* * * * *", "assistant_id": "count", "end_time": "soon" })).await.detail(422);
    post(json!({ "schedule": "* * * * *", "assistant_id": "count", "on_run_completed": "?" }))
        .await
        .detail(422);
    post(json!({ "schedule": "* * * * *", "assistant_id": "count", "stream_mode": "?" })).await.detail(422);
    post(json!({ "schedule": "* * * * *", "assistant_id": "count", "metadata": { "\0": 1 } }))
        .await
        .detail(422);
    post(json!({ "schedule": "* * * * *", "assistant_id": "nope" })).await.detail(422);
    post(json!({ "schedule": "* * * * *" })).await.detail(422);
    post(json!({ "assistant_id": "count" })).await.detail(422);
    let nobody = "00000000-0000-0000-0000-000000000000";
    post(json!({ "schedule": "* * * * *", "assistant_id": nobody })).await.detail(404);
    let thread = json!({ "schedule": "* * * * *", "assistant_id": "count" });
    client.post(&format!("/threads/{nobody}/runs/crons"), thread).await.detail(404);
    client.get("/runs/crons/nope").await.detail(422);
    client.send("PATCH", &format!("/runs/crons/{nobody}"), Some(json!({}))).await.detail(404);
}
