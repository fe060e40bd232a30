//! What the analyst asks back, and who answers.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::Context as _;
use duru_agents::analyst::understand::Ask;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::words;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean;

#[derive(Deserialize)]
struct Asked {
    clarifications: Vec<Ask>,
}

/// The answers by field; none if there is nobody to give them.
pub(super) async fn answer(asked: &Value, no_input: bool, output: &Output) -> Result<Option<Value>, Problem> {
    let asked =
        Asked::deserialize(asked).context("the question can't be read").map_err(Problem::Unexpected)?;
    for open in &asked.clarifications {
        output.complain(&words::asks(open, output.lang));
    }
    if no_input || !std::io::stdin().is_terminal() {
        return Ok(None);
    }
    let lang = output.lang;
    // A thread of its own: Ctrl-C must be heard while it waits.
    let answers = tokio::task::spawn_blocking(move || {
        let mut answers = Map::new();
        for open in &asked.clarifications {
            let word = listen(open, lang)?;
            answers.insert(open.field.clone(), word.into());
        }
        Some(Value::Object(answers))
    });
    answers.await.context("the terminal can't be read").map_err(Problem::Unexpected)
}

/// Asks until the answer is one; none at the end of input.
fn listen(open: &Ask, lang: Lang) -> Option<String> {
    let mut stderr = std::io::stderr();
    loop {
        // If it can't be shown, it can still be answered.
        let _ = write!(stderr, "{} > ", clean(&open.field)).and_then(|()| stderr.flush());
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
        if let Some(word) = chosen(open, line.trim()) {
            return Some(word);
        }
        let _ = writeln!(stderr, "{}", words::not_an_answer(lang));
    }
}

/// A number of an option, an option, or a word of one's own where that may be.
fn chosen(open: &Ask, line: &str) -> Option<String> {
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
        let mut open = Ask {
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
