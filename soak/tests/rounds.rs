//! The rig itself: a short round finds nothing wrong with a good store, and says
//! so when a store is broken.

// Helpers are not `#[test]`s themselves.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn soak(args: &[&str]) -> (Output, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duru-soak"));
    // One round: the next would begin after the time is over.
    command
        .args(["0.01", "--round-seconds", "4", "--life-ms", "700", "--threads", "40"])
        .args(args)
        .env_remove("FAIL_AT");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, said)
}

/// A figure of the table, by how its line begins.
fn figure(said: &str, line: &str) -> u64 {
    let rest = said.lines().find_map(|text| text.strip_prefix(line));
    let first = rest.and_then(|rest| rest.split_whitespace().next());
    first.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no {line:?} in:\n{said}"))
}

/// The evidence is kept for people, who are not here.
fn remove_evidence(said: &str) {
    let folder = said.lines().find_map(|line| line.split_once("the evidence is in ")).unwrap().1;
    assert!(std::fs::read_dir(folder).unwrap().count() > 0, "there is no evidence in {folder}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_good_store_keeps_its_promises() {
    let (output, said) = soak(&["--only", "sqlite-one"]);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(figure(&said, "processes killed") >= 3, "{said}");
    assert!(figure(&said, "commits / steps crossed") >= 100, "{said}");
    assert!(figure(&said, "events that readers saw") >= 100, "{said}");
    for line in
        ["lost acknowledged writes", "duplicate applied effects", "stuck threads"].iter().chain(READERS)
    {
        assert_eq!(figure(&said, line), 0, "{said}");
    }
}

/// What may not happen to who reads along.
const READERS: &[&str] =
    &["skipped by a reader", "doubled by a reader", "wrongly read", "deleted and come back"];

#[test]
fn readers_beside_several_writers_see_everything_and_nothing_that_was_deleted() {
    let (output, said) = soak(&["--only", "sqlite-several"]);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(figure(&said, "events that readers saw") >= 100, "{said}");
    for line in READERS {
        assert_eq!(figure(&said, line), 0, "{said}");
    }
}

#[test]
fn a_store_that_knows_threads_by_their_names_alone_is_found_out() {
    // Who lives longer has more at hand of threads that others delete.
    let lives = ["--life-ms", "5000", "--round-seconds", "10"];
    let (output, said) = soak(&[&["--only", "sqlite-several", "--broken", "nameless"], &lives[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(figure(&said, "deleted and come back") > 0, "{said}");
    remove_evidence(&said);
}

#[test]
fn a_store_that_leaves_rows_out_is_found_out() {
    let (output, said) = soak(&["--only", "sqlite-several", "--broken", "gappy"]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(figure(&said, "skipped by a reader") > 0, "{said}");
    remove_evidence(&said);
}

#[test]
fn a_store_that_shows_something_else_is_found_out() {
    let (output, said) = soak(&["--only", "sqlite-several", "--broken", "lying"]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(figure(&said, "wrongly read") > 0, "{said}");
    remove_evidence(&said);
}

#[test]
fn a_store_that_acknowledges_before_it_writes_is_found_out() {
    let (output, said) = soak(&["--only", "sqlite-one", "--broken", "hasty"]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(figure(&said, "lost acknowledged writes") > 0, "{said}");
    assert!(figure(&said, "duplicate applied effects") > 0, "{said}");
    remove_evidence(&said);
}

#[test]
fn a_store_without_a_fence_is_found_out() {
    // A thread with a fork never comes to rest: nobody need wait for it.
    let (output, said) = soak(&["--only", "sqlite-several", "--broken", "unfenced", "--finish-seconds", "5"]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(figure(&said, "forks / event gaps") > 0, "{said}");
    remove_evidence(&said);
}

/// Every kind of fault once, on servers that are there only after `cargo build`; `cargo xtask soak cluster` is the long one.
#[test]
fn a_cluster_keeps_its_promises_through_faults_of_every_kind() {
    let rig = Path::new(env!("CARGO_BIN_EXE_duru-soak"));
    let program = rig.with_file_name("duru");
    if !program.exists() {
        return eprintln!("\n*** SKIPPED: there is no {}: cargo build ***\n", program.display());
    }
    let may = Command::new("unshare").args(["--net", "ip", "link", "add", "test", "type", "bridge"]).output();
    if !may.is_ok_and(|output| output.status.success()) {
        return eprintln!("\n*** SKIPPED: network namespaces can't be made here ***\n");
    }
    let output = Command::new(rig)
        .args(["cluster", "0.3", "--clients", "3", "--program"])
        .arg(&program)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(figure(&said, "faults") >= 15, "{said}");
    assert!(figure(&said, "log batches / lines") > 0, "{said}");
    for line in
        ["events lost", "events doubled", "wrongly read", "stuck or failed", "forked / gaps / cut short"]
    {
        assert_eq!(figure(&said, line), 0, "{said}");
    }
}
