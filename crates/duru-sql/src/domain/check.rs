//! Whether a description fits the tables that it describes.

use std::collections::BTreeMap;

use super::{Description, TableDescription};
use crate::Catalog;
use crate::guard::{Guard, Refusal};

/// Something in a description that fits nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    UnknownTable {
        table: String,
    },
    /// `key` is where it stands, such as `hidden` or `measure revenue`.
    UnknownColumn {
        table: String,
        column: String,
        key: String,
    },
    /// A measure's expression can't be asked.
    Expression {
        table: String,
        measure: String,
        refusal: Box<Refusal>,
    },
    /// The rule for rows that are visible can't be used.
    SoftDelete {
        table: String,
        rule: String,
    },
}

impl Description {
    /// What of it fits nothing. `columns` has the names of every table's columns, also of hidden ones; `catalog` is what
    /// may be asked with this description.
    pub fn misfits(&self, columns: &BTreeMap<String, Vec<String>>, catalog: &Catalog) -> Vec<Misfit> {
        let guard = Guard::new(catalog.clone());
        let mut found = Vec::new();
        for (table, words) in &self.table {
            let Some(names) = columns.get(table) else {
                found.push(Misfit::UnknownTable { table: table.clone() });
                continue;
            };
            for (key, column) in named(words) {
                // A key within a JSON column is named after it.
                let known = |name: &str| names.iter().any(|known| known == name);
                let whole = column.split_once('.').map_or(column, |(whole, _)| whole);
                if !known(column) && !known(whole) {
                    let (table, column) = (table.clone(), column.to_owned());
                    found.push(Misfit::UnknownColumn { table, column, key });
                }
            }
            found.extend(unaskable(table, words, catalog, &guard));
        }
        found
    }
}

/// Every column that a description names, and where.
fn named(words: &TableDescription) -> Vec<(String, &str)> {
    let mut all: Vec<(String, &str)> = Vec::new();
    let singles = [
        ("time", &words.time),
        ("duration", &words.duration),
        ("person", &words.person),
        ("text", &words.text),
        ("identify", &words.identify),
    ];
    all.extend(singles.into_iter().filter_map(|(key, name)| Some((key.to_owned(), name.as_deref()?))));
    for (key, names) in [("show", &words.show), ("hidden", &words.hidden), ("allowed", &words.allowed)] {
        all.extend(names.iter().map(|name| (key.to_owned(), name.as_str())));
    }
    for (name, column) in &words.column {
        all.push(("column".to_owned(), name));
        all.extend(column.implies.iter().map(|implied| ("implies".to_owned(), implied.column.as_str())));
    }
    for condition in &words.condition {
        all.push(("condition".to_owned(), &condition.column));
    }
    for measure in &words.measure {
        let share =
            measure.share.iter().map(|share| (format!("measure {}", measure.name), share.column.as_str()));
        all.extend(share);
    }
    all.retain(|(_, column)| !column.is_empty());
    all
}

/// What the guard does not let through.
fn unaskable(table: &str, words: &TableDescription, catalog: &Catalog, guard: &Guard) -> Vec<Misfit> {
    let Some(known) = catalog.table(table) else { return Vec::new() };
    let name = format!("\"{}\".\"{}\"", known.schema, known.name);
    if let Some(rule) = &known.soft_delete
        && guard.check(&format!("SELECT count(*) FROM {name}")).is_err()
    {
        return vec![Misfit::SoftDelete { table: table.to_owned(), rule: rule.clone() }];
    }
    let measures = words.measure.iter().filter_map(|measure| Some((measure, measure.expression.as_ref()?)));
    let refused = measures.filter_map(|(measure, expression)| {
        let refusal = guard.check(&format!("SELECT {expression} FROM {name}")).err()?;
        Some(Misfit::Expression {
            table: table.to_owned(),
            measure: measure.name.clone(),
            refusal: Box::new(refusal),
        })
    });
    refused.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_nothing_is_found() {
        let json = r#"{"tables": [{"name": "orders", "columns": {"id": "int", "amount": "numeric", "meta": "json"}}]}"#;
        let catalog = Catalog::read_json(json).unwrap();
        let columns =
            [("orders".to_owned(), ["id", "amount", "meta", "card"].map(str::to_owned).to_vec())].into();
        let read = |text: &str| Description::read(text).unwrap().misfits(&columns, &catalog);
        assert!(
            read(
                "[table.orders]\nhidden = [\"card\"]\n[table.orders.column.\"meta.kind\"]\nnouns = [\"kind\"]"
            )
            .is_empty()
        );
        assert_eq!(read("[table.order]"), [Misfit::UnknownTable { table: "order".into() }]);
        let unknown = read("[table.orders]\ntime = \"at\"\n[table.orders.column.total]\nnouns = [\"sum\"]");
        assert_eq!(unknown.len(), 2, "{unknown:?}");
        let measure = |expression: &str| {
            read(&format!(
                "[[table.orders.measure]]\nname = \"m\"\nwords = [\"m\"]\nexpression = \"{expression}\""
            ))
        };
        assert!(measure("sum(amount)").is_empty());
        assert!(matches!(measure("sum(price)").as_slice(), [Misfit::Expression { .. }]));
        assert!(matches!(measure("pg_sleep(9)").as_slice(), [Misfit::Expression { .. }]));
    }
}
