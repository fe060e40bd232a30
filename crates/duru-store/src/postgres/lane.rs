//! Calls of one kind on their way to the server. Whatever waits while one group
//! is under way goes together in the next: one message, one transaction, one
//! wait for the disk. Nobody waits for company: a call that finds nothing under
//! way is sent at once.

use std::collections::HashSet;
use std::future::Future;
use std::hash::Hash;
use std::sync::Arc;

use duru::store::Error;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

use super::failure::Failure;
use super::queue::gone;
use super::read::Tables;

/// So many calls can wait before the next has to.
const LONGEST: usize = 1024;

/// At most so many calls share a transaction.
const MOST: usize = 128;

/// A call that may share a transaction with others of its kind. It may be sent
/// again if its answer is lost.
pub(super) trait Call: Send + Sync + Sized + 'static {
    /// What it does, for errors.
    const ACTION: &'static str;

    type Answer: Send;
    /// What it is about. A group has only one call about a thing, and is sorted
    /// by it: all groups lock in the same order.
    type About: Ord + Hash + Clone + Send;

    fn about(&self) -> Self::About;

    /// Sends a group; gives one answer for each.
    fn send(
        tables: &Tables,
        group: &[Self],
    ) -> impl Future<Output = Result<Vec<Result<Self::Answer, Error>>, Failure>> + Send;
}

struct Waiting<C: Call> {
    call: C,
    reply: oneshot::Sender<Result<C::Answer, Error>>,
}

/// The way of one kind of calls to the server.
pub(super) struct Lane<C: Call> {
    calls: mpsc::Sender<Waiting<C>>,
}

impl<C: Call> Lane<C> {
    /// Its task ends by itself when the lane is dropped and empty.
    pub(super) fn open(tables: Arc<Tables>, runtime: &Handle) -> Self {
        let (calls, queue) = mpsc::channel(LONGEST);
        runtime.spawn(Sender { tables, queue, next: None }.run());
        Self { calls }
    }

    pub(super) async fn call(&self, call: C) -> Result<C::Answer, Error> {
        let (reply, answer) = oneshot::channel();
        self.calls.send(Waiting { call, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

struct Sender<C: Call> {
    tables: Arc<Tables>,
    queue: mpsc::Receiver<Waiting<C>>,
    /// Taken out, and to be sent with the next group.
    next: Option<Waiting<C>>,
}

impl<C: Call> Sender<C> {
    async fn run(mut self) {
        while let Some((calls, replies)) = self.group().await {
            let answers = self.answers(&calls).await;
            for (reply, answer) in replies.into_iter().zip(answers) {
                // A caller that stopped waiting finds the result in the database.
                drop(reply.send(answer));
            }
        }
    }

    /// The calls that wait; none if there will be no more. Ends before another
    /// one about a thing that the group is about already.
    async fn group(&mut self) -> Option<(Vec<C>, Vec<oneshot::Sender<Result<C::Answer, Error>>>)> {
        let first = match self.next.take() {
            Some(waiting) => waiting,
            None => self.queue.recv().await?,
        };
        let mut about = HashSet::from([first.call.about()]);
        let mut group = vec![first];
        while group.len() < MOST
            && let Ok(waiting) = self.queue.try_recv()
        {
            if !about.insert(waiting.call.about()) {
                self.next = Some(waiting);
                break;
            }
            group.push(waiting);
        }
        group.sort_by_cached_key(|waiting| waiting.call.about());
        Some(group.into_iter().map(|Waiting { call, reply }| (call, reply)).unzip())
    }

    async fn answers(&self, calls: &[C]) -> Vec<Result<C::Answer, Error>> {
        match C::send(&self.tables, calls).await {
            Ok(answers) if answers.len() == calls.len() => answers,
            Ok(_) => {
                let error = Error::backend(C::ACTION, "the server's answer makes no sense");
                calls.iter().map(|_| Err(error.clone())).collect()
            }
            // One call must not undo its neighbours, so each is sent alone.
            Err(Failure::Refused(_)) if calls.len() > 1 => {
                let mut answers = Vec::with_capacity(calls.len());
                for call in calls.chunks(1) {
                    answers.extend(Box::pin(self.answers(call)).await);
                }
                answers
            }
            Err(failure) => {
                let error = failure.during(C::ACTION);
                calls.iter().map(|_| Err(error.clone())).collect()
            }
        }
    }
}
