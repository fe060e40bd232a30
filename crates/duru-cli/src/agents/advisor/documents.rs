//! Documents that the advisor made, as files.

use std::path::PathBuf;

use anyhow::Context as _;
use duru::memory::Memory;
use duru_agents::advisor::Advice;
use duru_agents::advisor::draft::Shelf;

use crate::args::{Args, LOCAL_USER};
use crate::memory::problem;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;
use crate::text::clean;

/// Writes the documents of an answer into the current folder, and says where.
pub(super) async fn write(end: &Advice, args: &Args, output: &Output) -> Result<Vec<PathBuf>, Problem> {
    let made = end.final_response.iter().flat_map(|answer| &answer.documents);
    let mut files = Vec::new();
    for filed in made {
        let stores = store::open_or_make(args.store.as_ref()).await?.stores;
        let shelf = Shelf::new(Memory::new(stores.memories));
        // One that a server elsewhere made is had from there; the answer says under which address.
        let Some(document) = shelf.get(LOCAL_USER, &filed.id).await.map_err(problem)? else { continue };
        let folder = std::env::current_dir().context("the current folder").map_err(Problem::Unexpected)?;
        let short: String = document.id.chars().take(8).collect();
        let path = folder.join(format!("lease-{short}.docx"));
        std::fs::write(&path, &document.bytes)
            .with_context(|| format!("{} can't be written", path.display()))
            .map_err(Problem::Unexpected)?;
        let shown = clean(&path.display().to_string());
        output.progress(
            &output.lang.pick(format!("문서를 저장했습니다: {shown}"), format!("The document is in {shown}")),
        );
        files.push(path);
    }
    Ok(files)
}
