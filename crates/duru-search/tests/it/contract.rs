//! What every index does, on every index.

use std::sync::Arc;

use duru_llm::Embedder as _;
use duru_search::index::{
    EmbeddedIndex, Error, Filter, Index, PostgresIndex, Query, Weighted, Within, Write,
};
use duru_search::ingest::{Library, Text};
use duru_search::remark::{self, NewRemark, RemarksOf, Standing};
use duru_search::retrieve::{Request, Searcher};
use duru_search::text::Thesaurus;
use duru_search::{Verdict, sample};

use crate::access::private_stays_private;
use crate::hashed::HashedEmbedder;
use crate::pg_cluster::{Server, programs};

fn lexicon() -> duru_search::text::Lexicon {
    Thesaurus::built_in().lexicon().clone()
}

fn text(collection: &str, source: &str, markdown: &str) -> Text {
    Text {
        source: source.to_owned(),
        collection: collection.to_owned(),
        category: Some("note".to_owned()),
        markdown: markdown.to_owned(),
    }
}

fn words(list: &[&str]) -> Query {
    let words = list.iter().map(|term| Weighted { term: (*term).to_owned(), weight: 1.0 }).collect();
    Query { words, pairs: Vec::new() }
}

async fn found(index: &dyn Index, list: &[&str], filter: &Filter) -> Vec<String> {
    let found = index.by_words(&words(list), filter, 10).await.unwrap();
    assert!(found.windows(2).all(|pair| pair[0].score >= pair[1].score), "{found:?}");
    found.into_iter().map(|scored| scored.id).collect()
}

