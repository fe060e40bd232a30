//! What `cargo xtask dist` is told.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// Where everything goes; otherwise a folder below cargo's target directory.
    pub(super) out: Option<PathBuf>,
    /// A `duru` that is built already.
    pub(super) program: Option<PathBuf>,
    /// Only lays out, in this new folder, what the image consists of.
    pub(super) layers: Option<PathBuf>,
}

impl Options {
    pub(super) fn read(args: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().with_context(|| format!("{arg} needs a value")).map(PathBuf::from);
            match arg.as_str() {
                "--out" => options.out = Some(value()?),
                "--program" => options.program = Some(value()?),
                "--layers" => options.layers = Some(value()?),
                other => {
                    bail!("`dist` takes `--out FOLDER`, `--program FILE` and `--layers FOLDER`, not {other}")
                }
            }
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
        let options = read(&["--out", "a", "--program", "b", "--layers", "c"]).unwrap();
        let expected = Options { out: Some("a".into()), program: Some("b".into()), layers: Some("c".into()) };
        assert_eq!(options, expected);
        assert_eq!(read(&[]).unwrap(), Options::default());
        assert!(read(&["--out"]).unwrap_err().to_string().contains("--out needs a value"));
        assert!(read(&["--quick"]).unwrap_err().to_string().contains("--quick"));
    }
}
