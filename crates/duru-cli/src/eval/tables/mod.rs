//! `duru eval tables`: questions on schemas of others, from the question to the rows.

mod bare;
mod bench;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use duru_llm::decision::Decider;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::bare::BareModel;
use super::policy::{Ending, Judge, Written, measure};
use crate::args::EvalTables;
use crate::output::Output;
use crate::problem::Problem;
use bench::Bench;

/// How often progress is told.
const EVERY: usize = 25;

/// A question on one of the databases of a server.
#[derive(Debug, Deserialize)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) db: String,
    pub(super) question: String,
    #[serde(default)]
    set: Option<String>,
    /// `refuse` where no query answers the question.
    #[serde(default)]
    expect: Option<String>,
    /// Queries whose rows are right.
    #[serde(default)]
    pub(super) gold: Option<Vec<String>>,
    #[serde(default)]
    ordered: bool,
}

impl Item {
    fn wants_refusal(&self) -> bool {
        self.expect.as_deref() == Some("refuse")
    }

    /// Whether the order of the rows matters: only where the question asks for one.
    pub(super) fn wants_order(&self) -> bool {
        const WORDS: [&str; 13] = [
            "order by",
            "ordered by",
            "sort",
            "sorted",
            "arrange",
            "arranged",
            "rank",
            "ranked",
            "in ascending",
            "in descending",
            "in alphabetical",
            "in chronological",
            "ing order",
        ];
        let words: String =
            self.question.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
        let words = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
        let said = |word: &&str| {
            words.contains(&format!(" {word} ")) || *word == "ing order" && words.contains(word)
        };
        self.ordered && WORDS.iter().any(said)
    }
}

/// What was made of a question: one line of the file.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Prediction {
    pub(super) id: String,
    pub(super) sql: Option<String>,
    pub(super) refused: bool,
    pub(super) asked: bool,
    pub(super) understood_as: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// Queries of what was offered when asking back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) offered: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<Verdict>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    Right,
    /// It asked back, and what it offered has the right answer.
    AskedWell,
    /// It asked back, and nothing that it offered is right.
    Asked,
    Refused,
    /// A wrong answer, given as if it were right.
    Wrong,
    /// The query can't be run.
    Failed,
}

impl Verdict {
    pub(super) fn ending(self) -> Ending {
        match self {
            Verdict::Right => Ending::Right,
            Verdict::AskedWell | Verdict::Asked | Verdict::Refused => Ending::Open,
            Verdict::Wrong | Verdict::Failed => Ending::Wrong,
        }
    }
}

pub(super) async fn run(args: &EvalTables, output: &Output) -> Result<(), Problem> {
    let items = items(&args.items)?;
    let mut bench = Bench::new(args, output)?;
    if let Some(file) = &args.with.write_policy {
        let to = Written { set: "tables", out: &args.out, file };
        return measure(&mut Judged { bench, items }, &args.with, &to, output).await;
    }
    let figures = bench.figures.clone();
    let bare = args.bare.then(|| BareModel::new(&args.with, &figures)).transpose()?;
    let (mut lines, mut failed, mut tally) = (String::new(), 0, Tally::default());
    for (done, item) in items.iter().enumerate() {
        let answer = match &bare {
            Some(model) => bench.answer_bare(model, item).await,
            None => bench.answer(item).await,
        };
        match answer {
            Ok(mut said) => {
                said.verdict = bench.verdict(item, &said).await;
                tally.add(item, &said);
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
    tally.print(output)?;
    let mut answer = json!({ "items": items.len(), "failed": failed, "sets": tally.json() });
    if args.describe {
        answer["described"] = json!(bench.named);
    }
    let answer = figures.add_to(answer, &args.with);
    if failed == 0 {
        return output.json(answer);
    }
    Err(Problem::Items { failed, of: items.len() }.after(answer, output))
}

/// The questions, with the databases that have the right rows.
struct Judged<'a> {
    bench: Bench<'a>,
    items: Vec<Item>,
}

impl Judge for Judged<'_> {
    fn names(&self) -> Vec<String> {
        self.items.iter().map(|item| item.id.clone()).collect()
    }

    async fn ending(&mut self, question: usize, decider: Decider) -> anyhow::Result<Option<Ending>> {
        let item = self.items.get(question).context("there is no such question")?;
        self.bench.decide_with(decider);
        let said = self.bench.answer(item).await?;
        let verdict = self.bench.verdict(item, &said).await;
        Ok(verdict.map(Verdict::ending))
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

/// How many of each kind there were, by set.
#[derive(Default)]
struct Tally {
    sets: BTreeMap<String, BTreeMap<&'static str, usize>>,
}

/// The names of the columns, in their order.
const COLUMNS: [&str; 10] = [
    "items",
    "answered",
    "asked",
    "refused",
    "right",
    "asked_well",
    "asked_badly",
    "refused_wrongly",
    "wrong",
    "failed",
];

impl Tally {
    fn add(&mut self, item: &Item, said: &Prediction) {
        let kind = match said {
            Prediction { asked: true, .. } => "asked",
            Prediction { sql: Some(_), .. } => "answered",
            _ => "refused",
        };
        let verdict = said.verdict.map(|verdict| match verdict {
            Verdict::Right => "right",
            Verdict::AskedWell => "asked_well",
            Verdict::Asked => "asked_badly",
            Verdict::Refused => "refused_wrongly",
            Verdict::Wrong => "wrong",
            Verdict::Failed => "failed",
        });
        let whole = if item.wants_refusal() { "= unanswerable" } else { "= answerable" };
        let set = item.set.clone().unwrap_or_else(|| item.db.clone());
        for name in [set, whole.to_owned()] {
            let counts = self.sets.entry(name).or_default();
            for column in ["items", kind].into_iter().chain(verdict) {
                *counts.entry(column).or_default() += 1;
            }
        }
    }

    fn print(&self, output: &Output) -> Result<(), Problem> {
        let lang = output.lang;
        let head = lang.pick(
            [
                "묶음",
                "문항",
                "답함",
                "되물음",
                "거절",
                "맞음",
                "되물음(맞음)",
                "되물음(틀림)",
                "잘못 거절",
                "조용히 틀림",
                "실패",
            ],
            [
                "set",
                "items",
                "answered",
                "asked",
                "refused",
                "right",
                "asked well",
                "asked badly",
                "refused wrongly",
                "wrong in silence",
                "failed",
            ],
        );
        // The names of wholes come last.
        let mut sets: Vec<_> = self.sets.iter().collect();
        sets.sort_by_key(|(name, _)| (name.starts_with('='), *name));
        let rows = sets.into_iter().map(|(name, counts)| {
            let mut row: [String; 11] = Default::default();
            name.trim_start_matches("= ").clone_into(&mut row[0]);
            for (cell, column) in row.iter_mut().skip(1).zip(COLUMNS) {
                *cell = counts.get(column).copied().unwrap_or_default().to_string();
            }
            row
        });
        output.table(head, rows.collect::<Vec<_>>())
    }

    fn json(&self) -> serde_json::Value {
        let sets =
            self.sets.iter().map(|(name, counts)| (name.trim_start_matches("= ").to_owned(), json!(counts)));
        serde_json::Value::Object(sets.collect())
    }
}
