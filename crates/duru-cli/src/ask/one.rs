//! One question, from the command line to its answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use duru::Compiled;
use duru_agents::analyst::{Analysis, Inquiry, Toolbox, graph};
use duru_llm::decision::Setup;
use duru_sql::MachineZone;
use duru_sql::guard::Guard;
use serde_json::Value;

use super::{answer, clarify, words};
use crate::agents::{Asked, Conversation, Next, With};
use crate::args::{Args, AskArgs};
use crate::decisions;
use crate::lang::Lang;
use crate::logs;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;
use crate::tables::{self, AskedTables};

/// `duru ask`
pub(crate) async fn ask(ask: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let (with, conversation) = open(ask, args, output).await?;
    let next = if ask.question.is_none() && ask.run.is_none() {
        Next::Resume
    } else {
        let base = base(ask, output.lang)?;
        Next::Ask(match &ask.run {
            Some(sql) => own_query(sql.clone(), base, output.lang),
            None => Inquiry { question: ask.question.clone(), ..base },
        })
    };
    let end = conversation.run(next, &with, output, async |asked| person(asked, ask, output).await).await?;
    answer::print(&end, ask.show, conversation.thread(), output)
}

/// A conversation about the logs that were named, or this person's own.
pub(super) async fn open<'a>(
    ask: &'a AskArgs,
    args: &Args,
    output: &Output,
) -> Result<(With<'a>, Conversation<Analysis, Inquiry>), Problem> {
    if ask.tables.named.is_none() {
        logs::must_be_there(ask.logs.as_deref()).await?;
    }
    if let (None, Some(unknown)) = (&ask.timezone, &MachineZone::get().unknown) {
        output.progress(&words::unknown_zone(unknown, output.lang));
    }
    let with = With {
        agent: "analyst",
        thread: ask.thread.as_deref(),
        data_is_named: ask.logs.is_some() || ask.tables.named.is_some(),
        step: words::step,
        account: None,
        limit: ask.limit,
    };
    let analyst = async || {
        analyst_on(match &ask.tables.named {
            Some(named) => tables::open(named, &ask.tables, output).await?,
            None => logs::open_or_sample(ask.logs.as_deref(), output).await?.into(),
        })
    };
    let conversation = Conversation::open(&with, args, analyst).await?;
    Ok((with, conversation))
}

/// Whoever sits at the terminal answers what the analyst asks back.
pub(super) async fn person(asked: &Asked, ask: &AskArgs, output: &Output) -> Result<Option<Value>, Problem> {
    clarify::answer(&asked.value, ask.no_input, output).await
}

/// The analyst on tables that are open.
pub(crate) fn analyst_on(tables: AskedTables) -> Result<Compiled<Analysis, Inquiry>, Problem> {
    analyst_on_all(tables, Vec::new())
}

/// The same, with other tables that a person may choose to ask about instead.
pub(crate) fn analyst_on_all(
    tables: AskedTables,
    others: Vec<AskedTables>,
) -> Result<Compiled<Analysis, Inquiry>, Problem> {
    let decider = Setup::read(settings::get, &duru_agents::decisions::registry())
        .map_err(decisions::Problem::from)?
        .decider();
    let mut toolbox = toolbox_of(tables);
    toolbox.others = others.into_iter().map(|other| Arc::new(toolbox_of(other))).collect();
    let compiled =
        graph(toolbox).context("the analyst's graph does not compile").map_err(Problem::Unexpected)?;
    Ok(compiled.provide(decider))
}

fn toolbox_of(tables: AskedTables) -> Toolbox {
    let mut toolbox = Toolbox::new(tables.source, Guard::new(tables.catalog));
    toolbox.description = tables.description;
    toolbox.source = tables.name;
    toolbox
}

/// A query of the person's own. What is said of it is in the language of what is asked with it.
pub(super) fn own_query(sql: String, base: Inquiry, lang: Lang) -> Inquiry {
    Inquiry { question: Some(lang.pick("직접 쓴 SQL", "my own SQL").to_owned()), sql: Some(sql), ..base }
}

/// What every question of this call has.
pub(super) fn base(ask: &AskArgs, lang: Lang) -> Result<Inquiry, Problem> {
    let wrong = |ko: String, en: String| Err(Problem::Usage(lang.pick(ko, en)));
    let mut answers = BTreeMap::new();
    for given in &ask.answers {
        let Some((field, value)) = given.split_once('=') else {
            return wrong(
                format!("--answer에는 FIELD=VALUE를 쓰세요: {given}"),
                format!("--answer takes FIELD=VALUE, not {given}"),
            );
        };
        answers.insert(field.trim().to_owned(), value.trim().to_owned());
    }
    let zone = ask.timezone.clone().unwrap_or_else(|| MachineZone::get().name.clone());
    if jiff::tz::TimeZone::get(&zone).is_err() {
        return wrong(
            format!("모르는 시간대입니다: {zone} (예: Asia/Seoul, UTC)"),
            format!("unknown time zone: {zone} (such as Asia/Seoul or UTC)"),
        );
    }
    if let Some(now) = &ask.now
        && now.parse::<jiff::Timestamp>().is_err()
    {
        return wrong(
            format!("--now에 쓸 수 없는 시각입니다: {now} (예: 2026-03-18T14:30:00+09:00)"),
            format!("--now can't be {now} (such as 2026-03-18T14:30:00+09:00)"),
        );
    }
    Ok(Inquiry {
        max_results: ask.rows,
        clarification_answers: answers,
        timezone: Some(zone),
        now: ask.now.clone(),
        ..Inquiry::default()
    })
}
