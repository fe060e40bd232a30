//! The draft as a real document: read back as anybody's document would be.

use duru_agents::advisor::draft::{Error, Flaw, LeaseForm, LeaseKind, Party, docx, preview};
use duru_agents::advisor::tools::{Constants, Severity, analyse_contract};
use duru_search::read::{Block, Content, Limits, read};
use jiff::civil::date;

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
