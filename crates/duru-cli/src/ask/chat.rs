//! A conversation with the analyst, line by line.

use duru_agents::analyst::Inquiry;

use super::{answer, one, words};
use crate::agents::{self, Next};
use crate::args::{Args, AskArgs};
use crate::output::Output;
use crate::problem::Problem;

/// `duru chat`
pub(crate) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let (with, conversation) = one::open(asked, args, output).await?;
    output.progress(words::greeting(output.lang));
    let open = agents::chat_with(output, async |question| {
        let question = Inquiry { question: Some(question), ..one::base(asked, output.lang)? };
        let person = async |open: &_| one::person(open, asked, output).await;
        let end = conversation.run(Next::Ask(question), &with, output, person).await?;
        answer::print(&end, asked.show, conversation.thread(), output)
    })
    .await;
    let name = conversation.thread();
    output.progress(&output.lang.go_on_with(&output.command(&format!("chat --thread {name}"))));
    open
}
