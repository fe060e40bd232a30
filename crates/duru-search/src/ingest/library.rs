//! Reading, splitting, embedding and writing.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use duru_llm::Embedder;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::report::{BlankPages, Progress, Report, Skipped};
use super::walk::walk;
use crate::access::{Access, Reach};
use crate::document::{Chunk, DEFAULT_COLLECTION, Document, Names};
use crate::index::{self, Index, Passage, Write};
use crate::meaning::embeds;
use crate::read::{self, Limits, Parsed};
use crate::split::{Origin, split};

/// A change of how files are read or split changes it, so that they are read again.
pub(super) const EDITION: &str = "4";

/// So many passages are written at once: durable piece by piece, and never all in memory.
const BATCH: usize = 4000;

/// So many texts are embedded at once.
const EMBEDDED: usize = 64;

/// Reads one file. The command line gives one that does it in a process of its own.
pub type ReadFile = Arc<dyn Fn(&Path, &Limits) -> Result<Parsed, read::Error> + Send + Sync>;

/// Why an ingest stopped. A bad file does not stop it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Index(#[from] index::Error),
    #[error("a passage could not be embedded: {0}")]
    Embed(#[from] duru_llm::Error),
}

/// What to read, and how.
#[derive(Clone)]
pub struct Ingest {
    pub paths: Vec<PathBuf>,
    pub collection: String,
    pub category: Option<String>,
    pub limits: Limits,
    pub read: ReadFile,
    /// Everything is read and nothing written: the report says what would be.
    pub dry_run: bool,
    /// A folder whose files are known by its last name and theirs: where it lies is not told with them.
    pub within: Option<PathBuf>,
    /// Whose documents they are.
    pub owner: Option<String>,
    /// Whom they are for; where nobody says, as they were before, and shared if they were not there.
    pub access: Option<Access>,
}

impl Ingest {
    /// These files and folders into the usual collection.
    pub fn of(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            paths: paths.into_iter().collect(),
            collection: DEFAULT_COLLECTION.to_owned(),
            category: None,
            limits: Limits::default(),
            read: Arc::new(read::read),
            dry_run: false,
            within: None,
            owner: None,
            access: None,
        }
    }

    /// What a file is known by.
    fn source(&self, path: &Path) -> String {
        let folder = self.within.as_deref().and_then(Path::parent);
        folder
            .and_then(|folder| path.strip_prefix(folder).ok())
            .unwrap_or(path)
            .to_string_lossy()
            .into_owned()
    }
}

/// An index and what embeds its passages.
#[derive(Clone)]
pub struct Library {
    pub(super) index: Arc<dyn Index>,
    embedder: Arc<dyn Embedder>,
}

enum Outcome {
    Unchanged,
    Read { document: Box<Document>, chunks: Vec<Chunk>, known: bool, blank_pages: Vec<u32> },
    Skipped(read::Error),
}

struct FileRead {
    fingerprint: String,
    access: Access,
    chunks: Vec<Chunk>,
    title: String,
    blank_pages: Vec<u32>,
}

impl Library {
    pub fn new(index: Arc<dyn Index>, embedder: Arc<dyn Embedder>) -> Self {
        // What is there already is there whomever it is for.
        Self { index: index.reaching(Reach::Everything), embedder }
    }

