//! What is done on the socket for one request.

use std::time::Duration;

use serde_json::{Value, json};

use super::request::{Seen, Wire};
use super::{Says, Turn, anthropic, fault, openai, responses};

/// The head of a response and what follows it, one after the other.
pub(super) struct Plan {
    /// `None` if not even that comes.
    pub(super) head: Option<Head>,
    pub(super) acts: Vec<Act>,
}

pub(super) struct Head {
    pub(super) status: u16,
    pub(super) content_type: &'static str,
    pub(super) headers: Vec<(&'static str, String)>,
}

pub(super) enum Act {
    /// As one chunk of the body.
    Send(Vec<u8>),
    Pause(Duration),
    /// Nothing more, until the other side gives up.
    Hang,
    /// The connection is torn down as if the process had died.
    Reset,
}

impl Plan {
    pub(super) fn of(turn: &Turn, seen: &Seen) -> Plan {
        match turn {
            _ if seen.wire == Wire::Unknown => {
                Plan::json(404, json!({"error": {"message": "no such page", "type": "not_found_error"}}))
            }
            Turn::Says(says) => Plan::good(says, seen),
            Turn::Fails(fault) => fault::plan(fault, seen),
        }
    }

    /// The answer as the request wants it.
    pub(super) fn good(says: &Says, seen: &Seen) -> Plan {
        if !seen.wants_stream() {
            return Plan::whole(says, seen);
        }
        let mut acts = Vec::new();
        for frame in frames(says, seen) {
            acts.push(Act::Send(frame.into_bytes()));
            if !says.pause.is_zero() {
                acts.push(Act::Pause(says.pause));
            }
        }
        Plan::stream(acts)
    }

    /// The answer as a whole, even if a stream is wanted.
    pub(super) fn whole(says: &Says, seen: &Seen) -> Plan {
        let body = match seen.wire {
            Wire::Anthropic => anthropic::whole(says, seen),
            Wire::Embeddings => openai::vectors(seen),
            Wire::Responses => responses::whole(says, seen),
            Wire::OpenAi | Wire::Unknown => openai::whole(says),
        };
        Plan::json(200, body)
    }

    pub(super) fn stream(acts: Vec<Act>) -> Plan {
        Plan {
            head: Some(Head { status: 200, content_type: "text/event-stream", headers: Vec::new() }),
            acts,
        }
    }

    pub(super) fn json(status: u16, body: Value) -> Plan {
        let head = Head { status, content_type: "application/json", headers: Vec::new() };
        Plan { head: Some(head), acts: vec![Act::Send(body.to_string().into_bytes())] }
    }
}

/// The events of a stream, as text.
pub(super) fn frames(says: &Says, seen: &Seen) -> Vec<String> {
    match seen.wire {
        Wire::Anthropic => anthropic::frames(says, seen),
        Wire::Responses => responses::frames(says, seen),
        _ => openai::frames(says),
    }
}
