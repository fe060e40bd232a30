//! What the analyst asks back, and who answers.

use anyhow::Context as _;
use duru_agents::analyst::reader::AskBack;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::words;
use crate::output::Output;
use crate::problem::Problem;
use crate::terminal::{self, Prompt, Said};
use crate::text::clean;

#[derive(Deserialize)]
struct Asked {
    clarifications: Vec<AskBack>,
}

/// The answers by field; none if there is nobody to give them.
pub(super) async fn answer(asked: &Value, no_input: bool, output: &Output) -> Result<Option<Value>, Problem> {
    let asked =
        Asked::deserialize(asked).context("the question can't be read").map_err(Problem::Unexpected)?;
    for open in &asked.clarifications {
        output.complain(&words::asks(open, output.lang));
    }
    if no_input || !terminal::somebody_is_there() {
        return Ok(None);
    }
    let mut answers = Map::new();
    for open in &asked.clarifications {
        let Some(word) = listen(open, output).await? else { return Ok(None) };
        answers.insert(open.field.clone(), word.into());
    }
    Ok(Some(Value::Object(answers)))
}

/// Asks until the answer is one; none if the person has no more to say.
async fn listen(open: &AskBack, output: &Output) -> Result<Option<String>, Problem> {
    let text = |_| format!("{} > ", clean(&open.field));
    loop {
        let line = match terminal::read(Prompt { text: &text, history: None, until: None }).await? {
            Said::Line(line) => line,
            Said::Stop => return Err(Problem::Stopped),
            Said::End | Said::TimeIsUp => return Ok(None),
        };
        if let Some(word) = chosen(open, &line) {
            return Ok(Some(word));
        }
        output.complain(words::not_an_answer(output.lang));
    }
}

/// A number of an option, an option, or a word of one's own where that may be.
fn chosen(open: &AskBack, line: &str) -> Option<String> {
    if let Ok(number) = line.parse::<usize>()
        && let Some(option) = number.checked_sub(1).and_then(|at| open.options.get(at))
    {
        return Some(option.clone());
    }
    let known = open.options.iter().find(|option| option.eq_ignore_ascii_case(line));
    known.cloned().or_else(|| (open.allow_custom && !line.is_empty()).then(|| line.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_by_number_or_name_or_a_word_of_ones_own() {
        let mut open = AskBack {
            kind: "missing_info".into(),
            field: "service".into(),
            question: String::new(),
            options: vec!["payment-api".into(), "전체".into()],
            required: false,
            allow_custom: false,
        };
        assert_eq!(chosen(&open, "2").as_deref(), Some("전체"));
        assert_eq!(chosen(&open, "Payment-API").as_deref(), Some("payment-api"));
        assert_eq!(chosen(&open, "3"), None);
        open.allow_custom = true;
        assert_eq!(chosen(&open, "최근 3시간").as_deref(), Some("최근 3시간"));
        assert_eq!(chosen(&open, ""), None);
    }
}
