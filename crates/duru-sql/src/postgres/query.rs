//! Running a query: read-only, in the asker's time zone, within limits.

use std::time::{Duration, Instant};

use duru_postgres::{Lease, Pool};
use futures_util::TryStreamExt as _;
use serde_json::Value;
use tokio_postgres::Client;
use tokio_postgres::types::{Kind as TypeKind, Type};

use super::names::{literal, quoted};
use super::{catalog, connection, failure};
use crate::answer::{Answer, Cap, Column};
use crate::store::{Asking, Error, Limits};
use crate::{Fault, Kind};

/// A query may wait so long for a lock.
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// How much later than the server we give a query up ourselves.
const GRACE: Duration = Duration::from_secs(1);

/// Runs queries.
pub(super) struct Runner {
    /// Describes what queries give, which takes the catalogs that the reader may not see.
    pub(super) describes: std::sync::Arc<Pool>,
    pub(super) reads: std::sync::Arc<Pool>,
    /// Whom to become first.
    pub(super) role: Option<String>,
    pub(super) most_cost: u64,
}

/// A column of the result and how its values travel.
struct Wire {
    column: Column,
    /// As themselves, not as JSON.
    is_text: bool,
}

impl Runner {
    pub(super) async fn run(&self, sql: &str, asking: &Asking) -> Result<Answer, Error> {
        let started = Instant::now();
        let limits = asking.limits;
        let begin = begin(asking, self.role.as_deref())?;
        let late = tokio::time::sleep(limits.time + GRACE);
        tokio::pin!(late);
        let describing = self.describe(sql);
        let wires = tokio::select! {
            wires = describing => wires?,
            () = asking.cancel.cancelled() => return Err(Error::Cancelled),
            () = &mut late => return Err(Error::TimedOut { limit: limits.time }),
        };
        let wrapped = wrap(sql, &wires, limits);
        let lease = tokio::select! {
            lease = connection::lease(&self.reads) => lease?,
            () = asking.cancel.cancelled() => return Err(Error::Cancelled),
            () = &mut late => return Err(Error::TimedOut { limit: limits.time }),
        };
        let working = async {
            self.begin(lease.client(), &begin).await?;
            self.gate(lease.client(), &wrapped, limits.time).await?;
            fetch(lease.client(), &wrapped, &wires, limits).await
        };
        let done = tokio::select! {
            done = working => done,
            () = asking.cancel.cancelled() => Err(Error::Cancelled),
            () = &mut late => Err(Error::TimedOut { limit: limits.time }),
        };
        let (rows, cut) = self.end(lease, done).await?;
        let columns = wires.into_iter().map(|wire| wire.column).collect();
        Ok(Answer { columns, rows, cut, took: started.elapsed() })
    }

    /// What the query gives. Parsing it alone, before it is wrapped, also makes
    /// sure that it is one whole statement.
    async fn describe(&self, sql: &str) -> Result<Vec<Wire>, Error> {
        let lease = connection::lease(&self.describes).await?;
        // A type that is used for the first time makes the driver ask what it is.
        let statement = lease.client().prepare(sql).await;
        let wires = match statement {
            Ok(statement) if !statement.params().is_empty() => {
                Err(Error::Query { fault: Fault::Unsupported })
            }
            Ok(statement) => Ok(statement.columns().iter().map(Wire::of).collect()),
            Err(error) if failure::is_lost(&error) => return Err(failure::of(&error)),
            Err(error) => Err(failure::of(&error)),
        };
        lease.give_back();
        wires
    }

    async fn begin(&self, client: &Client, begin: &str) -> Result<(), Error> {
        client.batch_execute(begin).await.map_err(|e| failure::of(&e))
    }

    /// Refuses what would cost too much. Nothing is run for that.
    async fn gate(&self, client: &Client, wrapped: &str, limit: Duration) -> Result<(), Error> {
        let plan = client.query(&format!("EXPLAIN {wrapped}"), &[]).await;
        let plan = plan.map_err(|e| failure::of_query(&e, limit))?;
        let first: &str = plan.first().map_or(Ok(""), |row| row.try_get(0)).map_err(|e| failure::of(&e))?;
        let estimate = estimate(first).unwrap_or(u64::MAX);
        if estimate > self.most_cost {
            return Err(Error::TooCostly { estimate, limit: self.most_cost });
        }
        Ok(())
    }

    /// Gives the connection back if it is at rest, and ends what it does if not.
    async fn end(&self, lease: Lease, done: Result<Fetched, Error>) -> Result<Rows, Error> {
        match done {
            Ok(Fetched { rows, cut: Some(Cap::Bytes) }) => {
                self.reads.cancel(&lease).await;
                Ok((rows, Some(Cap::Bytes)))
            }
            Ok(Fetched { rows, cut }) => {
                if lease.client().batch_execute("ROLLBACK").await.is_ok() {
                    lease.give_back();
                }
                Ok((rows, cut))
            }
            Err(error @ (Error::Cancelled | Error::TimedOut { .. })) => {
                self.reads.cancel(&lease).await;
                Err(error)
            }
            Err(error) => {
                if lease.client().batch_execute("ROLLBACK").await.is_ok() {
                    lease.give_back();
                }
                Err(error)
            }
        }
    }
}

type Rows = (Vec<Vec<Value>>, Option<Cap>);

struct Fetched {
    rows: Vec<Vec<Value>>,
    cut: Option<Cap>,
}

