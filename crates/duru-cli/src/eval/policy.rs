//! `duru eval … --write-policy`: who should make each decision with a model, by what it wins and loses against the rule.
//!
//! Every question is answered by rules, and again with the model as a witness. A decision on which both agree changes
//! nothing; where they differ, the question is answered once more with the model in that one decision and rules in all others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use duru_llm::decision::{
    Decider, DecisionPolicy, Entry, Evidence, MeasuredOf, MeasuredPolicy, Outcome, Registry, Setup,
};
use duru_llm::{Choice, Model as _};
use serde_json::{Value, json};

use crate::args::EvalModel;
use crate::output::Output;
use crate::problem::Problem;

/// How often progress is told.
const EVERY: usize = 5;
/// Fewer answers of a model say nothing about it: it stays a witness.
const ENOUGH: u32 = 10;

/// Questions, and who knows which answers are right.
pub(super) trait Judge {
    /// What the questions are called, one by one.
    fn names(&self) -> Vec<String>;

    /// How a question ends so; none where nobody said what is right.
    async fn ending(&mut self, question: usize, decider: Decider) -> anyhow::Result<Option<Ending>>;
}

/// How a question ended, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ending {
    /// It was answered, and not rightly.
    Wrong,
    /// It was asked back about, or refused.
    Open,
    Right,
}

impl Ending {
    /// Of an answer that is right or not.
    pub(super) fn of(right: bool) -> Self {
        if right { Ending::Right } else { Ending::Wrong }
    }
}

/// Where it goes.
pub(super) struct Written<'a> {
    /// What is measured.
    pub(super) set: &'a str,
    /// What came of each question.
    pub(super) out: &'a Path,
    /// Who decides.
    pub(super) file: &'a Path,
}

/// What became of a decision.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Counts {
    /// Where the model answered.
    asked: u32,
    failed: u32,
    differed: u32,
    model: Tally,
    unless_certain: Tally,
    agree: Tally,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    won: u32,
    lost: u32,
}

impl Tally {
    /// A right answer that was none is won; whatever ends worse than it did is lost.
    fn add(&mut self, by_rule: Ending, with_model: Ending) {
        self.won += u32::from(by_rule < with_model && with_model == Ending::Right);
        self.lost += u32::from(with_model < by_rule);
    }

    fn gain(self) -> i64 {
        i64::from(self.won) - i64::from(self.lost)
    }
}

impl Counts {
    /// Who should decide, and what that rests on; none if there is too little to say.
    fn verdict(&self) -> Option<(DecisionPolicy, Tally)> {
        if self.asked < ENOUGH {
            return None;
        }
        // Where two are as good, the more careful one.
        let ways = [
            (DecisionPolicy::AgreeUnlessCertain, self.agree),
            (DecisionPolicy::UnlessCertain, self.unless_certain),
            (DecisionPolicy::Model, self.model),
        ];
        let mut best = (DecisionPolicy::Rule, self.model);
        let mut gain = 0;
        for (policy, tally) in ways {
            if tally.gain() > gain {
                (best, gain) = ((policy, tally), tally.gain());
            }
        }
        Some(best)
    }
}

/// What is set, and the ways to decide that are compared.
struct Ways {
    setup: Setup,
    registry: Registry,
}

impl Ways {
    fn new(with: &EvalModel) -> Result<Self, Problem> {
        let (setup, registry) = super::setup(with)?;
        let any = registry.into_iter().any(|entry| matches!(setup.models.of(entry.name()), Choice::Model(_)));
        if !any {
            return Err(Problem::Usage("--write-policy: --model NAME (DURU_MODEL)".to_owned()));
        }
        Ok(Self { setup, registry })
    }

    /// All decisions so, but one.
    fn decider(&self, all: DecisionPolicy, but: Option<(&str, DecisionPolicy)>) -> Decider {
        let mut setup = self.setup.clone();
        for entry in &self.registry {
            setup.policies = setup.policies.but(entry.name(), all, "--write-policy");
        }
        if let Some((name, policy)) = but {
            setup.policies = setup.policies.but(name, policy, "--write-policy");
        }
        setup.decider()
    }

    fn model(&self, decision: &str) -> Option<String> {
        match self.setup.models.of(decision) {
            Choice::Model(model) => Some(model.name().to_owned()),
            _ => None,
        }
    }
}

/// Answers a question, and tells what was decided on the way.
async fn watched(
    judge: &mut impl Judge,
    question: usize,
    decider: &Decider,
) -> anyhow::Result<(Option<Ending>, Vec<Outcome<Value>>)> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let telling = Arc::clone(&heard);
    let decider = decider.telling(move |outcome| {
        telling.lock().unwrap_or_else(PoisonError::into_inner).push(outcome.clone());
    });
    let ending = judge.ending(question, decider).await?;
    let heard = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((ending, heard))
}

