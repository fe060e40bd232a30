//! What can go wrong, as a person or a program sees it: a stable code, an exit
//! code, and in both languages what happened and what to do.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use duru::{Failure, ThreadId, store};
use serde_json::{Value, json};

use crate::colour::Tone;
use crate::data::DataProblem;
use crate::decisions;
use crate::docs::DocsProblem;
use crate::output::Output;
use crate::reasons::with_detail;
use crate::settings;
use crate::tables::TablesProblem;
use crate::text::clean;

#[derive(Debug)]
pub(crate) enum Problem {
    /// A file of settings can't be used.
    Settings(settings::Unreadable),
    /// Something that is set can't be used; why, in both languages.
    Setting {
        ko: String,
        en: String,
    },
    /// The arguments make no sense.
    Usage(String),
    UnknownThread {
        id: String,
        store: String,
    },
    /// No checkpoint of the thread has this id or begins like this.
    UnknownCheckpoint {
        thread: ThreadId,
        given: String,
    },
    /// Several checkpoints begin like this.
    Ambiguous {
        thread: ThreadId,
        given: String,
    },
    /// Nobody can be asked whether to go back.
    NeedsYes {
        command: String,
    },
    InvalidThread(String),
    /// The thread was made by another graph than the example.
    OtherGraph {
        thread: ThreadId,
        graph: String,
    },
    /// The store's folder can't be made.
    Folder {
        folder: PathBuf,
        source: io::Error,
    },
    NoStore {
        file: PathBuf,
    },
    /// A file that was named can't be read or written.
    File {
        file: PathBuf,
        source: io::Error,
    },
    /// Some items of an evaluation could not be answered.
    Items {
        failed: usize,
        of: usize,
    },
    /// The server can't listen there.
    Address {
        address: String,
        source: io::Error,
    },
    /// Others can reach the server, and nobody has a key.
    NoKeys {
        address: String,
    },
    /// The guard does not let a query run.
    Refused(duru_sql::guard::Refusal),
    /// The tables that may be asked can't be read.
    Schema {
        file: PathBuf,
        reason: String,
    },
    Store(store::Error),
    Run(Box<Failure>),
    Engine(Box<duru::Error>),
    /// The run waits for an answer that nobody gave.
    NeedsInput {
        thread: ThreadId,
    },
    Cancelled {
        thread: ThreadId,
    },
    /// The person stopped it before anything was changed.
    Stopped,
    /// The time that was given is up.
    TimedOut {
        thread: ThreadId,
    },
    /// The server that has the data open wants a key, or another one.
    ServerKey,
    /// The question has no answer.
    NoAnswer {
        message: String,
        why: Unanswered,
    },
    /// Nothing with this id is remembered of this person.
    UnknownMemory {
        id: String,
        user: String,
    },
    /// Of the log store and what goes into it.
    Logs(crate::logs::Problem),
    /// Of tables of others.
    Tables(TablesProblem),
    Docs(DocsProblem),
    /// Of copies of data, and how long it is kept.
    Data(DataProblem),
    Output(io::Error),
    /// Whoever read our output has left.
    NobodyReads,
    Unexpected(anyhow::Error),
    /// Of decisions and their models.
    Decisions(decisions::Problem),
    /// A check has failed and said so.
    Unwell,
    /// A problem that stands in the answer for programs already.
    Told(Box<Problem>),
}

/// Why a question has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// It will not be answered, however often it is asked.
    Refused,
    /// Nor will the query that the person wrote.
    OwnQuery,
    Unavailable,
    Failed,
}

impl From<duru::Error> for Problem {
    fn from(error: duru::Error) -> Self {
        match error {
            duru::Error::Store(error) => Self::Store(error),
            duru::Error::ThreadId(error) => Self::InvalidThread(error.to_string()),
            duru::Error::UnknownCheckpoint { thread, checkpoint } => {
                Self::UnknownCheckpoint { thread, given: checkpoint.to_string() }
            }
            other => Self::Engine(Box::new(other)),
        }
    }
}

impl Problem {
    /// A setting that somebody else could not use.
    pub(crate) fn of_setting(error: &dyn std::error::Error) -> Self {
        Self::Setting { ko: with_detail("설정을 쓸 수 없습니다", error), en: error.to_string() }
    }

