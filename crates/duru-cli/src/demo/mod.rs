//! The example: draft → three checks at once → ask a person → publish once.

mod article;
mod ask;
mod nodes;
mod outbox;
mod progress;
mod reset;
mod run;

pub(crate) use article::{Verdict, compile};
pub(crate) use reset::reset;
pub(crate) use run::run;

use std::time::Duration;

use duru::ErasedGraph;

use crate::problem::Problem;
use crate::store::{self, Place};

/// The example for a server.
pub(crate) fn to_serve(place: &Place, pace: Duration) -> Result<ErasedGraph, Problem> {
    let outbox = outbox::Outbox::beside(&store::file_beside(place)?);
    Ok(compile()?.provide(outbox).provide(nodes::Pace(pace)).erased())
}
