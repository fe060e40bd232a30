//! `duru docs`: documents in, passages out.

mod ingest;
mod library;
mod problem;
mod search;
mod show;
mod worker;

pub(crate) use ingest::{as_json as report_json, take_in};
pub(crate) use library::{Opened, folder, open_or_sample, put_samples_back};
pub(crate) use problem::DocsProblem;
pub(crate) use search::{as_json as found_json, found};

use duru_search::{Verdict, browse};
use serde_json::json;

use crate::args::{DocsAction, DocsArgs, LOCAL_USER};
use crate::output::Output;
use crate::problem::Problem;

pub(crate) async fn run(args: &DocsArgs, output: &Output) -> Result<(), Problem> {
    // The process that reads one file needs no index.
    if let DocsAction::Read { path } = &args.action {
        return worker::serve(path);
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
        DocsAction::List => show::list(&opened, output).await,
        DocsAction::Show { id } => show::show(&opened, id, output).await,
        DocsAction::Remove { id, dry_run } => show::remove(&opened, id, *dry_run, output).await,
        DocsAction::Feedback { chunk, verdict, text } => {
            let verdict = Verdict::from_word(verdict).unwrap_or(Verdict::Note);
            let said = browse::Said { verdict, text, by: Some(LOCAL_USER) };
            let known = browse::say(&*opened.index, chunk, said).await.map_err(DocsProblem::Index)?;
            if !known {
                return Err(DocsProblem::Unknown(chunk.clone()).into());
            }
            output.text(output.lang.pick("적어 두었습니다.\n", "Noted.\n"))?;
            output.json(json!({ "chunk": chunk, "verdict": verdict.word() }))
        }
        DocsAction::Search { question, top, law, category } => {
            let wanted =
                search::Wanted { question, top: *top, law: law.as_deref(), category: category.as_deref() };
            search::run(&opened, &wanted, output).await
        }
        DocsAction::Read { .. } => Ok(()),
    }
}
