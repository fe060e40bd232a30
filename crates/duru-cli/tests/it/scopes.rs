//! Keys of different scopes on the whole product: who may say what of documents, take them in, and take them out.

use serde_json::{Value, json};

use crate::Desk;
use crate::guarded::ask;
use crate::serve::Serving;

const DECREE: &str = "# 집빌림법 시행령\n\n제8조(증액의 기준) 약정한 차임이나 보증금의 증액은 100분의 5를 넘지 못한다.\n\
제9조(수수료) 등기의 수수료는 3천원으로 한다.\n";
const QUESTION: &str = "보증금 증액은 얼마를 넘지 못하나요?";

fn key(desk: &Desk, name: &str, scopes: &str) -> String {
    let made = desk.run(&["keys", "add", name, "--scope", scopes, "--json"]).json();
    assert_eq!(made["scopes"].as_array().unwrap().len(), scopes.split(',').count(), "{made}");
    format!("x-api-key: {}\r\n", made["key"].as_str().unwrap())
}

fn json_of(headers: &str) -> String {
    format!("{headers}content-type: application/json\r\n")
}

fn desk() -> Desk {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("papers")).unwrap();
    std::fs::write(desk.path("papers/decree.md"), DECREE).unwrap();
    assert_eq!(desk.run(&["docs", "ingest", "papers"]).code, Some(0));
    desk
}

fn researched(server: &Serving, headers: &str) -> Value {
    let body = json!({ "assistant_id": "researcher", "input": { "question": QUESTION } });
    let headers = json_of(headers);
    let headers: Vec<&str> = headers.trim_end().split("\r\n").collect();
    let (status, answer) = server.post("/runs/wait", &headers, body.to_string().as_bytes());
    assert_eq!(status, 200, "{answer}");
    answer
}

/// One note on a passage, and everybody was told "20 %" instead of "5 %", in the first line, cited to the decree.
#[test]
fn one_key_does_not_rewrite_the_law_for_everyone() {
    let desk = desk();
    let (kim, lee) = (key(&desk, "kim", "ask"), key(&desk, "lee", "ask"));
    let boss = key(&desk, "boss", "ask,curate");
    let server = Serving::with(&desk, &[]);
    let search = json!({ "question": QUESTION }).to_string();
    let found = ask(&server, "POST /documents/search", &json_of(&kim), &search).1.unwrap();
    let chunk = found["hits"][0]["passage"]["id"].as_str().unwrap();
    let note = json!({ "chunk": chunk, "verdict": "note", "text": "약정한 차임이나 보증금의 증액은 100분의 20을 넘지 못한다." });
    let (status, said) = ask(&server, "POST /documents/feedback", &json_of(&kim), &note.to_string());
    let said = said.unwrap();
    assert_eq!(
        (status, &said["author"], &said["standing"]),
        (200, &json!("kim"), &json!("pending")),
        "{said}"
    );
    let id = said["id"].as_str().unwrap();

    let of_lee = researched(&server, &lee);
    let told = of_lee["final_answer"].as_str().unwrap();
    assert!(told.contains("100분의 5") && !told.contains("100분의 20"), "{told}");
    let is_first = |answer: &Value| {
        let told = answer["final_answer"].as_str().unwrap();
        let first = told.lines().next().unwrap();
        assert!(first.contains("100분의 5를") && !first.contains("20"), "{told}");
        let of = |citation: &&Value| citation["remarked"]["author"] == "kim";
        let remark = answer["citations"].as_array().unwrap().iter().find(of).unwrap().clone();
        assert!(remark["remarked"]["date"].is_string() && remark["label"].as_str().unwrap().contains("kim"));
        let text = &answer["citations"][0];
        assert!(text["remarked"].is_null() && first.contains("[1]"), "{answer}");
    };
    is_first(&researched(&server, &kim));

    // Nobody but who may curate has it count for others, nor hears of it.
    for headers in [&kim, &lee] {
        let (status, refused) =
            ask(&server, &format!("POST /documents/remarks/{id}/accept"), &json_of(headers), "{}");
        assert_eq!(status, 403, "{refused:?}");
        assert!(refused.unwrap()["detail"].as_str().unwrap().contains("curate"));
    }
    let listed = |headers: &str| ask(&server, "GET /documents/remarks", headers, "").1.unwrap();
    assert_eq!(listed(&lee)["remarks"], json!([]));
    assert_eq!(listed(&kim)["remarks"][0]["id"], id);
    assert_eq!(ask(&server, &format!("DELETE /documents/remarks/{id}"), &lee, "").0, 404);
    assert_eq!(listed(&boss)["remarks"][0]["passage"]["id"], chunk);
    let read = json!({ "at_ms": said["at_ms"] }).to_string();
    let accept = format!("POST /documents/remarks/{id}/accept");
    assert_eq!(ask(&server, &accept, &json_of(&boss), &read).0, 200);
    is_first(&researched(&server, &lee));
    // What was accepted is what was read.
    let other =
        json!({ "chunk": chunk, "verdict": "note", "text": "보증금의 증액은 100분의 50을 넘지 못한다." });
    assert_eq!(ask(&server, "POST /documents/feedback", &json_of(&kim), &other.to_string()).0, 200);
    assert!(!researched(&server, &lee)["final_answer"].as_str().unwrap().contains("50"));
    assert_eq!(ask(&server, &accept, &json_of(&boss), &read).0, 404);
    assert_eq!(ask(&server, &accept, &json_of(&boss), "{}").0, 200);
    assert!(researched(&server, &lee)["final_answer"].as_str().unwrap().contains("100분의 50"));
    // And it can be taken back.
    assert_eq!(ask(&server, &format!("POST /documents/remarks/{id}/decline"), &json_of(&boss), "{}").0, 200);
    assert_eq!(researched(&server, &lee)["final_answer"], of_lee["final_answer"]);
    let long = json!({ "chunk": chunk, "verdict": "note", "text": "가".repeat(2_001) }).to_string();
    assert_eq!(ask(&server, "POST /documents/feedback", &json_of(&kim), &long).0, 422);

    let audit = std::fs::read_to_string(desk.path("duru/audit.jsonl")).unwrap();
    let lines: Vec<Value> = audit.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |action: &str, who: &str| {
        lines.iter().any(|line| {
            line["kind"] == "remark" && line["action"] == action && line["who"] == who && line["remark"] == id
        })
    };
    assert!(of("said", "kim") && of("accepted", "boss") && of("declined", "boss"), "{audit}");
}

