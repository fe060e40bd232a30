//! From exchanges to summaries: by rules, so that remembering costs no call of a model.

use super::exchange::{Exchange, Summary};
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{Role, Terms};

/// So long is a summary, in characters; half of it may be the question.
const SUMMARY: usize = 300;

/// An exchange in short: the question, and the lines of the answer that say most.
pub(super) fn summarise(exchange: &Exchange) -> Summary {
    let asked = shortened(&one_line(&exchange.asked), SUMMARY / 2);
    let room = SUMMARY.saturating_sub(asked.chars().count() + 3);
    let text = format!("{asked} → {}", telling(&exchange.answered, room));
    Summary {
        thread: exchange.thread.clone(),
        at: exchange.at,
        text,
        terms: exchange.terms.clone(),
        regions: exchange.regions.clone(),
        held: exchange.held.iter().filter_map(super::Held::lasting).collect(),
        distilled: exchange.distilled,
    }
}

/// The lines with figures or articles first; within that, as they come.
fn telling(answer: &str, room: usize) -> String {
    let lines: Vec<&str> =
        answer.lines().map(|line| line.trim().trim_start_matches(['#', '-', '*', '•', ' '])).collect();
    let says = |line: &&&str| line.chars().any(|c| c.is_ascii_digit());
    let (figures, others): (Vec<&&str>, Vec<&&str>) =
        lines.iter().filter(|line| !line.is_empty()).partition(says);
    let mut text = String::new();
    for line in figures.into_iter().chain(others) {
        let left = room.saturating_sub(text.chars().count() + usize::from(!text.is_empty()));
        if left < 12 && !text.is_empty() {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&shortened(line, left));
    }
    text
}

/// How much an exchange says about the person, beyond its question.
pub(super) fn weight(terms: &Terms, regions: &[Region]) -> usize {
    let own = terms.amounts.iter().filter(|amount| matches!(amount.role, Role::Budget | Role::Income));
    own.count() * 2
        + terms.groups.len() * 2
        + regions.len().min(2)
        + terms.features.len()
        + terms.areas.len()
        + usize::from(!terms.properties.is_empty())
        + usize::from(!terms.deals.is_empty())
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many characters, with a sign where something is gone.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    if most > 0 {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn exchange(asked: &str, answered: &str) -> Exchange {
        Exchange::new("t", Timestamp::UNIX_EPOCH, asked, answered)
    }

    #[test]
    fn a_summary_keeps_the_question_and_the_figures() {
        let answer = "## 요약\n\n안내해 드립니다.\n- 중앙값: 9억 2,000만원 (84㎡)\n- 8건\n\n주의하세요.";
        let summary = summarise(&exchange("노원구 아파트 시세는?", answer));
        assert_eq!(
            summary.text,
            "노원구 아파트 시세는? → 중앙값: 9억 2,000만원 (84㎡) 8건 요약 안내해 드립니다. 주의하세요."
        );
        let long = summarise(&exchange(&"가".repeat(1_000), &"1 나".repeat(1_000)));
        assert!(long.text.chars().count() <= SUMMARY, "{}", long.text.chars().count());
    }
}
