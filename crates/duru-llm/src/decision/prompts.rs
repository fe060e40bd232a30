//! Prompts that the user has put in the place of ours.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::registry::{Entry, Registry};
use super::template::{Template, TemplateError};

/// Prompts in the place of built-in ones, by the decision's name. Made by
/// [`Registry::prompts`], which checks them.
#[derive(Clone, Debug, Default)]
pub struct Prompts(HashMap<String, Arc<Template>>);

/// Why the prompts of a folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PromptsError {
    /// A folder or a file that cannot be read.
    #[error("cannot read {path}: {source}; check DURU_PROMPTS")]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A file that is named like no decision.
    #[error("{path} is the prompt of no decision; there are {known}")]
    NoDecision {
        /// Which file.
        path: PathBuf,
        /// The decisions.
        known: String,
    },
    /// A prompt that cannot be rendered.
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl Prompts {
    pub(super) fn find(&self, decision: &str) -> Option<Arc<Template>> {
        self.0.get(decision).cloned()
    }

    /// The decisions whose prompts are the user's.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl Registry {
    /// The prompts of `folder`, where `researcher/query_router.md` replaces the
    /// prompt of that decision. Every one is checked here, ours too, so that a
    /// wrong one is found when a program starts and not when it decides: a
    /// variable that is no field of the input, and one that ours has and the
    /// other lacks.
    pub fn prompts(&self, folder: Option<&Path>) -> Result<Prompts, PromptsError> {
        for entry in self {
            entry.template()?.check(entry.name(), &entry.fields)?;
        }
        let mut prompts = Prompts::default();
        let Some(folder) = folder else { return Ok(prompts) };
        for (name, path) in markdown(folder)? {
            let Some(entry) = self.find(&name) else {
                let known = self.into_iter().map(Entry::name).collect::<Vec<_>>().join(", ");
                return Err(PromptsError::NoDecision { path, known });
            };
            let text = std::fs::read_to_string(&path)
                .map_err(|source| PromptsError::File { path: path.clone(), source })?;
            prompts.0.insert(name, Arc::new(replacing(entry, &path, &text)?));
        }
        Ok(prompts)
    }
}

/// The template in a file of the user's, if it can take the place of the entry's own.
fn replacing(entry: &Entry, path: &Path, text: &str) -> Result<Template, TemplateError> {
    let place = path.display().to_string();
    // Editors of other systems write these, and the line between the halves would not be found.
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let template = Template::read(&place, &text)?;
    template.check(&place, &entry.fields)?;
    let ours = entry.template()?;
    let missing = ours.variables().into_iter().find(|name| !template.variables().contains(name));
    match missing {
        Some(variable) => {
            Err(TemplateError::MissingVariable { prompt: place, variable: variable.to_owned() })
        }
        None => Ok(template),
    }
}

/// The Markdown files of a folder and of the agents' folders in it, by name, in order.
fn markdown(folder: &Path) -> Result<Vec<(String, PathBuf)>, PromptsError> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), None)];
    while let Some((folder, agent)) = folders.pop() {
        let fail = |source| PromptsError::File { path: folder.clone(), source };
        for entry in std::fs::read_dir(&folder).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            let (Some(name), Some(file)) = (text(path.file_stem()), text(path.file_name())) else { continue };
            if path.is_dir() && agent.is_none() {
                folders.push((path, Some(file)));
            } else if path.is_file() && file.ends_with(".md") && file != "README.md" {
                let agent: Option<&String> = agent.as_ref();
                found.push((agent.map_or_else(|| name.clone(), |agent| format!("{agent}/{name}")), path));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A name that is not Unicode is no name of ours.
fn text(name: Option<&std::ffi::OsStr>) -> Option<String> {
    name.and_then(|name| name.to_str()).map(str::to_owned)
}
