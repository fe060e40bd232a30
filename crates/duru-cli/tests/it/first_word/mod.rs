//! The first word of an answer is there as soon as a model has written it: at a terminal, in LangGraph's stream, over the
//! agents' WebSockets and in OpenAI's format.
//!
//! Real processes, and a model of a hundred tokens a second that notes when it writes what. `cargo nextest run --workspace
//! --all-features --no-capture -E 'test(first_word)'` prints what was measured.

mod listeners;
mod paced_model;

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::Desk;
use crate::serve::Serving;
use listeners::{Heard, lines, openai, screen, socket, sse, whole};
use paced_model::{FIRST_WORDS, PacedModel, Written};

/// So long a word may take from the model to the person.
const AT_ONCE: Duration = Duration::from_millis(300);

/// So long a person may wait for the first word, or longer than without a model, at a hundred tokens a second.
const PATIENCE: Duration = Duration::from_secs(5);

/// Every question is asked so many times, and the best counts. What the program itself holds back, it holds back each
/// time; what a machine is late on which many tests run at once is chance, and would fail a test of one answer.
const TIMES: usize = 3;

/// From when on a word counts as late.
#[derive(Clone, Copy)]
enum Since {
    FirstToken,
    /// For answers of which nothing is shown before it was verified, and for wires that can take nothing back.
    FirstSentence,
}

impl Since {
    fn of(agent: &str) -> Self {
        if agent == "researcher" { Self::FirstSentence } else { Self::FirstToken }
    }

    fn lateness(self, written: Written, heard: Heard) -> Duration {
        let written = match self {
            Self::FirstToken => written.first_token,
            Self::FirstSentence => written.first_sentence,
        };
        heard.first_word.saturating_duration_since(written)
    }
}

/// A desk with its sample data, and a model that writes the answers and nothing else.
struct Rig {
    desk: Desk,
    model: PacedModel,
}

impl Rig {
    fn new() -> Self {
        Self { desk: Desk::new(), model: PacedModel::start() }
    }

    fn command(&self, args: &[&str], policies: &[(&str, &str)]) -> Command {
        let mut command = self.desk.command(args);
        self.model.set(&mut command);
        command.envs(policies.iter().copied());
        command
    }

    fn serve(&self, policies: &[(&str, &str)]) -> Serving {
        let mut command = self.command(&["serve", "--port", "0"], policies);
        command.stderr(Stdio::null());
        Serving::of(command)
    }

    /// Asks a few times, and says how late the first word came at best.
    fn best(&self, what: &str, since: Since, ask: impl Fn() -> Option<Heard>) -> Duration {
        let mut late = Vec::new();
        for _ in 0..TIMES {
            let before = self.model.count();
            let Some(heard) = ask() else { return Duration::ZERO };
            assert!(self.model.count() > before, "{what}: the model did not write this answer");
            late.push(since.lateness(self.model.last(), heard));
        }
        late.sort();
        println!("{what}: {late:.0?}");
        late[0]
    }
}

/// The model writes the answers; whatever else is decided, the rules decide.
const ANSWERS_ALONE: [(&str, &str); 4] = [
    ("DURU_POLICY", "rule"),
    ("DURU_POLICY_ANALYST_GENERATE_INSIGHT", "model"),
    ("DURU_POLICY_RESEARCHER_SYNTHESIS", "model"),
    ("DURU_POLICY_ADVISOR_RESPONSE_SYNTHESIS", "model"),
];

/// Another one each time: answers are kept for a while.
fn question(agent: &str) -> String {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let number = 24 + ASKED.fetch_add(1, Ordering::Relaxed);
    match agent {
        "analyst" => format!("최근 {number}시간 서비스별 에러 건수"),
        "advisor" => format!("전세 보증금 {number}억원을 얼마까지 올릴 수 있나요?"),
        _ => "전세금은 얼마까지 올릴 수 있나요?".to_owned(),
    }
}

#[track_caller]
fn at_once(all: &[(String, Duration)]) {
    let late: Vec<_> = all.iter().filter(|(_, late)| *late > AT_ONCE).collect();
    assert!(late.is_empty(), "later than {AT_ONCE:?}: {late:?}");
}

type Listener = fn(&Serving, &str, &str, &str) -> Heard;

