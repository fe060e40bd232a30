//! Whether a question that speaks of another world, of shares or the weather, is about homes all the same.

use super::amount::Role;
use super::intent::Clues;
use super::lexicon::{DataKind, Mention, Sense};

/// Prices and loans are about homes only if something says so: gold has a price too.
pub(super) fn about_homes(clues: &Clues<'_>) -> bool {
    // 점심때 본 금리: what goes on from a search is of no other world.
    let goes_on = !clues.before.is_empty() && names_sum_of_home(clues)
        || clues.has(|sense| matches!(sense, Sense::Point(_)))
            && clues.topics().iter().any(|(kind, _)| clues.before.contains(kind));
    let home = clues.has(|sense| {
        matches!(sense, Sense::Deal(_) | Sense::Property(_) | Sense::Hint(_) | Sense::Loan(_) | Sense::Risk)
            || matches!(sense, Sense::Topic(DataKind::Legal | DataKind::Contract))
    });
    home || goes_on
}

/// Is a sum or a size of a home said, and not one of the other world: 로또 됐다 치고 12억이면, but not 비트코인 1억 갈까?
fn names_sum_of_home(clues: &Clues<'_>) -> bool {
    const HOME: &[Role] = &[Role::Deposit, Role::MonthlyRent, Role::Loan, Role::Debt, Role::Budget];
    if !clues.areas.is_empty() || clues.amounts.iter().any(|amount| HOME.contains(&amount.role)) {
        return true;
    }
    let alien = |mention: &&Mention| mention.sense == Sense::Alien && !mention.taken_back;
    let supposed = clues.mentions.iter().rfind(alien).and_then(|last| end_of_supposition(clues.text, last));
    supposed.is_some_and(|end| clues.amounts.iter().any(|amount| amount.span.0 >= end))
}

/// Where what is supposed of a thing ends: 로또 됐다 치고, 코인 팔면, if my stocks sell.
fn end_of_supposition(text: &str, of: &Mention) -> Option<usize> {
    const NEAR: usize = 4;
    let rest = &text[of.end..];
    if rest.is_ascii() {
        let before = text[..of.start].rsplit([',', '.', '?', '!', ';']).next().unwrap_or_default();
        let supposes = ["if", "suppose", "supposing", "say", "assuming", "once"];
        let begins = before.split(' ').any(|word| supposes.contains(&word));
        let end = rest.find(',').or_else(|| rest.find(" then ")).or_else(|| rest.find(" and "))?;
        return begins.then_some(of.end + end);
    }
    let mut at = of.end;
    for word in rest.split_inclusive(' ').take(NEAR) {
        at += word.len();
        let word = word.trim_end();
        if ["치고", "치면", "셈", "가정하고"].contains(&word) || word.ends_with('면') || word.ends_with("면,")
        {
            return Some(at);
        }
    }
    None
}
