//! The image. The program is linked to glibc, so that it needs a system below it: packaging/Dockerfile puts it on Debian,
//! and only Docker can build that.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::folder;
use super::libraries;
use super::release::{Release, said};

const DOCKERFILE: &str = "packaging/Dockerfile";
/// The stage of that file that compiles, and where it leaves the program.
const STAGE: (&str, &str) = ("build", "src/target/release/duru");
/// The glibc of the Debian that the file names.
const BASE: (&str, (u32, u32)) = ("bookworm", (2, 36));
/// The first Docker whose `save` writes an OCI image layout.
const OLDEST_DOCKER: u32 = 25;

/// Why there can be no image here, if there is a reason.
pub(super) fn obstacle(docker: &Path, release: &Release, program: &[u8]) -> Option<String> {
    if !release.target.ends_with("-linux-gnu") {
        return Some(format!("the image needs a program for Linux with glibc, not for {}", release.target));
    }
    let (debian, (major, minor)) = BASE;
    if let Some(needed) = libraries::glibc(program).filter(|needed| *needed > BASE.1) {
        return Some(format!(
            "the program needs glibc {}.{}, Debian {debian} has {major}.{minor}; `docker build -f {DOCKERFILE} .` compiles it there",
            needed.0, needed.1
        ));
    }
    let mut version = Command::new(docker);
    let version = match said(version.args(["version", "--format", "{{.Server.Version}}"])) {
        Ok(version) => String::from_utf8_lossy(&version).trim().to_owned(),
        Err(error) => return Some(format!("Docker does not answer: {error:#}")),
    };
    let number: Option<u32> = version.split('.').next().and_then(|number| number.parse().ok());
    let fits = number.is_some_and(|number| number >= OLDEST_DOCKER);
    (!fits).then(|| format!("Docker is {version}; from {OLDEST_DOCKER} on it writes OCI images"))
}

/// Builds the image around this very program, and writes it to a file.
pub(super) fn make(docker: &Path, release: &Release, program: &[u8], file: &Path) -> Result<()> {
    let (stage, place) = STAGE;
    let built = tempfile::tempdir().context("cannot make a temporary folder")?;
    let copy = built.path().join(place);
    std::fs::create_dir_all(copy.parent().context("the program has no folder")?)?;
    std::fs::write(&copy, program).with_context(|| format!("cannot write {}", copy.display()))?;
    folder::make_executable(&copy)?;

    let tag = format!("duru:{}", release.version);
    let mut build = Command::new(docker);
    // A context by the name of a stage takes its place: nothing is compiled a second time.
    build.args(["build", "--file", DOCKERFILE, "--tag", &tag, "--build-context"]);
    build.arg(format!("{stage}={}", built.path().display())).arg(".").current_dir(&release.root);
    build.env("DOCKER_BUILDKIT", "1").env("SOURCE_DATE_EPOCH", release.epoch.to_string());
    println!("$ {build:?}");
    let status = build.status().context("cannot start docker")?;
    ensure!(status.success(), "docker cannot build the image ({status})");
    said(Command::new(docker).args(["save", "--output"]).arg(file).arg(&tag)).map(drop)
}
