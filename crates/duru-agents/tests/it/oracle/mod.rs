//! A strong model, scripted: an expert writes the final answers, and whatever else is decided is left to the rules. It
//! shows what our guards cost where a model is right: an expert's words must arrive as they were written.

mod questions;

use std::sync::Arc;

use duru::store::MemoryStore;
use duru_agents::advisor::Toolbox;
use duru_llm::fake::{Fake, Says};
use serde_json::json;

use crate::support::decider;
use crate::{advisor, analyst, researcher};
use questions::{ADVISOR, ANALYST, Expert, RESEARCHER};

/// The expert's answer to a question, if the request asks for a final one.
fn says(body: &str, expert: &Expert) -> Option<String> {
    if body.contains("답의 주장을 하나씩") {
        let claims =
            (1..=12).map(|claim| json!({ "claim": claim, "reason": "문서와 같다.", "supported": true }));
        return Some(json!({ "claims": claims.collect::<Vec<_>>() }).to_string());
    }
    if body.contains("네 가지로 점수를") {
        let marks = json!({ "reason": "좋다.", "completeness": 1.0, "relevance": 1.0, "clarity": 1.0, "accuracy": 1.0, "suggestions": [] });
        return Some(marks.to_string());
    }
    let text = expert.sentences(body).join(" ");
    if body.contains("지난 답의 잘못") {
        return Some(json!({ "answerable": true, "answer": text }).to_string());
    }
    if body.contains("상담사로서") {
        return Some(json!({ "answer": text }).to_string());
    }
    body.contains("generate_insight").then(|| json!({ "insight": text }).to_string())
}

async fn oracle(expert: &'static Expert) -> Fake {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(move |seen| {
        let body = seen.body["messages"].as_array().into_iter().flatten();
        let texts: Vec<&str> = body.filter_map(|message| message["content"].as_str()).collect();
        let asked = format!("{}\n{}", texts.join("\n"), seen.body["response_format"]);
        Says::text(says(&asked, expert).unwrap_or_else(|| "?".to_owned()))
    });
    fake
}

/// What became of experts' answers.
#[derive(Default)]
struct Tally {
    sentences: usize,
    intact: usize,
    lost: Vec<String>,
    worse: Vec<String>,
}

impl Tally {
    /// `by_rule` and `with_model` are what the person reads.
    fn add(&mut self, expert: &Expert, by_rule: &str, with_model: &str) {
        for sentence in expert.said {
            self.sentences += 1;
            let words = sentence.text;
            if with_model.contains(words) {
                self.intact += 1;
            } else {
                self.lost.push(format!("{}: {words}\n    became: {with_model}", expert.question));
            }
        }
        // At least as good: every fact that the rules gave is there, too.
        for fact in expert.facts {
            if by_rule.contains(fact) && !with_model.contains(fact) {
                self.worse.push(format!("{}: {fact} is missing in: {with_model}", expert.question));
            }
        }
    }

    #[track_caller]
    fn check(&self) {
        assert!(self.worse.is_empty(), "worse than by rules: {:#?}", self.worse);
        assert!(
            self.intact * 100 >= self.sentences * 95,
            "{} of {} sentences arrived: {:#?}",
            self.intact,
            self.sentences,
            self.lost
        );
    }
}

#[tokio::test]
async fn experts_are_heard_and_no_answer_is_worse_than_by_rules() {
    let mut tally = Tally::default();
    on_documents(&mut tally).await;
    on_real_estate(&mut tally).await;
    on_logs(&mut tally).await;
    tally.check();
}

async fn on_documents(tally: &mut Tally) {
    use researcher::world::{World, answer, said};
    let world = World::new().await;
    for expert in RESEARCHER {
        let by_rule = answer(&world.researcher(), "kim", expert.question).await;
        let fake = oracle(expert).await;
        let expert_led = world.researcher_on(Arc::new(MemoryStore::new()), decider(&fake, "openai:m"));
        let with_model = answer(&expert_led, "kim", expert.question).await;
        tally.add(expert, said(&by_rule), said(&with_model));
    }
}

async fn on_real_estate(tally: &mut Tally) {
    use advisor::world::{advisor, advisor_on, answer, asks, said, sources};
    for expert in ADVISOR {
        let by_rule = answer(&advisor(), "kim", asks(expert.question)).await;
        let fake = oracle(expert).await;
        let store = Arc::new(MemoryStore::new());
        let expert_led = advisor_on(store, Toolbox::new(&sources()), decider(&fake, "openai:m"));
        let with_model = answer(&expert_led, "kim", asks(expert.question)).await;
        tally.add(expert, said(&by_rule), said(&with_model));
    }
}

/// Nothing is added where there is no PostgreSQL.
async fn on_logs(tally: &mut Tally) {
    use analyst::world::{World, answer, asks};
    let Some(world) = World::new().await else { return };
    for expert in ANALYST {
        let by_rule = answer(&world.analyst(), "kim", asks(expert.question)).await;
        let fake = oracle(expert).await;
        let expert_led = world.analyst_on(Arc::new(MemoryStore::new()), decider(&fake, "openai:m"));
        let with_model = answer(&expert_led, "kim", asks(expert.question)).await;
        let (by_rule, with_model) = (by_rule.insight.as_deref(), with_model.insight.as_deref());
        tally.add(expert, by_rule.unwrap_or_default(), with_model.unwrap_or_default());
    }
}
