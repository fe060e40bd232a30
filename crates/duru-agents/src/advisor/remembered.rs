//! What other conversations told of the person, where a question that does not say it goes on from it. Whatever is taken
//! is written into the plan, and the answer tells it.

use super::carry;
use super::ledger::{self, Value, What};
use super::state::{Advice, KnownFact};
use super::tools::{Calculation, Parameters};
use super::turn;
use super::understand::region::PlaceMention;
use super::understand::{Intent, Person, Question};

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

/// Is it the person's own matter?
fn own(question: &Question) -> bool {
    question.terms.people.iter().all(|person| matches!(person, Person::Myself | Person::Couple))
}
