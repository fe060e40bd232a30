//! `duru docs` and `duru eval documents`.

use serde_json::json;

use crate::{Desk, Seen};

fn docs(desk: &Desk, args: &[&str]) -> Seen {
    Seen::of(
        desk.command(&[&["docs"], args].concat())
            .env_remove("DURU_DOCUMENTS")
            .env_remove("DURU_THESAURUS")
            .output()
            .unwrap(),
    )
}

fn write(desk: &Desk, name: &str, content: &str) -> String {
    let path = desk.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

const ACT: &str = "# 갑법\n\n제5조(중개보수) 중개보수는 거래당사자가 낸다.\n제7조(차임의 증액) 증액은 100분의 5를 넘지 못한다.\n";

#[test]
fn documents_go_in_are_found_with_reasons_and_go_out() {
    let desk = Desk::new();
    write(&desk, "papers/act.md", ACT);
    let folder = desk.path("papers");
    let seen = docs(&desk, &["ingest", folder.to_str().unwrap(), "--dry-run", "--json"]).json();
    assert_eq!((&seen["added"], &seen["dry_run"]), (&json!(1), &json!(true)), "{seen}");
    assert_eq!(docs(&desk, &["list", "--json"]).json()["documents"], json!([]));
    let seen = docs(&desk, &["ingest", folder.to_str().unwrap(), "--lang", "ko"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(seen.out.contains("새 문서 1"), "{seen:?}");
    assert!(seen.err.contains("1/1 파일"), "{seen:?}");

    let seen = docs(&desk, &["search", "복비는 누가 내나요?", "--lang", "ko"]);
    assert!(seen.out.lines().next().unwrap().contains("제5조"), "{seen:?}");
    assert!(seen.out.contains("낱말") && seen.err.contains("복비 → 중개보수"), "{seen:?}");
    let found = docs(&desk, &["search", "차임 증액 한도", "--json"]).json();
    assert_eq!(found["hits"][0]["passage"]["article"], "제7조");
    assert!(found["hits"][0]["why"]["words"].as_f64().unwrap() > 0.0);

    let listed = docs(&desk, &["list", "--json"]).json();
    let id = listed["documents"][0]["id"].as_str().unwrap();
    assert_eq!(listed["documents"][0]["title"], "갑법");
    let chunk = found["hits"][0]["passage"]["id"].as_str().unwrap();
    assert_eq!(docs(&desk, &["feedback", chunk, "good", "맞습니다"]).code, Some(0));
    assert!(docs(&desk, &["show", chunk]).out.contains("[good] 맞습니다 (local, "));
    assert!(docs(&desk, &["show", id]).out.contains("중개보수는 거래당사자가"));
    assert_eq!(docs(&desk, &["remove", id, "--dry-run", "--json"]).json()["would_remove"], id);
    assert!(docs(&desk, &["show", id]).out.contains("중개보수는 거래당사자가"));
    assert_eq!(docs(&desk, &["remove", id]).code, Some(0));
    assert_eq!(docs(&desk, &["list", "--json"]).json()["documents"], json!([]));
    let seen = docs(&desk, &["show", id]);
    assert_eq!(seen.code, Some(2));
    assert!(seen.err.contains("[unknown-document]"), "{seen:?}");
}

#[test]
fn hostile_files_are_read_in_a_process_of_their_own_and_skipped() {
    let desk = Desk::new();
    write(&desk, "papers/good.txt", "관리비는 매달 냅니다.");
    write(&desk, "papers/bad.pdf", "%PDF-1.4\n1 0 obj << /Kids [1 0 R] >>");
    write(&desk, "papers/bad.docx", "PK");
    std::fs::write(desk.path("papers/old.hwp"), [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]).unwrap();
    let seen = docs(&desk, &["ingest", desk.path("papers").to_str().unwrap(), "--json"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let report = seen.json();
    assert_eq!(report["added"], 1);
    assert_eq!(report["skipped"].as_array().unwrap().len(), 3, "{report}");
    assert!(seen.err.contains("skipped[damaged]"), "{seen:?}");
    assert!(seen.err.contains("skipped[hwp]") && seen.err.contains("save it as HWPX or PDF"), "{seen:?}");
    let hwp = desk.path("papers/old.hwp");
    let seen = docs(&desk, &["ingest", hwp.to_str().unwrap(), "--lang", "ko"]);
    assert!(seen.err.contains("HWPX나 PDF로 저장하세요"), "{seen:?}");

    let only = desk.path("papers/bad.pdf");
    let seen = docs(&desk, &["ingest", only.to_str().unwrap()]);
    assert_eq!(seen.code, Some(1), "{seen:?}");
    assert!(seen.err.contains("[nothing-read]"), "{seen:?}");
}

/// A question may name the document to look in; and what a scale says of the embedder is shown with the documents.
#[test]
fn a_search_looks_where_it_is_told_and_an_embedder_is_measured() {
    let desk = Desk::new();
    write(&desk, "papers/rules.md", "# 취업규칙\n\n## 연차\n\n연차휴가는 한 해에 15일이다.\n");
    write(&desk, "papers/union.md", "# 단체협약\n\n## 연차\n\n연차휴가는 한 해에 20일이다.\n");
    docs(&desk, &["ingest", desk.path("papers").to_str().unwrap()]);
    let seen = docs(&desk, &["search", "취업규칙에서 연차휴가는 며칠?", "--lang", "ko"]);
    assert!(seen.out.contains("다음에서만 찾았습니다: 취업규칙") && !seen.out.contains("20일"), "{seen:?}");
    let found = docs(&desk, &["search", "in the travel handbook, 연차휴가", "--json"]).json();
    assert_eq!(found["scope"]["unknown"], json!(["travel handbook"]), "{found}");
    assert_eq!(found["hits"].as_array().unwrap().len(), 2);

    // Two passages are one pair.
    let seen = docs(&desk, &["calibrate"]);
    assert_eq!(seen.code, Some(1), "{seen:?}");
    assert!(seen.err.contains("[too-few-passages]"), "{seen:?}");
    for (at, subject) in
        ["세탁기", "주차장", "회의실", "비밀번호", "자전거", "환불", "보증금", "커피"].iter().enumerate()
    {
        write(&desk, &format!("papers/{at}.md"), &format!("# {subject}\n\n{subject} 안내입니다.\n"));
    }
    docs(&desk, &["ingest", desk.path("papers").to_str().unwrap()]);
    let scale = docs(&desk, &["calibrate", "--json"]).json()["scale"].clone();
    assert_eq!(scale["passages"], 10, "{scale}");
    assert!(scale["median"].as_f64().unwrap() < scale["nearest"].as_f64().unwrap(), "{scale}");
    let listed = docs(&desk, &["list", "--json"]).json();
    assert_eq!(listed["embedder"]["scale"], scale, "{listed}");
    assert!(docs(&desk, &["list", "--lang", "ko"]).err.contains("서로 무관한 조각"), "{scale}");
}

#[test]
fn a_thesaurus_of_one_s_own_is_used_and_a_wrong_one_is_named() {
    let desk = Desk::new();
    let act = write(&desk, "act.md", ACT);
    let own = write(&desk, "own.tsv", "알선료\t중개보수\n");
    let wrong = write(&desk, "wrong.tsv", "알선료 중개보수\n");
    docs(&desk, &["ingest", &act, "--thesaurus", &own]);
    let seen = docs(&desk, &["search", "알선료", "--thesaurus", &own, "--json"]);
    assert_eq!(seen.json()["hits"][0]["passage"]["article"], "제5조");
    let seen = docs(&desk, &["search", "알선료", "--thesaurus", &wrong]);
    assert_eq!(seen.code, Some(3));
    assert!(seen.err.contains("[thesaurus]"), "{seen:?}");
}

#[test]
fn an_evaluation_writes_its_rankings_and_its_score() {
    let desk = Desk::new();
    let line = |id: &str, name: &str, text: &str| {
        json!({ "id": id, "law_title": "갑법", "article_number": id, "article_title": name, "text": text })
            .to_string()
    };
    let corpus = [
        line("제5조", "중개보수", "중개보수는 거래당사자가 낸다."),
        line("제7조", "차임의 증액", "증액은 100분의 5를 넘지 못한다."),
    ];
    let corpus = write(&desk, "corpus.jsonl", &corpus.join("\n"));
    let questions = [
        json!({ "id": "q1", "question": "복비는 누가 내나요?", "gold_articles": ["제5조"] }),
        json!({ "id": "q2", "question": "화성 탐사선의 궤도는?", "gold_articles": [] }),
    ];
    let questions =
        write(&desk, "questions.jsonl", &questions.map(|question| question.to_string()).join("\n"));
    let out = desk.path("ranked.jsonl");
    let out = out.to_str().unwrap();
    let seen = desk.run(&[
        "eval",
        "documents",
        "--corpus",
        &corpus,
        "--questions",
        &questions,
        "--out",
        out,
        "--json",
    ]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let score = seen.json();
    assert_eq!((&score["recall_at_5"], &score["mrr_at_10"]), (&json!(1.0), &json!(1.0)));
    assert_eq!((&score["recognised"], &score["unanswerable"]), (&json!(1), &json!(1)));
    let ranked: Vec<serde_json::Value> = std::fs::read_to_string(out)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((&ranked[0]["id"], &ranked[0]["ids"][0]), (&json!("q1"), &json!("제5조")));
    assert_eq!(ranked[1]["answerable"], false);

    let seen =
        desk.run(&["eval", "documents", "--corpus", &questions, "--questions", &questions, "--out", out]);
    assert_eq!(seen.code, Some(2));
    assert!(seen.err.contains("[content]"), "{seen:?}");
}

#[test]
fn the_researcher_answers_from_samples_with_checked_sources() {
    let desk = Desk::new();
    let ask = |args: &[&str]| desk.run(&[&["ask", "--agent", "researcher"], args].concat());
    let seen = ask(&["전세금을 얼마까지 올릴 수 있나요?", "--lang", "ko"]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(
        seen.err.contains("견본 문서를 읽어들입니다") && seen.err.contains("문서를 찾습니다"),
        "{seen:?}"
    );
    assert!(
        seen.out.contains("5%") && seen.out.contains("[1]") && seen.out.contains("출처\n  [1] "),
        "{seen:?}"
    );
    assert!(seen.out.contains("확인 ✓"), "{seen:?}");

    let answer = ask(&["임차권등기명령은 어디에 신청하나요?", "--json", "--thread", "t"]).json();
    assert_eq!(
        (&answer["answered"], &answer["status"], &answer["thread"]),
        (&json!(true), &json!("completed"), &json!("t"))
    );
    let claims = answer["claims"].as_array().unwrap();
    assert!(
        !claims.is_empty()
            && claims.iter().all(|claim| claim["fault"].is_null() && claim["citations"][0].is_u64())
    );
    assert!(answer["citations"].to_string().contains("제3조의3"), "{answer}");

    let seen = ask(&["바이올린 조율은 어떻게 하나요?", "--lang", "ko"]);
    assert!(seen.out.starts_with("제가 가진 문서에서는"), "{seen:?}");
    assert_eq!(ask(&["복비", "--csv"]).code, Some(2));

    // Documents of one's own take the samples' place.
    let file = write(&desk, "mine.md", "# 사내 규정\n\n## 휴가\n\n휴가는 한 해 15일입니다.\n");
    let seen = docs(&desk, &["ingest", &file, "--lang", "ko"]);
    assert!(seen.err.contains("견본 문서를 뺐습니다"), "{seen:?}");
    assert!(ask(&["휴가는 며칠인가요?"]).out.contains("15일"));
    assert_eq!(docs(&desk, &["list", "--json"]).json()["documents"].as_array().unwrap().len(), 1);
}

/// `data/bomb.pdf` has 5.7 KB and grows to 3 GB: its reader took 6.3 GB, 37 seconds, and every key along.
#[test]
fn a_small_file_that_grows_takes_neither_memory_nor_keys() {
    let desk = Desk::new();
    let bomb = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/bomb.pdf");
    let mut command = desk.command(&["docs", "ingest", bomb.to_str().unwrap(), "--json"]);
    command.env("OPENAI_API_KEY", "sk-canary-reader").env("DURU_KEY", "duru-canary-reader");
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut most, mut seen) = (0, 0);
    while child.try_wait().unwrap().is_none() {
        for reader in children(child.id()) {
            let place = std::path::PathBuf::from(format!("/proc/{reader}"));
            // Between its start and its program it is still a copy of who started it, so that what it is comes first.
            let command = std::fs::read_to_string(place.join("cmdline")).unwrap_or_default();
            if let Ok(environment) = std::fs::read(place.join("environ")) {
                let held = String::from_utf8_lossy(&environment).into_owned();
                if command.contains("docs\0read") {
                    assert!(!held.contains("canary") && !held.contains("HOME="), "{held}");
                    seen += 1;
                }
            }
            let status = std::fs::read_to_string(place.join("status")).unwrap_or_default();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let peak = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
            most = most.max(peak.unwrap_or(0) >> 10);
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["skipped"][0]["code"], "too-much-memory", "{report}");
    assert!(seen > 0 && most > 0, "the reader was seen");
    assert!(most < 1_100, "it took {most} MB");
}

/// The processes that a process started.
fn children(of: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{of}/task")).into_iter().flatten().flatten();
    tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
        .collect()
}
