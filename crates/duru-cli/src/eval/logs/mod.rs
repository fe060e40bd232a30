//! `duru eval logs`: the whole analyst, from the question to the embedded store's rows.

mod bare;
mod bench;
mod verdict;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use duru::App;
use duru_agents::analyst::{Analysis, Inquiry};
use duru_llm::decision::Decider;
use serde::Deserialize;
use serde_json::json;

use super::bare::BareModel;
use super::policy::{Ending, Judge, Written, measure};
use super::tables::Verdict;
use crate::args::EvalLogs;
use crate::output::Output;
use crate::problem::Problem;
use bench::{Bench, Said};
use verdict::{Compare, Tally, verdict};

/// How often progress is told.
const EVERY: usize = 10;

/// A question, and what would be right.
#[derive(Default, Deserialize)]
struct Item {
    id: String,
    #[serde(default)]
    lang: String,
    #[serde(default)]
    question: String,
    /// A conversation; the answer to its last question counts.
    #[serde(default)]
    turns: Vec<String>,
    /// `sql`, `clarify` or `refuse`.
    #[serde(default)]
    expect: Option<String>,
    /// What should be asked back about.
    #[serde(default)]
    clarify_field: Option<String>,
    /// A query whose rows are right.
    #[serde(default)]
    gold_sql: Option<String>,
    /// Others that are as right.
    #[serde(default)]
    alternatives: Vec<String>,
    #[serde(default)]
    order_matters: bool,
    #[serde(default)]
    compare: Option<Compare>,
}

impl Item {
    fn questions(&self) -> &[String] {
        if self.turns.is_empty() { std::slice::from_ref(&self.question) } else { &self.turns }
    }
}

pub(super) async fn run(args: &EvalLogs, output: &Output) -> Result<(), Problem> {
    let items = items(&args.questions)?;
    let folder =
        tempfile::tempdir().map_err(|source| Problem::Folder { folder: std::env::temp_dir(), source })?;
    let bench = Bench::set_up(args, folder.path(), output).await?;
    if let Some(file) = &args.with.write_policy {
        let to = Written { set: "logs", out: &args.out, file };
        return measure(&mut Judged { bench, items }, &args.with, &to, output).await;
    }
    let figures = bench.figures.clone();
    let answerer = if args.bare {
        Answerer::Bare(BareModel::new(&args.with, &figures)?)
    } else {
        let decider = figures.counting(&super::decider(&args.with)?);
        Answerer::Analyst(bench.analyst(decider).map_err(Problem::Unexpected)?)
    };
    let (mut lines, mut failed, mut score) = (String::new(), 0, Score::default());
    for (done, item) in items.iter().enumerate() {
        let judged = async {
            let mut said = match &answerer {
                Answerer::Analyst(analyst) => bench.answer(analyst, item).await?,
                Answerer::Bare(model) => bench.answer_bare(model, item).await?,
            };
            said.verdict = verdict(&bench, item, &said).await?;
            anyhow::Ok(said)
        };
        match judged.await {
            Ok(said) => {
                score.add(item, &said, &bench).await;
                // Writing to a string can't fail.
                let _ = writeln!(lines, "{}", serde_json::to_string(&said).unwrap_or_default());
            }
            Err(error) => {
                failed += 1;
                output.complain(&format!("{}: {error:#}", item.id));
            }
        }
        let done = done + 1;
        if done % EVERY == 0 || done == items.len() {
            output.progress(&format!("{done}/{}", items.len()));
        }
    }
    std::fs::write(&args.out, lines).map_err(|source| Problem::File { file: args.out.clone(), source })?;
    score.print(bench.postgres.is_some(), output)?;
    let answer = json!({
        "items": items.len(), "failed": failed, "right_kind": score.right_kind, "labelled": score.labelled,
        "languages": score.tally.json(), "stores_disagree": score.differing,
    });
    let answer = figures.add_to(answer, &args.with);
    if failed == 0 {
        return output.json(answer);
    }
    Err(Problem::Items { failed, of: items.len() }.after(answer, output))
}

/// Who answers.
enum Answerer {
    Analyst(App<Analysis, Inquiry>),
    Bare(BareModel),
}

/// What is told at the end.
#[derive(Default)]
struct Score {
    labelled: usize,
    right_kind: usize,
    tally: Tally,
    /// Where the two stores give different rows.
    differing: BTreeSet<String>,
}

impl Score {
    async fn add(&mut self, item: &Item, said: &Said, bench: &Bench) {
        if let Some(expect) = &item.expect {
            self.labelled += 1;
            self.right_kind += usize::from(said.action == expect);
        }
        if let Some(verdict) = said.verdict {
            self.tally.add(item, verdict);
        }
        if let Some(sql) = &said.sql
            && bench.differs(sql).await
        {
            self.differing.insert(item.id.clone());
        }
    }

    fn print(&self, two_stores: bool, output: &Output) -> Result<(), Problem> {
        let lang = output.lang;
        self.tally.print(output)?;
        let mut rows = vec![[
            lang.pick("답의 종류가 맞음", "right kind of answer").to_owned(),
            format!("{}/{}", self.right_kind, self.labelled),
        ]];
        if two_stores {
            let names: Vec<&str> = self.differing.iter().map(String::as_str).collect();
            let label = lang.pick("두 저장소의 결과가 다름", "stores disagree");
            rows.push([label.to_owned(), format!("{} {}", self.differing.len(), names.join(" "))]);
        }
        output.table(lang.pick(["항목", "건"], ["measure", "cases"]), rows)
    }
}

fn items(file: &Path) -> Result<Vec<Item>, Problem> {
    let text =
        std::fs::read_to_string(file).map_err(|source| Problem::File { file: file.to_owned(), source })?;
    let bad = |(number, error): (usize, serde_json::Error)| Problem::File {
        file: file.to_owned(),
        source: std::io::Error::other(format!("line {number}: {error}")),
    };
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| serde_json::from_str(line).map_err(|error| bad((at + 1, error)))).collect()
}

/// The questions, with the store that has the right rows.
struct Judged {
    bench: Bench,
    items: Vec<Item>,
}

impl Judge for Judged {
    fn names(&self) -> Vec<String> {
        self.items.iter().map(|item| item.id.clone()).collect()
    }

    async fn ending(&mut self, question: usize, decider: Decider) -> anyhow::Result<Option<Ending>> {
        let item = self.items.get(question).context("there is no such question")?;
        let said = self.bench.answer(&self.bench.analyst(decider)?, item).await?;
        let verdict = verdict(&self.bench, item, &said).await?;
        Ok(verdict.map(Verdict::ending))
    }
}
