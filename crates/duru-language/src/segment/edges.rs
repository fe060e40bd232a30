//! What may begin at a place of a text: words of a lexicon, numbers, names, and words that nobody knows.

use super::{Edge, State, TokenKind};
use crate::hangul::{is_hangul, is_tail};
use crate::lexicon::{Class, Entry, Lexicon};
use crate::numeral;
use crate::scan::{self, Scanned};
use crate::sense::{Ask, Ending, Op, Particle, Sense, TimeWord};
use crate::text::Letter;

/// Everything that may begin at a place.
pub(super) fn outgoing(letters: &[Letter], at: usize, lexicons: &[&Lexicon], edges: &mut Vec<Edge>) {
    let first = edges.len();
    for lexicon in lexicons {
        known(letters, at, lexicon, lexicons, edges);
    }
    if !letters[at].first {
        return;
    }
    let measured = numeral::is_measured(letters, at, lexicons);
    let inner = if measured && scan::is_inside(letters, at) { scan::number(letters, at) } else { None };
    for Scanned { to, kind, cost } in scan::all(letters, at).into_iter().chain(inner) {
        let words = &letters[at..to];
        if kind == TokenKind::Name && (measured || numeral::is_spelled(words, lexicons)) {
            continue;
        }
        let number = matches!(kind, TokenKind::Number(_));
        let after = if number { State::Number } else { State::Foreign };
        edges.push(Edge {
            from: at,
            to,
            class: Class::Word,
            after,
            cost,
            kind,
            senses: Vec::new(),
            words: 1,
        });
    }
    edges.extend(numeral(letters, at, lexicons));
    if is_hangul(letters[at].it) {
        let end = scan::run(letters, at, is_hangul);
        let mut syllables = 0.0;
        for to in (at + 1..=end).filter(|to| *to == end || letters[*to].first) {
            syllables += 1.0;
            let single = if syllables == 1.0 { 1.5 } else { 0.0 };
            edges.push(unknown(at, to, 3.5 + 0.8 * syllables + single, State::Unknown));
        }
    } else if measured {
        // Its amounts and units are known.
    } else if letters[at].it.is_alphanumeric() {
        let end = scan::run(letters, at, |it| it.is_alphanumeric() && !is_hangul(it));
        edges.push(unknown(at, end, 3.2, State::Foreign));
    } else {
        let kind = TokenKind::Mark(letters[at].it);
        // A particle may follow what stands in brackets.
        let after =
            if matches!(letters[at].it, ')' | ']' | '"' | '\'') { State::Foreign } else { State::Begin };
        let cost = if edges.len() > first { 1.5 } else { 0.2 };
        edges.push(Edge { kind, ..unknown(at, at + 1, cost, after) });
    }
}

/// A number with Korean scales. In words it is one only before what it counts; with digits, 만 at its end is also a
/// particle, and needs something that is counted or compared behind it.
fn numeral(letters: &[Letter], at: usize, lexicons: &[&Lexicon]) -> Option<Edge> {
    let digits = letters[at].it.is_ascii_digit();
    if !digits && !is_hangul(letters[at].it) || digits && scan::is_inside(letters, at) {
        return None;
    }
    let number = numeral::korean(letters, at)?;
    let counted = |sense: Sense| matches!(sense, Sense::Unit(_) | Sense::Number(_));
    let follows = follows(letters, number.to, lexicons, counted)
        || digits
            && (!number.open
                || number.to == letters.len()
                || follows(letters, number.to, lexicons, is_comparison));
    follows.then_some(())?;
    // One syllable is more often another word: 이 건, 사건.
    let cost = match number.syllables {
        _ if digits => 1.0,
        1 => 2.4,
        _ => 1.2,
    };
    Some(Edge { kind: TokenKind::Number(number.value), ..unknown(at, number.to, cost, State::Number) })
}