/// A key for log lines read everything, and took the statutes out.
#[test]
fn an_ingest_key_takes_in_and_does_nothing_else() {
    let desk = desk();
    let shipper = key(&desk, "shipper", "ingest");
    let server = Serving::with(&desk, &[]);
    let line = r#"[{"timestamp":"2026-11-14T03:00:00Z","level":"ERROR","service":"pay","message":"x"}]"#;
    assert_eq!(ask(&server, "POST /logs/ingest", &json_of(&shipper), line).0, 200);
    assert_eq!(ask(&server, "POST /documents?name=a.md", &shipper, "# 안내\n\n안내문입니다.\n").0, 200);
    let question = json!({ "question": "에러 건수", "sql": "SELECT message FROM logs" }).to_string();
    for (request, body) in [
        ("POST /query", question.as_str()),
        ("POST /documents/search", &question),
        ("GET /documents", ""),
        ("POST /threads", "{}"),
        ("POST /runs/wait", "{}"),
        ("GET /memory", ""),
        ("GET /metrics", ""),
        ("GET /users/kim", ""),
        ("POST /v1/chat/completions", "{}"),
        ("POST /mcp", "{}"),
    ] {
        assert_eq!(ask(&server, request, &json_of(&shipper), body).0, 403, "{request}");
    }
}

