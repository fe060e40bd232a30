//! Which tools a team uses, by rule.

use super::state::{Order, Wish};
use crate::advisor::plan::Step;
use crate::advisor::state::Advice;
use crate::advisor::toolbox::Bounds;
use crate::advisor::tools::{Calculation, Parameters, Report, Team, Used};
use crate::advisor::understand::{Context, DataKind, Deal, Intent, Subject, understand};
use crate::advisor::wanted;

pub(super) fn tools(order: &Order) -> Vec<Wish> {
    match order.team() {
        Team::Search => for_search(order),
        Team::Analysis => for_analysis(order),
        Team::Document => vec![Wish { tool: "lease_draft".to_owned(), parameters: order.asked.clone() }],
    }
}

/// Loans of public funds that people ask for by name.
const POLICIES: &[&str] = &["디딤돌", "버팀목", "보금자리론", "신생아", "주택드림"];

/// What a tool is asked, of all that is known only what it looks at: so that the same question to it is the same.
pub(super) fn narrowed(tool: &str, asked: &Parameters) -> Parameters {
    let asked = asked.clone();
    match tool {
        "legal_search" | "law_digest" => Parameters {
            query: asked.query,
            keywords: asked.keywords,
            subjects: asked.subjects,
            properties: asked.properties,
            limit: asked.limit,
            ..Parameters::default()
        },
        "market_data" | "real_estate_search" => Parameters {
            regions: asked.regions,
            deals: asked.deals,
            properties: asked.properties,
            area: asked.area,
            area_slack: asked.area_slack,
            least_price: asked.least_price,
            most_price: asked.most_price,
            most_rent: asked.most_rent,
            sort: asked.sort,
            by_district: asked.by_district,
            limit: asked.limit,
            ..Parameters::default()
        },
        "infrastructure" => Parameters {
            regions: asked.regions,
            facilities: asked.facilities,
            radius: asked.radius,
            ..Parameters::default()
        },
        "loan_data" => Parameters {
            loans: asked.loans,
            groups: asked.groups,
            income: asked.income,
            price: asked.price,
            deposit: asked.deposit,
            age: asked.age,
            keywords: POLICIES
                .iter()
                .filter(|name| asked.query.contains(**name))
                .map(|name| (*name).to_owned())
                .collect(),
            limit: asked.limit,
            ..Parameters::default()
        },
        "contract_analysis" => Parameters { text: asked.text, ..Parameters::default() },
        _ => Parameters { query: String::new(), keywords: Vec::new(), text: None, ..asked },
    }
}

/// What a search for these kinds would ask.
pub(in crate::advisor) fn searches(s: &Advice, kinds: &[DataKind], bounds: &Bounds) -> Vec<Wish> {
    let mut order = super::state::order(s, Team::Search, bounds);
    let step = crate::advisor::orchestrator::again(s, Team::Search, kinds);
    order.step = Some(Step { scope: crate::advisor::gate::searchable(kinds), ..step });
    for_search(&order)
}

fn for_search(order: &Order) -> Vec<Wish> {
    let mut asked = order.asked.clone();
    asked.keywords = order.adjust.keywords.clone();
    asked.keywords.extend(order.planning.keywords.iter().cloned());
    asked.keywords.dedup();
    if asked.subjects.is_empty() {
        asked.subjects = usual_subjects(order.planning.intent);
    }
    let asked = widened(asked, order.adjust.round);
    let question = understand(&order.query, &Context::default());
    let wish =
        |tool: &str, asked: &Parameters| Wish { tool: tool.to_owned(), parameters: narrowed(tool, asked) };
    let mut wishes = Vec::new();
    for kind in order.scope() {
        match kind {
            DataKind::Legal => wishes.push(wish("legal_search", &asked)),
            DataKind::Market => {
                let mut asked = asked.clone();
                // A return needs what is paid and what is earned.
                if asked.calculations.contains(&Calculation::Returns) {
                    asked.deals = vec![Deal::Sale, Deal::MonthlyRent];
                }
                // Whether a price is fair is a question about sales, unless somebody leases.
                if asked.deals.is_empty() && asked.price.is_some() && wanted::weighs(&question) {
                    asked.deals = vec![Deal::Sale];
                }
                // A risk lies between what a home costs and what is paid in for it.
                if order.planning.intent == Some(Intent::RiskAnalysis) {
                    asked.deals = vec![Deal::Sale, Deal::Jeonse];
                }
                wishes.push(wish("market_data", &asked));
                if wanted::lists(&question) {
                    wishes.push(wish("real_estate_search", &asked));
                }
            }
            DataKind::Loan => wishes.push(wish("loan_data", &asked)),
            DataKind::Infrastructure => wishes.push(wish("infrastructure", &asked)),
            DataKind::Contract => {}
        }
    }
    for tool in &order.adjust.tools {
        let known = [
            "legal_search",
            "law_digest",
            "market_data",
            "real_estate_search",
            "loan_data",
            "infrastructure",
        ];
        if known.contains(&tool.as_str()) && !wishes.iter().any(|wish| wish.tool == *tool) {
            wishes.push(wish(tool, &asked));
        }
    }
    wishes
}

