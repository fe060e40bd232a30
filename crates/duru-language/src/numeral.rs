//! Numbers of several parts: 2만5천, 삼천오백, three thousand five hundred, one and a half.

use crate::lexicon::Lexicon;
use crate::scan::{self, decimal};
use crate::segment::{Token, TokenKind};
use crate::sense::{Link, Op, Sense, TimeWord, Unit};
use crate::text::Letter;

/// A number with Korean scales.
pub(crate) struct Numeral {
    pub(crate) to: usize,
    pub(crate) value: f64,
    pub(crate) syllables: usize,
    /// It ends in a word that has another meaning after digits: 5만 is also only five.
    pub(crate) open: bool,
}

/// One group of four digits, and the 만 or 억 that it counts.
struct Group {
    to: usize,
    value: f64,
    scale: Option<f64>,
    syllables: usize,
}

const DIGITS: [char; 9] = ['일', '이', '삼', '사', '오', '육', '칠', '팔', '구'];
const SMALL: [(char, f64); 3] = [('십', 10.0), ('백', 100.0), ('천', 1_000.0)];
const LARGE: [(char, f64); 3] = [('만', 1e4), ('억', 1e8), ('조', 1e12)];

/// The Korean number that begins here, in words or with digits: 이천오백, 2천5백, 1만 2천. Its groups may stand apart,
/// as long as each says how much it is.
pub(crate) fn korean(letters: &[Letter], at: usize) -> Option<Numeral> {
    let digits = letters[at].it.is_ascii_digit();
    let mut whole = Numeral { to: at, value: 0.0, syllables: 0, open: false };
    let (mut from, mut limit, mut apart) = (at, f64::INFINITY, false);
    loop {
        let group = group(letters, from, digits)?;
        let size = group.scale.unwrap_or(1.0);
        if group.to == from
            || size >= limit
            || group.value * size >= limit
            || apart && !says_size(&letters[from..group.to], &group)
        {
            break;
        }
        whole.value += group.value * size;
        whole.syllables += group.syllables;
        whole.to = group.to;
        let bare = digits && group.syllables == 1 && limit.is_infinite();
        whole.open = bare && group.scale.is_some_and(|scale| scale != 1e8);
        let Some(scale) = group.scale else { break };
        limit = scale;
        apart = letters.get(group.to).is_some_and(|letter| letter.it == ' ');
        from = group.to + usize::from(apart);
    }
    (whole.syllables > 0).then_some(whole)
}

/// Whether a group that stands apart goes on with the number before it: 1만 2천, 2만 3,500.
fn says_size(letters: &[Letter], group: &Group) -> bool {
    group.syllables > 0 || letters.iter().any(|letter| letter.it == ',')
}

/// The group that begins here, which may be empty. Two digits side by side are no number: 이일.
fn group(letters: &[Letter], at: usize, digits: bool) -> Option<Group> {
    let mut group = Group { to: at, value: 0.0, scale: None, syllables: 0 };
    let (mut digit, mut limit) = (None, f64::INFINITY);
    while group.to < letters.len() {
        if digit.is_none() && letters[group.to].it.is_ascii_digit() {
            let Some((value, to)) = decimal(letters, group.to) else { break };
            (digit, group.to) = (Some(value), to);
            continue;
        }
        let Some((it, to)) = syllable(letters, group.to) else { break };
        if let Some(place) = DIGITS.iter().position(|known| *known == it) {
            // After digits, 일 and 이 are other words, unless a scale follows.
            let scaled = syllable(letters, to).is_some_and(|(next, _)| !DIGITS.contains(&next));
            match digit {
                None if !digits || scaled => digit = Some(place as f64 + 1.0),
                Some(_) if !digits => return None,
                _ => break,
            }
        } else if let Some((_, unit)) = SMALL.iter().find(|(known, _)| *known == it) {
            if *unit >= limit {
                break;
            }
            group.value += digit.take().unwrap_or(1.0) * unit;
            limit = *unit;
        } else if let Some((_, scale)) = LARGE.iter().find(|(known, _)| *known == it) {
            let below = group.value + digit.take().unwrap_or(0.0);
            group.value = if below == 0.0 { 1.0 } else { below };
            group.scale = Some(*scale);
        }
        group.to = to;
        group.syllables += 1;
        if group.scale.is_some() {
            break;
        }
    }
    group.value += digit.unwrap_or(0.0);
    Some(group)
}

/// The syllable of a number at a place, and where it ends.
fn syllable(letters: &[Letter], at: usize) -> Option<(char, usize)> {
    letters.get(at).filter(|letter| letter.first)?;
    let to = (at + 1..=letters.len()).find(|to| letters.get(*to).is_none_or(|letter| letter.first))?;
    let all = DIGITS.iter().copied().chain(SMALL.iter().chain(&LARGE).map(|(it, _)| *it));
    all.into_iter().find(|it| is_syllable(letters, at, to, *it)).map(|it| (it, to))
}

