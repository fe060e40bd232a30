//! The words of a domain: what a question may name of its tables.

use std::collections::{HashMap, HashSet};

use duru_language::{Lexicon, Sense, words};
use duru_sql::domain::{Domain, DomainColumn, DomainTable, spelled};

use crate::analyst::frame::{Column, Compare, Filter, Test};

/// Something of the domain that a word stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mention {
    Table(String),
    Column(Column),
    Value(Column, String),
    /// A word that several values of a column have, or one of several words of a value.
    Part(Column, String, Vec<String>),
    Condition(Vec<Filter>),
    /// An adjective that speaks of a column, and whether more of it is meant: hot, cold.
    Attribute(Column, bool),
    /// A share that has a name, or any figure: its name and expression.
    Rate(Vec<Filter>),
    Named(String, String),
}

/// The lexicon of a domain.
#[derive(Debug)]
pub struct Linked {
    pub(super) lexicon: Lexicon,
    pub(super) mentions: Vec<Mention>,
    shapes: Vec<(String, Column)>,
    /// Columns that tell rows apart.
    identities: Vec<Column>,
    pub(super) known_texts: Vec<super::known_texts::KnownText>,
    pub(super) meant: Vec<super::meanings::Meant>,
    /// The words that every question about these tables may have.
    pub(super) general: &'static Lexicon,
}

/// Words at whose edge no phrase begins or ends.
const SMALL: &[&str] =
    &["for", "of", "to", "in", "on", "by", "at", "the", "a", "an", "and", "or", "is", "was", "not", "did"];

/// A column with more values than this has no parts of them as words: they would be anything.
const MOST_FOR_PARTS: usize = 60;

impl Linked {
    pub fn new(domain: &Domain) -> Self {
        let mut linked = Self {
            lexicon: Lexicon::default(),
            mentions: Vec::new(),
            shapes: Vec::new(),
            identities: Vec::new(),
            known_texts: Vec::new(),
            meant: Vec::new(),
            general: if domain.tables.iter().any(|table| table.identify.is_some()) {
                words::general()
            } else {
                words::of_things()
            },
        };
        linked.identities = domain
            .tables
            .iter()
            .filter_map(|table| Some(Column::new(&table.name, table.identify.as_ref()?)))
            .collect();
        for table in &domain.tables {
            for noun in &table.nouns {
                linked.add(noun, Mention::Table(table.name.clone()));
            }
            for column in &table.columns {
                linked.column(table, column);
            }
            for condition in &table.conditions {
                let filters = named_condition(&table.name, condition);
                condition.words.iter().for_each(|word| linked.add(word, Mention::Condition(filters.clone())));
            }
            for measure in &table.measures {
                let mention = match (&measure.share, &measure.expression) {
                    (Some(share), _) => Mention::Rate(named_condition(&table.name, share)),
                    (None, Some(expression)) => Mention::Named(measure.name.clone(), expression.clone()),
                    (None, None) => continue,
                };
                measure.words.iter().for_each(|word| linked.add(word, mention.clone()));
            }
        }
        linked
    }

    fn add(&mut self, surface: &str, mention: Mention) {
        // One syllable is found in too many words, but for what rows are told apart by: 웹.
        let short = matches!(&mention, Mention::Part(column, ..) if self.identities.contains(column));
        let sense = self.add_plain(surface, mention);
        for korean in in_korean(surface).into_iter().filter(|way| short || way.chars().count() > 1) {
            self.lexicon.add(&korean, sense, Some(duru_language::Class::Word));
        }
    }

    /// Adjectives and verbs take their own endings.
    fn lexicon_add(&mut self, surface: &str, mention: Mention) {
        let sense = self.sense(mention);
        self.lexicon.add(surface, sense, None);
    }

    fn add_plain(&mut self, surface: &str, mention: Mention) -> Sense {
        let sense = self.sense(mention);
        self.lexicon.add(surface, sense, Some(duru_language::Class::Word));
        sense
    }

