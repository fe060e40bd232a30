//! People's data: erased, kept for a while, copied while a server runs, and brought back.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::pg_server::shared;
use crate::serve::Serving;
use crate::{Desk, Seen};

/// What must be found nowhere once its owner is erased.
const CANARY: &str = "c4nary-brave-otter";

impl Desk {
    fn key(&self, name: &str, more: &[&str]) -> String {
        let seen = self.run(&[&["keys", "add", name, "--json"], more].concat());
        assert_eq!(seen.code, Some(0), "{seen:?}");
        seen.json()["key"].as_str().unwrap().to_owned()
    }
}

/// As somebody with a key.
async fn ask(server: &Serving, key: &str, method: &str, path: &str, body: Option<Value>) -> Answer {
    let headers = format!("application/json\r\nx-api-key: {key}");
    let body = body.unwrap_or(json!({})).to_string();
    Client::new(server.address.clone()).raw(method, path, &headers, Some(&body)).await.unwrap()
}

/// Whether any file of a folder holds this text; the audit log aside, which says who did what.
pub(crate) fn is_found(folder: &Path, text: &str) -> Option<std::path::PathBuf> {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if let Some(found) = is_found(&path, text) {
                return Some(found);
            }
        } else if std::fs::read(&path)
            .is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
        {
            return Some(path);
        }
    }
    None
}

/// A conversation, an item and a remark with a word of their own.
async fn live(server: &Serving, key: &str, word: &str) {
    let run = json!({
        "assistant_id": "article", "input": { "topic": word, "lang": "en" }, "if_not_exists": "create",
    });
    let thread = duru::ThreadId::random();
    let path = format!("/threads/{thread}/runs/wait");
    assert_eq!(ask(server, key, "POST", &path, Some(run)).await.status, 200);
    let item = json!({ "namespace": ["notes"], "key": "one", "value": { "text": word } });
    assert!(ask(server, key, "PUT", "/store/items", Some(item)).await.status < 300);
    let asked = json!({ "question": "전세", "top": 3 });
    let found = ask(server, key, "POST", "/documents/search", Some(asked)).await;
    let found = found.expect(200);
    let chunk = found["hits"][usize::from(word == CANARY)]["passage"]["id"].as_str().unwrap();
    let remark = json!({ "chunk": chunk, "verdict": "note", "text": word });
    assert_eq!(ask(server, key, "POST", "/documents/feedback", Some(remark)).await.status, 200);
}

