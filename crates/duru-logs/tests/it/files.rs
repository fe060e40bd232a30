//! Files of others as tables.

use std::path::Path;

use duru_logs::FileTables;
use duru_sql::domain::{Description, Domain};
use duru_sql::guard::Guard;
use duru_sql::{Asking, Kind, Limits, TableSource as _};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

fn shop(folder: &Path) {
    let orders = "\u{feff}id;customer_id;amount;at;zip\n1;1;10.5;2026-01-02 10:00:00;01234\n2;2;20;2026-01-03 11:30:00;04524\n3;1;;2026-01-03 12:00:00;01234\n";
    let customers = "[{\"id\": 1, \"name\": \"Kim\", \"home\": {\"city\": \"Seoul\"}, \"password\": \"x\", \"is_deleted\": false},\
                      {\"id\": 2, \"name\": \"Lee\", \"home\": {\"city\": \"Busan\"}, \"password\": \"y\", \"is_deleted\": null},\
                      {\"id\": 3, \"name\": \"Gone\", \"home\": {\"city\": \"Jeju\"}, \"password\": \"z\", \"is_deleted\": true}]";
    std::fs::write(folder.join("orders.csv"), orders).unwrap();
    std::fs::write(folder.join("customers.json"), customers).unwrap();
    std::fs::write(folder.join("lines.jsonl"), "{\"a\": 1}\n{\"a\": 2, \"b\": \"x\"}\n").unwrap();
    std::fs::write(folder.join("broken.json"), "{\"a\": ").unwrap();
    std::fs::write(folder.join("notes.txt"), "not a table").unwrap();
}

async fn ask(tables: &FileTables, sql: &str) -> Vec<Vec<Value>> {
    let checked = Guard::new(tables.catalog()).check(sql).unwrap();
    let asking = Asking {
        timezone: "Asia/Seoul".into(),
        limits: Limits::default(),
        cancel: CancellationToken::new(),
        who: None,
    };
    tables.query(&checked, &asking).await.unwrap().rows
}

#[tokio::test]
async fn a_folder_of_files_is_asked_like_a_database() {
    let folder = tempfile::tempdir().unwrap();
    shop(folder.path());
    let tables = FileTables::open(folder.path(), &Description::default()).await.unwrap();
    let catalog = tables.catalog();
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["customers", "lines", "orders"]);
    let orders = catalog.table("orders").unwrap();
    let kinds: Vec<Kind> = orders.columns.iter().map(|column| column.kind.clone()).collect();
    assert_eq!(kinds, [Kind::Bigint, Kind::Bigint, Kind::Double, Kind::LocalTimestamp, Kind::Text]);
    let customers = catalog.table("customers").unwrap();
    assert!(customers.column("password").is_none() && customers.column("home_city").is_some());
    let said: Vec<String> = tables.notes().iter().map(ToString::to_string).collect();
    let said = said.join("\n");
    for part in ["broken.json", "password", "is_deleted"] {
        assert!(said.contains(part), "{part} of {said}");
    }

    assert_eq!(ask(&tables, "SELECT count(*), sum(amount) FROM orders").await, [[json!(3), json!(30.5)]]);
    assert_eq!(ask(&tables, "SELECT count(*) FROM customers").await, [[json!(2)]], "one is deleted");
    let joined = "SELECT c.home_city, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id \
                  WHERE o.at >= '2026-01-03' GROUP BY 1 ORDER BY 1";
    assert_eq!(ask(&tables, joined).await, [[json!("Busan"), json!(1)], [json!("Seoul"), json!(1)]]);
    assert_eq!(ask(&tables, "SELECT zip FROM orders WHERE id = 2").await, [[json!("04524")]]);

    let knowledge = tables.knowledge().await.unwrap();
    let domain = Domain::of(&knowledge, &Description::default());
    assert_eq!(domain.joins.len(), 1, "{:?}", domain.joins);
    assert_eq!((&*domain.joins[0].from, &*domain.joins[0].to), ("orders", "customers"));
    assert!(!format!("{knowledge:?}").contains("Gone"), "nothing of deleted rows");
}

#[tokio::test]
async fn a_file_is_a_table_and_a_path_that_is_not_there_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    shop(folder.path());
    let one = FileTables::open(&folder.path().join("lines.jsonl"), &Description::default()).await.unwrap();
    assert_eq!(
        ask(&one, "SELECT a, b FROM lines ORDER BY a").await,
        [[json!(1), Value::Null], [json!(2), json!("x")]]
    );
    assert!(FileTables::open(&folder.path().join("none"), &Description::default()).await.is_err());
}

/// Rows of texts under each other; numbers are written as numbers.
fn write_rows(sheet: &mut Worksheet, rows: &[&[&str]]) {
    for (row, cells) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(*cells) {
            match cell.parse::<f64>() {
                Ok(number) if !cell.starts_with('0') => sheet.write(row, column, number).unwrap(),
                _ if cell.is_empty() => continue,
                _ => sheet.write(row, column, *cell).unwrap(),
            };
        }
    }
}

fn notes(tables: &FileTables) -> String {
    tables.notes().iter().map(|note| format!("{note}\n")).collect()
}

