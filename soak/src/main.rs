//! `cargo xtask soak`: real processes are killed, stopped and cut off again and
//! again, others go on with what they left, and an audit compares the end with
//! what was promised and with a run that nothing disturbed.

mod acks;
mod audit;
mod audit_watch;
mod broken;
// The client of the server's tests.
#[allow(clippy::unwrap_used, clippy::expect_used, dead_code)]
#[path = "../../crates/duru-server/tests/it/client.rs"]
mod client;
mod cluster;
mod conductor;
mod crew;
mod defective;
#[path = "../../crates/duru-server/tests/it/events.rs"]
mod events;
mod faults;
mod mortal;
// The rig of the store's own tests, which asserts instead of giving errors back.
#[allow(clippy::unwrap_used, dead_code)]
#[path = "../../crates/duru-store/tests/it/pg_cluster.rs"]
mod pg_cluster;
#[allow(clippy::unwrap_used, dead_code)]
#[path = "../../crates/duru-store/tests/it/pg_proxy.rs"]
mod pg_proxy;
/// As the tools know it.
mod pg_server {
    /// Says aloud what can't be had.
    pub(crate) fn skip(why: &str) {
        eprintln!("{why}");
    }
}
mod place;
mod replicas;
mod round;
mod scenario;
mod servers;
// What the server's tests install with Python.
#[allow(clippy::unwrap_used, clippy::expect_used, dead_code)]
#[path = "../../crates/duru-server/tests/it/tools.rs"]
mod tools;
mod totals;
mod watch;
mod work;
mod worker;

use std::process::ExitCode;

use anyhow::Result;

fn main() -> ExitCode {
    match start() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<bool> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    // On this thread, which outlives everything: processes end with the thread that started them.
    match words.split_first() {
        Some((first, rest)) if first == "worker" => {
            runtime.block_on(worker::run(worker::Orders::from_words(rest)?))?;
            Ok(true)
        }
        Some((first, rest)) if first == "cluster" => runtime.block_on(cluster::run(rest)),
        Some((first, rest)) if first == "replicas" => runtime.block_on(servers::run(rest)),
        _ => runtime.block_on(conductor::run(conductor::Options::parse(&words)?)),
    }
}
