//! The built program, as a person or a script meets it.
#![allow(clippy::unwrap_used, reason = "a test that can't go on has failed")]

mod accuracy;
mod advisor;
mod api_guide;
mod attached;
mod bucket;
mod chat;
// The client of the server's tests.
#[allow(dead_code, clippy::expect_used)]
#[path = "../../../duru-server/tests/it/client.rs"]
mod client;
mod config;
mod conformance;
mod data;
mod decisions;
mod demo;
mod describe_tables;
mod docs;
mod doctor;
mod documents;
mod dry_run;
mod eval;
#[path = "../../../duru-server/tests/it/events.rs"]
mod events;
mod fake_model;
mod first_word;
mod fork;
mod graph;
mod guarded;
#[path = "../../../duru-server/tests/it/held.rs"]
mod held;
mod hints;
mod ingest_logs;
mod injection;
mod interfaces;
// What the questions about logs are about.
#[path = "../../../../eval/logs/lines/mod.rs"]
mod log_lines;
mod logs;
mod machine;
mod memory;
mod operations;
mod page;
// The rigs of other crates' tests.
#[allow(dead_code)]
#[path = "../../../duru-store/tests/it/pg_cluster.rs"]
mod pg_cluster;
#[allow(dead_code, unused_imports)]
#[path = "../../../duru-store/tests/it/pg_server.rs"]
mod pg_server;
mod postgres;
mod readme;
#[allow(dead_code)]
#[path = "../../../../soak/src/replicas/mod.rs"]
mod replicas;
mod resume;
mod scopes;
#[path = "../../../duru-logs/tests/it/seaweed.rs"]
#[allow(dead_code)]
mod seaweed;
mod serve;
mod several;
mod signals;
mod sql;
mod tables;
mod terminal;
mod threads;
mod time_zone;
#[allow(dead_code, clippy::expect_used)]
#[path = "../../../duru-server/tests/it/tools.rs"]
mod tools;
mod usage;

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A desk of its own: a data folder, and no language but the one that is asked for.
struct Desk {
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duru"));
        command
            .args(args)
            .stdin(std::process::Stdio::null())
            .current_dir(self.folder.path())
            .env("XDG_DATA_HOME", self.folder.path())
            .env("XDG_CONFIG_HOME", self.folder.path().join("config"))
            .env_remove("DURU_STORE")
            .env_remove("DURU_LOGS")
            .env_remove("LC_ALL")
            .env_remove("LC_MESSAGES")
            .env_remove("LANG")
            .env_remove("CARGO_MANIFEST_DIR");
        // What the machine's user has set for models is not for tests.
        for (name, _) in std::env::vars_os() {
            let name_text = name.to_string_lossy();
            if ["DURU_", "ANTHROPIC_", "OPENAI_", "OLLAMA_", "OTEL_"]
                .iter()
                .any(|start| name_text.starts_with(start))
            {
                command.env_remove(&name);
            }
        }
        command
    }

    fn run(&self, args: &[&str]) -> Seen {
        Seen::of(self.command(args).output().unwrap())
    }

    fn with_env(&self, args: &[&str], env: &[(&str, &str)]) -> Seen {
        Seen::of(self.command(args).envs(env.iter().copied()).output().unwrap())
    }
}

/// What a run of the program showed.
#[derive(Debug)]
struct Seen {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Seen {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Its one JSON object.
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
