//! Ids of lines: every number belongs to one ingester at most, so that no two lines have the same.

use std::sync::Arc;

use bytes::Bytes;
use duru_sql::{BucketTrouble, Error, Fault};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::remote::{Bucket, Tag};
use crate::disk::{with_sum, without_sum};

pub(super) const NAME: &str = "ids.json";
/// So many are taken at a time.
const BLOCK: i64 = 1 << 20;
const ATTEMPTS: usize = 64;
/// Lines bring along lower ones; those above are for lines that bring none.
const HIGHEST: i64 = 1 << 62;

/// Whom numbers belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Given {
    /// From here on nobody has any.
    pub(super) next: i64,
    pub(super) ranges: Vec<Range>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Range {
    pub(super) from: i64,
    /// The first that is not in it.
    pub(super) to: i64,
    pub(super) by: String,
}

impl Given {
    fn new() -> Self {
        Self { next: 1, ranges: Vec::new() }
    }

    /// All below a number are one ingester's.
    pub(super) fn all_to(by: &str, next: i64) -> Self {
        let mut given = Self::new();
        if next > given.next {
            given.give(by, next);
        }
        given
    }

    /// All that are left below a number.
    fn give(&mut self, by: &str, to: i64) {
        match self.ranges.last_mut() {
            Some(last) if last.by == by => last.to = to,
            _ => self.ranges.push(Range { from: self.next, to, by: by.to_owned() }),
        }
        self.next = to;
    }

    fn of(&self, by: &str) -> Vec<(i64, i64)> {
        self.ranges.iter().filter(|range| range.by == by).map(|range| (range.from, range.to)).collect()
    }
}

/// The numbers of one ingester.
pub(super) struct Ids {
    bucket: Arc<Bucket>,
    ingester: String,
    own: Mutex<Own>,
}

#[derive(Debug)]
struct Own {
    ranges: Vec<(i64, i64)>,
    /// Lower ones may be in use.
    next: i64,
}

impl Own {
    /// So many of those that are left, or none.
    fn take(&mut self, count: usize) -> Option<Vec<i64>> {
        let left = || {
            self.ranges.iter().map(|(from, to)| (*from).max(self.next)..*to).filter(|left| !left.is_empty())
        };
        let ids: Vec<i64> = left().flatten().take(count).collect();
        if ids.len() < count {
            return None;
        }
        self.next = ids.last().map_or(self.next, |last| last + 1);
        Some(ids)
    }
}

impl Ids {
    /// No id from `next` on is in use by this ingester.
    pub(super) async fn open(bucket: Arc<Bucket>, ingester: &str, next: i64) -> Result<Self, Error> {
        let given = read(&bucket).await?.map(|(given, _)| given);
        if given.is_none() && next > 1 {
            return Err(bucket.error(BucketTrouble::Emptied, NAME));
        }
        let ranges = given.map(|given| given.of(ingester)).unwrap_or_default();
        Ok(Self { bucket, ingester: ingester.to_owned(), own: Mutex::new(Own { ranges, next }) })
    }

    /// New ones.
    pub(super) async fn take(&self, count: usize) -> Result<Vec<i64>, Error> {
        let mut own = self.own.lock().await;
        if let Some(ids) = own.take(count) {
            return Ok(ids);
        }
        let more = BLOCK.max(i64::try_from(count).unwrap_or(i64::MAX));
        own.ranges = self.give(|given| Some(given.next.saturating_add(more))).await?;
        own.take(count).ok_or_else(|| self.bucket.error(BucketTrouble::Other, "no ids are left"))
    }

    /// Those that lines bring along: they must be this ingester's, or nobody's yet. From which on none was in use.
    pub(super) async fn claim(&self, ids: &[i64]) -> Result<i64, Error> {
        let mut own = self.own.lock().await;
        let unused = own.next;
        let (Some(lowest), Some(highest)) = (ids.iter().min(), ids.iter().max()) else { return Ok(unused) };
        // Nobody uses up all that there are with a single line.
        if *lowest < 1 || *highest >= HIGHEST {
            return Err(Error::Query { fault: Fault::OutOfRange });
        }
        let mine = |own: &Own, id: i64| own.ranges.iter().any(|(from, to)| *from <= id && id < *to);
        if !ids.iter().all(|id| mine(&own, *id)) {
            let to = highest.saturating_add(1);
            own.ranges = self.give(|given| (given.next < to).then_some(to)).await?;
        }
        if !ids.iter().all(|id| mine(&own, *id)) {
            return Err(Error::Query { fault: Fault::OthersId });
        }
        // Those in between can still be brought along, but none is given out that may have been.
        own.next = own.next.max(highest.saturating_add(1));
        Ok(unused)
    }

    /// Takes all up to the number that is said, unless none is. What this ingester has then.
    async fn give(&self, to: impl Fn(&Given) -> Option<i64>) -> Result<Vec<(i64, i64)>, Error> {
        for _ in 0..ATTEMPTS {
            let (mut given, tag) = match read(&self.bucket).await? {
                Some((given, tag)) => (given, Some(tag)),
                None => (Given::new(), None),
            };
            let Some(to) = to(&given) else { return Ok(given.of(&self.ingester)) };
            given.give(&self.ingester, to);
            let text = with_sum(&given)?;
            if self.bucket.replace(NAME, Bytes::from(text), tag.as_ref()).await?.is_some() {
                return Ok(given.of(&self.ingester));
            }
        }
        Err(self.bucket.error(BucketTrouble::Busy, "others take ids all the time"))
    }
}

pub(super) async fn read(bucket: &Bucket) -> Result<Option<(Given, Tag)>, Error> {
    let Some((bytes, tag)) = bucket.get(NAME).await? else { return Ok(None) };
    let body = std::str::from_utf8(&bytes).ok().and_then(without_sum);
    let given = body.and_then(|body| serde_json::from_str(body).ok());
    let given = given.ok_or_else(|| bucket.error(BucketTrouble::Damaged, NAME))?;
    Ok(Some((given, tag)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_once_and_those_beside_each_other_are_one_range() {
        let mut given = Given::new();
        given.give("a", 11);
        given.give("a", 21);
        given.give("b", 31);
        given.give("a", 41);
        assert_eq!(given.of("a"), [(1, 21), (31, 41)]);
        assert_eq!((given.of("b"), given.next), (vec![(21, 31)], 41));
        let mut own = Own { ranges: given.of("a"), next: 19 };
        assert_eq!(own.take(4), Some(vec![19, 20, 31, 32]));
        assert_eq!(own.take(9), None);
        assert_eq!(own.take(8).map(|ids| (ids[0], ids[7])), Some((33, 40)));
        assert_eq!(own.take(1), None);
    }
}