/// What came of one question: whether it is right by rule, and with the model in each decision on which it differs.
struct Compared {
    by_rule: Ending,
    with: BTreeMap<String, Ending>,
}

/// Compares both ways on one question.
async fn compare(
    judge: &mut impl Judge,
    question: usize,
    ways: &Ways,
    counts: &mut BTreeMap<String, Counts>,
) -> anyhow::Result<Option<Compared>> {
    let rules = ways.decider(DecisionPolicy::Rule, None);
    let Some(by_rule) = judge.ending(question, rules).await? else { return Ok(None) };
    let (_, heard) = watched(judge, question, &ways.decider(DecisionPolicy::Witness, None)).await?;
    let mut differing = BTreeSet::new();
    for outcome in heard.iter().filter(|outcome| outcome.calls > 0) {
        let count = counts.entry(outcome.decision.clone()).or_default();
        match &outcome.witness {
            None => count.failed += 1,
            Some(witness) => {
                count.asked += 1;
                if !witness.agrees {
                    count.differed += 1;
                    differing.insert(outcome.decision.clone());
                }
            }
        }
    }
    let mut with = BTreeMap::new();
    for name in differing {
        let with_policy = |policy| ways.decider(DecisionPolicy::Rule, Some((&name, policy)));
        let (ending, heard) = watched(judge, question, &with_policy(DecisionPolicy::UnlessCertain)).await?;
        let unless_certain = ending.unwrap_or(Ending::Open);
        // Where the rule was never certain, both ways are one.
        let same = heard.iter().filter(|outcome| outcome.decision == name).all(|outcome| outcome.calls > 0);
        let model = if same {
            unless_certain
        } else {
            judge.ending(question, with_policy(DecisionPolicy::Model)).await?.unwrap_or(Ending::Open)
        };
        let count = counts.entry(name.clone()).or_default();
        count.unless_certain.add(by_rule, unless_certain);
        count.model.add(by_rule, model);
        // Elsewhere the rule stands where both differ.
        if ways.registry.find(&name).is_some_and(Entry::asks_where_both_differ) {
            let agree = judge.ending(question, with_policy(DecisionPolicy::AgreeUnlessCertain)).await?;
            count.agree.add(by_rule, agree.unwrap_or(Ending::Open));
        }
        with.insert(name, model);
    }
    Ok(Some(Compared { by_rule, with }))
}

/// Compares both ways on every question, and writes down who should decide.
pub(super) async fn measure(
    judge: &mut impl Judge,
    with: &EvalModel,
    to: &Written<'_>,
    output: &Output,
) -> Result<(), Problem> {
    let ways = Ways::new(with)?;
    let names = judge.names();
    let (mut lines, mut questions, mut right, mut failed) = (String::new(), 0, 0, 0);
    let mut counts: BTreeMap<String, Counts> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        match compare(judge, at, &ways, &mut counts).await {
            Ok(Some(Compared { by_rule, with })) => {
                questions += 1;
                right += u32::from(by_rule == Ending::Right);
                let with: BTreeMap<_, _> =
                    with.iter().map(|(name, ending)| (name, *ending == Ending::Right)).collect();
                let by_rule = by_rule == Ending::Right;
                // Writing to a string can't fail.
                let _ = writeln!(lines, "{}", json!({ "id": name, "by_rule": by_rule, "with_model": with }));
            }
            Ok(None) => {}
            Err(error) => {
                failed += 1;
                output.complain(&format!("{name}: {error:#}"));
            }
        }
        let done = at + 1;
        if done % EVERY == 0 || done == names.len() {
            output.progress(&format!("{done}/{}", names.len()));
        }
    }
    let bad = |file: &Path| {
        let file = file.to_owned();
        move |source| Problem::File { file, source }
    };
    std::fs::write(to.out, lines).map_err(bad(to.out))?;
    let measured = policies(&ways, &counts, questions, to.set);
    write(to.file, &measured).map_err(bad(to.file))?;
    show(&counts, output)?;
    let file = to.file.display();
    output.progress(
        &output
            .lang
            .pick(format!("쓰려면: DURU_POLICIES={file}"), format!("To use it: DURU_POLICIES={file}")),
    );
    let answer = json!({
        "questions": questions, "right_by_rule": right, "failed": failed, "policies": measured, "file": to.file,
    });
    if failed == 0 {
        return output.json(answer);
    }
    Err(Problem::Items { failed, of: names.len() }.after(answer, output))
}

