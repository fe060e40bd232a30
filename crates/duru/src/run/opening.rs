//! What a run has to begin with, given where its thread stands.

use serde_json::{Map, Value};

use super::Start;
use crate::cx::Question;
use crate::error::Error;
use crate::log::{Answer, Begin, EndStatus, Source};
use crate::options::Unfinished;
use crate::state::Json;
use crate::view::View;
use crate::{InterruptId, Namespace, TaskId, ThreadId};

/// The next thing to do on a thread.
pub(super) enum Phase {
    /// Go on with what is planned. `then_start` when the run's own start still follows.
    Continue { answers: Vec<(Namespace, Answer)>, begin: Begin, then_start: bool },
    /// Take the run's own input.
    Input { begin: Begin, discarded: Vec<InterruptId> },
}

pub(super) struct Ask<'a> {
    pub(super) thread: &'a ThreadId,
    pub(super) graph: &'a str,
    pub(super) start: &'a Start,
    pub(super) unfinished: Unfinished,
    pub(super) metadata: &'a Map<String, Value>,
    pub(super) now_ms: u64,
    /// Whether this run has already gone on by a deadline's default answer.
    pub(super) went_on: bool,
}

impl Ask<'_> {
    /// Whether the run has something to begin with that no unfinished step is needed for.
    pub(super) fn has_input(&self) -> bool {
        matches!(self.start, Start::Input(_) | Start::Goto(..))
    }

    /// Takes the run's own input at another moment of the thread: whatever it
    /// waits for where it stands is given up.
    pub(super) fn elsewhere(&self, view: &View) -> Phase {
        let begin = Begin { discarded: view.finished(), ..self.begin(Source::Input) };
        let discarded = view.pending().into_iter().map(|question| question.id).collect();
        Phase::Input { begin, discarded }
    }

    /// Decides by the thread as it is. Nothing is changed by an error.
    pub(super) fn phase(&self, view: &View) -> Result<Phase, Error> {
        let gives_up = self.has_input() && self.unfinished == Unfinished::Discard;
        if let Some(found) = view.graph.as_deref().filter(|found| *found != self.graph)
            && view.is_unfinished()
            && !gives_up
        {
            let (thread, graph) = (self.thread.clone(), self.graph.to_owned());
            return Err(Error::OtherGraph { thread, graph, found: found.to_owned() });
        }
        if matches!(self.start, Start::Overdue)
            && view.end.as_ref().map(|end| end.status) == Some(EndStatus::Cancelled)
        {
            return Err(self.nothing(view, "its last run was cancelled"));
        }
        let pending = view.pending();
        let due: Vec<&Question> = pending.iter().filter(|question| question.is_due(self.now_ms)).collect();
        if !due.is_empty() {
            let answers = due.into_iter().filter_map(|q| Some(record(q, q.default.clone()?, true))).flatten();
            let mut begin = self.begin(Source::Deadline);
            begin.metadata.insert("created_by".into(), "deadline".into());
            let then_start = !matches!(self.start, Start::Continue | Start::Overdue);
            return Ok(Phase::Continue { answers: answers.collect(), begin, then_start });
        }
        match self.start {
            Start::Input(_) | Start::Goto(..) => self.input(view, pending),
            // A failed step is tried again because somebody wants it, not because time passes.
            Start::Overdue if view.end.as_ref().map(|end| end.status) == Some(EndStatus::Failed) => {
                Err(self.nothing(view, "no deadline of it has passed"))
            }
            Start::Continue | Start::Overdue => self.go_on(view, &pending),
            // Meant for a question that is no more, whatever waits now.
            Start::Answer(_) if self.went_on => Err(self.nothing(view, "no question waits")),
            Start::Answer(answer) => {
                let answer = answer.as_ref().map_err(|reason| self.unfit_input(reason))?;
                match pending.as_slice() {
                    [] => match expected(view) {
                        Some(task) => self.answers(vec![self.early(view, task, answer)?]),
                        None => Err(self.nothing(view, "no question waits")),
                    },
                    [question] => self.answers(vec![self.fit(question, answer)?]),
                    _ => Err(Error::Ambiguous { thread: self.thread.clone(), pending }),
                }
            }
            Start::Answers(answers) => {
                let answers = answers.as_ref().map_err(|reason| self.unfit_input(reason))?;
                let mut fitting = Vec::new();
                for (id, answer) in answers {
                    let Some(question) = pending.iter().find(|question| question.id == *id) else {
                        return Err(Error::UnknownInterrupt {
                            thread: self.thread.clone(),
                            id: *id,
                            pending,
                        });
                    };
                    fitting.push(self.fit(question, answer)?);
                }
                if fitting.is_empty() {
                    return Err(self.nothing(view, "no answer was given"));
                }
                // In the order of the tasks, whatever the order of the map.
                fitting.sort_by_key(|answers| {
                    pending.iter().position(|q| Some(q.id) == answers.first().map(|a| a.1.id))
                });
                self.answers(fitting)
            }
        }
    }

    fn input(&self, view: &View, pending: Vec<Question>) -> Result<Phase, Error> {
        let mut begin = self.begin(Source::Input);
        if !view.is_unfinished() {
            return Ok(Phase::Input { begin, discarded: Vec::new() });
        }
        match self.unfinished {
            Unfinished::ResumeFirst if !pending.is_empty() => {
                Err(Error::Waiting { thread: self.thread.clone(), pending, finished: view.finished() })
            }
            Unfinished::ResumeFirst => Ok(Phase::Continue {
                answers: Vec::new(),
                begin: self.begin(Source::Continue),
                then_start: true,
            }),
            Unfinished::Discard => {
                begin.discarded = view.finished();
                Ok(Phase::Input {
                    begin,
                    discarded: pending.into_iter().map(|question| question.id).collect(),
                })
            }
        }
    }

    fn go_on(&self, view: &View, pending: &[Question]) -> Result<Phase, Error> {
        if !view.is_unfinished() {
            return Err(self.nothing(view, "its last run is done"));
        }
        let waiting = |task: &crate::log::Planned| {
            !view.reopened.contains(&task.id)
                && pending.iter().any(|question| {
                    question.task == task.id || question.ns.as_str().contains(&task.id.to_string())
                })
        };
        let finished = view.finished();
        let stuck = view.plan.tasks.iter().filter(|task| waiting(task)).count();
        if stuck > 0 && stuck + finished.len() >= view.plan.tasks.len() {
            return Err(Error::Waiting { thread: self.thread.clone(), pending: pending.to_vec(), finished });
        }
        Ok(Phase::Continue { answers: Vec::new(), begin: self.begin(Source::Continue), then_start: false })
    }

    fn answers(&self, answers: Vec<Vec<(Namespace, Answer)>>) -> Result<Phase, Error> {
        let answers = answers.into_iter().flatten().collect();
        Ok(Phase::Continue { answers, begin: self.begin(Source::Resume), then_start: false })
    }

    fn begin(&self, source: Source) -> Begin {
        Begin { metadata: self.metadata.clone(), ..Begin::new(self.graph, source) }
    }

    /// An answer to whatever a task asks first.
    fn early(&self, view: &View, task: TaskId, answer: &Value) -> Result<Vec<(Namespace, Answer)>, Error> {
        let id = InterruptId::derive(task, 0, view.handled.contains_key(&task));
        let value = serde_json::value::to_raw_value(answer)
            .map_err(|error| Error::UnfitAnswer { id, reason: error.to_string() })?;
        let answer = Answer { task, id, index: 0, question_hash: None, value, by_default: false };
        Ok(vec![(Namespace::root(), answer)])
    }

    fn fit(&self, question: &Question, answer: &Value) -> Result<Vec<(Namespace, Answer)>, Error> {
        if let Some(reason) = question.unfit(answer) {
            return Err(Error::UnfitAnswer { id: question.id, reason });
        }
        let unfit =
            |error: serde_json::Error| Error::UnfitAnswer { id: question.id, reason: error.to_string() };
        Ok(record(question, serde_json::value::to_raw_value(answer).map_err(unfit)?, false))
    }

    fn nothing(&self, view: &View, reason: &str) -> Error {
        let reason = match (&view.at, self.went_on) {
            (None, _) => "it was never run",
            (_, true) => "its deadline has passed and the default answered",
            _ => reason,
        };
        Error::NothingToResume { thread: self.thread.clone(), reason: reason.to_owned() }
    }

    fn unfit_input(&self, reason: &str) -> Error {
        Error::Input { graph: self.graph.to_owned(), reason: reason.to_owned() }
    }
}

/// The task that will ask again what was asked before the thread was changed: who
/// edits a waiting thread may answer it at once.
fn expected(view: &View) -> Option<TaskId> {
    let changed = view.at.as_ref().is_some_and(|at| matches!(at.source, Source::Update | Source::Fork));
    match view.plan.tasks.as_slice() {
        [task] if changed && !view.plan.has_input() && !view.tasks.contains_key(&task.id) => Some(task.id),
        _ => None,
    }
}

/// The records of an answer: one in every graph from the root down to the one
/// that asked, since each keeps a list of what its tasks wait for.
fn record(question: &Question, value: Json, by_default: bool) -> Vec<(Namespace, Answer)> {
    let answer = Answer {
        task: question.task,
        id: question.id,
        index: question.index,
        question_hash: Some(question.hash()),
        value,
        by_default,
    };
    let mut places = vec![Namespace::root()];
    let mut path = String::new();
    for part in question.ns.path() {
        if !path.is_empty() {
            path.push('|');
        }
        path.push_str(part);
        places.push(Namespace::from_stored(&path));
    }
    places.into_iter().map(|ns| (ns, answer.clone())).collect()
}