#[tokio::test]
async fn everything_of_one_person_is_erased_and_nothing_of_others() {
    let desk = Desk::new();
    let (kim, lee) = (desk.key("kim", &[]), desk.key("lee", &[]));
    let chief = desk.key("chief", &["--admin"]);
    let server = Serving::with(&desk, &[]);
    live(&server, &lee, "lee-was-here").await;
    live(&server, &kim, CANARY).await;
    assert!(is_found(desk.folder.path(), CANARY).is_some());

    // It is nobody's business but the administrator's.
    for (key, path) in [(&lee, "/users/kim"), (&kim, "/users/kim")] {
        assert_eq!(ask(&server, key, "DELETE", path, None).await.status, 403);
    }
    let counted = ask(&server, &chief, "GET", "/users/kim", None).await.expect(200);
    assert_eq!(counted["what"]["threads"], 1, "{counted}");
    let told = desk.run(&["user", "erase", "kim", "--dry-run", "--json"]).json();
    assert_eq!((&told["erased"], &told["what"]["items"]), (&json!(false), &json!(1)), "{told}");
    let asked = desk.run(&["user", "erase", "kim"]);
    assert_eq!(asked.code, Some(6), "nobody is there to ask: {asked:?}");

    let gone = ask(&server, &chief, "DELETE", "/users/kim", None).await.expect(200);
    assert_eq!((&gone["what"]["threads"], &gone["what"]["keys"]), (&json!(1), &json!(1)), "{gone}");
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(ask(&server, &kim, "POST", "/threads/search", None).await.status, 401, "the key is gone");
    // Again, with the command while the server runs: nothing is left, and the files are written anew.
    let again = desk.run(&["user", "erase", "kim", "--yes", "--json"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(again.json()["what"]["threads"], 0);
    let mine = ask(&server, &lee, "POST", "/threads/search", None).await.expect(200);
    assert_eq!(mine.as_array().unwrap().len(), 1, "{mine}");
    drop(server);

    assert_eq!(is_found(desk.folder.path(), CANARY), None);
    assert!(is_found(desk.folder.path(), "lee-was-here").is_some());
    // What they did is still there, as one person's; only who has the name can tell whose.
    let audit = std::fs::read_to_string(desk.path("duru/audit.jsonl")).unwrap();
    assert!(!audit.contains("kim"), "{audit}");
    let lines = desk.run(&["audit", "--who", "kim", "--json"]).json();
    let lines = lines["lines"].as_array().unwrap();
    let names: std::collections::BTreeSet<&str> =
        lines.iter().filter_map(|line| line["who"].as_str()).collect();
    assert!(names.iter().any(|name| name.starts_with("erased-")), "{names:?}");
    let done = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).count();
    assert!(done("request") >= 4 && done("remark") == 1 && done("erased") == 2, "{lines:?}");
}

/// A store that was named, and folders that were: made readable to everybody on the machine.
#[test]
fn what_is_kept_outside_the_data_folder_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::new();
    let mode = |name: &str| std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777;
    let store = desk.path("mine.db");
    let store = store.to_str().unwrap();
    assert_eq!(desk.run(&["demo", "--yes", "--thread", "t", "--store", store]).code, Some(0));
    assert_eq!(mode("mine.db"), 0o600);
    // One of older days is closed, too.
    std::fs::set_permissions(store, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(desk.run(&["threads", "ls", "--store", store]).code, Some(0));
    assert_eq!(mode("mine.db"), 0o600);
    std::fs::set_permissions(store, std::fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(desk.run(&["threads", "ls", "--store", store]).code, Some(0));
    assert_eq!(mode("mine.db"), 0o640, "a group that was let in stays");
    std::fs::create_dir(desk.path("papers")).unwrap();
    std::fs::write(desk.path("papers/a.md"), "# 글\n\n글입니다.\n").unwrap();
    let line = r#"{"timestamp":"2026-11-14T03:00:00Z","level":"ERROR","service":"pay","message":"x"}"#;
    std::fs::write(desk.path("own.jsonl"), format!("{line}\n")).unwrap();
    assert_eq!(desk.run(&["docs", "ingest", "papers", "--index", "index"]).code, Some(0));
    let taken =
        desk.command(&["logs", "ingest", "own.jsonl"]).env("DURU_LOGS", desk.path("lines")).output().unwrap();
    assert!(taken.status.success(), "{taken:?}");
    assert_eq!((mode("index"), mode("lines")), (0o700, 0o700));
}

#[tokio::test]
async fn an_erasure_that_was_cut_off_is_ended_by_the_next_server() {
    let desk = Desk::new();
    desk.run(&["demo", "--yes", "--thread", "t"]);
    {
        let store = duru_store::SqliteStore::open(desk.path("duru/threads.db")).unwrap();
        let people = duru_server::People::new(duru_server::Stores::of(std::sync::Arc::new(store)));
        people.begin_erasure("local").await.unwrap();
    }
    let _server = Serving::with(&desk, &[]);
    let store = duru_store::SqliteStore::open(desk.path("duru/threads.db")).unwrap();
    let people = duru_server::People::new(duru_server::Stores::of(std::sync::Arc::new(store)));
    let late = Instant::now() + Duration::from_secs(120);
    while !people.begun_erasures().await.unwrap().is_empty() {
        assert!(Instant::now() < late, "nobody goes on with it");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(desk.run(&["threads", "ls", "--json"]).json()["threads"], json!([]));
}

#[test]
fn what_is_kept_long_enough_goes_and_is_said_before() {
    let desk = Desk::new();
    desk.run(&["demo", "--yes", "--thread", "t"]);
    let logs = desk.path("duru/logs");
    let made =
        desk.run(&["logs", "generate", "--rows", "300", "--seed", "1", "--into", logs.to_str().unwrap()]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let for_ever = desk.run(&["retention", "--json"]);
    assert_eq!(for_ever.code, Some(0), "{for_ever:?}");
    assert_eq!(for_ever.json()["threads"], 0);
    std::thread::sleep(Duration::from_millis(1100));
    let env = [("DURU_KEEP_THREADS", "1s"), ("DURU_KEEP_LOGS", "0s")];
    let told = desk.with_env(&["retention", "--dry-run", "--json"], &env).json();
    assert_eq!((&told["threads"], &told["log_lines"]), (&json!(1), &json!(300)), "{told}");
    let done = desk.with_env(&["retention", "--json"], &env).json();
    assert_eq!((&done["threads"], &done["log_lines"]), (&json!(1), &json!(300)), "{done}");
    assert_eq!(desk.run(&["threads", "ls", "--json"]).json()["threads"], json!([]));
    let again = desk.with_env(&["retention", "--json"], &env).json();
    assert_eq!((&again["threads"], &again["log_lines"]), (&json!(0), &json!(0)), "{again}");
    let wrong = desk.with_env(&["retention", "--lang", "en"], &[("DURU_KEEP_LOGS", "a month")]);
    assert_eq!(wrong.code, Some(3), "{wrong:?}");
    assert!(wrong.err.contains("DURU_KEEP_LOGS"), "{wrong:?}");
}

#[tokio::test]
async fn a_backup_made_while_a_server_runs_brings_everything_back() {
    let (desk, other) = (Desk::new(), Desk::new());
    std::fs::create_dir_all(desk.path("config/duru")).unwrap();
    std::fs::write(desk.path("config/duru/config.toml"), "lang = \"en\"\nopenai_api_key = \"s3cret\"\n")
        .unwrap();
    let server = Serving::with(&desk, &[]);
    let run = json!({ "assistant_id": "article", "input": { "topic": "copied", "lang": "en" }, "if_not_exists": "create" });
    let thread = duru::ThreadId::random();
    let client = Client::new(server.address.clone());
    client.post(&format!("/threads/{thread}/runs/wait"), run.clone()).await.expect(200);
    // Somebody goes on all the while.
    let busy = tokio::spawn(async move {
        for _ in 0..5 {
            let path = format!("/threads/{}/runs/wait", duru::ThreadId::random());
            client.post(&path, run.clone()).await;
        }
    });
    let file = desk.path("all.zip");
    let name = file.to_str().unwrap().to_owned();
    let command = desk.command(&["backup", &name, "--json"]).stdout(Stdio::piped()).spawn().unwrap();
    let made = tokio::task::spawn_blocking(move || command.wait_with_output().unwrap()).await.unwrap();
    let made = Seen::of(made);
    assert_eq!(made.code, Some(0), "{made:?}");
    assert!(made.json()["files"].as_u64().unwrap() > 5, "{made:?}");
    busy.await.unwrap();
    assert_eq!(desk.run(&["backup", &name]).code, Some(5), "a backup is not overwritten");
    let served = desk.run(&["restore", &name, "--force", "--lang", "en"]);
    assert_eq!(served.code, Some(5), "{served:?}");
    assert!(served.err.contains("[data-in-use]"), "{served:?}");
    drop(server);

    let back = other.run(&["restore", &name, "--json"]);
    assert_eq!(back.code, Some(0), "{back:?}");
    let shown = |desk: &Desk| desk.run(&["threads", "show", thread.as_str(), "--json"]).json();
    assert_eq!(shown(&other)["status"], "paused");
    assert_eq!(shown(&other)["values"], shown(&desk)["values"]);
    let lines =
        |desk: &Desk| desk.run(&["logs", "stats", "--json"]).json()["tables"][0]["estimated_rows"].clone();
    assert_eq!(lines(&other), lines(&desk));
    let documents = |desk: &Desk| desk.run(&["docs", "list", "--json"]).json()["documents"].clone();
    assert_eq!(documents(&other), documents(&desk));
    let config = std::fs::read_to_string(other.path("config/duru/config.toml")).unwrap();
    assert!(config.contains("lang") && !config.contains("s3cret"), "{config}");

    // What is there is not replaced unless one insists, and then moved aside.
    let there = other.run(&["restore", &name, "--lang", "en"]);
    assert_eq!(there.code, Some(5), "{there:?}");
    assert!(there.err.contains("[data-there]"), "{there:?}");
    let forced = other.run(&["restore", &name, "--force", "--json"]).json();
    let aside = forced["moved_aside"][0].as_str().unwrap();
    assert!(Path::new(aside).exists(), "{forced}");
    assert_eq!(shown(&other)["status"], "paused");

    // One byte is enough to be noticed, before anything is touched.
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 3;
    bytes[middle] ^= 0x40;
    std::fs::write(desk.path("bad.zip"), bytes).unwrap();
    let bad = Desk::new();
    let seen = bad.run(&["restore", desk.path("bad.zip").to_str().unwrap(), "--lang", "en"]);
    assert_eq!(seen.code, Some(5), "{seen:?}");
    assert!(seen.err.contains("[backup-damaged]"), "{seen:?}");
    assert!(!bad.path("duru/threads.db").exists());
}

#[test]
fn a_database_is_to_be_dumped_with_its_own_command() {
    let Some(server) = shared() else { return };
    let desk = Desk::new();
    let url = server.url.replace("duru@", "duru:c4nary@");
    let file = desk.path("rest.zip");
    let seen = desk.run(&["backup", file.to_str().unwrap(), "--store", &url, "--lang", "en"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let command = format!("pg_dump --format=custom --file=duru-store.dump '{}'", server.url);
    assert!(seen.err.contains(&command) && !seen.err.contains("c4nary"), "{seen:?}");
}
