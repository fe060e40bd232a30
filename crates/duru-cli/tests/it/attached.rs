//! Files that are sent with a conversation, and documents that are somebody's own: over HTTP, with keys, on both indexes.

use serde_json::{Value, json};

use crate::Desk;
use crate::guarded::ask;
use crate::postgres;
use crate::serve::Serving;

const DRAFT: &str =
    "# 납품 계약서 초안\n\n## 위약금\n\n수급인이 납품 기한을 넘기면 위약금은 삼백만 원이다.\n";
const QUESTION: &str = "위약금은 얼마인가요?";
const SECRET: &str = "삼백만";

/// Somebody with a key, or without one.
struct Person<'a> {
    server: &'a Serving,
    headers: String,
}

impl<'a> Person<'a> {
    fn of(server: &'a Serving, headers: &str) -> Self {
        Self { server, headers: headers.to_owned() }
    }

    fn ask(&self, line: &str, body: &str) -> (u16, Value) {
        let headers = format!("{}content-type: application/json\r\n", self.headers);
        let (status, answer) = ask(self.server, line, &headers, body);
        (status, answer.unwrap_or_default())
    }

    fn send(&self, path: &str, body: &str) -> (u16, Value) {
        let headers = format!("{}content-type: application/octet-stream\r\n", self.headers);
        let (status, answer) = ask(self.server, &format!("POST {path}"), &headers, body);
        (status, answer.unwrap_or_default())
    }

    fn thread(&self) -> String {
        self.ask("POST /threads", "{}").1["thread_id"].as_str().unwrap().to_owned()
    }

    /// The answer and its sources.
    fn asks(&self, path: &str, question: &str) -> String {
        let body = json!({ "assistant_id": "researcher", "input": { "question": question } });
        let (status, answer) = self.ask(&format!("POST {path}/wait"), &body.to_string());
        assert_eq!(status, 200, "{answer}");
        format!("{} {}", answer["final_answer"].as_str().unwrap(), answer["citations"])
    }

    fn attached(&self, thread: &str) -> Vec<Value> {
        let (status, found) = self.ask(&format!("GET /threads/{thread}/documents"), "");
        assert_eq!(status, 200, "{found}");
        found["documents"].as_array().unwrap().clone()
    }

    /// Whatever this person gets to see wherever they look; nothing of it may speak of what is somebody else's.
    fn everywhere(&self, thread: &str) -> String {
        let mut seen = String::new();
        for line in ["GET /documents", "GET /documents/remarks"] {
            seen.push_str(&self.ask(line, "").1.to_string());
        }
        let search = json!({ "question": QUESTION, "top": 50 }).to_string();
        seen.push_str(&self.ask("POST /documents/search", &search).1.to_string());
        seen.push_str(&self.asks(&format!("/threads/{thread}/runs"), QUESTION));
        seen.push_str(&self.asks("/runs", QUESTION));
        let chat = json!({ "model": "researcher", "messages": [{ "role": "user", "content": QUESTION }] });
        seen.push_str(&self.ask("POST /v1/chat/completions", &chat.to_string()).1.to_string());
        let call = json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": { "name": "researcher", "arguments": { "question": QUESTION } },
        });
        let headers = format!(
            "{}content-type: application/json\r\naccept: application/json, text/event-stream\r\n",
            self.headers
        );
        let (status, told) = ask(self.server, "POST /mcp", &headers, &call.to_string());
        assert_eq!(status, 200, "{told:?}");
        seen.push_str(&told.unwrap_or_default().to_string());
        seen
    }
}

fn key(desk: &Desk, name: &str, scopes: &str) -> String {
    let made = desk.run(&["keys", "add", name, "--scope", scopes, "--json"]).json();
    format!("x-api-key: {}\r\n", made["key"].as_str().unwrap())
}

