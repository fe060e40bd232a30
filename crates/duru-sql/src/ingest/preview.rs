//! How a source would be read, before anything is kept.

use std::io::BufRead;

use super::bad::Bad;
use super::detect::Detected;
use super::mapping::{Error, Settings};
use super::read;
use super::rows::Rows;
use super::time::TimeContext;
use crate::Record;

/// Rows whose fields are looked at.
const LOOKED_AT: usize = 200;

#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    pub detected: Detected,
    /// Where the columns' values come from, in the order of their first use.
    pub columns: Vec<ColumnSource>,
    /// Fields that stay what they are, as keys of `metadata`.
    pub metadata: Vec<String>,
    /// The first rows.
    pub records: Vec<Record>,
    /// Rows that were looked at, and those of them that are bad.
    pub rows: usize,
    pub bad: Vec<Bad>,
}

/// A column, and the field that fills it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnSource {
    pub column: &'static str,
    pub field: String,
}

pub(super) fn look(
    input: Box<dyn BufRead + Send>,
    detected: Detected,
    times: &TimeContext,
    settings: &Settings,
    first: usize,
) -> Result<Preview, Error> {
    let mut rows = Rows::new(input, detected.format, settings)?;
    let mut preview = Preview {
        detected,
        columns: Vec::new(),
        metadata: Vec::new(),
        records: Vec::new(),
        rows: 0,
        bad: Vec::new(),
    };
    while preview.rows < LOOKED_AT {
        let Some(raw) = rows.next()? else { break };
        preview.rows += 1;
        let read = raw.fields.and_then(|fields| {
            let (columns, rest) = read::columns(&fields, settings);
            read::record(fields, settings, times).map(|record| (record, columns, rest))
        });
        let (record, columns, rest) = match read {
            Ok(read) => read,
            Err(reason) => {
                preview.bad.push(Bad { row: raw.row, reason });
                continue;
            }
        };
        for (column, field) in columns {
            let source = ColumnSource { column, field };
            if !preview.columns.contains(&source) {
                preview.columns.push(source);
            }
        }
        for name in rest {
            if !preview.metadata.contains(&name) {
                preview.metadata.push(name);
            }
        }
        if preview.records.len() < first {
            preview.records.push(record);
        }
    }
    Ok(preview)
}