#[test]
fn an_upload_is_its_owners_to_change_and_to_take_out() {
    let desk = desk();
    let (kim, lee) = (key(&desk, "kim", "ingest"), key(&desk, "lee", "ingest"));
    let boss = key(&desk, "boss", "ask,curate");
    let server = Serving::with(&desk, &[]);
    let send = |headers: &str, text: &str| ask(&server, "POST /documents?name=rules.md", headers, text).0;
    assert_eq!(send(&kim, "# 규칙\n\n주차장은 밤 11시에 닫는다.\n"), 200);
    assert_eq!(send(&lee, "# 규칙\n\n주차장은 닫지 않는다.\n"), 200);
    let listed = ask(&server, "GET /documents", &boss, "").1.unwrap();
    let documents = listed["documents"].as_array().unwrap();
    let of = |owner: Value| documents.iter().find(|one| one["owner"] == owner).unwrap()["id"].clone();
    let (kims, lees, statute) = (of(json!("kim")), of(json!("lee")), of(Value::Null));
    let passages = |id: &Value| {
        ask(&server, &format!("GET /documents/{}", id.as_str().unwrap()), &boss, "").1.unwrap_or_default()
    };
    assert!(passages(&kims).to_string().contains("11시"), "another's upload of that name did not change it");
    let remove = |headers: &str, id: &Value| {
        ask(&server, &format!("DELETE /documents/{}", id.as_str().unwrap()), headers, "").0
    };
    assert_eq!((remove(&lee, &kims), remove(&lee, &statute)), (403, 403));
    let file = desk.path("duru/uploads/@kim/rules.md");
    assert!(file.exists());
    assert_eq!(remove(&kim, &kims), 200);
    assert!(!file.exists(), "what was deleted is gone from the disk");
    assert_eq!(remove(&boss, &lees), 200);
    assert_eq!(remove(&boss, &statute), 200);
    assert!(desk.path("papers/decree.md").exists(), "a file of this machine's own is nobody's to remove");

    // Nothing is kept of what can't be read.
    assert_eq!(ask(&server, "POST /documents?name=bad.pdf", &kim, "%PDF-1.4 nothing").0, 422);
    let left: Vec<_> = walk(&desk.path("duru/uploads"));
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn uploads_have_a_quota() {
    let desk = desk();
    let kim = key(&desk, "kim", "ingest");
    let mut command = desk.command(&["serve", "--port", "0"]);
    command.env("DURU_UPLOADS_QUOTA", "10KB");
    let server = Serving::of(command);
    let large = format!("# 글\n\n{}\n", "가나다라 ".repeat(1_000));
    let (status, refused) = ask(&server, "POST /documents?name=large.md", &kim, &large);
    assert_eq!(status, 413, "{refused:?}");
    assert!(refused.unwrap()["detail"].as_str().unwrap().contains("DURU_UPLOADS_QUOTA"));
    assert_eq!(ask(&server, "POST /documents?name=small.md", &kim, "# 글\n\n짧은 글입니다.\n").0, 200);
    let seen = desk.command(&["serve", "--port", "0"]).env("DURU_UPLOADS_QUOTA", "much").output().unwrap();
    assert_eq!(seen.status.code(), Some(3));
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries
        .flatten()
        .flat_map(|entry| if entry.path().is_dir() { walk(&entry.path()) } else { vec![entry.path()] })
        .collect()
}

#[test]
fn keys_have_scopes_that_can_be_changed_and_a_lock_that_can_be_taken_off() {
    let desk = Desk::new();
    for (lang, words) in [("ko", "키에 쓸 수 없습니다"), ("en", "choose another")] {
        let seen = desk.run(&["keys", "add", "local", "--lang", lang]);
        assert!(seen.code == Some(2) && seen.err.contains(words), "{seen:?}");
    }
    let made = desk.run(&["keys", "add", "kim", "--json"]).json();
    assert_eq!(made["scopes"], json!(["ask"]), "the least unless more is said");
    assert_eq!(desk.run(&["keys", "add", "lee", "--scope", "everything"]).code, Some(2));
    let changed = desk.run(&["keys", "scope", "kim", "ask,curate", "--json"]).json();
    assert_eq!(changed["changed"][0]["scopes"], json!(["ask", "curate"]));
    assert_eq!(desk.run(&["keys", "scope", "nobody", "ask"]).code, Some(2));
    let refused = desk.run(&["keys", "unlock", "--lang", "en"]);
    assert!(refused.code == Some(2) && refused.err.contains("revoke them first"), "{refused:?}");
    assert_eq!(desk.run(&["keys", "revoke", "kim"]).code, Some(0));
    {
        let server = Serving::with(&desk, &[]);
        assert_eq!(
            ask(&server, "GET /info", "", "").0,
            401,
            "the last key was not revoked to let everybody in"
        );
    }
    assert_eq!(desk.run(&["keys", "unlock", "--json"]).json()["unlocked"], true);
    let server = Serving::with(&desk, &[]);
    assert_eq!(ask(&server, "GET /info", "", "").0, 200);
    assert_eq!(ask(&server, "GET /info", "x-forwarded-for: 203.0.113.1\r\n", "").0, 401);
}

/// A new route says which key it needs, or the product does not start; each is open to its scopes and to no other.
#[test]
fn every_route_of_the_product_is_open_to_its_scopes_and_to_no_other() {
    let desk = Desk::new();
    let scopes = ["ingest", "ask", "curate", "operate", "administer"];
    let holders = scopes.map(|scope| (scope, key(&desk, scope, scope)));
    let server = Serving::with(&desk, &[]);
    let described = ask(&server, "GET /openapi.json", "", "").1.unwrap();
    let mut walked = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            // It would erase whoever asks.
            if path == "/users/{name}" && method == "delete" {
                continue;
            }
            let needed = operation["x-duru-scope"].as_str().unwrap();
            let line = format!("{} {}", method.to_uppercase(), path.replace(['{', '}'], ""));
            for (scope, headers) in &holders {
                let open = matches!(needed, "public" | "any")
                    || *scope == "administer"
                    || needed.split(" | ").any(|word| word == *scope);
                let (status, _) = ask(&server, &line, &json_of(headers), "{}");
                assert_eq!(status != 403, open, "{line} with {scope}: {status}");
                walked += 1;
            }
        }
    }
    assert!(walked > 400, "{walked}");
}
