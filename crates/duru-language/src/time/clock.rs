//! Hours of a day: 새벽 2시, 10:30, 3 pm, afternoon.

use crate::segment::{Token, TokenKind};
use crate::sense::{Sense, TimeWord, Unit};

/// Minutes since midnight, half open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hours {
    pub(super) from: i64,
    pub(super) until: i64,
    /// One moment was said, not a stretch.
    pub(super) exact: bool,
    /// What was said of morning or afternoon, for the other end of a range.
    pub(super) half: Option<Half>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Morning,
    Afternoon,
}

/// The hours that begin at a token, and how many tokens they take. `half` is what an earlier time said: 오후 2시부터
/// 4시까지.
pub(super) fn read(tokens: &[Token], at: usize, half: Option<Half>) -> Option<(Hours, usize)> {
    let part = tokens.get(at).and_then(part_of_day);
    let start = if part.is_some() { at + 1 } else { at };
    let said = part.map(|(_, until)| if until > 12 { Half::Afternoon } else { Half::Morning });
    if let Some((minutes, count, own)) = moment(tokens, start) {
        let inherited = own.or(said).is_none();
        let half = own.or(said).or(half);
        // 오전 10시에서 12시: noon is not in the morning.
        let minutes =
            if inherited && half == Some(Half::Morning) { minutes } else { in_half(minutes, half, part) };
        let whole = minutes % 60 == 0 && !matches!(tokens[start].kind, TokenKind::Clock(..));
        let until = minutes + if whole { 60 } else { 1 };
        let hours = Hours { from: minutes, until, exact: true, half };
        return Some((hours, start + count - at));
    }
    let (from, until) = part?;
    let hours = Hours { from: i64::from(from) * 60, until: i64::from(until) * 60, exact: false, half: said };
    Some((hours, 1))
}

fn part_of_day(token: &Token) -> Option<(u8, u8)> {
    token.senses.iter().find_map(|sense| match sense {
        Sense::Time(TimeWord::Part(from, until)) => Some((*from, *until)),
        _ => None,
    })
}

fn in_half(minutes: i64, half: Option<Half>, part: Option<(u8, u8)>) -> i64 {
    // Noon and the hours before it belong to the middle of the day as they are: 낮 11시, 점심 12시.
    let midday = part.is_some_and(|(from, until)| from < 12 && until > 12) && minutes >= 540;
    match half {
        Some(Half::Afternoon) if minutes < 720 && !midday => minutes + 720,
        Some(Half::Morning) if (720..780).contains(&minutes) => minutes - 720,
        _ => minutes,
    }
}

/// A moment of the day, the tokens that it takes, and its am or pm.
fn moment(tokens: &[Token], at: usize) -> Option<(i64, usize, Option<Half>)> {
    let token = tokens.get(at)?;
    let time = |at: usize, word: TimeWord| tokens.get(at).is_some_and(|token| token.has(Sense::Time(word)));
    let half = |at: usize| match () {
        () if time(at, TimeWord::Am) => Some(Half::Morning),
        () if time(at, TimeWord::Pm) => Some(Half::Afternoon),
        () => None,
    };
    let counted = usize::from;
    match token.kind {
        TokenKind::Clock(hour, minute) => {
            let own = half(at + 1);
            Some((i64::from(hour) * 60 + i64::from(minute), 1 + counted(own.is_some()), own))
        }
        TokenKind::Number(hour) if (0.0..=24.0).contains(&hour) && hour.fract() == 0.0 => {
            let hour = hour as i64;
            if let Some(own) = half(at + 1) {
                return Some((hour * 60, 2, Some(own)));
            }
            let unit =
                |at: usize, unit: Unit| tokens.get(at).is_some_and(|token| token.has(Sense::Unit(unit)));
            // 2-4시: the unit is said once.
            let dash = tokens.get(at + 1).is_some_and(|token| token.is_mark('-') || token.is_mark('~'));
            if dash
                && matches!(tokens.get(at + 2).map(|token| &token.kind), Some(TokenKind::Number(_)))
                && unit(at + 3, Unit::OClock)
            {
                return Some((hour * 60, 1, None));
            }
            if !unit(at + 1, Unit::OClock) {
                return None;
            }
            match tokens.get(at + 2).map(|token| &token.kind) {
                Some(TokenKind::Number(minute))
                    if unit(at + 3, Unit::Minute) && tokens[at + 1].particles.is_empty() =>
                {
                    Some((hour * 60 + *minute as i64, 4, None))
                }
                _ if time(at + 2, TimeWord::Half) => Some((hour * 60 + 30, 3, None)),
                _ => Some((hour * 60, 2, None)),
            }
        }
        _ if time(at, TimeWord::Noon) => Some((720, 1, None)),
        _ if time(at, TimeWord::Midnight) => Some((0, 1, None)),
        _ => None,
    }
}
