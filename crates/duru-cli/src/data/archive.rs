//! One file with everything, and a list of what is in it with checksums.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::DataProblem;

/// The form of the file.
const FORMAT: u32 = 1;
const LIST: &str = "manifest.json";
/// A longer list is none of ours.
const LONGEST_LIST: u64 = 256 << 20;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: u32,
    /// The version of the program that made it.
    program: String,
    pub(super) made_at: String,
    /// Databases that are not in it, and how to copy each.
    #[serde(default)]
    pub(super) databases: Vec<(String, String)>,
    pub(super) files: Vec<Entry>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) bytes: u64,
    sha256: String,
}

/// Writes everything in a folder into a new file, which is there whole or not at all.
pub(super) fn write(
    folder: &Path,
    file: &Path,
    databases: Vec<(String, String)>,
) -> Result<Manifest, DataProblem> {
    let new = named(file, ".new");
    let written = write_all(folder, &new, databases);
    let done = written.and_then(|manifest| {
        fs::rename(&new, file).map_err(DataProblem::io(file))?;
        Ok(manifest)
    });
    if done.is_err() {
        drop(fs::remove_file(&new));
    }
    done
}

fn write_all(folder: &Path, file: &Path, databases: Vec<(String, String)>) -> Result<Manifest, DataProblem> {
    let mut options = File::options();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut archive = ZipWriter::new(options.open(file).map_err(DataProblem::io(file))?);
    let failed =
        |e: zip::result::ZipError| DataProblem::Io { path: file.into(), source: io::Error::other(e) };
    let mut files = Vec::new();
    for path in all_files(folder).map_err(DataProblem::io(folder))? {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        // What is packed already is only carried.
        let packed = name.ends_with(".parquet");
        archive.start_file(name.as_str(), how(packed)).map_err(failed)?;
        let mut source = File::open(&path).map_err(DataProblem::io(&path))?;
        let (bytes, sha256) = copied(&mut source, &mut archive).map_err(DataProblem::io(&path))?;
        files.push(Entry { path: name, bytes, sha256 });
    }
    let manifest = Manifest {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: jiff::Timestamp::now().to_string(),
        databases,
        files,
    };
    archive.start_file(LIST, how(false)).map_err(failed)?;
    let list = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
    archive.write_all(&list).map_err(DataProblem::io(file))?;
    let done = archive.finish().map_err(failed)?;
    done.sync_all().map_err(DataProblem::io(file))?;
    Ok(manifest)
}

fn how(packed: bool) -> SimpleFileOptions {
    let method = if packed { CompressionMethod::Stored } else { CompressionMethod::Deflated };
    SimpleFileOptions::default().compression_method(method).large_file(true)
}

/// Takes everything out into an empty folder, if all of it is as it was put in.
pub(super) fn read(file: &Path, folder: &Path) -> Result<Manifest, DataProblem> {
    let damaged = |reason: String| DataProblem::Damaged { file: file.to_owned(), reason };
    let opened = File::open(file).map_err(DataProblem::io(file))?;
    let mut archive = ZipArchive::new(opened).map_err(|e| damaged(e.to_string()))?;
    let mut list = Vec::new();
    archive
        .by_name(LIST)
        .map_err(|_| damaged(format!("{LIST} is missing")))?
        .take(LONGEST_LIST)
        .read_to_end(&mut list)
        .map_err(|e| damaged(e.to_string()))?;
    #[derive(Deserialize)]
    struct Form {
        format: u32,
    }
    let form: Form = serde_json::from_slice(&list).map_err(|e| damaged(e.to_string()))?;
    if form.format > FORMAT {
        return Err(DataProblem::Newer(file.to_owned()));
    }
    let manifest: Manifest = serde_json::from_slice(&list).map_err(|e| damaged(e.to_string()))?;
    for entry in &manifest.files {
        let packed = archive.by_name(&entry.path).map_err(|e| damaged(format!("{}: {e}", entry.path)))?;
        // A name that leads out of the folder is nobody's honest work.
        let inside = packed.enclosed_name().ok_or_else(|| damaged(format!("{:?} is no name", entry.path)))?;
        let path = folder.join(inside);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(DataProblem::io(parent))?;
        }
        let mut out = File::create_new(&path).map_err(DataProblem::io(&path))?;
        // One byte more than there should be shows that there is more.
        let (bytes, sha256) = copied(&mut packed.take(entry.bytes + 1), &mut out)
            .map_err(|e| damaged(format!("{}: {e}", entry.path)))?;
        if (bytes, &sha256) != (entry.bytes, &entry.sha256) {
            return Err(damaged(format!("{} does not fit its checksum", entry.path)));
        }
        out.sync_all().map_err(DataProblem::io(&path))?;
    }
    Ok(manifest)
}

fn copied(from: &mut impl Read, to: &mut impl Write) -> io::Result<(u64, String)> {
    let (mut buffer, mut sum, mut bytes) = (vec![0; 64 << 10], Sha256::new(), 0);
    loop {
        let count = from.read(&mut buffer)?;
        if count == 0 {
            return Ok((bytes, hex::encode(sum.finalize())));
        }
        sum.update(&buffer[..count]);
        to.write_all(&buffer[..count])?;
        bytes += count as u64;
    }
}

/// Every file of a folder and of those in it, in order.
pub(super) fn all_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Where a link leads is not ours to copy.
        match entry.file_type()? {
            kind if kind.is_dir() => files.extend(all_files(&entry.path())?),
            kind if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
    files.sort();
    Ok(files)
}

/// The same path with something after it.
pub(super) fn named(path: &Path, more: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(more);
    name.into()
}
