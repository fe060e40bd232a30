//! The image, built by buildah: without a daemon or a registry, and without a container that runs. packaging/Dockerfile says
//! what it is; its first stage, which compiles where Docker is, is here a folder with this very program.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::release::{Release, said};
use super::tar::{Entry, tar};
use super::{folder, system};

const DOCKERFILE: &str = "packaging/Dockerfile";
/// The stage of that file that compiles, where it leaves what it made, and the beginning of the next stage.
const STAGE: (&str, &str) = ("build", "image");
const NEXT_STAGE: &str = "\nFROM scratch AS system\n";

/// Why there can be no image here, if there is a reason.
pub(super) fn obstacle(buildah: &Path, release: &Release) -> Option<String> {
    if !release.target.ends_with("-linux-gnu") {
        return Some(format!("the image needs a program for Linux with glibc, not for {}", release.target));
    }
    let needed = [(buildah, "buildah"), (Path::new("apt-get"), "apt"), (Path::new("dpkg-deb"), "dpkg")];
    needed.iter().find_map(|(tool, package)| {
        let error = said(Command::new(tool).arg("--version")).err()?;
        Some(format!("{error:#}; install the Debian package {package}"))
    })
}

/// Lays out what packaging/Dockerfile copies: the system, the program, and the home of its user.
pub(super) fn lay_out(folder: &Path, program: &[u8]) -> Result<()> {
    let (system, bin, home) =
        (folder.join("system"), folder.join("program/usr/local/bin"), folder.join("home/data"));
    // The folders' own rights are the image's.
    let make = |rights: &str, folder: &Path| {
        said(Command::new("install").args(["-d", "-m", rights, "--"]).arg(folder)).map(drop)
    };
    make("755", &system)?;
    system::lay_out(&system, program)?;
    make("755", &bin)?;
    let file = bin.join("duru");
    std::fs::write(&file, program).with_context(|| format!("cannot write {}", file.display()))?;
    folder::make_executable(&file)?;
    make("700", &home)?;
    make("700", &home.join("duru"))
}

/// A folder in the place of the stage that compiles.
pub(super) fn stage(program: &[u8]) -> Result<TempDir> {
    let stage = tempfile::tempdir().context("cannot make a temporary folder")?;
    lay_out(&stage.path().join(STAGE.1), program)?;
    Ok(stage)
}

/// Builds the image around what was laid out, as an archive.
pub(super) fn make(buildah: &Path, release: &Release, stage: &Path) -> Result<Vec<u8>> {
    let desk = tempfile::tempdir().context("cannot make a temporary folder")?;
    let (file, layout) = (desk.path().join("Dockerfile"), desk.path().join("layout"));
    let text = release.file(DOCKERFILE)?;
    let from =
        text.find(NEXT_STAGE).with_context(|| format!("{DOCKERFILE} has no stage `system` any more"))?;
    std::fs::write(&file, &text[from..])?;

    let name = format!("duru:{}", release.version);
    let version = format!("org.opencontainers.image.version={}", release.version);
    let buildah = || {
        let mut command = Command::new(buildah);
        // Nothing is left in the store of whoever calls, and no kind of mount has to work.
        command.arg("--root").arg(desk.path().join("root")).arg("--runroot").arg(desk.path().join("run"));
        command.args(["--storage-driver", "vfs"]);
        command
    };
    let mut build = buildah();
    build.args(["build", "--isolation", "chroot", "--format", "oci", "--tag", &name, "--label", &version]);
    build.arg("--timestamp").arg(release.epoch.to_string()).arg("--file").arg(&file);
    build.arg("--build-context").arg(format!("{}={}", STAGE.0, stage.display())).arg(stage);
    println!("$ {build:?}");
    said(&mut build)?;
    said(buildah().args(["push", "--quiet", &name]).arg(format!("oci:{}:{name}", layout.display())))?;
    let archive = pack(&layout, &name, release.epoch)?;
    // In a name space of users what it has stored is not ours to remove.
    said(buildah().args(["rmi", "--all", "--force"]))?;
    Ok(archive)
}

/// An archive that is two things: a layout of OCI, and what every Docker loads (`manifest.json`).
fn pack(layout: &Path, name: &str, epoch: u64) -> Result<Vec<u8>> {
    let read =
        |path: &str| std::fs::read(layout.join(path)).with_context(|| format!("buildah wrote no {path}"));
    let blob = |of: &Value| -> Result<String> {
        let digest = of["digest"].as_str().context("a part of the image has no digest")?;
        Ok(format!("blobs/{}", digest.replace(':', "/")))
    };
    let index = read("index.json")?;
    let manifest = blob(&serde_json::from_slice::<Value>(&index)?["manifests"][0])?;
    let parts: Value = serde_json::from_slice(&read(&manifest)?)?;
    let layers = parts["layers"].as_array().context("the image has no layers")?;
    let layers = layers.iter().map(blob).collect::<Result<Vec<_>>>()?;
    let config = blob(&parts["config"])?;
    let docker = serde_json::to_vec(&json!([{"Config": config, "RepoTags": [name], "Layers": layers}]))?;

    let mut paths = vec!["oci-layout".to_owned(), manifest, config];
    paths.extend(layers);
    paths.sort();
    // Two layers may be the same.
    paths.dedup();
    let files = paths.iter().map(|path| Ok((path, read(path)?))).collect::<Result<Vec<_>>>()?;
    let mut entries = vec![Entry::file("index.json", &index), Entry::file("manifest.json", &docker)];
    entries.extend(files.iter().map(|(path, data)| Entry::file(path.as_str(), data)));
    tar(&entries, epoch)
}

/// What `--layers` makes, for the first stage of packaging/Dockerfile.
pub(super) fn lay_out_new(folder: &Path, program: &[u8]) -> Result<()> {
    ensure!(!folder.exists(), "{} is there already", folder.display());
    lay_out(folder, program)?;
    println!("{}", folder.display());
    Ok(())
}
