//! A conversation with the analyst, line by line.

use duru_agents::analyst::Inquiry;

use super::{answer, one, words};
use crate::agents;
use crate::args::{Args, AskArgs};
use crate::output::Output;
use crate::problem::Problem;

/// `duru chat`
pub(crate) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let analyst = one::open(asked, args, output).await?;
    let name = asked.thread.clone().unwrap_or_else(|| agents::fresh_name("chat"));
    let thread = analyst.thread(name.as_str())?;
    output.progress(words::greeting(output.lang));
    agents::chat_with(output, async |question| {
        let question = Inquiry { question: Some(question), ..one::base(asked)? };
        answer::print(&*one::run(&thread, question, asked, output).await?, asked.show, thread.id(), output)
    })
    .await?;
    output.progress(&output.lang.go_on_with(&output.command(&format!("chat --thread {name}"))));
    Ok(())
}
