//! Logs in object storage, as those meet them who run several servers on it.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::seaweed::{Seaweed, text};
use crate::serve::Serving;
use crate::{Desk, Seen};

const COUNT: &str = "SELECT count(*) AS n FROM logs WHERE deleted = FALSE";

fn serve(desk: &Desk, logs: &str) -> Serving {
    let mut command = desk.command(&["serve", "--port", "0"]);
    command.env("DURU_LOGS", logs).stderr(Stdio::null());
    Serving::of(command)
}

/// How many lines there are.
fn count(desk: &Desk, logs: &str) -> Value {
    let seen =
        Seen::of(desk.command(&["ask", "--run", COUNT, "--json"]).env("DURU_LOGS", logs).output().unwrap());
    assert_eq!(seen.code, Some(0), "{seen:?}");
    seen.json()["results"][0]["n"].clone()
}

fn lines(count: usize) -> Value {
    let time = "2026-03-18T14:30:00+09:00";
    let line = |n: usize| json!({ "timestamp": time, "message": format!("line {n}"), "service": "shop" });
    (0..count).map(line).collect()
}

fn take_in(server: &Serving, key: &str, count: usize) -> Value {
    let body = lines(count).to_string();
    let headers = ["content-type: application/json", &format!("idempotency-key: {key}")];
    let (status, answer) = server.post("/logs/ingest", &headers, body.as_bytes());
    assert_eq!(status, 200, "{answer}");
    answer
}

fn sample(server: &Serving, name: &str) -> f64 {
    let all = server.ask("GET", "/metrics?format=json", None);
    let family = all.as_array().unwrap().iter().find(|family| family["name"] == name);
    family.unwrap_or_else(|| panic!("{name}: {all}"))["samples"][0]["value"].as_f64().unwrap()
}

#[test]
fn two_servers_take_lines_in_for_one_bucket_and_whoever_asks_sees_all_of_them() {
    let Some(weed) = Seaweed::start() else { return };
    let (a, b, c) = (Desk::new(), Desk::new(), Desk::new());
    let logs = text(weed.s3, "team", "ship=100ms");
    let nothing =
        c.command(&["ask", "how many errors", "--lang", "en"]).env("DURU_LOGS", &logs).output().unwrap();
    let nothing = Seen::of(nothing);
    assert_eq!(
        (nothing.code, nothing.err.contains("there are no logs at s3://logs/team")),
        (Some(2), true),
        "{nothing:?}"
    );
    // One that acknowledges what is on its disk, and one that acknowledges what is in the bucket.
    let (first, second) = (serve(&a, &logs), serve(&b, &text(weed.s3, "team", "ship=0")));
    take_in(&first, "one", 30);
    take_in(&second, "two", 12);
    let shipped = |server: &Serving| {
        while sample(server, "duru_log_tail_rows") > 0.0 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert_eq!(sample(server, "duru_log_ship_lag_seconds"), 0.0);
    };
    shipped(&first);
    // The same batch by way of the other one.
    assert_eq!(take_in(&second, "one", 30)["duplicate"], true);
    assert_eq!(count(&c, &logs), 42);
    for server in [&first, &second] {
        let ready = server.ask("GET", "/ready", None);
        assert_eq!((&ready["parts"]["logs"], &ready["degraded"]), (&json!("ok"), &json!(false)), "{ready}");
    }
    // A third one on a machine with one of them has a folder of its own.
    let told = a.command(&["logs", "generate", "--rows", "100", "--into", &logs]).output().unwrap();
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    assert_eq!(count(&c, &logs), 142);
    drop((first, second));
    drop(weed);
    let gone = Seen::of(
        c.command(&["ask", "--run", COUNT, "--lang", "ko"]).env("DURU_LOGS", &logs).output().unwrap(),
    );
    assert_eq!(gone.code, Some(5), "{gone:?}");
    assert!(gone.err.contains("[logs-unavailable]") && gone.err.contains("제때 답하지 않습니다"), "{gone:?}");
}

#[test]
fn a_server_tells_when_its_bucket_is_away_and_goes_on_with_the_rest() {
    let Some(weed) = Seaweed::start() else { return };
    let desk = Desk::new();
    let server = serve(&desk, &text(weed.s3, "away", "ship=50ms"));
    take_in(&server, "one", 5);
    drop(weed);
    take_in(&server, "two", 7);
    let ready = server.until("/ready", |ready| ready["degraded"] == true);
    assert_eq!(ready["parts"]["logs"], "away", "{ready}");
    assert!(sample(&server, "duru_log_tail_rows") >= 7.0);
    assert!(sample(&server, "duru_log_ship_lag_seconds") > 0.0);
    assert_eq!(server.ask("GET", "/ok", None)["ok"], true);
}

