//! Searching documents: our index in a folder, and SQLite's full text for the same passages as the floor.

mod corpus;
mod fts;

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result};
use duru_llm::{Embedder, WordsOnly};
use duru_search::index::{EmbeddedIndex, Index, Passage, Write};
use duru_search::retrieve::{Request, Searcher};
use duru_search::text::Thesaurus;
use duru_search::{Chunk, Document, Names};
use serde_json::json;

use crate::args::{Args, Impl};
use crate::floor;
use crate::measure::{Watch, memory_mib};
use crate::report::{Report, round};
use crate::store::Folder;

/// So many passages has a document.
const ARTICLES: usize = 40;

/// So many passages are written at once, as `duru docs ingest` does.
const BATCH: usize = 4000;

const QUESTIONS: usize = 60;

/// What both sides report.
struct Measured {
    /// Milliseconds per way that a question is put.
    samples: Vec<f64>,
    /// Milliseconds that somebody waits for a question, all ways together; none where it is put in one way.
    waits: Vec<f64>,
    /// How much the index takes on the disk.
    index_mib: Option<f64>,
    chunks_per_s: f64,
    cpu_ms: f64,
    ways: f64,
}

pub(crate) fn run(args: &Args) -> Result<Report> {
    let chunks = args.get("chunks", 100_000usize)?;
    // The window is not ours: each question is measured once.
    args.window()?;
    let implementation = args.implementation()?;
    let measured = match implementation {
        Impl::Duru => {
            let runtime = floor::runtime(args)?;
            runtime.block_on(ours(chunks))?
        }
        Impl::Floor => fts::measure(chunks)?,
    };
    Ok(Report {
        bench: "search",
        implementation: if implementation == Impl::Duru { "duru" } else { "sqlite-fts5" },
        unit: "ms/variation",
        samples: measured.samples,
        extra: vec![
            ("cpu_ms_per_variation", json!(round(measured.cpu_ms))),
            ("chunks_per_s", json!(measured.chunks_per_s.round())),
            ("ways_per_question", json!(round(measured.ways))),
            ("wait_p50_ms", json!(part(&measured.waits, 0.5).map(round))),
            ("wait_p99_ms", json!(part(&measured.waits, 0.99).map(round))),
            ("index_mib", json!(measured.index_mib.map(round))),
            ("peak_rss_mib", json!(memory_mib("VmHWM").map(f64::round))),
        ],
    })
}

/// Writes the passages and the questions for others to read: `search-corpus chunks=N file=PATH`.
pub(crate) fn corpus(args: &Args) -> Result<()> {
    use std::io::Write as _;
    let chunks = args.get("chunks", 100_000usize)?;
    let file = args.text("file", "");
    let mut out =
        std::io::BufWriter::new(std::fs::File::create(file).with_context(|| format!("file={file}"))?);
    for chunk in documents(chunks).flatten() {
        writeln!(out, "{}", json!({ "id": chunk.id, "text": format!("{} {}", chunk.title, chunk.text) }))?;
    }
    for question in corpus::questions(QUESTIONS) {
        writeln!(out, "{}", json!({ "question": question }))?;
    }
    out.flush()?;
    Ok(())
}

fn documents(chunks: usize) -> impl Iterator<Item = Vec<Chunk>> {
    (0..chunks.div_ceil(ARTICLES)).map(|number| corpus::document(number, ARTICLES))
}

async fn ours(chunks: usize) -> Result<Measured> {
    let folder = Folder::new()?;
    let thesaurus = Arc::new(Thesaurus::built_in());
    let embedder: Arc<dyn Embedder> = Arc::new(WordsOnly);
    let index = EmbeddedIndex::open(folder.path(), embedder.name(), thesaurus.lexicon().clone())?;
    let began = Instant::now();
    let mut waiting = Vec::new();
    let (mut held, mut written) = (0, 0);
    for parts in documents(chunks) {
        held += parts.len();
        waiting.push(put(parts, &*embedder).await?);
        if held >= BATCH {
            index.apply(std::mem::take(&mut waiting)).await?;
            written += held;
            held = 0;
        }
    }
    written += held;
    index.apply(waiting).await?;
    let chunks_per_s = written as f64 / began.elapsed().as_secs_f64();
    let searcher = Searcher::new(Arc::new(index), embedder, thesaurus);
    let questions = corpus::questions(QUESTIONS);
    // The first reads the files' beginnings.
    searcher.search(&Request::new(&questions[0])).await?;
    let (mut samples, mut waits, mut ways) = (Vec::new(), Vec::new(), 0);
    let watch = Watch::start();
    for question in &questions {
        let began = Instant::now();
        let found = searcher.search(&Request::new(question)).await?;
        anyhow::ensure!(!found.hits.is_empty(), "nothing was found for {question}");
        let count = found.trace.variations.len();
        let wait = began.elapsed().as_secs_f64() * 1e3;
        waits.push(wait);
        samples.push(wait / count as f64);
        ways += count;
    }
    let cpu_ms = watch.lap().cpu.as_secs_f64() * 1e3 / ways as f64;
    let index_mib = Some(size(folder.path())? as f64 / f64::from(1 << 20));
    Ok(Measured { samples, waits, index_mib, chunks_per_s, cpu_ms, ways: ways as f64 / QUESTIONS as f64 })
}

/// What so many of the samples are at most.
fn part(samples: &[f64], part: f64) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get((sorted.len().saturating_sub(1) as f64 * part).round() as usize).copied()
}

/// Of all files below a folder, in bytes.
fn size(folder: &std::path::Path) -> Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}

async fn put(chunks: Vec<Chunk>, embedder: &dyn Embedder) -> Result<Write> {
    let texts: Vec<String> =
        chunks.iter().map(|chunk| format!("{} {} {}", chunk.title, chunk.name, chunk.text)).collect();
    let vectors = embedder.embed(&texts).await?;
    let first = chunks.first().cloned().unwrap_or_default();
    let document = Document {
        id: first.document,
        collection: first.collection,
        source: first.source,
        title: first.title,
        fingerprint: String::new(),
        chunks: chunks.len(),
        owner: None,
        access: duru_search::Access::Shared,
        names: Names::default(),
    };
    let passages = chunks.into_iter().zip(vectors).map(|(chunk, vector)| Passage { chunk, vector }).collect();
    Ok(Write::Put { document, passages })
}
