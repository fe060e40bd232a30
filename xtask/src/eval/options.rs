//! What `cargo xtask eval` is told.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// A part of the names of the sets that are measured.
    pub(super) set: Option<String>,
    /// So many items of every set, and no more.
    pub(super) at_most: Option<usize>,
    /// A `duru` that is built already.
    pub(super) program: Option<PathBuf>,
    /// The model that is compared with the rules, as in `DURU_MODEL`.
    pub(super) model: Option<String>,
    /// The folder where its replies are kept; after `replay:` nothing else is used.
    pub(super) replies: Option<String>,
}

/// How many items a quick measurement has of every set.
const QUICK: usize = 10;

impl Options {
    pub(super) fn read(args: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().with_context(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--set" => options.set = Some(value()?.clone()),
                "--quick" => options.at_most = Some(QUICK),
                "--program" => options.program = Some(PathBuf::from(value()?)),
                "--model" => options.model = Some(value()?.clone()),
                "--replies" => options.replies = Some(value()?.clone()),
                other => {
                    bail!(
                        "`eval` takes `--set NAME` (a part of a set's name), `--quick`, `--program FILE`, `--model NAME` and `--replies FOLDER`, not {other}"
                    )
                }
            }
        }
        if options.replies.is_some() && options.model.is_none() {
            bail!("--replies needs --model NAME: they are its replies");
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_others_refused() {
        let read = |words: &[&str]| Options::read(&words.iter().map(ToString::to_string).collect::<Vec<_>>());
        let options = read(&["--set", "oncall", "--quick"]).unwrap();
        assert_eq!((options.set.as_deref(), options.at_most), (Some("oncall"), Some(QUICK)));
        assert!(read(&["--set"]).unwrap_err().to_string().contains("needs a value"));
        let options = read(&["--model", "ollama:m", "--replies", "kept"]).unwrap();
        assert_eq!((options.model.as_deref(), options.replies.as_deref()), (Some("ollama:m"), Some("kept")));
        assert!(read(&["--replies", "kept"]).unwrap_err().to_string().contains("--model"));
        assert!(read(&["--only", "x"]).unwrap_err().to_string().contains("--only"));
    }
}
