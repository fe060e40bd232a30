//! The driver's part, played step by step.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::value::to_raw_value;

use super::Script;
use super::graph::{Drawn, S, SUpdate};
use crate::cx::Question;
use crate::log::{Answer, Begin, Breakpoint, Record, Source, TaskOutcome};
use crate::stepper::{Effect, End, Event, Item, Opening, Rules, SlotMode, Stepper, TaskResult, running_mode};
use crate::store::{FORMAT, Row};
use crate::view::View;
use crate::{Namespace, RunId, TaskId, ThreadId};

/// What happened.
pub(super) struct Verdict {
    pub(super) trace: String,
    pub(super) state: Vec<String>,
    /// What the last failure said.
    pub(super) said: String,
    pub(super) commits: usize,
    /// Tasks that ran although their end was committed.
    pub(super) repeated: Vec<String>,
    /// Which of how many running tasks finished first, every time.
    taken: Vec<(usize, usize)>,
}

impl Verdict {
    pub(super) fn end(&self) -> &str {
        self.trace.rsplit(' ').next().unwrap()
    }

    /// The next way to choose, as a counter counts.
    pub(super) fn next_choices(&self) -> Option<Vec<usize>> {
        let last = self.taken.iter().rposition(|(chosen, of)| chosen + 1 < *of)?;
        let mut choices: Vec<usize> = self.taken[..last].iter().map(|(chosen, _)| *chosen).collect();
        choices.push(self.taken[last].0 + 1);
        Some(choices)
    }
}

pub(super) struct Player {
    pub(super) drawn: Drawn,
    rules: Rules,
    pub(super) stepper: Stepper,
    log: Vec<Record>,
    trace: Vec<String>,
    said: String,
    /// How often each node, and each handler, was started.
    pub(super) starts: HashMap<String, usize>,
    /// What was started: slot, name.
    running: Vec<(usize, String)>,
    waiting: Vec<usize>,
    /// Tasks whose end is in the log.
    ended: Vec<String>,
    repeated: Vec<String>,
    choices: Option<Vec<usize>>,
    taken: Vec<(usize, usize)>,
    commits: usize,
    crash_at: Option<(usize, bool)>,
    used: Vec<String>,
    pending: Vec<Question>,
    now_ms: u64,
}

/// What became of the effects of an event.
enum Fate {
    GoOn,
    Ended,
    Crashed,
}

impl Player {
    pub(super) fn new(script: &Script) -> Self {
        let drawn = Drawn::of(script);
        let rules = Rules {
            thread: Some(ThreadId::new("script").unwrap()),
            ns: match script.all("nested").next() {
                Some(_) => Namespace::root().child("child", TaskId::from_u128(1)),
                None => Namespace::root(),
            },
            salt: 7,
            steps: script.number("steps").unwrap_or(100) as u64,
            max_concurrency: script.number("max").unwrap_or(usize::MAX),
            recording: true,
            snapshots: false,
            collect: false,
            breakpoints: drawn.topology.breakpoints.clone(),
        };
        Self {
            stepper: Stepper::new(drawn.topology.clone(), rules.clone()),
            drawn,
            rules,
            log: Vec::new(),
            trace: Vec::new(),
            said: String::new(),
            starts: HashMap::new(),
            running: Vec::new(),
            waiting: Vec::new(),
            ended: Vec::new(),
            repeated: Vec::new(),
            choices: None,
            taken: Vec::new(),
            commits: 0,
            crash_at: None,
            used: Vec::new(),
            pending: Vec::new(),
            now_ms: 1_000,
        }
    }

    pub(super) fn choosing(mut self, choices: Vec<usize>) -> Self {
        self.choices = Some(choices);
        self
    }

    /// Dies at the k-th commit: before it is made, or after.
    pub(super) fn crashing(mut self, k: usize, made: bool) -> Self {
        self.crash_at = Some((k, made));
        self
    }

    pub(super) fn play(mut self, script: &Script) -> Verdict {
        if self.choices.is_none() && script.all("order").next().is_none() {
            // First come, first served.
            self.choices = Some(Vec::new());
        }
        let input = Opening::Input { update: Some(Box::new(SUpdate::new())), goto: None };
        let mut next = Some(input);
        let mut acts = script.all("then");
        while let Some(opening) = next.take() {
            self.run(opening, script);
            next = acts.next().map(|act| self.act(act));
        }
        let state = self.restored().state.downcast_ref::<S>().unwrap().by.clone();
        Verdict {
            trace: self.trace.join(" "),
            state,
            said: self.said,
            commits: self.commits,
            repeated: self.repeated,
            taken: self.taken,
        }
    }

