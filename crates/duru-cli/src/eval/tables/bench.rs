//! Every database is opened once, and its questions are asked of one analyst.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Context as _;
use duru::store::MemoryStore;
use duru::{App, Outcome, Unfinished};
use duru_agents::analyst::reader::AskBack;
use duru_agents::analyst::{
    Analysis, Inquiry, LiveDescription, SuggestedWords, Toolbox, graph, suggest_words,
};
use duru_llm::decision::Decider;
use duru_sql::domain::{Description, Domain};
use duru_sql::guard::Guard;
use duru_sql::postgres::PostgresTables;
use duru_sql::same_rows::{Rows, same};
use duru_sql::{Asking, Limits, TableSource as _};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::{Item, Prediction, Verdict};
use crate::args::{EvalTables, TablesPlace};
use crate::eval::figures::Figures;
use crate::output::Output;
use crate::problem::Problem;
use crate::tables;

/// So many of what is offered are tried.
const OFFERS: usize = 6;

#[derive(Deserialize)]
struct AskedBack {
    clarifications: Vec<AskBack>,
}

/// A database and the analyst on it.
pub(super) struct Subject {
    pub(super) tables: Arc<PostgresTables>,
    /// What every analyst on it begins with.
    pub(super) tools: Toolbox,
    described: Description,
    analyst: App<Analysis, Inquiry>,
}

fn toolbox(tables: &Arc<PostgresTables>, described: &Description) -> Toolbox {
    let mut toolbox = Toolbox::new(Arc::clone(tables) as _, Guard::new(tables.catalog()));
    toolbox.description = Arc::new(LiveDescription::new(described.clone()));
    toolbox
}

/// An analyst with nothing in its memory.
fn analyst(
    tables: &Arc<PostgresTables>,
    described: &Description,
    decider: Decider,
) -> anyhow::Result<App<Analysis, Inquiry>> {
    let graph = graph(toolbox(tables, described)).context("the analyst's graph does not compile")?;
    Ok(graph.provide(decider).on(Arc::new(MemoryStore::new())))
}

/// What came of naming: whoever compares wants to know whether the model answered at all.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct NamedSoFar {
    databases: usize,
    tables: usize,
    words: usize,
    /// Questions that the model did not answer.
    failed: usize,
}

