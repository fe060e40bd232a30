//! The agents' own interfaces over HTTP, beside those that every graph has.

mod analyst;
mod attached;
mod body;
pub(crate) mod documents;
mod drafts;
pub(crate) mod ingest_logs;
mod memory;
mod passages;
pub(crate) mod people;
mod query;
mod remarks;
mod socket;
pub(crate) mod tables;
mod tools;

use duru_server::{Access, KeyScope, Server, a2a, mcp, openai};

const ASK: Access = Access::Scope(KeyScope::Ask);
const INGEST: Access = Access::Scope(KeyScope::Ingest);
const CURATE: Access = Access::Scope(KeyScope::Curate);
/// One's own for everybody who may ask, everybody's for whoever may curate.
const OWN_REMARKS: Access = Access::Either(KeyScope::Ask, KeyScope::Curate);
/// One's own for whoever may take documents in, everybody's for whoever may curate.
const OWN_DOCUMENTS: Access = Access::Either(KeyScope::Ingest, KeyScope::Curate);

/// What may be asked is for whoever asks, and for whoever describes it.
const TABLES: Access = Access::Either(KeyScope::Ask, KeyScope::Curate);

/// A server with all of them.
pub(crate) fn mount(server: Server) -> Server {
    server
        .mount_with(query::routes)
        .mount_with(socket::routes)
        .mount_with(memory::routes)
        .mount_with(drafts::routes)
        .mount_with(openai::routes)
        .mount_with(|runs| mcp::routes(runs, tools::tools()))
        .mount_with(|runs| a2a::routes(runs, tools::tools()))
        .errors_as(openai::ERRORS)
        .errors_as(query::ERRORS)
}
