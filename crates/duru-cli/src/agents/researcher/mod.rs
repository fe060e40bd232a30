//! `duru ask --agent researcher` and `duru chat --agent researcher`: documents at a terminal.

mod answer;
mod words;

use std::sync::Arc;

use anyhow::Context as _;
use duru::Compiled;
use duru_agents::researcher::web::SearchEndpoint;
use duru_agents::researcher::{Inquiry, Research, SearchFilter, graph};
use duru_llm::decision::Setup;
use serde_json::Value;

use super::{Asked, ChatLine, Conversation, Next, With, talk};
use crate::args::{Agent, Args, AskArgs, LOCAL_USER, Show};
use crate::decisions;
use crate::docs;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;

pub(super) async fn ask(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    if asked.run.is_some() || asked.show != Show::All {
        return Err(super::for_the_analyst(output.lang));
    }
    let (with, conversation) = open(asked, args, output).await?;
    let next = asked.question.clone().map_or(Next::Resume, |question| Next::Ask(inquiry(asked, question)));
    let end = conversation.run(next, &with, output, nobody).await?;
    answer::print(&end, conversation.thread(), output)
}

pub(super) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let (with, mut conversation) = open(asked, args, output).await?;
    output.progress(words::greeting(output.lang));
    talk::chat_with(Agent::Researcher, output, async |line| {
        let ChatLine::Ask(question) = line else {
            conversation = talk::reset(&conversation, output).await?;
            return Ok(());
        };
        let end = conversation.run(Next::Ask(inquiry(asked, question)), &with, output, nobody).await?;
        answer::print(&end, conversation.thread(), output)
    })
    .await?;
    let again = output.command(&format!("chat --agent researcher --thread {}", conversation.thread()));
    output.progress(&output.lang.go_on_with(&again));
    Ok(())
}

/// The researcher on documents.
pub(super) fn researcher(documents: &docs::Opened) -> Result<Compiled<Research, Inquiry>, Problem> {
    let decider = Setup::read(settings::get, &duru_agents::decisions::registry())
        .map_err(decisions::Problem::from)?
        .decider();
    let mut tools = documents.toolbox().for_one(LOCAL_USER);
    // Off unless the environment says otherwise.
    let web = SearchEndpoint::from_env(settings::get).map_err(|error| Problem::of_setting(&error))?;
    if let Some(web) = web {
        tools = tools.with_web(Arc::new(web));
    }
    let compiled =
        graph(tools).context("the researcher's graph does not compile").map_err(Problem::Unexpected)?;
    Ok(compiled.provide(decider))
}

/// A conversation about the documents that were named, or this person's own.
async fn open<'a>(
    asked: &'a AskArgs,
    args: &Args,
    output: &Output,
) -> Result<(With<'a>, Conversation<Research, Inquiry>), Problem> {
    let with = With {
        agent: "researcher",
        thread: asked.thread.as_deref(),
        data_is_named: asked.documents.index.is_some(),
        step: words::step,
        account: None,
        limit: asked.limit,
    };
    let researcher = async || researcher(&docs::open_or_sample(&asked.documents, output).await?);
    let conversation = Conversation::open(&with, args, researcher).await?;
    Ok((with, conversation))
}

fn inquiry(asked: &AskArgs, question: String) -> Inquiry {
    let collection = asked.documents.collection.clone();
    Inquiry {
        search_filter: SearchFilter { collection, ..SearchFilter::default() },
        ..Inquiry::question(question)
    }
}

/// It asks nothing back.
async fn nobody(_: &Asked) -> Result<Option<Value>, Problem> {
    Ok(None)
}
