//! What can be asked is seen, chosen and described over HTTP, as far as a key may.

use serde_json::{Value, json};

use crate::Desk;
use crate::guarded::ask;
use crate::serve::Serving;

/// Two tables as files, under a name.
fn shop(desk: &Desk) {
    let folder = desk.path("sales");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("orders.csv"), "id,customer_id,amount\n1,1,10\n2,2,20\n3,1,30\n").unwrap();
    std::fs::write(folder.join("customers.csv"), "id,city,password\n1,Seoul,x1y2z3\n2,Busan,x1y2z3\n")
        .unwrap();
    assert_eq!(desk.run(&["tables", "add", "sales", "--name", "shop"]).code, Some(0));
}

fn key(desk: &Desk, name: &str, more: &[&str]) -> String {
    let made = desk.run(&[&["keys", "add", name, "--json"], more].concat()).json();
    format!("x-api-key: {}\r\ncontent-type: application/json\r\n", made["key"].as_str().unwrap())
}

fn get(server: &Serving, headers: &str, path: &str) -> (u16, Value) {
    let (status, answer) = ask(server, &format!("GET {path}"), headers, "");
    (status, answer.unwrap_or_default())
}

fn change(server: &Serving, headers: &str, path: &str, body: &Value) -> (u16, Value) {
    let (status, answer) = ask(server, &format!("PATCH {path}"), headers, &body.to_string());
    (status, answer.unwrap_or_default())
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

fn count(server: &Serving, headers: &str, body: &Value) -> (u16, Value) {
    let (status, answer) = ask(server, "POST /query", headers, &body.to_string());
    (status, answer.unwrap_or_default()["results"][0]["count"].clone())
}

#[test]
fn a_key_sees_the_tables_that_it_may_ask_and_hidden_columns_by_name_alone() {
    let desk = Desk::new();
    shop(&desk);
    let everything = key(&desk, "everything", &[]);
    let some = key(&desk, "some", &["--tables", "orders"]);
    let whole = key(&desk, "whole", &["--tables", "shop"]);
    let none = key(&desk, "none", &["--tables", "elsewhere"]);
    let logs = key(&desk, "logs", &["--tables", "logs"]);
    let server = Serving::with(&desk, &["--tables", "shop"]);
    let seen = |headers: &str| {
        let (status, all) = get(&server, headers, "/tables");
        assert_eq!(status, 200, "{all}");
        let sources = all["sources"].as_array().unwrap().clone();
        sources.iter().map(|one| (one["name"].clone(), names(&one["tables"]).join(" "))).collect::<Vec<_>>()
    };
    assert_eq!(
        seen(&everything),
        [(json!("shop"), "customers orders".into()), (json!("logs"), "logs".into())]
    );
    assert_eq!(seen(&some), [(json!("shop"), "orders".into())]);
    assert_eq!(seen(&whole), [(json!("shop"), "customers orders".into())]);
    assert_eq!(seen(&none), []);
    assert_eq!(seen(&logs), [(json!("logs"), "logs".into())]);

    let (status, customers) = get(&server, &everything, "/tables/customers");
    assert_eq!(
        (status, names(&customers["columns"]), &customers["hidden"]),
        (200, vec!["id", "city"], &json!(["password"]))
    );
    assert_eq!(
        (&customers["rows"], &customers["columns"][1]["values"]),
        (&json!(2), &json!(["Busan", "Seoul"]))
    );
    assert!(!customers.to_string().contains("x1y2z3"), "{customers}");
    assert_eq!(customers["own"], json!({ "description": null, "synonyms": [] }));
    // What was not granted is not there, in the words for what does not exist.
    let (there, not_there) =
        (get(&server, &some, "/tables/customers"), get(&server, &some, "/tables/elephants"));
    assert_eq!((there.0, &there.1), (404, &not_there.1));
    assert_eq!(get(&server, &everything, "/tables/logs?source=shop").0, 404);
    assert_eq!(get(&server, &everything, "/tables/logs?source=logs").1["own"], Value::Null);
}

#[test]
fn a_person_chooses_what_is_asked_of_what_they_may_ask() {
    let desk = Desk::new();
    shop(&desk);
    let everything = key(&desk, "everything", &[]);
    let some = key(&desk, "some", &["--tables", "orders"]);
    let server = Serving::with(&desk, &["--tables", "shop"]);
    let about = |question: &str, about: Value| json!({ "question": question, "about": about });
    let orders = about("How many orders are there?", json!({ "tables": ["orders"] }));
    assert_eq!(count(&server, &everything, &orders), (200, json!(3)));
    assert_eq!(count(&server, &some, &orders), (200, json!(3)));
    // Whatever else there is does not exist for the question.
    let sql = |about: Value| json!({ "sql": "SELECT count(*) AS count FROM customers", "about": about });
    assert_eq!(count(&server, &everything, &sql(json!({}))), (200, json!(2)));
    assert_eq!(count(&server, &everything, &sql(json!({ "tables": ["orders"] }))).0, 422);
    // The logs are asked where they are chosen, though tables were named.
    let logs = json!({ "sql": "SELECT count(*) AS count FROM logs", "about": { "source": "logs" } });
    assert_eq!(count(&server, &everything, &logs).0, 200);
    assert_eq!(count(&server, &everything, &json!({ "sql": "SELECT count(*) FROM logs" })).0, 422);
    // What was not granted is as what does not exist.
    let told = |headers: &str, wanted: Value, name: &str| {
        let question = about("How many are there?", wanted);
        let (status, answer) = ask(&server, "POST /query", headers, &question.to_string());
        (status, answer.unwrap()["error"].as_str().unwrap().replace(name, "…"))
    };
    let not_there = told(&some, json!({ "tables": ["elephants"] }), "elephants");
    assert!(not_there.0 == 422 && not_there.1.contains("not there"), "{not_there:?}");
    assert_eq!(told(&some, json!({ "tables": ["customers"] }), "customers"), not_there);
    assert_eq!(told(&some, json!({ "source": "logs" }), "logs"), not_there);
}

#[test]
fn words_are_changed_in_the_file_and_count_from_the_next_question_on() {
    let desk = Desk::new();
    shop(&desk);
    let curator = key(&desk, "curator", &["--scope", "ask,curate"]);
    let asker = key(&desk, "asker", &[]);
    let narrow = key(&desk, "narrow", &["--scope", "ask,curate", "--tables", "customers"]);
    let file = desk.path("duru/tables/shop.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    let server = Serving::with(&desk, &["--tables", "shop"]);
    let asked = json!({ "question": "How many purchases are there?" });
    assert_ne!(count(&server, &asker, &asked), (200, json!(3)), "the word is not known yet");

    let words = json!({ "description": "What people bought", "synonyms": ["purchases", "구매"] });
    for (who, path, body, status) in [
        (&asker, "/tables/orders", words.clone(), 403),
        (&narrow, "/tables/orders", words.clone(), 404),
        (&curator, "/tables/elephants", words.clone(), 404),
        (&curator, "/tables/customers/columns/password", words.clone(), 404),
        (&curator, "/tables/orders/columns/tail", words.clone(), 404),
        (&curator, "/tables/logs?source=logs", words.clone(), 409),
        (&curator, "/tables/orders", json!({}), 422),
        (&curator, "/tables/orders", json!({ "synonyms": ["\u{202e}"] }), 422),
        (&curator, "/tables/orders", json!({ "nouns": ["x"] }), 422),
    ] {
        let (got, answer) = change(&server, who, path, &body);
        assert_eq!(got, status, "{path} {body}: {answer}");
        let detail = answer["detail"].as_str().unwrap();
        assert!(got != 409 || detail.contains(" / ") && detail.contains("duru tables add"), "{detail}");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before, "nothing was changed");

    let (status, orders) = change(&server, &curator, "/tables/orders", &words);
    assert_eq!(
        (status, &orders["own"], &orders["description"]),
        (200, &words, &words["description"]),
        "{orders}"
    );
    assert_eq!(count(&server, &asker, &asked), (200, json!(3)), "the next question is read with it");
    assert_eq!(count(&server, &asker, &json!({ "question": "구매는 몇 건이야?" })), (200, json!(3)));
    let column = json!({ "synonyms": ["turnover"] });
    assert_eq!(change(&server, &curator, "/tables/orders/columns/amount", &column).0, 200);
    let turnover = json!({ "question": "total turnover of purchases" });
    let (_, answer) = ask(&server, "POST /query", &asker, &turnover.to_string());
    let answer = answer.unwrap();
    assert!(
        answer["results"][0].as_object().is_some_and(|row| row.values().any(|cell| cell == 60)),
        "{answer}"
    );

    // Whoever saw other words than there are changes nothing, and sees the new ones then.
    let old = json!({ "synonyms": ["x"], "was": { "description": null, "synonyms": [] } });
    assert_eq!(change(&server, &curator, "/tables/orders", &old).0, 409);
    // The person's own lines stay, and what they write beside it is not lost.
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(before.lines().all(|line| text.contains(line)), "{text}");
    std::fs::write(&file, format!("{text}\n[table.customers]\nnouns = [\"patrons\"]\n")).unwrap();
    let undone = json!({ "description": null, "synonyms": [], "was": words });
    assert_eq!(change(&server, &curator, "/tables/orders", &undone).0, 200);
    assert_ne!(count(&server, &asker, &asked), (200, json!(3)), "taken back");
    assert_eq!(get(&server, &asker, "/tables/customers").1["own"]["synonyms"], json!(["patrons"]));
    // A file that can't be read is left alone.
    std::fs::write(&file, "url = ").unwrap();
    assert_eq!(change(&server, &curator, "/tables/orders", &words).0, 409);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "url = ");
    let noted = std::fs::read_to_string(desk.path("duru/audit.jsonl")).unwrap();
    assert!(noted.contains("table_words") && noted.contains("curator"), "{noted}");
}
