//! Where words go: data to standard output, everything else to standard error.

use std::io::{ErrorKind, Write};

use serde_json::Value;

use crate::args::{Args, Telling};
use crate::colour::{Colour, Tone};
use crate::lang::Lang;
use crate::live::LiveLine;
use crate::problem::Problem;
use crate::show;
use crate::terminal;
use crate::text::{clean, escaped};

/// How much of a person reads along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    /// One JSON object, for programs.
    Json,
    /// An object a line: what happens as it happens, and the answer last.
    JsonLines,
}

impl Form {
    pub(crate) fn is_json(self) -> bool {
        self != Self::Text
    }
}

pub(crate) struct Output {
    pub(crate) lang: Lang,
    pub(crate) form: Form,
    /// How much is told on the way: nothing, the usual, who decided, everything.
    telling: Telling,
    /// Tables without a form, for other programs of the shell.
    pub(crate) plain: bool,
    colour: Colour,
    /// What a person types to run this program on the same store.
    command: String,
    /// The command that was called, such as `threads show`.
    path: String,
    no_input: bool,
    live: LiveLine,
}

/// The version of the JSON objects this program writes.
pub(crate) const SCHEMA_VERSION: u32 = 1;

impl Output {
    pub(crate) fn of(args: &Args) -> Self {
        let form = match (args.jsonl, args.json) {
            (true, _) => Form::JsonLines,
            (_, true) => Form::Json,
            _ => Form::Text,
        };
        // Cargo sets it for whatever it runs.
        let program =
            if std::env::var_os("CARGO_MANIFEST_DIR").is_some() { "cargo run -q --" } else { "duru" };
        let store = args.store.as_ref().map(|place| format!(" --store '{place}'")).unwrap_or_default();
        Self {
            lang: args.lang,
            form,
            telling: args.telling,
            plain: args.plain,
            colour: args.colour,
            command: format!("{program}{store}"),
            path: args.path.clone(),
            no_input: args.no_input,
            // Whoever wants to know more wants to read it later, too.
            live: LiveLine::new(form == Form::Text && args.telling == Telling::Usual),
        }
    }

    /// Whether there is somebody who may be asked.
    pub(crate) fn may_ask(&self) -> bool {
        !self.no_input && terminal::somebody_is_there()
    }

    /// The command line that shows how the command is used that was called.
    pub(crate) fn help(&self) -> String {
        self.command(format!("{} --help", self.path).trim_start())
    }

    /// The command line that does this.
    pub(crate) fn command(&self, rest: &str) -> String {
        format!("{} {rest}", self.command)
    }

    /// Prints data for a person.
    pub(crate) fn text(&self, text: &str) -> Result<(), Problem> {
        match self.form {
            Form::Text => {
                self.live.clear();
                write(text)
            }
            Form::Json | Form::JsonLines => Ok(()),
        }
    }

    /// Prints the answer for a program.
    pub(crate) fn json(&self, mut answer: Value) -> Result<(), Problem> {
        match self.form {
            Form::Text => Ok(()),
            Form::Json => {
                answer["schema_version"] = SCHEMA_VERSION.into();
                write(&format!("{}\n", escaped(&answer.to_string())))
            }
            Form::JsonLines => {
                let kind = if answer.get("error").is_some() { "error" } else { "result" };
                line(kind, answer)
            }
        }
    }

    /// Tells a program what happens on the way.
    pub(crate) fn event(&self, kind: &str, event: Value) -> Result<(), Problem> {
        if self.form == Form::JsonLines { line(kind, event) } else { Ok(()) }
    }

    /// Prints rows under their names.
    pub(crate) fn table<const N: usize>(
        &self,
        head: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) -> Result<(), Problem> {
        if !self.plain {
            return self.text(&show::table(head, rows));
        }
        let lines =
            rows.into_iter().map(|row| format!("{}\n", row.map(|cell| cell.replace('\t', " ")).join("\t")));
        self.text(&lines.collect::<String>())
    }

    /// Says how it goes.
    pub(crate) fn progress(&self, line: &str) {
        if !self.is_quiet() {
            self.complain(&self.paint(tone(line), line));
        }
    }

    /// Says what is being done: one live line at a terminal, else a line for each.
    pub(crate) fn step(&self, line: &str) {
        if self.is_quiet() || self.live.show(line, |line| self.paint(tone(line), line)) {
            return;
        }
        self.progress(line);
    }

    /// Shows an answer while it is written, at a terminal. It is printed whole in the end.
    pub(crate) fn speak(&self, piece: &str) {
        if !self.is_quiet() {
            self.live.speak(&clean(piece), |line| self.paint(Tone::Faint, line));
        }
    }

    /// Says what only those want to know who asked for more.
    pub(crate) fn detail(&self, at: Telling, line: impl FnOnce() -> String) {
        if self.telling >= at {
            self.complain(&self.paint(Tone::Faint, &line()));
        }
    }

    pub(crate) fn is_quiet(&self) -> bool {
        self.telling == Telling::Nothing
    }

    /// A text for standard error in a colour, where colours are wanted.
    pub(crate) fn paint(&self, tone: Tone, text: &str) -> String {
        self.colour.paint(tone, text)
    }

    /// Says what must be heard.
    pub(crate) fn complain(&self, line: &str) {
        self.live.clear();
        // Nobody listens: then there is nobody to tell that, either.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// By the sign that a line of progress begins with.
fn tone(line: &str) -> Tone {
    match line.trim_start().chars().next() {
        Some('✓' | '☑') => Tone::Good,
        Some('✗' | '!') => Tone::Bad,
        Some('▸' | '↺' | '?') => Tone::Accent,
        Some('☐' | '–' | '·') => Tone::Faint,
        _ => Tone::Plain,
    }
}

fn line(kind: &str, mut object: Value) -> Result<(), Problem> {
    object["schema_version"] = SCHEMA_VERSION.into();
    object["type"] = kind.into();
    write(&format!("{}\n", escaped(&object.to_string())))
}

fn write(text: &str) -> Result<(), Problem> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Problem::NobodyReads),
        other => other.map_err(Problem::Output),
    }
}
