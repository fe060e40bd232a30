//! Which lines were made for somebody who had none: a note beside them says how many.

use std::fs;
use std::path::PathBuf;

use super::open::{open, usual};
use super::problem::Problem;

fn note() -> Option<PathBuf> {
    Some(usual()?.with_file_name("sample-logs"))
}

/// Says so. Without the note they are taken for the person's own, and kept.
pub(super) fn were_made(rows: u64) {
    if let Some(note) = note() {
        drop(fs::write(note, rows.to_string()));
    }
}

/// Whether the person's folder holds nothing but samples, or nothing at all.
pub(crate) async fn only_samples() -> Result<bool, Problem> {
    let Some(folder) = usual() else { return Ok(false) };
    if !folder.exists() {
        return Ok(true);
    }
    let knowledge = open(None).await?.store.knowledge().await.map_err(Problem::Store)?;
    let kept: u64 = knowledge.tables.iter().map(|table| table.estimated_rows).sum();
    let made = note().and_then(|note| fs::read_to_string(note).ok()).and_then(|rows| rows.parse().ok());
    Ok(kept == 0 || made.is_some_and(|made: u64| kept <= made))
}

/// Deletes the folder of samples.
pub(crate) fn delete() -> Result<(), crate::problem::Problem> {
    let Some(folder) = usual().filter(|folder| folder.exists()) else { return Ok(()) };
    fs::remove_dir_all(&folder).map_err(|source| crate::problem::Problem::Folder { folder, source })
}