    /// The code by which programs tell problems apart. Never changed.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Settings(_) | Self::Setting { .. } => "bad-settings",
            Self::Usage(_) => "usage",
            Self::UnknownThread { .. } => "unknown-thread",
            Self::UnknownCheckpoint { .. } => "unknown-checkpoint",
            Self::Ambiguous { .. } => "ambiguous-checkpoint",
            Self::NeedsYes { .. } => "needs-yes",
            Self::InvalidThread(_) => "invalid-thread",
            Self::OtherGraph { .. } => "other-graph",
            Self::Folder { .. } => "no-folder",
            Self::Address { .. } => "no-address",
            Self::NoKeys { .. } => "no-keys",
            Self::NoStore { .. } => "no-store",
            Self::File { .. } => "no-file",
            Self::Items { .. } => "items-failed",
            Self::Refused(refusal) => refusal.rule.code(),
            Self::Schema { .. } => "bad-schema",
            Self::Store(store::Error::Conflict { .. }) => "conflict",
            Self::Store(store::Error::Owned { .. }) => "owned",
            Self::Store(store::Error::Corrupt { .. }) => "store-damaged",
            Self::Store(store::Error::Newer { .. }) => "store-newer",
            Self::Store(_) => "store-unavailable",
            Self::Run(_) => "run-failed",
            Self::Engine(_) => "engine",
            Self::NeedsInput { .. } => "needs-input",
            Self::Cancelled { .. } | Self::Stopped => "cancelled",
            Self::TimedOut { .. } => "timeout",
            Self::ServerKey => "server-key",
            Self::NoAnswer { why: Unanswered::Refused | Unanswered::OwnQuery, .. } => "refused",
            Self::NoAnswer { why: Unanswered::Unavailable, .. } => "logs-unavailable",
            Self::NoAnswer { .. } => "no-answer",
            Self::UnknownMemory { .. } => "unknown-memory",
            Self::Logs(problem) => problem.code(),
            Self::Tables(problem) => problem.code(),
            Self::Docs(problem) => problem.code(),
            Self::Data(problem) => problem.code(),
            Self::Output(_) | Self::NobodyReads => "output",
            Self::Unexpected(_) => "unexpected",
            Self::Decisions(problem) => problem.code(),
            Self::Unwell => "unwell",
            Self::Told(problem) => problem.code(),
        }
    }

    /// What the process ends with.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::NobodyReads => 0,
            Self::Run(_)
            | Self::Items { .. }
            | Self::Engine(_)
            | Self::Output(_)
            | Self::Unexpected(_)
            | Self::Unwell
            | Self::Store(store::Error::Conflict { .. } | store::Error::Owned { .. }) => 1,
            Self::Usage(_)
            | Self::UnknownThread { .. }
            | Self::UnknownCheckpoint { .. }
            | Self::UnknownMemory { .. }
            | Self::Ambiguous { .. }
            | Self::InvalidThread(_)
            | Self::OtherGraph { .. } => 2,
            Self::Settings(_)
            | Self::Setting { .. }
            | Self::ServerKey
            | Self::NoKeys { .. }
            | Self::Folder { .. }
            | Self::File { .. }
            | Self::Address { .. }
            | Self::Schema { .. } => 3,
            Self::Refused(_) => 4,
            Self::NoAnswer { why: Unanswered::Refused | Unanswered::OwnQuery, .. } => 4,
            Self::NoAnswer { why: Unanswered::Unavailable, .. } => 5,
            Self::NoAnswer { .. } => 1,
            Self::Logs(problem) => problem.exit_code(),
            Self::Tables(problem) => problem.exit_code(),
            Self::NoStore { .. } | Self::Store(_) => 5,
            Self::NeedsInput { .. } | Self::NeedsYes { .. } => 6,
            Self::Cancelled { .. } | Self::Stopped => 130,
            Self::TimedOut { .. } => 124,
            Self::Decisions(problem) => problem.exit_code(),
            Self::Docs(problem) => problem.exit_code(),
            Self::Data(problem) => problem.exit_code(),
            Self::Told(problem) => problem.exit_code(),
        }
    }

    /// Gives the answer to programs with this problem in it, which then is told to people alone: programs get one
    /// object.
    pub(crate) fn after(self, mut answer: Value, output: &Output) -> Self {
        answer["error"] = self.json(output);
        match output.json(answer) {
            Ok(()) => Self::Told(Box::new(self)),
            Err(problem) => problem,
        }
    }

    fn json(&self, output: &Output) -> Value {
        let (what, advice) = (clean(&self.what(output.lang)), clean(&self.advice(output)));
        json!({ "code": self.code(), "message": what, "advice": advice })
    }

    /// Tells whoever listens, and gives the exit code.
    pub(crate) fn report(&self, output: &Output) -> u8 {
        if matches!(self, Self::NobodyReads | Self::Unwell) {
            return self.exit_code();
        }
        let (code, lang) = (self.code(), output.lang);
        let (what, advice) = (clean(&self.what(lang)), clean(&self.advice(output)));
        let (error, help) = lang.pick(("오류", "해결"), ("error", "help"));
        let label = output.paint(Tone::Bad, &format!("{error}[{code}]"));
        output.complain(&format!("{label}: {what}\n  {help}: {advice}"));
        if output.form.is_json() && !matches!(self, Self::Told(_)) {
            let answer = json!({ "error": self.json(output) });
            if let Err(problem) = output.json(answer) {
                return problem.exit_code();
            }
        }
        self.exit_code()
    }
}

/// Why there is nothing to run: help was asked for, or the arguments are wrong.
pub(crate) enum Early {
    Help(String),
    Problem(Box<Problem>, Output),
}

impl Early {
    pub(crate) fn exit(self) -> ExitCode {
        match self {
            // Whoever does not read the help does not need it.
            Self::Help(text) => {
                let mut out = io::stdout().lock();
                let _ = io::Write::write_all(&mut out, text.as_bytes());
                ExitCode::SUCCESS
            }
            Self::Problem(problem, output) => ExitCode::from(problem.report(&output)),
        }
    }
}
