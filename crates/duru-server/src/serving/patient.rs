//! Bodies that must come at a walking pace at least.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep};

/// So many bytes are a piece. A byte now and then is nothing.
const PIECE: usize = 16 << 10;

/// A body that fails when its next piece is waited for too long.
pub(super) struct Patient<B> {
    body: B,
    patience: Duration,
    /// What has come of the piece, and how long it was waited for.
    came: usize,
    waited: Duration,
    /// Only what the client takes counts, not what the reader does in between.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<B> Patient<B> {
    pub(super) fn new(body: B, patience: Duration) -> Self {
        Self { body, patience, came: 0, waited: Duration::ZERO, waiting: None }
    }
}

impl<B> HttpBody for Patient<B>
where
    B: HttpBody<Data = Bytes, Error: Into<Box<dyn Error + Send + Sync>>> + Unpin,
{
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let this = &mut *self;
        let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(cx) else {
            let left = this.patience.saturating_sub(this.waited);
            let (_, over) =
                this.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(tokio::time::sleep(left))));
            ready!(over.as_mut().poll(cx));
            return Poll::Ready(Some(Err(io::Error::from(io::ErrorKind::TimedOut).into())));
        };
        if let Some((since, _)) = this.waiting.take() {
            this.waited += since.elapsed();
        }
        if let Some(Ok(frame)) = &frame {
            this.came += frame.data_ref().map_or(0, Bytes::len);
            if this.came >= PIECE {
                (this.came, this.waited) = (0, Duration::ZERO);
            }
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Whether a body could not be read because it was waited for too long.
pub(crate) fn is_impatience(error: &(dyn Error + 'static)) -> bool {
    let mut source = Some(error);
    while let Some(error) = source {
        if error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut) {
            return true;
        }
        source = error.source();
    }
    false
}
