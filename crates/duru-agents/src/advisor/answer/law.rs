//! What the law says, with its articles.

use duru_language::words::general;
use duru_language::{TokenKind, segment};

use crate::advisor::lang::Lang;
use crate::advisor::tools::embedded::in_english;
use crate::advisor::tools::{Item, Used};
use crate::advisor::understand::DataKind;

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

/// The articles that are shown.
pub(super) fn shown(data: &[Used]) -> Vec<&Item> {
    items(data).into_iter().take(SHOWN).collect()
}

/// The best article in the sentence that speaks most of the question.
pub(super) fn gist(asked: &str, data: &[Used], lang: Lang) -> Option<String> {
    let items = items(data);
    let best = items.first()?;
    if lang == Lang::En {
        // An article that can be told in English says more to whoever asks in it.
        let known = items.iter().take(SHOWN).find_map(|item| Some((item, in_english(&item.title)?)));
        return Some(match known {
            Some((item, english)) => format!("{} ({}, {})", english.text, english.law, article(&item.title)),
            None => format!("{} ({}, in Korean)", nearest_sentence(asked, &plain(best)), best.title),
        });
    }
    let texts: Vec<(&&Item, String)> = items.iter().take(SHOWN).map(|item| (item, plain(item))).collect();
    let words = stems(asked);
    let hits = |text: &str| words.iter().filter(|word| text.contains(word.as_str())).count();
    // The best found comes first; another only where it speaks of clearly more of the question.
    let first = hits(&nearest_sentence(asked, &plain(best)));
    let other = texts.iter().map(|(item, text)| (item, nearest_sentence(asked, text)));
    let nearer =
        other.max_by_key(|(_, sentence)| hits(sentence)).filter(|(_, sentence)| hits(sentence) > first + 1);
    Some(match nearer {
        Some((item, sentence)) => format!("{sentence} ({})", item.title),
        None => format!("{} ({})", nearest_sentence(asked, &plain(best)), best.title),
    })
}

/// The words of a question, without their particles and endings.
fn stems(asked: &str) -> Vec<String> {
    segment(asked, &[general()])
        .iter()
        .filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Unknown))
        .map(|token| token.text(asked))
        // Of a verb, and of a compound, what it begins with is found in every form.
        .map(|word| word.chars().take(3).collect::<String>())
        .filter(|word| word.chars().count() > 1)
        .collect()
}

/// What an article says, without the name that its title has already, and without tables: those do not read as a line.
fn plain(item: &Item) -> String {
    let text = item.text.trim();
    // 제6조(묵시적 갱신) 임대인이 …
    let numbered = |at: &usize| item.title[at + '제'.len_utf8()..].starts_with(|c: char| c.is_ascii_digit());
    let name = item.title.match_indices('제').map(|(at, _)| at).find(numbered).map(|at| &item.title[at..]);
    let text = name.and_then(|name| text.strip_prefix(name)).unwrap_or(text).trim_start();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('|'));
    let text = lines.map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    if text.is_empty() { "표로 정해져 있습니다.".to_owned() } else { text }
}

pub(super) fn lines(data: &[Used], lang: Lang) -> Vec<String> {
    shown(data).into_iter().map(|item| whole(item, lang)).collect()
}

/// An article with its name.
pub(super) fn whole(item: &Item, lang: Lang) -> String {
    match in_english(&item.title).filter(|_| lang == Lang::En) {
        Some(english) => format!(
            "{}, {} ({}): {} [{}]",
            english.law,
            article(&item.title),
            english.title,
            english.text,
            item.title
        ),
        None => format!("{}: {}", item.title, plain(item)),
    }
}

/// "제6조의3" as "article 6-3".
fn article(title: &str) -> String {
    let number = title.split_whitespace().find_map(|word| word.strip_prefix('제')).unwrap_or_default();
    let number = number.split('(').next().unwrap_or_default();
    let number = number.replace("조의", "-").replace('조', "");
    if number.is_empty() { "guide".to_owned() } else { format!("article {number}") }
}

pub(super) fn sources(data: &[Used], lang: Lang) -> Vec<String> {
    shown(data).into_iter().map(|item| source(item, lang)).collect()
}

/// Where an article is from.
pub(super) fn source(item: &Item, lang: Lang) -> String {
    match in_english(&item.title).filter(|_| lang == Lang::En) {
        // The name that it can be looked up by stays.
        Some(english) => {
            let source = item.source.replace("법령 요약", "digest of law");
            format!("{}, {} [{}] — {source}", english.law, article(&item.title), item.title)
        }
        None => format!("{} — {}", item.title, item.source),
    }
}

/// The sentence with most of the question's words: one that few of the sentences have says more, and so does what the
/// question begins with. The first, where none has any.
fn nearest_sentence(asked: &str, text: &str) -> String {
    let sentences: Vec<&str> = text.split_inclusive("다. ").map(str::trim).collect();
    let words = stems(asked);
    let worth = |sentence: &&str| -> f64 {
        let within = words.iter().enumerate().filter(|(_, word)| sentence.contains(word.as_str()));
        let of = |(at, word): (usize, &String)| {
            let having = sentences.iter().filter(|other| other.contains(word.as_str())).count().max(1);
            (1.0 - 0.05 * at.min(10) as f64) / having as f64
        };
        within.map(of).sum()
    };
    let mut best = sentences.first().copied().unwrap_or(text);
    for sentence in &sentences {
        if worth(sentence) > worth(&best) + 0.01 {
            best = sentence;
        }
    }
    best.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_that_speaks_of_the_question_is_told() {
        let text =
            "매매를 알리지 않으면 500만원 이하를 냅니다. 전월세를 알리지 않으면 100만원 이하를 냅니다.";
        assert!(nearest_sentence("전월세 안 알리면 얼마 내요?", text).starts_with("전월세"));
        assert!(nearest_sentence("매매를 안 알리면?", text).starts_with("매매"));
        assert!(nearest_sentence("아무것도", text).starts_with("매매"));
    }
}