pub(crate) async fn contract(index: Arc<dyn Index>) {
    let library = Library::new(Arc::clone(&index), Arc::new(HashedEmbedder));
    let lease =
        "# 임대 안내\n\n## 보증금\n\n임대인은 보증금을 돌려준다.\n\n## 관리비\n\n관리비는 매달 낸다.\n";
    let yard = "# 마당 안내\n\n## 나무\n\n나무는 봄에 심는다. 보증금은 없다.\n";
    library.ingest_texts(&[text("a", "lease", lease), text("b", "yard", yard)]).await.unwrap();

    // What was put is there, in its order.
    let documents = index.documents(None).await.unwrap();
    assert_eq!(documents.iter().map(|d| d.title.as_str()).collect::<Vec<_>>(), ["임대 안내", "마당 안내"]);
    assert_eq!(index.documents(Some("b")).await.unwrap().len(), 1);
    let passages = index.passages(&documents[0].id).await.unwrap();
    assert_eq!(passages.iter().map(|chunk| chunk.name.as_str()).collect::<Vec<_>>(), ["보증금", "관리비"]);
    let (deposit, fee) = (passages[0].id.clone(), passages[1].id.clone());

    // By words: a heading counts for more than the text, and filters hold.
    let anywhere = Filter::default();
    let tree = index.passages(&documents[1].id).await.unwrap()[0].id.clone();
    assert_eq!(found(&*index, &["보증금"], &anywhere).await, [deposit.clone(), tree.clone()]);
    assert_eq!(found(&*index, &["없는말"], &anywhere).await, Vec::<String>::new());
    let within = |collection: &str| Filter { collection: Some(collection.to_owned()), ..Filter::default() };
    assert_eq!(found(&*index, &["보증금"], &within("b")).await, std::slice::from_ref(&tree));
    let titled =
        Filter { title: Some("임대 안내".into()), category: Some("note".into()), ..Filter::default() };
    assert_eq!(found(&*index, &["보증금"], &titled).await, std::slice::from_ref(&deposit));
    let paged = Filter { pages: Some(1..=2), ..Filter::default() };
    assert!(found(&*index, &["보증금"], &paged).await.is_empty());

    let of = |place: Within| Filter { within: vec![place], ..Filter::default() };
    let (collection, id) = (documents[1].collection.clone(), documents[1].id.clone());
    let tree_alone = of(Within::Document { collection, id });
    assert_eq!(found(&*index, &["보증금"], &tree_alone).await, std::slice::from_ref(&tree));
    let by_title = of(Within::Title("임대 안내".into()));
    assert_eq!(found(&*index, &["보증금"], &by_title).await, std::slice::from_ref(&deposit));

    // By vectors.
    let vector = HashedEmbedder.embed(&["관리비는 매달 낸다".to_owned()]).await.unwrap().remove(0);
    let near = index.by_vector(&vector, &anywhere, 2).await.unwrap();
    assert_eq!((near[0].id.as_str(), near.len()), (fee.as_str(), 2));
    assert_eq!(index.by_vector(&vector, &within("b"), 5).await.unwrap()[0].id, tree);
    assert_eq!(index.by_vector(&vector, &tree_alone, 5).await.unwrap().len(), 1);
    assert!(matches!(index.by_vector(&[1.0], &anywhere, 1).await, Err(Error::Length { .. })));

    // Counts of pairs of syllables.
    let (total, counts) =
        index.frequencies(&["보증".into(), "나무".into(), "없다".into(), "쿠키".into()]).await.unwrap();
    assert_eq!((total, counts), (3, vec![2, 1, 1, 0]));

    // A remark is there, replaces what its author said before, and makes no passage be found.
    let say = async |author: &str, verdict, text: &str, at_ms| {
        let new = NewRemark { verdict, text, author, at_ms };
        remark::say(&*index, &fee, new).await.unwrap()
    };
    say("김 철수", Verdict::Bad, "승강기 공사비", 1).await;
    let kims = say("김 철수", Verdict::Good, "승강기 수선비", 2).await;
    say("lee", Verdict::Note, "수선비", 3).await;
    let texts = async |of: RemarksOf| {
        let found = index.remarks(&of).await.unwrap();
        found.into_iter().map(|remark| remark.text).collect::<Vec<_>>()
    };
    let viewer = |name: &str| RemarksOf::Viewer(Some(name.to_owned()));
    assert!(found(&*index, &["승강기"], &anywhere).await.is_empty());
    assert_eq!(texts(RemarksOf::Everybody).await, ["수선비", "승강기 수선비"]);
    assert_eq!(texts(RemarksOf::Passage(fee.clone())).await.len(), 2);
    assert!(texts(RemarksOf::Passage(deposit.clone())).await.is_empty());
    assert_eq!(texts(RemarksOf::Author("lee".into())).await, ["수선비"]);
    assert_eq!(texts(viewer("김 철수")).await, ["승강기 수선비"]);
    assert!(texts(viewer("park")).await.is_empty() && texts(RemarksOf::Viewer(None)).await.is_empty());
    // Once it is accepted it is for everybody; what was judged is what was read.
    let accepted = Standing::Accepted { by: "boss".into(), at_ms: 4 };
    remark::accept_or_decline(&*index, &kims, accepted.clone()).await.unwrap();
    assert_eq!(texts(viewer("park")).await, ["승강기 수선비"]);
    assert_eq!(texts(RemarksOf::Viewer(None)).await, ["승강기 수선비"]);
    let anew = say("김 철수", Verdict::Good, "승강기 수선비와 전기료", 5).await;
    assert_eq!(texts(viewer("park")).await, Vec::<String>::new(), "what was changed was not accepted");
    assert!(remark::accept_or_decline(&*index, &kims, accepted.clone()).await.is_err());
    let again = remark::accept_or_decline(&*index, &anew, accepted).await.unwrap();
    assert_eq!(texts(viewer("park")).await.len(), 1);
    let declined = Standing::Declined { by: "boss".into(), at_ms: 6 };
    remark::accept_or_decline(&*index, &again, declined).await.unwrap();
    assert!(texts(viewer("park")).await.is_empty() && texts(viewer("김 철수")).await.len() == 1);
    let asked = [fee.clone(), "nobody".to_owned(), deposit.clone()];
    let known = index.chunks(&asked).await.unwrap();
    assert_eq!(known.iter().map(|chunk| &chunk.id).collect::<Vec<_>>(), [&fee, &deposit]);

    // What is put again replaces; what is unchanged is not written; what is removed is gone.
    let changed = "# 임대 안내\n\n## 보증금\n\n보증금은 은행에 맡긴다.\n";
    let report = library.ingest_texts(&[text("a", "lease", changed), text("b", "yard", yard)]).await.unwrap();
    assert_eq!((report.updated, report.unchanged), (1, 1));
    assert_eq!(index.passages(&documents[0].id).await.unwrap().len(), 1);
    assert!(found(&*index, &["관리비"], &anywhere).await.is_empty());
    assert_eq!(found(&*index, &["은행"], &anywhere).await, [deposit]);
    let remove = Write::Remove { collection: "b".into(), document: documents[1].id.clone() };
    index.apply(vec![remove]).await.unwrap();
    assert_eq!(index.documents(None).await.unwrap().len(), 1);
    assert_eq!(index.frequencies(&["나무".into()]).await.unwrap(), (1, vec![0]));
    library.ingest_texts(&[text("a", "lease", lease)]).await.unwrap();
    assert_eq!(texts(RemarksOf::Author("김 철수".into())).await, ["승강기 수선비와 전기료"]);

    // What a person said can be taken back, by whom it was said and nobody else; nor is it kept who judged.
    index.apply(vec![Write::Unsay { by: "park".into() }]).await.unwrap();
    assert_eq!(texts(RemarksOf::Everybody).await.len(), 2);
    index.apply(vec![Write::Unsay { by: "boss".into() }]).await.unwrap();
    let judged = remark::find(&*index, &anew.id).await.unwrap();
    assert_eq!((judged.standing.word(), judged.standing.by()), ("declined", Some("erased")));
    index.apply(vec![Write::Unsay { by: "김 철수".into() }]).await.unwrap();
    assert_eq!(texts(RemarksOf::Everybody).await, ["수선비"]);
    let lees = index.remarks(&RemarksOf::Author("lee".into())).await.unwrap().remove(0);
    remark::withdraw(&*index, &lees.id).await.unwrap();
    assert!(texts(RemarksOf::Everybody).await.is_empty());
    assert!(remark::withdraw(&*index, &lees.id).await.is_err());
    say("김 철수", Verdict::Good, "승강기 수선비", 7).await;
}

