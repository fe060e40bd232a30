//! Who answered so far, as the logs of the store's threads tell.

use std::collections::HashMap;
use std::sync::Arc;

use duru::store::{Checkpoints, Error};
use duru::{Mode, ThreadLog};
use duru_agents::decided;
use duru_llm::decision::By;
use serde_json::{Value, json};

use crate::lang::Lang;
use crate::problem::Problem;

/// Of so many threads the logs are read, the latest first: enough to see a change, quick on a large store.
const MOST_THREADS: usize = 200;

/// Who answered, by decision.
#[derive(Default)]
pub(super) struct Shares {
    pub(super) threads: usize,
    by_decision: HashMap<String, Share>,
}

/// How often each has answered.
#[derive(Clone, Copy, Default)]
pub(super) struct Share {
    model: u64,
    repaired: u64,
    rule: u64,
    replay: u64,
    /// Witnesses that said the same, and those that did not.
    agreed: u64,
    differed: u64,
}

impl Shares {
    pub(super) async fn read(store: &Arc<dyn Checkpoints>) -> Result<Self, Problem> {
        let mut shares = Self::default();
        for summary in store.threads(0, MOST_THREADS).await.map_err(Problem::Store)? {
            let log = ThreadLog::new(Arc::clone(store), summary.thread);
            match shares.add(&log).await {
                Ok(()) => shares.threads += 1,
                // One damaged thread must not hide the others.
                Err(duru::Error::Store(Error::Corrupt { .. } | Error::Newer { .. })) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(shares)
    }

    async fn add(&mut self, log: &ThreadLog) -> Result<(), duru::Error> {
        let mut events = log.events(0, [Mode::Custom]).await?;
        while let Some(event) = events.next_ready().await? {
            if let Some(outcome) = decided::read(&event) {
                let share = self.by_decision.entry(outcome.decision).or_default();
                share.count(outcome.by);
                share.compare(outcome.witness.map(|witness| witness.agrees));
            }
        }
        Ok(())
    }

    pub(super) fn of(&self, decision: &str) -> Share {
        self.by_decision.get(decision).copied().unwrap_or_default()
    }
}

impl Share {
    fn count(&mut self, by: By) {
        match by {
            By::Model => self.model += 1,
            By::Repaired => self.repaired += 1,
            By::Rule => self.rule += 1,
            By::Replay => self.replay += 1,
            // Somebody newer wrote it.
            _ => {}
        }
    }

    /// What a witness said.
    fn compare(&mut self, agrees: Option<bool>) {
        match agrees {
            Some(true) => self.agreed += 1,
            Some(false) => self.differed += 1,
            None => {}
        }
    }

    fn parts(self) -> [(&'static str, &'static str, u64); 4] {
        [
            ("모델", "model", self.model),
            ("고침", "repaired", self.repaired),
            ("규칙", "rule", self.rule),
            ("재생", "replay", self.replay),
        ]
    }

    pub(super) fn text(self, lang: Lang) -> String {
        let all: u64 = self.parts().iter().map(|(.., count)| count).sum();
        if all == 0 {
            return "–".to_owned();
        }
        let shown = self.parts().into_iter().filter(|(.., count)| *count > 0);
        let shown = shown.map(|(ko, en, count)| format!("{} {}%", lang.pick(ko, en), count * 100 / all));
        let mut text = format!("{all}: {}", shown.collect::<Vec<_>>().join(" · "));
        let witnesses = self.agreed + self.differed;
        if witnesses > 0 {
            let (agreed, witnesses) = (self.agreed, witnesses);
            text += &lang.pick(
                format!(" · 증인 {witnesses}번 중 {agreed}번 같음"),
                format!(" · witness agreed {agreed} of {witnesses}"),
            );
        }
        text
    }

    pub(super) fn json(self) -> Value {
        json!({
            "model": self.model, "repaired": self.repaired, "rule": self.rule, "replay": self.replay,
            "witness": { "agreed": self.agreed, "differed": self.differed },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_answers() {
        let mut share = Share::default();
        assert_eq!(share.text(Lang::En), "–");
        for by in [By::Model, By::Model, By::Model, By::Rule] {
            share.count(by);
        }
        assert_eq!(share.text(Lang::En), "4: model 75% · rule 25%");
        assert_eq!(share.text(Lang::Ko), "4: 모델 75% · 규칙 25%");
        for agrees in [Some(true), Some(false), None] {
            share.compare(agrees);
        }
        assert_eq!(share.text(Lang::En), "4: model 75% · rule 25% · witness agreed 1 of 2");
        assert_eq!(share.text(Lang::Ko), "4: 모델 75% · 규칙 25% · 증인 2번 중 1번 같음");
    }
}
