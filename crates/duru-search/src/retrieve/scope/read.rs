//! The spans of a question that say where to look.

use std::ops::{Range, RangeInclusive};
use std::path::Path;

use super::names::words;
use super::words::{Kind, Used, forms, is, kind_of};
use crate::read;

/// So many words a name has at most.
const LONGEST: usize = 5;

/// What a question says of where to look, before it is known what there is.
#[derive(Debug, Clone, Default)]
pub struct Spoken {
    pub(super) question: String,
    pub(super) mentions: Vec<Mention>,
    pub(super) categories: Vec<Category>,
    pub(super) pages: Option<RangeInclusive<u32>>,
    pub(super) entity: Option<String>,
    /// Words that said so and are no part of the question.
    pub(super) said: Vec<Range<usize>>,
}

#[derive(Debug, Clone)]
pub(super) struct Category {
    pub(super) name: String,
    pub(super) span: Range<usize>,
}

/// A document that may be named.
#[derive(Debug, Clone)]
pub(super) struct Mention {
    /// How much of it may be the name, the longest first.
    pub(super) ways: Vec<Way>,
    pub(super) ends: usize,
    pub(super) year: Option<u16>,
    /// What it is called where it is not there.
    pub(super) name: String,
    /// Is it worth saying that it is not there?
    pub(super) told: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) name: String,
    pub(super) words: Vec<String>,
    /// The words before its kind.
    pub(super) before: Vec<String>,
    pub(super) kind: Option<&'static Kind>,
    pub(super) begins: usize,
}

/// A word, and where it stands; its core is without punctuation.
pub(super) struct Token<'a> {
    pub(super) core: &'a str,
    pub(super) begins: usize,
    pub(super) core_ends: usize,
    pub(super) ends: usize,
}

impl Spoken {
    pub fn of(question: &str) -> Self {
        let tokens = tokens(question);
        let mut spoken = Self { question: question.to_owned(), ..Self::default() };
        spoken.read_pages(&tokens);
        spoken.entity = entity(question);
        for at in 0..tokens.len() {
            if let Some((stem, ends)) = korean_name(&tokens, at) {
                spoken.read_korean(&tokens, at, (stem, ends));
            } else {
                spoken.mentions.extend(english(&tokens, at));
            }
        }
        spoken
    }

    /// Does it name documents, so that one must know which there are?
    pub fn names_documents(&self) -> bool {
        !self.mentions.is_empty() || !self.categories.is_empty()
    }

    /// Does it say anything of where to look?
    pub fn is_empty(&self) -> bool {
        !self.names_documents() && self.pages.is_none() && self.entity.is_none()
    }

    pub fn pages(&self) -> Option<RangeInclusive<u32>> {
        self.pages.clone()
    }

