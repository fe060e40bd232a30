//! Whether the person wants it.

use super::{Prompt, Said, read};
use crate::output::Output;
use crate::problem::Problem;

/// Asks whoever sits at the terminal. `command` does it without asking.
pub(crate) async fn agree(
    question: &str,
    command: impl FnOnce() -> String,
    output: &Output,
) -> Result<bool, Problem> {
    if !output.may_ask() {
        return Err(Problem::NeedsYes { command: command() });
    }
    let text = |_| format!("{question} [y/N] > ");
    match read(Prompt { text: &text, history: None, until: None }).await? {
        Said::Line(line) => Ok(is_yes(&line)),
        Said::End | Said::TimeIsUp => Ok(false),
        Said::Stop => Err(Problem::Stopped),
    }
}

/// Also as a Korean keyboard writes y.
fn is_yes(line: &str) -> bool {
    ["y", "yes", "예", "네", "ㅛ", "ㅇ", "ㅇㅇ"].contains(&line.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_a_yes_is_a_yes() {
        assert!(is_yes("Y") && is_yes(" 예 ") && is_yes("ㅛ"));
        assert!(!is_yes("") && !is_yes("n") && !is_yes("아니요") && !is_yes("yesterday"));
    }
}