fn policies(
    ways: &Ways,
    counts: &BTreeMap<String, Counts>,
    questions: u32,
    set: &str,
) -> Vec<MeasuredPolicy> {
    let date = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
    let line = |(decision, count): (&String, &Counts)| {
        let (policy, tally) = count.verdict()?;
        let (asked, differed, failed) = (count.asked, count.differed, count.failed);
        let evidence = Evidence {
            questions,
            won: tally.won,
            lost: tally.lost,
            date: date.clone(),
            ko: format!(
                "duru eval {set}: 모델의 답 {asked}개 가운데 {differed}개가 규칙과 다름, 답하지 못함 {failed}개"
            ),
            en: format!("duru eval {set}: {differed} of the model's {asked} answers differ, {failed} failed"),
        };
        let of = MeasuredOf::Model(ways.model(decision)?);
        Some(MeasuredPolicy { of, decision: decision.clone(), policy, evidence })
    };
    counts.iter().filter_map(line).collect()
}

/// Adds lines to a file; one about the same takes the place of what was there.
fn write(file: &Path, measured: &[MeasuredPolicy]) -> std::io::Result<()> {
    let mut all: Vec<MeasuredPolicy> = match std::fs::read(file) {
        Ok(bytes) => serde_json::from_slice(&bytes)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    let is_new = |old: &MeasuredPolicy| {
        measured.iter().any(|new| (&new.of, &new.decision) == (&old.of, &old.decision))
    };
    all.retain(|old| !is_new(old));
    all.extend(measured.iter().cloned());
    all.sort_by(|one, other| one.decision.cmp(&other.decision));
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut fresh = tempfile::NamedTempFile::new_in(parent)?;
    serde_json::to_writer_pretty(&mut fresh, &all)?;
    fresh.persist(file).map_err(|error| error.error).map(drop)
}

fn show(counts: &BTreeMap<String, Counts>, output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    let head = lang.pick(
        ["판단", "모델의 답", "규칙과 다름", "실패", "얻음", "잃음", "누가 정하나"],
        ["decision", "answers", "differ", "failed", "won", "lost", "who decides"],
    );
    let rows = counts.iter().map(|(name, count)| {
        let (who, tally) = match count.verdict() {
            Some((policy, tally)) => (policy.word(), tally),
            None => (lang.pick("witness (답이 적음)", "witness (too few)"), count.model),
        };
        let figures = [count.asked, count.differed, count.failed, tally.won, tally.lost];
        let [asked, differed, failed, won, lost] = figures.map(|figure| figure.to_string());
        [name.clone(), asked, differed, failed, won, lost, who.to_owned()]
    });
    output.table(head, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_becomes_wrong_is_lost_also_where_there_was_none() {
        let mut tally = Tally::default();
        for (by_rule, with_model) in [
            (Ending::Open, Ending::Right),
            (Ending::Wrong, Ending::Right),
            (Ending::Open, Ending::Wrong),
            (Ending::Right, Ending::Open),
            (Ending::Wrong, Ending::Open),
            (Ending::Wrong, Ending::Wrong),
        ] {
            tally.add(by_rule, with_model);
        }
        assert_eq!(tally, Tally { won: 2, lost: 2 });
    }

    fn counts(asked: u32, model: (u32, u32), unless_certain: (u32, u32)) -> Counts {
        let tally = |(won, lost)| Tally { won, lost };
        Counts { asked, model: tally(model), unless_certain: tally(unless_certain), ..Counts::default() }
    }

    #[test]
    fn a_model_leads_only_where_it_wins_more_than_it_loses() {
        let who = |counts: Counts| counts.verdict().map(|(policy, tally)| (policy, tally.won, tally.lost));
        assert_eq!(who(counts(40, (6, 1), (5, 1))), Some((DecisionPolicy::Model, 6, 1)));
        assert_eq!(who(counts(40, (6, 5), (5, 1))), Some((DecisionPolicy::UnlessCertain, 5, 1)));
        assert_eq!(who(counts(40, (5, 1), (5, 1))), Some((DecisionPolicy::UnlessCertain, 5, 1)));
        assert_eq!(who(counts(40, (1, 12), (0, 0))), Some((DecisionPolicy::Rule, 1, 12)));
        assert_eq!(who(counts(40, (0, 0), (0, 0))), Some((DecisionPolicy::Rule, 0, 0)), "it changes nothing");
        assert_eq!(who(counts(9, (6, 0), (6, 0))), None, "too few to say");
    }

    #[test]
    fn a_file_keeps_what_was_measured_of_others() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("policies.json");
        let line = |model: &str, won| MeasuredPolicy {
            of: MeasuredOf::Model(model.to_owned()),
            decision: "analyst/generate_sql".to_owned(),
            policy: DecisionPolicy::Model,
            evidence: Evidence {
                questions: 9,
                won,
                lost: 0,
                date: "2026-11-17".to_owned(),
                ko: String::new(),
                en: String::new(),
            },
        };
        write(&file, &[line("a", 1), line("b", 1)]).unwrap();
        write(&file, &[line("b", 2)]).unwrap();
        let kept: Vec<MeasuredPolicy> = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert_eq!(kept, [line("a", 1), line("b", 2)]);
        // What can't be read is not written over.
        std::fs::write(&file, "mine").unwrap();
        assert!(write(&file, &[line("a", 1)]).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    }
}
