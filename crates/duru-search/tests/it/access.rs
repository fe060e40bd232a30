//! What is private is found by nobody else, on every index.

use std::path::PathBuf;
use std::sync::Arc;

use duru_llm::Embedder as _;
use duru_search::index::{EmbeddedIndex, Filter, Index, Passage, Query, Weighted, Write};
use duru_search::ingest::{Ingest, Library};
use duru_search::meaning::Bundled;
use duru_search::retrieve::{Request, Searcher};
use duru_search::text::Thesaurus;
use duru_search::{Access, Document, Reach};

use crate::hashed::HashedEmbedder;

const SHARED: &str = "# 사내 규정\n\n## 출장비\n\n출장비는 하루 오만원이다.\n";
const KIMS: &str = "# 김의 메모\n\n## 출장비\n\n출장비 예산은 일급비밀 칠백만원이다.\n";
const THREADS: &str = "# 계약서 초안\n\n## 위약금\n\n위약금은 삼백만원이며 출장비와 상관없다.\n";

fn of_thread(owner: &str, thread: &str) -> Access {
    Access::Thread { thread: thread.into(), owner: Some(owner.into()) }
}

async fn take_in(library: &Library, name: &str, text: &str, access: Access) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let collection = if access.is_shared() { "default" } else { "own" }.to_owned();
    let within = Some(folder.path().to_owned());
    let wanted = Ingest { access: Some(access), collection, within, ..Ingest::of([path]) };
    assert_eq!(library.ingest(&wanted, |_| {}).await.unwrap().added, 1);
}

async fn titles(index: &dyn Index) -> Vec<String> {
    index.documents(None).await.unwrap().into_iter().map(|document| document.title).collect()
}

/// The titles of whatever words and vectors find.
async fn found(index: &dyn Index) -> Vec<String> {
    let word = |term: &str| Weighted { term: term.to_owned(), weight: 1.0 };
    let query = Query {
        words: vec![word("출장비"), word("위약금")],
        pairs: vec![word("출장"), word("비밀")],
    };
    let vector = HashedEmbedder.embed(&["출장비 예산은 일급비밀".to_owned()]).await.unwrap().remove(0);
    let mut ids: Vec<String> = Vec::new();
    for filter in
        [Filter::default(), Filter { pages: None, collection: Some("own".into()), ..Filter::default() }]
    {
        ids.extend(index.by_words(&query, &filter, 10).await.unwrap().into_iter().map(|one| one.id));
        ids.extend(index.by_vector(&vector, &filter, 10).await.unwrap().into_iter().map(|one| one.id));
    }
    ids.sort();
    ids.dedup();
    let chunks = index.chunks(&ids).await.unwrap();
    assert_eq!(chunks.len(), ids.len(), "what is found can be read");
    let mut titles: Vec<String> = chunks.into_iter().map(|chunk| chunk.title).collect();
    titles.sort();
    titles.dedup();
    titles
}

