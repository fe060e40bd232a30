//! What is released: version, target and date, as cargo, rustc and git tell them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::workspace::{cargo, root};

/// The package with the program.
pub(super) const PACKAGE: &str = "duru-cli";

pub(super) struct Release {
    pub(super) root: PathBuf,
    pub(super) version: String,
    /// The triple of this machine, which cargo builds for.
    pub(super) target: String,
    /// The date of every file, in seconds from 1970: what is made twice is the same twice.
    pub(super) epoch: u64,
    /// What cargo resolved for this target, after the lock file.
    pub(super) metadata: Value,
    /// The crates that the program is built from, as `name@version`. The metadata know more: what other packages of
    /// the workspace ask of a crate is resolved together with what the program asks of it.
    pub(super) built: BTreeSet<String>,
}

impl Release {
    pub(super) fn read() -> Result<Self> {
        let root = root()?;
        let target = host()?;
        let args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &target];
        let metadata: Value = serde_json::from_slice(&said(&mut cargo(&args)?)?)
            .context("what cargo metadata prints is not JSON")?;
        let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
        let package = packages.iter().find(|package| package["name"] == PACKAGE);
        let version = package.and_then(|package| package["version"].as_str());
        let version = version.with_context(|| format!("cargo metadata has no {PACKAGE}"))?.to_owned();
        let set = std::env::var("SOURCE_DATE_EPOCH").ok();
        let epoch = epoch(set.as_deref(), &root)?;
        let built = built(&target)?;
        Ok(Self { root, version, target, epoch, metadata, built })
    }

    /// What the names of files for this target begin with.
    pub(super) fn name(&self) -> String {
        format!("duru-{}-{}", self.version, self.target)
    }

    /// A text file of the repository.
    pub(super) fn file(&self, path: &str) -> Result<String> {
        std::fs::read_to_string(self.root.join(path)).with_context(|| format!("cannot read {path}"))
    }
}

fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let text = String::from_utf8(said(Command::new(rustc).arg("-vV"))?)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}

fn built(target: &str) -> Result<BTreeSet<String>> {
    let args =
        ["tree", "--locked", "--package", PACKAGE, "--edges", "normal,build", "--prefix", "none", "--target"];
    let text = String::from_utf8(said(cargo(&args)?.arg(target))?)?;
    let crates = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some(format!("{}@{}", words.next()?, words.next()?.strip_prefix('v')?))
    });
    Ok(crates.collect())
}

/// What was set, or the date of the last commit.
fn epoch(set: Option<&str>, root: &Path) -> Result<u64> {
    if let Some(set) = set.filter(|set| !set.is_empty()) {
        return set.parse().with_context(|| format!("SOURCE_DATE_EPOCH is `{set}`, not a number of seconds"));
    }
    let mut git = Command::new("git");
    // A clone made by another user is still ours to read.
    git.args(["-c", "safe.directory=*", "log", "-1", "--format=%ct"]).current_dir(root);
    let text = said(&mut git)
        .context("the date of the last commit is not known; set SOURCE_DATE_EPOCH to seconds from 1970")?;
    String::from_utf8(text)?.trim().parse().context("git tells no date of the last commit")
}

/// What a command prints, or its own words about why it does not.
pub(super) fn said(command: &mut Command) -> Result<Vec<u8>> {
    let name = Path::new(command.get_program()).display().to_string();
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {name}"))?;
    let why = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name} failed ({}): {}", output.status, why.trim());
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_is_what_was_set_or_that_of_the_last_commit() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(epoch(Some("12"), folder.path()).unwrap(), 12);
        let error = epoch(Some("today"), folder.path()).unwrap_err();
        assert!(error.to_string().contains("`today`"), "{error}");
        let error = epoch(None, folder.path()).unwrap_err();
        assert!(error.to_string().contains("set SOURCE_DATE_EPOCH"), "{error}");

        let git = |args: &[&str]| {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]);
            said(git.args(args).current_dir(folder.path()).env("GIT_COMMITTER_DATE", "@86400 +0900"))
                .unwrap();
        };
        git(&["init", "--quiet"]);
        git(&["commit", "--quiet", "--allow-empty", "--message", "a"]);
        assert_eq!(epoch(Some(""), folder.path()).unwrap(), 86_400);
    }
}