fn is_syllable(letters: &[Letter], from: usize, to: usize, syllable: char) -> bool {
    let parts = crate::hangul::jamo(syllable.encode_utf8(&mut [0; 4]));
    parts.chars().eq(letters[from..to].iter().map(|letter| letter.it))
}

/// Whether letters are number words with hyphens between, and what they count: seventy-five, ninety-fifth, ten-day.
pub(crate) fn is_spelled(letters: &[Letter], lexicons: &[&Lexicon]) -> bool {
    let is = |word: &[Letter], of: fn(Sense) -> bool| {
        lexicons.iter().any(|lexicon| {
            let found = word.iter().try_fold(lexicon.root(), |place, letter| place.step(letter.it));
            found.is_some_and(|place| place.entries().iter().any(|entry| of(entry.sense)))
        })
    };
    let words: Vec<&[Letter]> = letters.split(|letter| letter.it == '-').collect();
    let Some((last, before)) = words.split_last() else { return false };
    let number = |sense: Sense| matches!(sense, Sense::Number(_));
    let counted = |sense: Sense| match sense {
        Sense::Unit(unit) => unit.seconds().is_some(),
        Sense::Ordinal(_) | Sense::Number(_) => true,
        _ => false,
    };
    before.iter().all(|word| is(word, number))
        && is(last, counted)
        && (!before.is_empty() || is(last, number))
}

/// Whether the letters and digits around a place are amounts with their units, without a space: 2h30m.
pub(crate) fn is_measured(letters: &[Letter], at: usize, lexicons: &[&Lexicon]) -> bool {
    let part = |it: char| it.is_ascii_alphanumeric();
    if !part(letters[at].it) {
        return false;
    }
    let from = letters[..at].iter().rposition(|letter| !part(letter.it)).map_or(0, |before| before + 1);
    let all = &letters[from..scan::run(letters, at, part)];
    if !all[0].it.is_ascii_digit() {
        return false;
    }
    let unit = |word: &[Letter]| {
        lexicons.iter().any(|lexicon| {
            let found = word.iter().try_fold(lexicon.root(), |place, letter| place.step(letter.it));
            found.is_some_and(|place| {
                place
                    .entries()
                    .iter()
                    .any(|entry| matches!(entry.sense, Sense::Unit(unit) if unit.seconds().is_some()))
            })
        })
    };
    let runs: Vec<&[Letter]> =
        all.chunk_by(|one, other| one.it.is_ascii_digit() == other.it.is_ascii_digit()).collect();
    runs.len() >= 4
        && runs.len().is_multiple_of(2)
        && runs.chunks(2).all(|pair| pair[0][0].it.is_ascii_digit() && unit(pair[1]))
}

/// A number that is being put together from words.
struct Sum {
    total: f64,
    /// Below the last scale.
    section: f64,
    scale: f64,
    in_words: bool,
}

impl Sum {
    fn new(value: f64, in_words: bool) -> Self {
        let mut sum = Self { total: 0.0, section: value, scale: f64::INFINITY, in_words };
        if is_scale(value) && in_words {
            (sum.total, sum.section, sum.scale) = (value, 0.0, value);
        }
        sum
    }

    /// Takes one more word; whether it belongs here.
    fn push(&mut self, value: f64) -> bool {
        let section = self.section;
        if is_scale(value) {
            if section <= 0.0 || section >= value || value >= self.scale {
                return false;
            }
            self.total += section * value;
            (self.section, self.scale) = (0.0, value);
        } else if value == 100.0 && section > 0.0 && section < 100.0 {
            self.section *= 100.0;
        } else if value == 12.0 && section > 0.0 && section < 10.0 {
            // Two dozen.
            self.section *= 12.0;
        } else {
            let room = if value < 10.0 { 10.0 } else { 100.0 };
            let begun = section > 0.0 || self.total > 0.0;
            if value >= 1_000.0 || !self.in_words || !begun || section % room != 0.0 || value >= self.scale {
                return false;
            }
            // Five hundred, after three thousand, begins with five.
            self.section += value;
        }
        self.in_words = true;
        true
    }

    fn value(&self) -> f64 {
        self.total + self.section
    }
}

fn is_scale(value: f64) -> bool {
    [1e3, 1e4, 1e6, 1e8, 1e9, 1e12].contains(&value)
}

/// A number in words; digits are no words.
fn number_word(token: &Token) -> Option<f64> {
    token.senses.iter().find_map(|sense| match sense {
        Sense::Number(value) => Some(*value),
        _ => None,
    })
}

