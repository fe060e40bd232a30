//! The log store that was named, or the folder of this person's own.

use std::path::PathBuf;
use std::sync::Arc;

use duru_logs::{BucketLogs, EmbeddedLogs, Options};
use duru_sql::generate::{Generator, Plan};
use duru_sql::postgres::{self, PostgresLogs};
use duru_sql::{Catalog, LogStore, ingest};

use super::attach;
use super::bucket;
use super::meter::Meter;
use super::problem::Problem;
use super::samples;
use crate::output::Output;
use crate::store::{self, Place};

/// So many lines are made for somebody who has none.
const SAMPLE: u64 = 20_000;

/// A store that is open, and what may be asked of it.
pub(crate) struct Opened {
    pub(crate) store: Arc<dyn LogStore>,
    pub(crate) catalog: Arc<Catalog>,
    /// The same, where it is in object storage.
    pub(crate) bucket: Option<Arc<BucketLogs>>,
}

/// What can be asked: a store, or log files as they are.
pub(crate) async fn open_or_attach(place: Option<&str>, output: &Output) -> Result<Opened, Problem> {
    if let Some(Place::File(path)) = place.map(|place| Place::named(place.to_owned()))
        && let Some(files) = attach::files(&path)?
    {
        return attach::open(&files, output).await;
    }
    open(place).await
}

/// Who only asks makes no new folder by a slip of the pen.
pub(crate) async fn must_be_there(place: Option<&str>) -> Result<(), Problem> {
    match place.map(|place| Place::named(place.to_owned())) {
        Some(Place::File(path)) if !path.exists() => Err(Problem::Nothing { path }),
        Some(Place::Bucket(address)) => bucket::must_be_there(&address).await,
        _ => Ok(()),
    }
}

/// Opens the store. A folder is made if there is none; a database is left as it is: `duru logs init` makes a store
/// there.
pub(crate) async fn open(place: Option<&str>) -> Result<Opened, Problem> {
    match place.map(|place| Place::named(place.to_owned())) {
        Some(Place::Url(url)) => {
            let options = postgres::Options { make: false, ..postgres::Options::default() };
            let store = PostgresLogs::connect_with(&url, options).await.map_err(Problem::Store)?;
            Ok(Opened { catalog: store.catalog(), store: Arc::new(store), bucket: None })
        }
        Some(Place::Bucket(address)) => bucket::open(&address).await,
        Some(Place::File(folder)) => embedded(folder).await,
        None => embedded(usual().ok_or(Problem::NoPlace)?).await,
    }
}

/// The store to ask. Where none was named and nothing is kept yet, sample lines
/// are made, and that is said.
pub(crate) async fn open_or_sample(place: Option<&str>, output: &Output) -> Result<Opened, Problem> {
    let opened = open_or_attach(place, output).await?;
    if place.is_none() {
        let knowledge = opened.store.knowledge().await.map_err(Problem::Store)?;
        if knowledge.tables.iter().all(|table| table.estimated_rows == 0) {
            sample(&*opened.store, output).await?;
        }
    }
    Ok(opened)
}

async fn embedded(folder: PathBuf) -> Result<Opened, Problem> {
    // Where it can't be made, opening it says why.
    drop(store::make_private(&folder));
    let store = EmbeddedLogs::open(&folder, Options::default()).await.map_err(Problem::Store)?;
    Ok(Opened { store: Arc::new(store), catalog: Arc::new(Catalog::logs()), bucket: None })
}

/// Whether this person's own folder is there.
pub(crate) fn are_kept() -> bool {
    usual().is_some_and(|folder| folder.exists())
}

pub(crate) fn usual() -> Option<PathBuf> {
    Some(store::usual()?.parent()?.join("logs"))
}

async fn sample(store: &dyn LogStore, output: &Output) -> Result<(), Problem> {
    let folder = usual().map(|folder| folder.display().to_string()).unwrap_or_default();
    output.progress(&output.lang.pick(
        format!("아직 로그가 없어 견본 로그 {SAMPLE}줄을 만듭니다 ({folder}). 여러분의 로그는 `duru logs ingest`로 넣습니다."),
        format!("There are no logs yet: making {SAMPLE} sample lines in {folder}. `duru logs ingest` takes in your own."),
    ));
    let plan = Plan { rows: SAMPLE, seed: 1, now: jiff::Timestamp::now(), days: 14 };
    let mut meter = Meter::new(output);
    let mut show = |done: u64| meter.show(|| format!("{done}/{SAMPLE}"));
    ingest::records(store, Generator::new(plan), &mut show).await.map_err(Problem::Store)?;
    meter.clear();
    samples::were_made(SAMPLE);
    Ok(())
}
