//! The agents' own interfaces over HTTP, beside those that every graph has.

mod analyst;
mod body;
pub(crate) mod documents;
mod drafts;
pub(crate) mod ingest_logs;
mod memory;
pub(crate) mod people;
mod query;
mod socket;
mod tools;

use duru_server::{Described, Server, a2a, mcp, openai};

/// What these routes are for.
const DESCRIBED: &[Described] = &[
    Described::new("post", "/query", "Ask about logs; as a stream where text/event-stream is accepted"),
    Described::new("get", "/ws/query", "A WebSocket: ask about logs, see how it goes, answer, cancel"),
    Described::new("get", "/ws/{thread_id}", "A WebSocket: talk to the advisor, from frame `after` on"),
    Described::new("get", "/documents", "Collections and documents"),
    Described::new("post", "/documents", "Take documents in: a form with files, or a body with ?name="),
    Described::new("post", "/documents/search", "Find passages, and why they fit"),
    Described::new("post", "/documents/feedback", "Say how a passage served"),
    Described::new("get", "/documents/passage", "A passage by ?id=, and what stands around it"),
    Described::new("get", "/documents/{id}", "The passages of a document"),
    Described::new("delete", "/documents/{id}", "Take a document out"),
    Described::new("get", "/drafts/{id}", "A document that the advisor made for you, to download"),
    Described::new("get", "/memory", "What the advisor remembers of you"),
    Described::new("delete", "/memory", "Forget all of it"),
    Described::new("delete", "/memory/{id}", "Forget one thing"),
    Described::new("post", "/logs/ingest", "Take log lines in"),
    Described::new("post", "/ws/ticket", "A ticket for one WebSocket, for browsers"),
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
