//! What words of a question stand for: a condition, a column, a time, a number.

use duru_language::time::{Length, Period};
use duru_sql::domain::DomainColumn;

use crate::analyst::frame::{Column, Filter};
use crate::analyst::reader::reading::Reading;

/// What words stand for; some stand for several things, and where they are used says for which.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Thing {
    pub(super) filters: Vec<Filter>,
    pub(super) column: Option<Column>,
    /// An adjective of a column, and whether more of it is meant.
    pub(super) attribute: Option<(Column, bool)>,
    pub(super) rate: Option<Vec<Filter>>,
    pub(super) named: Option<(String, String)>,
    pub(super) period: Option<Period>,
    pub(super) length: Option<Length>,
    pub(super) number: Option<f64>,
    /// The number is a sum of money.
    pub(super) is_money: bool,
    pub(super) percentile: Option<f64>,
    pub(super) rows: bool,
    /// A text that is looked for.
    pub(super) text: Option<String>,
    /// All that the words may stand for where there are several tables; which of them is meant is chosen later.
    pub(super) values: Vec<Filter>,
    pub(super) columns: Vec<Column>,
    pub(super) attributes: Vec<(Column, bool)>,
    pub(super) tables: Vec<String>,
    pub(super) kinds: Vec<&'static str>,
}

impl Thing {
    /// A condition.
    pub(super) fn value(filter: Filter) -> Self {
        Self { values: vec![filter.clone()], filters: vec![filter], kinds: vec!["V"], ..Self::default() }
    }

    pub(super) fn of_kind(kind: &'static str) -> Self {
        Self { kinds: vec![kind], ..Self::default() }
    }

    /// The column of numbers that it names, by a noun or an adjective.
    pub(super) fn number_column(&self) -> Option<Column> {
        self.column.clone().or_else(|| Some(self.attribute.as_ref()?.0.clone()))
    }

    pub(super) fn column(column: Column, reading: &Reading<'_>) -> Option<Self> {
        let kinds = vec![kind(reading, &column, reading.described(&column)?)];
        Some(Self { columns: vec![column.clone()], column: Some(column), kinds, ..Self::default() })
    }
}

/// Of what kind a column is.
pub(super) fn kind(reading: &Reading<'_>, column: &Column, known: &DomainColumn) -> &'static str {
    let table = reading.domain.table(&column.table);
    let is = |name: Option<&String>| name == Some(&column.name);
    if known.is_number() && !known.code {
        "Cn"
    } else if known.is_time() {
        "Ct"
    } else if matches!(known.kind, duru_sql::Kind::Boolean) {
        "Cb"
    } else if is(table.and_then(|table| table.text.as_ref())) {
        "Cx"
    } else if is(table.and_then(|table| table.person.as_ref()))
        || known.values.is_empty()
        || column.name.ends_with("_id")
    {
        "Ci"
    } else {
        "Cc"
    }
}
