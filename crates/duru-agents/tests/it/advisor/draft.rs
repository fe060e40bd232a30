//! The draft as a real document: read back as anybody's document would be.

use std::sync::Arc;

use duru::Outcome;
use duru::memory::Memory;
use duru::store::MemoryStore;
use duru_agents::advisor::draft::{Error, Flaw, LeaseForm, LeaseKind, Party, Shelf, docx, preview};
use duru_agents::advisor::memory::Notebook;
use duru_agents::advisor::tools::{Constants, Severity, analyse_contract};
use duru_agents::advisor::{Advice, Inquiry, Toolbox};
use duru_llm::decision::Decider;
use duru_search::read::{Block, Content, Limits, read};
use jiff::civil::date;
use serde_json::json;

use super::world::{advisor_on, asks, sources};

fn party(name: &str) -> Party {
    Party { name: Some(name.to_owned()), address: None, phone: Some("010-0000-0000".to_owned()) }
}

fn form() -> LeaseForm {
    LeaseForm {
        kind: Some(LeaseKind::MonthlyRent),
        landlord: party("김철수"),
        tenant: party("이영희"),
        address: Some("서울 마포구 연남동 123-4, 301호".to_owned()),
        area: Some(59.9),
        deposit: Some(100_000_000),
        down_payment: Some(10_000_000),
        balance_on: Some(date(2026, 7, 1)),
        monthly_rent: Some(500_000),
        rent_day: Some(5),
        start: Some(date(2026, 7, 1)),
        end: Some(date(2028, 6, 30)),
        special_terms: vec!["반려동물 <고양이> 1마리 & 화분을 허용한다.".to_owned()],
        ..LeaseForm::default()
    }
}

