//! `duru docs`: documents in, passages out.

mod calibrate;
mod ingest;
mod library;
mod problem;
mod remarks;
mod search;
mod show;
pub(crate) mod uploads;
mod worker;

pub(crate) use ingest::{Sent, as_json as report_json, take_in};
pub(crate) use library::{Opened, folder, open_or_sample, put_samples_back};
pub(crate) use problem::DocsProblem;
pub(crate) use remarks::{all_json as remarks_json, as_json as remark_json, in_korean as of_remark};
pub(crate) use search::{as_json as found_json, found};

use crate::args::{DocsAction, DocsArgs};
use crate::output::Output;
use crate::problem::Problem;

pub(crate) async fn run(args: &DocsArgs, output: &Output) -> Result<(), Problem> {
    // The process that reads one file needs no index.
    if let DocsAction::Read { path, limited } = &args.action {
        return if *limited { worker::serve(path) } else { worker::confine(path) };
    }
    let opened = match &args.action {
        // Whoever searches wants to find something.
        DocsAction::Search { .. } => open_or_sample(&args.place, output).await?,
        _ => Opened::of(&args.place).await?,
    };
    match &args.action {
        DocsAction::Ingest { paths, category, dry_run } => {
            ingest::run(&opened, paths, category.as_deref(), *dry_run, output).await
        }
        DocsAction::Calibrate => calibrate::run(&opened, &args.place, output).await,
        DocsAction::List => show::list(&opened, output).await,
        DocsAction::Show { id } => show::show(&opened, id, output).await,
        DocsAction::Remove { id, dry_run } => {
            let uploads = uploads::Uploads::beside(&folder(&args.place))?;
            show::remove(&opened, &uploads, (id, *dry_run), output).await
        }
        DocsAction::Feedback { chunk, verdict, text } => {
            remarks::say(&opened, chunk, (verdict, text), output).await
        }
        DocsAction::Remarks(action) => remarks::run(&opened, action, output).await,
        DocsAction::Search { question, top, law, category } => {
            let wanted =
                search::Wanted { question, top: *top, law: law.as_deref(), category: category.as_deref() };
            search::run(&opened, &wanted, output).await
        }
        DocsAction::Read { .. } => Ok(()),
    }
}
