//! Without a model.

use std::sync::Arc;

use duru_agents::researcher::web::{Error, Page, WebSearch};
use duru_agents::researcher::{Inquiry, QueryType, SearchFilter, SubtaskStatus, WorkflowStatus, is_internal};

use super::world::{PLANTED, World, answer, said};

#[tokio::test]
async fn an_answer_cites_the_passage_that_says_it() {
    let world = World::new().await;
    let end = answer(&world.researcher(), "kim", "보증금은 얼마까지 올릴 수 있나요?").await;
    assert_eq!(end.workflow_status, WorkflowStatus::Completed, "{end:#?}");
    let line = said(&end).lines().find(|line| line.contains("100분의 5")).unwrap();
    let citation =
        end.citations.iter().find(|citation| line.contains(&format!("[{}]", citation.number))).unwrap();
    assert!(citation.label.contains("제7조"), "{citation:?}");
    assert!(citation.excerpt.contains("100분의 5를 넘지 못한다"), "{citation:?}");
    assert_eq!((end.confidence_score, end.retry_count), (1.0, 0));
    // Each sentence has its source.
    for line in said(&end).lines().filter(|line| !line.is_empty() && !line.starts_with('※')) {
        assert!(line.contains('['), "{line}");
    }
}

#[tokio::test]
async fn an_english_question_is_answered_in_english() {
    let world = World::new().await;
    let end = answer(&world.researcher(), "kim", "When must guests check out?").await;
    assert!(said(&end).contains("before 11 in the morning") && said(&end).contains("[1]"), "{}", said(&end));
    assert!(said(&end).contains("evidence is thin"), "{}", said(&end));
    assert!(end.messages.last().unwrap().text().contains("Sources\n[1] Guest manual Checking out"));
}

#[tokio::test]
async fn a_question_finds_documents_in_the_other_language_and_the_answer_says_so() {
    let world = World::new().await;
    let end = answer(&world.researcher(), "kim", "How much may the landlord raise the rent?").await;
    assert!(said(&end).contains("100분의 5를 넘지 못한다"), "{}", said(&end));
    assert!(said(&end).contains("All passages cited here are in Korean"), "{}", said(&end));

    let manual = "# Rental manual\n\n## Rent increase\n\nThe landlord may raise the monthly rent by 3 percent a year.\n\n\
         ## Pets\n\nPets are not allowed.\n\n## Parking\n\nEvery home has one place to park.\n";
    let world = World::of(&[("manual.md", manual)]).await;
    let end = answer(&world.researcher(), "lee", "집주인은 월세를 얼마나 올릴 수 있나요?").await;
    assert!(said(&end).contains("by 3 percent a year"), "{}", said(&end));
    assert!(said(&end).contains("모두 영어"), "{}", said(&end));
}

#[tokio::test]
async fn what_is_not_in_the_documents_is_said_with_the_nearest() {
    let world = World::new().await;
    let end = answer(&world.researcher(), "kim", "화성 탐사선의 발사 궤도는 어떻게 계산하나요?").await;
    assert_eq!(end.workflow_status, WorkflowStatus::Completed);
    assert!(said(&end).starts_with("제가 가진 문서에서는"), "{}", said(&end));
    assert!(end.citations.is_empty() && end.documents.is_empty());
    assert!(end.metadata["rewrite_query"]["rewritten"] == 1 && end.metadata["web_search"]["skipped"] == 1);
}

#[tokio::test]
async fn instructions_in_a_document_cause_nothing() {
    let world = World::new().await;
    let end = answer(&world.researcher(), "kim", "세탁실 이용료는 얼마인가요?").await;
    assert!(said(&end).contains("2천원"), "{}", said(&end));
    for planted in ["무료", "비밀번호", "Ignore", PLANTED] {
        assert!(!said(&end).contains(planted), "{}", said(&end));
    }
    assert!(end.warnings.iter().any(|warning| warning.contains("지시문")), "{:?}", end.warnings);
}

#[tokio::test]
async fn documents_that_contradict_each_other_are_both_cited() {
    let world = World::new().await;
    let end = answer(&world.researcher(), "kim", "자전거 보관료는 얼마인가요?").await;
    assert!(said(&end).contains("3천원") && said(&end).contains("5천원"), "{}", said(&end));
    assert!(said(&end).contains("서로 다릅니다"), "{}", said(&end));
    let sources: Vec<&str> = end.citations.iter().map(|citation| citation.source.as_str()).collect();
    assert!(sources.iter().any(|source| source.contains("guide")), "{sources:?}");
    assert!(sources.iter().any(|source| source.contains("old")), "{sources:?}");
}

