//! A store that is a database on a server.

use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Desk;
use crate::serve::Serving;

/// Must not be seen anywhere.
const SECRET: &str = "c4nary-s3cret";

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_database_that_is_not_there_is_an_error_without_the_password() {
    let desk = Desk::new();
    let urls = [
        format!("postgres://kim:{SECRET}@127.0.0.1:{}/app", free_port()),
        format!("postgres://kim:{SECRET}@no-such-host.invalid/app"),
        format!("postgresql://kim:{SECRET}@h:port/app"),
        format!("postgres:kim:{SECRET}@h"),
        format!("postgres://h/app?password={SECRET}&no_such_option=1"),
    ];
    for url in &urls {
        for (lang, words) in [("en", "the store failed to"), ("ko", "저장소를 쓸 수 없습니다")] {
            for command in
                [&["demo"][..], &["threads", "ls"], &["threads", "diff", "t"], &["graph", "--thread", "t"]]
            {
                let seen = desk.run(&[command, &["--store", url, "--lang", lang, "--json"]].concat());
                assert_eq!(seen.code, Some(5), "{seen:?}");
                assert!(seen.err.contains("[store-unavailable]") && seen.err.contains(words), "{seen:?}");
                assert_eq!(seen.json()["error"]["code"], "store-unavailable");
                assert!(!seen.err.contains("c4nary") && !seen.out.contains("c4nary"), "{seen:?}");
            }
        }
    }
    let seen = Desk::new().command(&["threads", "ls"]).env("DURU_STORE", &urls[0]).output().unwrap();
    assert_eq!(seen.status.code(), Some(5), "the environment names a store too");
}

