//! One query for a person, or many as JSON lines for a program.

use std::io::BufRead;
use std::path::Path;

use duru_sql::Catalog;
use duru_sql::guard::{Guard, Lang, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::args::SqlArgs;
use crate::output::{Form, Output};
use crate::problem::Problem;
use crate::reasons::with_detail;
use crate::text::{clean_lines, escaped};

/// A line of the input.
#[derive(Deserialize)]
struct Asked {
    id: Value,
    sql: String,
}

/// A line of the output.
#[derive(Serialize)]
struct Answered {
    id: Value,
    action: &'static str,
    sql: Option<String>,
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'static str>,
}

pub(crate) fn check(args: &SqlArgs, output: &Output) -> Result<(), Problem> {
    let guard = Guard::new(catalog(args.schema.as_deref())?);
    match &args.sql {
        Some(sql) => one(&guard, sql, output),
        None => lines(&guard, output),
    }
}

fn catalog(file: Option<&Path>) -> Result<Catalog, Problem> {
    let Some(file) = file else { return Ok(Catalog::logs()) };
    let broken = |reason: String| Problem::Schema { file: file.to_owned(), reason };
    let json = std::fs::read_to_string(file).map_err(|error| broken(error.to_string()))?;
    Catalog::read_json(&json).map_err(|error| broken(error.to_string()))
}

fn one(guard: &Guard, sql: &str, output: &Output) -> Result<(), Problem> {
    let checked = guard.check(sql).map_err(Problem::Refused)?;
    output.text(&format!("{}\n", clean_lines(checked.sql())))?;
    if checked.soft_delete_added() {
        output.progress(output.lang.pick(
            "삭제된 행을 빼는 조건을 더했습니다",
            "a condition was added that leaves out deleted rows",
        ));
    }
    output.json(json!({
        "action": "accept", "sql": checked.sql(), "soft_delete_added": checked.soft_delete_added(),
    }))
}

fn lines(guard: &Guard, output: &Output) -> Result<(), Problem> {
    let mut results = Vec::new();
    for (index, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| unread(index, &error.to_string(), output))?;
        if line.trim().is_empty() {
            continue;
        }
        let asked: Asked =
            serde_json::from_str(&line).map_err(|error| unread(index, &error.to_string(), output))?;
        let answered = json!(answer(guard, asked));
        match output.form {
            Form::Text => output.text(&format!("{}\n", escaped(&answered.to_string())))?,
            Form::JsonLines => output.event("result", answered)?,
            Form::Json => results.push(answered),
        }
    }
    if output.form == Form::Json { output.json(json!({ "results": results })) } else { Ok(()) }
}

fn answer(guard: &Guard, asked: Asked) -> Answered {
    let Asked { id, sql } = asked;
    match guard.check(&sql) {
        Ok(checked) => {
            Answered { id, action: "accept", sql: Some(checked.sql().into()), reason: None, rule: None }
        }
        Err(refusal) => Answered {
            id,
            action: "reject",
            sql: None,
            rule: Some(refusal.rule.code()),
            reason: Some(in_both(&refusal)),
        },
    }
}

/// For programs that pass it on to people of either language.
fn in_both(refusal: &Refusal) -> String {
    format!("{} / {}", refusal.text(Lang::Ko), refusal.text(Lang::En))
}

fn unread(index: usize, error: &str, output: &Output) -> Problem {
    let line = index + 1;
    Problem::Usage(output.lang.pick(
        with_detail(format_args!("{line}번째 줄은 {{\"id\", \"sql\"}} JSON이 아닙니다"), error),
        format!("line {line} is no JSON {{\"id\", \"sql\"}}: {error}"),
    ))
}
