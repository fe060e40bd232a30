//! What is in a table of a file: values, and columns that tell rows apart.

use std::collections::{HashMap, HashSet};

use datafusion::arrow::array::{Array, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use duru_sql::tables::{ColumnValues, FEW, LONGEST, NAMES};

/// A table with more rows is too large for all of its names.
pub(super) const SMALL: usize = 20_000;

/// The values of a column of texts, as they are kept.
pub(super) fn values(rows: &RecordBatch, name: &str) -> ColumnValues {
    let Some(texts) = rows.column_by_name(name).and_then(|column| column.as_string_opt::<i32>()) else {
        return ColumnValues::default();
    };
    let mut counted: HashMap<&str, u64> = HashMap::new();
    for text in texts.iter().flatten() {
        *counted.entry(text).or_default() += 1;
    }
    let small = rows.num_rows() <= SMALL;
    let most = if small { NAMES } else { FEW };
    let mut counted: Vec<(&str, u64)> = counted.into_iter().collect();
    counted.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let cut = |text: &str| text.chars().take(LONGEST + 1).collect::<String>();
    let found = counted.iter().take(most + 1).map(|(text, count)| (cut(text), *count));
    ColumnValues::of(found.collect(), most, small)
}

/// Whether every row has a value, and no two have the same.
pub(super) fn is_unique(rows: &RecordBatch, name: &str) -> bool {
    let Some(column) = rows.column_by_name(name) else { return false };
    if column.null_count() > 0 || column.len() < 2 {
        return false;
    }
    match column.data_type() {
        DataType::Int64 => {
            let mut seen = HashSet::new();
            column.as_primitive::<Int64Type>().values().iter().all(|value| seen.insert(*value))
        }
        DataType::Utf8 => {
            let mut seen = HashSet::new();
            column.as_string::<i32>().iter().flatten().all(|value| seen.insert(value))
        }
        _ => false,
    }
}

/// Whether nearly all values of one column are another's.
pub(super) fn values_agree(from: (&RecordBatch, &str), to: (&RecordBatch, &str)) -> bool {
    let texts = |(rows, name): (&RecordBatch, &str)| -> HashSet<String> {
        let Some(column) = rows.column_by_name(name) else { return HashSet::new() };
        match column.data_type() {
            DataType::Int64 => {
                column.as_primitive::<Int64Type>().iter().flatten().map(|v| v.to_string()).collect()
            }
            DataType::Utf8 => column.as_string::<i32>().iter().flatten().map(str::to_owned).collect(),
            _ => HashSet::new(),
        }
    };
    let (ours, theirs) = (texts(from), texts(to));
    let there = ours.iter().filter(|value| theirs.contains(*value)).count();
    !ours.is_empty() && there * 10 >= ours.len() * 9
}
