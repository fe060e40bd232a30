//! `duru logs …`: lines into a store, and what is in it.

mod attach;
mod bucket;
mod generate;
pub(crate) mod ingest;
mod init;
mod meter;
mod open;
mod preview;
mod problem;
mod samples;
mod stats;
mod take;
mod workers;

use crate::args::LogsArgs;
use crate::output::Output;

pub(crate) use bucket::{address as bucket_address, told_of};
pub(crate) use open::{Opened, are_kept, must_be_there, open, open_or_attach, open_or_sample, usual};
pub(crate) use problem::{Problem, lang};
pub(crate) use samples::{delete as delete_samples, only_samples};
pub(crate) use workers::join as work_together;

pub(crate) async fn run(args: &LogsArgs, output: &Output) -> Result<(), crate::problem::Problem> {
    match args {
        LogsArgs::Ingest(ingest) => ingest::run(ingest, output).await,
        LogsArgs::Init { url } => init::run(url, output).await,
        LogsArgs::Stats { logs } => stats::run(logs.as_deref(), output).await,
        LogsArgs::Generate(generate) => generate::run(generate, output).await,
    }
}