/// Half a million, a quarter of a million, two thirds of a million: a part of a scale.
fn part_of_scale(tokens: &[Token]) -> Option<(f64, usize)> {
    let is = |at: usize, sense: Sense| tokens.get(at).is_some_and(|token| token.has(sense));
    let article = |at: usize| usize::from(is(at, Sense::Link(Link::Article)));
    let (count, part) = match number_word(tokens.first()?) {
        Some(count) => (count, 1),
        None => (1.0, article(0)),
    };
    let parts = tokens.get(part)?.senses.iter().find_map(|sense| match sense {
        Sense::Op(Op::Half) => Some(2.0),
        Sense::Unit(Unit::Quarter) => Some(4.0),
        Sense::Ordinal(parts) if *parts > 2 => Some(f64::from(*parts)),
        _ => None,
    })?;
    let of = part + 1 + usize::from(is(part + 1, Sense::Link(Link::Of)));
    let scale = of + article(of);
    let value = number_word(tokens.get(scale)?).filter(|value| *value >= 12.0)?;
    // The third million is one of several.
    let place = tokens[part].senses.iter().any(|sense| matches!(sense, Sense::Ordinal(_)));
    let joined = !place || scale > part + 1;
    (joined && count < parts).then_some((count / parts * value, scale + 1))
}

/// The place that these tokens begin with, and how many of them are it, where a part of many or a day is named so: the
/// ninety-fifth percentile, the first of March.
pub(crate) fn ordinal(tokens: &[Token]) -> Option<(f64, usize)> {
    let place = |at: usize| {
        tokens.get(at)?.senses.iter().find_map(|sense| match sense {
            Sense::Ordinal(place) => Some(f64::from(*place)),
            _ => None,
        })
    };
    let hyphen = usize::from(tokens.get(1).is_some_and(|token| token.is_mark('-') && !token.spaced));
    let tens = number_word(tokens.first()?).filter(|tens| (20.0..100.0).contains(tens) && tens % 10.0 == 0.0);
    let (value, end) = match (place(0), tens, place(1 + hyphen).filter(|place| *place < 10.0)) {
        (Some(value), ..) => (value, 1),
        (None, Some(tens), Some(ones)) => (tens + ones, 2 + hyphen),
        _ => return None,
    };
    let month = |sense: &Sense| matches!(sense, Sense::Time(TimeWord::MonthName(_) | TimeWord::Month(_)));
    let day = tokens.get(end)?.has(Sense::Link(Link::Of))
        && tokens.get(end + 1).is_some_and(|token| token.senses.iter().any(month));
    let part = [Op::Percentile, Op::Quartile].iter().any(|op| tokens[end].has(Sense::Op(*op)));
    (day || part).then_some((value, end))
}

/// The number that these tokens begin with, and how many of them are it.
pub(crate) fn in_words(tokens: &[Token]) -> Option<(f64, usize)> {
    let first = tokens.first()?;
    let is = |at: usize, sense: Sense| tokens.get(at).is_some_and(|token| token.has(sense));
    let article = |at: usize| usize::from(is(at, Sense::Link(Link::Article)));
    if let Some(part) = part_of_scale(tokens) {
        return Some(part);
    }
    let word = number_word(first);
    let digits = match first.kind {
        TokenKind::Number(value) => Some(value),
        _ => None,
    };
    let mut sum = Sum::new(word.or(digits)?, word.is_some());
    let mut end = 1;
    while let Some(next) = tokens.get(end).filter(|_| tokens[end - 1].particles.is_empty()) {
        let hyphen = next.is_mark('-') && !next.spaced && sum.in_words;
        let and = next.has(Sense::Link(Link::And)) && sum.in_words && sum.value() >= 100.0;
        let at = end + usize::from(hyphen || and);
        let Some(token) = tokens.get(at) else { break };
        // 10만: digits before 만, written as one.
        let scale = match token.kind {
            TokenKind::Number(value) if !token.spaced && [1e4, 1e8].contains(&value) => Some(value),
            _ => None,
        };
        let Some(value) = number_word(token).or(scale).filter(|value| !and || *value < 100.0) else { break };
        if hyphen && token.spaced || !sum.push(value) {
            break;
        }
        end = at + 1;
    }
    // Two and a half million; half of what has a unit belongs to the unit.
    if is(end, Sense::Link(Link::And)) && article(end + 1) == 1 && is(end + 2, Sense::Op(Op::Half)) {
        sum.section += 0.5;
        end += 3;
        if let Some(scale) = tokens.get(end).and_then(number_word).filter(|scale| is_scale(*scale))
            && sum.push(scale)
        {
            end += 1;
        }
    }
    Some((sum.value(), end))
}
