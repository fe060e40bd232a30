//! How many answers somebody has open at once: streams, sockets, and those that are waited for.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::pass::Pass;

/// How many each has.
#[derive(Debug, Clone, Default)]
pub(super) struct Open(Arc<Mutex<HashMap<Arc<str>, u32>>>);

/// One of them, for as long as it lives.
#[derive(Debug)]
pub(crate) struct Held {
    open: Open,
    who: Arc<str>,
}

impl Open {
    /// One more, unless there are so many already.
    pub(super) fn take(&self, who: &Arc<str>, most: u32) -> Option<Arc<Held>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match open.get_mut(who) {
            Some(count) if *count >= most => return None,
            Some(count) => *count += 1,
            None => drop(open.insert(Arc::clone(who), 1)),
        }
        Some(Arc::new(Held { open: self.clone(), who: Arc::clone(who) }))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut open = self.open.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.who) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.who);
            }
        }
    }
}

/// Counts an answer as open until its last byte is taken, if it is not there as a whole. It ends with the key.
pub(super) fn until_sent(response: Response, held: Arc<Held>, pass: Option<Pass>) -> Response {
    if response.body().size_hint().exact().is_some() {
        return response;
    }
    let revoked = pass.map(|pass| Box::pin(pass.revoked()) as Pin<Box<dyn Future<Output = ()> + Send>>);
    response.map(|body| Body::new(Sending { body, revoked, over: false, _held: held }))
}

struct Sending {
    body: Body,
    revoked: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    over: bool,
    _held: Arc<Held>,
}

impl HttpBody for Sending {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(revoked) = &mut self.revoked
            && revoked.as_mut().poll(cx).is_ready()
        {
            (self.revoked, self.over) = (None, true);
        }
        if self.over {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.over || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
