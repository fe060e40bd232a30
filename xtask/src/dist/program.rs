//! The program, and what it says of itself: manual pages and completions.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::release::{PACKAGE, said};
use crate::workspace::{cargo, target};

/// The shells, and how their completions are called where no shell looks for them yet.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "duru.bash"),
    ("zsh", "_duru"),
    ("fish", "duru.fish"),
    ("powershell", "_duru.ps1"),
    ("elvish", "duru.elv"),
];

/// The languages of the manual, and the folders that `man` looks for them in.
const LANGUAGES: [(&str, &str); 2] = [("en", "man1"), ("ko", "ko/man1")];

pub(super) struct Program {
    pub(super) bytes: Vec<u8>,
    /// Pages with their paths below a folder `man`.
    pub(super) pages: Vec<(String, Vec<u8>)>,
    /// Scripts with their names.
    pub(super) completions: Vec<(&'static str, Vec<u8>)>,
}

impl Program {
    pub(super) fn read(file: &Path, version: &str) -> Result<Self> {
        ensure!(file.is_file(), "there is no program {}", file.display());
        // It is started in another folder.
        let file = file.canonicalize().with_context(|| format!("cannot find {}", file.display()))?;
        let desk = tempfile::tempdir().context("cannot make a temporary folder")?;
        let it = || {
            let mut command = Command::new(&file);
            // Settings of whoever builds are none of its business.
            command.current_dir(desk.path()).env("XDG_CONFIG_HOME", desk.path());
            command.env("XDG_DATA_HOME", desk.path());
            command
        };
        let told = String::from_utf8_lossy(&said(it().arg("--version"))?).trim().to_owned();
        ensure!(
            told == format!("duru {version}"),
            "{} says that it is `{told}`, not `duru {version}`; build it again",
            file.display()
        );
        let mut pages = Vec::new();
        for (lang, below) in LANGUAGES {
            let folder = desk.path().join(below);
            said(it().args(["man", "--lang", lang, "--dir"]).arg(&folder))?;
            pages.extend(files(&folder)?.into_iter().map(|(name, page)| (format!("{below}/{name}"), page)));
        }
        let completions = SHELLS
            .into_iter()
            .map(|(shell, name)| Ok((name, said(it().args(["completions", shell, "--lang", "en"]))?)));
        let completions = completions.collect::<Result<_>>()?;
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(Self { bytes, pages, completions })
    }

    /// The completions of one shell, by the name of their file.
    pub(super) fn completion(&self, name: &str) -> Result<&[u8]> {
        let found = self.completions.iter().find(|(file, _)| *file == name);
        Ok(&found.with_context(|| format!("there are no completions {name}"))?.1)
    }
}

/// Has cargo build the program, and says where it is.
pub(super) fn build() -> Result<PathBuf> {
    // Only the last step is told to leave the symbols out: what it is linked from is shared with other release builds.
    let words = ["rustc", "--release", "--locked", "--package", PACKAGE, "--bin", "duru", "--"];
    let words = [&words[..], &["-C", "strip=symbols"]].concat();
    println!("$ cargo {}", words.join(" "));
    ensure!(cargo(&words)?.status().context("cannot start cargo")?.success(), "the program does not compile");
    Ok(target()?.join("release").join(format!("duru{}", std::env::consts::EXE_SUFFIX)))
}

/// The files of a folder, by name.
fn files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("the program wrote no manual to {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        files.push((entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path())?));
    }
    ensure!(!files.is_empty(), "the program wrote no manual to {}", folder.display());
    files.sort();
    Ok(files)
}
