//! Which articles speak of which: a decree of the act it carries out, a penalty of what it punishes.

use std::collections::{HashMap, HashSet};

use crate::document::{Chunk, family};
use crate::text::{STATUTES, article_number, article_references};

type Key = (String, String);

/// For each passage, those of the others that it names or that name it, by their places.
pub(super) fn links(chunks: &[&Chunk]) -> Vec<Vec<usize>> {
    let mut places: HashMap<Key, Vec<usize>> = HashMap::new();
    for (at, chunk) in chunks.iter().enumerate() {
        if let Some(key) = key(chunk) {
            places.entry(key).or_default().push(at);
        }
    }
    let mut links: Vec<HashSet<usize>> = vec![HashSet::new(); chunks.len()];
    for (at, chunk) in chunks.iter().enumerate() {
        for target in cited(chunk) {
            for &other in places.get(&target).into_iter().flatten().filter(|other| **other != at) {
                links[at].insert(other);
                links[other].insert(at);
            }
        }
    }
    links
        .into_iter()
        .map(|others| {
            let mut others: Vec<usize> = others.into_iter().collect();
            others.sort_unstable();
            others
        })
        .collect()
}

fn key(chunk: &Chunk) -> Option<Key> {
    Some((chunk.title.trim().to_owned(), article_number(chunk.article.as_deref()?)?))
}

/// The articles that a passage of a statute names.
fn cited(chunk: &Chunk) -> Vec<Key> {
    if chunk.article.is_none() {
        return Vec::new();
    }
    let own = chunk.title.trim();
    let act = family(own);
    article_references(&chunk.text)
        .into_iter()
        .filter_map(|reference| {
            let law = match reference.law.as_deref() {
                None => own.to_owned(),
                Some(law) => match STATUTES.meaning("stands", law) {
                    Some(decree) => format!("{act} {decree}").trim_end().to_owned(),
                    // Whose it is stands too far before.
                    None if STATUTES.is("own", law) => return None,
                    None => law.to_owned(),
                },
            };
            Some((law, reference.article))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(title: &str, article: &str, text: &str) -> Chunk {
        Chunk { title: title.into(), article: Some(article.into()), text: text.into(), ..Chunk::default() }
    }

    #[test]
    fn a_decree_is_linked_to_the_article_it_carries_out() {
        let chunks = [
            chunk("갑법", "제20조", "제20조(이전) 이전하면 신고한다."),
            chunk("갑법 시행규칙", "제11조", "제11조 ①법 제20조제1항에 따라 신고하려는 자는"),
            chunk("을법", "제20조", "제20조(그 밖에)"),
            chunk("갑법", "제51조", "제20조를 위반한 자에게는 과태료를"),
        ];
        let chunks: Vec<&Chunk> = chunks.iter().collect();
        assert_eq!(links(&chunks), [vec![1, 3], vec![0], vec![], vec![0]]);
    }
}
