//! However much people keep for themselves, others find what they found before; and what is removed leaves nothing behind.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use duru_llm::Embedder;
use duru_search::index::{EmbeddedIndex, Filter, Index, Passage, PostgresIndex, Query, Weighted, Write};
use duru_search::ingest::{Ingest, Library, Report};
use duru_search::text::Thesaurus;
use duru_search::{Access, Chunk, Document, PageBreak, Reach};

use crate::hashed::HashedEmbedder;
use crate::pg_cluster::{Server, programs};

fn lexicon() -> duru_search::text::Lexicon {
    Thesaurus::built_in().lexicon().clone()
}

fn owner(name: &str) -> Access {
    Access::Owner(name.to_owned())
}

/// A document of so many passages, each of this text and without a vector.
fn put(id: &str, (text, count): (&str, usize), access: Access) -> Write {
    let chunk = |at: usize| Chunk {
        id: format!("{id}#{at}"),
        document: id.into(),
        collection: "c".into(),
        source: format!("{id}.md"),
        title: "메모".into(),
        text: text.into(),
        ..Chunk::default()
    };
    let passages = (0..count).map(|at| Passage { chunk: chunk(at), vector: Vec::new() }).collect();
    let document = Document {
        id: id.into(),
        collection: "c".into(),
        source: format!("{id}.md"),
        title: "메모".into(),
        fingerprint: String::new(),
        chunks: count,
        owner: None,
        access,
        names: Default::default(),
    };
    Write::Put { document, passages }
}

fn word(term: &str) -> Query {
    Query { words: vec![Weighted { term: term.to_owned(), weight: 1.0 }], pairs: Vec::new() }
}

/// There is more that is private than that is shared, from nothing shared on.
async fn little_is_shared(index: Arc<dyn Index>) {
    let thread = Access::Thread { thread: "t1".into(), owner: Some("lee".into()) };
    let private =
        vec![put("kims", ("보증금 메모", 30), owner("kim")), put("lees", ("보증금 초안", 20), thread)];
    index.apply(private).await.unwrap();
    let reaches = [
        (Reach::Shared, 0),
        (Reach::of(Some("park"), Some("t1")), 0),
        (Reach::of(Some("kim"), None), 30),
        (Reach::of(Some("lee"), Some("t1")), 20),
        (Reach::Everything, 50),
    ];
    for shared in 0..=1 {
        if shared == 1 {
            index.apply(vec![put("rules", ("보증금 규정", 1), Access::Shared)]).await.unwrap();
        }
        for (reach, private) in &reaches {
            let index = index.reaching(reach.clone());
            for filter in [Filter::default(), Filter { collection: Some("c".into()), ..Filter::default() }] {
                let found = index.by_words(&word("보증금"), &filter, 100).await.unwrap();
                assert_eq!(found.len(), private + shared, "{reach:?} {shared}");
                assert!(index.by_words(&word("없는말"), &filter, 100).await.unwrap().is_empty());
            }
        }
    }
}

/// A record may hold a NUL character, and a question may name a page.
async fn a_page_is_found_beside_a_nul_character(index: Arc<dyn Index>) {
    let Write::Put { document, mut passages } = put("paged", ("가운데\0글", 1), Access::Shared) else {
        unreachable!()
    };
    passages[0].chunk.page = Some(3);
    passages[0].chunk.page_breaks = vec![PageBreak { offset: 2, page: 4 }];
    index.apply(vec![Write::Put { document, passages }]).await.unwrap();
    for (page, count) in [(2, 0), (3, 1), (4, 1), (5, 0)] {
        let filter = Filter { pages: Some(page..=page), ..Filter::default() };
        assert_eq!(index.by_words(&word("가운데"), &filter, 5).await.unwrap().len(), count, "{page}");
    }
}

#[tokio::test]
async fn every_search_works_where_more_is_private_than_shared() {
    little_is_shared(Arc::new(EmbeddedIndex::in_memory(lexicon()).unwrap())).await;
    a_page_is_found_beside_a_nul_character(Arc::new(EmbeddedIndex::in_memory(lexicon()).unwrap())).await;
}

#[tokio::test]
async fn what_is_private_is_searched_and_removed_whole_in_postgresql() {
    if programs().is_none() {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "there is no PostgreSQL 15");
        eprintln!("\n*** SKIPPED: there is no PostgreSQL 15 in /usr/lib/postgresql ***\n");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let open = async |schema: &str| {
        let name = HashedEmbedder.name();
        Arc::new(PostgresIndex::open_in(&server.url(), schema, name, lexicon()).await.unwrap())
    };
    little_is_shared(open("crowded").await).await;
    a_page_is_found_beside_a_nul_character(open("paged").await).await;

    // The words of what was removed are no list of what it said; those that something else has stay.
    let index = open("terms").await;
    let secret = put("secret", ("공통어 비밀어", 1), owner("kim"));
    index.apply(vec![put("rules", ("공통어", 1), Access::Shared), secret]).await.unwrap();
    let (client, connection) = tokio_postgres::connect(&server.url(), tokio_postgres::NoTls).await.unwrap();
    let connected = tokio::spawn(connection);
    let words = async || {
        let sql = "SELECT term FROM terms.terms WHERE term LIKE 'w%어' ORDER BY term";
        let rows = client.query(sql, &[]).await.unwrap();
        rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>()
    };
    assert_eq!(words().await, ["w공통어", "w비밀어"]);
    // What takes its place may say less, too.
    index.apply(vec![put("secret", ("딴말어", 1), owner("kim"))]).await.unwrap();
    assert_eq!(words().await, ["w공통어", "w딴말어"]);
    index.apply(vec![Write::Remove { collection: "c".into(), document: "secret".into() }]).await.unwrap();
    assert_eq!(words().await, ["w공통어"]);
    assert_eq!(index.by_words(&word("공통어"), &Filter::default(), 5).await.unwrap().len(), 1);
    connected.abort();
}

