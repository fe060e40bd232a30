//! `--bare`: a model alone, with one plain prompt for each question, to compare with.

use std::fmt::Write as _;

use duru_llm::decision::Patience;
use duru_llm::{Choice, Model as _, Request, Resilient, Stop, Until};
use duru_messages::{Message, UsageMetadata};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::time::Instant;

use super::figures::Figures;
use crate::args::EvalModel;
use crate::problem::Problem;

const PROMPT: &str = include_str!("bare.md");
/// As many as the analyst's own query may have.
const MAX_TOKENS: u32 = 1500;

/// A model that no rule helps.
pub(super) struct BareModel {
    model: Resilient,
    patience: Patience,
    figures: Figures,
}

/// What the model is told.
pub(super) struct BareQuestion<'a> {
    pub(super) schema: &'a str,
    pub(super) now: Timestamp,
    /// By its IANA name.
    pub(super) timezone: &'a str,
    /// What was asked before in the same conversation.
    pub(super) earlier: &'a [String],
    pub(super) question: &'a str,
}

/// What it makes of it: a query, or why there is none.
pub(super) type BareAnswer = Result<String, String>;

impl BareModel {
    pub(super) fn new(with: &EvalModel, figures: &Figures) -> Result<Self, Problem> {
        let (setup, _) = super::setup(with)?;
        match setup.models.all().first() {
            Some(Choice::Model(model)) => {
                Ok(Self { model: model.clone(), patience: setup.patience, figures: figures.clone() })
            }
            _ => Err(Problem::Usage("--bare: --model NAME".to_owned())),
        }
    }

    /// Asks once. A call that fails is no answer, and is counted with its reason.
    pub(super) async fn ask(&self, asked: &BareQuestion<'_>) -> BareAnswer {
        let now = Instant::now();
        let until = Until { first: now + self.patience.first_word, last: now + self.patience.total };
        let request = Request {
            temperature: Some(0.0),
            max_tokens: MAX_TOKENS,
            until: Some(until),
            ..Request::new([Message::human(prompt(asked))])
        };
        let (usage, read) = match self.model.reply(&request).await {
            Ok(reply) if reply.stop == Stop::MaxTokens => {
                (reply.usage, Err(Unread::Failed(format!("the answer was cut at {MAX_TOKENS} tokens"))))
            }
            Ok(reply) => (reply.usage.clone(), read(&reply.message.text())),
            Err(error) => (UsageMetadata::default(), Err(Unread::Failed(error.to_string()))),
        };
        let failed = match &read {
            Err(Unread::Failed(why)) => Some(why.as_str()),
            _ => None,
        };
        self.figures.count(1, &usage, failed);
        read.map_err(|unread| match unread {
            Unread::Refused => "REFUSE".to_owned(),
            Unread::Failed(why) => why,
        })
    }
}

fn prompt(asked: &BareQuestion<'_>) -> String {
    let BareQuestion { schema, now, timezone, earlier, question } = asked;
    let zone = TimeZone::get(timezone).unwrap_or(TimeZone::UTC);
    let now = now.to_zoned(zone).strftime("%Y-%m-%dT%H:%M:%S%:z (%A)");
    let mut text = format!("{PROMPT}\nTables:\n{schema}\nNow: {now} ({timezone})\n");
    for question in *earlier {
        // Writing to a string can't fail.
        let _ = writeln!(text, "Asked before: {question}");
    }
    text + "Question: " + question
}

/// Why a reply has no query.
#[derive(Debug, PartialEq, Eq)]
enum Unread {
    Refused,
    Failed(String),
}

/// The query of a reply: a block, or a reply that is nothing but a query, which says the same.
fn read(reply: &str) -> Result<String, Unread> {
    let is_refusal = |line: &str| {
        let line = line.trim_matches(|c: char| !c.is_alphanumeric());
        line == "REFUSE" || line.starts_with("REFUSE:")
    };
    if reply.lines().any(is_refusal) {
        return Err(Unread::Refused);
    }
    let mut parts = reply.split("```");
    let before = parts.next().unwrap_or_default();
    let blocks: Vec<&str> = parts.step_by(2).collect();
    let in_sql = blocks.iter().find_map(|block| block.strip_prefix("sql").or(block.strip_prefix("SQL")));
    let query = in_sql.or(blocks.first().copied()).unwrap_or(before).trim().trim_end_matches(';').trim_end();
    let begins = |word: &str| query.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    // Whatever else stands in a block of its own is for the guard to refuse.
    if in_sql.is_some() && !query.is_empty() || begins("SELECT") || begins("WITH") {
        return Ok(query.to_owned());
    }
    Err(Unread::Failed("the reply has no query".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_from_its_block() {
        let query = |reply: &str| read(reply).unwrap();
        assert_eq!(query("Here it is:\n```sql\nSELECT 1;\n```\nIt counts."), "SELECT 1");
        assert_eq!(query("```\nselect 1\n```"), "select 1");
        assert_eq!(query("```text\nhm\n```\n```sql\nDROP TABLE a\n```"), "DROP TABLE a");
        assert_eq!(query("WITH a AS (SELECT 1) SELECT * FROM a"), "WITH a AS (SELECT 1) SELECT * FROM a");
        assert_eq!(read("REFUSE"), Err(Unread::Refused));
        assert_eq!(read("```sql\nREFUSE\n```"), Err(Unread::Refused));
        assert_eq!(read("**REFUSE**\nThere is no such table."), Err(Unread::Refused));
        assert!(matches!(read("There are 3."), Err(Unread::Failed(_))));
        assert!(matches!(read(""), Err(Unread::Failed(_))));
    }

    #[test]
    fn the_prompt_has_the_tables_the_time_and_the_question() {
        let text = prompt(&BareQuestion {
            schema: "TABLE logs",
            now: "2026-03-01T00:00:00Z".parse().unwrap(),
            timezone: "Asia/Seoul",
            earlier: &["오늘 에러".to_owned()],
            question: "어제는?",
        });
        for part in [
            "```sql",
            "REFUSE",
            "TABLE logs",
            "2026-03-01T09:00:00+09:00 (Sunday)",
            "Asked before: 오늘 에러",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.ends_with("Question: 어제는?"), "{text}");
    }
}
