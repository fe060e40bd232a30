//! What an index keeps, and when it is made anew.

use std::sync::Arc;

use duru_llm::{Embedder as _, WordsOnly};
use duru_search::index::{EmbeddedIndex, Error, Filter, Index as _};
use duru_search::ingest::Library;
use duru_search::meaning::Bundled;
use duru_search::remark::{self, NewRemark, RemarksOf};
use duru_search::text::Thesaurus;
use duru_search::{Verdict, browse};

use crate::desk::{Desk, open};

const NOTE: &str = "# 안내\n\n## 보증금\n\n임대인은 보증금을 돌려준다.\n\n## 관리비\n\n관리비는 매달 낸다.\n";

#[tokio::test]
async fn what_was_written_is_there_after_opening_again() {
    let desk = Desk::new();
    desk.write("a.md", NOTE);
    assert_eq!(desk.ingest().await.passages, 2);
    let again = open(&desk.folder.path().join("index"), &Thesaurus::built_in());
    let documents = again.documents(None).await.unwrap();
    assert_eq!((documents.len(), documents[0].title.as_str()), (1, "안내"));
    let names: Vec<String> =
        again.passages(&documents[0].id).await.unwrap().into_iter().map(|chunk| chunk.name).collect();
    assert_eq!(names, ["보증금", "관리비"]);
}

#[tokio::test]
async fn another_lexicon_makes_the_index_anew_and_loses_nothing() {
    let desk = Desk::new();
    desk.write("a.md", NOTE);
    desk.ingest().await;
    let folder = desk.folder.path().join("index");
    let before = desk.index.documents(None).await.unwrap();
    let chunk = desk.index.passages(&before[0].id).await.unwrap().remove(0);
    let new = NewRemark { verdict: Verdict::Good, text: "맞다", author: "kim", at_ms: 1 };
    let said = remark::say(&*desk.index, &chunk.id, new).await.unwrap();
    drop(desk.index);

    let mut thesaurus = Thesaurus::built_in();
    thesaurus.extend("새말\t새용어").unwrap();
    let again = open(&folder, &thesaurus);
    assert_eq!(again.documents(None).await.unwrap(), before);
    let found = again.chunks(std::slice::from_ref(&chunk.id)).await.unwrap();
    assert_eq!(found, [chunk]);
    assert_eq!(again.remarks(&RemarksOf::Everybody).await.unwrap(), [said]);
    assert!(folder.join("words-2").exists() && !folder.join("words-1").exists());
}

#[tokio::test]
async fn an_index_of_another_embedder_or_a_newer_program_is_refused() {
    let desk = Desk::new();
    let folder = desk.folder.path().join("index");
    let lexicon = || Thesaurus::built_in().lexicon().clone();
    let error = EmbeddedIndex::open(&folder, "other", lexicon()).err().unwrap();
    assert!(matches!(error, Error::OtherEmbedder { .. }), "{error}");
    let mark = std::fs::read_to_string(folder.join("format.json")).unwrap();
    std::fs::write(folder.join("format.json"), mark.replace("\"format\":4", "\"format\":99")).unwrap();
    let error = EmbeddedIndex::open(&folder, "hashed-ngrams-1", lexicon()).err().unwrap();
    assert!(matches!(error, Error::Newer { format: 99, .. }), "{error}");
}

#[tokio::test]
async fn an_index_of_an_earlier_encoder_is_embedded_again() {
    let desk = Desk::new();
    desk.write("a.md", NOTE);
    desk.ingest().await;
    let folder = desk.folder.path().join("index");
    let mark = std::fs::read_to_string(folder.join("format.json")).unwrap();
    let marked = mark.replace(WordsOnly::NAME, duru_meaning::EARLIER[0]);
    assert_ne!(marked, mark);
    std::fs::write(folder.join("format.json"), marked).unwrap();
    let before = desk.index.documents(None).await.unwrap();

    let lexicon = || Thesaurus::built_in().lexicon().clone();
    let index = Arc::new(EmbeddedIndex::open(&folder, Bundled.name(), lexicon()).unwrap());
    let question = Bundled.embed(&["전세금 반환".to_owned()]).await.unwrap().remove(0);
    let near = async || index.by_vector(&question, &Filter::default(), 5).await.unwrap();
    assert_eq!((near().await.len(), index.documents(None).await.unwrap().len()), (0, 1));
    let library = Library::new(index.clone(), Arc::new(Bundled));
    let mut told = Vec::new();
    assert_eq!(library.embed_again(|progress| told.push((progress.done, progress.of))).await.unwrap(), 2);
    assert_eq!(told, [(1, 1)]);
    assert_eq!(near().await.len(), 2);
    assert_eq!(index.documents(None).await.unwrap(), before);
    assert_eq!(library.embed_again(|_| {}).await.unwrap(), 0, "once is enough");
}

#[tokio::test]
async fn a_passage_is_shown_with_its_neighbours() {
    let desk = Desk::new();
    desk.write("a.md", "# 안내\n\n## 하나\n\n첫째.\n\n## 둘\n\n둘째.\n\n## 셋\n\n셋째.\n");
    desk.ingest().await;
    let document = desk.index.documents(None).await.unwrap().remove(0);
    let ids: Vec<String> =
        desk.index.passages(&document.id).await.unwrap().into_iter().map(|chunk| chunk.id).collect();
    let place = browse::place(&*desk.index, &ids[1], 1).await.unwrap().unwrap();
    assert_eq!((place.before[0].id.as_str(), place.after[0].id.as_str()), (ids[0].as_str(), ids[2].as_str()));
    let first = browse::place(&*desk.index, &ids[0], 5).await.unwrap().unwrap();
    assert_eq!((first.before.len(), first.after.len(), first.document), (0, 2, document));
    assert!(browse::place(&*desk.index, "nobody", 1).await.unwrap().is_none());
    let collections = browse::collections(&*desk.index).await.unwrap();
    assert_eq!((collections[0].documents, collections[0].passages), (1, 3));
}

/// `data/index-format-2` was written by the program before: one statute, and a note of the person at the machine that
/// then stood in the place of the text, for everybody.
#[tokio::test]
async fn an_index_of_the_format_before_opens_and_its_remarks_are_their_authors_alone() {
    let folder = tempfile::tempdir().unwrap();
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/index-format-2");
    for part in ["", "words-1"] {
        std::fs::create_dir_all(folder.path().join(part)).unwrap();
        for file in std::fs::read_dir(kept.join(part)).unwrap().flatten() {
            if file.file_type().unwrap().is_file() {
                std::fs::copy(file.path(), folder.path().join(part).join(file.file_name())).unwrap();
            }
        }
    }
    let index = open(folder.path(), &Thesaurus::built_in());
    let documents = index.documents(None).await.unwrap();
    assert_eq!((documents.len(), documents[0].chunks, documents[0].owner.as_ref()), (1, 2, None));
    let said = index.remarks(&RemarksOf::Everybody).await.unwrap();
    assert_eq!((said.len(), said[0].author.as_str()), (1, "local"));
    assert_eq!((said[0].verdict, said[0].text.as_str()), (Verdict::Note, "증액은 100분의 20까지 된다."));
    let passage = index.chunks(&[said[0].chunk.clone()]).await.unwrap().remove(0);
    assert!(said[0].counts_for(Some("local"), &passage) && !said[0].counts_for(Some("kim"), &passage));
    assert!(!said[0].is_accepted());
}
