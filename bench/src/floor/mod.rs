//! What the same work costs by hand, with tokio only: the floor under every case.

mod sqlite;

use std::future::Future;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, anyhow, bail};
use duru::Durability;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use crate::args::Args;
use crate::postgres::Rows;
use crate::store::{Folder, Kind};

pub(crate) use sqlite::Writer;

/// As `#[tokio::main]` makes it, or for one core.
pub(crate) fn runtime(args: &Args) -> Result<Runtime> {
    let built = match args.text("runtime", "many") {
        "many" => Builder::new_multi_thread().enable_all().build(),
        "one" => Builder::new_current_thread().enable_all().build(),
        other => bail!("runtime={other}: there are many and one"),
    };
    built.context("cannot start the runtime")
}

/// Runs the work as a program's own task would run: on a worker, not on the thread that waits.
pub(crate) fn on_worker<T: Send + 'static>(
    runtime: &Runtime,
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    runtime.block_on(async { tokio::spawn(work).await })?
}

/// One row per step or task, kept where the case keeps it, with the durability of the case.
pub(crate) enum Log {
    Nothing,
    Memory(Arc<Mutex<Vec<String>>>),
    Sqlite(Box<Sqlite>),
    Postgres(Box<Rows>),
}

pub(crate) struct Sqlite {
    writer: Writer,
    durability: Durability,
    /// What is written only at the end.
    held: Vec<String>,
    last: Option<oneshot::Receiver<()>>,
    folder: Folder,
}

impl Log {
    pub(crate) async fn open(kind: Kind, durability: Durability) -> Result<Self> {
        Ok(match kind {
            Kind::None => Self::Nothing,
            Kind::Memory => Self::Memory(Arc::default()),
            Kind::Sqlite => {
                let folder = Folder::new()?;
                let writer = Writer::open(&folder.database())?;
                Self::Sqlite(Box::new(Sqlite { writer, durability, held: Vec::new(), last: None, folder }))
            }
            Kind::Postgres(url) if durability == Durability::EachStep => {
                Self::Postgres(Box::new(Rows::open(&url).await?))
            }
            Kind::Postgres(_) => bail!("the floor on PostgreSQL is each-step only"),
        })
    }

    pub(crate) async fn write(&mut self, row: impl FnOnce() -> String) -> Result<()> {
        match self {
            Self::Nothing => {}
            Self::Memory(rows) => rows.lock().map_err(|_| anyhow!("poisoned"))?.push(row()),
            Self::Postgres(rows) => rows.write(&row()).await?,
            Self::Sqlite(log) => match log.durability {
                Durability::EachStep => log.writer.write(vec![row()]).await?.await?,
                Durability::Background => log.last = Some(log.writer.write(vec![row()]).await?),
                Durability::AtEnd => log.held.push(row()),
            },
        }
        Ok(())
    }

    /// Waits until everything is durable.
    pub(crate) async fn finish(&mut self) -> Result<()> {
        let Self::Sqlite(log) = self else { return Ok(()) };
        if !log.held.is_empty() {
            log.last = Some(log.writer.write(std::mem::take(&mut log.held)).await?);
        }
        if let Some(last) = log.last.take() {
            last.await?;
        }
        Ok(())
    }

    /// Ends the writer and looks at what it takes on disk.
    pub(crate) async fn stored_bytes(self) -> Result<Option<u64>> {
        Ok(match self {
            Self::Nothing | Self::Memory(_) => None,
            Self::Sqlite(log) => {
                let Sqlite { writer, folder, .. } = *log;
                drop(writer);
                Some(folder.stored_bytes()?)
            }
            Self::Postgres(rows) => Some(rows.stored_bytes().await?),
        })
    }
}
