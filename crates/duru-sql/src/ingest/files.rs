//! Files and folders into a store: in chunks, with bounded memory, and so that
//! doing it again keeps nothing twice.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use tokio::sync::mpsc;
use xxhash_rust::xxh3::Xxh3;

use super::bad::Bad;
use super::body::Parsed;
use super::detect::{Detected, Format, Hints, SAMPLE_BYTES, detect};
use super::mapping::{Error, Settings};
use super::preview::{self, Preview};
use super::rows::Rows;
use super::time::TimeContext;
use crate::Record;
use crate::store::{Batch, LogStore};

/// Rows of one batch.
const CHUNK: usize = 1_000;

/// Chunks that wait for the store.
const WAITING: usize = 2;

/// So many bad rows are listed; all are counted.
const LISTED: usize = 100;

/// What folders are searched for.
const ENDINGS: [&str; 8] = ["json", "jsonl", "ndjson", "log", "csv", "txt", "out", "parquet"];

/// The files that were found, and how large they are together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub files: Vec<PathBuf>,
    pub bytes: u64,
}

/// The files that these paths name: themselves, or what is in folders below
/// them, in a fixed order.
///
/// # Errors
/// If one does not exist or can't be read.
pub fn find(paths: &[PathBuf]) -> io::Result<Found> {
    let mut found = Found { files: Vec::new(), bytes: 0 };
    for path in paths {
        if std::fs::metadata(path)?.is_dir() {
            walk(path, &mut found)?;
        } else {
            found.bytes += std::fs::metadata(path)?.len();
            found.files.push(path.clone());
        }
    }
    Ok(found)
}

fn walk(folder: &Path, found: &mut Found) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().to_lowercase();
        // A link may lead out of the folder, or around in a circle.
        let kind = entry.file_type()?;
        if name.starts_with('.') || kind.is_symlink() {
            continue;
        }
        if kind.is_dir() {
            walk(&entry.path(), found)?;
        } else {
            let plain = name.strip_suffix(".gz").unwrap_or(&name);
            let named = plain.split('.').skip(1).any(|part| ENDINGS.contains(&part));
            // `access_log`, `syslog` and `messages` have no ending.
            if named || (!plain.contains('.') && (plain.contains("log") || plain == "messages")) {
                found.bytes += entry.metadata()?.len();
                found.files.push(entry.path());
            }
        }
    }
    Ok(())
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    pub files: u64,
    /// Rows that are kept, those of earlier times included.
    pub kept: u64,
    /// Of those, rows that had been kept before.
    pub again: u64,
    pub bad: u64,
    /// The first bad rows, by file.
    pub listed: Vec<(PathBuf, Bad)>,
    /// What the first files were read as.
    pub detected: Vec<(PathBuf, Detected)>,
}

/// How far it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Of all files so far, as they lie on the disk.
    pub bytes: u64,
    pub rows: u64,
    pub bad: u64,
}

/// Puts files into a store.
#[derive(Clone)]
pub struct Ingest {
    /// None: everything is read and checked, nothing is kept.
    pub store: Option<Arc<dyn LogStore>>,
    pub settings: Arc<Settings>,
    /// None: each file's is found out.
    pub format: Option<Format>,
}

struct Chunk {
    parsed: Parsed,
    key: String,
}

/// A source that is open, and how to read it.
struct Opened {
    input: Box<dyn BufRead + Send>,
    detected: Detected,
    times: TimeContext,
}