/// The first hits for a few questions on the sample documents.
async fn first_hits(index: Arc<dyn Index>) -> Vec<String> {
    let library = Library::new(Arc::clone(&index), Arc::new(HashedEmbedder));
    library.ingest_texts(&sample::texts()).await.unwrap();
    let searcher = Searcher::new(index, Arc::new(HashedEmbedder), Arc::new(Thesaurus::built_in()));
    let mut first = Vec::new();
    for question in [
        "전세금을 얼마까지 올릴 수 있나요?",
        "복비 요율",
        "임차권등기명령",
        "깡통전세란?",
        "How do I go back to a checkpoint?",
    ] {
        let found = searcher.search(&Request::new(question)).await.unwrap();
        first.push(format!("{question} {}", found.hits[0].chunk.id));
    }
    first
}

#[tokio::test]
async fn the_index_in_memory_keeps_the_contract() {
    contract(Arc::new(EmbeddedIndex::in_memory(lexicon()).unwrap())).await;
}

#[tokio::test]
async fn the_index_in_postgresql_keeps_the_contract() {
    if programs().is_none() {
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "there is no PostgreSQL 15 in /usr/lib/postgresql"
        );
        eprintln!("\n*** SKIPPED: there is no PostgreSQL 15 in /usr/lib/postgresql ***\n");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let url = server.url();
    let open =
        async |schema: &str| PostgresIndex::open_in(&url, schema, HashedEmbedder.name(), lexicon()).await;
    let first = open("contract").await.unwrap();
    // Debian's server comes without the extension; where it is installed, the other test says what it does.
    if !std::path::Path::new("/usr/share/postgresql/15/extension/vector.control").exists() {
        assert!(!first.compares_vectors());
    }
    contract(Arc::new(first)).await;
    private_stays_private(Arc::new(open("access").await.unwrap())).await;

    // It is there after opening again, for another process, too; and made anew for another lexicon.
    let kept = open("contract").await.unwrap().documents(None).await.unwrap();
    assert_eq!(kept.len(), 1);
    let mut thesaurus = Thesaurus::built_in();
    thesaurus.extend("새말\t새용어").unwrap();
    let anew = PostgresIndex::open_in(&url, "contract", HashedEmbedder.name(), thesaurus.lexicon().clone())
        .await
        .unwrap();
    assert_eq!(anew.documents(None).await.unwrap(), kept);
    assert_eq!(found(&anew, &["관리비"], &Filter::default()).await.len(), 1);
    assert_eq!(anew.remarks(&RemarksOf::Everybody).await.unwrap().len(), 1);
    let other = PostgresIndex::open_in(&url, "contract", "other", lexicon()).await;
    assert!(matches!(other.err(), Some(Error::OtherEmbedder { .. })));

    // Two writers at once lose nothing, and both indexes find the same first.
    let shared = open("two").await.unwrap();
    let library = Library::new(Arc::new(shared.clone()), Arc::new(HashedEmbedder));
    let one = |source: &str| [text("a", source, &format!("# {source}\n\n보증금 {source}\n"))];
    let (left, right) = (one("left"), one("right"));
    let (a, b) = tokio::join!(library.ingest_texts(&left), library.ingest_texts(&right));
    a.unwrap();
    b.unwrap();
    assert_eq!(shared.frequencies(&["보증".into()]).await.unwrap(), (2, vec![2]));
    let samples = Arc::new(open("samples").await.unwrap());
    let here = first_hits(Arc::new(EmbeddedIndex::in_memory(lexicon()).unwrap())).await;
    assert_eq!(first_hits(samples).await, here);

    let nobody =
        PostgresIndex::open("postgres://duru@127.0.0.1:1/none", HashedEmbedder.name(), lexicon()).await;
    assert!(matches!(nobody.err(), Some(Error::Unreachable { .. })));
}
