//! Whether what was made of a question is right: its rows are those of a query that is.

use std::collections::BTreeMap;

use duru_sql::Answer;
use duru_sql::same_rows::{Closeness, Rows, same_within};
use serde_json::{Value, json};

use super::Item;
use super::bench::{Bench, Said};
use crate::eval::tables::Verdict;
use crate::output::Output;
use crate::problem::Problem;

/// People round: two digits after the point are enough.
const ROUNDED: Closeness = Closeness { relative: 1e-3, absolute: 0.0101 };
/// A figure may stand beside so many others.
const BESIDE: usize = 3;

/// How a question's rows are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Compare {
    /// Every column of the right query is one of those found.
    #[default]
    Rows,
    /// The same lines, whatever is shown of them.
    Ids,
    /// One figure.
    Scalar,
}

/// None where nobody said what would be right.
pub(super) async fn verdict(bench: &Bench, item: &Item, said: &Said) -> anyhow::Result<Option<Verdict>> {
    match item.expect.as_deref() {
        None => return Ok(None),
        Some("sql") => {}
        Some(expect) => return Ok(Some(otherwise(item, said, expect))),
    }
    let Some(gold) = &item.gold_sql else { return Ok(None) };
    // The store may not know every function of PostgreSQL; one query that it can run is enough.
    let (mut accepted, mut trouble) = (Vec::new(), None);
    for sql in std::iter::once(gold).chain(&item.alternatives) {
        match bench.rows(sql).await {
            Ok(rows) => accepted.push(rows),
            Err(error) => trouble = trouble.or(Some(error)),
        }
    }
    if let Some(error) = trouble.filter(|_| accepted.is_empty()) {
        return Err(error.context("no query that would be right can be run"));
    }
    let is_right = async |sql: &str| match bench.rows(sql).await {
        Ok(found) => accepted.iter().any(|gold| fits(item, &found, gold)),
        Err(_) => false,
    };
    Ok(Some(match (&said.sql, said.action) {
        (Some(sql), _) if is_right(sql).await => Verdict::Right,
        (Some(_), _) => Verdict::Wrong,
        (None, "clarify") => {
            for sql in &said.offered {
                if is_right(sql).await {
                    return Ok(Some(Verdict::AskedWell));
                }
            }
            Verdict::Asked
        }
        (None, _) => Verdict::Refused,
    }))
}

/// Of a question that should end in another one, or in a refusal.
fn otherwise(item: &Item, said: &Said, expect: &str) -> Verdict {
    let asked: Vec<&str> = said.field.as_deref().unwrap_or_default().split(',').collect();
    let about_it =
        || item.clarify_field.iter().flat_map(|fields| fields.split(',')).all(|f| asked.contains(&f));
    match said.action {
        action if action == expect && (expect != "clarify" || about_it()) => Verdict::Right,
        "clarify" => Verdict::Asked,
        "refuse" => Verdict::Refused,
        _ => Verdict::Wrong,
    }
}

fn fits(item: &Item, found: &Answer, gold: &Answer) -> bool {
    let same = |found: &Answer, gold: &Answer| {
        same_within(&Rows::of(found), &Rows::of(gold), item.order_matters, ROUNDED)
    };
    match item.compare.unwrap_or_default() {
        Compare::Rows => same(found, gold),
        Compare::Ids => ["id", "created_at"].iter().any(|name| {
            let of = |answer: &Answer| answer.columns.iter().position(|column| column.name == *name);
            matches!((of(found), of(gold)), (Some(f), Some(g)) if same(&only(found, f), &only(gold, g)))
        }),
        Compare::Scalar => {
            found.rows.len() == 1
                && found.columns.len() <= BESIDE
                && (0..found.columns.len()).any(|column| same(&only(found, column), &only(gold, 0)))
        }
    }
}

/// One column of an answer.
fn only(answer: &Answer, column: usize) -> Answer {
    let columns = answer.columns.get(column).cloned().into_iter().collect();
    let rows = answer.rows.iter().map(|row| row.get(column).cloned().into_iter().collect()).collect();
    Answer { columns, rows, ..answer.clone() }
}

/// The counts of one language.
#[derive(Default)]
struct Counts {
    items: usize,
    right: usize,
    offered_right: usize,
    asked: usize,
    refused: usize,
    wrong: usize,
    others: usize,
    others_right: usize,
}

/// How many ended in which way, by language.
#[derive(Default)]
pub(super) struct Tally {
    languages: BTreeMap<String, Counts>,
}

