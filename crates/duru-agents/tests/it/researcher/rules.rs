//! Without a model.

use std::sync::Arc;

use duru_agents::researcher::web::{Error, Page, WebSearch};
use duru_agents::researcher::{
    Ending, Inquiry, QueryType, SearchFilter, SubtaskStatus, WorkflowStatus, is_internal,
};

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
    assert_eq!((end.ending, end.retry_count), (Some(Ending::Answer), 0));
    assert!(end.confidence_score > 0.65 && end.confidence_score < 1.0, "{}", end.confidence_score);
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
    // As a telephone's keyboard writes it.
    let end = answer(&world.researcher(), "kim", "When’s the time that guests must check out?").await;
    assert!(said(&end).contains("before 11 in the morning"), "{}", said(&end));
    assert!(end.messages.last().unwrap().text().contains("Sources\n[1] Guest manual Checking out"));
}

#[tokio::test]
async fn a_question_finds_documents_in_the_other_language_and_the_answer_says_so() {
    let world = World::new().await;
    let end = answer(&world.researcher(), "kim", "How much may the landlord raise the rent?").await;
    assert!(said(&end).contains("100분의 5를 넘지 못한다"), "{}", said(&end));
    let told = "[1] is the part “제7조(차임 등의 증감청구권)” of the Korean document “집빌림법”, in its own Korean words.";
    assert!(said(&end).contains(told), "{}", said(&end));

    let manual = "# Rental manual\n\n## Rent increase\n\nThe landlord may raise the monthly rent by 3 percent a year.\n\n\
         ## Pets\n\nPets are not allowed.\n\n## Parking\n\nEvery home has one place to park.\n";
    let world = World::of(&[("manual.md", manual)]).await;
    let end = answer(&world.researcher(), "lee", "집주인은 월세를 얼마나 올릴 수 있나요?").await;
    assert!(said(&end).contains("by 3 percent a year"), "{}", said(&end));
    let told = "[1]은(는) 영어 문서 “Rental manual”의 “Rent increase” 부분이며, 영어 원문 그대로입니다.";
    assert!(said(&end).contains(told), "{}", said(&end));
}

/// Statutes never tell opening hours, averages or phone numbers; a handbook does.
#[tokio::test]
async fn what_rules_never_say_is_answered_where_a_document_says_it() {
    let handbook = "# 사내 안내\n\n## 구내식당\n\n구내식당 영업시간은 11시부터 14시까지이다.\n\n## 연차\n\n\
         연차휴가는 15일이다.\n\n## 총무팀\n\n총무팀 전화번호는 내선 4321이다.\n\n## 주차\n\n주차장은 지하 2층에 있다.\n";
    let world = World::of(&[("handbook.md", handbook)]).await;
    for (question, says) in [
        ("구내식당 영업시간은 어떻게 되나요?", "11시부터 14시"),
        ("총무팀 전화번호가 뭐예요?", "4321"),
        ("올해 연차휴가는 며칠인가요?", "15일"),
    ] {
        let end = answer(&world.researcher(), "lee", question).await;
        assert!(said(&end).contains(says), "{question}: {}", said(&end));
    }
}

/// What a person tells beside the question chooses the row; it need not be in the documents.
#[tokio::test]
async fn a_row_of_a_table_answers_for_the_amount_that_was_told() {
    let rates = "# 보관료\n\n## 보관료 요율\n\n물건 값에 따라 보관료를 받습니다.\n\n| 물건 값 | 보관료 |\n|---|---|\n\
         | 1억원 미만 | 0.9% |\n| 1억원 이상 3억원 미만 | 0.7% |\n| 3억원 이상 | 0.2% |\n\n## 휴무\n\n월요일은 쉽니다.\n";
    let world = World::of(&[("rates.md", rates)]).await;
    let end = answer(&world.researcher(), "lee", "보관료는 얼마인가요? 2억짜리 그림이에요.").await;
    let said = said(&end);
    assert!(said.contains("물건 값 1억원 이상 3억원 미만, 보관료 0.7%"), "{said}");
    assert!(!said.contains("0.9%") && !said.contains("0.2%"), "{said}");
}

/// A rule that is not for the amount that was told is the answer all the same, where there is no other.
#[tokio::test]
async fn a_bound_that_is_passed_is_told() {
    let rules = "# 지원 규칙\n\n## 지원 대상\n\n보증금이 1억원 이하인 세입자는 이사비 지원을 받는다.\n\n## 휴무\n\n월요일은 쉽니다.\n";
    let world = World::of(&[("rules.md", rules)]).await;
    let end = answer(&world.researcher(), "lee", "이사비 지원 대상은 누구인가요? 보증금이 2억이에요.").await;
    assert!(said(&end).contains("1억원 이하인 세입자"), "{}", said(&end));
}

