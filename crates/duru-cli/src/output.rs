//! Where words go: data to standard output, everything else to standard error.

use std::io::{ErrorKind, Write};

use serde_json::Value;

use crate::args::Args;
use crate::lang::Lang;
use crate::problem::Problem;

/// How much of a person reads along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    /// One JSON object, for programs.
    Json,
}

pub(crate) struct Output {
    pub(crate) lang: Lang,
    pub(crate) form: Form,
    quiet: bool,
    /// What a person types to run this program on the same store.
    command: String,
}

/// The version of the JSON objects this program writes.
pub(crate) const SCHEMA_VERSION: u32 = 1;

impl Output {
    pub(crate) fn of(args: &Args) -> Self {
        let form = if args.json { Form::Json } else { Form::Text };
        // Cargo sets it for whatever it runs.
        let program =
            if std::env::var_os("CARGO_MANIFEST_DIR").is_some() { "cargo run -q --" } else { "duru" };
        let store = args.store.as_ref().map(|place| format!(" --store '{place}'")).unwrap_or_default();
        Self { lang: args.lang, form, quiet: args.quiet, command: format!("{program}{store}") }
    }

    /// The command line that does this.
    pub(crate) fn command(&self, rest: &str) -> String {
        format!("{} {rest}", self.command)
    }

    /// Prints data for a person.
    pub(crate) fn text(&self, text: &str) -> Result<(), Problem> {
        match self.form {
            Form::Text => write(text),
            Form::Json => Ok(()),
        }
    }

    /// Prints the answer for a program.
    pub(crate) fn json(&self, mut answer: Value) -> Result<(), Problem> {
        match self.form {
            Form::Text => Ok(()),
            Form::Json => {
                answer["schema_version"] = SCHEMA_VERSION.into();
                write(&format!("{answer}\n"))
            }
        }
    }

    /// Says how it goes.
    pub(crate) fn progress(&self, line: &str) {
        if !self.quiet {
            self.complain(line);
        }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Says what must be heard.
    pub(crate) fn complain(&self, line: &str) {
        // Nobody listens: then there is nobody to tell that, either.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

fn write(text: &str) -> Result<(), Problem> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Problem::NobodyReads),
        other => other.map_err(Problem::Output),
    }
}
