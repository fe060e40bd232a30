//! `duru man`: what the help says, as pages of the manual.

use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use serde_json::json;

use crate::args;
use crate::output::Output;
use crate::problem::Problem;

pub(crate) fn run(folder: Option<&Path>, output: &Output) -> Result<(), Problem> {
    let mut command = args::described(output.lang);
    command.build();
    let Some(folder) = folder else {
        let page = page(&command)?;
        output.text(&page)?;
        return output.json(json!({ "page": page }));
    };
    std::fs::create_dir_all(folder)
        .map_err(|source| Problem::Folder { folder: folder.to_owned(), source })?;
    let mut files = Vec::new();
    write(&command, folder, &mut files)?;
    let (count, place) = (files.len(), folder.display());
    output.text(&output.lang.pick(
        format!("설명서 {count}장을 {place}에 썼습니다\n"),
        format!("{count} pages written to {place}\n"),
    ))?;
    output.json(json!({ "files": files }))
}

/// A page for a command, and for each below it.
fn write(command: &Command, folder: &Path, files: &mut Vec<String>) -> Result<(), Problem> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let file = folder.join(format!("{name}.1"));
    std::fs::write(&file, page(command)?).map_err(|source| Problem::File { file: file.clone(), source })?;
    files.push(file.display().to_string());
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write(below, folder, files)?;
    }
    Ok(())
}

fn page(command: &Command) -> Result<String, Problem> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(Problem::Output)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
