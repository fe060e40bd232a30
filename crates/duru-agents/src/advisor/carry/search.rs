//! Places and conditions of the search before that a question goes on with.

use crate::advisor::state::{Advice, PastSearch};
use crate::advisor::tools::Sort;
use crate::advisor::understand::region::{PlaceMention, Region};
use crate::advisor::understand::{Amount, DataKind, Question, Terms, Unit};
use crate::advisor::{turn, wanted};

/// So many places are compared.
const PLACES: usize = 4;

/// Words that a question begins with which goes on from the one before.
const OPENERS: &[&str] =
    &["그럼", "그러면", "그렇다면", "그리고", "then ", "and ", "what about", "how about", "okay", "ok "];
/// Words that mean all places that were spoken of, without naming one.
const BOTH: &[&str] = &[
    "두 곳",
    "두곳",
    "두 지역",
    "두 동네",
    "두 구",
    "둘 다",
    "둘 중",
    "둘의",
    "양쪽",
    "both",
    "the two",
    "between them",
];

/// Words that add the place that is named to those.
const ADDS: &[&str] = &[
    "도 넣",
    "도 포함",
    "도 추가",
    "까지 넣",
    "까지 포함",
    "도 같이 비교",
    "도 함께 비교",
    "도 비교",
    "add ",
    "include ",
];

/// The conditions of a search: its own, and where the question only goes on, those of the search before.
pub(in crate::advisor) fn terms(s: &Advice, question: &Question) -> Terms {
    let mut own = question.terms.clone();
    let before = s.previous_search_results.last();
    // 그럼 서초구는?: what was looked for around the place before.
    if let (Some(before), true) = (before, question.required.contains(&DataKind::Infrastructure))
        && own.facilities.is_empty()
    {
        own.facilities.clone_from(&before.terms.facilities);
        own.measures.extend(before.terms.measures.iter().filter(|one| one.unit == Unit::Metres).cloned());
    }
    let priced = |search: &&PastSearch| search.held().found(DataKind::Market).is_some();
    let before = before.filter(priced);
    let (Some(before), true) = (before, question.required.contains(&DataKind::Market)) else { return own };
    let text = question.text.trim().to_lowercase();
    let opens = OPENERS.iter().any(|word| text.starts_with(word));
    let bare = question.named.is_empty() && own.properties.is_empty();
    if !(opens || bare) || question.takes_back {
        return own;
    }
    let mut carried = before.terms.clone();
    // A sum that was weighed is no condition; one that limits is.
    carried.amounts.retain(Amount::is_limit);
    (carried.groups, carried.loans, carried.subjects) = (Vec::new(), Vec::new(), Vec::new());
    // Homes of another kind have other sizes.
    if !own.properties.is_empty() && own.properties != carried.properties {
        carried.areas.clear();
    }
    // What is dear for a sale is nothing for a rent.
    if !own.deals.is_empty() && own.deals != carried.deals {
        carried.amounts.clear();
    }
    // 더 넓은 건?: the size that was said is no longer wanted.
    if matches!(turn::sort(&text), Some(Sort::Largest | Sort::Smallest)) {
        carried.areas.clear();
    }
    own.or(&carried)
}

/// Has a question that speaks of "both places", or of one more, name all it means.
pub(in crate::advisor) fn places(s: &Advice, question: &mut Question) {
    let text = question.text.to_lowercase();
    let own = question.regions();
    let both = own.is_empty() && BOTH.iter().any(|word| text.contains(word));
    let adds = own.len() == 1 && ADDS.iter().any(|word| text.contains(word)) && wanted::weighs(question);
    // 노원 말고 광진: of two that were compared, the other stays.
    let given_up: Vec<Region> =
        question.places.iter().filter(|place| place.taken_back).map(|place| place.region.clone()).collect();
    let compared = s.previous_search_results.last().filter(|search| search.regions.len() > 1);
    if let (Some(compared), [_], false) = (compared, &own[..], given_up.is_empty()) {
        let stays =
            compared.regions.iter().filter(|region| !given_up.contains(region) && !own.contains(region));
        for region in stays.take(PLACES - 1).cloned().collect::<Vec<_>>().into_iter().rev() {
            question.places.insert(0, PlaceMention::meant(region));
        }
        return;
    }
    if !both && !adds {
        return;
    }
    let most = if both { 2 } else { PLACES - 1 };
    let mut meant: Vec<Region> = Vec::new();
    for region in s.previous_search_results.iter().rev().flat_map(|search| &search.regions) {
        if meant.len() < most && !meant.contains(region) && !own.contains(region) {
            meant.push(region.clone());
        }
    }
    // In the order in which they were spoken of.
    for region in meant.into_iter().rev() {
        question.places.insert(0, PlaceMention::meant(region));
    }
}