/// Whether some file of a folder holds these bytes.
fn holds(folder: &Path, wanted: &str) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, wanted);
        }
        let bytes = std::fs::read(&path).unwrap_or_default();
        bytes.windows(wanted.len()).any(|part| part == wanted.as_bytes())
    })
}

#[tokio::test]
async fn what_is_removed_is_in_no_file_of_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let index = EmbeddedIndex::open(folder.path(), HashedEmbedder.name(), lexicon()).unwrap();
    let remove = |id: &str| Write::Remove { collection: "c".into(), document: id.to_owned() };
    // Beside others that stay, or the whole segment would go.
    let others = |at: usize| put(&format!("other{at}"), ("그대로 두는 글", 3), Access::Shared);
    for (at, (access, change)) in [
        (Access::Shared, remove("it")),
        (owner("kim"), remove("it")),
        (owner("kim"), put("it", ("바뀐 글", 1), owner("kim"))),
        (owner("kim"), put("it", ("바뀐 글", 1), Access::Shared)),
    ]
    .into_iter()
    .enumerate()
    {
        index.apply(vec![put("it", ("Zyxwvutsecret 하나", 1), access), others(at)]).await.unwrap();
        assert!(holds(folder.path(), "Zyxwvutsecret"), "or it is kept in another form ({at})");
        index.apply(vec![change]).await.unwrap();
        assert!(!holds(folder.path(), "Zyxwvutsecret"), "{at}");
        assert!(!holds(folder.path(), "zyxwvutsecret"), "{at}");
    }
}

/// The encoder that is part of the program by its name alone.
struct Counted;

#[async_trait]
impl Embedder for Counted {
    fn name(&self) -> &str {
        duru_meaning::MODEL
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, duru_llm::Error> {
        Ok(vec![vec![1.0, 0.0]; texts.len()])
    }
}

async fn take_in(library: &Library, name: &str, access: Option<Access>) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, "# 규정\n\n## 출장비\n\n출장비는 하루 오만원이다.\n").unwrap();
    // Known by its name alone, wherever it lies.
    let within = Some(folder.path().canonicalize().unwrap().join("files"));
    let wanted = Ingest { access, within, ..Ingest::of([path.canonicalize().unwrap()]) };
    library.ingest(&wanted, |_| {}).await.unwrap()
}

#[tokio::test]
async fn what_one_keeps_takes_the_vectors_from_nobody_else() {
    let index = Arc::new(EmbeddedIndex::in_memory(lexicon()).unwrap());
    let library = Library::new(index.clone(), Arc::new(Counted));
    let most = usize::try_from(duru_search::meaning::MOST_PASSAGES).unwrap();
    index.apply(vec![put("kims", ("메모", most), owner("kim"))]).await.unwrap();
    assert!(!take_in(&library, "shared.md", None).await.by_words);
    assert!(!take_in(&library, "lees.md", Some(owner("lee"))).await.by_words);
    assert!(take_in(&library, "kims.md", Some(owner("kim"))).await.by_words);
    let near = index.by_vector(&[1.0, 0.0], &Filter::default(), 5).await.unwrap();
    assert_eq!(near.len(), 1, "what is shared has its vector");
}

#[tokio::test]
async fn what_is_read_again_is_for_whom_it_was() {
    let index = Arc::new(EmbeddedIndex::in_memory(lexicon()).unwrap());
    let library = Library::new(index.clone(), Arc::new(HashedEmbedder));
    let access = async || {
        let all = index.reaching(Reach::Everything).documents(None).await.unwrap();
        assert_eq!(all.len(), 1);
        all[0].access.clone()
    };
    take_in(&library, "memo.md", None).await;
    assert_eq!(access().await, Access::Shared, "new ones are shared");
    take_in(&library, "memo.md", Some(owner("kim"))).await;
    assert_eq!(access().await, owner("kim"));
    assert_eq!(take_in(&library, "memo.md", None).await.unchanged, 1);
    assert_eq!(access().await, owner("kim"), "nobody said that it is for others now");
    assert_eq!(take_in(&library, "memo.md", Some(Access::Shared)).await.updated, 1);
    assert_eq!(access().await, Access::Shared);
}

#[tokio::test]
async fn a_private_record_takes_no_shared_ones_place() {
    let index = Arc::new(EmbeddedIndex::in_memory(lexicon()).unwrap());
    let library = Library::new(index.clone(), Arc::new(HashedEmbedder));
    let folder = tempfile::tempdir().unwrap();
    for (name, access) in [("a.json", None), ("b.json", Some(owner("kim"))), ("c.json", Some(owner("lee")))] {
        let path = folder.path().join(name);
        std::fs::write(&path, format!(r#"{{"id": "rule-1", "text": "보증금 {name}"}}"#)).unwrap();
        library.ingest(&Ingest { access, ..Ingest::of([path]) }, |_| {}).await.unwrap();
    }
    for (reach, count) in [(Reach::Shared, 1), (Reach::of(Some("kim"), None), 2), (Reach::Everything, 3)] {
        let index = index.reaching(reach);
        let found = index.by_words(&word("보증금"), &Filter::default(), 5).await.unwrap();
        let ids: Vec<String> = found.into_iter().map(|one| one.id).collect();
        let chunks = index.chunks(&ids).await.unwrap();
        let mut texts: Vec<&str> = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        texts.dedup();
        assert_eq!(texts.len(), count, "{texts:?}");
    }
    assert_eq!(index.chunks(&["rule-1".into()]).await.unwrap()[0].text, "보증금 a.json");
}
