//! From blocks and records to passages with stable ids.

use std::collections::HashMap;

use super::cut::{Sizes, cut, cut_table};
use super::statute::{Mark, begins_paragraph, mark};
use crate::document::{Chunk, PageBreak};
use crate::read::{Block, Content, Parsed, Record};

/// Pieces of running text.
const TEXT: Sizes = Sizes { usual: 1000, whole: 1400, overlap: 120 };

/// An article, a table and a record stay whole if they can.
const WHOLE: Sizes = Sizes { usual: 2400, whole: 6000, overlap: 120 };

/// Stands in a passage's text where a page begins, until the text is cut.
const NEW_PAGE: char = '\u{c}';

/// Where passages come from.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    pub document: &'a str,
    pub collection: &'a str,
    pub source: &'a str,
    /// If the file does not say.
    pub title: &'a str,
    pub category: Option<&'a str>,
}

/// The passages of a file, in its order. Their ids depend on where they stand, not on what they say: a changed
/// passage keeps its id.
pub fn split(parsed: Parsed, origin: Origin<'_>) -> Vec<Chunk> {
    let title = parsed.title.filter(|title| !title.trim().is_empty());
    match parsed.content {
        Content::Blocks(blocks) => Outline::new(origin, title).run(blocks),
        Content::Records(records) => {
            let mut labels = HashMap::new();
            records.into_iter().flat_map(|record| of_record(record, origin, &mut labels)).collect()
        }
    }
}

/// The way through a document.
struct Outline<'a> {
    origin: Origin<'a>,
    title: Option<String>,
    /// Level and text of the headings above, the outermost first.
    headings: Vec<(u8, String)>,
    article: Option<(String, String)>,
    page: Option<u32>,
    /// What belongs to the passage that is being read, on which page it began, and which began inside of it.
    text: String,
    began: Option<u32>,
    later: Vec<u32>,
    /// How often a label was given.
    labels: HashMap<String, usize>,
    chunks: Vec<Chunk>,
}

impl<'a> Outline<'a> {
    fn new(origin: Origin<'a>, title: Option<String>) -> Self {
        Self {
            origin,
            title,
            headings: Vec::new(),
            article: None,
            page: None,
            text: String::new(),
            began: None,
            later: Vec::new(),
            labels: HashMap::new(),
            chunks: Vec::new(),
        }
    }

    fn run(mut self, blocks: Vec<Block>) -> Vec<Chunk> {
        for block in blocks {
            match block {
                Block::Page(page) => self.turn(page),
                Block::Heading { level, text } => match mark(&text) {
                    Some(Mark::Article { .. }) => self.line(&text),
                    _ => self.heading(level, text),
                },
                Block::Table(table) => {
                    self.finish();
                    self.began = self.page;
                    match cut_table(&table, WHOLE) {
                        Some(pieces) => pieces.iter().for_each(|piece| self.emit(piece, WHOLE)),
                        None => self.emit(&table, WHOLE),
                    }
                }
                Block::Paragraph(text) => {
                    for line in text.lines() {
                        self.line(line);
                    }
                    self.text.push('\n');
                }
            }
        }
        self.finish();
        self.chunks
    }

    /// What a page says goes on where the one before ended: a sentence may.
    fn turn(&mut self, page: u32) {
        self.page = Some(page);
        if !self.text.trim().is_empty() {
            self.text.push(NEW_PAGE);
            self.later.push(page);
        }
    }

    fn line(&mut self, line: &str) {
        match mark(line) {
            // Ten levels down, so that a document's own headings stay above those of a statute in it.
            Some(Mark::Part { level, text }) => self.heading(10 + level, text),
            Some(Mark::Article { number, name }) => {
                self.finish();
                self.article = Some((number, name));
                self.push(line);
            }
            None => self.push(line),
        }
    }

    fn push(&mut self, line: &str) {
        if self.text.trim().is_empty() {
            self.began = self.page;
        }
        self.text.extend(line.chars().filter(|c| *c != NEW_PAGE));
        self.text.push('\n');
    }

