//! Saying, judging and taking back.

use super::{Remark, RemarksOf, Standing, Verdict, fingerprint, id};
use crate::index::{self, Index, Write};

/// The longest remark, in characters.
pub const LONGEST: usize = 2_000;
/// How many remarks somebody may have at once.
pub const PER_AUTHOR: usize = 500;
/// How many remarks a passage may have.
pub const PER_PASSAGE: usize = 50;

/// Why a remark was not kept or found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("there is no such passage")]
    UnknownPassage,
    #[error("there is no such remark, or it says something else by now")]
    UnknownRemark,
    #[error("a note must say something")]
    Empty,
    #[error("a remark has at most {LONGEST} characters")]
    TooLong,
    #[error("nobody may have more than {PER_AUTHOR} remarks; take some of yours back first")]
    TooManyOfAuthor,
    #[error("a passage may have {PER_PASSAGE} remarks, and has so many")]
    TooManyOnPassage,
    #[error(transparent)]
    Index(#[from] index::Error),
}

/// What somebody has to say.
#[derive(Debug, Clone)]
pub struct NewRemark<'a> {
    pub verdict: Verdict,
    pub text: &'a str,
    pub author: &'a str,
    pub at_ms: u64,
}

/// Keeps a remark on a passage, in the place of what its author said about it before. It counts for them alone.
///
/// # Errors
/// If there is no such passage, if it says too much, or if there are too many.
pub async fn say(index: &dyn Index, passage: &str, new: NewRemark<'_>) -> Result<Remark, Error> {
    let text = new.text.trim();
    if text.is_empty() && new.verdict == Verdict::Note {
        return Err(Error::Empty);
    }
    if text.chars().count() > LONGEST {
        return Err(Error::TooLong);
    }
    let found = index.chunks(&[passage.to_owned()]).await?;
    let chunk = found.into_iter().next().ok_or(Error::UnknownPassage)?;
    let id = id(&chunk.collection, &chunk.id, new.author);
    let others = |remarks: Vec<Remark>| remarks.iter().filter(|known| known.id != id).count();
    if others(index.remarks(&RemarksOf::Author(new.author.to_owned())).await?) >= PER_AUTHOR {
        return Err(Error::TooManyOfAuthor);
    }
    if others(index.remarks(&RemarksOf::Passage(chunk.id.clone())).await?) >= PER_PASSAGE {
        return Err(Error::TooManyOnPassage);
    }
    let remark = Remark {
        about: fingerprint(&chunk.text),
        id,
        collection: chunk.collection,
        chunk: chunk.id,
        verdict: new.verdict,
        text: text.to_owned(),
        author: new.author.to_owned(),
        at_ms: new.at_ms,
        // Whatever was accepted before, this was not.
        standing: Standing::Pending,
    };
    index.apply(vec![Write::Say(remark.clone())]).await?;
    Ok(remark)
}

/// The remark with this id.
///
/// # Errors
/// If there is none.
pub async fn find(index: &dyn Index, id: &str) -> Result<Remark, Error> {
    let found = index.remarks(&RemarksOf::Id(id.to_owned())).await?;
    found.into_iter().next().ok_or(Error::UnknownRemark)
}

/// Accepts a remark for everybody, or takes that back. What is judged is what was read: if its author says something
/// else meanwhile, nothing happens.
///
/// # Errors
/// If there is no such remark, or no longer.
pub async fn accept_or_decline(
    index: &dyn Index,
    remark: &Remark,
    standing: Standing,
) -> Result<Remark, Error> {
    let judge = Write::Judge { id: remark.id.clone(), at_ms: remark.at_ms, standing: standing.clone() };
    index.apply(vec![judge]).await?;
    let now = find(index, &remark.id).await?;
    if now.at_ms == remark.at_ms && now.standing == standing { Ok(now) } else { Err(Error::UnknownRemark) }
}

/// Takes a remark back for good.
///
/// # Errors
/// If there is none.
pub async fn withdraw(index: &dyn Index, id: &str) -> Result<Remark, Error> {
    let remark = find(index, id).await?;
    index.apply(vec![Write::Withdraw { id: id.to_owned() }]).await?;
    Ok(remark)
}
