//! `duru ask --agent advisor` and `duru chat --agent advisor`: a consultation at a terminal.

mod answer;
mod confirm;
mod documents;
mod draft;
mod sources;
mod words;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use duru::Compiled;
use duru::memory::Memory;
use duru_agents::advisor::api::{Places, RealDeals, RealInfrastructure, Trades};
use duru_agents::advisor::memory::Notebook;
use duru_agents::advisor::{Advice, Inquiry, Toolbox, Variant, graph};
use duru_llm::decision::Setup;

use super::{Asked, ChatLine, Conversation, Next, With, talk};
use crate::args::{Agent, Args, AskArgs, LOCAL_USER, Show};
use crate::decisions;
use crate::docs;
use crate::output::Output;
use crate::problem::Problem;
use crate::settings;
use crate::store;
use crate::terminal;

pub(super) async fn ask(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    if asked.run.is_some() || asked.show != Show::All {
        return Err(super::for_the_analyst(output.lang));
    }
    let (with, conversation) = open(asked, args, output).await?;
    let question = asked.question.clone();
    let end = consult(&conversation, question, &with, asked, output).await?;
    let files = documents::write(&end, args, output).await?;
    answer::print(&end, conversation.thread(), &files, output)
}

pub(super) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let (with, mut conversation) = open(asked, args, output).await?;
    output.progress(words::greeting(output.lang));
    talk::chat_with(Agent::Advisor, output, async |line| {
        let ChatLine::Ask(question) = line else {
            conversation = talk::reset(&conversation, output).await?;
            return Ok(());
        };
        let end = consult(&conversation, Some(question), &with, asked, output).await?;
        let files = documents::write(&end, args, output).await?;
        answer::print(&end, conversation.thread(), &files, output)
    })
    .await?;
    let again = output.command(&format!("chat --agent advisor --thread {}", conversation.thread()));
    output.progress(&output.lang.go_on_with(&again));
    Ok(())
}

/// The advisor, with the laws among these documents, and what it remembers of people.
pub(super) fn advisor(
    documents: &docs::Opened,
    memory: Memory,
    output: &Output,
) -> Result<Compiled<Advice, Inquiry>, Problem> {
    let today = || jiff::Zoned::now().date();
    let mut sources = sources::sources(today(), output)?;
    sources.laws = Some(documents.searcher());
    let mut tools = sources.tools();
    // Real deals, if somebody has a key for them.
    let trades = Trades::read(settings::get).map_err(|error| Problem::of_setting(&error))?;
    if let Some(trades) = trades {
        tools = tools.with(Arc::new(RealDeals::new(trades, sources.clone(), today)));
    }
    // And real places.
    let places = Places::read(settings::get).map_err(|error| Problem::of_setting(&error))?;
    if let Some(places) = places {
        tools = tools.with(Arc::new(RealInfrastructure::new(places)));
    }
    let decider = Setup::read(settings::get, &duru_agents::decisions::registry())
        .map_err(decisions::Problem::from)?
        .decider();
    let mut toolbox = Toolbox::new(&sources)
        .with_tools(tools)
        .with_memory(Arc::new(Notebook::new(memory)))
        // A server without keys has one user; one with keys names whoever asks.
        .for_one(LOCAL_USER);
    if let Some(seconds) = ask_seconds()? {
        toolbox.bounds.worth_asking = seconds;
    }
    let compiled =
        graph(toolbox).context("the advisor's graph does not compile").map_err(Problem::Unexpected)?;
    Ok(compiled.provide(decider))
}

/// How long a search must take for a person to be asked whether earlier data will do.
fn ask_seconds() -> Result<Option<Duration>, Problem> {
    const NAME: &str = "DURU_ASK_SECONDS";
    let Some(text) = settings::get(NAME) else { return Ok(None) };
    let seconds =
        text.trim().parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.map(Some).ok_or_else(|| Problem::Setting {
        ko: format!("{NAME}은(는) 0 이상의 초여야 합니다: {text}"),
        en: format!("{NAME} must be seconds, zero or more: {text}"),
    })
}

async fn open<'a>(
    asked: &'a AskArgs,
    args: &Args,
    output: &Output,
) -> Result<(With<'a>, Conversation<Advice, Inquiry>), Problem> {
    let with = With {
        agent: "advisor",
        thread: asked.thread.as_deref(),
        data_is_named: asked.documents.index.is_some(),
        // Its plan is shown, not its nodes.
        step: |node, _| node.to_owned(),
        account: Some(words::account()),
        limit: asked.limit,
    };
    let advisor = async || {
        let documents = docs::open_or_sample(&asked.documents, output).await?;
        let stores = store::open_or_make(args.store.as_ref()).await?.stores;
        advisor(&documents, Memory::new(stores.memories), output)
    };
    let conversation = Conversation::open(&with, args, advisor).await?;
    Ok((with, conversation))
}

/// Asks or goes on to the end; the plan is shown as it goes, and what the advisor asks back, the person answers.
async fn consult(
    conversation: &Conversation<Advice, Inquiry>,
    question: Option<String>,
    with: &With<'_>,
    asked: &AskArgs,
    output: &Output,
) -> Result<Arc<Advice>, Problem> {
    let interactive = !asked.no_input && terminal::somebody_is_there();
    let next = question.map_or(Next::Resume, |question| {
        let user = Some(LOCAL_USER.to_owned());
        // One person alone is no experiment: all gates.
        let variant = Some(Variant::B);
        Next::Ask(Inquiry {
            now: asked.now.clone(),
            user,
            interactive,
            variant,
            ..Inquiry::question(question)
        })
    });
    let person = async |back: &Asked| match interactive {
        _ if asked.yes && draft::is_one(&back.value) => Ok(Some(draft::yes())),
        true if draft::is_one(&back.value) => draft::answer(&back.value, output).await,
        true => confirm::answer(back, output).await,
        false => Ok(None),
    };
    conversation.run(next, with, output, person).await
}
