//! The tools of a run: what they cost, what they need, and what has been used.
//!
//! Pure: it says what to do with a tool, whoever runs it tells it what came of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    Low,
    Medium,
    High,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Team {
    Search,
    Analysis,
}

/// What is known of a tool before it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    pub name: String,
    pub team: Team,
    pub cost: Cost,
    /// What it typically takes.
    pub seconds: f64,
    /// 0 to 1.
    pub quality: f64,
    /// Tools whose results it works on.
    pub needs: Vec<String>,
}

/// What a run did with a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Used {
    pub tool: String,
    pub parameters: Value,
    pub quality: f64,
    pub seconds: f64,
    pub result: Value,
}

/// What to do about a tool that is wanted.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice<'a> {
    /// Run it, with these results of what it needs.
    Run { given: Vec<&'a Used> },
    /// It ran with the same parameters: here is what came of it.
    Reuse(&'a Used),
    /// These must run first.
    Wait { missing: Vec<String> },
    /// There is no such tool.
    Unknown,
}

/// One per run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Registry {
    tools: BTreeMap<String, Tool>,
    used: Vec<Used>,
}

impl Registry {
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Self {
        Self { tools: tools.into_iter().map(|tool| (tool.name.clone(), tool)).collect(), used: Vec::new() }
    }

    /// The tools that the advisor comes with.
    pub fn built_in() -> Self {
        let tool = |name: &str, team, cost, seconds, quality, needs: &[&str]| Tool {
            name: name.to_owned(),
            team,
            cost,
            seconds,
            quality,
            needs: needs.iter().map(|need| (*need).to_owned()).collect(),
        };
        Self::new([
            tool("legal_search", Team::Search, Cost::Medium, 2.5, 0.90, &[]),
            tool("market_data", Team::Search, Cost::Low, 1.5, 0.85, &[]),
            tool("real_estate_search", Team::Search, Cost::Medium, 3.0, 0.80, &[]),
            tool("loan_data", Team::Search, Cost::Low, 1.0, 0.75, &[]),
            tool("contract_analysis", Team::Analysis, Cost::High, 5.0, 0.85, &["legal_search"]),
            tool("market_analysis", Team::Analysis, Cost::High, 4.0, 0.80, &["market_data"]),
        ])
    }

    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.tools.get(name)
    }

    /// What to do about a tool with these parameters.
    pub fn advise(&self, name: &str, parameters: &Value) -> Advice<'_> {
        let Some(tool) = self.tools.get(name) else { return Advice::Unknown };
        if let Some(used) =
            self.used.iter().rev().find(|used| used.tool == name && used.parameters == *parameters)
        {
            return Advice::Reuse(used);
        }
        let latest = |need: &String| self.used.iter().rev().find(|used| used.tool == *need);
        let missing: Vec<String> = tool.needs.iter().filter(|need| latest(need).is_none()).cloned().collect();
        if missing.is_empty() {
            Advice::Run { given: tool.needs.iter().filter_map(latest).collect() }
        } else {
            Advice::Wait { missing }
        }
    }

    /// A tool has run. A second run with the same parameters replaces the first.
    pub fn record(&mut self, used: Used) {
        self.used.retain(|earlier| earlier.tool != used.tool || earlier.parameters != used.parameters);
        self.used.push(used);
    }

    pub fn used(&self) -> &[Used] {
        &self.used
    }

    /// What a tool is worth: measured where it was used, else what is said of it.
    pub fn quality(&self, name: &str) -> Option<f64> {
        let measured: Vec<f64> =
            self.used.iter().filter(|used| used.tool == name).map(|used| used.quality).collect();
        if measured.is_empty() {
            return self.tools.get(name).map(|tool| tool.quality);
        }
        Some(measured.iter().sum::<f64>() / measured.len() as f64)
    }

    /// Another tool of the same team that could stand in: the best by quality
    /// for its cost among those that need nothing missing.
    pub fn alternative(&self, name: &str) -> Option<&Tool> {
        let team = self.tools.get(name)?.team;
        let worth = |tool: &Tool| {
            let cost = match tool.cost {
                Cost::Low => 1.0,
                Cost::Medium => 1.5,
                Cost::High => 2.0,
            };
            self.quality(&tool.name).unwrap_or_default() / cost
        };
        let ready =
            |tool: &&Tool| tool.needs.iter().all(|need| self.used.iter().any(|used| used.tool == *need));
        self.tools
            .values()
            .filter(|tool| tool.name != name && tool.team == team)
            .filter(ready)
            .max_by(|a, b| worth(a).total_cmp(&worth(b)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn used(tool: &str, parameters: Value, quality: f64) -> Used {
        Used { tool: tool.to_owned(), parameters, quality, seconds: 1.0, result: json!([tool]) }
    }

    #[test]
    fn the_same_parameters_never_run_twice() {
        let mut registry = Registry::built_in();
        // The order of keys is no difference.
        let (asked, again) =
            (json!({"region": "강남구", "deal": "sale"}), json!({"deal": "sale", "region": "강남구"}));
        assert_eq!(registry.advise("market_data", &asked), Advice::Run { given: vec![] });
        registry.record(used("market_data", asked, 0.7));
        assert!(matches!(registry.advise("market_data", &again), Advice::Reuse(_)));
        assert!(matches!(registry.advise("market_data", &json!({"region": "서초구"})), Advice::Run { .. }));
        assert_eq!(registry.advise("oracle", &json!({})), Advice::Unknown);
    }

    #[test]
    fn a_tool_waits_for_what_it_needs_and_is_given_it() {
        let mut registry = Registry::built_in();
        let advice = registry.advise("market_analysis", &json!({}));
        assert_eq!(advice, Advice::Wait { missing: vec!["market_data".to_owned()] });
        registry.record(used("market_data", json!({}), 0.9));
        let Advice::Run { given } = registry.advise("market_analysis", &json!({})) else {
            panic!("not ready")
        };
        assert_eq!(given[0].result, json!(["market_data"]));
    }

    #[test]
    fn measured_quality_counts_and_picks_the_alternative() {
        let mut registry = Registry::built_in();
        assert_eq!(registry.quality("market_data"), Some(0.85));
        assert_eq!(
            registry.alternative("real_estate_search").map(|tool| tool.name.as_str()),
            Some("market_data")
        );
        registry.record(used("market_data", json!(1), 0.2));
        registry.record(used("market_data", json!(2), 0.4));
        assert!((registry.quality("market_data").unwrap() - 0.3).abs() < 1e-9);
        assert_eq!(
            registry.alternative("real_estate_search").map(|tool| tool.name.as_str()),
            Some("loan_data")
        );
        assert_eq!(registry.alternative("market_analysis"), None);
    }
}
