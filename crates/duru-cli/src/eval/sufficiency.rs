//! `duru eval sufficiency`: decisions on using earlier data again, by rules or with a model.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use duru_agents::advisor::evaluation::{Case, Score, Share, decide, decide_with};
use duru_llm::decision::Decider;
use serde_json::json;

use super::figures::Figures;
use super::policy::{Ending, Judge, Written, measure};
use crate::args::EvalModel;
use crate::output::Output;
use crate::problem::Problem;

/// How often progress is told.
const EVERY: usize = 20;

/// What is measured: its name in both languages, the share, and its goal.
type Bar = (&'static str, &'static str, Share, Goal);

enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

/// Cases with the decisions that are right.
struct Judged {
    cases: Vec<Case>,
}

impl Judge for Judged {
    fn names(&self) -> Vec<String> {
        self.cases.iter().map(|case| case.id.clone()).collect()
    }

    async fn ending(&mut self, question: usize, decider: Decider) -> anyhow::Result<Option<Ending>> {
        let case = self.cases.get(question).context("there is no such case")?;
        let Some(expected) = &case.expected else { return Ok(None) };
        let mut score = Score::default();
        score.add(expected, &decide_with(case, &decider).await?);
        Ok(Some(Ending::of(score.decision.hits == score.decision.of)))
    }
}

pub(super) async fn run(
    cases_file: &Path,
    out: &Path,
    with: &EvalModel,
    output: &Output,
) -> Result<(), Problem> {
    let decider = with.model.as_ref().map(|_| super::decider(with)).transpose()?;
    let file_problem = |file: &Path| {
        let file = file.to_owned();
        move |source| Problem::File { file, source }
    };
    let text = fs::read_to_string(cases_file).map_err(file_problem(cases_file))?;
    let lines: Vec<(usize, &str)> =
        text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).collect();
    if let Some(file) = &with.write_policy {
        let cases = lines.iter().map(|(_, line)| serde_json::from_str(line)).collect::<Result<_, _>>();
        let cases = cases.map_err(|error| file_problem(cases_file)(std::io::Error::other(error)))?;
        let to = Written { set: "sufficiency", out, file };
        return measure(&mut Judged { cases }, with, &to, output).await;
    }
    let lang = output.lang;
    let figures = Figures::default();
    let decider = decider.map(|decider| figures.counting(&decider));
    let (mut decisions, mut score, mut failed) = (String::new(), Score::default(), 0);
    for (done, (at, line)) in lines.iter().enumerate() {
        figures.question_asked();
        match one(line, decider.as_ref(), &mut score).await {
            Ok(decision) => {
                figures.question_answered();
                // Writing to a string can't fail.
                let _ = writeln!(decisions, "{decision}");
            }
            Err(why) => {
                failed += 1;
                let number = at + 1;
                output
                    .complain(&lang.pick(format!("{number}번째 줄: {why}"), format!("line {number}: {why}")));
            }
        }
        let done = done + 1;
        if done % EVERY == 0 || done == lines.len() {
            output.progress(&format!("{done}/{}", lines.len()));
        }
    }
    fs::write(out, decisions).map_err(file_problem(out))?;
    show(&score, output)?;
    let answer = json!({ "cases": lines.len(), "failed": failed, "score": score });
    let answer = figures.add_to(answer, with);
    if failed == 0 {
        return output.json(answer);
    }
    Err(Problem::Items { failed, of: lines.len() }.after(answer, output))
}

/// Decides one case; a label that is there counts.
async fn one(line: &str, decider: Option<&Decider>, score: &mut Score) -> anyhow::Result<String> {
    let case: Case = serde_json::from_str(line)?;
    let decided = match decider {
        Some(decider) => decide_with(&case, decider).await?,
        None => decide(&case)?,
    };
    if let Some(expected) = &case.expected {
        score.add(expected, &decided);
    }
    Ok(serde_json::to_string(&decided)?)
}

fn show(score: &Score, output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    let bars: [Bar; 6] = [
        ("판단", "decision", score.decision, Goal::AtLeast(0.90)),
        ("의도", "intent", score.intent, Goal::AtLeast(0.90)),
        ("지역", "regions", score.regions, Goal::AtLeast(0.95)),
        ("데이터 종류", "types", score.types, Goal::AtLeast(0.95)),
        ("잘못된 재사용", "unsafe reuse", score.unsafe_reuse, Goal::AtMost(0.0)),
        ("놓친 재사용", "lost reuse", score.lost_reuse, Goal::AtMost(0.10)),
    ];
    let rows = bars.into_iter().map(|(ko, en, share, goal)| {
        let (goal, met) = match goal {
            Goal::AtLeast(least) => (format!("≥ {least:.2}"), share.value() >= least),
            Goal::AtMost(most) => (format!("≤ {most:.2}"), share.value() <= most),
        };
        // Without a single label of the kind there is nothing to meet.
        let mark = match (share.of, met) {
            (0, _) => "–",
            (_, true) => lang.pick("예", "yes"),
            (_, false) => lang.pick("아니요", "no"),
        };
        let value = if share.of == 0 { "–".to_owned() } else { format!("{:.4}", share.value()) };
        [lang.pick(ko, en).to_owned(), value, format!("{}/{}", share.hits, share.of), goal, mark.to_owned()]
    });
    let head = lang.pick(["항목", "값", "건", "목표", "달성"], ["measure", "value", "cases", "goal", "met"]);
    output.table(head, rows)
}
