//! Where a question says to look, in words for the person.

use duru_search::retrieve::{Dropped, Scope};

use super::lang::Lang;
use super::words;

/// What is said of the conditions that were found in the question, and of those that were not.
pub(super) fn notes(scope: &Scope, lang: Lang) -> Vec<String> {
    let mut notes = Vec::new();
    if !scope.only.is_empty() {
        notes.push(words::looked_only(&scope.only, lang));
    }
    notes.extend(scope.category.as_ref().map(|name| words::only_category(name, lang)));
    notes.extend(scope.unknown.iter().map(|name| words::nothing_called(name, lang)));
    notes
}

/// All that there is to say of where a search looked.
pub fn where_looked(scope: &Scope, lost: &[Dropped], korean: bool) -> Vec<String> {
    let lang = if korean { Lang::Ko } else { Lang::En };
    let lacks = |pages: bool| lost.iter().any(|one| matches!(one, Dropped::Pages(..)) == pages);
    let pages = scope.pages.as_ref().filter(|_| !lacks(true));
    let pages = (pages.map(|pages| *pages.start()), pages.map(|pages| *pages.end()));
    let mut said = notes(scope, lang);
    said.extend(kept(pages, scope.entity.as_deref().filter(|_| !lacks(false)), lang));
    said.extend(lost.iter().map(|condition| dropped(condition, lang)));
    said
}

/// Of pages and an entity it is known only after a search whether anything has them.
pub(super) fn kept(
    (first, last): (Option<u32>, Option<u32>),
    entity: Option<&str>,
    lang: Lang,
) -> Vec<String> {
    let pages = first.or(last).map(|_| pages(first.unwrap_or(1), last.unwrap_or(u32::MAX)));
    let pages = pages.map(|pages| words::only_pages(&pages, lang));
    pages.into_iter().chain(entity.map(|name| words::only_entity(name, lang))).collect()
}

pub(super) fn dropped(condition: &Dropped, lang: Lang) -> String {
    match condition {
        Dropped::Pages(first, last) => words::no_such_pages(&pages(*first, *last), lang),
        Dropped::Entity(name) => words::no_such_entity(name, lang),
    }
}

fn pages(first: u32, last: u32) -> String {
    if first == last { first.to_string() } else { format!("{first}–{last}") }
}
