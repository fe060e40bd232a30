//! What the product's document says of the agents' own routes is what it does. Those of every server are held to theirs
//! by the tests of `duru-server`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Desk;
use crate::guarded::ask;
use crate::held::{Answers, Holding};
use crate::serve::Serving;

/// What the routes of this crate begin with.
const OURS: [&str; 10] = [
    "/documents",
    "/drafts/",
    "/logs/",
    "/memory",
    "/query",
    "/tables",
    "/threads/{thread_id}/documents",
    "/users/",
    "/ws/query",
    "/ws/{thread_id}",
];

/// What no request alone gets something of.
const NEVER_FINE: [(&str, &str); 7] = [
    ("GET /ws/query", "a request is no socket"),
    ("GET /ws/{thread_id}", "a request is no socket"),
    ("GET /drafts/{id}", "the advisor has made none"),
    ("PATCH /memory/{id}", "nothing is remembered"),
    ("DELETE /memory/{id}", "nothing is remembered"),
    ("PATCH /tables/{table}", "no table has a file of descriptions"),
    ("PATCH /tables/{table}/columns/{column}", "no table has a file of descriptions"),
];

fn hold(server: &Serving, key: &str, phases: &str, examples: u32) -> Option<Answers> {
    let url = format!("http://{}", server.address);
    Holding { url: &url, key, phases, examples, only: &OURS, left_out: &[], hooks: "product" }.run()
}

fn key(desk: &Desk) -> String {
    let made = desk.run(&["keys", "add", "kim", "--admin", "--per-second", "1000000", "--json"]).json();
    made["key"].as_str().unwrap().to_owned()
}

/// At the bounds of every parameter and field, and beyond them, with files; and every operation gives what it is for at
/// least once.
#[test]
fn answers_of_the_product_are_as_its_document_says() {
    let desk = Desk::new();
    let key = key(&desk);
    let server = Serving::with(&desk, &[]);
    if let Some(answers) = hold(&server, &key, "coverage,fuzzing", 10) {
        answers.each_was_fine(&NEVER_FINE);
    }
}

/// What one answer names is asked for by the next.
#[test]
fn answers_about_what_the_product_has_are_as_its_document_says() {
    let desk = Desk::new();
    let key = key(&desk);
    let server = Serving::with(&desk, &[]);
    if let Some(answers) = hold(&server, &key, "stateful", 10) {
        answers.at_least(10);
    }
}

/// What something refers to, wherever it does.
fn references<'a>(of: &'a Value, found: &mut BTreeSet<&'a str>) {
    match of {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

#[test]
fn every_reference_of_the_products_document_leads_somewhere() {
    let desk = Desk::new();
    let server = Serving::with(&desk, &[]);
    let document = ask(&server, "GET /openapi.json", "", "").1.unwrap();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(found.len() > 30, "{found:?}");
    let is_lost = |reference: &&&str| document.pointer(reference.trim_start_matches('#')).is_none();
    let lost: Vec<&&str> = found.iter().filter(is_lost).collect();
    assert!(lost.is_empty(), "{lost:?}");
}
