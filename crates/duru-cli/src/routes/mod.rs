//! The agents' own interfaces over HTTP, beside those that every graph has.

mod analyst;
mod body;
pub(crate) mod documents;
mod drafts;
pub(crate) mod ingest_logs;
mod memory;
pub(crate) mod people;
mod query;
mod remarks;
mod socket;
pub(crate) mod tables;
mod tools;

use duru_server::{Access, Described, KeyScope, Server, a2a, mcp, openai};

const ASK: Access = Access::Scope(KeyScope::Ask);
const INGEST: Access = Access::Scope(KeyScope::Ingest);
const CURATE: Access = Access::Scope(KeyScope::Curate);
/// One's own for everybody who may ask, everybody's for whoever may curate.
const OWN_REMARKS: Access = Access::Either(KeyScope::Ask, KeyScope::Curate);
/// One's own for whoever may take documents in, everybody's for whoever may curate.
const OWN_DOCUMENTS: Access = Access::Either(KeyScope::Ingest, KeyScope::Curate);

/// What may be asked is for whoever asks, and for whoever describes it.
const TABLES: Access = Access::Either(KeyScope::Ask, KeyScope::Curate);

/// What these routes are for, and which key each needs.
#[rustfmt::skip]
const DESCRIBED: &[Described] = &[
    Described::new("post", "/query", "Ask about logs; as a stream where text/event-stream is accepted", ASK),
    Described::new("get", "/ws/query", "A WebSocket: ask about logs, see how it goes, answer, cancel", ASK),
    Described::new("get", "/ws/{thread_id}", "A WebSocket: talk to the advisor, from frame `after` on", ASK),
    Described::new("get", "/documents", "Collections and documents", ASK),
    Described::new("post", "/documents", "Upload documents: a form with files, or a body with ?name=", INGEST),
    Described::new("post", "/documents/search", "Find passages, and why they fit", ASK),
    Described::new("post", "/documents/feedback", "Remark on a passage: a source of its own, for you alone until it is accepted", ASK),
    Described::new("get", "/documents/remarks", "Your remarks; everybody's with the scope curate", OWN_REMARKS),
    Described::new("delete", "/documents/remarks/{id}", "Delete a remark: yours, or anybody's with the scope curate", OWN_REMARKS),
    Described::new("post", "/documents/remarks/{id}/accept", "Accept a remark, so that it counts for everybody", CURATE),
    Described::new("post", "/documents/remarks/{id}/decline", "Decline a remark, so that it counts for its author alone", CURATE),
    Described::new("get", "/documents/passage", "A passage by ?id=, and its surroundings", ASK),
    Described::new("get", "/documents/{id}", "The passages of a document", ASK),
    Described::new("delete", "/documents/{id}", "Delete a document: yours, or anybody's with the scope curate", OWN_DOCUMENTS),
    Described::new("get", "/drafts/{id}", "A document that the advisor made for you, to download", ASK),
    Described::new("get", "/memory", "What the advisor remembers of you", ASK),
    Described::new("delete", "/memory", "Forget all of it", ASK),
    Described::new("patch", "/memory/{id}", "Put a fact right: {\"value\": …}", ASK),
    Described::new("delete", "/memory/{id}", "Forget one thing", ASK),
    Described::new("get", "/tables", "What can be asked: sources and their tables, as far as this key may ask them", TABLES),
    Described::new("get", "/tables/{table}", "A table's columns: types, descriptions, synonyms, some values; of ?source= where several have such a table", TABLES),
    Described::new("patch", "/tables/{table}", "Change a table's description and synonyms, for everybody", CURATE),
    Described::new("patch", "/tables/{table}/columns/{column}", "Change a column's description and synonyms, for everybody", CURATE),
    Described::new("post", "/logs/ingest", "Take log lines in", INGEST),
    Described::new("post", "/ws/ticket", "A ticket for one WebSocket, for browsers", Access::AnyKey),
];

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
        .describe(DESCRIBED)
        .describe(openai::DESCRIBED)
        .describe(mcp::DESCRIBED)
        .describe(a2a::DESCRIBED)
        .errors_as(openai::ERRORS)
        .errors_as(query::ERRORS)
}