    /// 3쪽, 3-5쪽, page 3, pages 3-5.
    fn read_pages(&mut self, tokens: &[Token<'_>]) {
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| &tokens[at]);
            let found = if let Some((range, rest)) = number_range(token.core) {
                let next = tokens.get(at + 1);
                if is_page(rest) {
                    Some((range, token.begins, token.ends))
                } else if rest.is_empty() && next.is_some_and(|next| is_page(next.core)) {
                    next.map(|next| (range, token.begins, next.ends))
                } else if let Some(word) =
                    before.filter(|word| ["page", "pages"].contains(&word.core.to_lowercase().as_str()))
                {
                    let on = at.checked_sub(2).map(|at| &tokens[at]);
                    let on = on.filter(|on| ["on", "at"].contains(&on.core.to_lowercase().as_str()));
                    let ends = if rest.is_empty() { token.keeping_end() } else { token.ends };
                    Some((range, on.map_or(word.begins, |on| on.begins), ends))
                } else {
                    None
                }
            } else {
                None
            };
            if let Some((range, begins, ends)) = found {
                self.pages = Some(range);
                self.said.push(begins..ends);
                return;
            }
        }
    }

    fn read_korean(&mut self, tokens: &[Token<'_>], at: usize, (stem, ends): (&str, usize)) {
        let begins = tokens[at].begins;
        let previous = at.checked_sub(1).map(|at| &tokens[at]);
        if is("category", stem) {
            if let Some(name) = previous.filter(|name| !is("deictic", name.core)) {
                self.categories.push(Category { name: bare(name.core).to_owned(), span: name.begins..ends });
            }
            return;
        }
        if let Some((name, begins)) = quoted(&self.question, tokens[at].begins + stem.len(), stem) {
            let way = Way { words: words(&name), before: Vec::new(), kind: None, begins, name: name.clone() };
            self.mentions.push(Mention { ways: vec![way], ends, year: None, name, told: true });
            return;
        }
        if let Some(year) = previous.and_then(|token| year(token.core)).filter(|_| is("edition", stem)) {
            let mut ways = named(tokens, at - 1, None);
            ways.push(Way {
                name: String::new(),
                words: Vec::new(),
                before: Vec::new(),
                kind: None,
                begins: tokens[at - 1].begins,
            });
            self.mentions.push(Mention { ways, ends, year: Some(year), name: year.to_string(), told: true });
            return;
        }
        if is("generic", stem) {
            let ways = named(tokens, at, None);
            self.mentions.push(Mention { name: String::new(), ways, ends, year: None, told: false });
            return;
        }
        if read::Kind::of(Path::new(stem)).is_some() && stem.contains('.') {
            let way =
                Way { name: stem.to_owned(), words: words(stem), before: Vec::new(), kind: None, begins };
            self.mentions.push(Mention {
                ways: vec![way],
                ends,
                year: None,
                name: stem.to_owned(),
                told: true,
            });
            return;
        }
        let Some(kind) = kind_of(stem).filter(|kind| !kind.word.is_ascii()) else { return };
        let plain = previous.filter(|word| word.ends == word.core_ends && is_plain(word.core));
        let alone = stem == kind.word;
        let told = match kind.used {
            Used::Bare => true,
            Used::Named => !alone || plain.is_some(),
            Used::Quiet => false,
        };
        let name = match plain.filter(|_| alone) {
            Some(before) => format!("{} {stem}", before.core),
            None => stem.to_owned(),
        };
        let year = previous.and_then(|token| year(token.core));
        let mut ways = named(tokens, at + 1, Some((stem, kind)));
        if alone && plain.is_some() {
            // 복지 편람 is not any 편람.
            ways.retain(|way| way.name != kind.word);
        }
        self.mentions.push(Mention { ways, ends, year, name, told });
    }
}

impl Token<'_> {
    /// Where it ends, without what ends the sentence.
    fn keeping_end(&self) -> usize {
        self.core_ends.max(self.ends - usize::from(self.ends > self.core_ends))
    }
}

/// Names that end before a token, the longest first. If their last word has a kind, it stands without its ending.
fn named(tokens: &[Token<'_>], end: usize, last: Option<(&str, &'static Kind)>) -> Vec<Way> {
    let mut ways = Vec::new();
    for begin in end.saturating_sub(LONGEST)..end {
        let mut parts: Vec<&str> = tokens[begin..end].iter().map(|token| bare(token.core)).collect();
        let kind = match last {
            Some((stem, kind)) => {
                parts.pop();
                parts.push(stem);
                Some(kind)
            }
            None => parts.last().and_then(|last| kind_of(last)),
        };
        // A year is told apart.
        parts.retain(|part| year(part).is_none());
        let name = parts.join(" ");
        let alone = kind.is_some_and(|kind| kind.used != Used::Bare && name == kind.word);
        let points = parts.first().is_some_and(|first| is("deictic", first));
        if name.chars().count() < 2 || alone || points {
            continue;
        }
        let mut before: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        if let (Some(kind), Some(last)) = (kind, before.pop()) {
            let rest = last.strip_suffix(kind.word).unwrap_or_default();
            before.extend((!rest.is_empty()).then(|| rest.to_owned()));
        }
        ways.push(Way { words: words(&name), name, before, kind, begins: tokens[begin].begins });
    }
    ways
}

