//! `duru docs ingest`

use std::path::{Path, PathBuf};

use duru_search::ingest::{Ingest, Progress, Report};
use duru_search::meaning::MOST_PASSAGES;
use duru_search::{Access, sample};
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
    dry_run: bool,
    output: &Output,
) -> Result<(), Problem> {
    let mut shown = 0;
    let what = Ingest { dry_run, ..wanted(opened, paths, None, category) };
    let told = |progress| tell(progress, &mut shown, output);
    let report = opened.library().ingest(&what, told).await.map_err(DocsProblem::Ingest)?;
    for skipped in &report.skipped {
        let (path, error) = (skipped.path.display().to_string(), &skipped.error);
        let line = output.lang.pick(
            format!("건너뜀[{}]: {path}: {}", error.code(), output.lang.of_document(error)),
            format!("skipped[{}]: {path}: {error}", error.code()),
        );
        output.complain(&clean(&line));
    }
    for blank in &report.blank {
        let (path, pages) = (blank.path.display().to_string(), blank.listed());
        let line = output.lang.pick(
            format!("{path}: {pages}쪽에는 글이 없습니다. 스캔한 쪽이면 글자를 인식시킨 뒤 다시 넣으세요."),
            format!("{path}: no text on page {pages}. If these are scans, have their text recognised and take the file in again."),
        );
        output.complain(&clean(&line));
    }
    if report.by_words {
        let most = MOST_PASSAGES;
        output.complain(&output.lang.pick(
            format!("조각이 {most}개를 넘어 내장 임베더로는 뜻을 비교하지 않고 낱말로만 찾습니다. 뜻으로도 찾으려면 DURU_EMBEDDING에 임베딩 서비스를 적으세요."),
            format!("There are more than {most} passages: the bundled embedder leaves new ones out, and they are found by their words alone. DURU_EMBEDDING names a service that embeds them all."),
        ));
    }
    if report.added > 0 && !dry_run && opened.collection() != sample::COLLECTION {
        let gone = sample::remove(&*opened.index).await.map_err(DocsProblem::Index)?;
        if gone > 0 {
            output.progress(output.lang.pick(
                "이제 여러분의 문서가 있으므로 견본 문서를 뺐습니다.",
                "The sample documents are out of the index, now that there are yours.",
            ));
        }
    }
    output.text(&summary(&report, dry_run, output))?;
    let mut told = as_json(&report);
    told["dry_run"] = dry_run.into();
    let read = report.added + report.updated + report.unchanged + report.removed;
    if read == 0 && !report.skipped.is_empty() {
        return Err(Problem::from(DocsProblem::NothingRead(report.skipped.len())).after(told, output));
    }
    output.json(told)
}

/// Files that somebody sent, and what they say about them.
pub(crate) struct Sent<'a> {
    pub(crate) paths: &'a [PathBuf],
    pub(crate) owner: Option<&'a str>,
    pub(crate) collection: Option<&'a str>,
    pub(crate) category: Option<&'a str>,
    /// As they were before, where nobody says.
    pub(crate) access: Option<Access>,
}

/// Takes files of a folder in, into the collection that is named here or with the index. Whoever reads them is not told
/// where the folder lies.
pub(crate) async fn take_in(opened: &Opened, folder: &Path, sent: Sent<'_>) -> Result<Report, DocsProblem> {
    let mut wanted = wanted(opened, sent.paths, sent.collection, sent.category);
    wanted.within = Some(folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
    wanted.owner = sent.owner.map(str::to_owned);
    wanted.access = sent.access;
    opened.library().ingest(&wanted, |_| {}).await.map_err(DocsProblem::Ingest)
}

fn wanted(opened: &Opened, paths: &[PathBuf], collection: Option<&str>, category: Option<&str>) -> Ingest {
    Ingest {
        collection: collection.unwrap_or_else(|| opened.collection()).to_owned(),
        category: category.map(str::to_owned),
        read: worker::reader(),
        ..Ingest::of(paths.iter().cloned())
    }
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

fn summary(report: &Report, dry_run: bool, output: &Output) -> String {
    let Report { added, updated, unchanged, removed, passages, skipped, .. } = report;
    let skipped = skipped.len();
    let (ko, en) = match dry_run {
        true => ("개가 됩니다. 아무것도 적지 않았습니다", "passages; nothing was written"),
        false => ("개를 적었습니다", "passages written"),
    };
    output.lang.pick(
        format!("새 문서 {added}, 바뀐 문서 {updated}, 그대로 {unchanged}, 없어진 문서 {removed}, 건너뜀 {skipped}; 조각 {passages}{ko}.\n"),
        format!("{added} added, {updated} updated, {unchanged} unchanged, {removed} removed, {skipped} skipped; {passages} {en}.\n"),
    )
}

pub(crate) fn as_json(report: &Report) -> Value {
    let skipped: Vec<Value> = report
        .skipped
        .iter()
        .map(|skipped| json!({ "path": skipped.path, "code": skipped.error.code(), "reason": skipped.error.to_string() }))
        .collect();
    // By its name alone: where this machine keeps uploads is nobody's business.
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let blank: Vec<Value> =
        report.blank.iter().map(|blank| json!({ "file": name(&blank.path), "pages": blank.pages })).collect();
    json!({
        "pages_without_text": blank, "by_words_alone": report.by_words,
        "added": report.added, "updated": report.updated, "unchanged": report.unchanged,
        "removed": report.removed, "passages": report.passages, "skipped": skipped,
    })
}