    /// Brings the index up to date with files and folders: what is new or changed is read, what is gone from the
    /// folders is removed, what can't be read is reported and, if it was read before, stays as it was.
    pub async fn ingest(
        &self,
        ingest: &Ingest,
        mut progress: impl FnMut(Progress) + Send,
    ) -> Result<Report, Error> {
        let known: HashMap<String, Document> = self
            .index
            .documents(Some(&ingest.collection))
            .await?
            .into_iter()
            .map(|document| (document.id.clone(), document))
            .collect();
        let found = walk(&ingest.paths);
        let mut report = Report::default();
        let skip = |(path, error)| Skipped { path, error };
        report.skipped.extend(found.bad.into_iter().map(skip));
        let mut waiting = Vec::new();
        let mut passages = 0;
        let (mut seen, mut outdated) = (HashSet::new(), HashSet::new());
        let count = found.files.len();
        for (index, path) in found.files.into_iter().enumerate() {
            seen.insert(document_id(&ingest.collection, &ingest.source(&path)));
            if ingest.within.is_some() {
                // As it was known before folders could be left out.
                outdated.insert(document_id(&ingest.collection, &path.to_string_lossy()));
            }
            match self.read(ingest, &known, path.clone()).await {
                Outcome::Unchanged => report.unchanged += 1,
                Outcome::Skipped(error) => report.skipped.push(Skipped { path, error }),
                Outcome::Read { document, chunks, known, blank_pages } => {
                    if !blank_pages.is_empty() {
                        report.blank.push(BlankPages { path, pages: blank_pages });
                    }
                    if known {
                        report.updated += 1
                    } else {
                        report.added += 1
                    }
                    report.passages += chunks.len();
                    if !ingest.dry_run {
                        let embedded = self.embed(chunks, (passages, &document.access)).await?;
                        passages += embedded.len();
                        report.by_words |= embedded.iter().any(|passage| passage.vector.is_empty());
                        waiting.push(Write::Put { document: *document, passages: embedded });
                    }
                }
            }
            if passages >= BATCH {
                self.index.apply(std::mem::take(&mut waiting)).await?;
                passages = 0;
            }
            progress(Progress { done: index + 1, of: count, passages: report.passages });
        }
        for document in known.into_values().filter(|document| !seen.contains(&document.id)) {
            let gone = found.folders.iter().any(|folder| Path::new(&document.source).starts_with(folder));
            if gone || outdated.contains(&document.id) {
                report.removed += usize::from(gone);
                if ingest.dry_run {
                    continue;
                }
                waiting.push(Write::Remove { collection: document.collection, document: document.id });
            }
        }
        if !waiting.is_empty() {
            self.index.apply(waiting).await?;
        }
        Ok(report)
    }

    async fn read(&self, ingest: &Ingest, known: &HashMap<String, Document>, path: PathBuf) -> Outcome {
        let source = ingest.source(&path);
        let id = document_id(&ingest.collection, &source);
        let before = known.get(&id).map(|document| document.fingerprint.clone());
        let is_known = before.is_some();
        let as_before = known.get(&id).map(|document| document.access.clone()).unwrap_or_default();
        let access = ingest.access.clone().unwrap_or(as_before);
        let work = ingest.clone();
        // A reader that hangs keeps its thread, but nobody waits for it; the command line's ends with its process.
        let reading = tokio::task::spawn_blocking(move || -> Result<Option<FileRead>, read::Error> {
            let fingerprint = fingerprint(&path, &work, &access)?;
            if before.as_ref() == Some(&fingerprint) {
                return Ok(None);
            }
            let mut parsed = (work.read)(&path, &work.limits)?;
            let blank_pages = std::mem::take(&mut parsed.blank_pages);
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let title = parsed.title.clone().unwrap_or_else(|| name.clone());
            let source = work.source(&path);
            let document = document_id(&work.collection, &source);
            let origin = Origin {
                document: &document,
                collection: &work.collection,
                source: &source,
                title: &name,
                category: work.category.as_deref(),
            };
            let mut chunks = split(parsed, origin);
            if !access.is_shared() {
                // A record has whatever id its file gives it; nobody's own takes the place of what is shared.
                let others = chunks.iter_mut().filter(|chunk| !chunk.id.starts_with(&document));
                others.for_each(|chunk| chunk.id = format!("{document}:{}", chunk.id));
            }
            let title = chunks.first().map_or(title, |chunk| chunk.title.clone());
            Ok(Some(FileRead { fingerprint, access, chunks, title, blank_pages }))
        });
        match tokio::time::timeout(ingest.limits.time, reading).await {
            Err(_) => Outcome::Skipped(read::Error::TooSlow(ingest.limits.time)),
            Ok(Err(_)) => Outcome::Skipped(read::Error::Damaged("its reader panicked".to_owned())),
            Ok(Ok(Err(error))) => Outcome::Skipped(error),
            Ok(Ok(Ok(None))) => Outcome::Unchanged,
            Ok(Ok(Ok(Some(file)))) if file.chunks.is_empty() => Outcome::Skipped(read::Error::Empty),
            Ok(Ok(Ok(Some(FileRead { fingerprint, access, chunks, title, blank_pages })))) => {
                let collection = ingest.collection.clone();
                let (owner, count) = (ingest.owner.clone(), chunks.len());
                let names = Names::of(&title, &source, &chunks);
                let document = Document {
                    id,
                    collection,
                    source,
                    title,
                    fingerprint,
                    chunks: count,
                    owner,
                    access,
                    names,
                };
                Outcome::Read { document: Box::new(document), chunks, known: is_known, blank_pages }
            }
        }
    }

