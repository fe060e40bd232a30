//! Keys between tables that the database does not declare.

use tokio_postgres::Client;

use super::structure::FoundTable;
use super::values::{Contents, query};
use crate::postgres::knowledge::live;
use crate::postgres::names::quoted;
use crate::tables::{LikelyKey, likely_keys};
use crate::{ForeignKey, Table};

/// So many doubtful keys are looked at.
const DOUBTS: usize = 60;

/// Adds the keys that names, types and values speak for.
pub(super) async fn infer(client: &Client, found: &mut [FoundTable], contents: &[Option<Contents>]) {
    let tables: Vec<Table> = found.iter().map(|one| one.table.clone()).collect();
    let unique = |at: usize, column: &str| {
        let declared = &tables[at];
        declared.primary_key == [column]
            || declared.unique.iter().any(|key| *key == [column])
            || contents[at].as_ref().is_some_and(|seen| seen.unique.iter().any(|name| name == column))
    };
    let likely = likely_keys(&tables, &unique);
    let mut doubts = 0;
    for key in likely {
        if key.doubtful {
            doubts += 1;
            let small = |at: usize| contents[at].as_ref().is_some_and(|seen| seen.small);
            let known = doubts <= DOUBTS && small(key.from) && small(key.to);
            if !known || !values_agree(client, &tables, &key).await {
                continue;
            }
        }
        let to = &tables[key.to];
        found[key.from].table.foreign_keys.push(ForeignKey {
            columns: vec![key.column],
            schema: to.schema.clone(),
            table: to.name.clone(),
            to: vec![key.to_column],
            inferred: true,
        });
    }
}

/// Whether nearly all values of the column are the other table's. What can't be found out is not assumed.
async fn values_agree(client: &Client, tables: &[Table], key: &LikelyKey) -> bool {
    let (column, to) = (quoted(&key.column), quoted(&key.to_column));
    let sql = format!(
        "SELECT count(*), count(theirs.v) FROM \
         (SELECT DISTINCT {column} AS v FROM (SELECT {column} FROM {}) AS visible WHERE {column} IS NOT NULL LIMIT 1000) AS ours \
         LEFT JOIN (SELECT {to} AS v FROM {}) AS theirs ON theirs.v = ours.v",
        live(&tables[key.from]),
        live(&tables[key.to]),
    );
    let Ok(rows) = query(client, &sql).await else { return false };
    let Some(row) = rows.first() else { return false };
    let (Ok(all), Ok(there)) = (row.try_get::<_, i64>(0), row.try_get::<_, i64>(1)) else { return false };
    all > 0 && there * 10 >= all * 9
}
