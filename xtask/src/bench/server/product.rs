//! The product itself, with logs: questions over HTTP, and lines that come in that way.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::process::{Listening, listening, tied};
use crate::bench::program::{built, data_dir, lines, program};
use crate::workspace::target;

/// The end of the lines that are generated, so that they are the same every day.
const NOW: &str = "2026-03-18T14:30:00+09:00";

pub(super) struct Product {
    duru: PathBuf,
    measures: PathBuf,
    folder: PathBuf,
}

impl Product {
    pub(super) fn build(dev: bool) -> Result<Self> {
        let programs = built(dev, &["--package", "duru-cli", "--package", "duru-bench-sql"])?;
        let folder = data_dir(&target()?).join(format!("product-{}", std::process::id()));
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self {
            duru: programs.join(program("duru")),
            measures: programs.join(program("duru-bench-sql")),
            folder,
        })
    }

    /// A folder with so many lines, made once.
    pub(super) fn logs(&self, rows: u64) -> Result<PathBuf> {
        let place = self.folder.join(format!("logs-{rows}"));
        if !place.exists() {
            eprintln!("{rows} lines into {}", place.display());
            let mut command = Command::new(&self.duru);
            command
                .args(["logs", "generate", "--quiet", "--now", NOW, "--rows", &rows.to_string(), "--into"])
                .arg(&place);
            anyhow::ensure!(command.status().context("cannot start duru")?.success(), "no lines were made");
        }
        Ok(place)
    }

    /// Serves these logs, and nothing of whoever starts this.
    pub(super) fn serve(&self, logs: &Path) -> Result<Listening> {
        let home = self.folder.join(format!("home-{}", super::process::fresh_number()));
        std::fs::create_dir_all(&home)?;
        let mut command = tied(&self.duru);
        command
            .args(["serve", "--quiet", "--port", "0", "--lang", "en", "--logs"])
            .arg(logs)
            .arg("--store")
            .arg(home.join("threads.db"))
            .env("HOME", &home)
            .env("XDG_DATA_HOME", &home)
            .env("XDG_CONFIG_HOME", &home)
            .env("DURU_MODEL", "none");
        listening(command, Some(home))
    }

    pub(super) fn now(&self) -> &'static str {
        NOW
    }

    /// Sends lines in batches to an empty store, and says it in the words of the other cases.
    pub(super) fn ingest(&self, rows: u64, connections: u64) -> Result<Vec<Value>> {
        let logs = self.folder.join(format!("sent-{}", super::process::fresh_number()));
        let server = self.serve(&logs)?;
        let mut command = Command::new(&self.measures);
        command.arg("send").arg(format!("url={}", server.url)).arg(format!("pid={}", server.pid())).args([
            format!("rows={rows}"),
            format!("connections={connections}"),
            "store=embedded".to_owned(),
        ]);
        let found = lines(command)?.into_iter().map(in_our_words).collect();
        drop(server);
        std::fs::remove_dir_all(&logs)?;
        found
    }
}

fn in_our_words(line: Value) -> Result<Value> {
    let number = |field: &str| line[field].as_f64().with_context(|| format!("no {field} in {line}"));
    Ok(json!({
        "bench": "send", "unit": "ms/batch", "median": number("batch_ms")?, "min": line["batch_ms"],
        "max": number("slowest_batch_ms")?, "rows_per_s": number("rows_per_s")?,
        "cpu_us_per_row": line["server_cpu_us_per_row"], "peak_rss_mib": line["peak_mib"],
    }))
}

impl Drop for Product {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.folder) {
            eprintln!("cannot remove {}: {error}", self.folder.display());
        }
    }
}