/// A server of its own in a folder that vanishes with it.
pub(crate) struct Server {
    process: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl Server {
    pub(crate) fn url(&self) -> String {
        format!("postgres://kim@127.0.0.1:{}/postgres", self.port)
    }

    /// Stops it; its data stay.
    pub(crate) fn stop(&mut self) {
        // `immediate` would leave shared memory behind; this is PostgreSQL's fast way to stop.
        let stopped = Command::new("kill").args(["-INT", &self.process.id().to_string()]).status();
        drop((stopped, self.process.wait()));
    }

    /// After that.
    pub(crate) fn start_again(&mut self) {
        self.process = spawned(self.folder.path(), self.port);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn programs() -> PathBuf {
    PathBuf::from("/usr/lib/postgresql/15/bin")
}

fn spawned(folder: &Path, port: u16) -> Child {
    as_nobody(&programs().join("postgres"))
        .args(["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
        .args(["-p", &port.to_string(), "-D"])
        .arg(folder.join("data"))
        .spawn()
        .unwrap()
}

/// None if there is no PostgreSQL here, which is said aloud and, in CI, an error.
pub(crate) fn server() -> Option<Server> {
    let programs = programs();
    if !programs.join("initdb").exists() {
        let why = "there is no PostgreSQL 15 in /usr/lib/postgresql";
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{why}");
        eprintln!("\n*** SKIPPED: {why} ***\n");
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    // `initdb` refuses root: another user, who owns the folder.
    std::os::unix::fs::chown(folder.path(), is_root().then_some(NOBODY), None).unwrap();
    let data = folder.path().join("data");
    let made = as_nobody(&programs.join("initdb"))
        .args(["--auth=trust", "--username=kim", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
        .arg(&data)
        .status();
    assert!(made.unwrap().success(), "initdb failed");
    let port = free_port();
    let server = Server { process: spawned(folder.path(), port), port, folder };
    let (began, desk) = (Instant::now(), Desk::new());
    // It listens before it is ready.
    let url = server.url();
    while desk.run(&["threads", "ls", "--store", &url]).code != Some(0) {
        assert!(began.elapsed() < Duration::from_secs(120), "PostgreSQL does not start");
        std::thread::sleep(Duration::from_millis(50));
    }
    Some(server)
}

const NOBODY: u32 = 65534;

fn is_root() -> bool {
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

fn as_nobody(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "INT"]);
    if is_root() {
        command.args([format!("--reuid={NOBODY}"), format!("--regid={NOBODY}"), "--clear-groups".to_owned()]);
    }
    command.arg(program).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    command
}

/// How every part is.
fn parts(ready: &Value) -> Vec<(&str, &str)> {
    let parts = ready["parts"].as_object().unwrap().iter();
    parts.map(|(name, state)| (name.as_str(), state.as_str().unwrap())).collect()
}

#[test]
fn a_server_tells_when_the_databases_of_logs_documents_and_tables_are_away_and_goes_on() {
    let Some(mut server) = server() else { return };
    let (desk, url) = (Desk::new(), server.url());
    assert_eq!(desk.run(&["logs", "init", &url]).code, Some(0));
    let made = Command::new(programs().join("psql"))
        .args(["-d", &url, "-Xqc", "CREATE TABLE shops (id int PRIMARY KEY, city text)"])
        .status();
    assert!(made.unwrap().success());
    // Threads are on this machine: the server itself has what it needs.
    let mut command = desk.command(&["serve", "--port", "0", "--tables", &url]);
    command.env("DURU_LOGS", &url).env("DURU_DOCUMENTS", &url).stderr(Stdio::null());
    let serving = Serving::of(command);
    let all = |state: &'static str| [("documents", state), ("logs", state), ("tables", state)];
    let ready = serving.ask("GET", "/ready", None);
    assert_eq!((parts(&ready), &ready["degraded"]), (all("ok").to_vec(), &json!(false)));

    server.stop();
    let ready = serving.until("/ready", |ready| parts(ready) == all("away"));
    assert_eq!((&ready["ok"], &ready["degraded"]), (&json!(true), &json!(true)), "{ready}");
    // It is not unready: what needs none of them works.
    assert_eq!(serving.ask("GET", "/ok", None)["ok"], true);
    assert!(serving.ask("POST", "/threads", Some(json!({})))["thread_id"].is_string());
    let metrics = serving.ask("GET", "/metrics?format=json", None);
    let family = metrics.as_array().unwrap().iter().find(|family| family["name"] == "duru_part_up").unwrap();
    let up = family["samples"].as_array().unwrap().iter().map(|sample| sample["value"].as_f64().unwrap());
    assert_eq!(up.collect::<Vec<_>>(), [0.0; 3]);

    server.start_again();
    let ready = serving.until("/ready", |ready| parts(ready) == all("ok"));
    assert_eq!(ready["degraded"], false, "{ready}");
}

#[test]
fn everything_works_on_a_database() {
    let Some(server) = server() else { return };
    let desk = Desk::new();
    let url = format!("postgres://kim:{SECRET}@127.0.0.1:{}/postgres", server.port);
    let run = |args: &[&str]| {
        let seen = desk.run(&[args, &["--store", &url, "--json"]].concat());
        assert!(!seen.err.contains("c4nary") && !seen.out.contains("c4nary"), "{seen:?}");
        seen
    };
    let demo = run(&["demo", "--thread", "t", "--yes"]);
    assert_eq!(demo.code, Some(0), "{demo:?}");
    assert!(demo.json()["published_file"].as_str().unwrap().starts_with(desk.path("").to_str().unwrap()));
    let list = run(&["threads", "ls"]).json();
    assert_eq!((&list["threads"][0]["graph"], &list["threads"][0]["steps"]), (&"article".into(), &4.into()));
    let shown = run(&["threads", "show", "t"]).json();
    let asked = shown["history"][2]["checkpoint"].as_str().unwrap();
    assert_eq!(run(&["threads", "diff", "t"]).json()["to"]["step"], 4);
    assert_eq!(run(&["threads", "fork", "t", asked, "--yes"]).json()["next"][0], "ask");
    assert_eq!(run(&["demo", "--thread", "t", "--answer", "hold"]).json()["state"]["verdict"], "hold");
    let graph = run(&["graph", "--thread", "t"]).json();
    assert!(graph["mermaid"].as_str().unwrap().contains("ask<br/>×2"), "{graph}");
    assert_eq!(run(&["threads", "show", "nobody"]).code, Some(2));
}
