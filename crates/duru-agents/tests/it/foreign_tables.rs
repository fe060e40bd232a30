//! Tables that nobody described: what frames of them are in SQL, and what the words of a question are taken for.

use duru_agents::analyst::frame::{Column, Compare, Filter, Frame, Measure, Stat, Test, print};
use duru_agents::analyst::reader::{Linked, Subject, Understanding, understand};
use duru_language::Lang;
use duru_sql::Kind;
use duru_sql::domain::{Domain, DomainColumn, DomainTable, Join, KnownValue};
use jiff::Zoned;
use jiff::tz::TimeZone;

fn column(name: &str, kind: Kind, values: &[&str]) -> DomainColumn {
    DomainColumn {
        name: name.into(),
        kind,
        key: None,
        nullable: true,
        empty: false,
        nouns: vec![duru_sql::domain::spelled(name)],
        description: None,
        unit: None,
        values: values.iter().map(|value| KnownValue { value: (*value).into(), words: Vec::new() }).collect(),
        code: name.ends_with("_id"),
        journey: false,
        quiet: false,
        duration: None,
        implies: None,
        samples: Vec::new(),
    }
}

fn table(name: &str, noun: &str, key: &str, columns: Vec<DomainColumn>) -> DomainTable {
    DomainTable {
        schema: "public".into(),
        name: name.into(),
        nouns: vec![name.into(), noun.into()],
        description: None,
        columns,
        conditions: Vec::new(),
        measures: Vec::new(),
        primary_key: vec![key.into()],
        time: None,
        duration: None,
        person: None,
        text: None,
        show: Vec::new(),
        identify: None,
        rows: 100,
        soft_delete: None,
    }
}

/// Owners, their pets, and the visits of those.
fn clinic() -> Domain {
    let owners = vec![
        column("owner_id", Kind::Integer, &[]),
        column("full_name", Kind::Text, &[]),
        column("town", Kind::Text, &["Ashford", "Dover"]),
    ];
    let pets = vec![
        column("pet_id", Kind::Integer, &[]),
        column("owner_id", Kind::Integer, &[]),
        column("name", Kind::Text, &[]),
        column("species", Kind::Text, &["dog", "cat"]),
        column("weight_kg", Kind::Numeric, &[]),
    ];
    let visits = vec![column("visit_id", Kind::Integer, &[]), column("pet_id", Kind::Integer, &[])];
    let join = |from: &str, to: &str, key: &str| Join {
        from: from.into(),
        from_columns: vec![key.into()],
        to: to.into(),
        to_columns: vec![key.into()],
    };
    Domain {
        tables: vec![
            table("owners", "owner", "owner_id", owners),
            table("pets", "pet", "pet_id", pets),
            table("visits", "visit", "visit_id", visits),
        ],
        joins: vec![join("pets", "owners", "owner_id"), join("visits", "pets", "pet_id")],
    }
}

fn sql(frame: &Frame) -> String {
    print(frame, &clinic(), &TimeZone::UTC)
}

/// The readings of a question: the one that is given, or the first that is offered.
fn read(question: &str) -> String {
    let domain = clinic();
    let linked = Linked::new(&domain);
    let now: Zoned = "2026-03-18T14:30:00+00:00[UTC]".parse().unwrap();
    let subject = Subject {
        domain: &domain,
        linked: &linked,
        now: &now,
        lang: Lang::En,
        previous: &[],
        answers: &[],
        asked: 0,
        picked: None,
    };
    match understand(question, &subject) {
        Understanding::Query(read) => read.sql,
        Understanding::Clarify(asked) => sql(&asked.draft),
        Understanding::Refuse(refusal) => format!("refused: {refusal:?}"),
    }
}

#[test]
fn rows_without_rows_of_another_table_are_found_by_the_keys_between_them() {
    let without = |table: &str| Frame {
        table: "owners".into(),
        filters: vec![Filter::new(Column::new(table, ""), Test::HasRows(false))],
        show: vec![Column::new("owners", "full_name")],
        ..Frame::default()
    };
    assert_eq!(
        sql(&without("pets")),
        "SELECT full_name FROM owners WHERE NOT EXISTS (SELECT 1 FROM pets WHERE pets.owner_id = owners.owner_id)"
    );
    assert_eq!(
        sql(&without("visits")),
        "SELECT full_name FROM owners WHERE NOT EXISTS (SELECT 1 FROM visits JOIN pets ON visits.pet_id = pets.pet_id WHERE pets.owner_id = owners.owner_id)"
    );
}

#[test]
fn averages_are_of_the_whole_table_and_ratios_divide_by_no_zero() {
    let weight = Column::new("pets", "weight_kg");
    let heavy = Filter::new(weight.clone(), Test::Average(Compare::More));
    let frame = Frame {
        table: "pets".into(),
        filters: vec![heavy],
        show: vec![Column::new("pets", "name")],
        ..Frame::default()
    };
    let found = sql(&frame);
    assert!(found.contains("weight_kg > (SELECT AVG(weight_kg)"), "{found}");
    let of = |species: &str| {
        let only = Filter::new(Column::new("pets", "species"), Test::OneOf(vec![species.into()]));
        Box::new(Measure::CountOf(vec![only]))
    };
    let ratio = |percent| Frame {
        table: "pets".into(),
        measures: vec![Measure::Ratio(of("dog"), of("cat"), percent)],
        ..Frame::default()
    };
    assert!(sql(&ratio(false)).contains("/ NULLIF("), "{}", sql(&ratio(false)));
    assert!(sql(&ratio(true)).contains("ROUND(100.0 * "), "{}", sql(&ratio(true)));
    let range = Measure::Difference(
        Box::new(Measure::Stat(Stat::Maximum, weight.clone(), Vec::new())),
        Box::new(Measure::Stat(Stat::Minimum, weight, Vec::new())),
    );
    let frame = Frame { table: "pets".into(), measures: vec![range], ..Frame::default() };
    assert!(sql(&frame).contains("MAX(weight_kg) - MIN(weight_kg)"), "{}", sql(&frame));
}

#[test]
fn what_is_meant_needs_the_fewest_joins() {
    let found = read("how many dogs are there in Dover");
    assert!(found.contains("species = 'dog'") && found.contains("town = 'Dover'"), "{found}");
    assert!(found.contains("JOIN"), "{found}");
    let found = read("average weight of the cats");
    assert!(found.contains("AVG(weight_kg)") && !found.contains("JOIN"), "{found}");
}

#[test]
fn a_word_that_no_table_has_is_taken_for_what_is_nearest() {
    let found = read("which clients have no animals");
    assert!(found.contains("FROM owners") && found.contains("EXISTS (SELECT 1 FROM pets"), "{found}");
    let found = read("how many animals per town");
    assert!(found.contains("pets") && found.contains("town"), "{found}");
}

#[test]
fn things_are_counted_by_their_rows_and_not_by_their_names() {
    for question in ["How many owners are there?", "number of owners"] {
        let found = read(question);
        assert!(found.starts_with("SELECT COUNT(*)") && found.contains("FROM owners"), "{found}");
    }
}
