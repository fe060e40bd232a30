//! `duru docs ingest`

use std::path::PathBuf;

use duru_search::ingest::{Ingest, Progress, Report};
use duru_search::sample;
use serde_json::{Value, json};

use super::library::Opened;
use super::{DocsProblem, worker};
use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean;

pub(super) async fn run(
    opened: &Opened,
    paths: &[PathBuf],
    category: Option<&str>,
    output: &Output,
) -> Result<(), Problem> {
    let mut ingest = Ingest::of(paths.iter().cloned());
    ingest.collection = opened.collection().to_owned();
    ingest.category = category.map(str::to_owned);
    ingest.read = worker::reader();
    let mut shown = 0;
    let report = opened.library().ingest(&ingest, |progress| tell(progress, &mut shown, output)).await;
    let report = report.map_err(DocsProblem::Ingest)?;
    for skipped in &report.skipped {
        let (path, error) = (skipped.path.display().to_string(), &skipped.error);
        let line = output.lang.pick(
            format!("건너뜀[{}]: {path}: {error}", error.code()),
            format!("skipped[{}]: {path}: {error}", error.code()),
        );
        output.complain(&clean(&line));
    }
    if report.added > 0 && opened.collection() != sample::COLLECTION {
        let gone = sample::remove(&*opened.index).await.map_err(DocsProblem::Index)?;
        if gone > 0 {
            output.progress(output.lang.pick(
                "이제 여러분의 문서가 있으므로 견본 문서를 뺐습니다.",
                "The sample documents are out of the index, now that there are yours.",
            ));
        }
    }
    output.text(&summary(&report, output))?;
    output.json(as_json(&report))?;
    let read = report.added + report.updated + report.unchanged + report.removed;
    if read == 0 && !report.skipped.is_empty() {
        return Err(DocsProblem::NothingRead(report.skipped.len()).into());
    }
    Ok(())
}

/// A line for every twentieth part.
fn tell(progress: Progress, shown: &mut usize, output: &Output) {
    let part = progress.done * 20 / progress.of.max(1);
    if part > *shown || progress.done == progress.of {
        *shown = part;
        let (done, of, passages) = (progress.done, progress.of, progress.passages);
        output.progress(&output.lang.pick(
            format!("{done}/{of} 파일, 조각 {passages}개"),
            format!("{done} of {of} files, {passages} passages"),
        ));
    }
}

fn summary(report: &Report, output: &Output) -> String {
    let Report { added, updated, unchanged, removed, passages, skipped } = report;
    let skipped = skipped.len();
    output.lang.pick(
        format!("새 문서 {added}, 바뀐 문서 {updated}, 그대로 {unchanged}, 없어진 문서 {removed}, 건너뜀 {skipped}; 조각 {passages}개를 적었습니다.\n"),
        format!("{added} added, {updated} updated, {unchanged} unchanged, {removed} removed, {skipped} skipped; {passages} passages written.\n"),
    )
}

fn as_json(report: &Report) -> Value {
    let skipped: Vec<Value> = report
        .skipped
        .iter()
        .map(|skipped| json!({ "path": skipped.path, "code": skipped.error.code(), "reason": skipped.error.to_string() }))
        .collect();
    json!({
        "added": report.added, "updated": report.updated, "unchanged": report.unchanged,
        "removed": report.removed, "passages": report.passages, "skipped": skipped,
    })
}
