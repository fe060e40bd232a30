//! What the example's nodes do.

use std::sync::Arc;
use std::time::Duration;

use duru::{Cx, Deadline, Result};
use serde::{Deserialize, Serialize};

use super::article::{Article, ArticleUpdate, Ask, Check, Remark, Rule, Verdict};
use super::outbox::Outbox;

/// How long each node takes, so that there is time to kill the program.
pub(super) struct Pace(pub(super) Duration);

/// What nodes tell whoever watches.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Note {
    Publishing { key: String },
    PublishedBefore,
}

/// Nobody has answered by then: better not publish.
const PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

async fn take_time(cx: &Cx) -> Result {
    tokio::time::sleep(cx.get::<Pace>()?.0).await;
    Ok(())
}

pub(super) async fn draft(s: Arc<Article>, cx: Cx) -> Result<ArticleUpdate> {
    take_time(&cx).await?;
    let text = s.lang.draft(&s.topic, s.round + 1);
    Ok(ArticleUpdate::new().draft(text).round(1_u32))
}

pub(super) async fn check(check: Check, cx: Cx) -> Result<ArticleUpdate> {
    take_time(&cx).await?;
    let words: Vec<&str> = check.draft.split_whitespace().collect();
    let ok = match check.rule {
        Rule::Length => (5..=100).contains(&words.len()),
        Rule::DoubledWord => words.windows(2).all(|pair| pair[0] != pair[1]),
        Rule::Ending => check.draft.ends_with('.'),
    };
    Ok(ArticleUpdate::new().remarks([Remark { round: check.round, rule: check.rule, ok }]))
}

pub(super) async fn ask(s: Arc<Article>, cx: Cx) -> Result<ArticleUpdate> {
    let remarks = s.remarks.iter().filter(|remark| remark.round == s.round).cloned().collect();
    let question = Ask { round: s.round, draft: s.draft.clone(), remarks };
    let verdict: Verdict = cx.interrupt_until(question, Deadline::after(PATIENCE, Verdict::Hold))?;
    Ok(ArticleUpdate::new().verdict(verdict))
}

pub(super) async fn publish(s: Arc<Article>, cx: Cx) -> Result<ArticleUpdate> {
    let outbox = cx.get::<Outbox>()?;
    let mut acted = false;
    let receipt: String = cx
        .effect("publish", |key| {
            acted = true;
            let (cx, draft) = (cx.clone(), s.draft.clone());
            async move {
                cx.emit(Note::Publishing { key: key.clone() })?;
                Ok(outbox.publish(&key, &draft)?)
            }
        })
        .await?;
    if !acted {
        cx.emit(Note::PublishedBefore)?;
    }
    take_time(&cx).await?;
    Ok(ArticleUpdate::new().receipt(receipt))
}
