//! What is found, in which order, and why.

use duru_search::index::Filter;
use duru_search::retrieve::Request;

use crate::desk::Desk;

const STATUTE: &str = "# 집빌림법\n\n제1장 총칙\n제1조(목적) 이 법은 주거용 건물의 임대차에 관한 사항을 정한다.\n\
제2조(정의) “차임”이란 임차인이 다달이 내는 돈을 말한다.\n\
제3조(임차권등기명령) 보증금을 반환받지 못한 임차인은 임차권등기명령을 신청할 수 있다.\n\
제7조(차임 등의 증감청구권) 약정한 차임이나 보증금의 증액은 100분의 5를 넘지 못한다.\n\
제9조(과태료) 제3조를 위반한 자에게는 500만원 이하의 과태료를 부과한다.\n";

const DECREE: &str = "# 집빌림법 시행령\n\n제4조(증액의 기준) 법 제7조에 따른 차임의 증액은 1년 이내에는 하지 못한다.\n\
제8조(수수료) 등기의 수수료는 3천원으로 한다.\n";

async fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("act.md", STATUTE);
    desk.write("decree.md", DECREE);
    desk.write("guide.md", "# 청소 안내\n\n## 계단 청소\n\n계단은 매주 월요일에 청소합니다.\n");
    desk.ingest().await;
    desk
}

#[tokio::test]
async fn a_noun_is_found_inside_of_a_compound_and_with_any_ending() {
    let desk = Desk::new();
    desk.write("a.md", "# 글\n\n## 하나\n\n전세보증금반환보증은 집을 지킨다.\n\n## 둘\n\n나무는 푸르다.\n");
    desk.ingest().await;
    for question in ["전세", "반환보증을", "보증금은?"] {
        assert_eq!(desk.names(question).await[0], "하나", "{question}");
    }
}

#[tokio::test]
async fn everyday_words_find_the_article_and_the_trace_says_why() {
    let desk = desk().await;
    let found = desk.search("집주인이 월세를 올려 달래요").await;
    assert_eq!(found.hits[0].chunk.article.as_deref(), Some("제7조"));
    let phrases: Vec<&str> =
        found.trace.analysis.expansions.iter().map(|expansion| expansion.phrase.as_str()).collect();
    assert!(phrases.contains(&"월세 올리다"), "{phrases:?}");
    // The decree carries that article out.
    let decree = found.hits.iter().find(|hit| hit.chunk.name == "증액의 기준").unwrap();
    assert_eq!(decree.linked.as_deref(), Some(found.hits[0].chunk.id.as_str()));
}

#[tokio::test]
async fn numbers_are_found_however_they_are_written() {
    let desk = desk().await;
    assert_eq!(desk.names("5%까지만 되나요").await[0], "차임 등의 증감청구권");
    assert_eq!(desk.names("3,000원").await[0], "수수료");
}

#[tokio::test]
async fn an_article_that_is_named_comes_first() {
    let desk = desk().await;
    let found = desk.search("집빌림법 제9조").await;
    assert_eq!(found.hits[0].chunk.name, "과태료");
    assert_eq!(found.hits[0].why.article, 1.0);
}

#[tokio::test]
async fn what_something_is_stands_where_it_is_defined() {
    assert_eq!(desk().await.names("차임이란 무엇인가요?").await[0], "정의");
}

#[tokio::test]
async fn a_filter_leaves_only_what_passes_it() {
    let desk = desk().await;
    let search = |filter: Filter| {
        let request = Request { filter, ..Request::new("차임 보증금 청소") };
        let searcher = desk.searcher();
        async move { searcher.search(&request).await.unwrap().hits }
    };
    let law = search(Filter { title: Some("집빌림법".into()), ..Filter::default() }).await;
    assert!(!law.is_empty() && law.iter().all(|hit| hit.chunk.title.starts_with("집빌림법")));
    let decree = search(Filter { title: Some("집빌림법 시행령".into()), ..Filter::default() }).await;
    assert!(!decree.is_empty() && decree.iter().all(|hit| hit.chunk.title == "집빌림법 시행령"));
    let article = search(Filter { article: Some("제7조".into()), ..Filter::default() }).await;
    assert_eq!(article.len(), 1);
    let nowhere = search(Filter { collection: Some("other".into()), ..Filter::default() }).await;
    assert!(nowhere.is_empty());
    let pages = search(Filter { pages: Some(1..=2), ..Filter::default() }).await;
    assert!(pages.is_empty());
}

#[tokio::test]
async fn a_question_about_something_else_has_no_answer_here() {
    let desk = desk().await;
    assert!(!desk.search("화성 탐사선 발사 궤도 계산").await.answerability.answerable);
    assert!(desk.search("임차권등기명령은 누가 신청하나요?").await.answerability.answerable);
    // What one law says in an article is not what another says in its own.
    assert!(desk.search("집빌림법 제7조의 내용은?").await.answerability.answerable);
    assert!(!desk.search("가게빌림법 제7조의 내용은?").await.answerability.answerable);
    // Not even where it is the very thing that is asked.
    for (said, answerable) in [("", true), ("법 제7조에서 ", true), ("가게빌림법 제7조에서 ", false)]
    {
        let question = format!("{said}약정한 차임이나 보증금의 증액은 얼마를 넘지 못하나요?");
        let found = desk.search(&question).await.answerability;
        assert_eq!(found.answerable, answerable, "{question}: {found:?}");
    }
}

#[tokio::test]
async fn the_same_text_twice_is_one_hit() {
    let desk = Desk::new();
    let text = "# 글\n\n## 규칙\n\n주차장은 입주자만 쓸 수 있고, 손님은 관리사무소에 미리 알려야 한다. 밤에는 닫는다.\n";
    desk.write("a.md", text);
    desk.write("b.md", text);
    desk.ingest().await;
    let hits = desk.search("주차장은 누가 쓰나요").await.hits;
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].duplicates.len(), 1);
}
