//! Runs for the routes that a program mounts: begun, followed, answered and
//! stopped through the same queue and log as everybody else's.

mod came;
mod follow;
mod leaving;
mod past;
mod start;

use std::sync::Arc;

use duru::store::{Cancel, EntryKind, RunQuery, RunStatus, Seq};
use duru::{Mode, Question, RunId, Schemas, ThreadId, ThreadState};
use serde_json::{Map, Value, json};
use tokio_util::task::TaskTracker;

pub use came::Came;
pub use follow::{Following, Next, Watching};
pub use leaving::Leaving;
pub use start::{IfBusy, Start, Started};

use crate::caller::Caller;
use crate::error::{ApiError, ApiResult};
use crate::hub::Shared;
use crate::routes::{Purpose, fresh_uuid, last_assistant, stop, submit, thread_id};
use crate::scope::scoped;
use crate::stream::v2::run_of;
use crate::stream::{Leave, Tail};

/// What the routes of a program can do with runs; see
/// [`Server::mount_with`](crate::Server::mount_with).
#[derive(Clone)]
pub struct Runs {
    hub: Shared,
    /// Acting for a caller counts as one of its open responses: a socket is one, too.
    caller: Caller,
}

impl Runs {
    pub(crate) fn new(hub: Shared) -> Self {
        Self { hub, caller: Caller::at_this_machine() }
    }

    /// The same for somebody who asks: what they start is theirs, and they see
    /// nothing of others.
    pub fn acting_for(&self, caller: &Caller) -> Self {
        Self { hub: scoped(&self.hub, caller), caller: caller.clone() }
    }

    /// The caller that they act for.
    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Stops a run that only one client wants when that goes.
    pub fn leaving(&self, started: &Started) -> Leaving {
        Leaving(Leave { hub: self.hub.clone(), run: started.run, armed: true })
    }

    /// The names of the graphs that are served.
    pub fn graphs(&self) -> Vec<String> {
        self.hub.graphs.iter().map(|(id, _)| id.to_owned()).collect()
    }

    /// What goes into a graph and comes out of it; none if it is not served.
    pub fn schemas(&self, graph: &str) -> Option<&Schemas> {
        Some(self.hub.graphs.get(graph)?.app.graph().schemas())
    }

    /// A thread by the name that a client gave, or a new name.
    ///
    /// # Errors
    /// If it is no UUID.
    pub fn thread(&self, name: Option<&str>) -> Result<ThreadId, ApiError> {
        match name {
            Some(name) => thread_id(name),
            None => thread_id(&fresh_uuid().to_string()),
        }
    }

    /// Holds the end of a run back until the queue knows of it.
    pub(crate) async fn settled(&self, run: RunId) {
        self.hub.pool.settled(run).await;
    }

    /// Whether the catalog knows a thread.
    ///
    /// # Errors
    /// If the store can't be asked.
    pub async fn knows(&self, thread: &ThreadId) -> Result<bool, ApiError> {
        Ok(self.hub.stores.catalog.entry(EntryKind::Thread, thread.as_str()).await?.is_some())
    }

    /// Accepts a run. What is given back is durable: it is carried out whatever
    /// happens to this process. The thread is made if it is not there.
    ///
    /// # Errors
    /// If it is not accepted: the graph is unknown, the input does not fit it,
    /// the thread is busy, the queue is full, the store can't be reached.
    pub async fn start(&self, start: Start) -> Result<Started, ApiError> {
        // A run that can't begin leaves nothing in the log that a stream could show.
        let known = self.hub.assistant_for_run(&start.graph).await?;
        if let (Some(assistant), Some(input)) = (&known, start.input())
            && let Err(error) = self.hub.graph(&assistant.graph)?.app.graph().check_input(input)
        {
            return Err(ApiError::invalid(error.to_string()));
        }
        let thread = start.thread.clone();
        let (request, headers) = start.request();
        let thread = thread.as_ref().map(ThreadId::as_str);
        let purpose = if thread.is_none() { Purpose::Read } else { Purpose::Wait };
        let submitted = submit(&self.hub, thread, request, &headers, purpose).await?;
        let temporary = submitted.plan.temporary;
        Ok(Started {
            run: submitted.run.id,
            thread: submitted.run.thread,
            from: submitted.from,
            temporary,
            _reader: Some(Arc::new(submitted.follower)),
        })
    }

    /// Answers a question that a run asked. The first answer counts.
    ///
    /// # Errors
    /// 409 if nobody waits for this answer any more; otherwise as for [`Runs::start`].
    pub async fn answer(
        &self,
        thread: &ThreadId,
        question: &str,
        answer: Value,
    ) -> Result<Started, ApiError> {
        self.start(self.answering(thread, question, answer).await?).await
    }

    /// The run that answers a question, before it is started.
    pub(crate) async fn answering(
        &self,
        thread: &ThreadId,
        question: &str,
        answer: Value,
    ) -> Result<Start, ApiError> {
        let state = self.hub.log(&self.hub.visible(thread).await?).state().await?;
        if !state.questions().iter().any(|waiting| waiting.id.to_string() == question) {
            return Err(ApiError::conflict(format!("Nobody waits for an answer to {question:?}.")));
        }
        let Some(graph) = last_assistant(&self.hub, thread).await? else {
            return Err(ApiError::conflict("The thread has no run to answer."));
        };
        Ok(Start::answering(graph, json!({ question: answer })).on(thread.clone()).or(IfBusy::Reject))
    }

