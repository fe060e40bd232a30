//! `duru docs calibrate`: how near unrelated passages are, by the embedder that is configured.

use std::path::{Path, PathBuf};

use duru_search::retrieve::Scale;
use serde_json::json;

use super::DocsProblem;
use super::library::Opened;
use crate::args::DocsPlace;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;
use crate::store::Place;
use crate::text::clean;

pub(super) async fn run(opened: &Opened, place: &DocsPlace, output: &Output) -> Result<(), Problem> {
    let scale = Scale::measure(&*opened.index, &*opened.embedder).await.map_err(DocsProblem::Search)?;
    let scale = scale.ok_or(DocsProblem::TooFew)?;
    let file = file(place);
    write(&file, &scale).map_err(|error| DocsProblem::File(file.clone(), error))?;
    output.text(&format!("{}\n", said(&scale, output.lang)))?;
    output.json(json!({ "scale": scale }))
}

/// What a scale says, for people.
pub(super) fn said(scale: &Scale, lang: Lang) -> String {
    let Scale { embedder, median, nearest, passages, .. } = scale;
    let embedder = clean(embedder);
    lang.pick(
        format!("임베딩 {embedder}: 서로 무관한 조각은 가운데값 {median:.2}, 백에 하나는 {nearest:.2}보다 가깝습니다 (조각 {passages}개로 잼)."),
        format!("Embedder {embedder}: unrelated passages are {median:.2} near on median, one pair in a hundred is above {nearest:.2} (measured on {passages} passages)."),
    )
}

/// In the index's folder; beside the usual one for an index on a server, of which each machine has its own.
fn file(place: &DocsPlace) -> PathBuf {
    match &place.index {
        Some(Place::Url(_)) => super::folder(place).with_file_name("documents-scale.json"),
        _ => super::folder(place).join("scale.json"),
    }
}

/// The scale that was measured; none where there is none that can be read, as before the first time.
pub(super) fn read(place: &DocsPlace) -> Option<Scale> {
    serde_json::from_slice(&std::fs::read(file(place)).ok()?).ok()
}

/// Whole or not at all.
fn write(file: &Path, scale: &Scale) -> std::io::Result<()> {
    let part = file.with_extension("part");
    std::fs::write(&part, serde_json::to_vec_pretty(scale)?)?;
    std::fs::rename(part, file)
}
