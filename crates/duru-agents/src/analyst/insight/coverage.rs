//! Of which rows a result tells: all of a table, or those that the question left.

use duru_sql::domain::Domain;

use crate::analyst::frame::{Dimension, Frame, Keep};

/// Which rows of a table a result's figures are made of: a share of some is no share of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CountedRows {
    /// All that its table has.
    All,
    /// Those that conditions or a period left.
    Fitting,
    /// Nobody read the query.
    Unknown,
}

impl CountedRows {
    pub(super) fn of(frame: &Frame, domain: &Domain) -> Self {
        if narrows(frame, domain) { Self::Fitting } else { Self::All }
    }
}

/// Whether a question takes in fewer rows than its table has.
fn narrows(frame: &Frame, domain: &Domain) -> bool {
    // Rows that are in no group are not counted, and neither are those without a partner in another table.
    let grouped = frame.dimensions.iter().any(|dimension| match dimension {
        Dimension::Column(column) => {
            let known = domain.table(&column.table).and_then(|table| table.column(&column.name));
            column.table != frame.table || known.is_none_or(|known| known.nullable)
        }
        _ => false,
    });
    let groups_chosen = !frame.having.is_empty()
        || !frame.none_of.is_empty()
        || !frame.some_of.is_empty()
        || frame.silent.is_some()
        || frame.all_of.is_some()
        || frame.compare.as_ref().is_some_and(|compare| compare.keep != Keep::All);
    grouped || groups_chosen || !frame.filters.is_empty() || frame.time.is_some()
}

/// Whether groups that fit may be missing among so many.
pub(super) fn leaves_out(frame: &Frame, rows: usize) -> bool {
    let full = frame.limit.is_some_and(|limit| rows as u64 >= u64::from(limit));
    full || frame.both_ends || frame.best_each.is_some()
}
