//! Files into a store: Parquet by its own reader, all others as text.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use duru_sql::ingest::{Error, Ingest, Progress, Settings, Summary, read_batch};
use duru_sql::{Batch, LogStore};
use tokio::sync::mpsc;

/// Pieces of a file that wait for the store.
const WAITING: usize = 2;

/// So many bad rows are listed; all are counted.
const LISTED: usize = 100;

/// Takes in one file after the other. Without a store, everything is read and checked, and nothing kept.
///
/// # Errors
/// Of the file that can't be read, or of the store; what was kept until then stays kept.
pub(super) async fn files(
    store: Option<Arc<dyn LogStore>>,
    settings: Arc<Settings>,
    files: &[PathBuf],
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Summary, (PathBuf, Error)> {
    let mut all = Summary::default();
    let mut before = 0;
    for file in files {
        let failed = |error: Error| (file.clone(), error);
        let size = std::fs::metadata(file).map_err(|error| failed(error.into()))?.len();
        let told = Summary { listed: Vec::new(), detected: Vec::new(), ..all.clone() };
        let mut show = |now: Progress| {
            progress(Progress {
                bytes: before + now.bytes,
                rows: told.kept + now.rows,
                bad: told.bad + now.bad,
            });
        };
        let one = if duru_logs::is_parquet(file).map_err(|error| failed(error.into()))? {
            let done = parquet(store.as_deref(), &settings, file, &mut show).await;
            done.map_err(failed)?
        } else {
            let ingest = Ingest { store: store.clone(), settings: Arc::clone(&settings), format: None };
            ingest.files(std::slice::from_ref(file), &mut show).await?
        };
        before += size;
        all.files += 1;
        all.kept += one.kept;
        all.again += one.again;
        all.bad += one.bad;
        let room = LISTED.saturating_sub(all.detected.len());
        all.detected.extend(one.detected.into_iter().take(room));
        let room = LISTED.saturating_sub(all.listed.len());
        all.listed.extend(one.listed.into_iter().take(room));
    }
    Ok(all)
}

async fn parquet(
    store: Option<&dyn LogStore>,
    settings: &Arc<Settings>,
    file: &Path,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Summary, Error> {
    let (sender, mut pieces) = mpsc::channel(WAITING);
    let (path, settings) = (file.to_owned(), Arc::clone(settings));
    let reading = tokio::task::spawn_blocking(move || {
        let mut failed = None;
        let read = duru_logs::parquet_lines(&path, |lines| {
            match read_batch(&lines, Some("application/x-ndjson"), None, &settings) {
                Ok(parsed) => match sender.blocking_send(parsed) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                },
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        failed.map_or(read.map_err(Error::Store), Err)
    });
    let (mut summary, mut rows, mut kept) = (Summary::default(), 0, Ok(()));
    while let Some(piece) = pieces.recv().await {
        let count = (piece.records.len() + piece.bad.len()) as u64;
        summary.bad += piece.bad.len() as u64;
        let room = LISTED.saturating_sub(summary.listed.len());
        let listed = piece.bad.into_iter().take(room).map(|mut bad| {
            bad.row += rows;
            (file.to_owned(), bad)
        });
        summary.listed.extend(listed);
        rows += count;
        let (records, many) = (piece.records.len() as u64, piece.records);
        match store.filter(|_| records > 0) {
            None => summary.kept += records,
            Some(store) => {
                // The same rows at the same place are the same batch.
                let key = format!("parquet:{:032x}:{rows}", piece.digest);
                match store.append(Batch { key: Some(key), records: many }).await {
                    Ok(receipt) => {
                        summary.kept += receipt.kept;
                        summary.again += if receipt.again { receipt.kept } else { 0 };
                    }
                    Err(error) => {
                        kept = Err(Error::Store(error));
                        break;
                    }
                }
            }
        }
        progress(Progress { bytes: 0, rows: summary.kept, bad: summary.bad });
    }
    // Nobody takes more: the reader stops.
    drop(pieces);
    let done = reading.await.unwrap_or_else(|error| Err(Error::Io(std::io::Error::other(error))));
    kept.and(done).map(|()| summary)
}
