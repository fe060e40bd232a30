//! What a model alone makes of a question about tables.

use duru_agents::analyst::schema_for_question;
use duru_sql::guard::{Clock, Guard};
use duru_sql::{Asking, Limits, TableSource as _};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio_util::sync::CancellationToken;

use super::bench::{Bench, Subject};
use super::{Item, Prediction};
use crate::eval::bare::{BareModel, BareQuestion};

impl Bench<'_> {
    /// A query that the guard refuses, or that can't be run, is told to whoever asks: it is no answer.
    pub(super) async fn answer_bare(&mut self, model: &BareModel, item: &Item) -> anyhow::Result<Prediction> {
        let (figures, timezone) = (self.figures.clone(), self.args.timezone.as_str());
        let told = self.args.now.as_deref().map(str::parse::<Timestamp>).transpose()?;
        let now = told.unwrap_or_else(Timestamp::now);
        let subject = self.subject(&item.db).await?;
        let schema = schema_for_question(&subject.tools, &item.question).await?;
        let asked = BareQuestion { schema: &schema, now, timezone, earlier: &[], question: &item.question };
        let mut guard = Guard::new(subject.tables.catalog());
        if told.is_some() {
            guard = guard.with_clock(Clock::new(now, TimeZone::get(timezone)?));
        }
        figures.question_asked();
        let answer = match model.ask(&asked).await {
            Ok(sql) => executed(subject, &guard, &sql, timezone).await,
            Err(why) => Err(why),
        };
        figures.question_answered();
        let said = Prediction { id: item.id.clone(), ..Prediction::default() };
        Ok(match answer {
            Ok(sql) => Prediction { sql: Some(sql), ..said },
            Err(why) => Prediction { refused: true, reason: Some(why), ..said },
        })
    }
}

/// The query as the guard lets it run, if it runs.
async fn executed(subject: &Subject, guard: &Guard, sql: &str, timezone: &str) -> Result<String, String> {
    let checked = guard.check(sql).map_err(|refusal| refusal.to_string())?;
    let asking = Asking {
        timezone: timezone.to_owned(),
        limits: Limits::default(),
        cancel: CancellationToken::new(),
        who: None,
    };
    subject.tables.query(&checked, &asking).await.map_err(|error| error.to_string())?;
    Ok(checked.sql().to_owned())
}
