//! What every index does, on every index.

use std::sync::Arc;

use duru_llm::{Embedder as _, HashedEmbedder};
use duru_search::index::{EmbeddedIndex, Error, Filter, Index, PostgresIndex, Query, Weighted, Write};
use duru_search::ingest::{Library, Text};
use duru_search::retrieve::{Request, Searcher};
use duru_search::text::Thesaurus;
use duru_search::{Feedback, Verdict, sample};

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

    // By vectors.
    let vector = HashedEmbedder.embed(&["관리비는 매달 낸다".to_owned()]).await.unwrap().remove(0);
    let near = index.by_vector(&vector, &anywhere, 2).await.unwrap();
    assert_eq!((near[0].id.as_str(), near.len()), (fee.as_str(), 2));
    assert_eq!(index.by_vector(&vector, &within("b"), 5).await.unwrap()[0].id, tree);
    assert!(matches!(index.by_vector(&[1.0], &anywhere, 1).await, Err(Error::Length { .. })));

    // Counts of pairs of syllables.
    let (total, counts) =
        index.frequencies(&["보증".into(), "나무".into(), "없다".into(), "쿠키".into()]).await.unwrap();
    assert_eq!((total, counts), (3, vec![2, 1, 1, 0]));

    // What people say is found, replaces what they said before, and outlives the document.
    let say = |verdict, text: &str| {
        Write::Say(Feedback {
            collection: "a".into(),
            chunk: fee.clone(),
            verdict,
            text: text.to_owned(),
            by: Some("김 철수".into()),
        })
    };
    index.apply(vec![say(Verdict::Bad, "승강기 공사비"), say(Verdict::Good, "승강기 수선비")]).await.unwrap();
    assert_eq!(found(&*index, &["승강기"], &anywhere).await, std::slice::from_ref(&fee));
    let asked = [fee.clone(), "nobody".to_owned(), deposit.clone()];
    let known = index.chunks(&asked).await.unwrap();
    assert_eq!(known.iter().map(|(chunk, _)| &chunk.id).collect::<Vec<_>>(), [&fee, &deposit]);
    let said = known[0].1.as_ref().unwrap();
    assert_eq!((said.verdict, said.text.as_str()), (Verdict::Good, "승강기 수선비"));

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
    let back = index.chunks(std::slice::from_ref(&fee)).await.unwrap();
    assert_eq!(back[0].1.as_ref().map(|said| said.text.as_str()), Some("승강기 수선비"));

    // What a person said can be taken back, by whom it was said and nobody else.
    index.apply(vec![Write::Unsay { by: "lee".into() }]).await.unwrap();
    assert!(index.chunks(std::slice::from_ref(&fee)).await.unwrap()[0].1.is_some());
    index.apply(vec![Write::Unsay { by: "김 철수".into() }]).await.unwrap();
    assert!(index.chunks(std::slice::from_ref(&fee)).await.unwrap()[0].1.is_none());
    assert!(found(&*index, &["승강기"], &anywhere).await.is_empty());
    index.apply(vec![say(Verdict::Good, "승강기 수선비")]).await.unwrap();
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
    assert_eq!(found(&anew, &["승강기"], &Filter::default()).await.len(), 1);
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
