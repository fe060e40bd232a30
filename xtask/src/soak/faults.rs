//! `cargo xtask soak faults [ROW…]`: the tests of docs/faults.md that count, as often as was promised.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};

use crate::workspace::{cargo, root};

/// A row of docs/faults.md, the crate, and the test that provokes it.
const TESTS: &[(&str, &str, &str)] = &[
    ("F5", "duru-store", "pg_cuts::no_commit_is_lost_or_written_twice"),
    ("F8", "duru-llm", "resilience::many_random_faults"),
    ("F11", "duru-server", "races::sqlite::requests_at_the_same_moment"),
    ("F11", "duru-server", "races::postgres::requests_at_the_same_moment_to_two_servers"),
    ("F12", "duru", "lease::a_zombie_writes_nothing_and_stops"),
    ("F13", "duru-server", "faults::double_texting_does_what_was_asked_for"),
    ("F16", "duru", "format::every_flipped_byte_of_a_row_is_noticed"),
    ("F18", "duru-server", "faults::a_stream_that_is_cut_anywhere_is_read_on_without_a_gap"),
    ("F19", "duru-server", "faults::readers_that_do_not_read_hold_up_nobody"),
    ("F21", "duru-server", "faults::bad_runs_leave_the_good_ones_alone"),
    ("F23", "duru-server", "faults::a_storm_of_cancels_ends_every_run"),
];

/// Runs them, or those of the rows that are named, and says what each found.
pub(super) fn run(rows: &[String]) -> Result<bool> {
    if let Some(unknown) = rows.iter().find(|row| !TESTS.iter().any(|(known, ..)| known == row)) {
        bail!("no test of {unknown} counts; these do: {}", names().join(", "));
    }
    let wanted = |row: &str| rows.is_empty() || rows.iter().any(|wanted| wanted == row);
    let mut packages: Vec<&str> = TESTS.iter().map(|(_, package, _)| *package).collect();
    packages.sort_unstable();
    packages.dedup();
    let (mut told, mut well) = (Vec::new(), true);
    for package in packages {
        let tests: Vec<&str> = TESTS
            .iter()
            .filter(|(row, of, _)| *of == package && wanted(row))
            .map(|(_, _, test)| *test)
            .collect();
        if !tests.is_empty() {
            well &= one(package, &tests, &mut told)?;
        }
    }
    told.sort();
    println!();
    told.iter().for_each(|line| println!("{line}"));
    println!("{}", if well { "all is well" } else { "something is wrong: see above" });
    Ok(well)
}

fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = TESTS.iter().map(|(row, ..)| *row).collect();
    names.dedup();
    names
}

/// The tests of one crate, built as its own tests are.
fn one(package: &str, tests: &[&str], told: &mut Vec<String>) -> Result<bool> {
    let filter: Vec<String> = tests.iter().map(|test| format!("test(={test})")).collect();
    let filter = filter.join(" | ");
    eprintln!("$ DURU_SOAK=1 cargo nextest run --profile soak --package {package} -E '{filter}'");
    let arguments =
        ["nextest", "run", "--profile", "soak", "--package", package, "--no-capture", "-E", &filter];
    let mut child = cargo(&arguments)?
        .current_dir(root()?)
        .env("DURU_SOAK", "1")
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start cargo")?;
    let output = child.stdout.take().context("no output")?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        match line.trim_start().strip_prefix("fault ") {
            Some(fault) => told.push(fault.to_owned()),
            None => println!("{line}"),
        }
    }
    Ok(child.wait()?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_exists_and_every_row_is_in_the_document() {
        let root = root().unwrap();
        let document = std::fs::read_to_string(root.join("docs/faults.md")).unwrap();
        for (row, package, test) in TESTS {
            let mut parts: Vec<&str> = test.split("::").collect();
            let name = parts.pop().unwrap();
            let file = root.join("crates").join(package).join("tests/it").join(format!("{}.rs", parts[0]));
            let source = std::fs::read_to_string(&file).unwrap();
            assert!(source.contains(&format!("async fn {name}()")), "{test} is not in {}", file.display());
            assert!(source.contains(&format!("\"{row}\"")), "{test} tells nothing of {row}");
            assert!(document.contains(&format!("| {row} |")), "{row}");
            assert!(document.contains(name), "{name}");
        }
    }
}
