//! Threads on their way out of the database.

use duru::ThreadId;
use duru::store::Error;
use tokio_postgres::types::Type;

use super::failure::Failure;
use super::lane::Call;
use super::read::Tables;

/// A thread to be removed with everything of it. Gives whether there was one;
/// or, if the answer was lost on the way and there is none any more, that it is
/// gone.
pub(super) struct Remove(pub(super) ThreadId);

impl Call for Remove {
    const ACTION: &'static str = "delete a thread";
    type Answer = bool;
    type About = ThreadId;

    fn about(&self) -> ThreadId {
        self.0.clone()
    }

    async fn send(tables: &Tables, group: &[Self]) -> Result<Vec<Result<bool, Error>>, Failure> {
        let sql = format!("SELECT {}.remove_threads($1)", tables.schema);
        let names: Vec<&str> = group.iter().map(|Self(thread)| thread.as_str()).collect();
        let (rows, before) = tables.readers.ask(&sql, &[(&names, Type::TEXT_ARRAY)]).await?;
        let there: Vec<&str> = rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or_default();
        Ok(names.iter().map(|name| Ok(before || there.contains(name))).collect())
    }
}
