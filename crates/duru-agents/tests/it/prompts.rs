//! What holds for the prompt of every decision.

use std::collections::BTreeSet;

use duru_agents::decisions::registry;
use duru_llm::decision::Prompts;

use crate::snapshot;

#[test]
fn every_prompt_can_be_rendered_and_is_what_it_was() {
    registry().prompts(None).unwrap();
    for entry in &registry() {
        let rendered = entry.render(&Prompts::default()).unwrap();
        let text = format!("{}\n=====\n{}\n", rendered.system.unwrap_or_default(), rendered.question);
        assert!(!text.contains("{{"), "{}", entry.name());
        snapshot::check(&format!("{}.txt", entry.name().replace('/', "-")), &text);
    }
}

/// Role, criteria, options, the form of the answer, three worked examples in Korean.
#[test]
fn every_prompt_was_thought_about() {
    for entry in &registry() {
        let rendered = entry.render(&Prompts::default()).unwrap();
        let system = rendered.system.unwrap_or_default();
        for heading in ["# 역할", "# 기준", "# 고를 수 있는 것", "# 답의 모양", "# 예"] {
            assert!(system.lines().any(|line| line == heading), "{} lacks {heading:?}", entry.name());
        }
        let examples = system.split("# 예\n").nth(1).unwrap_or_default();
        let answers = examples.lines().filter_map(|line| line.strip_prefix("답: "));
        let validator = jsonschema::validator_for(&entry.schema).unwrap();
        let mut count = 0;
        for answer in answers {
            let answer = serde_json::from_str(answer).unwrap_or_else(|error| panic!("{answer}: {error}"));
            assert!(validator.is_valid(&answer), "{}: {answer} does not fit", entry.name());
            count += 1;
        }
        assert!(count >= 3, "{} has {count} worked examples", entry.name());
    }
}

#[test]
fn names_are_unique_and_say_their_agent() {
    let registry = registry();
    let names: Vec<&str> = registry.into_iter().map(|entry| entry.name()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    assert!(registry.into_iter().all(|entry| entry.agent().is_some()), "{names:?}");
}
