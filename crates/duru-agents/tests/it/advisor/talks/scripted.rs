//! A model with a part to play, that notes what it is asked.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use duru_llm::decision::Decider;
use duru_llm::{Error, Model, Pieces, Reply, Request};
use duru_messages::Message;
use serde_json::{Value, json};

/// How it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Says of gate 1 that what is there is always enough, goes on with a plan while a step is a must, and leaves the
    /// words of questions and answers to the rules.
    Sensible,
    /// Always wants one more search.
    Greedy,
    /// Never answers in the form that was asked for.
    Garbled,
}

/// How it fails at a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    Unreachable,
    /// What it says fits nothing, however often it is asked.
    Garbled,
}

#[derive(Clone)]
pub(super) struct Scripted {
    manner: Manner,
    broken: Option<(&'static str, Broken)>,
    takes: Duration,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    pub(super) fn new(manner: Manner) -> Self {
        Self { manner, broken: None, takes: Duration::ZERO, asked: Arc::default() }
    }

    /// The same, taking its time.
    pub(super) fn taking(self, takes: Duration) -> Self {
        Self { takes, ..self }
    }

    /// The same, failing at one decision.
    pub(super) fn failing(self, decision: &'static str, how: Broken) -> Self {
        Self { broken: Some((decision, how)), ..self }
    }

    pub(super) fn decider(&self) -> Decider {
        Decider::new(Arc::new(self.clone()))
    }

    /// The decisions that it was asked for since the last look.
    pub(super) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    async fn stream(&self, request: &Request) -> Result<Pieces, Error> {
        // Nobody here reads a stream piece by piece.
        self.reply(request).await.map(|_| Pieces::new(futures_util::stream::empty()))
    }

    async fn reply(&self, request: &Request) -> Result<Reply, Error> {
        let asked = request.schema.as_ref().map(|schema| schema.name.clone()).unwrap_or_default();
        self.asked.lock().unwrap().push(asked.clone());
        tokio::time::sleep(self.takes).await;
        let broken = self.broken.filter(|(decision, _)| *decision == asked).map(|(_, how)| how);
        if self.manner == Manner::Garbled || broken == Some(Broken::Garbled) {
            return Ok(Reply::from(Message::ai("물론이죠!").with_id("scripted")));
        }
        let question = request.messages.first().map(|message| message.text().into_owned());
        let said = answer(&asked, &question.unwrap_or_default(), self.manner);
        let said = said.filter(|_| broken.is_none()).ok_or_else(|| Error::Unreachable {
            server: "scripted".into(),
            reason: format!("no answer to {asked}"),
        })?;
        Ok(Reply::from(Message::ai(said.to_string()).with_id("scripted")))
    }
}

fn answer(asked: &str, prompt: &str, manner: Manner) -> Option<Value> {
    let orchestration = |action: &str, next: Value| {
        json!({
            "action": action, "next_agent": next, "collaboration": null, "reasoning": "정해진 대로", "confidence": 0.9
        })
    };
    let go_on = || orchestration("continue", Value::Null);
    Some(match asked {
        "sufficiency" => json!({
            "is_sufficient": true, "confidence": 0.95, "data_source": "chat_history",
            "missing_data_types": [], "reasoning": "있습니다."
        }),
        "team_selection" => json!({ "teams": [], "reasoning": "규칙이 고른 대로" }),
        "decomposition" => json!({ "sub_tasks": [] }),
        "strategy" => {
            json!({ "strategy": "sequential", "reasons": "차례로", "orchestration": go_on() })
        }
        "tool_orchestration" => json!({ "tools": [], "left_out": [] }),
        "result_analysis" => {
            let steps = prompt.split("# 남은 단계").nth(1).unwrap_or_default();
            let (next, then) = match manner {
                Manner::Greedy => ("adjust", orchestration("add_agent", "search".into())),
                _ if steps.contains("(must)") || !steps.contains("(optional)") => ("continue", go_on()),
                _ => ("early_exit", orchestration("skip_remaining", Value::Null)),
            };
            json!({
                "quality": 0.9, "gaps": [], "next": next, "keywords": [], "extra_tools": [], "orchestration": then
            })
        }
        "execution_review" => json!({ "achievement": 0.9, "verdict": "yes", "missing": [] }),
        "market_insights" => json!({ "findings": [] }),
        "contract_analysis" => json!({ "advice": [] }),
        // The rules read the question and write the answer.
        _ => return None,
    })
}
