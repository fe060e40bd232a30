//! Archives whose bytes depend on names and contents only: sorted, owned by root, and of one date.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context, Result, ensure};
use flate2::{Compression, GzBuilder};

const BLOCK: usize = 512;

pub(super) struct Entry<'a> {
    pub(super) path: String,
    pub(super) mode: u32,
    pub(super) data: &'a [u8],
}

impl<'a> Entry<'a> {
    pub(super) fn file(path: impl Into<String>, data: &'a [u8]) -> Self {
        Self { path: path.into(), mode: 0o644, data }
    }

    pub(super) fn program(path: impl Into<String>, data: &'a [u8]) -> Self {
        Self { path: path.into(), mode: 0o755, data }
    }
}

/// A tar archive with the files and every folder above them.
pub(super) fn tar(entries: &[Entry<'_>], epoch: u64) -> Result<Vec<u8>> {
    let mut sorted: BTreeMap<&str, Option<&Entry<'_>>> = BTreeMap::new();
    for entry in entries {
        // A folder ends with a slash, so that it comes before what is in it.
        sorted.extend(entry.path.match_indices('/').map(|(at, _)| (&entry.path[..=at], None)));
        ensure!(sorted.insert(&entry.path, Some(entry)).is_none(), "{} is packed twice", entry.path);
    }
    let mut archive = Vec::new();
    for (path, entry) in sorted {
        let data = entry.map_or(&[][..], |entry| entry.data);
        archive.extend(header(path, entry.map_or(0o755, |entry| entry.mode), data.len(), epoch)?);
        archive.extend(data);
        archive.resize(archive.len().next_multiple_of(BLOCK), 0);
    }
    // Two empty blocks are the end.
    archive.resize(archive.len() + 2 * BLOCK, 0);
    Ok(archive)
}

/// What POSIX calls `ustar`; the numbers are the places of its fields.
fn header(path: &str, mode: u32, size: usize, epoch: u64) -> Result<[u8; BLOCK]> {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, width: usize, text: &str| -> Result<()> {
        ensure!(text.len() <= width, "`{text}` of {path} does not fit into an archive");
        header[at..at + text.len()].copy_from_slice(text.as_bytes());
        Ok(())
    };
    put(0, 100, path)?;
    put(100, 7, &format!("{mode:07o}"))?;
    put(108, 7, "0000000")?;
    put(116, 7, "0000000")?;
    put(124, 11, &format!("{size:011o}"))?;
    put(136, 11, &format!("{epoch:011o}"))?;
    // The sum counts its own field as spaces.
    put(148, 8, "        ")?;
    put(156, 1, if path.ends_with('/') { "5" } else { "0" })?;
    put(257, 8, "ustar\x0000")?;
    put(265, 32, "root")?;
    put(297, 32, "root")?;
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

/// Without a name and a date of its own.
pub(super) fn gzip(data: &[u8]) -> Result<Vec<u8>> {
    let mut packed = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    packed.write_all(data)?;
    packed.finish().context("cannot compress")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_folders_do_not_depend_on_the_caller() {
        let (a, b) = (Entry::file("x/y/a", b"1"), Entry::program("x/b", b"2"));
        let one = tar(&[a, b], 7).unwrap();
        let other = tar(&[Entry::program("x/b", b"2"), Entry::file("x/y/a", b"1")], 7).unwrap();
        assert_eq!(one, other);
        let names: Vec<String> = one
            .chunks(BLOCK)
            .filter(|block| block[257..].starts_with(b"ustar"))
            .map(|block| String::from_utf8_lossy(&block[..100]).trim_end_matches('\0').to_owned())
            .collect();
        assert_eq!(names, ["x/", "x/b", "x/y/", "x/y/a"]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let error = tar(&[Entry::file("x".repeat(101), b"")], 0).unwrap_err();
        assert!(error.to_string().contains("does not fit"), "{error}");
        let error = tar(&[Entry::file("a", b""), Entry::file("a", b"")], 0).unwrap_err();
        assert_eq!(error.to_string(), "a is packed twice");
    }
}
