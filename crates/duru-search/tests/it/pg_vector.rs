//! The index in a PostgreSQL that has the extension `vector`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use duru_llm::Embedder as _;
use duru_search::index::{EmbeddedIndex, Filter, Index, PostgresIndex};
use duru_search::ingest::Library;
use duru_search::sample;
use duru_search::text::Thesaurus;

use crate::access::private_stays_private;
use crate::contract::contract;
use crate::hashed::HashedEmbedder;
use crate::pg_cluster::{Server, programs};

/// A build of PostgreSQL that carries the extension. Debian 12 has none, the Python package index does.
const WHEEL: &str = "pgserver==0.1.4";

/// The programs of a server that has the extension, installed if they can be.
fn with_extension() -> Option<PathBuf> {
    if Path::new("/usr/share/postgresql/15/extension/vector.control").exists() {
        return programs().map(Path::to_owned);
    }
    let folder = std::env::temp_dir().join("duru-pgserver");
    let found = folder.join("pgserver/pginstall/bin");
    if !found.join("initdb").exists() {
        eprintln!("*** installing {WHEEL} with pip ***");
        let script = format!(
            "set -e; mkdir -p \"$1\"; cd \"$1\"; python3 -m pip download -q --no-deps {WHEEL} -d .; \
             python3 -m zipfile -e pgserver-*.whl new; chmod -R a+rX new; chmod a+x new/pgserver/pginstall/bin/*; \
             mv -T new/pgserver.libs pgserver.libs; mv -T new/pgserver pgserver"
        );
        let mut command = Command::new("flock");
        command
            .arg(std::env::temp_dir().join("duru-pip.lock"))
            .args(["sh", "-c", &script, "sh"])
            .arg(&folder);
        drop(command.stdin(Stdio::null()).status());
    }
    found.join("initdb").exists().then_some(found)
}

fn lexicon() -> duru_search::text::Lexicon {
    Thesaurus::built_in().lexicon().clone()
}

async fn samples(index: Arc<dyn Index>) -> Arc<dyn Index> {
    let library = Library::new(Arc::clone(&index), Arc::new(HashedEmbedder));
    library.ingest_texts(&sample::texts()).await.unwrap();
    index
}

#[tokio::test]
async fn a_database_with_the_extension_finds_the_same_neighbours() {
    let Some(programs) = with_extension() else {
        eprintln!("\n*** SKIPPED: no PostgreSQL with the extension vector could be installed ***\n");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_of(&programs, folder.path());
    let url = server.url();
    let open =
        async |schema: &str| PostgresIndex::open_in(&url, schema, HashedEmbedder.name(), lexicon()).await;
    let first = open("contract").await.unwrap();
    assert!(first.compares_vectors());
    contract(Arc::new(first)).await;
    private_stays_private(Arc::new(open("access").await.unwrap())).await;

    let theirs = samples(Arc::new(open("samples").await.unwrap())).await;
    let ours = samples(Arc::new(EmbeddedIndex::in_memory(lexicon()).unwrap())).await;
    let questions = [
        "보증금을 돌려받지 못했어요",
        "중개보수의 한도",
        "등기부의 갑구",
        "대출 한도",
        "how to resume a run",
    ];
    let vectors = HashedEmbedder.embed(&questions.map(String::from)).await.unwrap();
    let titled =
        Filter { category: None, title: Some("주택임대차보호법".into()), ..Filter::default() };
    for (question, vector) in questions.iter().zip(&vectors) {
        for filter in [Filter::default(), titled.clone()] {
            let here = ours.by_vector(vector, &filter, 10).await.unwrap();
            let there = theirs.by_vector(vector, &filter, 10).await.unwrap();
            assert_eq!(here.len(), there.len(), "{question} {filter:?}");
            // A byte for each number here, all of it there: the same but for the last digits.
            for (a, b) in here.iter().zip(&there) {
                assert!((a.score - b.score).abs() < 0.02, "{question}: {a:?} {b:?}");
            }
            let shared = here.iter().filter(|a| there.iter().any(|b| a.id == b.id)).count();
            assert!(shared * 10 >= here.len() * 9, "{question}: {here:?} {there:?}");
        }
    }
}

#[tokio::test]
async fn passages_of_a_time_without_the_extension_are_compared_too() {
    let Some(programs) = with_extension() else {
        eprintln!("\n*** SKIPPED: no PostgreSQL with the extension vector could be installed ***\n");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_of(&programs, folder.path());
    // Only an administrator may make the extension: somebody else goes on without it.
    let (admin, driver) = tokio_postgres::connect(&server.url(), tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(driver);
    for sql in ["CREATE ROLE plain LOGIN", "CREATE DATABASE docs OWNER plain"] {
        admin.batch_execute(sql).await.unwrap();
    }
    let plain = format!("postgres://plain@127.0.0.1:{}/docs", server.port);
    let without = PostgresIndex::open(&plain, HashedEmbedder.name(), lexicon()).await.unwrap();
    assert!(!without.compares_vectors());
    let without = samples(Arc::new(without)).await;
    let vector = HashedEmbedder.embed(&["보증금의 반환".to_owned()]).await.unwrap().remove(0);
    let before = without.by_vector(&vector, &Filter::default(), 5).await.unwrap();

    let docs = format!("postgres://duru@127.0.0.1:{}/docs", server.port);
    let (owner, more) = tokio_postgres::connect(&docs, tokio_postgres::NoTls).await.unwrap();
    let more = tokio::spawn(more);
    owner
        .batch_execute(
            "CREATE SCHEMA kept; CREATE EXTENSION vector SCHEMA kept; GRANT USAGE ON SCHEMA kept TO plain",
        )
        .await
        .unwrap();
    let with = PostgresIndex::open(&plain, HashedEmbedder.name(), lexicon()).await.unwrap();
    assert!(with.compares_vectors());
    let after = with.by_vector(&vector, &Filter::default(), 5).await.unwrap();
    assert_eq!(before.len(), after.len());
    assert_eq!(before[0].id, after[0].id);
    assert!((before[0].score - after[0].score).abs() < 0.02);
    driver.abort();
    more.abort();
}
