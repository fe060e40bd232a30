//! What the law says, with its articles.

use super::super::lang::Lang;
use super::super::tools::{Item, Used};
use super::super::understand::DataKind;

/// So many articles are shown.
const SHOWN: usize = 5;

fn items(data: &[Used]) -> Vec<&Item> {
    let mut items: Vec<&Item> = Vec::new();
    for item in data.iter().flat_map(|used| &used.found.items).filter(|item| item.kind == DataKind::Legal) {
        if !items.iter().any(|known| known.id == item.id) {
            items.push(item);
        }
    }
    items
}

/// The best article in its first sentence.
pub(super) fn gist(data: &[Used], lang: Lang) -> Option<String> {
    let items = items(data);
    let best = items.first()?;
    let sentence = first_sentence(&best.text);
    Some(lang.pick(format!("{sentence} ({})", best.title), format!("{sentence} ({}, in Korean)", best.title)))
}

pub(super) fn lines(data: &[Used]) -> Vec<String> {
    items(data).into_iter().take(SHOWN).map(|item| format!("{}: {}", item.title, item.text.trim())).collect()
}

pub(super) fn sources(data: &[Used]) -> Vec<String> {
    items(data).into_iter().take(SHOWN).map(|item| format!("{} — {}", item.title, item.source)).collect()
}

fn first_sentence(text: &str) -> &str {
    let end = text.find("다. ").map(|at| at + "다.".len());
    text[..end.unwrap_or(text.len())].trim()
}
