//! Opening, and making anew what an older program or another lexicon made.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use tantivy::directory::MmapDirectory;
use tantivy::{IndexReader, IndexSettings, ReloadPolicy};

use super::fields::{FORMAT, Fields};
use super::{EmbeddedIndex, Error, Inner, engine, vectors};
use crate::access::Reach;
use crate::index::seam::{Write, has_no_meaning};
use crate::text::Lexicon;

const MARK: &str = "format.json";

/// What the folder holds, and in which of its folders.
#[derive(Debug, Serialize, Deserialize)]
struct Mark {
    format: u32,
    embedder: String,
    /// Terms depend on the nouns that compounds come apart by.
    lexicon: u64,
    folder: String,
}

impl EmbeddedIndex {
    /// Opens the index in a folder, or makes one. An index of an older format, or of another lexicon, is made anew
    /// from what it holds.
    pub fn open(folder: &Path, embedder: &str, lexicon: Lexicon) -> Result<Self, Error> {
        let at = |source| Error::Folder { folder: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(at)?;
        let mark = match fs::read(folder.join(MARK)) {
            Ok(bytes) => Some(serde_json::from_slice::<Mark>(&bytes)?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(at(error)),
        };
        let Some(mark) = mark else {
            let index = Self::in_folder(&folder.join("words-1"), lexicon)?;
            write_mark(folder, embedder, &index.inner.lexicon, "words-1")?;
            return Ok(index);
        };
        if mark.format > FORMAT {
            return Err(Error::Newer { folder: folder.to_owned(), format: mark.format });
        }
        let without_meaning = has_no_meaning(&mark.embedder, embedder);
        if mark.embedder != embedder && !without_meaning {
            return Err(Error::OtherEmbedder { ours: embedder.to_owned(), theirs: mark.embedder });
        }
        if mark.format == FORMAT && mark.lexicon == lexicon.fingerprint() && !without_meaning {
            return Self::in_folder(&folder.join(&mark.folder), lexicon);
        }
        let number: u64 = mark.folder.trim_start_matches("words-").parse().unwrap_or(0);
        let next = format!("words-{}", number + 1);
        // What an attempt that was cut off left behind is worth nothing: the mark never named it.
        match fs::remove_dir_all(folder.join(&next)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(at(error)),
            _ => {}
        }
        let old = folder.join(&mark.folder);
        let index = Self::in_folder(&folder.join(&next), lexicon)?;
        let mut writes = super::read::everything(&old)?;
        if without_meaning {
            writes.iter_mut().for_each(Write::forget_vectors);
        }
        index.inner.apply(writes)?;
        write_mark(folder, embedder, &index.inner.lexicon, &next)?;
        // Somebody may still read it; then it stays until next time, and is in nobody's way.
        let _ = fs::remove_dir_all(old);
        Ok(index)
    }

    /// An index that is gone when the program ends.
    pub fn in_memory(lexicon: Lexicon) -> Result<Self, Error> {
        let (schema, fields) = Fields::schema();
        let index = tantivy::Index::create_in_ram(schema);
        let reader = reader(&index, ReloadPolicy::Manual)?;
        Ok(Self::of(PathBuf::from("memory"), index, reader, (fields, lexicon)))
    }

    fn in_folder(folder: &Path, lexicon: Lexicon) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|source| Error::Folder { folder: folder.to_owned(), source })?;
        let (schema, fields) = Fields::schema();
        let directory = MmapDirectory::open(folder).map_err(engine)?;
        let index = tantivy::Index::builder()
            .schema(schema)
            .settings(IndexSettings::default())
            .open_or_create(directory)
            .map_err(engine)?;
        // Other processes may write; their commits are seen soon.
        let reader = reader(&index, ReloadPolicy::OnCommitWithDelay)?;
        Ok(Self::of(folder.to_owned(), index, reader, (fields, lexicon)))
    }

    fn of(folder: PathBuf, index: tantivy::Index, reader: IndexReader, terms: (Fields, Lexicon)) -> Self {
        let (fields, lexicon) = terms;
        let vectors = Mutex::new(vectors::Cache::default());
        let writing = Mutex::new(());
        let inner = Inner { folder, index, reader, fields, lexicon, vectors, writing };
        Self { inner: Arc::new(inner), reach: Reach::Shared }
    }
}

fn reader(index: &tantivy::Index, policy: ReloadPolicy) -> Result<IndexReader, Error> {
    index.reader_builder().reload_policy(policy).try_into().map_err(engine)
}

/// Durable before it has its name, so that a crash leaves the old mark or the new one.
fn write_mark(folder: &Path, embedder: &str, lexicon: &Lexicon, name: &str) -> Result<(), Error> {
    let at = |source| Error::Folder { folder: folder.to_owned(), source };
    let mark = Mark {
        format: FORMAT,
        embedder: embedder.to_owned(),
        lexicon: lexicon.fingerprint(),
        folder: name.to_owned(),
    };
    let fresh = folder.join("format.json.new");
    let mut file = fs::File::create(&fresh).map_err(at)?;
    file.write_all(&serde_json::to_vec(&mark)?).and_then(|()| file.sync_all()).map_err(at)?;
    fs::rename(fresh, folder.join(MARK)).map_err(at)
}
