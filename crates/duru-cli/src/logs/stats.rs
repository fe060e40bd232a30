//! `duru logs stats`.

use serde_json::{Value, json};

use super::problem::Problem;
use crate::output::Output;
use crate::text::{clean, shorten};

pub(super) async fn run(place: Option<&str>, output: &Output) -> Result<(), crate::problem::Problem> {
    super::must_be_there(place).await?;
    let store = super::open_or_attach(place, output).await?.store;
    let knowledge = store.knowledge().await.map_err(Problem::Store)?;
    let mut text = String::new();
    let mut tables = Vec::new();
    for known in &knowledge.tables {
        let values = |name: &str| {
            let column = known.columns.iter().find(|column| column.name == name);
            column.map(|column| column.values.clone()).unwrap_or_default()
        };
        let time = known.newest.columns.iter().position(|column| column.name == "created_at");
        let newest =
            time.and_then(|time| known.newest.rows.first()?.get(time).cloned()).unwrap_or(Value::Null);
        let services = values("service");
        let name = &known.table.name;
        let rows = known.estimated_rows;
        let line = output.lang.pick(
            format!("{name}: 약 {rows}행, 가장 새로운 것 {newest}, 서비스 {}개", services.len()),
            format!("{name}: about {rows} rows, newest {newest}, {} services", services.len()),
        );
        text.push_str(&format!("{}\n", clean(&line)));
        if !services.is_empty() {
            text.push_str(&format!("  {}\n", shorten(&clean(&services.join(", ")), 100)));
        }
        tables.push(json!({
            "name": name, "estimated_rows": rows, "newest": newest, "services": services,
            "indexes": known.indexes, "columns": known.columns,
        }));
    }
    output.text(&text)?;
    output.json(json!({"tables": tables, "version": store.version().await.map_err(Problem::Store)?}))
}
