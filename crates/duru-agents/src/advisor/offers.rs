//! Two or more things that are weighed against each other: offers of banks, homes. Each has its own figures beside those of
//! the ledger; one of them is changed by its name, all are reckoned where all are asked about.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ledger::{Ledger, Source, Value, What, values};
use super::restated;
use super::sums::Sum;
use super::tools::{Calculation, Parameters};
use super::understand::{Context, understand};
use super::wanted;

/// One of the things that are weighed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    /// Its place among them, from 0.
    pub at: usize,
    /// As the person calls it.
    pub name: String,
    pub figures: Vec<(What, Value)>,
}

impl Offer {
    /// Its figures in place of whatever is known beside them.
    pub(super) fn parameters(&self, beside: &Parameters) -> Parameters {
        let mut asked = beside.clone();
        for (what, value) in &self.figures {
            what.set(&mut asked, value);
        }
        asked
    }

    /// What is reckoned of it: what it costs a month where it is a loan, what it yields where it is let.
    pub(super) fn sum(&self) -> Option<Sum> {
        let has = |what: What| self.figures.iter().any(|(known, _)| *known == what);
        if has(What::Price) && has(What::MonthlyRent) {
            Some(Sum::Yield)
        } else if has(What::Loan) && has(What::Rate) {
            Some(Sum::Payment)
        } else {
            None
        }
    }
}

/// The offers after a question, and which of them it is about.
#[derive(Debug, PartialEq)]
pub(super) struct Weighed {
    pub(super) offers: Vec<Offer>,
    pub(super) shown: Vec<usize>,
}

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?:offer|option|bank|flat|home|house|apartment|place|loan) (one|two|three|a|b|c|1|2|3)\b(?:'s)?|\b([abc])(?:'s\b| ?(?:은행|안|집|아파트|사|조건)|는|은)|(첫|두|세) ?번째 ?(?:은행|안|집|조건)?|\b(first|second|third) (?:bank|offer|one|flat|loan|option|home)\b|\bon ([abc])\b",
    )
    .unwrap()
});

/// Words that mean all of them.
const ALL: &[&str] = &["각각", "둘 다", "둘다", "어디가", "어느 쪽", "어느쪽", "each", "both", "which"];

/// What a question does to the offers that are weighed, if it speaks of any.
pub(super) fn weighed(text: &str, ledger: &Ledger) -> Option<Weighed> {
    let lower = text.to_lowercase();
    let named = named(&lower);
    let mut places: Vec<usize> = named.iter().map(|(at, ..)| *at).collect();
    places.sort_unstable();
    places.dedup();
    if places.len() > 1
        && let Some(offers) = offered(&named)
    {
        let shown = offers.iter().map(|offer| offer.at).collect();
        return Some(Weighed { offers, shown });
    }
    let mut offers = ledger.offers.clone();
    match places[..] {
        [at] => {
            let offer = offers.iter_mut().find(|offer| offer.at == at)?;
            let changed = change(offer, text);
            changed.then_some(Weighed { offers, shown: vec![at] })
        }
        [] if !offers.is_empty() && says_all(&lower) => {
            let shown = offers.iter().map(|offer| offer.at).collect();
            Some(Weighed { offers, shown })
        }
        _ => None,
    }
}

/// Does it ask about all of them, and say nothing else of its own?
fn says_all(lower: &str) -> bool {
    let question = understand(lower, &Context::default());
    ALL.iter().any(|word| lower.contains(word))
        && question.terms.amounts.is_empty()
        && question.places.is_empty()
}

/// The names in a text: the place among the offers, the name, and the text that belongs to it.
fn named(lower: &str) -> Vec<(usize, String, &str)> {
    let found: Vec<regex::Captures<'_>> = NAMES.captures_iter(lower).collect();
    let mut names = Vec::new();
    for (number, one) in found.iter().enumerate() {
        let Some(whole) = one.get(0) else { continue };
        let word = (1..=5).find_map(|at| one.get(at)).map_or("", |word| word.as_str());
        let at = match word {
            "one" | "a" | "1" | "첫" | "first" => 0,
            "two" | "b" | "2" | "두" | "second" => 1,
            _ => 2,
        };
        let end = found.get(number + 1).and_then(|next| next.get(0)).map_or(lower.len(), |next| next.start());
        let name = whole.as_str().trim_end_matches("'s").trim_end_matches(['는', '은']).trim();
        let letter = name.strip_prefix("on ").unwrap_or(name);
        names.push((at, shown_as(letter), &lower[whole.start()..end]));
    }
    names
}

/// A letter is written large.
fn shown_as(name: &str) -> String {
    let mut words: Vec<String> = name.split(' ').map(str::to_owned).collect();
    for word in &mut words {
        let letter = word.chars().next().is_some_and(|c| matches!(c, 'a'..='c'));
        if letter && (word.len() == 1 || !word.is_ascii()) {
            *word = word[..1].to_uppercase() + &word[1..];
        }
    }
    words.join(" ")
}

/// The offers that a text names, each with its own figures; none unless every one has some. What the second leaves unsaid
/// of a loan is as in the first.
fn offered(named: &[(usize, String, &str)]) -> Option<Vec<Offer>> {
    let mut offers: Vec<Offer> = Vec::new();
    for (at, name, text) in named {
        let mut figures = figures(text);
        if figures.is_empty() || offers.iter().any(|offer| offer.at == *at) {
            return None;
        }
        if let Some(first) = offers.first() {
            let lacking: Vec<(What, Value)> = first
                .figures
                .iter()
                .filter(|(what, _)| !figures.iter().any(|(known, _)| known == what))
                .cloned()
                .collect();
            figures.extend(lacking);
        }
        offers.push(Offer { at: *at, name: name.clone(), figures });
    }
    offers.iter().all(|offer| offer.sum().is_some()).then_some(offers)
}