    fn act(&mut self, act: &str) -> Opening {
        self.stepper = self.restored();
        match act.split_once(' ') {
            None if act == "continue" => Opening::Continue { answers: Vec::new() },
            None => {
                Opening::Input { update: Some(Box::new(SUpdate::new().by(["input".to_owned()]))), goto: None }
            }
            Some((_, asked)) => {
                let answers = asked.split(',').map(|asked| (Namespace::root(), self.answer(asked)));
                Opening::Continue { answers: answers.collect() }
            }
        }
    }

    fn answer(&self, asked: &str) -> Answer {
        let question = self.pending.iter().find(|q| q.get::<String>().unwrap() == asked).unwrap();
        let Question { task, id, index, .. } = *question;
        let value = to_raw_value("yes").unwrap();
        Answer { task, id, index, question_hash: Some(question.hash()), value, by_default: false }
    }

    /// One run, with the crashes in it.
    fn run(&mut self, opening: Opening, script: &Script) {
        let begin = Begin::new("script", Source::Input);
        self.now_ms += 1;
        let fresh = matches!(opening, Opening::Input { .. });
        let mut effects = self.stepper.open(opening, Some(begin), self.now_ms);
        loop {
            match self.carry_out(effects, script) {
                Fate::Ended => return,
                Fate::Crashed => {
                    self.trace.push("#".into());
                    self.running.clear();
                    self.waiting.clear();
                    self.stepper = self.restored();
                    let again = if self.stepper.checkpoint.is_none() && fresh {
                        Opening::Input { update: Some(Box::new(SUpdate::new())), goto: None }
                    } else if self.stepper.slots.is_empty() {
                        self.trace.push("done".into());
                        return;
                    } else {
                        Opening::Continue { answers: Vec::new() }
                    };
                    effects = self.stepper.open(again, None, self.now_ms);
                }
                Fate::GoOn => {
                    let event = self.next_event(script);
                    effects = self.stepper.handle(event);
                }
            }
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>, script: &Script) -> Fate {
        for effect in effects {
            match effect {
                Effect::Start { slot } => {
                    let name = self.started(slot);
                    if self.happens(script, "crash", &format!("at start of {name}")) {
                        return Fate::Crashed;
                    }
                }
                Effect::Wait { slot, .. } => self.waiting.push(slot),
                Effect::Commit { records, .. } => {
                    if self.commit(records, script) {
                        return Fate::Crashed;
                    }
                }
                Effect::Abort => {
                    self.running.clear();
                    self.waiting.clear();
                }
                Effect::Finish(end) => {
                    self.finish(*end);
                    return Fate::Ended;
                }
            }
        }
        Fate::GoOn
    }

    fn started(&mut self, slot: usize) -> String {
        let handler = matches!(running_mode(&self.stepper.slots[slot]), SlotMode::Handler(_));
        let name = format!("{}{}", self.stepper.node_name(slot), if handler { "*" } else { "" });
        let count = self.starts.entry(name.clone()).or_default();
        *count += 1;
        self.trace.push(format!("{name}{count}"));
        if self.ended.contains(&self.stepper.slots[slot].id.to_string()) {
            self.repeated.push(name.clone());
        }
        self.running.push((slot, name.clone()));
        name
    }

    /// Whether the process dies at this commit.
    fn commit(&mut self, records: Vec<Item>, script: &Script) -> bool {
        let k = self.commits;
        self.commits += 1;
        if self.crash_at == Some((k, false)) {
            return true;
        }
        let nodes: Vec<String> =
            records.iter().flat_map(|item| ended(&item.logged.record)).map(|(node, _)| node).collect();
        if nodes.iter().any(|node| self.happens(script, "crash", &format!("before commit of {node}"))) {
            return true;
        }
        for item in records {
            self.ended.extend(ended(&item.logged.record).into_iter().map(|(_, id)| id));
            self.log.push(read_back(item.logged.record));
        }
        self.crash_at == Some((k, true))
            || nodes.iter().any(|node| self.happens(script, "crash", &format!("after commit of {node}")))
    }

    /// Whether a line says so, once.
    fn happens(&mut self, script: &Script, word: &'static str, what: &str) -> bool {
        let key = format!("{word} {what}");
        let says = script.all(word).any(|line| line == what) && !self.used.contains(&key);
        if says {
            self.used.push(key);
        }
        says
    }

    fn restored(&self) -> Stepper {
        let mut view = View::default();
        for record in &self.log {
            view.apply(record.clone()).unwrap();
        }
        Stepper::restore(self.drawn.topology.clone(), self.rules.clone(), view).unwrap()
    }

    fn finish(&mut self, end: End) {
        self.pending.clear();
        let text = match end {
            End::Done => "done".to_owned(),
            End::Paused(questions) => {
                let asked: Vec<String> = questions.iter().map(|q| q.get().unwrap()).collect();
                self.pending = questions;
                format!("asks({})", asked.join(","))
            }
            End::Breakpoint(Breakpoint::Before(nodes)) => format!("before({})", nodes.join(",")),
            End::Breakpoint(Breakpoint::After(nodes)) => format!("after({})", nodes.join(",")),
            End::Failed(failure) => {
                self.said = failure.to_string();
                format!("{:?}({})", failure.kind, failure.node.as_deref().unwrap_or(""))
            }
            End::ToParent(_) => "parent".into(),
            End::Cancelled => "cancelled".into(),
            End::Drained => "drained".into(),
        };
        self.trace.push(text);
    }

    fn next_event(&mut self, script: &Script) -> Event {
        self.now_ms += 1;
        let at_ms = self.now_ms;
        let (running, limit) = (self.running.clone(), Duration::from_secs(1));
        for (_, name) in &running {
            let when = format!("at start of {name}");
            if self.happens(script, "cancel", &when) {
                return Event::Cancel { at_ms };
            }
            if self.happens(script, "timeout", &when) {
                return Event::StepTimeout { at_ms, limit };
            }
            if self.happens(script, "drain", &when) {
                return Event::Drain;
            }
        }
        if running.is_empty() {
            assert!(!self.waiting.is_empty(), "nothing runs and nothing waits: {}", self.trace.join(" "));
            return Event::Retry { slot: self.waiting.remove(0) };
        }
        let chosen = self.choose(script);
        let (slot, name) = self.running.remove(chosen);
        let result = self.result(slot, &name, script);
        let mark = match &result {
            TaskResult::Failed(_) => "!",
            TaskResult::Asked(_) => "?",
            _ => "",
        };
        // The mark belongs to the start, which may be a few words back.
        let start = format!("{name}{}", self.starts[&name]);
        let place = self
            .trace
            .iter()
            .rposition(|word| *word == start)
            .or_else(|| self.trace.iter().rposition(|w| w.starts_with(&name)));
        if let Some(place) = place.filter(|_| !mark.is_empty()) {
            self.trace[place].push_str(mark);
        }
        Event::Finished { slot, result, at_ms, random: 0.5 }
    }

    fn choose(&mut self, script: &Script) -> usize {
        let chosen = match &self.choices {
            Some(choices) => choices.get(self.taken.len()).copied().unwrap_or(0),
            None => {
                let order = script.words("order");
                let rank = |name: &String| order.iter().position(|word| word == name).unwrap_or(usize::MAX);
                (0..self.running.len()).min_by_key(|i| rank(&self.running[*i].1)).unwrap()
            }
        };
        self.taken.push((chosen, self.running.len()));
        chosen
    }
}

/// The tasks whose good end a record holds.
fn ended(record: &Record) -> Vec<(String, String)> {
    let results = match record {
        Record::Task(task) => std::slice::from_ref(task),
        Record::Checkpoint(checkpoint) => &checkpoint.results,
        _ => &[],
    };
    let done = results.iter().filter(|task| matches!(task.outcome, TaskOutcome::Done(_)));
    done.map(|task| (task.node.to_string(), task.id.to_string())).collect()
}

/// As a store gives it back.
fn read_back(record: Record) -> Record {
    let thread = ThreadId::new("script").unwrap();
    let mut row = Row {
        seq: 0,
        events: 1,
        ns: Namespace::root(),
        kind: record.kind(),
        run: RunId::from_u128(1),
        checkpoint: None,
        source: None,
        at_ms: 0,
        format: FORMAT,
        payload: record.to_payload().unwrap(),
        checksum: 0,
    };
    row.seal(&thread);
    Record::from_row(&thread, &row).unwrap()
}
