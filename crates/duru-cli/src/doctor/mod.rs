//! `duru doctor`: what is well, what is not, and what to do. One file per check;
//! a new one is a file and a line in [`run`].

mod bucket;
mod clock;
mod configuration;
mod database;
mod disk;
mod documents;
mod finding;
mod logs;
mod model;
mod port;
mod store;
mod terminal;
mod traces;

use serde_json::json;

use crate::args::Args;
use crate::output::Output;
use crate::problem::Problem;
use finding::{Finding, State};

pub(crate) async fn run(offline: bool, args: &Args, output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    let mut findings = configuration::check(lang);
    findings.extend(model::check(offline, lang).await);
    findings.extend(store::check(args.store.as_ref(), lang).await);
    findings.extend(logs::check(lang).await);
    findings.extend(documents::check(lang).await);
    findings.extend(database::check(args.store.as_ref(), lang).await);
    findings.extend(disk::check(args.store.as_ref(), lang));
    findings.extend(port::check(lang).await);
    findings.extend(clock::check(args.store.as_ref(), lang).await);
    findings.extend(traces::check(offline, lang).await);
    findings.extend(terminal::check(lang));

    let well = findings.iter().all(|finding| finding.state != State::Bad);
    output.text(&findings.iter().map(|finding| finding.text(lang)).collect::<String>())?;
    let all: Vec<_> = findings.iter().map(Finding::json).collect();
    output.json(json!({ "well": well, "checks": all }))?;
    if well { Ok(()) } else { Err(Problem::Unwell) }
}
