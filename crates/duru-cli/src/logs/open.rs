//! The log store that was named.

use std::sync::Arc;

use duru_sql::LogStore;
use duru_sql::postgres::PostgresLogs;

use super::problem::Problem;
use crate::store::Place;

/// The store to ask, from which a person may also learn how it is to ask.
pub(crate) async fn open_or_sample(
    place: Option<&str>,
    _output: &crate::output::Output,
) -> Result<Arc<dyn LogStore>, Problem> {
    open(place).await
}

/// Opens the store, and makes its tables if there are none.
pub(crate) async fn open(place: Option<&str>) -> Result<Arc<dyn LogStore>, Problem> {
    let place = place.ok_or(Problem::NoPlace)?;
    match Place::named(place.to_owned()) {
        Place::Url(url) => Ok(Arc::new(PostgresLogs::connect(&url).await.map_err(Problem::Store)?)),
        Place::File(_) => Err(Problem::NoPlace),
    }
}