#[tokio::test]
async fn copies_say_a_thing_once_and_a_plain_question_gets_a_few_sentences() {
    let park = "# 주차 안내\n\n## 주차 요금\n\n주차 요금은 하루 5천원이다. 주차 요금은 카드로 낸다. 주차 요금은 매일 낸다. \
         주차 요금은 미리 낸다. 주차 요금은 돌려주지 않는다.\n";
    // Passages that are the same are merged before; this one is older by a sentence.
    let copy = park.replace(" 주차 요금은 매일 낸다.", "");
    let world = World::of(&[("park.md", park), ("copy.md", &copy)]).await;
    let end = answer(&world.researcher(), "lee", "주차 요금은 얼마인가요?").await;
    let said = said(&end);
    assert_eq!(said.matches("하루 5천원").count(), 1, "{said}");
    let sentences = said.lines().filter(|line| line.contains("[1]") || line.contains("[2]")).count();
    assert!((1..=3).contains(&sentences), "{said}");
}

#[tokio::test]
async fn an_article_that_is_named_is_told_in_full_and_only_of_its_own_law() {
    let lending = "# 책빌림법\n\n제2조(기간) 책은 2주일 동안 빌린다. 한 번 더 빌릴 수 있다. 예약이 있으면 그러지 못한다.\n\n\
         제3조(연체) 늦으면 하루 100원을 낸다.\n";
    let rooms = "# 방빌림법\n\n제2조(시간) 방은 두 시간 동안 빌린다.\n";
    let world = World::of(&[("lending.md", lending), ("rooms.md", rooms)]).await;
    let end = answer(&world.researcher(), "lee", "책빌림법 제2조 알려줘").await;
    let said = said(&end);
    for sentence in ["2주일 동안", "한 번 더 빌릴", "그러지 못한다"] {
        assert!(said.contains(sentence), "{sentence}: {said}");
    }
    assert!(!said.contains("두 시간") && !said.contains("⚠"), "{said}");
}

/// Two rules of one text have numbers of the same kind; that is no contradiction.
#[tokio::test]
async fn sections_of_one_text_do_not_contradict_each_other() {
    let rules = "# 지원 규칙\n\n제1조(대상) 지원을 받는 사람은 보증금이 서울 1억원 이하인 사람이다.\n\n\
         제2조(금액) 지원을 받는 사람이 받는 돈은 서울 3천만원 이하이다.\n";
    let world = World::of(&[("rules.md", rules)]).await;
    let end = answer(&world.researcher(), "lee", "서울에서 지원을 받는 돈은 얼마인가요?").await;
    assert!(said(&end).contains("3천만원") && end.conflicts.is_empty(), "{}", said(&end));
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

/// A question may say where to look; what nothing is called is said and is no condition.
#[tokio::test]
async fn a_question_is_answered_from_the_document_that_it_names() {
    let world = World::of(&[
        (
            "work-rules.md",
            "# 취업규칙\n\n## 연차\n\n연차휴가는 한 해에 15일이다.\n\n## 수습\n\n수습 기간은 석 달이다.\n",
        ),
        ("union.md", "# 단체협약\n\n## 연차\n\n연차휴가는 한 해에 20일이다.\n"),
        ("manual.md", "# Printer manual\n\n## Paper\n\nThe tray holds 250 sheets of paper.\n"),
    ])
    .await;
    let researcher = world.researcher();
    let end = answer(&researcher, "a", "취업규칙에서 연차휴가는 며칠인가요?").await;
    assert!(said(&end).contains("15일") && !said(&end).contains("20일"), "{}", said(&end));
    assert!(said(&end).contains("※ 질문에 적힌 대로 다음에서만 찾았습니다: 취업규칙"), "{}", said(&end));
    assert!(end.citations.iter().all(|citation| citation.source.ends_with("work-rules.md")));
    assert!(end.subtasks.iter().all(|subtask| subtask.missing.is_empty()), "{:?}", end.subtasks);

    let end = answer(&researcher, "b", "복지편람에서 수습 기간은 얼마인가요?").await;
    assert!(said(&end).contains("석 달"), "{}", said(&end));
    assert!(said(&end).contains("복지편람\u{2019}(이)라는 문서가 없어"), "{}", said(&end));
    assert!(end.search_filter.within.is_empty());

    let end =
        answer(&researcher, "c", "How many sheets does the tray hold, according to page 12 of the manual?")
            .await;
    assert!(said(&end).contains("250 sheets"), "{}", said(&end));
    assert!(said(&end).contains("Nothing is marked as page 12"), "{}", said(&end));
    assert!(said(&end).contains("looked only in: Printer manual"), "{}", said(&end));

    // Nothing there is said with where it was looked.
    let end = answer(&researcher, "d", "취업규칙에서 프린터 용지함에는 몇 장이 들어가나요?").await;
    assert!(said(&end).contains("다음에서만 찾았습니다: 취업규칙"), "{}", said(&end));
    assert!(!said(&end).contains("250"), "{}", said(&end));
}