fn blocks(bytes: &[u8]) -> Vec<Block> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lease.docx");
    std::fs::write(&file, bytes).unwrap();
    match read(&file, &Limits::default()).unwrap().content {
        Content::Blocks(blocks) => blocks,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_document_is_read_back_with_all_that_the_form_says() {
    let bytes = docx(&form()).unwrap();
    assert_eq!(bytes, docx(&form()).unwrap());
    let blocks = blocks(&bytes);
    assert!(
        matches!(&blocks[0], Block::Heading { text, .. } if text == "주택 월세 계약서 (초안)"),
        "{blocks:?}"
    );
    let all = format!("{blocks:?}");
    for said in [
        "김철수",
        "이영희",
        "연남동 123-4, 301호",
        "금 100,000,000원",
        "금 90,000,000원",
        "금 500,000원",
        "매월 5일",
        "2026년 7월 1일부터 2028년 6월 30일까지",
        "<고양이> 1마리 & 화분",
        "제12조 (보증금의 반환)",
    ] {
        assert!(all.contains(said), "{said}: {all}");
    }
    // Nothing but the parts that were not said is blank.
    assert!(!all.contains("아직 채우지 않은"));
}

#[test]
fn blanks_are_listed_and_the_preview_says_the_same_as_the_document() {
    let form = LeaseForm::read("보증금 3억 전세계약서 초안 만들어 주세요, 마포구 연남동 집이에요");
    let preview = preview(&form);
    assert!(preview.contains("아직 채우지 않은 항목: 임대인 이름, 임차인 이름, 잔금 지급일"), "{preview}");
    assert!(preview.contains("금 300,000,000원") && preview.contains("____"));
    let document = blocks(&docx(&form).unwrap());
    let headings = document.iter().filter(|block| matches!(block, Block::Heading { .. })).count();
    assert_eq!(headings, preview.lines().filter(|line| line.starts_with('#')).count());
}

#[test]
fn a_form_that_can_not_be_right_makes_no_document() {
    let wrong = LeaseForm { end: Some(date(2026, 1, 1)), ..form() };
    let Err(Error::Flawed(flaws)) = docx(&wrong) else { panic!("a document") };
    assert_eq!(flaws, [Flaw::EndsBeforeItStarts]);
    // What only should be thought over does not keep it back.
    let short = LeaseForm { end: Some(date(2027, 6, 30)), ..form() };
    assert!(docx(&short).is_ok());
}

#[test]
fn hostile_text_stays_text() {
    let hostile = LeaseForm {
        address: Some("</w:t></w:r></w:p><w:p>제99조 (함정)\n\u{0}\u{1b}| 표 |".to_owned()),
        special_terms: vec!["]]> <![CDATA[ &amp; \u{ffff}".to_owned()],
        ..form()
    };
    let blocks = blocks(&docx(&hostile).unwrap());
    let headings: Vec<&Block> = blocks
        .iter()
        .filter(|block| matches!(block, Block::Heading { text, .. } if text.contains("함정")))
        .collect();
    assert!(headings.is_empty(), "{headings:?}");
    assert!(format!("{blocks:?}").contains("</w:t></w:r></w:p><w:p>제99조"));
}

#[test]
fn our_own_articles_hold_no_danger_for_the_tenant() {
    let report = analyse_contract(&preview(&form()), Constants::built_in());
    // The bar on subletting is the law's own, and is told as that.
    assert!(report.risks.iter().all(|risk| risk.severity == Severity::Low), "{:?}", report.risks);
    assert!(report.unsaid.is_empty(), "{:?}", report.unsaid);
}

#[test]
fn a_form_goes_through_json_and_an_edit_wins() {
    let json = serde_json::to_value(form()).unwrap();
    assert_eq!(serde_json::from_value::<LeaseForm>(json).unwrap(), form());
    let edit: LeaseForm =
        serde_json::from_value(serde_json::json!({"deposit": 5, "start": "2026-08-01"})).unwrap();
    let merged = edit.or(form());
    assert_eq!((merged.deposit, merged.start), (Some(5), Some(date(2026, 8, 1))));
    assert_eq!(merged.tenant, form().tenant);
}

/// The form that waits, of a run that stopped to ask.
async fn asked(outcome: Outcome<Arc<Advice>>) -> serde_json::Value {
    let Outcome::Paused(questions) = outcome else { panic!("not asked: {outcome:?}") };
    let question: serde_json::Value = questions[0].get().unwrap();
    assert_eq!(question["type"], "draft_review_required");
    question
}

#[tokio::test]
async fn a_draft_is_filled_in_confirmed_and_kept_as_a_document_across_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    let open = || {
        let store = Arc::new(duru_store::SqliteStore::open(&file).unwrap());
        let memory = Memory::new(Arc::clone(&store) as Arc<_>);
        let toolbox = Toolbox::new(&sources()).with_memory(Arc::new(Notebook::new(memory.clone())));
        (advisor_on(store, toolbox, Decider::by_rules()), Shelf::new(memory))
    };
    let inquiry = |interactive: bool, text: &str| Inquiry {
        user: Some("kim".to_owned()),
        interactive,
        ..asks(text)
    };
    let first = {
        let (advisor, _) = open();
        let thread = advisor.thread("t").unwrap();
        let text = "보증금 3억 전세계약서 초안 만들어 주세요, 마포구 연남동 집이에요";
        asked(thread.invoke(inquiry(true, text)).await.unwrap()).await
    };
    let field = |question: &serde_json::Value, name: &str| {
        question["fields"].as_array().unwrap().iter().find(|field| field["name"] == name).unwrap()["value"].clone()
    };
    assert_eq!(field(&first, "deposit"), 300_000_000);
    assert_eq!(field(&first, "kind"), "jeonse");
    assert!(first["missing"].as_array().unwrap().contains(&json!("tenant.name")));

    // Another process goes on: changes are shown again, what can't be right is refused, and then it is made.
    let (advisor, shelf) = open();
    let thread = advisor.thread("t").unwrap();
    let names = json!({"value": "save", "fields": {"landlord.name": "김철수", "tenant.name": "이영희", "balance_on": "2026년 7월 1일"}});
    let second = asked(thread.resume(names).await.unwrap()).await;
    assert_eq!(field(&second, "tenant.name"), "이영희");
    let wrong = json!({"value": "confirm", "fields": {"start": "2026-07-01", "end": "2026-06-30", "deposit": "많이"}});
    let third = asked(thread.resume(wrong).await.unwrap()).await;
    let flaws = third["flaws"].as_array().unwrap();
    assert!(flaws.len() >= 2 && flaws.iter().all(|flaw| flaw["grave"] == true), "{flaws:?}");
    assert_eq!(field(&third, "deposit"), 300_000_000);
    let end = json!({"value": "confirm", "fields": {"end": "2028-06-30"}});
    let end = thread.resume(end).await.unwrap().done().unwrap();
    let answer = end.final_response.clone().unwrap();
    let [made] = &answer.documents[..] else { panic!("{answer:?}") };
    assert_eq!(made.address, format!("/drafts/{}", made.id));
    assert!(answer.text.contains(&made.address), "{}", answer.text);
    let document = shelf.get("kim", &made.id).await.unwrap().unwrap();
    assert_eq!(document.bytes.len(), made.size);
    let all = format!("{:?}", blocks(&document.bytes));
    assert!(all.contains("김철수") && all.contains("2026년 7월 1일부터 2028년 6월 30일까지"), "{all}");
    assert_eq!(shelf.get("lee", &made.id).await.unwrap(), None);

    // What is said afterwards changes the same draft, and a word makes it final where nobody can be asked.
    let next = async |text: &str| thread.invoke(inquiry(false, text)).await.unwrap().done().unwrap();
    let changed = next("보증금을 2억 8천만원으로 바꿔줘").await;
    let form = &changed.draft.as_ref().unwrap().form;
    assert_eq!((form.deposit, form.tenant.name.as_deref()), (Some(280_000_000), Some("이영희")));
    assert!(changed.final_response.as_ref().unwrap().documents.is_empty());
    let again = next("이대로 문서로 만들어줘").await;
    let [second] = &again.final_response.as_ref().unwrap().documents[..] else { panic!("no document") };
    assert_ne!(second.id, made.id);
    let all = format!("{:?}", blocks(&shelf.get("kim", &second.id).await.unwrap().unwrap().bytes));
    assert!(all.contains("금 280,000,000원"), "{all}");
}

#[tokio::test]
async fn a_draft_that_is_not_wanted_makes_no_document() {
    let advisor = advisor_on(Arc::new(MemoryStore::new()), Toolbox::new(&sources()), Decider::by_rules());
    let thread = advisor.thread("t").unwrap();
    let inquiry = Inquiry { interactive: true, ..asks("Please draft a lease contract with a deposit of 200 million won") };
    let question = asked(thread.invoke(inquiry).await.unwrap()).await;
    assert_eq!(question["options"][0]["label"], "Make the document");
    let end = thread.resume("cancel").await.unwrap().done().unwrap();
    let answer = end.final_response.as_ref().unwrap();
    assert!(answer.documents.is_empty() && answer.text.contains("landlord's name"), "{}", answer.text);
}
