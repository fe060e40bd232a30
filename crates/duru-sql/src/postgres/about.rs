//! A description of a database for its operator.

use std::time::Duration;

use super::{connection, failure};
use crate::store::Error;

const PATIENCE: Duration = Duration::from_secs(5);

/// A server and our role on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// As it calls itself, such as `15.4`.
    pub version: String,
    /// The first number of that.
    pub major: u32,
    /// The role that we have.
    pub role: String,
    /// Whether the role may do everything.
    pub is_superuser: bool,
    /// The server's clock, in milliseconds since 1970.
    pub now_ms: i64,
}

/// Asks a database what it is.
///
/// # Errors
/// If it can't be reached.
pub async fn about(url: &str) -> Result<About, Error> {
    let lease = connection::single(connection::parse(url)?, PATIENCE).await?;
    let sql = "SELECT current_setting('server_version'), current_setting('server_version_num')::int8 / 10000, \
               current_user::text, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user), \
               (extract(epoch FROM clock_timestamp()) * 1000)::int8";
    let row = lease.client().query_one(sql, &[]).await.map_err(|e| failure::of(&e))?;
    let about = || -> Result<About, tokio_postgres::Error> {
        Ok(About {
            version: row.try_get(0)?,
            major: u32::try_from(row.try_get::<_, i64>(1)?).unwrap_or(0),
            role: row.try_get(2)?,
            is_superuser: row.try_get::<_, Option<bool>>(3)?.unwrap_or(false),
            now_ms: row.try_get(4)?,
        })
    };
    about().map_err(|e| failure::of(&e))
}