/// A name with what says in Korean that it is a place to look in, and where that ends.
fn korean_name<'a>(tokens: &[Token<'a>], at: usize) -> Option<(&'a str, usize)> {
    let token = &tokens[at];
    let next = tokens.get(at + 1);
    let stem = |suffix: &str| token.core.strip_suffix(suffix).filter(|stem| !stem.is_empty());
    if let Some(stem) = forms("behind").find_map(stem) {
        return Some((stem, token.ends));
    }
    if let (Some(stem), Some(next)) = (stem("에"), next.filter(|next| is("reported", next.core))) {
        return Some((stem, next.ends));
    }
    if let Some(stem) = stem("만") {
        if let Some(next) = next.filter(|next| is("alone", next.core)) {
            return Some((stem, next.ends));
        }
        if is("edition", stem) || next.is_none() {
            return Some((stem, token.ends));
        }
    }
    let paged = next.is_some_and(|next| number_range(next.core).is_some_and(|(_, rest)| is_page(rest)));
    let stem = token.core.strip_suffix('의').unwrap_or(token.core);
    (paged && !stem.is_empty() && !stem.is_ascii()).then_some((stem, token.ends))
}

/// in the student handbook, according to the manual; what the handbook says.
fn english(tokens: &[Token<'_>], at: usize) -> Option<Mention> {
    let lower = |at: usize| tokens.get(at).map(|token| token.core.to_lowercase()).unwrap_or_default();
    let cue = lower(at);
    let before = at.checked_sub(1).map(lower).unwrap_or_default();
    let in_place = is("before", &cue);
    let is_subject = is("article", &cue) && !is("before", &before);
    if !in_place && !is_subject {
        return None;
    }
    let mut begins = tokens[at].begins;
    match cue.as_str() {
        "to" if before == "according" => begins = tokens[at - 1].begins,
        "of" if number_range(&before).is_some() => {}
        "to" | "of" => return None,
        _ if before == "only" => begins = tokens[at - 1].begins,
        _ => {}
    }
    let mut first = at + usize::from(in_place);
    let with_article = is("article", &lower(first));
    first += usize::from(with_article);
    let mut parts: Vec<String> = Vec::new();
    let mut found_year = None;
    for (place, token) in tokens.iter().enumerate().skip(first).take(LONGEST + 1) {
        let word = token.core.to_lowercase();
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(&word).to_owned();
        if is("before", &word) || is("article", &word) {
            return None;
        }
        let kind = kind_of(&word).filter(|kind| kind.word.is_ascii());
        let (generic, edition) = (is("generic", &word), is("edition", &word) && found_year.is_some());
        if kind.is_some() || generic || edition {
            let says = is("says", &lower(place + 1));
            let alone = parts.is_empty() && found_year.is_none();
            let used = kind.map(|kind| kind.used);
            if alone && !(with_article && used == Some(Used::Bare)) || !in_place && !says {
                return None;
            }
            let before = parts.clone();
            parts.extend(kind.map(|kind| kind.word.to_owned()));
            let name = parts.join(" ");
            let told = in_place && cue != "of" && (edition || matches!(used, Some(Used::Bare | Used::Named)));
            let shown = match (name.is_empty(), found_year) {
                (true, Some(year)) => u16::to_string(&year),
                _ => name.clone(),
            };
            let way = Way { words: words(&name), name, before, kind, begins };
            let ends = if token.ends > token.core_ends && place + 1 == tokens.len() {
                token.core_ends
            } else {
                token.ends
            };
            return Some(Mention { ways: vec![way], ends, year: found_year, name: shown, told });
        }
        if token.ends > token.core_ends {
            return None;
        }
        match year(&word) {
            Some(year) => found_year = Some(year),
            None => parts.push(word),
        }
    }
    None
}

/// “한빛”에 대해서만, only about "Acme".
fn entity(question: &str) -> Option<String> {
    let behind = forms("about").filter_map(|form| {
        let before = question[..question.find(form)?].trim_end();
        let name = quoted(question, before.len(), before).map(|(name, _)| name);
        name.or_else(|| before.split_whitespace().next_back().map(|word| bare(word).to_owned()))
    });
    let ahead = || {
        let rest = question.split_once("only about ")?.1;
        let inside = rest.strip_prefix(OPENING)?;
        Some(inside[..inside.find(CLOSING)?].to_owned())
    };
    behind.chain(ahead()).find(|name| name.chars().count() > 1)
}

const OPENING: [char; 6] = ['「', '『', '“', '‘', '"', '\''];
const CLOSING: [char; 6] = ['」', '』', '”', '’', '"', '\''];

/// What stands in quotes that end here, if the text before does, and where they open.
fn quoted(question: &str, ends: usize, before: &str) -> Option<(String, usize)> {
    let close = before.chars().next_back()?;
    let open = OPENING[CLOSING.iter().position(|known| *known == close)?];
    let inside_ends = ends.checked_sub(close.len_utf8())?;
    let opens = question.get(..inside_ends)?.rfind(open)?;
    let inside = question.get(opens + open.len_utf8()..inside_ends)?.trim();
    (inside.chars().count() > 1).then(|| (inside.to_owned(), opens))
}

pub(super) fn tokens(question: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for word in question.split_whitespace() {
        // A part of the text itself, so that its place is known.
        let begins = word.as_ptr() as usize - question.as_ptr() as usize;
        let core = word.trim_end_matches([',', '.', '?', '!', ':', ';', ')']);
        tokens.push(Token { core, begins, core_ends: begins + core.len(), ends: begins + word.len() });
    }
    tokens
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| OPENING.contains(&c) || CLOSING.contains(&c))
}

