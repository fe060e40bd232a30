//! What the command line asks for.

use anyhow::{Context, Result, bail};

#[derive(Debug, PartialEq)]
pub(super) struct Options {
    pub(super) against_langgraph: bool,
    pub(super) repeat: usize,
    /// Beginnings of cases' names; empty for all.
    pub(super) only: Vec<String>,
    pub(super) quick: bool,
    /// Nothing is optimised: to see that the measurement works.
    pub(super) dev: bool,
}

impl Options {
    /// `usual` is how often to measure if nobody says.
    pub(super) fn parse(args: &[String], usual: usize) -> Result<Self> {
        let mut options =
            Self { against_langgraph: false, repeat: 0, only: Vec::new(), quick: false, dev: false };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().with_context(|| format!("`{arg}` needs a value"));
            match arg.as_str() {
                "--quick" => options.quick = true,
                "--dev" => options.dev = true,
                "--against" => match value()?.as_str() {
                    "langgraph" => options.against_langgraph = true,
                    other => bail!("there is nothing to compare with named `{other}`; there is langgraph"),
                },
                "--repeat" => {
                    let text = value()?;
                    options.repeat =
                        text.parse().with_context(|| format!("`--repeat {text}` is not a number"))?;
                    if options.repeat == 0 {
                        bail!("`--repeat 0` measures nothing");
                    }
                }
                "--only" => options.only.extend(value()?.split(',').map(str::to_owned)),
                other => bail!(
                    "`bench` does not know `{other}`; there are --against langgraph, --repeat N, --only NAME,…, --quick, --dev"
                ),
            }
        }
        if options.repeat == 0 {
            options.repeat = if options.quick { 1 } else { usual };
        }
        Ok(options)
    }

    /// The least CPU time per measurement, in milliseconds.
    pub(super) fn window_ms(&self) -> u64 {
        if self.quick { 100 } else { 500 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn parse(text: &str) -> Result<Options> {
        Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), 5)
    }

    #[test]
    fn words_are_understood() {
        let options = parse("--against langgraph --repeat 3 --only chain,fanout").unwrap();
        assert!(options.against_langgraph && !options.quick);
        assert_eq!((options.repeat, options.only), (3, vec!["chain".to_owned(), "fanout".to_owned()]));
        assert_eq!(parse("").unwrap().repeat, 5);
        assert_eq!(parse("--quick").unwrap().repeat, 1);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (text, says) in [
            ("--fast", "--fast"),
            ("--repeat", "needs a value"),
            ("--repeat x", "not a number"),
            ("--repeat 0", "nothing"),
            ("--against temporal", "temporal"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
