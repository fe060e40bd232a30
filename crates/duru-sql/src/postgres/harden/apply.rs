//! Hardening a database, in one transaction.

use std::time::Duration;

use super::script::script;
use crate::Catalog;
use crate::postgres::{connection, failure};
use crate::store::Error;

pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Runs the [`script`].
///
/// # Errors
/// If the database can't be reached, or this user owns too little to do even the needed part; then
/// nothing was changed.
pub async fn apply(url: &str, catalog: &Catalog, role: &str) -> Result<(), Error> {
    let lease = connection::single(connection::parse(url)?, CONNECT_TIMEOUT).await?;
    // The connection is closed in any case, which takes back what was not committed.
    lease.client().batch_execute(&script(catalog, role)).await.map_err(|e| failure::of(&e))
}