#[tokio::test]
async fn a_follow_up_leans_on_its_own_conversation() {
    let world = World::new().await;
    let researcher = world.researcher();
    answer(&researcher, "kim", "임차권등기명령은 누가 신청하나요?").await;
    let end = answer(&researcher, "kim", "그 비용은 누가 부담하나요?").await;
    assert_eq!(end.query_type, Some(QueryType::HistoryRequired));
    assert!(end.enhanced_query.contains("임차권등기명령"), "{}", end.enhanced_query);
    assert!(said(&end).contains("비용은 임대인이 부담한다"), "{}", said(&end));
    let alone = answer(&researcher, "lee", "그 비용은 누가 부담하나요?").await;
    assert_eq!(alone.query_type, Some(QueryType::RagRequired), "there is nothing to lean on");
}

#[tokio::test]
async fn parts_of_a_question_are_looked_up_side_by_side_and_in_order() {
    let world = World::new().await;
    let question = "계단 청소는 무슨 요일에 하나요? 그리고 택배 보관 기간은 며칠인가요?";
    let end = answer(&world.researcher(), "kim", question).await;
    assert_eq!(end.subtasks.len(), 2, "{:?}", end.subtasks);
    assert!(said(&end).contains("월요일") && said(&end).contains("3일"), "{}", said(&end));
    assert!(end.subtasks.iter().all(|subtask| subtask.status == SubtaskStatus::Retrieved));
    assert_eq!(end.current_subtask_idx, 2);

    let question = "임차권등기명령은 누가 신청하나요? 그리고 그 비용은 누가 부담하나요?";
    let end = answer(&world.researcher(), "lee", question).await;
    assert_eq!(end.subtasks[1].dependencies, [1]);
    // The second is sent only when the first is back: neither goes with the other.
    let waves: Vec<String> = end
        .messages
        .iter()
        .filter(|message| message.name.as_deref() == Some("subtask_executor"))
        .map(|message| message.text().into_owned())
        .collect();
    assert!(waves.contains(&"[1]".to_owned()) && waves.contains(&"[2]".to_owned()), "{waves:?}");
    assert!(!waves.contains(&"[1, 2]".to_owned()), "{waves:?}");
    assert!(said(&end).contains("임대인이 부담한다"), "{}", said(&end));
}

#[tokio::test]
async fn small_talk_needs_no_documents_and_a_new_question_begins_anew() {
    let world = World::new().await;
    let researcher = world.researcher();
    answer(&researcher, "kim", "자전거 보관료는 얼마인가요?").await;
    let end = answer(&researcher, "kim", "고마워요!").await;
    assert_eq!((end.query_type, end.documents.len(), end.citations.len()), (Some(QueryType::Simple), 0, 0));
    let shown: Vec<bool> = end
        .messages
        .iter()
        .filter(|message| !is_internal(message))
        .map(|message| message.is_human())
        .collect();
    assert_eq!(shown, [true, false, true, false], "one bubble per answer");
    let empty = answer(&researcher, "kim", " ").await;
    assert!(said(&empty).contains("no question"), "{}", said(&empty));
}

#[tokio::test]
async fn a_filter_is_kept_to() {
    let world = World::new().await;
    let inquiry = Inquiry {
        search_filter: SearchFilter { title: Some("2019년 공고".into()), ..SearchFilter::default() },
        ..Inquiry::question("자전거 보관료는 얼마인가요?")
    };
    let end = world.researcher().thread("kim").unwrap().invoke(inquiry).await.unwrap().done().unwrap();
    assert!(said(&end).contains("5천원") && !said(&end).contains("3천원"), "{}", said(&end));
}

struct OnePage;

#[async_trait::async_trait]
impl WebSearch for OnePage {
    async fn search(&self, _: &str, _: usize) -> Result<Vec<Page>, Error> {
        let text = "화성 탐사선의 발사 궤도는 호만 전이 궤도로 계산합니다.".into();
        Ok(vec![Page { url: "https://example.org/mars".into(), title: "화성".into(), text }])
    }
}

#[tokio::test]
async fn the_web_is_asked_where_it_is_configured() {
    let mut world = World::new().await;
    world.tools = world.tools.with_web(Arc::new(OnePage));
    let end = answer(&world.researcher(), "kim", "화성 탐사선의 발사 궤도는 어떻게 계산하나요?").await;
    assert!(said(&end).contains("호만 전이"), "{}", said(&end));
    assert_eq!(end.citations[0].source, "https://example.org/mars");
}

#[tokio::test]
async fn without_routing_every_question_is_looked_up() {
    let mut world = World::new().await;
    world.tools = world.tools.without_routing();
    let end = answer(&world.researcher(), "kim", "안녕하세요").await;
    assert_eq!(end.query_type, None);
    assert!(end.metadata.contains_key("retrieval"));
}