pub(super) struct Bench<'a> {
    pub(super) args: &'a EvalTables,
    output: &'a Output,
    decider: Decider,
    /// Names tables and columns of a database before it is asked.
    namer: Option<Decider>,
    pub(super) named: NamedSoFar,
    pub(super) figures: Figures,
    /// Whether those that are open still have another.
    changed: bool,
    subjects: BTreeMap<String, Subject>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(args: &'a EvalTables, output: &'a Output) -> Result<Self, Problem> {
        let figures = Figures::default();
        let (decider, namer) = match args.describe {
            true => (Decider::by_rules(), Some(tables::patiently(crate::eval::setup(&args.with)?.0))),
            false => (crate::eval::decider(&args.with)?, None),
        };
        let (decider, named) = (figures.counting(&decider), NamedSoFar::default());
        Ok(Self { args, output, decider, namer, named, figures, changed: false, subjects: BTreeMap::new() })
    }

    /// From now on these decide.
    pub(super) fn decide_with(&mut self, decider: Decider) {
        self.decider = decider;
        self.changed = true;
    }

    pub(super) async fn subject(&mut self, database: &str) -> anyhow::Result<&Subject> {
        if !self.subjects.contains_key(database) {
            let url = format!("{}/{database}", self.args.base.trim_end_matches('/'));
            let place = TablesPlace::default();
            let tables = tables::database(&url, &place, &Description::default(), self.output).await;
            let tables = tables.map_err(|problem| anyhow::anyhow!(problem.what(self.output.lang)))?;
            let tables = Arc::new(tables);
            let described = self.description(database, &tables).await?;
            let analyst = analyst(&tables, &described, self.decider.clone())?;
            let tools = toolbox(&tables, &described);
            self.subjects.insert(database.to_owned(), Subject { tables, tools, described, analyst });
        }
        if std::mem::take(&mut self.changed) {
            for subject in self.subjects.values_mut() {
                subject.analyst = analyst(&subject.tables, &subject.described, self.decider.clone())?;
            }
        }
        self.subjects.get(database).context("the database was opened")
    }

    /// What the model calls the tables and columns, where it is asked to; or nothing.
    async fn description(&mut self, database: &str, tables: &PostgresTables) -> anyhow::Result<Description> {
        let Some(namer) = &self.namer else { return Ok(Description::default()) };
        let domain = Domain::of(&*tables.knowledge().await?, &Description::default());
        let output = self.output;
        let found =
            suggest_words(namer, &domain, |table| output.progress(&format!("{database}: {}", table.name)));
        let found = found.await;
        self.named.databases += 1;
        self.named.tables += found.tables.len();
        self.named.words += found.tables.values().map(SuggestedWords::count).sum::<usize>();
        self.named.failed += found.failed.len();
        Ok(found.in_description(Description::default()))
    }

    pub(super) async fn answer(&mut self, item: &Item) -> anyhow::Result<Prediction> {
        let (timezone, now) = (self.args.timezone.clone(), self.args.now.clone());
        let figures = self.figures.clone();
        let subject = self.subject(&item.db).await?;
        let inquiry = |answers: BTreeMap<String, String>| Inquiry {
            question: Some(item.question.clone()),
            timezone: Some(timezone.clone()),
            now: now.clone(),
            clarification_answers: answers,
            ..Inquiry::default()
        };
        let said = Prediction { id: item.id.clone(), ..Prediction::default() };
        let thread = subject.analyst.thread(item.id.as_str())?;
        figures.question_asked();
        let outcome = thread.invoke(inquiry(BTreeMap::new())).on_unfinished(Unfinished::Discard).await?;
        figures.question_answered();
        match outcome {
            Outcome::Done(end) => Ok(told(said, &end)),
            Outcome::Paused(questions) => {
                let asked: AskedBack = questions.first().context("it waits for nothing")?.get()?;
                let mut offered = BTreeSet::new();
                let open = asked.clarifications.first().context("it asks nothing")?;
                for (at, option) in open.options.iter().take(OFFERS).enumerate() {
                    let answers = BTreeMap::from([(open.field.clone(), option.clone())]);
                    let thread = subject.analyst.thread(format!("{}-{at}", item.id).as_str())?;
                    let outcome = thread.invoke(inquiry(answers)).on_unfinished(Unfinished::Discard).await?;
                    if let Outcome::Done(end) = outcome {
                        offered.extend(told(said.clone(), &end).sql);
                    }
                }
                let reason = Some(open.question.clone());
                Ok(Prediction { asked: true, reason, offered: offered.into_iter().collect(), ..said })
            }
            other => anyhow::bail!("the run ended with {other:?}"),
        }
    }

    /// Whether it is right; none where nobody said what would be.
    pub(super) async fn verdict(&mut self, item: &Item, said: &Prediction) -> Option<Verdict> {
        if item.wants_refusal() {
            return Some(match said {
                Prediction { asked: true, .. } => Verdict::Asked,
                Prediction { sql: Some(_), .. } => Verdict::Wrong,
                _ => Verdict::Right,
            });
        }
        let gold = item.gold.as_ref().filter(|gold| !gold.is_empty())?;
        let tables = Arc::clone(&self.subjects.get(&item.db)?.tables);
        let mut accepted = Vec::new();
        for sql in gold {
            match rows(&tables, sql).await {
                Some(rows) => accepted.push(rows),
                None => self.output.complain(&format!("{}: the reference query can't be run", item.id)),
            }
        }
        let is_right = async |sql: &str| {
            let found = rows(&tables, sql).await?;
            Some(accepted.iter().any(|gold| same(&found, gold, item.wants_order())))
        };
        Some(match &said.sql {
            Some(sql) => match is_right(sql).await {
                Some(true) => Verdict::Right,
                Some(false) => Verdict::Wrong,
                None => Verdict::Failed,
            },
            None if said.asked => {
                for sql in &said.offered {
                    if is_right(sql).await == Some(true) {
                        return Some(Verdict::AskedWell);
                    }
                }
                Verdict::Asked
            }
            None => Verdict::Refused,
        })
    }
}

fn told(said: Prediction, end: &Analysis) -> Prediction {
    match &end.problem {
        None => Prediction {
            sql: end.executed_sql.clone().or_else(|| end.generated_sql.clone()),
            understood_as: end.explanation.clone(),
            ..said
        },
        Some(trouble) => Prediction { refused: true, reason: Some(trouble.message.clone()), ..said },
    }
}

/// The rows of a query as they are compared; none if it can't be run.
async fn rows(tables: &PostgresTables, sql: &str) -> Option<Rows> {
    let limits = Limits { rows: 20_000, ..Limits::default() };
    let asking = Asking { timezone: "UTC".into(), limits, cancel: CancellationToken::new(), who: None };
    let answer = tables.reference(sql, &asking).await.ok()?;
    Some(Rows::of(&answer))
}
