//! `duru logs generate`.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use duru_sql::Record;
use duru_sql::generate::{Generator, Plan};
use duru_sql::ingest;
use serde_json::{Value, json};

use super::meter::Meter;
use super::problem::Problem;
use crate::args::GenerateArgs;
use crate::output::{Form, Output, SCHEMA_VERSION};
use crate::store::Place;
use crate::text::clean;

pub(super) async fn run(args: &GenerateArgs, output: &Output) -> Result<(), crate::problem::Problem> {
    let plan = Plan {
        rows: args.rows,
        seed: args.seed,
        now: args.now.unwrap_or_else(jiff::Timestamp::now),
        days: args.days,
    };
    let mut meter = Meter::new(output);
    let rows = args.rows;
    let mut show = |done: u64| {
        meter.show(|| output.lang.pick(format!("{done}/{rows}행"), format!("{done}/{rows} rows")));
    };
    if args.dry_run {
        return would(args, output);
    }
    let lines = Generator::new(plan);
    let kept = match (&args.into, &args.out) {
        (Some(place), _) => {
            let store = super::open(Some(place)).await?.store;
            let kept = ingest::records(&*store, lines, &mut show).await.map_err(Problem::Store)?;
            store.settle().await.map_err(Problem::Store)?;
            kept
        }
        (None, Some(file)) => {
            let bad = |source: io::Error| crate::problem::Problem::File { file: file.clone(), source };
            let mut out = BufWriter::new(File::create(file).map_err(bad)?);
            let kept = write(&mut out, lines, &mut show).map_err(bad)?;
            out.into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| file.sync_all())
                .map_err(bad)?;
            kept
        }
        (None, None) => {
            let mut out = BufWriter::new(io::stdout().lock());
            let written = match output.form {
                Form::Json => as_one(&mut out, lines),
                Form::Text | Form::JsonLines => write(&mut out, lines, &mut |_| {}).map(drop),
            };
            return written.map_err(|error| match error.kind() {
                io::ErrorKind::BrokenPipe => crate::problem::Problem::NobodyReads,
                _ => crate::problem::Problem::Output(error),
            });
        }
    };
    meter.clear();
    output.text(&output.lang.pick(format!("{kept}행을 만들었습니다\n"), format!("{kept} rows made\n")))?;
    output.json(json!({"rows": kept}))
}

/// What would be made, and where it would go.
fn would(args: &GenerateArgs, output: &Output) -> Result<(), crate::problem::Problem> {
    let rows = args.rows;
    let place = match (&args.into, &args.out) {
        (Some(place), _) => Place::named(place.clone()).to_string(),
        (None, Some(file)) => file.display().to_string(),
        (None, None) => output.lang.pick("표준 출력", "standard output").to_owned(),
    };
    let shown = clean(&place);
    output.text(&output.lang.pick(
        format!("{rows}행을 만들어 {shown}에 넣을 것입니다. 아무것도 만들지 않았습니다.\n"),
        format!("{rows} rows would go to {shown}; nothing was made.\n"),
    ))?;
    output.json(json!({ "rows": 0, "would_make": rows, "to": place, "dry_run": true }))
}

/// One object for programs, written as it is made: there may be many rows.
fn as_one(out: &mut impl Write, lines: impl Iterator<Item = Record>) -> io::Result<()> {
    write!(out, "{{\"schema_version\":{SCHEMA_VERSION},\"rows\":[")?;
    for (at, record) in lines.enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, &as_row(record))?;
    }
    out.write_all(b"]}\n")?;
    out.flush()
}

fn write(
    out: &mut impl Write,
    lines: impl Iterator<Item = Record>,
    show: &mut dyn FnMut(u64),
) -> io::Result<u64> {
    let mut count = 0;
    for record in lines {
        serde_json::to_writer(&mut *out, &as_row(record))?;
        out.write_all(b"\n")?;
        count += 1;
        if count % 1024 == 0 {
            show(count);
        }
    }
    out.flush()?;
    Ok(count)
}

/// By the names of the columns.
fn as_row(record: Record) -> Value {
    json!({
        "created_at": record.created_at,
        "level": record.level,
        "log_type": record.log_type,
        "service": record.service,
        "environment": record.environment,
        "service_version": record.service_version,
        "trace_id": record.trace_id,
        "user_id": record.user_id,
        "session_id": record.session_id,
        "error_type": record.error_type,
        "message": record.message,
        "stack_trace": record.stack_trace,
        "path": record.path,
        "method": record.method,
        "action_type": record.action_type,
        "function_name": record.function_name,
        "file_path": record.file_path,
        "duration_ms": record.duration_us.map(|us| us as f64 / 1000.0),
        "deleted": record.deleted,
        "metadata": record.metadata,
    })
}
