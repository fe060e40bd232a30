//! `cargo xtask dist`: what a user installs without a compiler. Made twice from the same program (and, for the image,
//! the same packages of Debian), it is the same twice: entries are sorted, owned by root, and as old as
//! SOURCE_DATE_EPOCH or the last commit.

mod archive;
mod deb;
mod folder;
mod image;
mod libraries;
mod options;
mod program;
mod release;
mod sbom;
mod system;
mod tar;
#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::workspace::target;
use options::Options;
use program::Program;
use release::Release;

pub(crate) fn run(args: &[String]) -> Result<bool> {
    let options = Options::read(args)?;
    if let Some(folder) = options.layers {
        let file = options.program.map_or_else(program::build, Ok)?;
        let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        image::lay_out_new(&folder, &bytes)?;
        return Ok(true);
    }
    let out = match options.out {
        Some(out) => out,
        None => target()?.join("dist"),
    };
    // Before anybody waits for a compiler.
    folder::check(&out)?;
    let release = Release::read()?;
    let file = match options.program {
        Some(file) => file,
        None => program::build()?,
    };
    make(&release, &file, &out, Path::new("buildah"))?;
    Ok(true)
}

/// Makes everything from a program, and tells what was made and what was not.
fn make(release: &Release, file: &Path, out: &Path, buildah: &Path) -> Result<()> {
    let program = Program::read(file, &release.version)?;
    let mut skipped = Vec::new();
    let mut files = BTreeMap::new();
    let name = release.name();
    let archive = archive::make(release, &program)?;
    files.insert(format!("{name}.tar.gz"), archive.gzip);
    files.insert(format!("{name}.tar.zst"), archive.zstd);
    files.insert(format!("{name}.cdx.json"), sbom::make(release)?);
    files.insert("install.sh".to_owned(), release.file("packaging/install.sh")?.into_bytes());
    match deb::architecture(&release.target) {
        Some(debian) => {
            files.insert(deb::name(release, debian), deb::make(release, &program, debian)?);
        }
        None => skipped.push(format!("the Debian package: {} is not one of Debian's", release.target)),
    }

    match image(release, &program.bytes, buildah)? {
        Ok(image) => drop(files.insert(format!("duru-{}-oci.tar", release.version), image)),
        Err(why) => skipped.push(format!("the image: {why}")),
    }

    folder::clear(out)?;
    let alone = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let can_be_started = [out.join(&alone), out.join("install.sh")];
    files.insert(alone, program.bytes);
    folder::write(out, &files)?;
    can_be_started.iter().try_for_each(|file| folder::make_executable(file))?;
    report(out, &skipped)
}

/// The image, or why there is none.
fn image(release: &Release, program: &[u8], buildah: &Path) -> Result<Result<Vec<u8>, String>> {
    if let Some(why) = image::obstacle(buildah, release) {
        return Ok(Err(why));
    }
    match image::stage(program) {
        Ok(stage) => image::make(buildah, release, stage.path()).map(Ok),
        Err(error) => Ok(Err(format!("{error:#}"))),
    }
}

fn report(out: &Path, skipped: &[String]) -> Result<()> {
    let mut made: Vec<PathBuf> =
        std::fs::read_dir(out)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    made.sort();
    for path in made {
        println!("{:>12}  {}", path.metadata()?.len(), path.display());
    }
    for what in skipped {
        println!("!!!! NOT made: {what}");
    }
    Ok(())
}
