//! Who answers the example's question.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::Context as _;
use duru::Question;

use super::article::{Ask, Verdict};
use crate::args::Answering;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean;

/// The answer; none if there is nobody to give one.
pub(super) async fn answer(
    question: &Question,
    answering: &mut Answering,
    output: &Output,
) -> Result<Option<Verdict>, Problem> {
    match *answering {
        Answering::Nobody => Ok(None),
        Answering::Yes => Ok(Some(Verdict::Publish)),
        Answering::With(verdict) => {
            *answering = Answering::Yes;
            Ok(Some(verdict))
        }
        Answering::Person if !std::io::stdin().is_terminal() => Ok(Some(Verdict::Publish)),
        Answering::Person => {
            let ask: Ask =
                question.get().context("the question can't be read").map_err(Problem::Unexpected)?;
            put(&ask, output);
            // A thread of its own: Ctrl-C must be heard while it waits.
            let lang = output.lang;
            tokio::task::spawn_blocking(move || listen(lang))
                .await
                .context("the terminal can't be read")
                .map_err(Problem::Unexpected)
        }
    }
}

fn put(ask: &Ask, output: &Output) {
    let mark = |ok: bool| if ok { "✓" } else { "✗" };
    let remarks: Vec<String> = ask
        .remarks
        .iter()
        .map(|remark| format!("{} {}", mark(remark.ok), remark.rule.name(output.lang)))
        .collect();
    output.complain(&output.lang.question(ask.round, &remarks.join(", ")));
    output.complain(&format!("  {}", clean(&ask.draft)));
}

/// Asks until the answer is one; none at the end of input.
fn listen(lang: Lang) -> Option<Verdict> {
    let mut stderr = std::io::stderr();
    loop {
        // If it can't be shown, it can still be answered.
        let _ = write!(stderr, "{}", lang.choices()).and_then(|()| stderr.flush());
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => return None,
            Ok(_) => match line.trim().to_lowercase().as_str() {
                "" | "p" | "y" | "예" | "publish" => return Some(Verdict::Publish),
                "r" | "revise" => return Some(Verdict::Revise),
                "h" | "n" | "hold" => return Some(Verdict::Hold),
                _ => {
                    let _ = writeln!(stderr, "{}", lang.not_a_choice());
                }
            },
        }
    }
}
