//! What a store file's threads have done.

mod list;
mod picture;
mod table;

pub(crate) use list::list;
pub(crate) use picture::{Picture, graph_of};

use crate::args::Args;
use crate::demo::compile;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;

/// `duru threads show ID`
pub(crate) async fn thread(id: &str, args: &Args, output: &Output) -> Result<(), Problem> {
    let unknown = |file| Problem::UnknownThread { id: id.to_owned(), file };
    let Some(opened) = store::open_existing(args.store.as_deref())? else {
        return Err(unknown("demo.db".into()));
    };
    // State and history come from the log as JSON: any graph can read any thread.
    let app = compile()?.on(opened.store);
    let thread = app.thread(id)?;
    if app.store().head(thread.id()).await.map_err(Problem::Store)?.is_none() {
        return Err(unknown(opened.file));
    }
    let picture = Picture::load(&app, &thread).await?;
    picture.print(output)?;
    output.json(picture.json())
}