/// What a text says of one offer.
fn figures(text: &str) -> Vec<(What, Value)> {
    let mut question = understand(text, &Context::default());
    // That it is let makes its price no deposit.
    question.terms.deals.clear();
    let asked = wanted::parameters(&question, &question.terms, &[Calculation::Repayment]);
    let let_for = asked.monthly_rent.is_some() && asked.price.is_none();
    let mut found: Vec<(What, Value)> =
        values(&asked).into_iter().filter(|(what, _)| is_weighed(*what)).collect();
    // Flat A is 320 million: of what is let, a sum without a name is its price.
    if let_for && let Some(one) = found.iter_mut().find(|(what, _)| *what == What::Loan) {
        one.0 = What::Price;
    }
    // 25년에 3.8: beside a term, a number with a point is the rate.
    let rated = found.iter().any(|(what, _)| *what == What::Rate);
    let timed = found.iter().any(|(what, _)| *what == What::Years);
    if timed && !rated {
        let number = text
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .find(|part| part.contains('.') && part.len() > 2);
        let rate = number.and_then(|part| part.trim_matches('.').parse::<f64>().ok());
        let rate = rate.filter(|rate| (0.5..20.0).contains(rate));
        found.extend(rate.map(|rate| (What::Rate, Value::Share(rate / 100.0))));
    }
    found
}

/// Is it something in which offers differ?
fn is_weighed(what: What) -> bool {
    matches!(
        what,
        What::Loan
            | What::Rate
            | What::Years
            | What::Price
            | What::Deposit
            | What::MonthlyRent
            | What::MonthlyCosts
    )
}

/// Writes what a text says of one offer into it; tells whether it says anything.
fn change(offer: &mut Offer, text: &str) -> bool {
    let mut held = Ledger::default();
    held.enter(&offer.parameters(&Parameters::default()), Source::Said, 0, "");
    let mut asked = Parameters::default();
    let known = |what: &What| offer.figures.iter().any(|(held, _)| held == what);
    let mut said: Vec<(What, Value)> = figures(&text.to_lowercase());
    said.retain(|(what, _)| known(what));
    if restated::restate(text, &held, &mut asked) {
        said.extend(values(&asked));
    }
    for (what, value) in &said {
        match offer.figures.iter_mut().find(|(known, _)| known == what) {
            Some(known) => known.1 = value.clone(),
            None => offer.figures.push((*what, value.clone())),
        }
    }
    !said.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(offers: Vec<Offer>) -> Ledger {
        Ledger { offers, ..Ledger::default() }
    }

    /// The loan, the rate in thousandths, the years.
    fn of(offer: &Offer) -> (Option<u64>, Option<f64>, Option<u32>) {
        let with = offer.parameters(&Parameters::default());
        (with.loan, with.rate.map(|rate| (rate * 1_000.0).round()), with.years)
    }

    #[test]
    fn two_offers_have_their_own_figures_and_share_what_is_said_once() {
        let none = ledger(Vec::new());
        let found =
            weighed("A은행은 1억9천 20년 4.4%, B은행은 같은 금액 15년에 4.2 해준대요. 월 얼마씩?", &none)
                .unwrap();
        assert_eq!(found.shown, [0, 1]);
        assert_eq!(of(&found.offers[0]), (Some(190_000_000), Some(44.0), Some(20)));
        assert_eq!(of(&found.offers[1]), (Some(190_000_000), Some(42.0), Some(15)));
        assert_eq!(found.offers[1].name, "B은행");
        let found = weighed(
            "Bank A: 180 million, 4.6%, 25 years. Bank B: 160 million, 4.1%, 20 years. What would each cost?",
            &none,
        )
        .unwrap();
        assert_eq!(of(&found.offers[1]), (Some(160_000_000), Some(41.0), Some(20)));
    }

    #[test]
    fn one_of_them_is_changed_by_its_name_and_all_are_asked_about() {
        let first = weighed(
            "Offer one: 180 million, 4.6%, 25 years. Offer two: 160 million, 4.1%, 20 years.",
            &ledger(Vec::new()),
        );
        let held = ledger(first.unwrap().offers);
        let changed = weighed("The second offer is 3.9% over 30 years now", &held).unwrap();
        assert_eq!(changed.shown, [1]);
        assert_eq!(of(&changed.offers[1]), (Some(160_000_000), Some(39.0), Some(30)));
        assert_eq!(of(&changed.offers[0]), (Some(180_000_000), Some(46.0), Some(25)));
        assert_eq!(weighed("and the total interest of each?", &held).unwrap().shown, [0, 1]);
        assert_eq!(weighed("what about the agent's fee?", &held), None);
        assert_eq!(weighed("두 번째 집을 사면 취득세가 얼마예요?", &ledger(Vec::new())), None);
    }

    #[test]
    fn homes_that_are_let_are_weighed_by_their_yield() {
        let text = "Flat A is 210 million and rents for 10 million deposit plus 700k. Flat B is 250 million, 20 million deposit plus 900k. Which yields more?";
        let found = weighed(text, &ledger(Vec::new())).unwrap();
        let with = found.offers[0].parameters(&Parameters::default());
        assert_eq!(
            (with.price, with.deposit, with.monthly_rent),
            (Some(210_000_000), Some(10_000_000), Some(700_000))
        );
        assert_eq!(found.offers[1].sum(), Some(Sum::Yield));
    }
}
