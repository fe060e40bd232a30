//! The requests of the API's guide, typed one after the other against a server that runs.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::documents::{blocks, read};
use crate::{Desk, Seen};

#[test]
fn every_request_of_the_guide_is_answered() {
    if Command::new("curl").arg("--version").stdout(Stdio::null()).status().is_err() {
        assert!(std::env::var_os("CI").is_none(), "there is no curl here");
        eprintln!("\n*** SKIPPED: there is no curl here ***\n");
        return;
    }
    let desk = Desk::new();
    let mut server = desk
        .command(&["serve", "--port", "0", "--lang", "en"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.split([' ', ',']).find(|word| word.starts_with("http://")).unwrap();
    let script = blocks(&read("docs/api.md"), "bash").concat();
    let requests = script.matches("curl ").count();
    assert!(requests >= 10, "only {requests} requests");
    // What each one says, on a line of its own.
    let script = script.replace("http://127.0.0.1:2024", address).replace("curl ", "echo; curl ");
    let seen = Seen::of(Command::new("bash").args(["-euc", &script]).output().unwrap());
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(seen.code, Some(0), "{seen:?}");
    for word in [
        "\"executed_sql\"",
        "event: custom|",
        "final_response",
        "\"publish\"",
        "\"hits\"",
        "\"choices\"",
        "\"tools\"",
        "\"artifacts\"",
    ] {
        assert!(seen.out.contains(word), "no answer has {word}: {seen:?}");
    }
}
