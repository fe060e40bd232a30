//! A real, weak model behind a real server: whatever it says, the product answers.

use duru_agents::decisions::registry;
use duru_agents::researcher::{QueryRouter, ToRoute};
use duru_llm::decision::{By, Setup};

/// Whatever `DURU_MODEL` names is asked; with no such model the test is left out.
///
/// `cargo xtask model` brings one up that is small enough for any machine, and says what to set:
///
/// ```sh
/// DURU_REAL_MODEL=1 DURU_MODEL=http://127.0.0.1:PORT/v1#qwen2.5-coder-1.5b-instruct \
///     cargo nextest run -p duru-agents real_model --no-capture
/// ```
///
/// Seen with SmolLM2 of 135 million parameters on two cores: it answered all three questions in the right form, each
/// in 2 to 11 seconds, and called all three simple.
#[tokio::test]
async fn whatever_a_real_model_says_there_is_a_decision() {
    if std::env::var_os("DURU_REAL_MODEL").is_none() {
        eprintln!("*** skipped: set DURU_REAL_MODEL=1 and DURU_MODEL to ask a real model ***");
        return;
    }
    let decider = Setup::from_env(&registry()).unwrap().decider();
    for (question, history) in [
        ("안녕하세요!", vec![]),
        ("그거 더 자세히 알려줘", vec!["사용자: 연차는 며칠인가요?", "상담: 15일입니다."]),
        ("What is the notice period for a lease?", vec![]),
    ] {
        let outcome = decider.decide::<QueryRouter>(&ToRoute::new(question, history)).await;
        println!(
            "{question} -> {:?} by {:?} in {:?}, {} tokens{}",
            outcome.value.query_type,
            outcome.by,
            outcome.latency,
            outcome.usage.total_tokens,
            outcome.why.as_deref().map(|why| format!(": {why}")).unwrap_or_default()
        );
        assert!(outcome.model.is_some(), "no model was asked: {:?}", outcome.why);
        assert!(outcome.by == By::Model || outcome.why.is_some_and(|why| !why.is_empty()));
    }
    // Every decision about its own example: what comes of it, and whether any reply is cut by a limit.
    let mut cut = Vec::new();
    for entry in &registry() {
        let outcome = entry.decide(&decider).await;
        let seconds = outcome.latency.as_secs_f32();
        let why = outcome.why.as_deref().unwrap_or_default();
        println!(
            "{} {:?} {seconds:.1} s, {} tokens, {} calls {why}",
            entry.name(),
            outcome.by,
            outcome.usage.output_tokens,
            outcome.calls
        );
        println!("    {}", outcome.value);
        cut.extend(why.contains("was cut").then_some(entry.name()));
    }
    assert!(cut.is_empty(), "cut by their limit: {cut:?}");
}
