//! What the document says is what the server does.

use crate::fixture::{Fixture, Place};
use crate::held::{Answers, Holding};

/// These streams last as long as their reader, and one of them begins on any thread: `openapi.rs` asks them by hand.
const LEFT_OUT: [&str; 2] = ["post_threads_thread_id_stream_events", "get_threads_thread_id_stream"];

/// What no request alone gets something of.
const NEVER_FINE: [(&str, &str); 6] = [
    ("GET /threads/{thread_id}/stream/events", "a request is no socket"),
    ("GET /ws/{thread_id}", "a request is no socket"),
    ("DELETE /mcp", "there are no sessions"),
    ("GET /runs/dead/{run_id}", "no run has failed for good but by chance"),
    ("DELETE /runs/dead/{run_id}", "no run has failed for good but by chance"),
    ("POST /runs/dead/{run_id}/retry", "no run has failed for good but by chance"),
];

fn hold(server: &Fixture, phases: &str, examples: u32) -> Option<Answers> {
    let key = server.key.as_deref().unwrap();
    Holding { url: &server.url(), key, phases, examples, only: &[], left_out: &LEFT_OUT, hooks: "hooks" }
        .run()
}

fn serve(place: Place) -> Fixture {
    place.serve_told(&["--interfaces", "--key-per-second", "1000000"], &[])
}

/// At the bounds of every parameter and field, and beyond them; and every operation gives what it is for at least once.
#[test]
fn answers_are_as_the_document_says() {
    let server = serve(Place::sqlite());
    if let Some(answers) = hold(&server, "coverage,fuzzing", 10) {
        answers.each_was_fine(&NEVER_FINE);
    }
}

/// What one answer names is asked for by the next.
#[test]
fn answers_about_what_is_there_are_as_the_document_says() {
    if let Some(answers) = hold(&serve(Place::sqlite()), "stateful", 40) {
        answers.at_least(20);
    }
}

/// It takes other text than the others do.
#[test]
fn answers_from_postgres_are_as_the_document_says() {
    let Some(place) = Place::postgres() else { return };
    if let Some(answers) = hold(&serve(place), "fuzzing,stateful", 10) {
        answers.at_least(65);
    }
}
