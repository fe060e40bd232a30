//! `cargo xtask test`: everything that must hold before a change goes in, with its own set-up.

mod parts;
mod report;

use anyhow::{Result, bail};

use report::{Outcome, Report};

pub(crate) fn run(args: &[String]) -> Result<bool> {
    let options = Options::parse(args)?;
    let ci = is_ci(std::env::var("CI").ok().as_deref());
    let slow =
        |part: fn() -> Result<Outcome>| if options.fast { Ok(Outcome::Skipped("--fast")) } else { part() };

    let mut report = Report::new(ci);
    report.part("format", parts::format);
    report.part("tidy", parts::tidy);
    report.part("clippy", || slow(parts::clippy));
    report.part("tests", || parts::tests(&options.extra));
    report.part("doc tests", || slow(parts::doc_tests));
    report.part("examples", || slow(parts::examples));

    print!("{}", report.summary());
    Ok(report.is_good())
}

#[derive(Debug, PartialEq)]
struct Options {
    fast: bool,
    /// What follows `--`, for nextest.
    extra: Vec<String>,
}

impl Options {
    fn parse(args: &[String]) -> Result<Self> {
        let mut options = Self { fast: false, extra: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--fast" => options.fast = true,
                "--" => options.extra = args.by_ref().cloned().collect(),
                other => bail!("`test` does not know `{other}`; arguments for nextest go after `--`"),
            }
        }
        Ok(options)
    }
}

fn is_ci(value: Option<&str>) -> bool {
    matches!(value, Some("true" | "1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<Options> {
        Options::parse(&args.iter().map(|arg| arg.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_after_the_dashes_are_for_nextest() {
        let options = parse(&["--fast", "--", "-p", "duru", "--fast"]).unwrap();
        assert_eq!(
            options,
            Options { fast: true, extra: ["-p", "duru", "--fast"].map(String::from).to_vec() }
        );
        assert_eq!(parse(&[]).unwrap(), Options { fast: false, extra: vec![] });
    }

    #[test]
    fn an_unknown_argument_is_refused() {
        assert!(parse(&["--quick"]).unwrap_err().to_string().contains("--quick"));
    }

    #[test]
    fn ci_is_what_the_variable_says() {
        assert!(is_ci(Some("true")));
        assert!(!is_ci(Some("false")));
        assert!(!is_ci(None));
    }
}