fn unknown(from: usize, to: usize, cost: f32, after: State) -> Edge {
    Edge { from, to, class: Class::Word, after, cost, kind: TokenKind::Unknown, senses: Vec::new(), words: 1 }
}

/// The words of a lexicon that begin here.
fn known(letters: &[Letter], at: usize, lexicon: &Lexicon, all: &[&Lexicon], edges: &mut Vec<Edge>) {
    let latin = |it: char| it.is_alphanumeric() && !is_hangul(it);
    let after_letter =
        at > 0 && latin(letters[at].it) && letters[at - 1].it.is_alphabetic() && latin(letters[at - 1].it);
    if after_letter {
        return;
    }
    let after_digit = at > 0 && latin(letters[at].it) && letters[at - 1].it.is_ascii_digit();
    let mut place = lexicon.root();
    let mut to = at;
    let mut gaps = 0.0;
    while to < letters.len() {
        let it = letters[to].it;
        if to > at && (it == ' ' || matches!(it, '-' | '_')) {
            let Some(next) = letters.get(to + 1) else { break };
            if is_tail(next.it) {
                break;
            }
            if latin(letters[to - 1].it) && latin(next.it) {
                let Some(inner) = place.step(' ') else { break };
                place = inner;
            } else if it == ' ' {
                gaps += 0.15;
            } else {
                break;
            }
            to += 1;
            continue;
        }
        let Some(next) = place.step(it) else { break };
        place = next;
        to += 1;
        let follows = letters.get(to).map(|letter| letter.it);
        let glued = it.is_ascii_alphabetic() && follows.is_some_and(|it| it.is_ascii_digit());
        if latin(it) && follows.is_some_and(latin) && !(glued && may_be_glued(place.entries(), after_digit)) {
            continue;
        }
        // A part of a name: user of user_042.
        let inside = latin(it)
            && matches!(follows, Some('-' | '_' | '.' | '/' | '@'))
            && letters.get(to + 1).is_some_and(|letter| latin(letter.it));
        for entry in place.entries() {
            let whole = !matches!(entry.class, Class::Stem | Class::Infinitive);
            if whole && follows.is_some_and(is_tail) {
                continue;
            }
            let begins = letters[at].first
                || matches!(entry.class, Class::Ending | Class::LateEnding | Class::Particle);
            if !begins
                || after_digit && !matches!(entry.sense, Sense::Unit(_) | Sense::Time(_) | Sense::Number(_))
            {
                continue;
            }
            // 100 초과 is no number of seconds.
            if entry.class == Class::Counter && compares(letters, at, to, all) {
                continue;
            }
            if matches!(entry.sense, Sense::Number(_))
                && is_hangul(it)
                && is_determiner(letters, at, to)
                && !counts_something(letters, to, all)
            {
                continue;
            }
            let apart = if gaps > 0.0 && entry.class == Class::Word { torn(letters, at, to) } else { 0.0 };
            let part = match (inside, follows) {
                (true, Some('-')) => 0.3,
                (true, _) => 0.9,
                _ => 0.0,
            };
            // Of two ways that are as good, the one with the longer word.
            let longer = 0.005 * (to - at).min(40) as f32;
            let cost = cost(entry.class) + gaps - longer + apart + part;
            add(edges, at, to, *entry, cost, latin(it));
        }
    }
}

/// Words that a number may follow without a space: top3, last5, and the units of 2h30m.
fn may_be_glued(entries: &[Entry], after_digit: bool) -> bool {
    entries.iter().any(|entry| match entry.sense {
        Sense::Op(Op::Top | Op::Bottom | Op::Last) | Sense::Time(TimeWord::Recent) => true,
        Sense::Unit(_) => after_digit,
        _ => false,
    })
}

/// What it costs that a Korean word over a space begins and ends within others: the 제 로 of 그제 로그인.
fn torn(letters: &[Letter], at: usize, to: usize) -> f32 {
    let hangul = |place: Option<usize>| {
        place.and_then(|place| letters.get(place)).is_some_and(|letter| is_hangul(letter.it))
    };
    if hangul(at.checked_sub(1)) && hangul(Some(to)) { 3.0 } else { 0.0 }
}

