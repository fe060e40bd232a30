//! A sentence as tokens: words with what they mean, their particles and endings, numbers, names, quoted texts.
//!
//! People write Korean with spaces or without, and a verb melts with its endings; so a sentence is not cut at its
//! spaces. Everything that a lexicon knows, and everything that looks like a number or a name, is an edge between two
//! places of the text, and the cheapest way from its beginning to its end is how it is read. What no edge covers is an
//! unknown word: dear, but never passed over.

mod edges;

use crate::hangul::is_hangul;
use crate::lexicon::{Class, Lexicon};
use crate::sense::{Ending, Particle, Sense};
use crate::text::{Letter, letters};

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// Its bytes in the sentence, without particles and endings.
    pub start: usize,
    pub end: usize,
    /// The end with particles and endings.
    pub full_end: usize,
    pub kind: TokenKind,
    /// All meanings of the word, if a lexicon knows it.
    pub senses: Vec<Sense>,
    pub particles: Vec<Particle>,
    pub endings: Vec<Ending>,
    /// Whether a space stands before it.
    pub spaced: bool,
    /// How many words of the sentence it covers.
    pub words: u8,
    /// Whether it is a Korean verb or adjective.
    pub verb: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TokenKind {
    Word,
    Number(f64),
    /// An identifier, a path, an address: 203.0.113.77, user_042.
    Name,
    /// What stands in quotation marks.
    Quoted,
    /// Year where it is said, month, day.
    Date(Option<i16>, u8, u8),
    YearMonth(i16, u8),
    /// Hour and minute.
    Clock(u8, u8),
    /// The 0.95 of p95.
    Percentile(f64),
    Mark(char),
    /// A word that no lexicon has.
    Unknown,
}

impl Token {
    /// The token's own words.
    pub fn text<'a>(&self, sentence: &'a str) -> &'a str {
        sentence.get(self.start..self.end).unwrap_or_default()
    }

    pub fn has(&self, sense: Sense) -> bool {
        self.senses.contains(&sense)
    }

    pub fn particle(&self, particle: Particle) -> bool {
        self.particles.contains(&particle)
    }

    pub fn ending(&self, ending: Ending) -> bool {
        self.endings.contains(&ending)
    }

    pub fn is_mark(&self, mark: char) -> bool {
        self.kind == TokenKind::Mark(mark)
    }
}

/// What came last on the way through a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Begin,
    Nominal,
    Number,
    Foreign,
    Stem,
    Infinitive,
    Closed,
    Particle,
    /// After 요, which no particle follows.
    Polite,
    Unknown,
}

const STATES: usize = 10;

#[derive(Debug, Clone)]
struct Edge {
    from: usize,
    to: usize,
    class: Class,
    after: State,
    cost: f32,
    kind: TokenKind,
    senses: Vec<Sense>,
    words: u8,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    cost: f32,
    edge: Option<usize>,
    /// Where this step came from.
    from: (usize, State),
}

/// Reads a sentence with these lexicons.
pub fn segment(sentence: &str, lexicons: &[&Lexicon]) -> Vec<Token> {
    let letters = letters(sentence);
    let count = letters.len();
    let mut best: Vec<[Option<Step>; STATES]> = vec![[None; STATES]; count + 1];
    best[0][State::Begin as usize] = Some(Step { cost: 0.0, edge: None, from: (0, State::Begin) });
    let mut edges: Vec<Edge> = Vec::new();
    for at in 0..count {
        if best[at].iter().all(Option::is_none) {
            continue;
        }
        if letters[at].it == ' ' {
            for state in 0..STATES {
                let Some(step) = best[at][state] else { continue };
                let cost = if state == State::Stem as usize { 3.0 } else { 0.0 };
                let state = ALL[state];
                relax(
                    &mut best,
                    at + 1,
                    state,
                    Step { cost: step.cost + cost, edge: None, from: (at, state) },
                );
            }
            continue;
        }
        let adjacent = at > 0 && letters[at - 1].it != ' ';
        let first = edges.len();
        edges::outgoing(&letters, at, lexicons, &mut edges);
        for (index, edge) in edges.iter().enumerate().skip(first) {
            for state in ALL {
                let Some(step) = best[at][state as usize] else { continue };
                let Some(cost) = joint(state, edge, adjacent, is_hangul(letters[at].it)) else { continue };
                let (to, after, total) = (edge.to, edge.after, step.cost + edge.cost + cost);
                relax(&mut best, to, after, Step { cost: total, edge: Some(index), from: (at, state) });
            }
        }
    }
    tokens(&letters, &edges, &best)
}

