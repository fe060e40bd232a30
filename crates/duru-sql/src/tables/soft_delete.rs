//! Rows that are only marked as deleted.

use crate::{Kind, TableColumn};

/// The condition that visible rows fulfil, if a table marks rows as deleted.
///
/// ```
/// use duru_sql::{Catalog, tables::soft_delete_rule};
///
/// let logs = Catalog::logs();
/// assert_eq!(soft_delete_rule(&logs.tables[0].columns).as_deref(), Some("\"deleted\" IS NOT TRUE"));
/// ```
pub fn soft_delete_rule(columns: &[TableColumn]) -> Option<String> {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let named = |column: &&TableColumn, names: &[&str]| {
        let plain: String = column.name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect();
        names.contains(&plain.as_str())
    };
    let flag = columns.iter().filter(|column| column.kind == Kind::Boolean);
    if let Some(flag) = flag.clone().find(|column| named(column, &["deleted", "isdeleted", "softdeleted"])) {
        // A row whose flag is NULL was not deleted.
        return Some(format!("{} IS NOT TRUE", quoted(&flag.name)));
    }
    let is_time = |kind: &Kind| matches!(kind, Kind::Timestamp | Kind::LocalTimestamp | Kind::Date);
    let times = columns.iter().filter(|column| is_time(&column.kind));
    let time = times.clone().find(|column| named(column, &["deletedat", "deletedon", "deletiondate"]))?;
    Some(format!("{} IS NULL", quoted(&time.name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalog, guard::Guard};

    fn table(columns: &str) -> Catalog {
        Catalog::read_json(&format!(r#"{{"tables": [{{"name": "t", "columns": {columns}}}]}}"#)).unwrap()
    }

    #[test]
    fn a_rule_is_found_by_name_and_type_and_the_guard_takes_it() {
        for (columns, rule) in [
            (r#"{"id": "int", "is_deleted": "boolean"}"#, Some("\"is_deleted\" IS NOT TRUE")),
            (r#"{"id": "int", "deletedAt": "timestamptz"}"#, Some("\"deletedAt\" IS NULL")),
            (r#"{"id": "int", "deleted": "text"}"#, None),
            (r#"{"id": "int", "deleted_by": "text"}"#, None),
        ] {
            let mut catalog = table(columns);
            let found = soft_delete_rule(&catalog.tables[0].columns);
            assert_eq!(found.as_deref(), rule, "{columns}");
            catalog.tables[0].soft_delete = found;
            let checked = Guard::new(catalog).check("SELECT id FROM t").unwrap();
            assert_eq!(checked.soft_delete_added(), rule.is_some());
        }
    }
}
