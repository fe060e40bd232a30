//! `duru logs ingest`.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use duru_sql::ingest::{Mapping, Settings, Summary, find};
use serde_json::{Value, json};

use super::meter::Meter;
use super::problem::{Problem, lang};
use super::{preview, take};
use crate::args::IngestArgs;
use crate::output::Output;
use crate::text::clean;

pub(super) async fn run(args: &IngestArgs, output: &Output) -> Result<(), crate::problem::Problem> {
    let settings = asked(args)?;
    let found = find(&args.paths).map_err(|error| Problem::File {
        file: args.paths.iter().find(|path| !path.exists()).cloned().unwrap_or_default(),
        error: error.into(),
    })?;
    if found.files.is_empty() {
        return Err(Problem::NoFiles.into());
    }
    let store = match args.dry_run {
        true => None,
        false => Some(super::open(args.logs.as_deref()).await?.store),
    };
    let settings = Arc::new(settings);
    let seen = match args.dry_run {
        true => preview::show(&found.files, &settings, output)?,
        false => Vec::new(),
    };
    let (started, mut meter) = (Instant::now(), Meter::new(output));
    let done = take::files(store.clone(), settings, &found.files, &mut |progress| {
        meter.show(|| {
            let percent = 100 * progress.bytes / found.bytes.max(1);
            let speed = progress.rows as f64 / started.elapsed().as_secs_f64();
            output.lang.pick(
                format!("{percent}% · {}행 · 초당 {speed:.0}행 · 오류 {}행", progress.rows, progress.bad),
                format!("{percent}% · {} rows · {speed:.0} rows/s · {} bad", progress.rows, progress.bad),
            )
        });
    })
    .await;
    meter.clear();
    let summary = done.map_err(|(file, error)| match error {
        duru_sql::ingest::Error::Store(error) => Problem::Store(error),
        error => Problem::File { file, error },
    })?;
    if let Some(store) = store {
        store.settle().await.map_err(Problem::Store)?;
    }
    tell(&summary, args.dry_run.then_some(seen), started.elapsed().as_secs_f64(), output)
}

fn tell(
    summary: &Summary,
    dry_run: Option<Vec<Value>>,
    seconds: f64,
    output: &Output,
) -> Result<(), crate::problem::Problem> {
    for (file, bad) in &summary.listed {
        output.complain(&clean(&format!("{}: {}", file.display(), bad.text(lang(output.lang)))));
    }
    let Summary { files, kept, again, bad, .. } = summary;
    let new = kept - again;
    let formats = match dry_run {
        Some(_) => Vec::new(),
        None => preview::formats(summary, output),
    };
    output.text(&match dry_run.is_some() {
        true => output.lang.pick(
            format!("파일 {files}개: 읽을 수 있는 행 {kept}, 오류 {bad} (넣지 않았습니다)\n"),
            format!("{files} file(s): {kept} rows are fine, {bad} are bad (nothing was kept)\n"),
        ),
        false => output.lang.pick(
            format!("파일 {files}개: 새로 {new}행, 이미 있던 {again}행, 오류 {bad}행, {seconds:.1}초\n"),
            format!("{files} file(s): {new} new rows, {again} kept before, {bad} bad, {seconds:.1} s\n"),
        ),
    })?;
    let rows: Vec<_> = summary
        .listed
        .iter()
        .map(|(file, bad)| {
            json!({"file": file.to_string_lossy(), "row": bad.row, "reason": bad.reason.text(lang(output.lang))})
        })
        .collect();
    let tried = dry_run.is_some();
    let mut answer = json!({"files": files, "kept": kept, "new": new, "again": again, "bad": bad, "bad_rows": rows, "dry_run": tried});
    answer["formats"] = dry_run.unwrap_or(formats).into();
    match *bad {
        0 => output.json(answer),
        bad => {
            Err(crate::problem::Problem::from(Problem::BadRows { bad, dry_run: tried }).after(answer, output))
        }
    }
}

fn asked(args: &IngestArgs) -> Result<Settings, Problem> {
    let mut mapping = mapping(args.map.as_deref())?;
    if args.timezone.is_some() {
        mapping.timezone.clone_from(&args.timezone);
    }
    mapping.mask |= args.mask;
    mapping.keep_ids |= args.keep_ids;
    Settings::new(&mapping).map_err(Problem::Settings)
}

/// How rows are read, by a file or as usual.
pub(crate) fn settings(file: Option<&Path>) -> Result<Settings, Problem> {
    Settings::new(&mapping(file)?).map_err(Problem::Settings)
}

fn mapping(file: Option<&Path>) -> Result<Mapping, Problem> {
    file.map_or_else(|| Ok(Mapping::default()), config)
}

/// A file of settings.
pub(crate) fn config<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T, Problem> {
    let bad = |reason: String| Problem::Config { file: file.to_owned(), reason };
    let text = std::fs::read(file).map_err(|error| bad(error.to_string()))?;
    serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))
}