impl Tally {
    pub(super) fn add(&mut self, item: &Item, verdict: Verdict) {
        let of = self.languages.entry(item.lang.clone()).or_default();
        if item.expect.as_deref() != Some("sql") {
            of.others += 1;
            of.others_right += usize::from(verdict == Verdict::Right);
            return;
        }
        of.items += 1;
        *match verdict {
            Verdict::Right => &mut of.right,
            Verdict::AskedWell => &mut of.offered_right,
            Verdict::Asked => &mut of.asked,
            Verdict::Refused => &mut of.refused,
            Verdict::Wrong | Verdict::Failed => &mut of.wrong,
        } += 1;
    }

    pub(super) fn print(&self, output: &Output) -> Result<(), Problem> {
        let head = output.lang.pick(
            ["언어", "문항", "맞음", "되물음(맞음)", "되물음(다름)", "거절", "조용히 틀림", "답하지 않을 것"],
            [
                "language",
                "items",
                "right",
                "offered right",
                "asked otherwise",
                "refused",
                "wrong in silence",
                "not to answer",
            ],
        );
        let rows = self.languages.iter().map(|(lang, of)| {
            let counts =
                [of.items, of.right, of.offered_right, of.asked, of.refused, of.wrong].map(|n| n.to_string());
            let [items, right, offered, asked, refused, wrong] = counts;
            let others = format!("{}/{}", of.others_right, of.others);
            [lang.clone(), items, right, offered, asked, refused, wrong, others]
        });
        output.table(head, rows.collect::<Vec<_>>())
    }

    pub(super) fn json(&self) -> Value {
        let languages = self.languages.iter().map(|(lang, of)| {
            let counts = json!({
                "items": of.items, "right": of.right, "offered_right": of.offered_right, "asked": of.asked,
                "refused": of.refused, "wrong": of.wrong, "others": of.others, "others_right": of.others_right,
            });
            (lang.clone(), counts)
        });
        Value::Object(languages.collect())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use duru_sql::{Column, Kind};

    use super::*;

    fn answer(columns: &[&str], rows: Value) -> Answer {
        let column = |name: &&str| Column { name: (*name).to_owned(), kind: Kind::Text };
        let columns = columns.iter().map(column).collect();
        let rows = serde_json::from_value(rows).unwrap();
        Answer { columns, rows, cut: None, took: Duration::ZERO }
    }

    fn item(compare: &str) -> Item {
        let item = json!({ "id": "a", "question": "?", "compare": compare, "expect": "sql" });
        serde_json::from_value(item).unwrap()
    }

    #[test]
    fn a_question_for_lines_is_answered_by_the_same_lines() {
        let gold = answer(&["id", "message"], json!([[1, "a"], [2, "b"]]));
        assert!(fits(&item("ids"), &answer(&["level", "id"], json!([["x", 2], ["x", 1]])), &gold));
        assert!(!fits(&item("ids"), &answer(&["id"], json!([[1], [3]])), &gold));
        assert!(!fits(&item("ids"), &answer(&["message"], json!([["a"], ["b"]])), &gold));
    }

    #[test]
    fn a_question_for_a_figure_is_answered_by_it_rounded_or_not() {
        let gold = answer(&["n"], json!([[5.263_157]]));
        assert!(fits(&item("scalar"), &answer(&["n"], json!([[5.26]])), &gold));
        assert!(fits(&item("scalar"), &answer(&["a", "b"], json!([[7, 5.26]])), &gold));
        assert!(!fits(&item("scalar"), &answer(&["n"], json!([[5.3]])), &gold));
        assert!(!fits(&item("scalar"), &answer(&["a", "b", "c", "d"], json!([[1, 2, 3, 5.26]])), &gold));
    }

    #[test]
    fn what_should_be_asked_back_is_asked_about_the_right_thing() {
        let wants = |field: &str| Item { clarify_field: Some(field.to_owned()), ..item("rows") };
        let asked = Said { action: "clarify", field: Some("time,service".to_owned()), ..Said::default() };
        assert_eq!(otherwise(&wants("time"), &asked, "clarify"), Verdict::Right);
        assert_eq!(otherwise(&wants("user"), &asked, "clarify"), Verdict::Asked);
        assert_eq!(otherwise(&wants("user"), &Said { action: "sql", ..asked }, "clarify"), Verdict::Wrong);
    }
}
