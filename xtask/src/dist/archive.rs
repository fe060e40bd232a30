//! The archive for those who install by hand or with install.sh.

use anyhow::{Context, Result};

use super::program::Program;
use super::release::Release;
use super::tar::{Entry, gzip, tar};

const TEXTS: [&str; 6] =
    ["CHANGELOG.md", "LICENSE", "LICENSE-APACHE", "LICENSE-MIT", "README.ko.md", "README.md"];

/// A compromise: the highest levels take minutes for a program of this size.
const ZSTD_LEVEL: i32 = 15;

/// The same archive for gzip and for zstd, which unpacks several times as fast.
pub(super) struct Archive {
    pub(super) gzip: Vec<u8>,
    pub(super) zstd: Vec<u8>,
}

pub(super) fn make(release: &Release, program: &Program) -> Result<Archive> {
    let name = release.name();
    let unit = release.file("packaging/duru.service")?;
    let texts = TEXTS.map(|path| release.file(path));
    let texts = texts.into_iter().collect::<Result<Vec<String>>>()?;

    let mut entries = vec![
        Entry::program(format!("{name}/duru{}", std::env::consts::EXE_SUFFIX), &program.bytes),
        Entry::file(format!("{name}/duru.service"), unit.as_bytes()),
    ];
    for (path, text) in TEXTS.iter().zip(&texts) {
        entries.push(Entry::file(format!("{name}/{path}"), text.as_bytes()));
    }
    for (path, page) in &program.pages {
        entries.push(Entry::file(format!("{name}/man/{path}"), page));
    }
    for (path, script) in &program.completions {
        entries.push(Entry::file(format!("{name}/completions/{path}"), script));
    }
    let plain = tar(&entries, release.epoch)?;
    let zstd = zstd::bulk::compress(&plain, ZSTD_LEVEL).context("cannot compress")?;
    Ok(Archive { gzip: gzip(&plain)?, zstd })
}
