//! What the law says, with its articles.

use super::super::lang::Lang;
use super::super::tools::embedded::in_english;
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
    if lang == Lang::En {
        // An article that can be told in English says more to whoever asks in it.
        let known = items.iter().take(SHOWN).find_map(|item| Some((item, in_english(&item.title)?)));
        return Some(match known {
            Some((item, english)) => format!("{} ({}, {})", english.text, english.law, article(&item.title)),
            None => format!("{} ({}, in Korean)", first_sentence(&best.text), best.title),
        });
    }
    Some(format!("{} ({})", first_sentence(&best.text), best.title))
}

pub(super) fn lines(data: &[Used], lang: Lang) -> Vec<String> {
    let line = |item: &Item| match in_english(&item.title).filter(|_| lang == Lang::En) {
        Some(english) => format!(
            "{}, {} ({}): {} [{}]",
            english.law,
            article(&item.title),
            english.title,
            english.text,
            item.title
        ),
        None => format!("{}: {}", item.title, item.text.trim()),
    };
    items(data).into_iter().take(SHOWN).map(line).collect()
}

/// "제6조의3" as "article 6-3".
fn article(title: &str) -> String {
    let number = title.split_whitespace().find_map(|word| word.strip_prefix('제')).unwrap_or_default();
    let number = number.split('(').next().unwrap_or_default();
    let number = number.replace("조의", "-").replace('조', "");
    if number.is_empty() { "guide".to_owned() } else { format!("article {number}") }
}

pub(super) fn sources(data: &[Used]) -> Vec<String> {
    items(data).into_iter().take(SHOWN).map(|item| format!("{} — {}", item.title, item.source)).collect()
}

fn first_sentence(text: &str) -> &str {
    let end = text.find("다. ").map(|at| at + "다.".len());
    text[..end.unwrap_or(text.len())].trim()
}
