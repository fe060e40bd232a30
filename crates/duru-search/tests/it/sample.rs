//! The documents that come with the program.

use std::sync::Arc;

use duru_llm::WordsOnly;
use duru_search::ingest::Library;
use duru_search::sample;

use crate::desk::Desk;

async fn with_samples() -> (Desk, Library) {
    let desk = Desk::new();
    let library = Library::new(Arc::clone(&desk.index), Arc::new(WordsOnly));
    let report = library.ingest_texts(&sample::texts()).await.unwrap();
    assert_eq!((report.added, report.skipped.len()), (sample::texts().len(), 0));
    (desk, library)
}

#[tokio::test]
async fn samples_answer_everyday_questions_and_define_terms() {
    let (desk, _) = with_samples().await;
    let asked = [
        ("전세금을 얼마까지 올릴 수 있나요?", "차임과 보증금의 증감"),
        ("집주인이 보증금을 안 돌려주는데 이사해야 해요", "임차권등기명령"),
        ("복비는 얼마인가요?", "중개보수"),
        ("등기부에서 갑구와 을구는 무엇인가요?", "갑구"),
        ("스트레스 DSR이 뭐예요?", "스트레스 DSR"),
        ("깡통전세란?", "깡통전세"),
        ("How do I take in my own documents?", "Taking documents in"),
    ];
    for (question, name) in asked {
        let found = desk.search(question).await;
        assert!(found.answerability.answerable, "{question}: {:?}", found.answerability);
        let names: Vec<&str> = found.hits.iter().take(4).map(|hit| hit.chunk.name.as_str()).collect();
        assert!(names.iter().any(|found| found.contains(name)), "{question}: {names:?}");
    }
    let glossary = sample::texts().into_iter().find(|text| text.source.contains("glossary")).unwrap();
    assert!(glossary.markdown.matches("\n## ").count() >= 80);
}

#[tokio::test]
async fn samples_are_written_once_and_leave_together() {
    let (desk, library) = with_samples().await;
    let again = library.ingest_texts(&sample::texts()).await.unwrap();
    assert_eq!((again.added, again.updated, again.unchanged), (0, 0, sample::texts().len()));
    desk.write("mine.md", "# 내 문서\n\n관리비는 매달 낸다.\n");
    desk.ingest().await;
    assert_eq!(sample::remove(&*desk.index).await.unwrap(), sample::texts().len());
    let left = desk.index.documents(None).await.unwrap();
    assert_eq!(left.iter().map(|document| document.title.as_str()).collect::<Vec<_>>(), ["내 문서"]);
}