/// What law a question of a kind is about where it does not say.
fn usual_subjects(intent: Option<Intent>) -> Vec<Subject> {
    match intent {
        Some(Intent::RiskAnalysis) => vec![Subject::Fraud, Subject::Priority, Subject::DepositReturn],
        Some(Intent::ContractReview) => vec![Subject::Renewal, Subject::Repair, Subject::DepositReturn],
        // In the place of a draft that failed: what a lease should settle.
        Some(Intent::ContractCreation) => vec![Subject::Priority, Subject::DepositReturn, Subject::Renewal],
        Some(Intent::Comprehensive) => vec![Subject::Tax, Subject::Disclosure, Subject::Report],
        _ => Vec::new(),
    }
}

/// Another try asks for more: fewer conditions the second time, none but the place the third.
pub(super) fn widened(mut asked: Parameters, round: u32) -> Parameters {
    if round == 0 {
        return asked;
    }
    asked.area_slack = asked.area.map(|_| 0.1 + 0.2 * f64::from(round));
    asked.least_price = None;
    asked.most_price = None;
    asked.most_rent = None;
    asked.limit = Some(30);
    if !asked.query.is_empty() {
        let terms: Vec<String> = asked
            .query
            .split_whitespace()
            .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned())
            .filter(|word| word.chars().count() > 1)
            .collect();
        for term in terms {
            if !asked.keywords.contains(&term) {
                asked.keywords.push(term);
            }
        }
    }
    if round > 1 {
        asked.area = None;
        asked.area_slack = None;
        asked.properties.clear();
        // A neighbourhood becomes its district.
        for region in &mut asked.regions {
            region.neighbourhood = None;
        }
        asked.groups.clear();
        asked.income = None;
    }
    asked
}

fn for_analysis(order: &Order) -> Vec<Wish> {
    let given = order.given();
    let has = |kind: DataKind| given.iter().any(|used| used.found.items.iter().any(|item| item.kind == kind));
    let mut asked = order.asked.clone();
    asked.text = order.contract.clone();
    let intent = order.planning.intent;
    let question = understand(&order.query, &Context::default());
    let wants = |calculation| order.planning.calculations.contains(&calculation);
    let mut names: Vec<&str> = Vec::new();
    if intent == Some(Intent::ContractReview) || asked.text.is_some() && intent == Some(Intent::RiskAnalysis)
    {
        names.push("contract_analysis");
    }
    let market = has(DataKind::Market) || order.planning.required.contains(&DataKind::Market);
    let compares = order.planning.regions.len() > 1;
    if market
        && (wanted::weighs(&question)
            || compares
            || matches!(intent, Some(Intent::RiskAnalysis | Intent::Comprehensive)))
    {
        names.push("market_analysis");
    }
    if wants(Calculation::Returns) {
        names.push("roi_calculator");
    }
    let lends = order.planning.required.contains(&DataKind::Loan);
    let mortgage = !asked.loans.contains(&crate::advisor::understand::LoanKind::Jeonse);
    if wants(Calculation::LoanLimit) && mortgage
        || wants(Calculation::Repayment)
        || lends && mortgage && has_price(&asked, &given)
    {
        names.push("loan_simulator");
    }
    if order.planning.calculations.iter().any(|one| one.is_cost()) {
        names.push("cost_calculator");
    }
    for tool in &order.adjust.tools {
        let known =
            ["contract_analysis", "market_analysis", "loan_simulator", "roi_calculator", "cost_calculator"];
        if let Some(known) = known.iter().find(|known| *known == tool)
            && !names.contains(known)
        {
            names.push(known);
        }
    }
    if names.is_empty() && has(DataKind::Market) {
        names.push("market_analysis");
    }
    names.into_iter().map(|name| Wish { tool: name.to_owned(), parameters: narrowed(name, &asked) }).collect()
}

fn has_price(asked: &Parameters, given: &[Used]) -> bool {
    let level = |report: &Report| matches!(report, Report::Level(level) if level.deal == Deal::Sale);
    asked.price.is_some() || given.iter().any(|used| used.found.reports.iter().any(level))
}
