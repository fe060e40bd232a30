//! Questions that the reader truly answers, for whoever sees a database for the first time.

use std::sync::Arc;

use anyhow::Context as _;
use duru::store::MemoryStore;
use duru::{Outcome, Unfinished};
use duru_agents::analyst::Inquiry;
use duru_sql::domain::{Description, Domain, DomainColumn, DomainTable};
use duru_sql::{Kind, Knowledge};

use super::open::OpenTables;
use crate::ask::analyst_on;
use crate::lang::Lang;
use crate::problem::Problem;

/// So many are shown.
const MOST: usize = 5;
/// So many are tried.
const TRIED: usize = 24;

/// Questions on these tables that have an answer.
pub(super) async fn of(
    tables: OpenTables,
    knowledge: &Knowledge,
    lang: Lang,
) -> Result<Vec<String>, Problem> {
    let description = Description::default();
    let domain = Domain::of(knowledge, &description);
    let analyst = analyst_on(tables.asked(description))?.on(Arc::new(MemoryStore::new()));
    let mut answered = Vec::new();
    for (at, question) in candidates(&domain, lang).into_iter().take(TRIED).enumerate() {
        if answered.len() == MOST {
            break;
        }
        let thread = analyst.thread(format!("example-{at}").as_str())?;
        let inquiry = Inquiry { question: Some(question.clone()), ..Inquiry::default() };
        let outcome = thread.invoke(inquiry).on_unfinished(Unfinished::Discard).await;
        if let Outcome::Done(end) = outcome.context("an example").map_err(Problem::Unexpected)?
            && end.problem.is_none()
        {
            answered.push(question);
        }
    }
    Ok(answered)
}

/// What could be asked: of the largest tables first, each kind of question in turn.
fn candidates(domain: &Domain, lang: Lang) -> Vec<String> {
    let mut tables: Vec<&DomainTable> = domain.tables.iter().filter(|table| table.rows > 0).collect();
    tables.sort_by_key(|table| std::cmp::Reverse(table.rows));
    let kinds: [fn(&DomainTable, Lang) -> Option<String>; 4] = [by_group, average, how_many, most];
    let mut questions = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        for kind in 0..kinds.len() {
            questions.extend(kinds[(at + kind) % kinds.len()](table, lang));
        }
    }
    questions
}

fn noun(table: &DomainTable) -> &str {
    table.nouns.first().map_or(&table.name, String::as_str)
}

fn word(column: &DomainColumn) -> &str {
    column.nouns.first().map_or(&column.name, String::as_str)
}

/// A column that rows fall into groups by.
fn group(table: &DomainTable) -> Option<&DomainColumn> {
    let few = |column: &&DomainColumn| (2..=40).contains(&column.values.len());
    table.columns.iter().filter(|column| matches!(column.kind, Kind::Text | Kind::Ordered(_))).find(few)
}

/// A column with amounts.
fn amount(table: &DomainTable) -> Option<&DomainColumn> {
    table
        .columns
        .iter()
        .find(|column| column.is_number() && !column.code && !table.primary_key.contains(&column.name))
}

fn how_many(table: &DomainTable, lang: Lang) -> Option<String> {
    let noun = noun(table);
    Some(lang.pick(format!("{noun} 몇 건?"), format!("How many {noun} are there?")))
}

fn by_group(table: &DomainTable, lang: Lang) -> Option<String> {
    let (noun, group) = (noun(table), word(group(table)?));
    Some(lang.pick(format!("{group}별 {noun} 건수"), format!("number of {noun} by {group}")))
}

fn average(table: &DomainTable, lang: Lang) -> Option<String> {
    let (noun, amount) = (noun(table), word(amount(table)?));
    Some(match group(table).map(word) {
        Some(group) => lang.pick(
            format!("{noun}의 {group}별 평균 {amount}"),
            format!("average {amount} of {noun} by {group}"),
        ),
        None => lang.pick(format!("{noun}의 평균 {amount}"), format!("average {amount} of {noun}")),
    })
}

fn most(table: &DomainTable, lang: Lang) -> Option<String> {
    let (noun, amount) = (noun(table), word(amount(table)?));
    Some(lang.pick(format!("{amount} 가장 큰 {noun} 5개"), format!("top 5 {noun} by {amount}")))
}
