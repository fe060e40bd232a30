//! Something that every thread has a part of, so that threads seldom wait for each other.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) const SHARDS: usize = 16;

static NEXT: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static MINE: usize = NEXT.fetch_add(1, Ordering::Relaxed) % SHARDS;
}

#[derive(Default)]
pub(crate) struct Shards<T>([Apart<T>; SHARDS]);

/// On a cache line of its own.
#[derive(Default)]
#[repr(align(64))]
struct Apart<T>(Mutex<T>);

impl<T> Shards<T> {
    /// The number of this thread's part.
    pub(crate) fn mine() -> usize {
        MINE.try_with(|mine| *mine).unwrap_or_default()
    }

    /// A part. Whatever is kept in one is whole between any two statements that could panic.
    pub(crate) fn lock(&self, number: usize) -> MutexGuard<'_, T> {
        self.0[number % SHARDS].0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