/// A noun before another: it has no particle and points at nothing.
fn is_plain(word: &str) -> bool {
    crate::text::without_particle(word) == word
        && !is("deictic", word)
        && year(word).is_none()
        && !word.is_empty()
}

/// 2023, 2023년.
fn year(word: &str) -> Option<u16> {
    let digits = word.strip_suffix('년').or_else(|| word.strip_suffix("년도")).unwrap_or(word);
    let year = digits.parse().ok().filter(|year| (1900..2100).contains(year))?;
    (digits.len() == 4).then_some(year)
}

/// A number or two, and what stands behind them.
fn number_range(word: &str) -> Option<(RangeInclusive<u32>, &str)> {
    let (first, rest) = number(word)?;
    match rest.strip_prefix(['-', '~', '–']).and_then(number) {
        Some((last, rest)) if last >= first => Some((first..=last, rest)),
        _ => Some((first..=first, rest)),
    }
}

fn number(word: &str) -> Option<(u32, &str)> {
    let length = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    (1..=4).contains(&length).then(|| Some((word[..length].parse().ok()?, &word[length..])))?
}

fn is_page(word: &str) -> bool {
    word.starts_with('쪽') || word.starts_with("페이지")
}

/// The question without these spans; as it is if nothing else is left.
pub(super) fn without(question: &str, mut spans: Vec<Range<usize>>) -> String {
    if spans.is_empty() {
        return question.to_owned();
    }
    spans.sort_by_key(|span| span.start);
    let (mut rest, mut at) = (String::new(), 0);
    for span in spans {
        rest.push_str(question.get(at..span.start.max(at)).unwrap_or_default());
        at = at.max(span.end);
    }
    rest.push_str(question.get(at..).unwrap_or_default());
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    let rest = rest.replace(" ?", "?").replace(" .", ".").replace(" ,", ",");
    let rest = rest.trim_start_matches([',', '.', '?', ' ']);
    if rest.chars().filter(|c| c.is_alphabetic()).count() < 2 { question.to_owned() } else { rest.to_owned() }
}
