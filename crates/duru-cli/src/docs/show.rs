//! `duru docs list`, `show` and `remove`

use duru_search::index::Write;
use duru_search::remark::RemarksOf;
use duru_search::{Chunk, Document};
use serde_json::{Value, json};

use super::library::Opened;
use super::uploads::Uploads;
use super::{DocsProblem, calibrate, remarks};
use crate::args::LOCAL_USER;
use crate::output::Output;
use crate::problem::Problem;
use crate::text::clean;

pub(super) async fn list(opened: &Opened, output: &Output) -> Result<(), Problem> {
    let documents = documents(opened).await?;
    if documents.is_empty() {
        let command = output.command("docs ingest PATH");
        output.progress(&output.lang.pick(
            format!("아직 문서가 없습니다. 읽어들이려면: {command}"),
            format!("There are no documents yet. To take some in: {command}"),
        ));
    } else {
        let rows = documents.iter().map(|document| {
            [
                document.id.clone(),
                clean(&document.collection),
                document.chunks.to_string(),
                clean(&document.title),
                clean(&document.source),
            ]
        });
        let head = output.lang.pick(
            ["이름", "모음", "조각", "제목", "출처"],
            ["id", "collection", "passages", "title", "source"],
        );
        output.table(head, rows)?;
    }
    if let Some(scale) = &opened.scale {
        output.progress(&calibrate::said(scale, output.lang));
    }
    let embedder = json!({ "name": opened.embedder.name(), "scale": opened.scale });
    output.json(json!({ "documents": documents, "embedder": embedder }))
}

async fn documents(opened: &Opened) -> Result<Vec<Document>, DocsProblem> {
    opened.whole().documents(opened.collection.as_deref()).await.map_err(DocsProblem::Index)
}

pub(super) async fn show(opened: &Opened, id: &str, output: &Output) -> Result<(), Problem> {
    let found = opened.whole().chunks(&[id.to_owned()]).await.map_err(DocsProblem::Index)?;
    if let Some(chunk) = found.into_iter().next() {
        let of = RemarksOf::Passage(chunk.id.clone());
        let said = opened.index.remarks(&of).await.map_err(DocsProblem::Index)?;
        let lines: String =
            said.iter().map(|remark| format!("{}\n", remarks::line(remark, output.lang))).collect();
        output.text(&format!("{}{lines}", whole(&chunk)))?;
        let said: Vec<Value> =
            said.iter().map(|remark| remarks::as_json(remark, Some(LOCAL_USER), Some(&chunk))).collect();
        return output.json(json!({ "passage": chunk, "remarks": said }));
    }
    let chunks = opened.whole().passages(id).await.map_err(DocsProblem::Index)?;
    if chunks.is_empty() {
        return Err(DocsProblem::Unknown(id.to_owned()).into());
    }
    output.text(&chunks.iter().map(whole).collect::<Vec<_>>().join("\n"))?;
    output.json(json!({ "passages": chunks }))
}

fn whole(chunk: &Chunk) -> String {
    let place: Vec<&str> =
        [&chunk.title].into_iter().chain(&chunk.headings).chain([&chunk.name]).map(String::as_str).collect();
    let page = chunk.page.map(|page| format!(" p.{page}")).unwrap_or_default();
    let lines: Vec<String> = chunk.text.lines().map(|line| format!("  {}", clean(line))).collect();
    format!("{}  {}{page}\n{}\n", clean(&chunk.id), clean(&place.join(" > ")), lines.join("\n"))
}

pub(super) async fn remove(
    opened: &Opened,
    uploads: &Uploads,
    (id, dry_run): (&str, bool),
    output: &Output,
) -> Result<(), Problem> {
    let Some(document) = documents(opened).await?.into_iter().find(|document| document.id == id) else {
        return Err(DocsProblem::Unknown(id.to_owned()).into());
    };
    let title = clean(&document.title);
    if dry_run {
        let chunks = document.chunks;
        output.text(&output.lang.pick(
            format!("{title}과(와) 그 조각 {chunks}개를 뺄 것입니다. 아무것도 빼지 않았습니다.\n"),
            format!("{title} and its {chunks} passages would go; nothing was removed.\n"),
        ))?;
        return output.json(json!({ "would_remove": id, "passages": chunks }));
    }
    let write = Write::Remove { collection: document.collection.clone(), document: document.id.clone() };
    opened.index.apply(vec![write]).await.map_err(DocsProblem::Index)?;
    uploads.discard(&document).map_err(|source| Problem::File { file: (&document.source).into(), source })?;
    output.text(
        &output.lang.pick(format!("{title}을(를) 뺐습니다.\n"), format!("{title} is out of the index.\n")),
    )?;
    output.json(json!({ "removed": id }))
}