    fn sense(&mut self, mention: Mention) -> Sense {
        let place = match self.mentions.iter().position(|known| *known == mention) {
            Some(place) => place,
            None => {
                self.mentions.push(mention);
                self.mentions.len() - 1
            }
        };
        Sense::Domain(u32::try_from(place).unwrap_or(u32::MAX))
    }

    fn column(&mut self, table: &DomainTable, column: &DomainColumn) {
        let it = Column::new(&table.name, &column.name);
        for noun in &column.nouns {
            self.add(noun, Mention::Column(it.clone()));
            for short in shorter(noun, table) {
                self.add(&short, Mention::Column(it.clone()));
            }
        }
        if column.is_number() && !column.code {
            for noun in words::counted(&column.nouns) {
                self.add_plain(noun, Mention::Column(it.clone()));
            }
            for (adjective, more) in words::attributes(&column.nouns) {
                self.lexicon_add(adjective, Mention::Attribute(it.clone(), more));
            }
        }
        let is_name = table.identify.is_none()
            && column.name.strip_suffix("_name").is_some_and(|noun| table.name == noun);
        let mut parts: HashMap<String, Vec<String>> = HashMap::new();
        let mut whole: HashSet<String> = HashSet::new();
        for known in &column.values {
            let value = &known.value;
            if value.parse::<f64>().is_ok()
                || matches!(value.as_str(), "true" | "false")
                || value.chars().count() < 2
            {
                continue;
            }
            let mention = Mention::Value(it.clone(), value.clone());
            let spelled = spelled(value);
            let surfaces = if column.quiet { vec![value] } else { vec![&spelled, value] };
            let last = value
                .strip_prefix('/')
                .and_then(|path| path.rsplit('/').find(|part| !part.contains('{')))
                .map(duru_sql::domain::spelled)
                .filter(|part| part.len() > 2);
            for word in surfaces.into_iter().chain(&known.words).chain(&last) {
                whole.insert(word.clone());
                self.add(word, mention.clone());
            }
            // The Mississippi river is the river Mississippi, whatever else has that name.
            if is_name && value.split(' ').count() <= 2 {
                for noun in table.nouns.iter().filter(|noun| noun.is_ascii() && !noun.contains(' ')) {
                    self.add_plain(&format!("the {spelled} {noun}"), mention.clone());
                }
            }
            let words: Vec<&str> = spelled.split([' ', '/']).filter(|word| !word.is_empty()).collect();
            if words.len() > 1
                && !column.quiet
                && column.values.len() <= MOST_FOR_PARTS
                && !value.contains('/')
            {
                let test = Test::OneOf(vec![value.clone()]);
                self.meant.extend(super::meanings::Meant::new(&it, test, &spelled));
            }
            let telling: Vec<&str> =
                words.iter().copied().filter(|word| !words::glossary().is_generic(word)).collect();
            if telling.len() < words.len() && !telling.is_empty() {
                parts.entry(telling.join(" ")).or_default().push(value.clone());
            }
            // A generic word tells something only of what rows are told apart by: "the api".
            let identity = table.identify.as_ref() == Some(&column.name);
            for word in words.iter().filter(|word| {
                is_telling(word) && !SMALL.contains(word) && (identity || !words::glossary().is_generic(word))
            }) {
                parts.entry((*word).to_owned()).or_default().push(value.clone());
            }
            self.shapes.extend(shape(value).map(|shape| (shape, it.clone())));
        }
        for sample in &column.samples {
            self.shapes
                .extend(shape(sample).filter(|_| !sample.contains(' ')).map(|shape| (shape, it.clone())));
        }
        if table.text.as_ref() == Some(&column.name) {
            self.texts(&it, &column.samples);
            self.known_texts.extend(
                column.samples.iter().filter_map(|text| super::known_texts::KnownText::new(&it, text)),
            );
            self.details(&it, &column.samples);
            for text in &column.samples {
                let plain = text.split([':', '(']).next().unwrap_or_default().trim();
                let known =
                    self.meant.iter().any(|known| known.test == Test::Contains(vec![plain.to_owned()]));
                let test = Test::Contains(vec![plain.to_owned()]);
                self.meant.extend(super::meanings::Meant::new(&it, test, plain).filter(|_| !known));
            }
        }
        if column.values.len() <= MOST_FOR_PARTS {
            for (word, values) in parts.into_iter().filter(|(word, _)| !whole.contains(word)) {
                let mut values = values;
                values.dedup();
                self.add(&word.clone(), Mention::Part(it.clone(), word, values));
            }
        }
        self.shapes.dedup();
    }

