//! Where spans wait to be sent. Ending one never waits.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::export::Counts;
use crate::otlp::Head;
use crate::settings::Traces;
use crate::shards::{SHARDS, Shards};
use crate::span::Span;

/// Spans are written as they are sent by whoever ends them: to hand each one over to another thread, and to wake it,
/// would cost more than the span.
pub(crate) struct Queue {
    /// What stands before every batch.
    head: Head,
    /// The most spans of a batch.
    batch: u64,
    /// When so many wait, no batch is begun.
    most: u64,
    /// Each thread fills one.
    open: Shards<Batch>,
    full: Mutex<VecDeque<Batch>>,
    /// The spans of those that are full.
    waiting: AtomicU64,
    /// A batch is full.
    filled: Notify,
    counts: Arc<Counts>,
}

/// The body of one request.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(crate) body: Vec<u8>,
    pub(crate) spans: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// Only what can take no more.
    Full,
    All,
}

impl Queue {
    pub(crate) fn new(traces: &Traces, counts: Arc<Counts>) -> Self {
        Self {
            head: Head::new(&traces.resource),
            batch: traces.batch as u64,
            most: traces.queue as u64,
            open: Shards::default(),
            full: Mutex::default(),
            waiting: AtomicU64::new(0),
            filled: Notify::new(),
            counts,
        }
    }

    pub(crate) fn push(&self, span: &Span) {
        let mut open = self.open.lock(Shards::<Batch>::mine());
        if open.spans == 0 && self.waiting.load(Ordering::Relaxed) >= self.most {
            return self.counts.drop_one();
        }
        self.head.add(&mut open.body, span);
        open.spans += 1;
        if open.spans >= self.batch {
            // The next one will be about as long.
            let next = Batch { body: Vec::with_capacity(open.body.len()), spans: 0 };
            let full = std::mem::replace(&mut *open, next);
            drop(open);
            self.waiting.fetch_add(full.spans, Ordering::Relaxed);
            self.full().push_back(full);
            self.filled.notify_one();
        }
    }

    /// Waits until a batch is full.
    pub(crate) async fn filled(&self) {
        self.filled.notified().await;
    }

    /// The oldest batch, ready to be sent.
    pub(crate) fn take(&self, which: Which) -> Option<Batch> {
        let full = self.full().pop_front();
        if let Some(full) = &full {
            self.waiting.fetch_sub(full.spans, Ordering::Relaxed);
        }
        let open = |number| {
            let mut open = self.open.lock(number);
            (open.spans > 0).then(|| std::mem::take(&mut *open))
        };
        let open = || (0..SHARDS).filter(|_| which == Which::All).find_map(open);
        let mut batch = full.or_else(open)?;
        self.head.end(&mut batch.body);
        Some(batch)
    }

    /// What waits is whole between any two statements that could panic.
    fn full(&self) -> MutexGuard<'_, VecDeque<Batch>> {
        self.full.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::pin::pin;
    use std::task::{self, Waker};

    use serde_json::Value;

    use super::*;
    use crate::context::Context;
    use crate::otlp_json;
    use crate::span::Attributes;

    /// A queue of which every batch has so many spans.
    pub(crate) fn queue(batch: u64, most: u64) -> Queue {
        let (open, full, waiting) = (Shards::default(), Mutex::default(), AtomicU64::new(0));
        let (head, filled, counts) = (Head::new(&[]), Notify::new(), Arc::default());
        Queue { head, batch, most, open, full, waiting, filled, counts }
    }

    fn span(number: u64) -> Span {
        let context = Context { trace: 1, span: number, sampled: true };
        Span { context, parent: None, name: "one", said: Attributes::default(), start_ns: 1, end_ns: 2 }
    }

    fn ids(batch: Option<Batch>) -> Vec<u64> {
        let Some(batch) = batch else { return Vec::new() };
        let json: Value = serde_json::from_slice(&otlp_json::json(&batch.body).unwrap()).unwrap();
        let spans = json["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone();
        assert_eq!(spans.len() as u64, batch.spans);
        spans.iter().map(|span| u64::from_str_radix(span["spanId"].as_str().unwrap(), 16).unwrap()).collect()
    }

    #[test]
    fn batches_are_full_or_taken_early_and_what_has_no_room_is_counted() {
        let queue = queue(2, 3);
        (1..=7).for_each(|number| queue.push(&span(number)));
        // Two batches are full, and so there is no third one.
        assert_eq!(queue.counts.dropped(), 3);
        assert_eq!(ids(queue.take(Which::Full)), [1, 2]);
        // What was taken makes room.
        queue.push(&span(8));
        assert_eq!(ids(queue.take(Which::Full)), [3, 4]);
        assert!(queue.take(Which::Full).is_none(), "the third batch is not full");
        assert_eq!(ids(queue.take(Which::All)), [8]);
        assert!(queue.take(Which::All).is_none());
        assert_eq!((queue.waiting.load(Ordering::Relaxed), queue.counts.dropped()), (0, 3));
    }

    #[test]
    fn what_several_threads_say_is_all_there() {
        let queue = queue(10, 1_000);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let queue = &queue;
                scope.spawn(move || (1..=25).for_each(|number| queue.push(&span(thread * 100 + number))));
            }
        });
        let batches = std::iter::from_fn(|| queue.take(Which::All));
        let mut all: Vec<_> = batches.flat_map(|batch| ids(Some(batch))).collect();
        all.sort_unstable();
        let expected: Vec<_> =
            (0..4).flat_map(|thread| (1..=25).map(move |number| thread * 100 + number)).collect();
        assert_eq!(all, expected);
    }

    #[test]
    fn whoever_sends_is_woken_by_a_full_batch_and_by_nothing_less() {
        let queue = queue(2, 5);
        let woken = || pin!(queue.filled()).poll(&mut task::Context::from_waker(Waker::noop())).is_ready();
        queue.push(&span(1));
        assert!(!woken());
        queue.push(&span(2));
        assert!(woken());
        assert!(!woken(), "once for each batch");
    }
}
