//! Which sets of questions there are: in the repository, and in the folder that `DURU_SHARED` names.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(super) struct QuestionSet {
    pub(super) name: String,
    pub(super) items: PathBuf,
    pub(super) kind: SetKind,
}

/// What a set measures, and what that needs beside the items.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SetKind {
    Documents { corpus: PathBuf },
    Logs { lines: Option<PathBuf> },
    Tables { base: Option<String> },
    Conversations,
    Sufficiency,
}

impl SetKind {
    /// The words after `duru eval`, up to the file of the items.
    pub(super) fn words(&self) -> [&'static str; 2] {
        match self {
            Self::Documents { .. } => ["documents", "--questions"],
            Self::Logs { .. } => ["logs", "--questions"],
            Self::Tables { .. } => ["tables", "--items"],
            Self::Conversations => ["conversations", "--conversations"],
            Self::Sufficiency => ["sufficiency", "--cases"],
        }
    }
}

pub(super) fn all(root: &Path, shared: Option<&Path>) -> Result<Vec<QuestionSet>> {
    let mut sets = Vec::new();
    for folder in ["crates/duru-agents/tests/it/data", "crates/duru-agents/tests/it/advisor"] {
        for items in files(&root.join(folder))? {
            let name = items.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(kind) = of_name(&name) {
                sets.push(QuestionSet { name, items, kind });
            }
        }
    }
    if let Some(shared) = shared {
        let eval = shared.join("eval");
        let corpus = eval.join("law/corpus.jsonl");
        let named = [
            ("shared/law", "law/dev.jsonl", SetKind::Documents { corpus: corpus.clone() }),
            ("shared/law-paraphrases", "law/paraphrases_dev.jsonl", SetKind::Documents { corpus }),
            ("shared/sufficiency", "sufficiency/dev.jsonl", SetKind::Sufficiency),
            ("shared/logs", "logs/dev.jsonl", SetKind::Logs { lines: lines() }),
            (
                "shared/tables",
                "tables/dev.jsonl",
                SetKind::Tables { base: std::env::var("DURU_EVAL_POSTGRES").ok() },
            ),
        ];
        for (name, items, kind) in named {
            let items = eval.join(items);
            if items.exists() {
                sets.push(QuestionSet { name: name.to_owned(), items, kind });
            }
        }
    }
    Ok(sets)
}

/// Where the lines are that the questions about logs are about.
fn lines() -> Option<PathBuf> {
    std::env::var_os("DURU_EVAL_LOGS").map(PathBuf::from)
}

/// What a file of the repository measures, by its name.
fn of_name(name: &str) -> Option<SetKind> {
    let ends = |ending: &str| name.ends_with(ending);
    match () {
        () if ends("conversations") && name != "conversations" => Some(SetKind::Conversations),
        () if ends("cases") => Some(SetKind::Sufficiency),
        () if ends("questions") => Some(SetKind::Logs { lines: lines() }),
        () => None,
    }
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_has_sets_of_every_kind_that_it_can_measure() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let sets = all(root, None).unwrap();
        let has = |name: &str, kind: &SetKind| {
            sets.iter().any(|set| set.name == name && set.kind.words() == kind.words())
        };
        assert!(has("first_conversations", &SetKind::Conversations));
        assert!(has("first_reuse_cases", &SetKind::Sufficiency) && has("own_cases", &SetKind::Sufficiency));
        assert!(has("oncall_questions", &SetKind::Logs { lines: None }));
    }
}
