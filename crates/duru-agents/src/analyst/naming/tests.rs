//! What is asked about tables, and which of the words that come back are used.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use duru_llm::Scripted;
use duru_llm::decision::Decider;
use duru_sql::domain::{Description, Domain};
use duru_sql::{Answer, Catalog, ColumnKnowledge, Knowledge, TableKnowledge};

use super::accepted::accepted;
use super::{SuggestedWords, suggest_words};

/// Tables as `name: column column …`, all texts; a column with `=` has values.
fn domain(tables: &[&str]) -> Domain {
    let newest = Answer { columns: Vec::new(), rows: Vec::new(), cut: None, took: Duration::ZERO };
    let known = |text: &&str| {
        let (name, columns) = text.split_once(": ").unwrap();
        let columns: Vec<(&str, &str)> =
            columns.split(' ').map(|column| column.split_once('=').unwrap_or((column, ""))).collect();
        let types: BTreeMap<&str, &str> = columns.iter().map(|(column, _)| (*column, "text")).collect();
        let json = serde_json::json!({ "tables": [{ "name": name, "columns": types }] }).to_string();
        let columns = columns.into_iter().map(|(column, values)| ColumnKnowledge {
            name: column.to_owned(),
            data_type: "text".to_owned(),
            nullable: true,
            default: None,
            values: values.split(',').filter(|value| !value.is_empty()).map(str::to_owned).collect(),
            samples: Vec::new(),
            empty: false,
        });
        TableKnowledge {
            table: Catalog::read_json(&json).unwrap().tables.remove(0),
            columns: columns.collect(),
            indexes: Vec::new(),
            estimated_rows: 1,
            newest: newest.clone(),
        }
    };
    Domain::of(&Knowledge { tables: tables.iter().map(known).collect() }, &Description::default())
}

fn list(words: &str) -> Vec<String> {
    words.split(", ").filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Words as `table | column: words | column: words`.
fn said(text: &str) -> SuggestedWords {
    let mut parts = text.split(" | ");
    let table = list(parts.next().unwrap());
    let column = |part: &str| {
        let (name, words) = part.split_once(": ").unwrap();
        (name.to_owned(), list(words))
    };
    SuggestedWords { table, columns: parts.map(column).collect() }
}

fn check(tables: &[&str], words: &[(&str, &str)], expected: &[(&str, &str)]) {
    let all = |words: &[(&str, &str)]| -> BTreeMap<String, SuggestedWords> {
        words.iter().map(|(table, words)| ((*table).to_owned(), said(words))).collect()
    };
    assert_eq!(accepted(&domain(tables), &all(words)), all(expected));
}

#[test]
fn only_short_words_of_known_columns_in_english_or_korean_are_used() {
    check(
        &["ord: amt dt"],
        &[(
            "ord",
            "Purchase, 订单, 주문 | amt: the sum that was paid, 금액!, 금액, Net-Amount, 7, 값 | gone: thing",
        )],
        &[("ord", "purchase, 주문 | amt: 금액, net amount")],
    );
    check(&["ord: amt"], &[("elephants", "animal")], &[]);
}

#[test]
fn what_is_a_name_or_a_value_already_is_no_word_for_something_else() {
    check(
        &["orders: customer_id status=paid,lost channel", "customers: name city"],
        &[
            (
                "orders",
                "order, customer | customer_id: customers, buyer | status: lost, state | channel: city, cities, way",
            ),
            ("customers", "customer, orders, 고객 | name: customer name"),
        ],
        &[
            ("customers", "customer, 고객 | name: customer name"),
            ("orders", "order | customer_id: buyer | channel: way | status: state"),
        ],
    );
}

#[test]
fn what_two_get_is_for_none_but_whose_name_says_it() {
    check(
        &["stay: arrival departure total_price net", "trip: dest"],
        &[
            (
                "stay",
                "visit, booking | arrival: date, booking | departure: dates, end | total_price: price | net: price, prices, 순액",
            ),
            ("trip", "visits, journey | dest: date, goal"),
        ],
        &[
            ("stay", "booking | departure: end | net: 순액 | total_price: price"),
            ("trip", "journey | dest: date, goal"),
        ],
    );
}

#[test]
fn a_word_of_grammar_is_no_noun_unless_the_name_has_it() {
    check(
        &["ord: order_count st qty"],
        &[(
            "ord",
            "order, data | order_count: count | st: status, of the, how many, 합계, id | qty: number of, pieces",
        )],
        &[("ord", "order | order_count: count | qty: pieces | st: status")],
    );
}

/// Thirteen columns are two questions; the second is answered badly, and what the first said is used.
#[tokio::test]
async fn a_wide_table_is_named_a_few_columns_at_a_time() {
    let columns: Vec<String> = (0..13).map(|at| format!("c{at}")).collect();
    let domain = domain(&[&format!("wide: id {}", columns.join(" "))]);
    let first = r#"{"table": {"en": ["parcel"], "ko": ["소포"]}, "columns": [{"column": "c0", "en": ["weight"], "ko": ["무게"]}]}"#;
    let model = Arc::new(Scripted::new([Ok(first), Ok("no"), Ok("no")]));
    let mut asked = Vec::new();
    let found = suggest_words(&Decider::new(model), &domain, |table| asked.push(table.name.clone())).await;
    assert_eq!(asked, ["wide"]);
    assert_eq!(found.tables["wide"], said("parcel, 소포 | c0: weight, 무게"));
    assert_eq!(found.failed.len(), 1, "{found:?}");
    let description = found.in_description(Description::default());
    assert_eq!(description.table["wide"].column["c0"].suggested, ["weight", "무게"]);

    let none = suggest_words(&Decider::by_rules(), &domain, |_| {}).await;
    assert!(none.tables.is_empty() && none.failed.len() == 2, "{none:?}");
}