pub(crate) async fn private_stays_private(index: Arc<dyn Index>) {
    let library = Library::new(Arc::clone(&index), Arc::new(HashedEmbedder));
    take_in(&library, "rules.md", SHARED, Access::Shared).await;
    let word = Query { words: vec![Weighted { term: "출장비".into(), weight: 1.0 }], pairs: Vec::new() };
    let before = index.by_words(&word, &Filter::default(), 10).await.unwrap();
    take_in(&library, "memo.md", KIMS, Access::Owner("kim".into())).await;
    take_in(&library, "draft.md", THREADS, of_thread("kim", "t1")).await;

    let everything = index.reaching(Reach::Everything).documents(None).await.unwrap();
    let id = |title: &str| -> String {
        everything.iter().find(|document| document.title == title).unwrap().id.clone()
    };
    let all = ["김의 메모", "계약서 초안", "사내 규정"];
    for (reach, seen) in [
        (Reach::default(), &["사내 규정"][..]),
        (Reach::of(None, None), &["사내 규정"]),
        (Reach::of(Some("lee"), None), &["사내 규정"]),
        (Reach::of(Some("lee"), Some("t1")), &["사내 규정"]),
        (Reach::of(None, Some("t1")), &["사내 규정"]),
        (Reach::of(Some("kim"), Some("t2")), &["김의 메모", "사내 규정"]),
        (Reach::of(Some("kim"), Some("t1")), &all),
        (Reach::Besides(vec![of_thread("kim", "t1")]), &["계약서 초안", "사내 규정"]),
        (Reach::Everything, &all),
    ] {
        let index = index.reaching(reach.clone());
        let mut expected: Vec<&str> = seen.to_vec();
        expected.sort_unstable();
        let mut listed = titles(&*index).await;
        listed.sort();
        assert_eq!(listed, expected, "{reach:?}");
        assert_eq!(found(&*index).await, expected, "{reach:?}");
        for title in all {
            let passages = index.passages(&id(title)).await.unwrap();
            assert_eq!(!passages.is_empty(), seen.contains(&title), "{title} {reach:?}");
        }
        // Nor does it tell by counting that somebody else's is there.
        let (total, counts) = index.frequencies(&["출장".into(), "비밀".into()]).await.unwrap();
        let secret = u64::from(seen.contains(&"김의 메모"));
        assert_eq!(
            (total, counts[0], counts[1]),
            (seen.len() as u64, seen.len() as u64, secret),
            "{reach:?}"
        );
    }
    // And what is shared comes as it came before.
    assert_eq!(index.by_words(&word, &Filter::default(), 10).await.unwrap(), before);

    // A search of whoever has it finds it, with words that nothing shared has.
    let searcher =
        Searcher::new(Arc::clone(&index), Arc::new(HashedEmbedder), Arc::new(Thesaurus::built_in()));
    let request = Request::new("위약금은 얼마인가요?");
    let mine = searcher.reaching(Reach::of(Some("kim"), Some("t1"))).search(&request).await.unwrap();
    assert_eq!(mine.hits[0].chunk.title, "계약서 초안");
    let theirs = searcher.search(&request).await.unwrap();
    assert!(theirs.hits.iter().all(|hit| hit.chunk.title == "사내 규정"), "{:?}", theirs.hits);

    // It may become shared, and be taken back; and what is removed is gone for everybody.
    let whole = index.reaching(Reach::Everything);
    let chunk = whole.passages(&id("김의 메모")).await.unwrap().remove(0);
    let vector = HashedEmbedder.embed(std::slice::from_ref(&chunk.text)).await.unwrap().remove(0);
    let memo = everything.iter().find(|document| document.title == "김의 메모").unwrap();
    for (access, seen) in [(Access::Shared, 2), (Access::Owner("kim".into()), 1)] {
        let document = Document { access, ..memo.clone() };
        let passages = vec![Passage { chunk: chunk.clone(), vector: vector.clone() }];
        index.apply(vec![Write::Put { document, passages }]).await.unwrap();
        assert_eq!(titles(&*index).await.len(), seen);
        let (total, counts) = index.frequencies(&["비밀".into()]).await.unwrap();
        assert_eq!((total, counts[0] + 1), (seen as u64, seen as u64));
    }
    for title in ["김의 메모", "계약서 초안"] {
        let remove = Write::Remove { collection: "own".into(), document: id(title) };
        index.apply(vec![remove]).await.unwrap();
    }
    assert_eq!(titles(&*whole).await, ["사내 규정"]);
    assert_eq!(whole.frequencies(&["비밀".into()]).await.unwrap(), (1, vec![0]));
}

fn lexicon() -> duru_search::text::Lexicon {
    Thesaurus::built_in().lexicon().clone()
}

#[tokio::test]
async fn what_is_private_in_memory_stays_private() {
    private_stays_private(Arc::new(EmbeddedIndex::in_memory(lexicon()).unwrap())).await;
}

/// Another lexicon makes the index anew: whom a document is for is kept, and so it is when passages are embedded again.
#[tokio::test]
async fn what_is_private_is_private_after_the_index_was_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let open = |lexicon| EmbeddedIndex::open(folder.path(), HashedEmbedder.name(), lexicon).unwrap();
    {
        let library = Library::new(Arc::new(open(lexicon())), Arc::new(HashedEmbedder));
        take_in(&library, "rules.md", SHARED, Access::Shared).await;
        take_in(&library, "draft.md", THREADS, of_thread("kim", "t1")).await;
    }
    let mut other = Thesaurus::built_in();
    other.extend("새말\t새용어").unwrap();
    let anew = open(other.lexicon().clone());
    assert_eq!(titles(&anew).await, ["사내 규정"]);
    let kims = anew.reaching(Reach::of(Some("kim"), Some("t1")));
    assert_eq!(titles(&*kims).await.len(), 2);
    assert_eq!(found(&*kims).await.len(), 2);
}

#[tokio::test]
async fn private_passages_that_lost_their_vectors_are_embedded_again() {
    let folder = tempfile::tempdir().unwrap();
    let words_only = duru_llm::WordsOnly::NAME;
    {
        let index = EmbeddedIndex::open(folder.path(), words_only, lexicon()).unwrap();
        let library = Library::new(Arc::new(index), Arc::new(duru_llm::WordsOnly));
        take_in(&library, "draft.md", THREADS, of_thread("kim", "t1")).await;
    }
    let index = EmbeddedIndex::open(folder.path(), Bundled.name(), lexicon()).unwrap();
    let library = Library::new(Arc::new(index.clone()), Arc::new(Bundled));
    assert_eq!(library.embed_again(|_| {}).await.unwrap(), 1);
    assert!(titles(&index).await.is_empty());
    let vector = Bundled.embed(&["위약금".to_owned()]).await.unwrap().remove(0);
    assert!(index.by_vector(&vector, &Filter::default(), 5).await.unwrap().is_empty());
    let kims = index.reaching(Reach::of(Some("kim"), Some("t1")));
    assert_eq!(kims.by_vector(&vector, &Filter::default(), 5).await.unwrap().len(), 1);
}
