//! Where everything is.

use std::path::PathBuf;

use super::DataProblem;
use crate::args::{Args, DataArgs};
use crate::store::{self, Place, Shards};
use crate::{docs, logs, settings};

/// Where this person's data is, whether it is there or not.
pub(super) struct Places {
    pub(super) store: Place,
    pub(super) logs: Place,
    pub(super) documents: Place,
    /// Files that people sent.
    pub(super) uploads: PathBuf,
    /// Files of one's own beside the store, and what they are called in a copy.
    pub(super) beside: Vec<(PathBuf, &'static str)>,
    pub(super) settings: Option<PathBuf>,
}

impl Places {
    pub(super) fn of(asked: &DataArgs, args: &Args) -> Result<Self, DataProblem> {
        let nowhere = || DataProblem::Io { path: "~".into(), source: std::io::ErrorKind::NotFound.into() };
        let store = match &args.store {
            Some(place) => place.clone(),
            None => Place::File(store::usual().ok_or_else(nowhere)?),
        };
        let logs = match &asked.logs {
            Some(place) => Place::named(place.clone()),
            None => Place::File(logs::usual().ok_or_else(nowhere)?),
        };
        let folder = docs::folder(&asked.documents);
        let documents = match &asked.documents.index {
            Some(place @ Place::Url(_)) => place.clone(),
            _ => Place::File(folder.clone()),
        };
        let file = match &store {
            Place::File(file) => Some(file.clone()),
            Place::Url(_) | Place::Bucket(_) => store::usual(),
        };
        let beside = |file: PathBuf| {
            [
                (file.with_extension("published.jsonl"), "store/published.jsonl"),
                (file.with_file_name("audit.jsonl"), "store/audit.jsonl"),
            ]
        };
        let beside = file.map(beside).into_iter().flatten().collect();
        let (uploads, settings) = (folder.with_file_name("uploads"), settings::user_file());
        Ok(Self { store, logs, documents, uploads, beside, settings })
    }

    /// The parts that are databases of their own, and how to copy each.
    pub(super) fn dumps(&self) -> Vec<(&'static str, String)> {
        let mut dumps: Vec<(&'static str, String)> = Vec::new();
        for (name, place) in [("store", &self.store), ("logs", &self.logs), ("documents", &self.documents)] {
            if let Ok(Some(shards)) = Shards::of(place) {
                for (shard, url) in shards.databases {
                    let (file, place) = (format!("duru-{name}-{shard}.dump"), Place::named(url));
                    dumps.push((name, format!("pg_dump --format=custom --file={file} '{place}'")));
                }
            } else if let Place::Url(_) = place {
                let file = format!("duru-{name}.dump");
                dumps.push((name, format!("pg_dump --format=custom --file={file} '{place}'")));
            }
        }
        dumps
    }
}