    /// Passages of a document for these people with their vectors; so many others wait to be written.
    pub(super) async fn embed(
        &self,
        chunks: Vec<Chunk>,
        (waiting, access): (usize, &Access),
    ) -> Result<Vec<Passage>, Error> {
        let embeds = self.embeds(waiting + chunks.len(), access).await?;
        self.with_vectors(chunks, embeds).await
    }

    /// Whether passages for these people get vectors, where so many come to those that they reach. What somebody keeps
    /// for themselves takes the vectors from nobody else's.
    pub(super) async fn embeds(&self, more: usize, access: &Access) -> Result<bool, Error> {
        let (kept, _) = self.index.reaching(Reach::of_access(access)).frequencies(&[]).await?;
        Ok(embeds(&*self.embedder, kept + more as u64))
    }

    /// Passages with their vectors, or with none.
    pub(super) async fn with_vectors(&self, chunks: Vec<Chunk>, embeds: bool) -> Result<Vec<Passage>, Error> {
        let mut passages = Vec::with_capacity(chunks.len());
        for batch in chunks.chunks(EMBEDDED) {
            let texts: Vec<String> = batch.iter().map(embedded_text).collect();
            let vectors =
                if embeds { self.embedder.embed(&texts).await? } else { vec![Vec::new(); texts.len()] };
            passages
                .extend(batch.iter().cloned().zip(vectors).map(|(chunk, vector)| Passage { chunk, vector }));
        }
        Ok(passages)
    }
}

/// What a passage is about stands in its headings as often as in itself.
fn embedded_text(chunk: &Chunk) -> String {
    format!("{} {} {} {}", chunk.title, chunk.headings.join(" "), chunk.name, chunk.text)
}

pub(super) fn document_id(collection: &str, source: &str) -> String {
    format!("{:016x}", xxh3_64(format!("{collection}\u{1f}{source}").as_bytes()))
}

/// Of the file's bytes and of everything else that its passages depend on.
fn fingerprint(path: &Path, ingest: &Ingest, access: &Access) -> Result<String, read::Error> {
    let open = |source| read::Error::Open { path: path.to_owned(), source };
    let size = fs::metadata(path).map_err(open)?.len();
    if size > ingest.limits.size {
        return Err(read::Error::TooLarge { size, limit: ingest.limits.size });
    }
    let mut hash = Xxh3::new();
    hash.update(EDITION.as_bytes());
    hash.update(ingest.category.as_deref().unwrap_or_default().as_bytes());
    // Nothing for what is shared, as it was before anything else could be.
    hash.update(access.label().as_bytes());
    hash.update(&fs::read(path).map_err(open)?);
    Ok(format!("{:032x}", hash.digest128()))
}
