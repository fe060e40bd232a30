//! Running the example: from wherever its thread stands to its end.

use std::time::{SystemTime, UNIX_EPOCH};

use duru::{App, Event, Outcome, Question, Thread, ThreadId, ThreadState};
use serde_json::json;

use super::article::{Article, ArticleUpdate, DRAWING, Verdict, compile};
use super::nodes::Pace;
use super::outbox::Outbox;
use super::{ask, progress};
use crate::agents;
use crate::args::{Answering, Args, DemoArgs};
use crate::output::Output;
use crate::problem::Problem;
use crate::show::Picture;
use crate::store::{self, Opened};
use crate::text::clean;

/// `duru demo`
pub(crate) async fn run(demo: &DemoArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    let Opened { store, place, .. } = store::open_or_make(args.store.as_ref()).await?;
    let outbox = Outbox::beside(&store::file_beside(&place)?);
    let outbox_file = outbox.file().to_owned();
    let app = compile()?.provide(outbox).provide(Pace(demo.pace)).on(store);
    let thread = app.thread(demo.thread.as_deref().unwrap_or(&fresh_name()))?;

    output.progress(lang.welcome());
    output.text(DRAWING)?;
    output.text(&app.graph().mermaid())?;
    output.progress(&format!("\n{}", lang.place(&clean(thread.id().as_str()), &clean(&place.to_string()))));

    let next = first(&app, &thread, demo, output).await?;
    go(&thread, next, demo.answering, output).await?;

    let head = app.store().head(thread.id()).await.map_err(Problem::Store)?;
    let picture = Picture::load(&thread.log(), head).await?;
    output.text("\n")?;
    picture.print(output)?;
    let mut answer = picture.json();
    answer["graph_mermaid"] = json!(app.graph().mermaid());
    answer["store"] = json!(place.to_string());
    answer["published_file"] = json!(outbox_file.display().to_string());
    output.json(answer)
}

fn fresh_name() -> String {
    format!("demo-{}", &ThreadId::random().as_str()[..8])
}

/// What to do next on the thread.
enum Next {
    Input(ArticleUpdate),
    GoOn,
    Ask(Vec<Question>),
    Nothing,
}

/// Looks at where the thread stands, and says so.
async fn first(
    app: &App<Article>,
    thread: &Thread<Article>,
    demo: &DemoArgs,
    output: &Output,
) -> Result<Next, Problem> {
    let lang = output.lang;
    let again = output.command(&format!("demo --thread {}", thread.id()));
    if app.store().head(thread.id()).await.map_err(Problem::Store)?.is_none() {
        output.progress(&lang.if_killed(&clean(&again)));
        let topic = demo.topic.as_deref().unwrap_or(lang.default_topic());
        return Ok(Next::Input(ArticleUpdate::new().topic(topic).lang(lang)));
    }
    if let Some(graph) = thread.log().graph().await?
        && graph != app.graph().name()
    {
        return Err(Problem::OtherGraph { thread: thread.id().clone(), graph });
    }
    let state = thread.state().await?;
    if state.tasks.is_empty() {
        output.progress(&lang.is_done(&output.command("demo")));
        return Ok(Next::Nothing);
    }
    output.progress(&lang.goes_on(state.step.unwrap_or_default(), &clean(&state.next().join(", "))));
    let finished = state.tasks.iter().filter(|task| task.result.is_some()).count();
    if finished > 0 {
        output.progress(&lang.already_finished(finished));
    }
    Ok(waiting(&state))
}

/// A question whose time is over answers itself as the thread goes on.
fn waiting(state: &ThreadState) -> Next {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
    let is_open = |question: &&Question| question.deadline_ms.is_none_or(|at| u128::from(at) > now);
    let open: Vec<Question> = state.questions().into_iter().filter(is_open).cloned().collect();
    if open.is_empty() { Next::GoOn } else { Next::Ask(open) }
}

/// Runs until the thread is done, or until somebody else must do something.
async fn go(
    thread: &Thread<Article>,
    mut next: Next,
    mut answering: Answering,
    output: &Output,
) -> Result<(), Problem> {
    loop {
        let run = match next {
            Next::Nothing => return Ok(()),
            Next::Input(input) => thread.invoke(input),
            Next::GoOn => thread.go_on(),
            Next::Ask(questions) => {
                let Some(question) = questions.first() else { return Ok(()) };
                thread.answer([(question.id, decide(thread, question, &mut answering, output).await?)])
            }
        };
        next = match agents::watch(thread, run, |event| tell(event, output), output).await? {
            Outcome::Done(_) => Next::Nothing,
            Outcome::Paused(questions) => Next::Ask(questions),
            Outcome::Breakpoint(_) | Outcome::Drained => Next::GoOn,
            Outcome::Failed(failure) => return Err(Problem::Run(Box::new(failure))),
            Outcome::Cancelled => return Err(Problem::Cancelled { thread: thread.id().clone() }),
        };
    }
}

fn tell(event: &Event, output: &Output) -> Result<(), Problem> {
    progress::show(event, output);
    agents::told(event).map_or(Ok(()), |(kind, told)| output.event(kind, told))
}

async fn decide(
    thread: &Thread<Article>,
    question: &Question,
    answering: &mut Answering,
    output: &Output,
) -> Result<Verdict, Problem> {
    let id = || thread.id().clone();
    let verdict = tokio::select! {
        verdict = ask::answer(question, answering, output) => verdict?,
        _ = tokio::signal::ctrl_c() => {
            // Away from the line that the person was to write on.
            output.progress("");
            return Err(Problem::Cancelled { thread: id() });
        }
    };
    let verdict = verdict.ok_or_else(|| Problem::NeedsInput { thread: id() })?;
    output.progress(&output.lang.answered(verdict.word()));
    Ok(verdict)
}
