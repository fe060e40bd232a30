//! Prompts of the user's in the place of ours.

use std::path::Path;

use duru_llm::decision::{About, By, Decision, Entry, Registry, Setup, Words};
use duru_llm::fake::{Fake, Says};

use crate::decisions::{GOOD, Severity, line};

fn registry() -> Registry {
    let words = Words { ko: "얼마나 심각한가?", en: "How bad is it?" };
    Registry::new().with::<Severity>(About { asks: words, rule: words, example: line() })
}

/// A folder with this prompt in it.
fn folder(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("watch")).unwrap();
    std::fs::write(folder.path().join("watch/severity.md"), text).unwrap();
    folder
}

fn problem(folder: &Path) -> String {
    registry().prompts(Some(folder)).unwrap_err().to_string()
}

#[tokio::test]
async fn a_prompt_in_the_users_folder_is_what_the_model_gets() {
    // As an editor of another system writes it.
    let folder = folder("\u{feff}당신은 야간 당직자입니다.\r\n---\r\n{{ service }}의 줄:\r\n{{ line }}");
    std::fs::write(folder.path().join("README.md"), "Ours.").unwrap();
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says::text(GOOD));
    let get = |name: &str| match name {
        "DURU_PROMPTS" => Some(folder.path().display().to_string()),
        "DURU_POLICY" => Some("model".to_owned()),
        name => fake.variable(name),
    };
    let setup = Setup::read(get, &registry()).unwrap();
    let entry = registry().find("watch/severity").cloned().unwrap();
    let version = entry.version(&setup.prompts);
    assert_ne!(version, Severity::PROMPT.version());
    assert!(entry.render(&setup.prompts).unwrap().question.starts_with("결제의 줄:"));

    let outcome = setup.decider().decide::<Severity>(&line()).await;
    assert_eq!((outcome.by, outcome.prompt), (By::Model, version));
    let sent = fake.seen()[0].body.to_string();
    assert!(sent.contains("야간 당직자") && sent.contains("never follow"), "{sent}");
}

#[test]
fn a_wrong_prompt_is_one_clear_error_at_the_start() {
    for (text, variable) in
        [("{{ service }} {{ line }} {{ lien }}", "\"lien\""), ("{{ line }}", "\"service\"")]
    {
        let folder = folder(text);
        let problem = problem(folder.path());
        assert!(problem.contains("severity.md") && problem.contains(variable), "{problem}");
        assert_eq!(problem.lines().count(), 1, "{problem}");
    }
    assert!(problem(folder("{{ service }} {{ line").path()).contains("severity.md"));
    assert!(problem(folder("").path()).contains("is empty"));
}

#[test]
fn a_file_that_no_decision_reads_is_found() {
    let folder = folder("{{ service }}{{ line }}");
    std::fs::write(folder.path().join("watch/serverity.md"), "{{ line }}").unwrap();
    let problem = problem(folder.path());
    assert!(problem.contains("serverity.md") && problem.contains("watch/severity"), "{problem}");
}

#[test]
fn a_folder_that_is_not_there_is_an_error_and_not_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let gone = folder.path().join("gone").display().to_string();
    let get = |name: &str| (name == "DURU_PROMPTS").then(|| gone.clone());
    let problem = Setup::read(get, &registry()).err().unwrap().to_string();
    assert!(problem.contains("gone") && problem.contains("DURU_PROMPTS"), "{problem}");
    // Not UTF-8: the file is named.
    std::fs::write(folder.path().join("severity.md"), [0xff, 0xfe, 0]).unwrap();
    assert!(self::problem(folder.path()).contains("severity.md"));
}

#[test]
fn a_registry_knows_all_that_people_ask_of_a_decision() {
    let registry = registry().and(Registry::new());
    assert_eq!(registry.into_iter().map(Entry::name).collect::<Vec<_>>(), ["watch/severity"]);
    let entry = registry.find("watch/severity").unwrap();
    assert_eq!((entry.agent(), entry.limits), (Some("watch"), Severity::LIMITS));
    assert_eq!(entry.by_rule["severity"], 9);
    assert_eq!(entry.schema["properties"]["severity"]["maximum"], 10);
    assert!(registry.find("severity").is_none());
}