    fn heading(&mut self, level: u8, text: String) {
        self.finish();
        self.article = None;
        // The first heading of the first level is the document's own name.
        if self.title.is_none() && level == 1 && self.chunks.is_empty() {
            self.title = Some(text);
            return;
        }
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, text));
    }

    /// The passage that is being read is complete.
    fn finish(&mut self) {
        let text = std::mem::take(&mut self.text);
        if self.article.is_some() {
            self.emit(&paragraphs_apart(&text), WHOLE)
        } else {
            self.emit(&text, TEXT)
        }
        self.later.clear();
    }

    /// A piece without its marks, the page it begins on, and those that begin inside of it.
    fn paged(&self, before: &str, piece: &str) -> (String, Option<u32>, Vec<PageBreak>) {
        let passed = before.matches(NEW_PAGE).count();
        let page = passed.checked_sub(1).and_then(|last| self.later.get(last)).copied().or(self.began);
        let mut plain = String::with_capacity(piece.len());
        let mut breaks = Vec::new();
        let mut later = self.later.iter().skip(passed);
        for part in piece.split_inclusive(NEW_PAGE) {
            plain.push_str(part.trim_end_matches(NEW_PAGE));
            if part.ends_with(NEW_PAGE)
                && let Some(page) = later.next()
            {
                let offset = u32::try_from(plain.chars().count()).unwrap_or(u32::MAX);
                breaks.push(PageBreak { offset, page: *page });
            }
        }
        (plain, page, breaks)
    }

    fn emit(&mut self, text: &str, sizes: Sizes) {
        let title = self.title.clone().unwrap_or_else(|| self.origin.title.to_owned());
        let mut headings: Vec<String> = self.headings.iter().map(|(_, text)| text.clone()).collect();
        let (article, name) = match &self.article {
            Some((number, name)) => (Some(number.clone()), name.clone()),
            None => (None, headings.pop().unwrap_or_default()),
        };
        let place = article.clone().unwrap_or_else(|| {
            headings
                .iter()
                .chain([&name])
                .filter(|part| !part.is_empty())
                .cloned()
                .collect::<Vec<_>>()
                .join("/")
        });
        for (index, place_of_piece) in cut(text, sizes).into_iter().enumerate() {
            let before = &text[..place_of_piece.start];
            let (piece, page, mut page_breaks) = self.paged(before, &text[place_of_piece]);
            // What an article's later pieces are about stands only in its first line.
            let head = match (&article, index) {
                (Some(number), 1..) => format!("{number}({name}) "),
                _ => String::new(),
            };
            let added = u32::try_from(head.chars().count()).unwrap_or(u32::MAX);
            page_breaks.iter_mut().for_each(|page| page.offset = page.offset.saturating_add(added));
            let text = head + &piece;
            self.chunks.push(Chunk {
                id: label(&mut self.labels, &format!("{}#{place}", self.origin.document)),
                document: self.origin.document.to_owned(),
                collection: self.origin.collection.to_owned(),
                source: self.origin.source.to_owned(),
                title: title.clone(),
                headings: headings.clone(),
                name: name.clone(),
                article: article.clone(),
                page,
                page_breaks,
                category: self.origin.category.map(str::to_owned),
                text,
                metadata: Default::default(),
            });
        }
    }
}

/// Paragraphs that follow each other on one line get lines of their own, so that cuts fall between them.
fn paragraphs_apart(text: &str) -> String {
    let mut apart = String::with_capacity(text.len());
    for c in text.chars() {
        let begins = begins_paragraph(c.encode_utf8(&mut [0; 4]));
        if begins && !apart.is_empty() && !apart.ends_with('\n') && apart.ends_with([' ', '.', '>']) {
            apart.push('\n');
        }
        apart.push(c);
    }
    apart
}

fn of_record(record: Record, origin: Origin<'_>, labels: &mut HashMap<String, usize>) -> Vec<Chunk> {
    let base = match &record.id {
        // Everyday collections keep the ids that people know.
        Some(id) if origin.collection == crate::DEFAULT_COLLECTION => id.clone(),
        Some(id) => format!("{}:{id}", origin.collection),
        None => {
            let place = record.article.as_deref().or(record.name.as_deref()).unwrap_or_default();
            format!("{}#{place}", origin.document)
        }
    };
    let title = record.title.clone().unwrap_or_else(|| origin.title.to_owned());
    let article = record.article.as_deref().and_then(crate::text::article_number).or(record.article);
    let pieces = cut(&record.text, WHOLE).into_iter().map(|piece| record.text[piece].to_owned());
    let chunk = |text: String| Chunk {
        id: label(labels, &base),
        document: origin.document.to_owned(),
        collection: origin.collection.to_owned(),
        source: record.source.clone().unwrap_or_else(|| origin.source.to_owned()),
        title: title.clone(),
        headings: record.headings.clone(),
        name: record.name.clone().unwrap_or_default(),
        article: article.clone(),
        page: record.page,
        page_breaks: Vec::new(),
        category: record.category.clone().or_else(|| origin.category.map(str::to_owned)),
        text,
        metadata: record.metadata.clone(),
    };
    pieces.map(chunk).collect()
}

