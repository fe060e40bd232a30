//! `duru man`: what the help says, as pages of the manual.

use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use serde_json::json;

use crate::args;
use crate::lang::Lang;
use crate::output::Output;
use crate::problem::Problem;

/// How the sections are called that have no name of ours.
const TITLES: [(&str, &str); 4] =
    [("NAME", "이름"), ("SYNOPSIS", "사용법"), ("DESCRIPTION", "설명"), ("VERSION", "버전")];

pub(crate) fn run(folder: Option<&Path>, output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    let mut command = args::described(lang);
    command.build();
    let Some(folder) = folder else {
        let page = page(&command, lang)?;
        output.text(&page)?;
        return output.json(json!({ "page": page }));
    };
    std::fs::create_dir_all(folder)
        .map_err(|source| Problem::Folder { folder: folder.to_owned(), source })?;
    let mut files = Vec::new();
    write(&command, folder, lang, &mut files)?;
    let (count, place) = (files.len(), folder.display());
    output.text(&lang.pick(
        format!("설명서 {count}장을 {place}에 썼습니다\n"),
        format!("{count} pages written to {place}\n"),
    ))?;
    output.json(json!({ "files": files }))
}

/// A page for a command, and for each below it.
fn write(command: &Command, folder: &Path, lang: Lang, files: &mut Vec<String>) -> Result<(), Problem> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let file = folder.join(format!("{name}.1"));
    std::fs::write(&file, page(command, lang)?)
        .map_err(|source| Problem::File { file: file.clone(), source })?;
    files.push(file.display().to_string());
    for below in command.get_subcommands() {
        write(below, folder, lang, files)?;
    }
    Ok(())
}

fn page(command: &Command, lang: Lang) -> Result<String, Problem> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page).map_err(Problem::Output)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    if lang == Lang::Ko {
        for (en, ko) in TITLES {
            page = page.replace(&format!(".SH {en}\n"), &format!(".SH {ko}\n"));
        }
    }
    let examples = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    page.push_str(&section(lang.pick("예", "EXAMPLES"), examples.lines()));
    page.push_str(&section(lang.pick("종료 코드", "EXIT STATUS"), args::exit_codes(lang)));
    Ok(page)
}

/// Lines as they are, under a title that they need not repeat.
fn section<'a>(title: &str, lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = format!(".SH \"{title}\"\n.nf\n");
    for line in lines {
        let line = ["예:", "Examples:", "Example:", "종료 코드:", "Exit codes:"]
            .iter()
            .find_map(|label| line.strip_prefix(label))
            .unwrap_or(line)
            .trim();
        if !line.is_empty() {
            // Words of the formatter's own begin with a dot or a quote; a backslash always is one.
            text.push_str(&format!("\\&{}\n", line.replace('\\', "\\e").replace('-', "\\-")));
        }
    }
    text.push_str(".fi\n");
    text
}
