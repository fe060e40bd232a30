//! What the document says is what the server does: schemathesis makes requests of it, right ones and wrong ones, and
//! holds every answer to it.

use std::process::{Command, Stdio};

use crate::fixture::{Fixture, Place};
use crate::tools;

/// Everything that holds an answer to the document, whatever was asked. Whether a request has to be refused is left to
/// handlers: clients send more than the document names, and are let. Keys are not guessed: that is slowed down, and
/// `security.rs` asks every route without one.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance,unsupported_method";

/// Sockets are no requests, and these two streams last as long as their reader: each example would wait for the
/// timeout.
const LEFT_OUT: &str = r"^/ws/|/stream/events$|^/threads/\{thread_id\}/stream$";

/// Makes so many requests of each operation in some phases, the same ones every time. So many operations have to have
/// been asked.
fn hold(server: &Fixture, phases: &str, examples: u32, least: u32) {
    let folder = tools::scripts().join("schemathesis");
    let wanted = std::fs::read_to_string(folder.join("requirements.txt")).unwrap();
    let Some(python) = tools::python("schemathesis", &wanted) else { return };
    let place = tempfile::TempDir::new().unwrap();
    let mut script = Command::new(python.with_file_name("schemathesis"));
    script
        .args(["run", &format!("{}/openapi.json", server.url())])
        .args(["--header", &format!("x-api-key: {}", server.key.clone().unwrap())])
        .args(["--checks", CHECKS, "--phases", phases, "--max-examples", &examples.to_string()])
        .args(["--exclude-path-regex", LEFT_OUT, "--seed", "1", "--generation-database", "none"])
        .args(["--suppress-health-check", "all", "--continue-on-failure"])
        .args(["--request-timeout", "60", "--warnings", "off", "--no-color"])
        .envs([("SCHEMATHESIS_HOOKS", "hooks"), ("PYTHONDONTWRITEBYTECODE", "1")])
        .env("PYTHONPATH", &folder)
        // It leaves what it found where it runs.
        .current_dir(place.path());
    let output = script.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let tested = said.lines().find_map(|line| line.trim().strip_prefix("Tested: "));
    assert!(tested.is_some_and(|count| count.parse::<u32>().unwrap() >= least), "{said}");
}

fn serve(place: Place) -> Fixture {
    place.serve_told(&["--interfaces", "--key-per-second", "1000000"], &[])
}

/// At the bounds of every parameter and field, and beyond them.
#[test]
fn answers_are_as_the_document_says() {
    hold(&serve(Place::sqlite()), "coverage,fuzzing", 10, 65);
}

/// What one answer names is asked for by the next.
#[test]
fn answers_about_what_is_there_are_as_the_document_says() {
    hold(&serve(Place::sqlite()), "stateful", 40, 20);
}

/// It takes other text than the others do.
#[test]
fn answers_from_postgres_are_as_the_document_says() {
    if let Some(place) = Place::postgres() {
        hold(&serve(place), "fuzzing,stateful", 10, 65);
    }
}