    /// What texts tell after a colon names them as well: "Authentication failed: invalid password".
    fn details(&mut self, column: &Column, texts: &[String]) {
        for text in texts {
            let whole = text.split('(').next().unwrap_or_default().trim();
            let Some((_, detail)) = whole.split_once(": ") else { continue };
            let known = self.meant.iter().any(|known| known.test == Test::Contains(vec![whole.to_owned()]));
            if known || !whole.chars().all(|letter| letter.is_alphabetic() || matches!(letter, ' ' | ':')) {
                continue;
            }
            let test = Test::Contains(vec![whole.to_owned()]);
            self.meant.extend(super::meanings::Meant::new(column, test, detail));
        }
    }

    /// The words of frequent texts, one to three at a time: a question may search for them.
    fn texts(&mut self, column: &Column, texts: &[String]) {
        let mut phrases: HashMap<String, Vec<String>> = HashMap::new();
        for text in texts {
            let words: Vec<&str> = text
                .split_whitespace()
                .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
                .filter(|word| !word.is_empty())
                .collect();
            for count in 1..=3 {
                for run in words.windows(count) {
                    let letters =
                        run.iter().all(|word| word.chars().all(char::is_alphabetic) && word.len() > 1);
                    let phrase = run.join(" ");
                    let small = |word: &&str| word.len() < 4 && SMALL.contains(&word.to_lowercase().as_str());
                    if small(&run[0]) || small(&run[count - 1]) {
                        continue;
                    }
                    let telling = count > 1
                        || phrase.len() > 3 && !words::glossary().is_generic(&phrase.to_lowercase());
                    if letters && telling && text.contains(&phrase) {
                        phrases.entry(phrase).or_default().push(text.clone());
                    }
                }
            }
        }
        for (phrase, texts) in phrases {
            let mention = Mention::Part(column.clone(), phrase.clone(), texts);
            // One word of a text has no Korean name: it would be found everywhere.
            if phrase.contains(' ') {
                self.add(&phrase.to_lowercase(), mention);
            } else {
                self.add_plain(&phrase.to_lowercase(), mention);
            }
        }
    }

    /// The value that is written just so.
    pub(super) fn exact(&self, text: &str) -> Option<(Column, String)> {
        self.mentions.iter().find_map(|mention| match mention {
            Mention::Value(column, value) if value.eq_ignore_ascii_case(text) => {
                Some((column.clone(), value.clone()))
            }
            _ => None,
        })
    }

    /// Columns whose values look like this: user_042 is written as user_007 is.
    pub(super) fn shaped(&self, name: &str) -> Vec<Column> {
        let Some(wanted) = shape(name) else { return Vec::new() };
        let mut all: Vec<Column> = self
            .shapes
            .iter()
            .filter(|(shape, _)| *shape == wanted)
            .map(|(_, column)| column.clone())
            .collect();
        all.sort();
        all.dedup();
        all
    }
}

