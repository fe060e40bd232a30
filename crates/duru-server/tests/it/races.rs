//! Requests that come at the same moment, to one server or to two on one store.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::client::{Answer, Client};
use crate::counts::{tell, times};
use crate::fixture::{Fixture, Place};
use crate::runs::{Accepted, new_thread, start, steps};

/// The same store behind one server or two: requests take turns.
struct Race(Vec<Fixture>);

impl Race {
    fn client(&self, i: usize) -> Client {
        self.0[i % self.0.len()].client()
    }

    /// As many requests at once.
    async fn all<F>(&self, n: usize, ask: impl Fn(Client, usize) -> F) -> Vec<Answer>
    where
        F: Future<Output = Answer> + Send + 'static,
    {
        let asking: JoinSet<Answer> = (0..n).map(|i| ask(self.client(i), i)).collect();
        asking.join_all().await
    }
}

async fn one_key_is_one_run(race: &Race) {
    let rounds = times(10, 1000);
    for round in 0..rounds {
        let path = format!("/threads/{}/runs", new_thread());
        let key = format!("key-{round}-{path}");
        let ask = |client: Client, _| {
            let (path, key) = (path.clone(), key.clone());
            async move { client.post_once(&path, &key, steps(2, 20)).await }
        };
        let answers: Vec<Value> = race.all(10, ask).await.iter().map(|answer| answer.expect(200)).collect();
        let run = Accepted::of(&answers[0]);
        for answer in &answers {
            // When it changed last is another moment for each who asks.
            for name in ["run_id", "thread_id", "status", "created_at", "kwargs", "metadata"] {
                assert_eq!(answer[name], answers[0][name], "{name}");
            }
        }
        run.is_done(&race.client(round), 2).await;
        let all = race.client(0).get(&format!("/threads/{}/runs", run.thread)).await.expect(200);
        assert_eq!(all.as_array().map(Vec::len), Some(1));
        let other = race.client(0).post_once(&path, &key, steps(3, 20)).await;
        assert_eq!(other.status, 422, "{}", other.text);
    }
    tell(
        "F11",
        format_args!("{rounds} rounds of 10 equal requests to {} server(s): one run each", race.0.len()),
    );
}

async fn one_of_eight_is_accepted(race: &Race) {
    for _ in 0..5 {
        let path = format!("/threads/{}/runs", new_thread());
        let ask = |client: Client, _| {
            let path = path.clone();
            let mut body = steps(4, 100);
            body["multitask_strategy"] = "reject".into();
            async move { client.post(&path, body).await }
        };
        let answers = race.all(8, ask).await;
        let accepted: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 200).collect();
        assert_eq!(accepted.len(), 1);
        assert_eq!(answers.iter().filter(|answer| answer.status == 409).count(), 7);
        Accepted::of(&accepted[0].json()).is_done(&race.client(1), 4).await;
    }
}

async fn one_of_two_answers_counts(race: &Race) {
    for _ in 0..5 {
        let asked = json!({ "assistant_id": "hitl", "input": { "q": "go" }, "if_not_exists": "create" });
        let run = start(&race.client(0), asked).await;
        run.end(&race.client(0)).await;
        let path = format!("/threads/{}/runs", run.thread);
        let ask = |client: Client, i: usize| {
            let path = path.clone();
            let body = json!({ "assistant_id": "hitl", "command": { "resume": format!("answer {i}") } });
            async move { client.post(&path, body).await }
        };
        for answer in race.all(2, ask).await {
            let resumed = Accepted::of(&answer.expect(200));
            assert_eq!(resumed.end(&race.client(1)).await, "success");
        }
        let thread = format!("/threads/{}", run.thread);
        let state = race.client(1).get(&format!("{thread}/state")).await.expect(200);
        let text = state["values"]["answer"].as_str().unwrap();
        assert!(["answer 0 done", "answer 1 done"].contains(&text), "{text}");
        let history =
            race.client(0).post(&format!("{thread}/history"), json!({ "limit": 100 })).await.expect(200);
        let fins = history.as_array().unwrap().iter().filter(|state| state["next"] == json!(["fin"])).count();
        assert_eq!(fins, 1, "the question was answered once");
    }
}

/// Clients that go in any moment of their request. What became a run is carried
/// out at once: it does not wait until its lease ends.
async fn a_client_may_go_at_any_moment(race: &Race) {
    let threads: Vec<String> = (0..150).map(|_| new_thread()).collect();
    for (i, thread) in threads.iter().enumerate() {
        let client = race.client(i);
        let path = format!("/threads/{thread}/runs/stream");
        let moment = Duration::from_micros(fastrand::u64(200..20_000));
        drop(tokio::time::timeout(moment, client.post(&path, steps(1, 0))).await);
    }
    // Less than a lease.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut accepted = 0;
    for thread in &threads {
        let answer = race.client(0).get(&format!("/threads/{thread}/runs")).await;
        for run in answer.json().as_array().into_iter().flatten() {
            accepted += 1;
            Accepted::of(run).is_done(&race.client(0), 1).await;
        }
    }
    println!("{accepted} runs");
    assert!(accepted > 20, "only {accepted} runs were accepted");
}

mod sqlite {
    use super::*;

    #[tokio::test]
    async fn requests_at_the_same_moment() {
        let place = Place::sqlite();
        let race = Race(vec![place.serve()]);
        one_key_is_one_run(&race).await;
        one_of_eight_is_accepted(&race).await;
        one_of_two_answers_counts(&race).await;
        a_client_may_go_at_any_moment(&race).await;
    }
}

mod postgres {
    use super::*;

    #[tokio::test]
    async fn requests_at_the_same_moment_to_two_servers() {
        let Some(place) = Place::postgres() else { return };
        let race = Race(place.serve_two().into());
        one_key_is_one_run(&race).await;
        one_of_eight_is_accepted(&race).await;
        one_of_two_answers_counts(&race).await;
        a_client_may_go_at_any_moment(&race).await;
    }
}
