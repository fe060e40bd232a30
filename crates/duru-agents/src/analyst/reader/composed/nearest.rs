//! What words stand for in tables that nobody described: the things whose names are nearest in meaning. Clients may be
//! owners, bills invoices, and takings amounts. Several may be near; which of them is meant, the rest of the question says.

use duru_meaning::{Encoder, nearness};
use duru_sql::Kind;
use duru_sql::domain::{DomainColumn, DomainTable};

use super::thing::Thing;
use crate::analyst::frame::{Column, Filter, Test};
use crate::analyst::reader::meanings::meaning;
use crate::analyst::reader::reading::Reading;

/// What is less near is something else. There are many values, so that some are near to anything.
const NEAR: f32 = 0.38;
const NEAR_VALUE: f32 = 0.5;

/// What is nearly as near as the nearest may be meant as well.
const AS_NEAR: f32 = 0.07;

/// So many may be meant.
const MOST: usize = 4;

/// A column with more values than this has names rather than kinds of things.
const MOST_VALUES: usize = 60;

/// Something that words may stand for.
enum Near {
    Value(Filter),
    Column(Column),
    Table(String),
}

/// What words of this kind stand for, if anything is near, and how near the nearest is.
pub(super) fn nearest(
    encoder: &Encoder,
    words: &str,
    kind: &'static str,
    reading: &Reading<'_>,
) -> Option<(Thing, f32)> {
    let own = meaning(encoder, words);
    let near = |name: &str| nearness(&own, &meaning(encoder, name));
    let nearest_of = |names: &[String]| names.iter().map(|name| near(name)).fold(0.0_f32, f32::max);
    let mut all: Vec<(f32, Near)> = Vec::new();
    for table in &reading.domain.tables {
        if matches!(kind, "R" | "Ci") {
            all.push((nearest_of(&table.nouns), Near::Table(table.name.clone())));
        }
        for column in &table.columns {
            let it = Column::new(&table.name, &column.name);
            if fits(kind, column, table) {
                all.push((nearest_of(&column.nouns), Near::Column(it.clone())));
            }
            if kind == "V" && column.values.len() <= MOST_VALUES && !column.is_number() {
                let value = |value: &String| Filter::new(it.clone(), Test::OneOf(vec![value.clone()]));
                all.extend(column.values.iter().map(|known| {
                    (near(&duru_sql::domain::spelled(&known.value)), Near::Value(value(&known.value)))
                }));
            }
        }
    }
    all.sort_by(|one, other| other.0.total_cmp(&one.0));
    let best = all.first()?.0;
    if best < if kind == "V" { NEAR_VALUE } else { NEAR } {
        return None;
    }
    let mut thing = Thing::of_kind(kind);
    for (_, near) in all.into_iter().take(MOST).filter(|(nearness, _)| best - nearness <= AS_NEAR) {
        match near {
            Near::Value(filter) => thing.values.push(filter),
            Near::Column(column) => thing.columns.push(column),
            Near::Table(table) => thing.tables.push(table),
        }
    }
    Some((thing, best))
}

/// Whether a column is of the kind that words name.
fn fits(kind: &str, column: &DomainColumn, table: &DomainTable) -> bool {
    let is_key = table.primary_key.contains(&column.name) || column.name.ends_with("_id");
    let is_flag = matches!(column.kind, Kind::Boolean);
    match kind {
        "Cn" | "A" => column.is_number() && !is_key,
        "Ct" => column.is_time(),
        "V" | "Cb" => is_flag,
        "Cc" | "Cx" | "Ci" => !column.is_number() && !column.is_time() && !is_flag,
        _ => false,
    }
}