impl Ingest {
    /// One file after the other. A chunk is acknowledged by the store before
    /// the next but two is read.
    ///
    /// # Errors
    /// If a file can't be read or the store fails; what was kept until then stays kept.
    pub async fn files(
        &self,
        files: &[PathBuf],
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Summary, (PathBuf, Error)> {
        let mut summary = Summary::default();
        let read = Arc::new(AtomicU64::new(0));
        for path in files {
            self.file(path, &read, &mut summary, progress).await.map_err(|error| (path.clone(), error))?;
            summary.files += 1;
        }
        Ok(summary)
    }

    async fn file(
        &self,
        path: &Path,
        read: &Arc<AtomicU64>,
        summary: &mut Summary,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<(), Error> {
        let (sender, mut chunks) = mpsc::channel(WAITING);
        let (settings, format) = (Arc::clone(&self.settings), self.format);
        let (owned, counter) = (path.to_owned(), Arc::clone(read));
        let reading =
            tokio::task::spawn_blocking(move || read_file(&owned, format, &settings, &counter, &sender));
        let mut kept = Ok(());
        while let Some(chunk) = chunks.recv().await {
            kept = self.chunk(path, chunk, summary).await;
            if kept.is_err() {
                break;
            }
            progress(Progress { bytes: read.load(Ordering::Relaxed), rows: summary.kept, bad: summary.bad });
        }
        // Nobody takes more: the reader stops.
        drop(chunks);
        let done = reading.await.unwrap_or_else(|error| Err(Error::Io(io::Error::other(error))));
        kept.and(done)
    }

    async fn chunk(&self, path: &Path, chunk: Chunk, summary: &mut Summary) -> Result<(), Error> {
        let Parsed { records, bad, detected, .. } = chunk.parsed;
        summary.bad += bad.len() as u64;
        if let Some(detected) = detected.filter(|_| summary.detected.len() < LISTED) {
            summary.detected.push((path.to_owned(), detected));
        }
        let room = LISTED.saturating_sub(summary.listed.len());
        summary.listed.extend(bad.into_iter().take(room).map(|bad| (path.to_owned(), bad)));
        let rows = records.len() as u64;
        let Some(store) = self.store.as_ref().filter(|_| rows > 0) else {
            summary.kept += rows;
            return Ok(());
        };
        let receipt = store.append(Batch { key: Some(chunk.key), records }).await?;
        summary.kept += receipt.kept;
        if receipt.again {
            summary.again += receipt.kept;
        }
        Ok(())
    }
}

fn read_file(
    path: &Path,
    format: Option<Format>,
    settings: &Settings,
    counter: &Arc<AtomicU64>,
    chunks: &mpsc::Sender<Chunk>,
) -> Result<(), Error> {
    let Opened { input, detected, times } = opened(path, format, settings, counter)?;
    let mut rows = Rows::new(input, detected.format, settings)?;
    for index in 0_u64.. {
        let mut parsed = Parsed { detected: (index == 0).then_some(detected), ..Parsed::default() };
        // The same rows at the same place, read in the same way, are the same chunk.
        let mut key = Xxh3::new();
        key.update(&settings.fingerprint.to_le_bytes());
        key.update(&index.to_le_bytes());
        let mut failed = None;
        while parsed.records.len() + parsed.bad.len() < CHUNK {
            match rows.next() {
                Ok(Some(raw)) => {
                    key.update(&raw.hash.to_le_bytes());
                    parsed.add(raw, settings, &times);
                }
                Ok(None) => break,
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        let count = parsed.records.len() + parsed.bad.len();
        let key = format!("rows:{:032x}", key.digest128());
        if count > 0 && chunks.blocking_send(Chunk { parsed, key }).is_err() {
            return Ok(());
        }
        match failed {
            Some(Error::Io(error)) => return Err(expansion(error)),
            Some(error) => return Err(error),
            None if count < CHUNK => return Ok(()),
            None => {}
        }
    }
    Ok(())
}

/// Opens a file, looks at its beginning, and goes back to it.
fn opened(
    path: &Path,
    format: Option<Format>,
    settings: &Settings,
    counter: &Arc<AtomicU64>,
) -> Result<Opened, Error> {
    let mut input = open(path, settings, counter)?;
    let (mut sample, mut failed) = (Vec::new(), None);
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            // What came before is kept, so it is told in its turn.
            Err(error) => {
                failed = Some(error);
                break;
            }
        };
        let count = buffer.len().min(SAMPLE_BYTES - sample.len());
        if count == 0 {
            break;
        }
        sample.extend_from_slice(&buffer[..count]);
        input.consume(count);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let written = std::fs::metadata(path)?.modified()?;
    let mut times = settings.times(jiff::Timestamp::try_from(written).ok());
    let hints = Hints { name: &name, format, whole: sample.len() < SAMPLE_BYTES };
    let detected = detect(&sample, hints, settings, &mut times)?;
    let input: Box<dyn BufRead + Send> = match failed {
        None => Box::new(Cursor::new(sample).chain(input)),
        Some(error) => Box::new(Cursor::new(sample).chain(BufReader::new(Failed(Some(error))))),
    };
    Ok(Opened { input, detected, times })
}

/// How a file would be read: what it is, which fields become which columns, and its first rows.
///
/// # Errors
/// If it can't be read, or nothing explains it.
pub fn preview(path: &Path, settings: &Settings, rows: usize) -> Result<Preview, Error> {
    let Opened { input, detected, times } = opened(path, None, settings, &Arc::default())?;
    preview::look(input, detected, &times, settings, rows)
}

fn open(
    path: &Path,
    settings: &Settings,
    counter: &Arc<AtomicU64>,
) -> Result<Box<dyn BufRead + Send + 'static>, Error> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let counted = Counted { inner: file, counter: Arc::clone(counter) };
    let mut input = BufReader::with_capacity(128 << 10, counted);
    if !input.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        return Ok(Box::new(input));
    }
    let limit = size.saturating_mul(settings.expansion).max(settings.body_bytes as u64);
    let expanded = Limited { inner: MultiGzDecoder::new(input), limit, left: limit };
    Ok(Box::new(BufReader::with_capacity(128 << 10, expanded)))
}

fn expansion(error: io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::FileTooLarge => {
            let limit = error.get_ref().and_then(|inner| inner.to_string().parse().ok()).unwrap_or_default();
            Error::TooLarge { limit }
        }
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            Error::Damaged
        }
        _ => Error::Io(error),
    }
}

/// Counts what is read, for those who watch.
struct Counted<R> {
    inner: R,
    counter: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.counter.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Fails, once.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Ends what expands without end.
struct Limited<R> {
    inner: R,
    limit: u64,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::new(io::ErrorKind::FileTooLarge, self.limit.to_string())),
        }
        Ok(count)
    }
}

/// Puts records of any source into a store, in chunks.
///
/// # Errors
/// Of the store.
pub async fn records(
    store: &dyn LogStore,
    mut records: impl Iterator<Item = Record> + Send,
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<u64, crate::Error> {
    let mut kept = 0;
    loop {
        let batch: Vec<Record> = records.by_ref().take(CHUNK).collect();
        if batch.is_empty() {
            return Ok(kept);
        }
        kept += store.append(Batch { key: None, records: batch }).await?.kept;
        progress(kept);
    }
}
