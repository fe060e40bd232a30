//! What models decide, as a person looks at it.

use std::path::Path;
use std::sync::Arc;

use duru::{Cx, END, Graph, Result, State};
use duru_agents::decided;
use duru_agents::researcher::{QueryRouter, ToRoute};
use duru_llm::Scripted;
use duru_llm::decision::Decider;
use duru_store::SqliteStore;

use crate::{Desk, Seen};

const NAME: &str = "researcher/query_router";

#[derive(State, Clone)]
struct Talk {
    question: String,
}

async fn route(talk: Arc<Talk>, cx: Cx) -> Result<TalkUpdate> {
    decided::decider(&cx)?.decide::<QueryRouter>(&ToRoute::new(&talk.question, [])).await?;
    Ok(TalkUpdate::new())
}

/// A store in which a model has answered once and the rule three times.
fn answered(file: &Path) {
    let model = Scripted::new([Ok(r#"{"query_type": "simple", "reason": ""}"#)]);
    let mut g = Graph::<Talk>::new("talk");
    let route = g.node("route", route);
    g.start(route).edge(route, END);
    let graph = g.compile().unwrap().provide(Decider::new(Arc::new(model)));
    let app = graph.on(Arc::new(SqliteStore::open(file).unwrap()));
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        for thread in ["a", "a", "b", "c"] {
            app.thread(thread)
                .unwrap()
                .invoke(TalkUpdate::new().question("연차?"))
                .await
                .unwrap()
                .done()
                .unwrap();
        }
    });
}

#[test]
fn every_decision_is_listed_with_who_answered() {
    let desk = Desk::new();
    let file = desk.path("threads.db");
    answered(&file);
    let store = file.to_str().unwrap();
    for (lang, shares, rule) in [
        ("en", "4: model 25% · rule 75%", "if it points back"),
        ("ko", "4: 모델 25% · 규칙 75%", "인사말뿐이면"),
    ] {
        let seen = desk.run(&["decisions", "--store", store, "--lang", lang]);
        assert_eq!(seen.code, Some(0), "{seen:?}");
        let line = seen.out.lines().find(|line| line.starts_with(NAME)).unwrap();
        assert!(line.contains(shares) && line.contains(rule) && line.contains("200"), "{line}");
    }
    let json = desk.run(&["decisions", "--store", store, "--json"]).json();
    let found = json["decisions"].as_array().unwrap().iter().find(|found| found["name"] == NAME).unwrap();
    assert_eq!((&found["agent"], &found["limits"]["max_tokens"]), (&"researcher".into(), &200.into()));
    assert_eq!((&found["answers"]["model"], &found["answers"]["rule"]), (&1.into(), &3.into()));
    assert_eq!((&json["threads"], &found["model"]), (&3.into(), &serde_json::Value::Null));
    assert!(found["schema"]["properties"]["query_type"].is_object());
}

#[test]
fn a_prompt_is_shown_as_a_model_gets_it_and_the_users_own_too() {
    let desk = Desk::new();
    for (lang, words) in [("en", "The model is set by"), ("ko", "모델을 정하는 변수")] {
        let seen = desk.run(&["decisions", "--show", NAME, "--lang", lang]);
        assert_eq!(seen.code, Some(0), "{seen:?}");
        for part in [words, "DURU_MODEL_RESEARCHER_QUERY_ROUTER", "# 역할", "<untrusted-data>"] {
            assert!(seen.out.contains(part), "{part}: {}", seen.out);
        }
    }
    let before = desk.run(&["decisions", "--show", NAME, "--json"]).json();
    assert_eq!(before["prompt"]["own"], false);

    std::fs::create_dir_all(desk.path("prompts/researcher")).unwrap();
    std::fs::write(
        desk.path("prompts/researcher/query_router.md"),
        "내 프롬프트 {{ question }} {{ history }}",
    )
    .unwrap();
    let mut command = desk.command(&["decisions", "--show", NAME, "--json"]);
    command.env("DURU_PROMPTS", desk.path("prompts")).env("DURU_MODEL_RESEARCHER", "ollama:small");
    let after = Seen::of(command.output().unwrap()).json();
    assert!(after["question"].as_str().unwrap().starts_with("내 프롬프트"), "{after}");
    assert_ne!(before["prompt"]["version"], after["prompt"]["version"]);
    assert_eq!((&after["prompt"]["own"], &after["model"]), (&true.into(), &"ollama:small".into()));
}

#[test]
fn what_cannot_be_shown_says_why() {
    let desk = Desk::new();
    let seen = desk.run(&["decisions", "--show", "researcher/nothing"]);
    assert_eq!(seen.code, Some(2), "{seen:?}");
    assert!(seen.err.contains("[unknown-decision]"), "{seen:?}");
    let mut command = desk.command(&["decisions"]);
    let seen = Seen::of(command.env("DURU_PROMPTS", desk.path("none")).output().unwrap());
    assert_eq!(seen.code, Some(3), "{seen:?}");
    assert!(seen.err.contains("[prompts]") && seen.err.contains("DURU_PROMPTS"), "{seen:?}");
}

/// Who decides, what that rests on, and how to change it, in both languages.
#[test]
fn who_decides_is_shown_with_what_it_rests_on() {
    let desk = Desk::new();
    let run = |args: &[&str], set: &[(&str, &str)]| {
        let mut command = desk.command(args);
        command.envs(set.iter().copied());
        Seen::of(command.output().unwrap())
    };
    let small = ("DURU_MODEL", "ollama:qwen2.5-coder:1.5b");
    for (lang, witness, evidence) in [
        ("en", "rule, model as witness", "of 331 questions 0 won, 37 lost"),
        ("ko", "규칙, 모델은 증인", "331문항에서 얻음 0, 잃음 37"),
    ] {
        let seen = run(&["decisions", "--lang", lang], &[small]);
        let line = seen.out.lines().find(|line| line.starts_with(NAME)).unwrap();
        assert!(line.contains(witness), "{line}");
        assert!(seen.err.contains(evidence) && seen.err.contains("DURU_POLICY"), "{}", seen.err);
    }
    let json = run(&["decisions", "--json"], &[small, ("DURU_POLICY_RESEARCHER", "unless-certain")]).json();
    let policy = |name: &str| {
        let all = json["decisions"].as_array().unwrap();
        all.iter().find(|found| found["name"] == name).unwrap()["policy"].clone()
    };
    assert_eq!((&policy(NAME)["who"], &policy(NAME)["because"]), (&"unless_certain".into(), &"set".into()));
    assert_eq!(policy(NAME)["variable"], "DURU_POLICY_RESEARCHER");
    assert_eq!(policy("analyst/generate_sql")["because"], "measured");
    assert_eq!(policy("advisor/intent")["who"], "witness");
    assert!(json["measured"].as_array().unwrap().iter().all(|line| line["class"] == "small"), "{json}");

    let seen = run(&["decisions", "--lang", "en"], &[small, ("DURU_POLICY", "both")]);
    assert_eq!(seen.code, Some(3), "{seen:?}");
    assert!(seen.err.contains("[policy]") && seen.err.contains("witness"), "{seen:?}");
}