/// Letters as they are up to the first digit, then what kind each run is: `user_9`, `v9.9.9`. A long run of hexadecimal
/// digits is one of its own.
fn shape(value: &str) -> Option<String> {
    if !value.chars().any(|letter| letter.is_ascii_digit()) {
        return None;
    }
    let plain = value.to_ascii_lowercase();
    if plain.len() >= 16 && plain.chars().all(|letter| letter.is_ascii_hexdigit()) {
        return Some(format!("hex{}", plain.len()));
    }
    if let Some((head, tail)) = plain.split_once('_')
        && tail.len() >= 4
        && tail.chars().all(|letter| letter.is_ascii_alphanumeric())
        && tail.chars().any(|letter| letter.is_ascii_alphabetic())
    {
        return Some(format!("{head}_*"));
    }
    let mut shape = String::new();
    for letter in plain.chars() {
        let kind = if letter.is_ascii_digit() { '9' } else { letter };
        if kind != '9' || !shape.ends_with('9') {
            shape.push(kind);
        }
    }
    Some(shape)
}

/// A column's noun without what its table already says, and without "name": the altitude of a mountain, a vendor.
fn shorter(noun: &str, table: &DomainTable) -> Vec<String> {
    if table.time.is_some() && table.identify.is_some() {
        return Vec::new();
    }
    let own = |word: &&str| {
        let lemmas = duru_language::english::lemmas(word);
        table
            .nouns
            .iter()
            .any(|noun| lemmas.iter().any(|lemma| duru_language::english::lemmas(noun).contains(lemma)))
    };
    let words: Vec<&str> = noun.split(' ').collect();
    let mut all = Vec::new();
    if let [first, rest @ ..] = words.as_slice()
        && !rest.is_empty()
        && own(first)
        && rest != ["id"]
    {
        all.push(rest.join(" "));
    }
    // The number of citations is what a column of that name has.
    if let [first @ .., "num" | "count" | "cnt"] = words.as_slice()
        && let [one] = first
        && !own(one)
    {
        all.push((*one).to_owned());
    }
    if let [first, last] = words.as_slice()
        && !own(first)
    {
        all.push(format!("{last} of {first}"));
    }
    if let [first @ .., "name"] = words.as_slice()
        && let [one] = first
        && !own(one)
    {
        all.push((*one).to_owned());
    }
    all
}

/// Two letters are too few for a word, unless one is a digit: 2a.
fn is_telling(word: &str) -> bool {
    word.len() > 2
        || word.len() == 2
            && word.bytes().any(|byte| byte.is_ascii_digit())
            && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// What Koreans call a name of up to three English words, in a few ways.
fn in_korean(surface: &str) -> Vec<String> {
    let words: Vec<&str> = surface.split([' ', '/']).filter(|word| !word.is_empty()).collect();
    if words.is_empty() || words.len() > 3 || !surface.is_ascii() {
        return Vec::new();
    }
    let mut all = vec![String::new()];
    for word in words {
        let korean = words::glossary().korean(word);
        let ways: Vec<&str> = korean.iter().copied().chain([word]).collect();
        all = all
            .iter()
            .flat_map(|before| ways.iter().map(move |way| format!("{before} {way}").trim().to_owned()))
            .take(24)
            .collect();
    }
    let plain = surface.replace('/', " ");
    all.retain(|way| *way != plain);
    all
}

fn named_condition(table: &str, condition: &duru_sql::domain::NamedCondition) -> Vec<Filter> {
    let column = Column::new(table, &condition.column);
    let mut filters = Vec::new();
    let mut add = |test: Test| filters.push(Filter::new(column.clone(), test));
    if !condition.is.is_empty() {
        add(Test::OneOf(condition.is.clone()));
    }
    if let Some(least) = condition.at_least {
        add(Test::Number(Compare::AtLeast, least));
    }
    if let Some(below) = condition.below {
        add(Test::Number(Compare::Less, below));
    }
    if !condition.contains.is_empty() {
        add(Test::Contains(condition.contains.clone()));
    }
    filters
}
