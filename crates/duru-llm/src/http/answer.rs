//! An answer whose head is good.

use super::Events;
use super::body::Body;
use crate::Error;

/// A good answer: a stream if the server can, else a whole.
pub(crate) enum Answer {
    Events(Box<Events>),
    Whole(Vec<u8>),
}

impl Answer {
    /// By its content type. A page of a proxy or a login is no answer.
    pub(super) async fn of(body: Body, content_type: &str) -> Result<Answer, Error> {
        if content_type.contains("event-stream") || content_type.is_empty() {
            return Ok(Answer::Events(Box::new(body.events())));
        }
        if content_type.contains("json") {
            return Ok(Answer::Whole(body.whole().await?));
        }
        Err(body.server.bad_reply(&format!("its content type is {content_type:?}; is the address right?")))
    }
}