const ALL: [State; STATES] = [
    State::Begin,
    State::Nominal,
    State::Number,
    State::Foreign,
    State::Stem,
    State::Infinitive,
    State::Closed,
    State::Particle,
    State::Polite,
    State::Unknown,
];

fn relax(best: &mut [[Option<Step>; STATES]], at: usize, state: State, step: Step) {
    let place = &mut best[at][state as usize];
    if place.is_none_or(|known| step.cost < known.cost) {
        *place = Some(step);
    }
}

/// What it costs that an edge follows upon a state; nothing, if it can't.
fn joint(state: State, edge: &Edge, adjacent: bool, hangul: bool) -> Option<f32> {
    use State::{Begin, Closed, Foreign, Infinitive, Nominal, Number, Particle, Polite, Stem, Unknown};
    let cost = match (edge.class, state) {
        (Class::Ending, Stem) | (Class::LateEnding, Infinitive) if adjacent => 0.0,
        (Class::Ending | Class::LateEnding, _) | (_, Stem) => return None,
        (Class::Particle, Nominal | Foreign | Number | Unknown | Particle | Closed) if adjacent => 0.0,
        (Class::Particle, Foreign | Number) => 1.5,
        (Class::Particle, Nominal | Unknown | Closed) => 2.4,
        (Class::Particle, _) => return None,
        (Class::Counter, Number) => 0.0,
        (Class::Counter, _) => return None,
        (Class::Suffix, Nominal | Foreign | Number | Unknown) => {
            if adjacent {
                0.0
            } else {
                0.7
            }
        }
        (Class::Suffix, _) => return None,
        (_, Begin) => 0.0,
        _ if !adjacent => 0.0,
        // A known word within an unknown one is seldom meant.
        _ if edge.kind == TokenKind::Unknown && hangul => 1.9,
        (Class::Stem | Class::Infinitive, Infinitive | Closed) => 0.4,
        (Class::Word, Closed | Infinitive) => 0.9,
        (_, Particle | Polite) => 1.2,
        (_, Unknown) => 0.8,
        _ if hangul => 0.4,
        _ => 0.3,
    };
    Some(cost)
}

/// The cheapest way, from its end back.
fn tokens(letters: &[Letter], edges: &[Edge], best: &[[Option<Step>; STATES]]) -> Vec<Token> {
    let end = letters.len();
    let last = ALL.into_iter().filter_map(|state| best[end][state as usize].map(|step| (step.cost, state)));
    let penalty = |state: State| if state == State::Stem { 3.0 } else { 0.0 };
    let Some((_, mut state)) = last.min_by(|a, b| (a.0 + penalty(a.1)).total_cmp(&(b.0 + penalty(b.1))))
    else {
        return Vec::new();
    };
    let mut at = end;
    let mut path = Vec::new();
    while let Some(step) = best[at][state as usize] {
        path.extend(step.edge);
        if (at, state) == (0, State::Begin) {
            break;
        }
        (at, state) = step.from;
    }
    let mut tokens: Vec<Token> = Vec::new();
    for edge in path.into_iter().rev().map(|index| &edges[index]) {
        let (start, end) = (letters[edge.from].start, letters[edge.to - 1].end);
        if let (Some(last), Some(sense)) = (tokens.last_mut(), edge.senses.first()) {
            match sense {
                Sense::Particle(_) | Sense::Ending(_)
                    if matches!(edge.class, Class::Particle | Class::Ending | Class::LateEnding) =>
                {
                    for sense in &edge.senses {
                        match sense {
                            Sense::Particle(particle) => last.particles.push(*particle),
                            Sense::Ending(ending) => last.endings.push(*ending),
                            _ => {}
                        }
                    }
                    last.full_end = end;
                    continue;
                }
                _ => {}
            }
        }
        let spaced = edge.from == 0 || letters[edge.from - 1].it == ' ';
        tokens.push(Token {
            start,
            end,
            full_end: end,
            kind: edge.kind.clone(),
            senses: edge.senses.clone(),
            particles: Vec::new(),
            endings: Vec::new(),
            spaced,
            words: edge.words,
            verb: matches!(edge.class, Class::Stem | Class::Infinitive),
        });
    }
    tokens
}