/// Every agent that an interface serves.
fn over_the_network(name: &str, agents: &[&str], listener: Listener, since: fn(&str) -> Since) {
    let rig = Rig::new();
    let server = rig.serve(&ANSWERS_ALONE);
    let mut all = Vec::new();
    for (agent, word) in FIRST_WORDS.into_iter().filter(|(agent, _)| agents.contains(agent)) {
        let what = format!("{name} {agent}");
        let late = rig.best(&what, since(agent), || Some(listener(&server, agent, &question(agent), word)));
        all.push((what, late));
    }
    at_once(&all);
}

#[test]
fn the_first_word_is_in_langgraphs_stream_at_once() {
    over_the_network("SSE", &["analyst", "researcher", "advisor"], sse, Since::of);
}

/// What would say something by itself is not told before its sentence was checked. It shows, too, that this rig sees what
/// is held back.
#[test]
fn a_sentence_that_begins_with_a_yes_waits_for_its_check() {
    let rig = Rig::new();
    let server = rig.serve(&ANSWERS_ALONE);
    let asked = AtomicU32::new(3);
    let ask = || {
        let question = format!("최근 {}시간 서비스별 에러 건수", asked.fetch_add(1, Ordering::Relaxed));
        Some(sse(&server, "analyst", &question, "정리하면"))
    };
    let since_token = rig.best("held, since its first token", Since::FirstToken, ask);
    assert!(since_token > AT_ONCE, "{since_token:?}: a yes was told before it was checked");
    let since_end = rig.best("held, since its end", Since::FirstSentence, ask);
    at_once(&[("what was held".to_owned(), since_end)]);
}

#[test]
fn the_first_word_is_on_the_agents_websockets_at_once() {
    over_the_network("WebSocket", &["analyst", "advisor"], socket, Since::of);
}

/// It can take nothing back, so that a sentence may be held until it was checked.
#[test]
fn the_first_sentence_is_in_openais_format_at_once() {
    over_the_network("OpenAI", &["analyst", "researcher", "advisor"], openai, |_| Since::FirstSentence);
}

#[test]
fn the_first_word_is_at_the_terminal_at_once() {
    let rig = Rig::new();
    let mut all = Vec::new();
    for (agent, word) in FIRST_WORDS {
        let since = Since::of(agent);
        let asked = |more: &[&str]| {
            rig.command(
                &[&["ask", &question(agent), "--agent", agent, "--lang", "ko"], more].concat(),
                &ANSWERS_ALONE,
            )
        };
        let what = format!("ask --jsonl {agent}");
        all.push((what.clone(), rig.best(&what, since, || Some(lines(asked(&["--jsonl"]), word)))));
        let what = format!("ask at a terminal {agent}");
        all.push((what.clone(), rig.best(&what, since, || screen(&asked(&[]), None, word))));
    }
    let chat = rig.command(&["chat", "--lang", "ko"], &ANSWERS_ALONE);
    let late = rig.best("chat at a terminal analyst", Since::FirstToken, || {
        screen(&chat, Some(&question("analyst")), "정리하면")
    });
    all.push(("chat".to_owned(), late));
    at_once(&all);
}

/// With a model that makes every decision, each time for people whom the agents don't know yet: what was found for an earlier
/// question is used again.
#[test]
fn a_model_of_a_hundred_tokens_a_second_costs_at_most_five_seconds() {
    let to_the_end = |heard: Heard| heard.end - heard.asked;
    let to_the_first_word = |heard: Heard| heard.first_word - heard.asked;
    let (mut longer, mut researcher, mut advisor) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let rig = Rig::new();
        let rules = rig.serve(&[("DURU_POLICY", "rule")]);
        // The first question of a new desk waits for its samples, which is no time of the rules'.
        let by_rule = [(); 2].map(|()| to_the_end(whole(&rules, "analyst", &question("analyst"))));
        let by_rule = by_rule[0].min(by_rule[1]);
        drop(rules);
        let server = rig.serve(&[("DURU_POLICY", "model")]);
        let [analyst, first, second] =
            FIRST_WORDS.map(|(agent, word)| sse(&server, agent, &question(agent), word));
        longer.push(to_the_end(analyst).saturating_sub(by_rule));
        researcher.push(to_the_first_word(first));
        advisor.push(to_the_first_word(second));
    }
    println!("analyst longer than by rules: {longer:.1?}");
    println!("to the first word: researcher {researcher:.1?}, advisor {advisor:.1?}");
    for (what, all) in [("analyst", longer), ("researcher", researcher), ("advisor", advisor)] {
        assert!(all.iter().any(|time| *time < PATIENCE), "{what}: {all:?}");
    }
}
