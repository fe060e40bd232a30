//! Words as data: what they mean, and where a text may have them.
//!
//! A lexicon file has a row for each word: surface, sense, domain, and an example whose reading a test checks. A Korean
//! surface that ends in 다 is a verb; English words also stand for their regular forms.

use std::collections::HashMap;

use crate::hangul::{is_hangul, jamo};
use crate::sense::Sense;
use crate::{english, verb};

/// How a word may stand beside others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Nouns, adverbs, and English words.
    Word,
    /// Attached to the noun before it: 별, 쪽.
    Suffix,
    Particle,
    /// A verb that still wants an ending: 느리.
    Stem,
    /// A verb that is whole, and may take more: 느려.
    Infinitive,
    /// After a stem.
    Ending,
    /// After an infinitive.
    LateEnding,
    /// After a number: 건, 시.
    Counter,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) class: Class,
    pub(crate) sense: Sense,
    /// How many words of the text it takes: rarer entries are longer.
    pub(crate) words: u8,
}

#[derive(Debug, Default)]
struct Node {
    next: HashMap<char, u32>,
    entries: Vec<Entry>,
}

/// A set of words that a text is searched for.
#[derive(Debug)]
pub struct Lexicon {
    nodes: Vec<Node>,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self { nodes: vec![Node::default()] }
    }
}

/// A row of a lexicon file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row<'a> {
    pub surface: &'a str,
    pub sense: &'a str,
    pub domain: &'a str,
    pub example: &'a str,
}

/// The rows of a lexicon file; comments begin with `#`.
pub fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or_default().trim();
        Row { surface: cell(), sense: cell(), domain: cell(), example: cell() }
    })
}

impl Lexicon {
    /// Adds the rows of a file whose words are all of this class; `None` lets surface and language decide.
    pub fn add_rows(&mut self, text: &str, class: Option<Class>) {
        for row in rows(text) {
            if let Some(sense) = Sense::named(row.sense) {
                self.add(row.surface, sense, class);
            }
        }
    }

    /// Adds a word. A Korean verb is given with 다.
    pub fn add(&mut self, surface: &str, sense: Sense, class: Option<Class>) {
        let words = u8::try_from(surface.split_whitespace().count()).unwrap_or(u8::MAX);
        let entry = |class| Entry { class, sense, words };
        // 하루마다 is no verb.
        let time = matches!(sense, Sense::Time(_));
        if class.is_none()
            && !time
            && let Some(stem) = surface.strip_suffix('다')
            && stem.chars().next_back().is_some_and(is_hangul)
        {
            let (before, last) = stem.rsplit_once(' ').map_or(("", stem), |(before, last)| (before, last));
            let forms = verb::forms(last);
            let before = jamo(&before.replace(' ', ""));
            for base in &forms.bases {
                self.insert(&format!("{before}{base}"), entry(Class::Stem));
            }
            for infinitive in &forms.infinitives {
                self.insert(&format!("{before}{infinitive}"), entry(Class::Infinitive));
            }
            return;
        }
        let class = class.unwrap_or(Class::Word);
        let inflected = class == Class::Word && !matches!(sense, Sense::Link(_) | Sense::Ask(_));
        match surface.rsplit_once(' ').map_or(("", surface), |(before, last)| (before, last)) {
            (before, last) if inflected && last.is_ascii() => {
                // What is named is a noun; what it does is another word.
                let noun = matches!(sense, Sense::Domain(_));
                for form in
                    english::forms(&last.to_lowercase()).into_iter().take(if noun { 2 } else { usize::MAX })
                {
                    self.insert(&key(&format!("{before} {form}")), entry(class));
                }
            }
            _ => self.insert(&key(surface), entry(class)),
        }
    }

    fn insert(&mut self, key: &str, entry: Entry) {
        let mut at = 0;
        for letter in key.chars() {
            let next = self.nodes.len() as u32;
            at = *self.nodes[at].next.entry(letter).or_insert(next) as usize;
            if at == next as usize {
                self.nodes.push(Node::default());
            }
        }
        let entries = &mut self.nodes[at].entries;
        if !entries.iter().any(|known| known.class == entry.class && known.sense == entry.sense) {
            entries.push(entry);
        }
    }

    pub(crate) fn root(&self) -> Place<'_> {
        Place { lexicon: self, node: 0 }
    }
}

/// A place within a lexicon: the words that begin like what was read.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    lexicon: &'a Lexicon,
    node: usize,
}

impl<'a> Place<'a> {
    pub(crate) fn step(self, letter: char) -> Option<Self> {
        let next = self.lexicon.nodes[self.node].next.get(&letter)?;
        Some(Self { node: *next as usize, ..self })
    }

    pub(crate) fn entries(self) -> &'a [Entry] {
        &self.lexicon.nodes[self.node].entries
    }
}

/// How a word is kept: taken apart, in small letters, with spaces only between Latin words.
fn key(surface: &str) -> String {
    let mut all = String::new();
    let mut gap = false;
    for letter in crate::text::narrow(surface).chars().flat_map(char::to_lowercase) {
        if letter.is_whitespace() || matches!(letter, '-' | '_') {
            gap = true;
            continue;
        }
        let latin = |one: char| !is_hangul(one);
        if gap && !all.is_empty() && latin(letter) && all.chars().next_back().is_some_and(latin) {
            all.push(' ');
        }
        gap = false;
        all.push_str(&jamo(letter.encode_utf8(&mut [0; 4])));
    }
    all
}
