//! What other conversations told of the person, where a question that does not say it goes on from it. Whatever is taken
//! is written into the plan, and the answer tells it.

use super::carry;
use super::ledger::{self, Value, What};
use super::state::{Advice, KnownFact};
use super::tools::{Calculation, Parameters};
use super::understand::region::PlaceMention;
use super::understand::{Amount, DataKind, Deal, Intent, Person, Question, Role};
use super::{turn, wanted};

/// Figures that are known of the person and not said here, where something is to be worked out with them.
pub(super) fn figures(
    s: &Advice,
    question: &Question,
    calculations: &[Calculation],
    carried: &mut Option<Parameters>,
) -> Vec<KnownFact> {
    if s.memories.facts.is_empty() || calculations.is_empty() || !own(question) {
        return Vec::new();
    }
    let said = carry::heard(s, question, calculations);
    let here = ledger::values(&said);
    let known = |what: What| {
        here.iter().any(|(said, _)| *said == what) || s.ledger.entries.iter().any(|entry| entry.what == what)
    };
    let serves = |fact: &&KnownFact| calculations.iter().any(|one| fact.what.serves(*one));
    // Who says what may be spent has said what they have.
    let spends = said.most_price.is_some();
    let used: Vec<KnownFact> = s
        .memories
        .facts
        .iter()
        .filter(serves)
        .filter(|fact| !(known(fact.what) || fact.what == What::OwnMoney && spends))
        .cloned()
        .collect();
    if used.is_empty() {
        return used;
    }
    let asked = carried.get_or_insert_default();
    for fact in &used {
        match &fact.value {
            // One fact each; together they are what the person is.
            Value::Groups(groups) => {
                for group in groups {
                    if !asked.groups.contains(group) {
                        asked.groups.push(*group);
                    }
                }
            }
            value => fact.what.set(asked, value),
        }
    }
    used
}

/// The place that the person looked at last, where prices or what lies around are asked for and none is named, here or before.
pub(super) fn place(s: &Advice, question: &mut Question) -> Option<KnownFact> {
    let open = matches!(question.intent, Intent::MarketInquiry | Intent::Infrastructure)
        && question.places.is_empty()
        && s.context().regions.is_empty()
        && !turn::ranks(question)
        && own(question);
    let places = s.memories.facts.iter().filter(|fact| open && fact.what == What::Place);
    let newest = places.max_by(|a, b| a.at.cmp(&b.at))?;
    let Value::Places(known) = &newest.value else { return None };
    question.places.extend(known.iter().cloned().map(PlaceMention::meant));
    Some(newest.clone())
}

/// The budget that the person once named, as a limit of a search for homes where no sum is named, here or before. What
/// homes cost is asked of all of them, whoever can pay for them.
pub(super) fn budget(s: &Advice, question: &mut Question, calculations: &[Calculation]) -> Option<KnownFact> {
    let looks = question.required.contains(&DataKind::Market)
        && calculations.is_empty()
        && wanted::lists(question)
        && !wanted::weighs(question);
    let unlimited = question.terms.amounts.is_empty() && s.previous_search_results.is_empty();
    if !looks || !unlimited || !own(question) {
        return None;
    }
    let known = s.memories.facts.iter().filter(|fact| fact.what == What::Budget);
    let newest = known.max_by(|a, b| a.at.cmp(&b.at))?;
    let Value::Budget { won, deals } = &newest.value else { return None };
    // What is to be paid in for a lease is no limit of what a home may cost.
    let asked = &question.terms.deals;
    let fits = match (deals.is_empty(), asked.is_empty()) {
        (true, _) => true,
        (false, true) => deals.contains(&Deal::Sale),
        (false, false) => asked.iter().all(|deal| deals.contains(deal)),
    };
    if !fits {
        return None;
    }
    question.terms.amounts.push(Amount::most(*won, Role::Budget));
    Some(newest.clone())
}

/// Is it the person's own matter?
fn own(question: &Question) -> bool {
    question.terms.people.iter().all(|person| matches!(person, Person::Myself | Person::Couple))
}
