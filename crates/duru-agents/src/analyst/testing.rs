//! Results for tests, in few words.

use std::time::Duration;

use duru_sql::{Answer, Column, Kind};
use serde_json::Value;

/// Columns as `name:kind`, rows as words; `-` is null.
pub(super) fn answer(columns: &str, rows: &[&str]) -> Answer {
    let columns: Vec<Column> = columns
        .split(' ')
        .map(|column| {
            let (name, kind) = column.split_once(':').unwrap();
            let kind = match kind {
                "bigint" => Kind::Bigint,
                "double" => Kind::Double,
                "text" => Kind::Text,
                "timestamp" => Kind::Timestamp,
                other => panic!("no kind {other}"),
            };
            Column { name: name.into(), kind }
        })
        .collect();
    let cell = |(column, word): (&Column, &str)| match &column.kind {
        _ if word == "-" => Value::Null,
        Kind::Bigint | Kind::Double => serde_json::from_str(word).unwrap(),
        _ => word.into(),
    };
    let rows = rows.iter().map(|row| columns.iter().zip(row.split(' ')).map(cell).collect()).collect();
    Answer { columns, rows, cut: None, took: Duration::ZERO }
}
