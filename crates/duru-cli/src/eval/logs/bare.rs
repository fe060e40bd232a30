//! What a model alone makes of a question about the lines.

use anyhow::Context as _;
use duru_agents::analyst::schema_for_question;

use super::Item;
use super::bench::{Bench, Said};
use crate::eval::bare::{BareModel, BareQuestion};

impl Bench {
    /// A query that the guard refuses, or that can't be run, is told to whoever asks: it is no answer.
    pub(super) async fn answer_bare(&self, model: &BareModel, item: &Item) -> anyhow::Result<Said> {
        let (question, earlier) = item.questions().split_last().context("it has no question")?;
        let schema = schema_for_question(&self.tools, question).await?;
        let asked =
            BareQuestion { schema: &schema, now: self.now, timezone: &self.timezone, earlier, question };
        self.figures.question_asked();
        let answer = match model.ask(&asked).await {
            Ok(sql) => self.rows(&sql).await.map(|_| sql).map_err(|error| format!("{error:#}")),
            Err(why) => Err(why),
        };
        self.figures.question_answered();
        let said = Said { id: item.id.clone(), ..Said::default() };
        Ok(match answer {
            Ok(sql) => Said { action: "sql", sql: Some(sql), ..said },
            Err(why) => Said { action: "refuse", reason: Some(why), ..said },
        })
    }
}
