//! `duru tables describe`: a model says once what people call tables and columns, and every later question is read with
//! these words, by rules.

use std::time::Duration;

use duru_agents::analyst::{SuggestedWords, Suggestions, naming_decision, suggest_words};
use duru_llm::decision::{Decider, DecisionPolicy, Patience, PolicyReason, Setup};
use duru_llm::{Choice, Model as _};
use duru_sql::domain::Domain;
use serde_json::{Value, json};

use super::commands::{connect, notes};
use super::edit;
use super::problem::TablesProblem;
use super::registry::{self, Registered};
use crate::decisions;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;
use crate::text::clean;

/// Nobody waits for an answer to a question: a small model on a slow machine may take its time for a table.
const FOR_ONE_TABLE: Duration = Duration::from_secs(600);

pub(super) async fn describe(name: &str, model: Option<&str>, output: &Output) -> Result<(), Problem> {
    let source = registry::get(name)?;
    // Before anything else: whoever has no model need not wait for the database to hear it.
    let decider = patiently(setup(model)?);
    let tables = connect(&source, output).await?;
    notes(&tables, output);
    let knowledge = tables.source().knowledge().await.map_err(TablesProblem::Source)?;
    let domain = Domain::of(&knowledge, &source.description.clone().without_suggestions());
    let mut at = 0;
    let found = suggest_words(&decider, &domain, |table| {
        at += 1;
        output.progress(&format!("{at}/{} {}", domain.tables.len(), clean(&table.name)));
    })
    .await;
    for (table, why) in &found.failed {
        output.complain(&clean(&format!("{table}: {why}")));
    }
    if let (true, Some((_, why))) = (found.tables.is_empty(), found.failed.first()) {
        return Err(TablesProblem::Unnamed { reason: why.clone() }.into());
    }
    edit::keep_suggestions(name, &found)?;
    output.text(&told(&source, &found, output))?;
    output.json(
        json!({ "name": name, "file": source.file, "tables": listed(&found), "failed": failed(&found) }),
    )
}

/// The same for whoever describes tables, and not for a person who waits.
pub(crate) fn patiently(setup: Setup) -> Decider {
    Setup { patience: Patience { first_word: FOR_ONE_TABLE, total: FOR_ONE_TABLE }, ..setup }.decider()
}

/// What is set, with a model that names columns. One that was not measured may: the person asked for just that, and sees
/// what comes of it.
fn setup(model: Option<&str>) -> Result<Setup, Problem> {
    let get = |name: &str| match (name, model) {
        ("DURU_MODEL", Some(model)) => Some(model.to_owned()),
        _ => settings::get(name),
    };
    let registry = duru_agents::decisions::registry();
    let mut setup = Setup::read(get, &registry).map_err(decisions::Problem::from)?;
    let model = match setup.models.of(naming_decision()) {
        Choice::Model(model) => model.name().to_owned(),
        Choice::Rules => return Err(TablesProblem::NoModel { reason: None }.into()),
        Choice::Unusable(error) => {
            return Err(TablesProblem::NoModel { reason: Some(error.to_string()) }.into());
        }
    };
    let (policy, reason) = setup.policies.of(naming_decision(), &model);
    if reason != PolicyReason::Unmeasured && !policy.leads() {
        return Err(TablesProblem::ModelNotTrusted { model }.into());
    }
    setup.policies = setup.policies.but(naming_decision(), DecisionPolicy::Model, "duru tables describe");
    Ok(setup)
}

/// What was added, and where it can be changed.
fn told(source: &Registered, found: &Suggestions, output: &Output) -> String {
    let mut text = String::new();
    for (table, words) in found.tables.iter().filter(|(_, words)| !words.is_empty()) {
        text.push_str(&clean(format!("{table}: {}", words.table.join(", ")).trim_end_matches([':', ' '])));
        text.push('\n');
        for (column, words) in &words.columns {
            text.push_str(&format!("  {}\n", clean(&format!("{column}: {}", words.join(", ")))));
        }
    }
    let count: usize = found.tables.values().map(SuggestedWords::count).sum();
    let file = source.file.display();
    text.push_str(&output.lang.pick(
        format!(
            "\n제안된 말 {count}개를 {file}에 `suggested`로 적었습니다. 직접 적은 `nouns`가 앞섭니다; 맞지 않는 말은 지우세요.\n"
        ),
        format!(
            "\n{count} suggested words are in {file}, as `suggested`. Your own `nouns` come first; delete what does not fit.\n"
        ),
    ));
    text
}

fn listed(found: &Suggestions) -> Vec<Value> {
    let table = |(name, words): (&String, &SuggestedWords)| json!({ "name": name, "suggested": words.table, "columns": words.columns });
    found.tables.iter().map(table).collect()
}

fn failed(found: &Suggestions) -> Vec<Value> {
    found.failed.iter().map(|(table, why)| json!({ "name": table, "reason": why })).collect()
}
