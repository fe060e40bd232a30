//! Which sets there are: those of `eval/`, and in addition those of the folder that `DURU_SHARED` names.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(super) struct QuestionSet {
    pub(super) name: String,
    pub(super) items: PathBuf,
    pub(super) kind: SetKind,
}

/// What a set measures, and what that needs beside the items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SetKind {
    Documents {
        corpus: PathBuf,
    },
    /// The lines are made by `eval/logs/lines`.
    Logs,
    Tables {
        base: Option<String>,
    },
    Conversations,
    Sufficiency,
}

impl SetKind {
    /// The words after `duru eval`, up to the file of the items.
    pub(super) fn words(&self) -> [&'static str; 2] {
        match self {
            Self::Documents { .. } => ["documents", "--questions"],
            Self::Logs => ["logs", "--questions"],
            Self::Tables { .. } => ["tables", "--items"],
            Self::Conversations => ["conversations", "--conversations"],
            Self::Sufficiency => ["sufficiency", "--cases"],
        }
    }
}

pub(super) fn all(root: &Path, shared: Option<&Path>) -> Result<Vec<QuestionSet>> {
    let eval = root.join("eval");
    let mut sets = Vec::new();
    for (folder, kind) in
        [("logs", SetKind::Logs), ("conversations", SetKind::Conversations), ("reuse", SetKind::Sufficiency)]
    {
        for items in entries(&eval.join(folder))? {
            if items.extension().is_some_and(|extension| extension == "jsonl") {
                let name = format!("{folder}/{}", stem(&items));
                sets.push(QuestionSet { name, items, kind: kind.clone() });
            }
        }
    }
    for folder in entries(&eval.join("documents"))? {
        let (items, corpus) = (folder.join("questions.jsonl"), folder.join("corpus"));
        if items.exists() {
            let name = format!("documents/{}", stem(&folder));
            sets.push(QuestionSet { name, items, kind: SetKind::Documents { corpus } });
        }
    }
    if let Some(shared) = shared {
        sets.extend(further(&eval, &shared.join("eval")));
    }
    Ok(sets)
}

/// Sets whose texts or databases are no part of this repository, as far as the folder has them.
fn further(own: &Path, shared: &Path) -> Vec<QuestionSet> {
    let statutes = SetKind::Documents { corpus: shared.join("law/corpus.jsonl") };
    let mut sets = vec![
        ("shared/law", shared.join("law/dev.jsonl"), statutes.clone()),
        ("shared/law-paraphrases", shared.join("law/paraphrases_dev.jsonl"), statutes.clone()),
        ("shared/sufficiency", shared.join("sufficiency/dev.jsonl"), SetKind::Sufficiency),
        ("shared/logs", shared.join("logs/dev.jsonl"), SetKind::Logs),
        (
            "shared/tables",
            shared.join("tables/dev.jsonl"),
            SetKind::Tables { base: std::env::var("DURU_EVAL_POSTGRES").ok() },
        ),
    ];
    if shared.join("law/corpus.jsonl").exists() {
        for name in ["documents/statutes", "documents/statutes2", "documents/statutes3"] {
            sets.push((name, own.join(format!("{name}.jsonl")), statutes.clone()));
        }
    }
    let sets = sets.into_iter().filter(|(_, items, _)| items.exists());
    sets.map(|(name, items, kind)| QuestionSet { name: name.to_owned(), items, kind }).collect()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort_unstable();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_has_sets_of_every_kind_that_it_can_measure() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let sets = all(root, None).unwrap();
        let has = |name: &str, words: [&str; 2]| {
            sets.iter().any(|set| set.name == name && set.kind.words() == words && set.items.exists())
        };
        assert!(has("conversations/first_conversations", SetKind::Conversations.words()));
        assert!(has("reuse/first_reuse_cases", SetKind::Sufficiency.words()));
        assert!(has("logs/oncall_questions", SetKind::Logs.words()));
        assert!(has("documents/documents3", ["documents", "--questions"]));
        let corpora = sets.iter().filter_map(|set| match &set.kind {
            SetKind::Documents { corpus } => Some(corpus),
            _ => None,
        });
        assert!(corpora.into_iter().all(|corpus| corpus.is_dir()), "every set has its documents");
    }

    #[test]
    fn what_the_shared_folder_has_is_added_to_our_own() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let own = all(root, None).unwrap().len();
        let nothing = std::env::temp_dir().join("no-such-shared-folder");
        assert_eq!(all(root, Some(&nothing)).unwrap().len(), own);
    }
}
