//! What both databases keep, read and refuse alike.

use duru::store::{Error, Kind, Row, Status};
use duru::{InterruptId, Source, ThreadId};

/// A number for a comparison: beyond the range of both databases nothing is stored anyway.
pub(crate) fn bound(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(crate) fn corrupt(what: impl std::fmt::Display, reason: impl std::fmt::Display) -> Error {
    Error::Corrupt { what: what.to_string(), reason: reason.to_string() }
}

/// A thread's status, of the thing that `what` names.
pub(crate) fn status(word: &str, what: impl Fn() -> String) -> Result<Status, Error> {
    Status::from_word(word).ok_or_else(|| corrupt(what(), format_args!("there is no status {word:?}")))
}

/// A row's kind, of the thing that `what` names.
pub(crate) fn kind(code: i64, what: impl Fn() -> String) -> Result<Kind, Error> {
    let known = u8::try_from(code).ok().and_then(Kind::from_code);
    known.ok_or_else(|| corrupt(what(), format_args!("there is no kind {code}")))
}

/// What wrote a checkpoint, of the thing that `what` names.
pub(crate) fn source(code: Option<i64>, what: impl Fn() -> String) -> Result<Option<Source>, Error> {
    let known = |code: i64| u8::try_from(code).ok().and_then(Source::from_code);
    let unknown = |code| corrupt(what(), format_args!("there is no source {code}"));
    code.map(|code| known(code).ok_or_else(|| unknown(code))).transpose()
}

/// Whether only where runs begin and end is asked for: there is an index for that.
pub(crate) fn are_marks(kinds: &[Kind]) -> bool {
    !kinds.is_empty() && kinds.iter().all(|kind| matches!(kind, Kind::Begin | Kind::End))
}

/// A question's id as a number.
pub(crate) fn number_of(id: InterruptId) -> Result<u128, Error> {
    // Its text is its only public form.
    u128::from_str_radix(&id.to_string(), 16).map_err(|e| Error::backend("commit", e))
}

/// The question with this number.
pub(crate) fn interrupt(number: u128, thread: &ThreadId) -> Result<InterruptId, Error> {
    let text = format!("{number:032x}");
    text.parse().map_err(|e| corrupt(format_args!("a timer of thread {thread}"), e))
}

/// How many event numbers the rows take; none if there is a gap between them.
pub(crate) fn events(rows: &[Row]) -> Option<u64> {
    let Some(first) = rows.first() else { return Some(0) };
    let mut next = first.seq;
    for row in rows {
        if row.seq != next {
            return None;
        }
        next = next.checked_add(row.events.into())?;
    }
    Some(next - first.seq)
}
