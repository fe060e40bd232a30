//! A server that nobody asks anything.

use std::time::Duration;

use anyhow::Result;
use serde_json::json;

use super::server::Server;
use crate::args::Args;
use crate::report::{Report, round};

pub(crate) fn run(args: &Args) -> Result<Report> {
    let server = Server::of(args.get("pid", 0)?);
    // Not parameters of it, but given to every load.
    args.text("url", "");
    args.text("window", "");
    // What it does at its start is not idleness.
    std::thread::sleep(Duration::from_secs(2));
    let before = server.cpu_s()?;
    std::thread::sleep(Duration::from_secs(2));
    let cpu = server.cpu_s()? - before;
    let rss = server.memory_mib("VmRSS")?;
    Ok(Report {
        bench: "load-idle",
        implementation: "duru",
        unit: "MiB",
        samples: vec![rss],
        extra: vec![("rss_mib", json!(round(rss))), ("cpu_ms_per_s", json!(round(cpu * 1e3 / 2.0)))],
    })
}
