//! How log files would be read: what `duru logs ingest --dry-run` shows.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use duru_sql::ingest::{Detected, Preview, Settings, Summary, preview};
use serde_json::{Value, json};

use super::problem::{Problem, lang};
use crate::output::Output;
use crate::text::clean;

/// So many files are shown.
const FILES: usize = 5;

/// So many rows of each.
const ROWS: usize = 3;

/// Of a message.
const CHARS: usize = 100;

/// Shows the first files, and gives the same as JSON.
pub(super) fn show(
    files: &[PathBuf],
    settings: &Settings,
    output: &Output,
) -> Result<Vec<Value>, crate::problem::Problem> {
    let mut all = Vec::new();
    for file in files.iter().take(FILES) {
        let failed = |error| Problem::File { file: file.clone(), error };
        // Its columns have their names already.
        if duru_logs::is_parquet(file).map_err(|error| failed(error.into()))? {
            continue;
        }
        let seen = preview(file, settings, ROWS).map_err(failed)?;
        output.text(&clean_lines(&words(file, &seen, output)))?;
        all.push(as_json(file, &seen, output));
    }
    Ok(all)
}

/// What files were read as; what was taken for granted is said aloud.
pub(super) fn formats(summary: &Summary, output: &Output) -> Vec<Value> {
    let told = |(file, detected): &(PathBuf, Detected)| {
        let notes = detected.notes(lang(output.lang));
        for note in &notes {
            output.complain(&clean(&format!("{}: {note}", file.display())));
        }
        json!({"file": file.to_string_lossy(), "format": detected.format.text(lang(output.lang)), "notes": notes})
    };
    summary.detected.iter().map(told).collect()
}

fn clean_lines(text: &str) -> String {
    text.lines().map(|line| clean(line) + "\n").collect()
}

fn words(file: &Path, seen: &Preview, output: &Output) -> String {
    let Preview { detected, columns, metadata, records, rows, bad } = seen;
    let lang = lang(output.lang);
    let mut text = format!("{}: {}\n", file.display(), detected.format.text(lang));
    let mut line = |name: &str, rest: &str| {
        let _ = writeln!(text, "  {name}: {rest}");
    };
    let (good, all) = (rows - bad.len(), rows);
    line(
        output.lang.pick("읽음", "read"),
        &output.lang.pick(format!("처음 {all}행 중 {good}행"), format!("{good} of the first {all} rows")),
    );
    for note in detected.notes(lang) {
        line(output.lang.pick("주의", "note"), note);
    }
    let source = |it: &duru_sql::ingest::ColumnSource| match it.field == it.column {
        true => it.column.to_owned(),
        false => format!("{} ← {}", it.column, it.field),
    };
    line(output.lang.pick("열", "columns"), &columns.iter().map(source).collect::<Vec<_>>().join(", "));
    if !metadata.is_empty() {
        line("metadata", &metadata.join(", "));
    }
    for record in records {
        let message: String = record.message.replace('\n', " ").chars().take(CHARS).collect();
        let (time, level, service) = (record.created_at, record.level.word(), &record.service);
        line(output.lang.pick("행", "row"), &format!("{time} {level} {service} {message}"));
    }
    text
}

fn as_json(file: &Path, seen: &Preview, output: &Output) -> Value {
    let lang = lang(output.lang);
    let columns: serde_json::Map<_, _> =
        seen.columns.iter().rev().map(|it| (it.column.to_owned(), Value::from(it.field.clone()))).collect();
    json!({
        "file": file.to_string_lossy(),
        "format": seen.detected.format.text(lang),
        "notes": seen.detected.notes(lang),
        "columns": columns,
        "metadata": seen.metadata,
        "rows": seen.records,
    })
}
