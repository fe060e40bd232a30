//! The lines that everything is measured on, and the stores that hold them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use duru_logs::{BucketAddress, BucketLogs, EmbeddedLogs, Options};
use duru_sql::generate::{Generator, Plan};
use duru_sql::guard::{Clock, Guard};
use duru_sql::postgres::PostgresLogs;
use duru_sql::{Asking, Catalog, Limits, LogStore};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio_util::sync::CancellationToken;

pub(crate) const ZONE: &str = "Asia/Seoul";

/// Where all lines end, so that "today" is the same in both stores and in every run.
const NOW: &str = "2026-03-18T14:30:00+09:00";

pub(crate) fn lines(rows: u64) -> Result<Generator> {
    let now: Timestamp = NOW.parse().context("the end of the lines")?;
    Ok(Generator::new(Plan { rows, seed: 11, now, days: 30 }))
}

pub(crate) fn guard() -> Result<Guard> {
    let clock = Clock::new(NOW.parse().context("the end of the lines")?, TimeZone::get(ZONE)?);
    Ok(Guard::new(Catalog::logs()).with_clock(clock))
}

pub(crate) fn asking() -> Asking {
    let limits = Limits { time: Duration::from_secs(300), ..Limits::default() };
    Asking { timezone: ZONE.to_owned(), limits, cancel: CancellationToken::new(), who: None }
}

/// A folder, a bucket, or a database by its URL.
pub(crate) async fn open(place: &str) -> Result<Arc<dyn LogStore>> {
    if place.starts_with("s3://") {
        let address: BucketAddress = place.parse().map_err(|e| anyhow::anyhow!("{e}"))?;
        return Ok(Arc::new(BucketLogs::open(&address, Options::default()).await?));
    }
    Ok(match place.starts_with("postgres") {
        true => Arc::new(PostgresLogs::connect(place).await?),
        false => Arc::new(EmbeddedLogs::open(Path::new(place), Options::default()).await?),
    })
}
