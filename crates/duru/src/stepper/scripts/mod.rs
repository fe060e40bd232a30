//! Plays the driver for the stepper: a script says what nodes do and when the
//! process dies, and gets back what happened, in order. No time, no threads.
//!
//! ```text
//! graph    a -> b c ; b + c -> d      edges; `+` is a join, `?>` a route with its targets
//! goes     a b,c END                  where a's route goes, time by time; `w*3` is three sends
//! workers  w                          nodes with inputs of their own
//! defer    d          handler b       retry b 3       limit w 2
//! before   b          after b         steps 5         max 2
//! run      b fails once ; c asks x y ; d writes one ; b commands c ; b to parent
//! order    c b                        who finishes first of those that run
//! crash    after commit of c          or: before commit of c, at start of c
//! cancel / drain / timeout at start of c
//! then     continue                   or: answer x, discard (new input); what to do when a run has ended
//! expect   a1 b1! c1 b2 d1 done       starts (`*` handler), `!` failed, `?` asked, `#` crashed, ends
//! state    a b c d                    who wrote, in order of folding
//! ```

mod failures;
mod graph;
mod node;
mod play;

use play::{Player, Verdict};

/// Runs a script and compares what happened with what it expects.
pub(super) fn check(text: &str) {
    let script = Script::read(text);
    let verdict = Player::new(&script).play(&script);
    script.compare(&verdict, text);
}

/// Runs a script in every order in which its tasks can finish.
pub(super) fn check_every_order(text: &str) {
    let script = Script::read(text);
    let mut tried = 0;
    let mut choices = Vec::new();
    loop {
        let verdict = Player::new(&script).choosing(choices.clone()).play(&script);
        script.compare(&verdict, &format!("{text}\nchoices {choices:?}"));
        tried += 1;
        match verdict.next_choices() {
            Some(next) => choices = next,
            None => break,
        }
    }
    assert!(tried > 1, "there is only one order:\n{text}");
}

/// Kills the run before and after each of its commits: the end is the same, and
/// what was committed does not run again.
pub(super) fn check_every_crash(text: &str) {
    let script = Script::read(text);
    let calm = Player::new(&script).play(&script);
    script.compare(&calm, text);
    for k in 0..2 * calm.commits {
        let verdict = Player::new(&script).crashing(k / 2, k % 2 == 1).play(&script);
        assert_eq!(verdict.state, calm.state, "crash {k} of\n{text}\n{}", verdict.trace);
        assert_eq!(verdict.end(), calm.end(), "crash {k} of\n{text}\n{}", verdict.trace);
        assert!(verdict.trace.contains('#'), "crash {k} never came:\n{text}");
        assert_eq!(verdict.repeated, Vec::<String>::new(), "crash {k} of\n{text}\n{}", verdict.trace);
    }
}

/// A script, read.
#[derive(Default)]
struct Script {
    lines: Vec<(String, String)>,
}

impl Script {
    fn read(text: &str) -> Self {
        let mut script = Self::default();
        for line in text.lines() {
            let line =
                line.split('#').next().filter(|_| !line.trim_start().starts_with("expect")).unwrap_or(line);
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            for part in rest.split(';').filter(|part| !part.trim().is_empty()) {
                script.lines.push((word.to_owned(), part.trim().to_owned()));
            }
        }
        script
    }

    /// What follows a word, line by line.
    fn all(&self, word: &'static str) -> impl Iterator<Item = &str> {
        self.lines.iter().filter(move |(first, _)| first == word).map(|(_, rest)| rest.as_str())
    }

    fn words(&self, word: &'static str) -> Vec<&str> {
        self.all(word).flat_map(str::split_whitespace).collect()
    }

    fn number(&self, word: &'static str) -> Option<usize> {
        self.all(word).next().map(|text| text.parse().unwrap())
    }

    fn compare(&self, verdict: &Verdict, text: &str) {
        let expected = self.all("expect").map(str::to_owned).collect::<Vec<_>>().join(" ");
        assert_eq!(verdict.trace, expected, "trace of\n{text}");
        if let Some(state) = self.all("state").next() {
            assert_eq!(verdict.state.join(" "), state, "state of\n{text}\n{}", verdict.trace);
        }
        for said in self.all("says") {
            assert!(verdict.said.contains(said), "{:?} does not say {said:?} in\n{text}", verdict.said);
        }
    }
}