/// The label, with a number from the second time on.
fn label(labels: &mut HashMap<String, usize>, base: &str) -> String {
    let count = labels.entry(base.to_owned()).or_default();
    *count += 1;
    if *count == 1 { base.to_owned() } else { format!("{base}~{count}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin() -> Origin<'static> {
        Origin { document: "d", collection: "c", source: "s.md", title: "s", category: None }
    }

    fn blocks(blocks: Vec<Block>) -> Vec<Chunk> {
        split(Parsed { title: None, content: Content::Blocks(blocks), blank_pages: Vec::new() }, origin())
    }

    fn heading(level: u8, text: &str) -> Block {
        Block::Heading { level, text: text.into() }
    }

    #[test]
    fn a_statute_falls_into_its_articles() {
        let text = "제1장 총칙\n제1조(목적) 이 법은\n제6조의3(갱신) ① 첫째 ② 둘째\n제2절 벌칙\n제7조 삭제 <2020. 1. 1.>";
        let chunks = blocks(vec![heading(1, "갑법"), Block::Paragraph(text.into())]);
        let short: Vec<_> = chunks
            .iter()
            .map(|c| {
                (c.id.as_str(), c.article.as_deref().unwrap_or(""), c.name.as_str(), c.headings.join("/"))
            })
            .collect();
        assert_eq!(
            short,
            [
                ("d#제1조", "제1조", "목적", "제1장 총칙".to_owned()),
                ("d#제6조의3", "제6조의3", "갱신", "제1장 총칙".to_owned()),
                ("d#제7조", "제7조", "", "제1장 총칙/제2절 벌칙".to_owned()),
            ]
        );
        assert_eq!(chunks[0].title, "갑법");
        assert!(chunks[1].text.contains("① 첫째 \n② 둘째"), "{}", chunks[1].text);
    }

    #[test]
    fn headings_tables_and_pages_are_kept() {
        let chunks = blocks(vec![
            heading(1, "안내"),
            Block::Page(1),
            heading(2, "보수"),
            Block::Paragraph("앞".into()),
            Block::Table("| 가 | 나 |".into()),
            Block::Page(2),
            Block::Paragraph("뒤".into()),
        ]);
        let short: Vec<_> = chunks.iter().map(|c| (c.id.as_str(), c.text.as_str(), c.page)).collect();
        assert_eq!(
            short,
            [("d#보수", "앞", Some(1)), ("d#보수~2", "| 가 | 나 |", Some(1)), ("d#보수~3", "뒤", Some(2))]
        );
    }

    #[test]
    fn every_piece_knows_its_pages() {
        let page = |n: u32| {
            let lines = (0..12)
                .map(|line| format!("{n}쪽의 {line}번째 줄에는 이런 말이 길게 적혀 있다. 그리고 더 있다.\n"));
            [Block::Page(n), Block::Paragraph(lines.collect())]
        };
        let chunks = blocks((1..=6).flat_map(page).collect());
        assert!(chunks.len() > 2);
        for chunk in &chunks {
            assert!(!chunk.text.contains(NEW_PAGE));
            let mut at = 0;
            for line in chunk.text.lines().filter(|line| !line.trim().is_empty()) {
                // A piece may begin within a line.
                let begins = line.split_once('쪽').and_then(|(page, _)| page.trim().parse::<u32>().ok());
                let byte = chunk.text[at..].find(line).unwrap() + at;
                at = byte + line.len();
                if let Some(page) = begins {
                    assert_eq!(chunk.page_at(chunk.text[..byte].chars().count()), Some(page), "{line}");
                }
            }
        }
        assert!(chunks.iter().all(|chunk| chunk.pages().next() == chunk.page));
        assert_eq!(chunks.last().unwrap().pages().last(), Some(6));
    }

    #[test]
    fn a_changed_passage_keeps_its_id() {
        let of = |text: &str| blocks(vec![heading(2, "하나"), Block::Paragraph(text.into())]);
        assert_eq!(of("앞")[0].id, of("뒤")[0].id);
    }
}