#[tokio::test]
async fn every_sheet_of_a_workbook_is_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.xlsx");
    let mut book = Workbook::new();
    let orders = book.add_worksheet().set_name("주문").unwrap();
    write_rows(
        orders,
        &[
            &["id", "customer_id", "금액", "날짜", "시각", "우편번호", "웹"],
            &["1", "1", "10.5", "", "", "01234"],
            &["2", "2", "20", "", "", "04524"],
            &["3", "1", "", "", "", "01234"],
        ],
    );
    let (day, moment) =
        (Format::new().set_num_format("yyyy-mm-dd"), Format::new().set_num_format("yyyy-mm-dd hh:mm"));
    for row in 1..=3u8 {
        let date = ExcelDateTime::from_ymd(2026, 1, row + 1).unwrap();
        orders.write_with_format(row.into(), 3, &date, &day).unwrap();
        orders.write_with_format(row.into(), 4, date.and_hms(row.into(), 30, 0.0).unwrap(), &moment).unwrap();
        orders.write(row.into(), 6, row == 1).unwrap();
    }
    let customers = book.add_worksheet().set_name("customers").unwrap();
    write_rows(customers, &[&["id", "name", "password"], &["1", "Kim", "x"], &["2", "Lee", "y"]]);
    write_rows(book.add_worksheet().set_name("notes").unwrap().set_hidden(true), &[&["a"], &["b"]]);
    book.add_worksheet();
    book.save(&path).unwrap();

    let tables = FileTables::open(&path, &Description::default()).await.unwrap();
    let catalog = tables.catalog();
    let names: Vec<&str> = catalog.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["주문", "customers"]);
    let kinds: Vec<Kind> =
        catalog.table("주문").unwrap().columns.iter().map(|column| column.kind.clone()).collect();
    use Kind::{Bigint, Boolean, Date, Double, LocalTimestamp, Text};
    assert_eq!(kinds, [Bigint, Bigint, Double, Date, LocalTimestamp, Text, Boolean]);
    assert!(catalog.table("customers").unwrap().column("password").is_none());
    assert_eq!(
        ask(&tables, "SELECT \"날짜\", \"시각\" FROM \"주문\" WHERE \"우편번호\" = '04524'").await,
        [[json!("2026-01-03"), json!("2026-01-03T02:30:00")]]
    );
    let joined = "SELECT c.name, sum(o.\"금액\") FROM \"주문\" o JOIN customers c ON c.id = o.customer_id \
                  GROUP BY 1 ORDER BY 1";
    assert_eq!(ask(&tables, joined).await, [[json!("Kim"), json!(10.5)], [json!("Lee"), json!(20.0)]]);
    let said = notes(&tables);
    assert!(said.contains("notes is left out: it is hidden"), "{said}");
    assert!(!said.contains("Sheet4"), "an empty sheet is nothing to speak of: {said}");
}

#[tokio::test]
async fn headers_that_cant_be_names_are_told_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut book = Workbook::new();
    let plain = Format::new();
    let merged = book.add_worksheet().set_name("merged").unwrap();
    write_rows(
        merged,
        &[&["", "", "", "total"], &["city", "2025", "2026", "all"], &["Seoul", "1", "2", "3"]],
    );
    merged.merge_range(0, 1, 0, 2, "sales", &plain).unwrap();
    write_rows(book.add_worksheet().set_name("bare").unwrap(), &[&["1", "2"], &["3", "4"]]);
    let titled = book.add_worksheet().set_name("titled").unwrap();
    write_rows(
        titled,
        &[&[], &["", ""], &["city", "", "sold"], &["Seoul", "a", "1"], &["", "b", "2"], &["Jeju", "c"]],
    );
    titled.merge_range(0, 0, 0, 2, "매출 현황", &plain).unwrap();
    titled.merge_range(3, 0, 4, 0, "Seoul", &plain).unwrap();
    titled.write_formula(5, 2, rust_xlsxwriter::Formula::new("=1/0").set_result("#DIV/0!")).unwrap();
    let path = folder.path().join("report.xlsx");
    book.save(&path).unwrap();

    let tables = FileTables::open(&path, &Description::default()).await.unwrap();
    let said = notes(&tables);
    for part in [
        "merged is left out: names of columns are merged (B1:C1); unmerge them",
        "bare is left out: row 1 has values instead of names",
        "titled: row 1 was taken as a title, and row 3 as the names",
        "titled: columns without a name are called column_NUMBER: B",
    ] {
        assert!(said.contains(part), "{part} of {said}");
    }
    assert_eq!(
        ask(&tables, "SELECT city, column_2 FROM titled ORDER BY 2").await,
        [[json!("Seoul"), json!("a")], [json!("Seoul"), json!("b")], [json!("Jeju"), json!("c")]],
        "a merged cell is every row's that it covers"
    );

    let mut one = Workbook::new();
    write_rows(one.add_worksheet(), &[&["a"], &["1"]]);
    one.save(folder.path().join("alone.xlsx")).unwrap();
    let mut other = Workbook::new();
    write_rows(other.add_worksheet().set_name("titled").unwrap(), &[&["a"], &["1"]]);
    other.save(folder.path().join("second.xlsx")).unwrap();
    std::fs::write(folder.path().join("broken.xlsx"), "no archive").unwrap();
    let all = FileTables::open(folder.path(), &Description::default()).await.unwrap();
    let names: Vec<String> = all.catalog().tables.iter().map(|table| table.name.clone()).collect();
    assert_eq!(names, ["alone", "titled", "second_titled"]);
    assert!(notes(&all).contains("broken.xlsx is left out"), "{}", notes(&all));
}

#[tokio::test]
async fn a_column_that_looks_like_a_secret_is_asked_only_where_it_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("users.csv"), "id,token,password\n1,a,b\n").unwrap();
    let columns = async |description: &Description| {
        let tables = FileTables::open(folder.path(), description).await.unwrap();
        let catalog = tables.catalog();
        let columns = &catalog.table("users").unwrap().columns;
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        assert!(Guard::new(tables.catalog()).check("SELECT password FROM users").is_err());
        names
    };
    assert_eq!(columns(&Description::default()).await, ["id"]);
    let mut description = Description::default();
    description.table.entry("users".into()).or_default().allowed = vec!["token".into()];
    assert_eq!(columns(&description).await, ["id", "token"]);
}