    /// Stops what waits or is under way on a thread. How many runs there were.
    ///
    /// # Errors
    /// If the store can't be asked.
    pub async fn cancel(&self, thread: &ThreadId) -> Result<usize, ApiError> {
        let statuses = vec![RunStatus::Pending, RunStatus::Running];
        let query = RunQuery { thread: Some(thread.clone()), statuses, ..RunQuery::default() };
        stop(&self.hub, query, Cancel::Interrupt).await
    }

    /// The events of a run from its beginning, wherever it runs, and then what came of it.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn follow(
        &self,
        started: &Started,
        modes: impl IntoIterator<Item = Mode>,
    ) -> Result<Following, ApiError> {
        let modes = modes.into_iter().collect();
        let tail = Tail::open(&self.hub, &started.thread, started.run, started.from, modes).await?;
        Ok(Following::new(self.hub.clone(), started.clone(), tail))
    }

    /// The events of a thread with a number above `after`, run after run, until the server stops.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn watch(
        &self,
        thread: &ThreadId,
        after: Option<Seq>,
        modes: impl IntoIterator<Item = Mode>,
    ) -> Result<Watching, ApiError> {
        let from = after.map_or(0, |after| after.saturating_add(1));
        let thread = self.hub.visible(thread).await?;
        let reader = self.hub.log(&thread).events(from, modes).await?;
        Ok(Watching::new(self.hub.clone(), &thread, reader))
    }

    /// What came of a run, once it is over.
    ///
    /// # Errors
    /// If the server stops before; the run goes on.
    pub async fn wait(&self, started: &Started) -> Result<Came, ApiError> {
        let mut following = self.follow(started, []).await?;
        loop {
            match following.next().await? {
                Next::Over(came) => return Ok(came),
                Next::Event(_) | Next::Silence => {}
                Next::Cut => return Err(ApiError::unavailable("The server is stopping. The run goes on.")),
            }
        }
    }

    /// The run that was last accepted on a thread, if it has not ended.
    ///
    /// # Errors
    /// If the store can't be asked.
    pub async fn under_way(&self, thread: &ThreadId) -> Result<Option<Started>, ApiError> {
        let statuses = vec![RunStatus::Pending, RunStatus::Running];
        let query =
            RunQuery { thread: Some(thread.clone()), statuses, limit: Some(1), ..RunQuery::default() };
        let Some(run) = self.hub.stores.runs.runs(query).await?.pop() else { return Ok(None) };
        self.come_back_to(&run).await.map(Some)
    }

    /// Where a thread stands: its values, and the questions that wait.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn state(&self, thread: &ThreadId) -> Result<(Map<String, Value>, Vec<Question>), ApiError> {
        let thread = self.hub.visible(thread).await?;
        Ok(parts(&self.hub.log(&thread).state().await?))
    }

    /// The same, before an event.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn state_before(
        &self,
        thread: &ThreadId,
        event: Seq,
    ) -> Result<(Map<String, Value>, Vec<Question>), ApiError> {
        let thread = self.hub.visible(thread).await?;
        Ok(parts(&self.hub.log(&thread).state_before(event).await?))
    }

    /// The number of the last event of a thread; none if nothing has happened there.
    ///
    /// # Errors
    /// If the store can't be read.
    pub async fn last_event(&self, thread: &ThreadId) -> Result<Option<Seq>, ApiError> {
        let head = self.hub.stores.checkpoints.head(thread).await?;
        Ok(head.and_then(|head| head.next_seq.checked_sub(1)))
    }

    /// The number of the event before the run that is under way or waits for an
    /// answer; that of the last event if there is none.
    pub(crate) async fn before_open_run(&self, thread: &ThreadId) -> Result<Option<Seq>, ApiError> {
        let Some(last) = self.last_event(thread).await? else { return Ok(None) };
        let state = self.hub.log(thread).state().await?;
        let open = !state.questions().is_empty() || self.under_way(thread).await?.is_some();
        if !open {
            return Ok(Some(last));
        }
        Ok(run_of(&self.hub, thread, last).await?.checked_sub(1))
    }

    /// Whether the log says how a run ended. One that could not begin, and one
    /// that was given up, end in the queue alone.
    pub(crate) async fn is_told(&self, started: &Started) -> Result<bool, ApiError> {
        let trace = self.hub.log(&started.thread).run(started.run).await?;
        Ok(trace.is_some_and(|trace| trace.end.is_some()))
    }

    /// Memory across threads, as nodes see it: everybody's.
    pub fn memories(&self) -> &Arc<dyn duru::store::Memories> {
        &self.hub.whole().stores.memories
    }

    /// Waits until the server stops.
    pub async fn stopped(&self) {
        self.hub.pool.stopped().await;
    }

    /// Waits until its runs have stopped, too: nothing more will happen here.
    pub(crate) async fn closed(&self) {
        self.hub.pool.closed().await;
    }

    /// Those who talk over sockets, for whom a server that stops waits.
    pub(crate) fn sockets(&self) -> &TaskTracker {
        &self.hub.sockets
    }
}

fn parts(state: &ThreadState) -> (Map<String, Value>, Vec<Question>) {
    (state.values.clone(), state.questions().into_iter().cloned().collect())
}

/// Whether a run is over, and how: what the queue says.
async fn settled(hub: &Shared, started: &Started) -> ApiResult<Option<RunStatus>> {
    let query = RunQuery { ids: vec![started.run], ..RunQuery::default() };
    Ok(hub.stores.runs.runs(query).await?.pop().map(|run| run.status))
}
