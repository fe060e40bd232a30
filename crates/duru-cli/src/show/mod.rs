//! What a store's threads have done, and going back. Everything is read from
//! the log, so any graph's threads can be looked at.

mod changes;
mod checkpoint;
mod diff;
mod fork;
mod list;
mod moment;
mod picture;
mod table;
mod words;

pub(crate) use diff::diff;
pub(crate) use fork::fork;
pub(crate) use list::list;
pub(crate) use moment::moment;
pub(crate) use picture::Picture;
pub(crate) use table::{Align, lined_up, table, widest};

use duru::store::Head;
use duru::{ThreadId, ThreadLog};

use crate::agents::id_there;
use crate::args::Args;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;

/// A thread that is there.
pub(crate) struct Found {
    pub(crate) log: ThreadLog,
    pub(crate) head: Head,
}

/// Opens the store and looks the thread up: by its id, or by the name that an agent in a server was asked under.
pub(crate) async fn find(id: &str, args: &Args) -> Result<Found, Problem> {
    let id = ThreadId::new(id).map_err(|error| Problem::InvalidThread(error.to_string()))?;
    let unknown = |store: String| Problem::UnknownThread { id: id.to_string(), store };
    let Some(opened) = store::open_existing(args.store.as_ref()).await? else {
        return Err(unknown(store::usual().map(|file| file.display().to_string()).unwrap_or_default()));
    };
    let there = ThreadId::new(id_there(&id)).map_err(|error| Problem::InvalidThread(error.to_string()))?;
    for name in [&id, &there] {
        if let Some(head) = opened.store.head(name).await.map_err(Problem::Store)? {
            return Ok(Found { log: ThreadLog::new(opened.store, name.clone()), head });
        }
    }
    Err(unknown(opened.place.to_string()))
}

/// `duru threads show ID`
pub(crate) async fn thread(id: &str, args: &Args, output: &Output) -> Result<(), Problem> {
    let Found { log, head } = find(id, args).await?;
    let picture = Picture::load(&log, Some(head)).await?;
    picture.print(output)?;
    output.json(picture.json())
}