fn escaped(path: &str) -> String {
    path.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The file of one conversation is found there, and by nobody and nothing else.
fn files_of_a_conversation(desk: &Desk, more: &[&str]) {
    let keys = [key(desk, "kim", "ask"), key(desk, "lee", "ask,ingest,curate")];
    let server = Serving::with(desk, more);
    let [kims, lees] = &keys;
    let (first, second, lees_own) = {
        let (kim, lee) = (Person::of(&server, kims), Person::of(&server, lees));
        let (first, second, lees_own) = (kim.thread(), kim.thread(), lee.thread());
        let name = escaped("초안.md");
        let path = format!("/threads/{first}/documents?name={name}");
        // Another's thread looks like none.
        assert_eq!(lee.send(&path, DRAFT).0, 404);
        let (status, report) = kim.send(&path, DRAFT);
        assert_eq!((status, &report["added"]), (200, &json!(1)), "{report}");
        (first, second, lees_own)
    };
    // It survives the server.
    drop(server);
    let server = Serving::with(desk, more);
    let (kim, lee) = (Person::of(&server, kims), Person::of(&server, lees));
    let attached = kim.attached(&first);
    assert_eq!((attached.len(), &attached[0]["source"]), (1, &json!("초안.md")), "{attached:?}");
    let document = attached[0]["id"].as_str().unwrap();

    let runs = |thread: &str| format!("/threads/{thread}/runs");
    let answer = kim.asks(&runs(&first), QUESTION);
    assert!(answer.contains(SECRET) && answer.contains("초안.md"), "{answer}");
    let pointed = kim.asks(&runs(&first), "이 문서에서 위약금은 얼마인가요?");
    assert!(pointed.contains(SECRET) && !pointed.contains("duru:sample"), "{pointed}");
    let (status, passages) = kim.ask(&format!("GET /documents/{document}"), "");
    let passage = passages["passages"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(status, 200, "{passages}");
    let passage = format!("GET /documents/passage?id={}", escaped(&passage));
    assert_eq!(kim.ask(&passage, "").0, 200);

    // Neither another conversation of the same person nor anybody else finds, lists, opens or removes it.
    assert!(kim.attached(&second).is_empty());
    let elsewhere = kim.everywhere(&second);
    assert!(!elsewhere.contains(SECRET) && !elsewhere.contains("초안.md"), "{elsewhere}");
    let others = lee.everywhere(&lees_own);
    assert!(!others.contains(SECRET) && !others.contains("초안.md"), "{others}");
    for line in [
        format!("GET /threads/{first}/documents"),
        format!("DELETE /threads/{first}/documents/{document}"),
        format!("DELETE /threads/{lees_own}/documents/{document}"),
        format!("GET /documents/{document}"),
        format!("DELETE /documents/{document}"),
        passage.clone(),
    ] {
        assert_eq!(lee.ask(&line, "").0, 404, "{line}");
    }
    let line = format!("DELETE /threads/{second}/documents/{document}");
    assert_eq!(kim.ask(&line, "").0, 404);

    // What can't be taken in says why.
    let refused = |name: &str, body: &str| kim.send(&format!("/threads/{first}/documents?name={name}"), body);
    assert_eq!(refused("a.exe", "x").0, 422);
    let (status, scanned) = refused("scan.pdf", "%PDF-1.4 and nothing more");
    assert_eq!(status, 422, "{scanned}");
    assert_eq!(scanned["skipped"][0]["path"], "scan.pdf", "{scanned}");
    assert_eq!(refused("long.txt", &"가".repeat(7 << 20)).0, 413);
    assert_eq!(kim.attached(&first).len(), 1);
    let many: Vec<u16> =
        (0..20).map(|at| refused(&format!("{at}.md"), &format!("# {at}\n\n글 {at} 번입니다.\n")).0).collect();
    assert_eq!((many.iter().filter(|status| **status == 200).count(), many[19]), (19, 413), "{many:?}");
    // The same name again takes the place of the one before.
    assert_eq!(refused("0.md", "# 다른 글\n\n바뀐 글입니다.\n").1["updated"], 1);

    // It is taken out, or goes with its conversation; then nobody finds it, whatever is made under its name.
    let line = format!("DELETE /threads/{first}/documents/{document}");
    assert_eq!(kim.ask(&line, "").0, 200);
    assert!(!kim.asks(&runs(&first), QUESTION).contains("초안.md"));
    assert_eq!(kim.send(&format!("/threads/{first}/documents?name=again.md"), DRAFT).0, 200);
    assert!(kim.asks(&runs(&first), QUESTION).contains("again.md"));
    assert_eq!(kim.ask(&format!("DELETE /threads/{first}"), "").0, 204);
    assert_eq!(kim.ask(&passage, "").0, 404);
    let again = json!({ "thread_id": first }).to_string();
    assert_eq!(kim.ask("POST /threads", &again).0, 200);
    assert!(kim.attached(&first).is_empty());
    assert!(!kim.asks(&runs(&first), QUESTION).contains("again.md"));
}

#[test]
fn a_file_of_a_conversation_is_found_there_alone() {
    files_of_a_conversation(&Desk::new(), &[]);
}

#[test]
fn a_file_of_a_conversation_is_found_there_alone_in_postgresql() {
    let Some(database) = postgres::server() else { return };
    let (desk, url) = (Desk::new(), database.url());
    // What there is to be found besides.
    let draft = desk.path("glossary.md");
    std::fs::write(&draft, "# 용어집\n\n## 위약금\n\n위약금이란 계약을 어긴 쪽이 내는 돈이다.\n").unwrap();
    let taken = desk.run(&["docs", "ingest", draft.to_str().unwrap(), "--index", &url]);
    assert_eq!(taken.code, Some(0), "{taken:?}");
    files_of_a_conversation(&desk, &["--index", &url]);
}

/// Private documents are their owner's in every conversation, and nobody else's in any.
#[test]
fn a_private_document_is_its_owners_alone() {
    let desk = Desk::new();
    let keys = [key(&desk, "kim", "ask,ingest"), key(&desk, "lee", "ask,ingest,curate")];
    let server = Serving::with(&desk, &[]);
    let [kim, lee] = keys.map(|headers| Person { server: &server, headers });
    let (status, report) = kim.send(&format!("/documents?name={}&access=private", escaped("초안.md")), DRAFT);
    assert_eq!((status, &report["added"]), (200, &json!(1)), "{report}");
    assert_eq!(kim.send("/documents?name=a.md&access=secret", DRAFT).0, 422);

    let (kims, lees) = (kim.thread(), lee.thread());
    let mine = kim.everywhere(&kims);
    assert!(mine.contains(SECRET) && mine.contains("초안.md"), "{mine}");
    let theirs = lee.everywhere(&lees);
    assert!(!theirs.contains(SECRET) && !theirs.contains("초안.md"), "{theirs}");

    let listed = kim.ask("GET /documents", "").1;
    let is_draft = |one: &&Value| one["source"].as_str().unwrap().ends_with("초안.md");
    let draft = listed["documents"].as_array().unwrap().iter().find(is_draft).unwrap();
    assert_eq!((&draft["access"], &draft["owner"]), (&json!({ "owner": "kim" }), &json!("kim")));
    let id = draft["id"].as_str().unwrap();
    let passages = kim.ask(&format!("GET /documents/{id}"), "").1;
    let passage = passages["passages"][0]["id"].as_str().unwrap();
    let remark = json!({ "chunk": passage, "verdict": "note", "text": "훔쳐보기" }).to_string();
    for (line, body) in [
        (format!("GET /documents/{id}"), ""),
        (format!("GET /documents/passage?id={}", escaped(passage)), ""),
        (format!("DELETE /documents/{id}"), ""),
        ("POST /documents/feedback".to_owned(), remark.as_str()),
    ] {
        let (status, said) = lee.ask(&line, body);
        assert!(status == 404 || status == 422, "{line}: {status} {said}");
        assert!(!said.to_string().contains(SECRET), "{line}: {said}");
    }
    // Sent again without a word about it, it stays private; only who says so shares it.
    let again = format!("/documents?name={}", escaped("초안.md"));
    assert_eq!(kim.send(&again, DRAFT).1["unchanged"], 1);
    assert_eq!(kim.send(&again, &format!("{DRAFT}\n바뀐 글이다.\n")).1["updated"], 1);
    assert!(!lee.everywhere(&lees).contains(SECRET));
    assert_eq!(kim.send(&format!("{again}&access=shared"), DRAFT).1["updated"], 1);
    assert!(lee.everywhere(&lees).contains(SECRET));
    assert_eq!(kim.ask(&format!("DELETE /documents/{id}"), "").0, 200);
}

/// Where nobody is told apart, everything is as it was, but that nothing can be kept from anybody.
#[test]
fn without_keys_files_of_conversations_work_and_nothing_is_private() {
    let desk = Desk::new();
    let server = Serving::with(&desk, &[]);
    let me = Person { server: &server, headers: String::new() };
    let (first, second) = (me.thread(), me.thread());
    assert_eq!(me.send("/documents?name=a.md&access=private", DRAFT).0, 422);
    assert_eq!(me.send(&format!("/threads/{first}/documents?name=a.md"), DRAFT).0, 200);
    assert!(me.asks(&format!("/threads/{first}/runs"), QUESTION).contains(SECRET));
    assert!(!me.everywhere(&second).contains(SECRET));
    let gone = desk.run(&["docs", "list", "--json"]).json();
    assert!(gone["documents"].to_string().contains("a.md"), "whoever has the machine sees what is on it");

    // Whoever erases what is nobody's erases these, too.
    assert_eq!(me.send(&format!("/threads/{second}/documents?name=b.md"), DRAFT).0, 200);
    assert_eq!(me.ask(&format!("DELETE /threads/{second}"), "").0, 204);
    drop(server);
    let erased = desk.run(&["user", "erase", "local", "--yes", "--json"]);
    assert_eq!(erased.code, Some(0), "{erased:?}");
    let left = desk.run(&["docs", "list", "--json"]).json()["documents"].to_string();
    assert!(!left.contains("conversation-"), "{left}");
}