fn cost(class: Class) -> f32 {
    match class {
        Class::Particle | Class::Ending | Class::LateEnding => 0.2,
        Class::Suffix => 0.6,
        Class::Counter => 0.1,
        _ => 1.0,
    }
}

fn add(edges: &mut Vec<Edge>, from: usize, to: usize, entry: Entry, cost: f32, latin: bool) {
    let after = match (entry.class, entry.sense) {
        (_, Sense::Number(_) | Sense::Ask(Ask::HowMany)) => State::Number,
        (Class::Word, _) if latin => State::Foreign,
        (Class::Word | Class::Suffix | Class::Counter, _) => State::Nominal,
        (Class::Particle, Sense::Particle(Particle::Polite)) => State::Polite,
        (Class::Particle, _) => State::Particle,
        (Class::Stem, _) => State::Stem,
        (Class::Infinitive, _) => State::Infinitive,
        (_, Sense::Ending(Ending::Past | Ending::Honorific | Ending::Future)) => State::Stem,
        _ => State::Closed,
    };
    let same = edges.iter_mut().rev().take_while(|edge| edge.from == from).find(|edge| {
        edge.to == to && edge.class == entry.class && edge.after == after && edge.kind == TokenKind::Word
    });
    match same {
        Some(edge) => {
            if !edge.senses.contains(&entry.sense) {
                edge.senses.push(entry.sense);
            }
        }
        None => edges.push(Edge {
            from,
            to,
            class: entry.class,
            after,
            cost,
            kind: TokenKind::Word,
            senses: vec![entry.sense],
            words: entry.words,
        }),
    }
}

/// Whether a longer word that compares begins here.
fn compares(letters: &[Letter], at: usize, to: usize, lexicons: &[&Lexicon]) -> bool {
    lexicons.iter().any(|lexicon| {
        let mut place = Some(lexicon.root());
        letters[at..].iter().enumerate().any(|(count, letter)| {
            place = place.and_then(|place| place.step(letter.it));
            let entries = place.map_or(&[][..], |place| place.entries());
            at + count + 1 > to
                && entries.iter().any(|entry| entry.class == Class::Word && is_comparison(entry.sense))
        })
    })
}

fn is_comparison(sense: Sense) -> bool {
    matches!(sense, Sense::Op(Op::More | Op::Less | Op::AtLeast | Op::AtMost | Op::About))
}

/// Numbers that only stand before what they count: 두, not 둘.
fn is_determiner(letters: &[Letter], from: usize, to: usize) -> bool {
    const ALL: [&str; 10] = ["한", "두", "세", "네", "석", "서", "넉", "열", "쉰", "스무"];
    ALL.iter()
        .any(|word| crate::hangul::jamo(word).chars().eq(letters[from..to].iter().map(|letter| letter.it)))
}

/// Whether a number in Korean words is followed by what it counts: 두 is a number in 두 시간 only.
fn counts_something(letters: &[Letter], at: usize, lexicons: &[&Lexicon]) -> bool {
    follows(letters, at, lexicons, |sense| matches!(sense, Sense::Unit(_) | Sense::Number(_)))
}

/// Whether a word with such a meaning follows, right here or after a space.
fn follows(letters: &[Letter], at: usize, lexicons: &[&Lexicon], is: impl Fn(Sense) -> bool) -> bool {
    let at = if letters.get(at).is_some_and(|letter| letter.it == ' ') { at + 1 } else { at };
    lexicons.iter().any(|lexicon| {
        let mut place = Some(lexicon.root());
        letters[at.min(letters.len())..].iter().any(|letter| {
            place = place.and_then(|place| place.step(letter.it));
            place.is_some_and(|place| place.entries().iter().any(|entry| is(entry.sense)))
        })
    })
}
