//! The tools of a run: what they cost, what they need, and what has been used.
//!
//! Pure: it says what to do with a tool, whoever runs it tells it what came of it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tool::{Parameters, Used};
use crate::advisor::understand::DataKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    Low,
    Medium,
    High,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Team {
    Search,
    Analysis,
    Document,
}

/// What is known of a tool before it runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolSpec {
    pub name: String,
    pub team: Team,
    pub cost: Cost,
    /// What it typically takes.
    pub seconds: f64,
    /// 0 to 1.
    pub quality: f64,
    /// Tools whose results it works on.
    pub needs: Vec<String>,
    /// The kinds of data it finds.
    pub gives: Vec<DataKind>,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Registry {
    tools: BTreeMap<String, ToolSpec>,
    used: Vec<Used>,
}

impl Registry {
    pub fn new(tools: impl IntoIterator<Item = ToolSpec>) -> Self {
        Self { tools: tools.into_iter().map(|tool| (tool.name.clone(), tool)).collect(), used: Vec::new() }
    }

    /// The tools that the advisor comes with.
    pub fn built_in() -> Self {
        use DataKind::{Contract, Infrastructure, Legal, Loan, Market};
        let tool = |name: &str, team, cost, seconds, quality, needs: &[&str], gives: &[DataKind]| ToolSpec {
            name: name.to_owned(),
            team,
            cost,
            seconds,
            quality,
            needs: needs.iter().map(|need| (*need).to_owned()).collect(),
            gives: gives.to_vec(),
        };
        Self::new([
            tool("legal_search", Team::Search, Cost::Medium, 2.5, 0.90, &[], &[Legal]),
            // What stands in where the index fails: the articles that matter most, in short.
            tool("law_digest", Team::Search, Cost::Low, 0.1, 0.60, &[], &[Legal]),
            tool("market_data", Team::Search, Cost::Low, 1.5, 0.85, &[], &[Market]),
            tool("real_estate_search", Team::Search, Cost::Medium, 3.0, 0.80, &[], &[Market]),
            tool("loan_data", Team::Search, Cost::Low, 1.0, 0.75, &[], &[Loan]),
            tool("infrastructure", Team::Search, Cost::Low, 1.0, 0.75, &[], &[Infrastructure]),
            tool("contract_analysis", Team::Analysis, Cost::High, 5.0, 0.85, &["legal_search"], &[Contract]),
            tool("market_analysis", Team::Analysis, Cost::High, 4.0, 0.80, &["market_data"], &[]),
            tool("loan_simulator", Team::Analysis, Cost::Low, 0.2, 0.90, &[], &[]),
            tool("roi_calculator", Team::Analysis, Cost::Low, 0.2, 0.90, &[], &[]),
            tool("cost_calculator", Team::Analysis, Cost::Low, 0.1, 0.95, &[], &[]),
            tool("lease_draft", Team::Document, Cost::Medium, 1.0, 0.90, &[], &[]),
        ])
    }

    /// The same with what has run already.
    #[must_use]
    pub fn having(mut self, used: impl IntoIterator<Item = Used>) -> Self {
        used.into_iter().for_each(|used| self.record(used));
        self
    }

    /// The tools of a team.
    pub fn of(&self, team: Team) -> impl Iterator<Item = &ToolSpec> {
        self.tools.values().filter(move |tool| tool.team == team)
    }

    /// Whether a team may run a tool: one of its own, what those work on, or what stands in for that. Nothing that
    /// another team found changes it.
    pub fn allows(&self, team: Team, name: &str) -> bool {
        let Some(tool) = self.tools.get(name) else { return false };
        let stands_in = |need: &String| {
            self.tools.get(need).is_some_and(|need| {
                need.name == name
                    || need.team == tool.team && need.gives.iter().any(|kind| tool.gives.contains(kind))
            })
        };
        tool.team == team || self.of(team).any(|own| own.needs.iter().any(stands_in))
    }

    pub fn tool(&self, name: &str) -> Option<&ToolSpec> {
        self.tools.get(name)
    }

