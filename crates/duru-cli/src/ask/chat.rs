//! A conversation with the analyst, line by line.

use duru_agents::analyst::Inquiry;

use super::{answer, one, words};
use crate::agents::{self, ChatLine, Next};
use crate::args::{Agent, Args, AskArgs};
use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean_lines;

/// `duru chat`
pub(crate) async fn chat(asked: &AskArgs, args: &Args, output: &Output) -> Result<(), Problem> {
    let (with, mut conversation) = one::open(asked, args, output).await?;
    // The query of the last answer.
    let mut last: Option<String> = None;
    output.progress(words::greeting(output.lang));
    let open = agents::chat_with(Agent::Analyst, output, async |line| {
        let base = one::base(asked, output.lang)?;
        let question = match line {
            ChatLine::Ask(question) => Inquiry { question: Some(question), ..base },
            ChatLine::Sql(Some(sql)) => one::own_query(sql, base, output.lang),
            ChatLine::Sql(None) => {
                let none = || words::no_query(output.lang).to_owned();
                return output.text(&format!("{}\n", last.as_deref().map_or_else(none, clean_lines)));
            }
            _ => {
                last = None;
                conversation = agents::reset(&conversation, output).await?;
                return Ok(());
            }
        };
        let person = async |open: &_| one::person(open, asked, output).await;
        let end = conversation.run(Next::Ask(question), &with, output, person).await?;
        last.clone_from(&end.generated_sql);
        answer::print(&end, asked.show, conversation.thread(), output)
    })
    .await;
    let name = conversation.thread();
    output.progress(&output.lang.go_on_with(&output.command(&format!("chat --thread {name}"))));
    open
}
