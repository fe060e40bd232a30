//! The endpoints, a file for each part.

mod assistant_graph;
mod assistant_versions;
mod assistants;
mod commands;
mod crons;
mod dead;
mod edit;
mod event_socket;
mod events;
mod front;
pub(crate) mod openapi;
mod paging;
mod run_cancel;
mod run_watch;
mod runs;
mod state;
mod store;
mod submit;
mod supersteps;
mod system;
mod thread_search;
mod threads;
mod turns;

pub(crate) use run_cancel::stop;
pub(crate) use submit::{Purpose, last_assistant, submit};
pub(crate) use threads::{fresh_uuid, remove_thread, thread_id};

use crate::api::ApiRoutes;
use crate::guard::{Access, KeyScope};
use crate::hub::Shared;

pub use front::Page;

/// What most routes need: a key for asking.
const ASK: Access = Access::Scope(KeyScope::Ask);

/// Every endpoint of this crate.
pub(crate) fn routes(page: Option<Page>) -> ApiRoutes<Shared> {
    ApiRoutes::new()
        .merge(front::routes(page))
        .merge(system::routes())
        .merge(assistants::routes())
        .merge(assistant_versions::routes())
        .merge(assistant_graph::routes())
        .merge(threads::routes())
        .merge(thread_search::routes())
        .merge(state::routes())
        .merge(turns::routes())
        .merge(runs::routes())
        .merge(run_watch::routes())
        .merge(run_cancel::routes())
        .merge(store::routes())
        .merge(crons::routes())
        .merge(dead::routes())
        .merge(commands::routes())
        .merge(events::routes())
}