    /// What to do about a tool with these parameters.
    pub fn advise(&self, name: &str, parameters: &Parameters) -> Advice<'_> {
        let Some(tool) = self.tools.get(name) else { return Advice::Unknown };
        if let Some(used) =
            self.used.iter().rev().find(|used| used.tool == name && used.parameters == *parameters)
        {
            return Advice::Reuse(used);
        }
        let latest = |need: &String| self.satisfied(need);
        let missing: Vec<String> = tool.needs.iter().filter(|need| latest(need).is_none()).cloned().collect();
        if missing.is_empty() {
            Advice::Run { given: tool.needs.iter().filter_map(latest).collect() }
        } else {
            Advice::Wait { missing }
        }
    }

    /// The newest result of a tool, or of one that stands in for it.
    fn satisfied(&self, need: &str) -> Option<&Used> {
        let gives: &[DataKind] = self.tools.get(need).map_or(&[], |tool| &tool.gives);
        let stands_in = |used: &&Used| {
            let other = self.tools.get(&used.tool);
            used.tool == need
                || other.is_some_and(|other| other.gives.iter().any(|kind| gives.contains(kind)))
        };
        self.used.iter().rev().filter(|used| !used.found.is_empty()).find(stands_in)
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
    pub fn alternative(&self, name: &str) -> Option<&ToolSpec> {
        let (team, gives) = self.tools.get(name).map(|tool| (tool.team, &tool.gives))?;
        let worth = |tool: &ToolSpec| {
            let cost = match tool.cost {
                Cost::Low => 1.0,
                Cost::Medium => 1.5,
                Cost::High => 2.0,
            };
            self.quality(&tool.name).unwrap_or_default() / cost
        };
        let ready = |tool: &&ToolSpec| tool.needs.iter().all(|need| self.satisfied(need).is_some());
        self.tools
            .values()
            .filter(|tool| tool.name != name && tool.team == team)
            // It must find the same kind of thing.
            .filter(|tool| tool.gives.iter().any(|kind| gives.contains(kind)))
            .filter(ready)
            .max_by(|a, b| worth(a).total_cmp(&worth(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::tools::tool::{Found, Item};
    use crate::advisor::understand::region;

    fn asked(place: &str) -> Parameters {
        let regions = region::find(place, &[]).into_iter().map(|place| place.region).collect();
        Parameters { regions, ..Parameters::default() }
    }

    fn used(tool: &str, parameters: Parameters, quality: f64) -> Used {
        let item = Item {
            id: tool.to_owned(),
            kind: DataKind::Market,
            region: None,
            deal: None,
            property: None,
            at: None,
            source: String::new(),
            title: String::new(),
            text: String::new(),
            fit: 1.0,
            record: None,
        };
        let found = Found { items: vec![item], quality, ..Found::default() };
        Used { tool: tool.to_owned(), parameters, found, quality, seconds: 1.0, at: None }
    }

    #[test]
    fn the_same_parameters_never_run_twice() {
        let mut registry = Registry::built_in();
        assert_eq!(registry.advise("market_data", &asked("강남구")), Advice::Run { given: vec![] });
        registry.record(used("market_data", asked("강남구"), 0.7));
        assert!(matches!(registry.advise("market_data", &asked("강남구")), Advice::Reuse(_)));
        assert!(matches!(registry.advise("market_data", &asked("서초구")), Advice::Run { .. }));
        assert_eq!(registry.advise("oracle", &asked("")), Advice::Unknown);
    }

    #[test]
    fn a_team_has_its_own_tools_and_what_those_work_on() {
        let registry = Registry::built_in();
        let of = |team| {
            let all = registry.tools.keys().filter(|name| registry.allows(team, name));
            all.map(String::as_str).collect::<Vec<_>>()
        };
        let search = [
            "infrastructure",
            "law_digest",
            "legal_search",
            "loan_data",
            "market_data",
            "real_estate_search",
        ];
        assert_eq!(of(Team::Search), search);
        assert_eq!(of(Team::Document), ["lease_draft"]);
        let analysis = of(Team::Analysis);
        assert!(!analysis.contains(&"lease_draft") && !analysis.contains(&"loan_data"), "{analysis:?}");
        assert!(analysis.contains(&"market_data") && analysis.contains(&"law_digest"), "{analysis:?}");
        assert!(!registry.allows(Team::Analysis, "oracle"));
    }

    #[test]
    fn a_tool_waits_for_what_it_needs_and_is_given_it() {
        let mut registry = Registry::built_in();
        let advice = registry.advise("market_analysis", &asked(""));
        assert_eq!(advice, Advice::Wait { missing: vec!["market_data".to_owned()] });
        // A tool that finds the same kind of data stands in.
        registry.record(used("real_estate_search", asked(""), 0.9));
        let Advice::Run { given } = registry.advise("market_analysis", &asked("")) else {
            panic!("not ready")
        };
        assert_eq!(given[0].tool, "real_estate_search");
    }

    #[test]
    fn measured_quality_counts_and_an_alternative_finds_the_same_kind() {
        let mut registry = Registry::built_in();
        assert_eq!(registry.quality("market_data"), Some(0.85));
        let alternative =
            |registry: &Registry, name: &str| registry.alternative(name).map(|tool| tool.name.clone());
        assert_eq!(alternative(&registry, "real_estate_search").as_deref(), Some("market_data"));
        assert_eq!(alternative(&registry, "legal_search").as_deref(), Some("law_digest"));
        assert_eq!(alternative(&registry, "loan_data"), None);
        registry.record(used("market_data", asked("강남구"), 0.2));
        registry.record(used("market_data", asked("서초구"), 0.4));
        assert!((registry.quality("market_data").unwrap() - 0.3).abs() < 1e-9);
        assert_eq!(alternative(&registry, "market_analysis"), None);
    }
}
