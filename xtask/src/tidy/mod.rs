//! `cargo xtask tidy`: the rules of the house that neither rustc nor clippy knows.

mod book;
mod dependencies;
mod edges;
mod files;
mod finding;
mod language;
mod lints;
mod macros;
mod map;
mod mask;
mod one_build;
mod paths;
mod size;
mod tables;
mod text;

use anyhow::{Context, Result};

use crate::workspace::root;

pub(crate) fn run() -> Result<bool> {
    let root = root()?;
    let mut findings = Vec::new();

    let packages = edges::packages()?;
    for package in &packages {
        let path = files::relative(&root, &package.manifest);
        let manifest =
            std::fs::read_to_string(&package.manifest).with_context(|| format!("cannot read {path}"))?;
        findings.extend(edges::check(&path, &manifest, package));
        findings.extend(lints::check(&path, &manifest));
    }

    findings.extend(one_build::check()?);

    let files = files::list(&root)?;
    for (path, content) in &files {
        findings.extend(text::check(path, content));
        if path.ends_with(".rs") {
            findings.extend(size::check(path, content));
            findings.extend(macros::check(path, content));
            findings.extend(paths::check(path, content));
            findings.extend(language::check(path, content));
        }
    }

    findings.extend(tables::check(&files));
    findings.extend(map::check(&files));
    findings.extend(book::check(&files, |path| root.join(path).exists()));
    findings.extend(dependencies::check(&packages, &files));

    findings.sort();
    for finding in &findings {
        println!("{finding}");
    }
    let errors = findings.iter().filter(|finding| !finding.is_warning()).count();
    println!("tidy: {} files, {errors} errors, {} warnings", files.len(), findings.len() - errors);
    Ok(errors == 0)
}
