//! Alerts and dashboard, by Prometheus' own tool.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{debian, packaging, told};

/// Rules and their tests in a folder of their own, so that they can be changed.
struct Rules {
    promtool: PathBuf,
    folder: TempDir,
}

impl Rules {
    fn new() -> Option<Self> {
        let promtool = debian::unpacked("prometheus", &["prometheus"])?.join("usr/bin/promtool");
        let rules = Self { promtool, folder: tempfile::tempdir().unwrap() };
        for name in ["duru.rules.yaml", "duru.tests.yaml"] {
            std::fs::copy(packaging("prometheus").join(name), rules.path(name)).unwrap();
        }
        Some(rules)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn promtool(&self, words: &[&str], file: &Path) -> (bool, String) {
        told(Command::new(&self.promtool).args(words).arg(file).current_dir(self.folder.path()))
    }

    fn check(&self, name: &str) -> (bool, String) {
        self.promtool(&["check", "rules", "--lint=all", "--lint-fatal"], &self.path(name))
    }

    fn test(&self) -> (bool, String) {
        self.promtool(&["test", "rules"], &self.path("duru.tests.yaml"))
    }
}

#[test]
fn alerts_come_when_they_should_and_not_before() {
    let Some(rules) = Rules::new() else { return };
    let (is_good, said) = rules.check("duru.rules.yaml");
    assert!(is_good, "{said}");
    let (is_good, said) = rules.test();
    assert!(is_good, "{said}");

    let text = std::fs::read_to_string(rules.path("duru.rules.yaml")).unwrap();
    let tests = std::fs::read_to_string(rules.path("duru.tests.yaml")).unwrap();
    let alerts: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() >= 12, "{alerts:?}");
    for alert in &alerts {
        let asked = tests.matches(&format!("alertname: {alert}\n")).count();
        assert!(asked >= 2, "{alert} is not asked for before and after: {asked}");
    }
    for word in ["          severity: ", "          summary: ", "          summary_ko: "] {
        assert_eq!(text.matches(word).count(), alerts.len(), "{word}");
    }

    // The tests see when a rule is another.
    for (from, to) in [("> 0.02", "> 0.9"), ("for: 1m", "for: 1h"), ("{{ $labels.part }}", "A part")] {
        assert!(text.contains(from), "{from}");
        std::fs::write(rules.path("duru.rules.yaml"), text.replace(from, to)).unwrap();
        let (is_good, said) = rules.test();
        assert!(!is_good && said.contains("FAILED"), "{from}: {said}");
    }
}

#[test]
fn prometheus_reads_every_expression_of_the_dashboard() {
    let Some(rules) = Rules::new() else { return };
    let dashboard = std::fs::read_to_string(packaging("grafana/duru.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().unwrap());
    let asked: Vec<&str> = targets.map(|target| target["expr"].as_str().unwrap()).collect();
    assert!(asked.len() >= 16, "{asked:?}");
    // JSON is YAML.
    let check = |asked: &[&str]| {
        let record = |(at, expr)| json!({"record": format!("dashboard:{at}"), "expr": expr});
        let all: Vec<Value> = asked.iter().enumerate().map(record).collect();
        let file = json!({"groups": [{"name": "dashboard", "rules": all}]});
        std::fs::write(rules.path("dashboard.yaml"), file.to_string()).unwrap();
        rules.check("dashboard.yaml")
    };
    let (is_good, said) = check(&asked);
    assert!(is_good && said.contains(&format!("{} rules found", asked.len())), "{said}");
    let (is_good, said) = check(&["sum by (status) (rate(duru_runs_total[5m])"]);
    assert!(!is_good, "{said}");
}