#[test]
fn the_doctor_looks_at_the_bucket_and_says_what_to_do() {
    let Some(weed) = Seaweed::start() else { return };
    let desk = Desk::new();
    let doctor = |logs: &str, lang: &str| {
        let mut command = desk.command(&["doctor", "--offline", "--lang", lang]);
        Seen::of(command.env("DURU_LOGS", logs).output().unwrap())
    };
    let good = text(weed.s3, "team", "");
    let seen = doctor(&good, "en");
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(seen.out.contains("honours conditional writes"), "{seen:?}");
    for (wrong, en, ko) in [
        (good.replace("s3://logs", "s3://nowhere"), "there is no such bucket", "그런 버킷이 없습니다"),
        (good.replace("duru-secret", "s3cret"), "the key is not accepted", "키가 맞지 않습니다"),
        (good.replace("endpoint", "entpoint"), "?entpoint= is not known", "모르는 이름입니다"),
    ] {
        for (lang, words, fix) in [("en", en, "fix:"), ("ko", ko, "해결:")] {
            let seen = doctor(&wrong, lang);
            assert_eq!(seen.code, Some(1), "{seen:?}");
            assert!(seen.out.contains(words) && seen.out.contains(fix), "{seen:?}");
            assert!(!seen.out.contains("s3cret") && !seen.out.contains("duru-secret"), "{seen:?}");
        }
    }
    let shown = Seen::of(desk.command(&["config", "show"]).env("DURU_LOGS", &good).output().unwrap());
    assert!(
        shown.out.contains("DURU_LOGS = s3://logs/team?endpoint=") && !shown.out.contains("duru-secret"),
        "{shown:?}"
    );
    let wrong = Seen::of(desk.command(&["serve", "--port", "0"]).env("DURU_STORE", &good).output().unwrap());
    assert!(wrong.err.contains("[bad-settings]"), "{wrong:?}");
}

#[test]
fn replicas_that_share_questions_say_what_is_missing_and_who_does_not_answer() {
    let Some(weed) = Seaweed::start() else { return };
    let desk = Desk::new();
    let secret = ("DURU_LOG_WORKER_SECRET", "known-to-all-of-us");
    for (lang, words) in [("ko", "버킷에 있을 때만"), ("en", "only where logs are in a bucket")] {
        let told = [("DURU_LOG_WORKERS", "127.0.0.1:9"), secret, ("DURU_LANG", lang)];
        let seen = desk.with_env(&["serve", "--port", "0"], &told);
        assert!(seen.code.is_some_and(|code| code != 0) && seen.err.contains(words), "{seen:?}");
    }
    let mut command = desk.command(&["serve", "--port", "0"]);
    command.env("DURU_LOGS", text(weed.s3, "shared", "ship=0")).stderr(Stdio::null());
    command.envs([("DURU_LOG_WORKERS", "127.0.0.1:9"), ("DURU_LOG_WORKER_LISTEN", "127.0.0.1:0"), secret]);
    let server = Serving::of(command);
    let ready = server.ask("GET", "/ready", None);
    assert_eq!(
        (&ready["degraded"], &ready["parts"]["log workers"]),
        (&json!(true), &json!("away")),
        "{ready}"
    );
    assert_eq!(server.ask("GET", "/ok", None)["ok"], true);
}

#[test]
fn a_backup_brings_logs_from_a_folder_into_a_bucket_and_back() {
    let Some(weed) = Seaweed::start() else { return };
    let desk = Desk::new();
    let (folder, bucket) = (desk.path("lines").display().to_string(), text(weed.s3, "moved", "ship=0"));
    let run = |args: &[&str], logs: &str| {
        let seen = Seen::of(desk.command(args).env("DURU_LOGS", logs).output().unwrap());
        assert_eq!(seen.code, Some(0), "{args:?}: {seen:?}");
        seen
    };
    run(&["logs", "generate", "--rows", "500", "--into", &folder], &folder);
    run(&["backup", "one.zip"], &folder);
    let would = run(&["restore", "one.zip", "--dry-run", "--json"], &bucket).json();
    assert_eq!(would["dry_run"], true, "{would}");
    run(&["restore", "one.zip"], &bucket);
    assert_eq!(count(&desk, &bucket), count(&desk, &folder));
    run(&["logs", "generate", "--rows", "50", "--into", &bucket], &bucket);
    run(&["backup", "two.zip"], &bucket);
    let before = count(&desk, &bucket);
    // What is there is nobody's to overwrite, unless somebody says so.
    let refused = Seen::of(desk.command(&["restore", "two.zip"]).env("DURU_LOGS", &bucket).output().unwrap());
    assert!(refused.err.contains("[data-there]"), "{refused:?}");
    let restored = run(&["restore", "two.zip", "--force", "--json"], &bucket).json();
    let aside = restored["moved_aside"].to_string();
    assert!(aside.contains("s3://logs/moved/before-restore-"), "{restored}");
    assert_eq!(count(&desk, &bucket), before);
    let back = desk.path("back").display().to_string();
    run(&["restore", "two.zip", "--force"], &back);
    assert_eq!(count(&desk, &back), before);
}
