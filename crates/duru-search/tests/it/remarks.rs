//! What people say about passages: for themselves, and once it is accepted for everybody, beside the text and never
//! in its place.

use duru_search::Verdict;
use duru_search::remark::{self, Error, LONGEST, NewRemark, PER_PASSAGE, Standing};
use duru_search::retrieve::{Found, Request};

use crate::desk::Desk;

const NOTE: &str = "# 청소 안내\n\n## 계단 청소\n\n계단은 매주 월요일에 청소합니다.\n\n## 주차장\n\n주차장은 밤에 닫습니다.\n";

async fn asked(desk: &Desk, viewer: Option<&str>, question: &str) -> Found {
    let request = Request { viewer: viewer.map(str::to_owned), ..Request::new(question) };
    desk.searcher().search(&request).await.unwrap()
}

async fn desk() -> (Desk, String) {
    let desk = Desk::new();
    desk.write("guide.md", NOTE);
    desk.ingest().await;
    let chunk = desk.search("계단 청소").await.hits[0].chunk.id.clone();
    (desk, chunk)
}

fn new(author: &'static str, verdict: Verdict, text: &'static str, at_ms: u64) -> NewRemark<'static> {
    NewRemark { verdict, text, author, at_ms }
}

#[tokio::test]
async fn a_remark_changes_what_its_author_finds_and_nobody_else() {
    let (desk, chunk) = desk().await;
    let others = async || {
        let of =
            |found: Found| found.hits.into_iter().map(|hit| (hit.chunk.id, hit.score, hit.remarks.len()));
        let mut all: Vec<(String, f32, usize)> = Vec::new();
        for question in ["계단 청소", "복도 물걸레질", "주차장은 언제 닫나요?"] {
            for viewer in [Some("lee"), None] {
                let found = asked(&desk, viewer, question).await;
                all.push((question.to_owned(), f32::from(found.answerability.answerable), 0));
                all.extend(of(found));
            }
        }
        all
    };
    let before = others().await;
    let said = new("kim", Verdict::Good, "복도 물걸레질도 함께 한다", 1);
    let said = remark::say(&*desk.index, &chunk, said).await.unwrap();
    // Found by what was said, though the passage does not say it; the text itself is as it was.
    let found = asked(&desk, Some("kim"), "복도 물걸레질").await;
    assert_eq!(found.hits[0].chunk.id, chunk);
    assert_eq!(found.hits[0].remarks[0].text, "복도 물걸레질도 함께 한다");
    assert!(!found.hits[0].chunk.text.contains("물걸레질"));
    assert_eq!(others().await, before, "neither place nor score nor answer changes for others");

    // A bad verdict of one's own is one's own, too.
    remark::say(&*desk.index, &chunk, new("kim", Verdict::Bad, "", 2)).await.unwrap();
    let own = asked(&desk, Some("kim"), "계단 청소").await;
    let hit = own.hits.iter().find(|hit| hit.chunk.id == chunk).unwrap();
    assert_eq!(hit.remarks[0].verdict, Verdict::Bad);
    assert_eq!(others().await, before);

    // Once it is accepted it is for everybody, and that can be taken back.
    let now = remark::find(&*desk.index, &said.id).await.unwrap();
    let accepted = Standing::Accepted { by: "boss".into(), at_ms: 3 };
    let now = remark::accept_or_decline(&*desk.index, &now, accepted).await.unwrap();
    assert_ne!(others().await, before);
    let declined = Standing::Declined { by: "boss".into(), at_ms: 4 };
    remark::accept_or_decline(&*desk.index, &now, declined).await.unwrap();
    assert_eq!(others().await, before);
}

#[tokio::test]
async fn a_remark_lapses_when_its_passage_changes() {
    let (desk, chunk) = desk().await;
    let said = new("kim", Verdict::Note, "복도 물걸레질도 함께 한다", 1);
    let said = remark::say(&*desk.index, &chunk, said).await.unwrap();
    let accepted = Standing::Accepted { by: "boss".into(), at_ms: 2 };
    remark::accept_or_decline(&*desk.index, &said, accepted).await.unwrap();
    let remarks = async |viewer| {
        let found = asked(&desk, viewer, "계단 청소").await;
        found.hits.into_iter().find(|hit| hit.chunk.id == chunk).unwrap().remarks.len()
    };
    assert_eq!((remarks(Some("kim")).await, remarks(Some("lee")).await), (1, 1));
    desk.write("guide.md", NOTE.replace("월요일", "화요일"));
    assert_eq!(desk.ingest().await.updated, 1);
    assert_eq!((remarks(Some("kim")).await, remarks(Some("lee")).await), (0, 0));
    // It is still there for whoever may want to say it again, or the text comes back.
    assert!(remark::find(&*desk.index, &said.id).await.unwrap().is_accepted());
    desk.write("guide.md", NOTE);
    desk.ingest().await;
    assert_eq!(remarks(Some("lee")).await, 1);
}

#[tokio::test]
async fn remarks_have_their_bounds() {
    let (desk, chunk) = desk().await;
    let say = async |author: &str, text: &str| {
        let new = NewRemark { verdict: Verdict::Note, text, author, at_ms: 1 };
        remark::say(&*desk.index, &chunk, new).await
    };
    assert!(matches!(say("kim", " \n").await, Err(Error::Empty)));
    assert!(matches!(say("kim", &"가".repeat(LONGEST + 1)).await, Err(Error::TooLong)));
    for at in 0..PER_PASSAGE {
        say(&format!("a{at}"), "말").await.unwrap();
    }
    assert!(matches!(say("kim", "말").await, Err(Error::TooManyOnPassage)));
    // What one said before makes room for what one says now.
    say("a0", "다른 말").await.unwrap();
    let unknown = remark::say(&*desk.index, "nobody", new("kim", Verdict::Bad, "", 1)).await;
    assert!(matches!(unknown, Err(Error::UnknownPassage)));
}