impl Wire {
    fn of(column: &tokio_postgres::Column) -> Self {
        let kind = kind_of(column.type_());
        let is_text = matches!(kind, Kind::Text);
        Self { column: Column { name: column.name().to_owned(), kind }, is_text }
    }

    /// As it travels: cut where it is made, so that a huge value never leaves the server.
    fn expression(&self, index: usize, limits: Limits) -> String {
        let most = limits.value_bytes.min(i32::MAX as usize - 1) + 1;
        if self.is_text {
            format!("left(q.c{index}::text, {most})")
        } else {
            format!("left(to_json(q.c{index})::text, {most})")
        }
    }

    fn value(&self, text: &str, limits: Limits) -> Value {
        let cut = text.len() > limits.value_bytes;
        match (cut, self.is_text) {
            (false, true) => Value::String(text.to_owned()),
            (false, false) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
            (true, _) => {
                let mut end = limits.value_bytes;
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                Value::String(format!("{}…", &text[..end]))
            }
        }
    }
}

fn kind_of(type_: &Type) -> Kind {
    match type_.kind() {
        TypeKind::Enum(labels) => Kind::Ordered(labels.clone()),
        TypeKind::Domain(base) => kind_of(base),
        _ => catalog::kind(type_.name()),
    }
}

/// All settings and the role hold for this transaction only.
fn begin(asking: &Asking, role: Option<&str>) -> Result<String, Error> {
    if jiff::tz::TimeZone::get(&asking.timezone).is_err() {
        return Err(Error::Failed { reason: "this time zone is unknown".into() });
    }
    let limit = asking.limits.time.as_millis().max(1);
    let mut text = format!(
        "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; \
         SET LOCAL TimeZone = {}; SET LOCAL statement_timeout = {limit}; SET LOCAL lock_timeout = {}; \
         SET LOCAL idle_in_transaction_session_timeout = {}; SET LOCAL work_mem = '16MB'",
        literal(&asking.timezone),
        LOCK_WAIT.as_millis(),
        limit + 2 * GRACE.as_millis(),
    );
    if let Some(role) = role {
        text.push_str("; SET LOCAL ROLE ");
        text.push_str(&quoted(role));
    }
    Ok(text)
}

/// The query as the source of one whose columns are texts, with a limit of rows.
/// PostgreSQL keeps the order of a query that is read from like this.
fn wrap(sql: &str, wires: &[Wire], limits: Limits) -> String {
    let most = limits.rows.saturating_add(1);
    if wires.is_empty() {
        return format!("SELECT FROM (\n{sql}\n) AS q LIMIT {most}");
    }
    let list = |each: &dyn Fn((usize, &Wire)) -> String| {
        wires.iter().enumerate().map(each).collect::<Vec<_>>().join(", ")
    };
    format!(
        "SELECT {} FROM (\n{sql}\n) AS q({}) LIMIT {most}",
        list(&|(i, wire)| wire.expression(i, limits)),
        list(&|(i, _)| format!("c{i}")),
    )
}

/// The second number of `(cost=0.00..35.50 rows=…`.
fn estimate(plan: &str) -> Option<u64> {
    let (_, costs) = plan.split_once("(cost=")?;
    let (_, total) = costs.split_once("..")?;
    let total: f64 = total.split_whitespace().next()?.parse().ok()?;
    Some(total.ceil() as u64)
}

/// Reads rows as they come, and stops at the first limit.
async fn fetch(client: &Client, sql: &str, wires: &[Wire], limits: Limits) -> Result<Fetched, Error> {
    let failed = |error: tokio_postgres::Error| failure::of_query(&error, limits.time);
    let none: [&(dyn tokio_postgres::types::ToSql + Sync); 0] = [];
    let stream = client.query_raw(sql, none).await.map_err(failed)?;
    tokio::pin!(stream);
    let mut fetched = Fetched { rows: Vec::new(), cut: None };
    let mut bytes = 0;
    while let Some(row) = stream.try_next().await.map_err(failed)? {
        if fetched.rows.len() == limits.rows {
            fetched.cut = Some(Cap::Rows);
            break;
        }
        let mut values = Vec::with_capacity(wires.len());
        for (index, wire) in wires.iter().enumerate() {
            let text: Option<&str> = row.try_get(index).map_err(failed)?;
            bytes += text.map_or(4, str::len);
            values.push(text.map_or(Value::Null, |text| wire.value(text, limits)));
        }
        if bytes > limits.bytes {
            fetched.cut = Some(Cap::Bytes);
            break;
        }
        fetched.rows.push(values);
    }
    Ok(fetched)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cost_is_read_from_the_plan() {
        assert_eq!(estimate("Limit  (cost=0.00..35.50 rows=2550 width=4)"), Some(36));
        assert_eq!(
            estimate("Seq Scan on t  (cost=10000000000.00..10000000035.50 rows=1 width=4)"),
            Some(10_000_000_036)
        );
        assert_eq!(estimate("nothing"), None);
    }

    #[test]
    fn a_value_is_cut_between_characters() {
        let wire = Wire { column: Column { name: "m".into(), kind: Kind::Text }, is_text: true };
        let limits = Limits { value_bytes: 4, ..Limits::default() };
        assert_eq!(wire.value("가나다", limits), Value::String("가…".into()));
        assert_eq!(wire.value("abcd", limits), Value::String("abcd".into()));
    }
}
