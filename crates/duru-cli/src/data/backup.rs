//! `duru backup FILE`: everything as it is at about one moment, while others may use it.

use std::fs;
use std::io;
use std::path::Path;

use duru_store::SqliteFile;
use serde_json::json;

use super::archive::{self, all_files};
use super::places::Places;
use super::{DataProblem, archive::Manifest};
use crate::args::{Args, DataArgs};
use crate::output::Output;
use crate::problem::Problem;
use crate::store::Place;
use crate::text::clean;
use crate::{logs, settings};

/// So often a folder may change under our hands.
const ATTEMPTS: usize = 20;

pub(super) async fn run(
    file: &Path,
    (asked, args): (&DataArgs, &Args),
    output: &Output,
) -> Result<(), Problem> {
    if file.exists() {
        return Err(DataProblem::Exists(file.to_owned()).into());
    }
    let places = Places::of(asked, args)?;
    let manifest = make(&places, file).await?;
    let bytes: u64 = manifest.files.iter().map(|entry| entry.bytes).sum();
    let (shown, count) = (clean(&file.display().to_string()), manifest.files.len());
    output.text(&output.lang.pick(
        format!("{shown}: 파일 {count}개, {bytes}바이트\n"),
        format!("{shown}: {count} files, {bytes} bytes\n"),
    ))?;
    for (part, command) in &manifest.databases {
        output.complain(&output.lang.pick(
            format!("{part}은(는) PostgreSQL에 있어 이 파일에 없습니다. 따로 복사하세요: {command}"),
            format!("{part} is in PostgreSQL and not in this file. Copy it with: {command}"),
        ));
    }
    output.json(json!({
        "file": file, "files": count, "bytes": bytes, "made_at": manifest.made_at,
        "not_in_it": manifest.databases.iter()
            .map(|(part, command)| json!({ "part": part, "command": command })).collect::<Vec<_>>(),
    }))
}

async fn make(places: &Places, file: &Path) -> Result<Manifest, Problem> {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let staged = tempfile::Builder::new().prefix(".duru-backup-").tempdir_in(parent);
    let staged = staged.map_err(DataProblem::io(parent))?;
    let folder = staged.path();
    let make = |name: &str| fs::create_dir(folder.join(name)).map_err(DataProblem::io(folder));
    make("store")?;
    if let Place::File(store) = &places.store
        && store.exists()
    {
        SqliteFile::at(store).copy_to(&folder.join("store/threads.db")).map_err(Problem::Store)?;
    }
    for (path, name) in &places.beside {
        if path.is_file() {
            fs::copy(path, folder.join(name)).map_err(DataProblem::io(path))?;
        }
    }
    copy_logs(&places.logs, &folder.join("logs")).await?;
    if let Place::File(documents) = &places.documents {
        copy_at_rest(documents, &folder.join("documents")).map_err(DataProblem::io(documents))?;
    }
    copy_at_rest(&places.uploads, &folder.join("uploads")).map_err(DataProblem::io(&places.uploads))?;
    if let Some(path) = &places.settings
        && let Ok(text) = fs::read_to_string(path)
    {
        fs::write(folder.join("config.toml"), without_secrets(&text)).map_err(DataProblem::io(folder))?;
    }
    let dumps = places.dumps().into_iter().map(|(part, command)| (part.to_owned(), command)).collect();
    Ok(archive::write(folder, file, dumps)?)
}

/// What is in a bucket becomes a folder.
async fn copy_logs(logs: &Place, to: &Path) -> Result<(), logs::Problem> {
    match logs {
        Place::File(logs) if logs.is_dir() => duru_logs::copy_folder(logs, to).map_err(logs::Problem::Store),
        Place::Bucket(address) => {
            let address = logs::bucket_address(address)?;
            duru_logs::copy_bucket(&address, to).await.map_err(logs::Problem::Store)
        }
        Place::File(_) | Place::Url(_) => Ok(()),
    }
}

/// Copies a folder of files that are replaced and never changed, such as an index: again, if some came or went
/// meanwhile.
fn copy_at_rest(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    for _ in 0..ATTEMPTS {
        let before = look(from)?;
        let copied = before.iter().try_for_each(|(path, ..)| {
            let target = to.join(path.strip_prefix(from).unwrap_or(path));
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::copy(path, target).map(drop)
        });
        match copied {
            Ok(()) if look(from)? == before => return Ok(()),
            Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
            _ => {}
        }
        if to.exists() {
            fs::remove_dir_all(to)?;
        }
    }
    Err(io::Error::other("it changes too fast to be copied"))
}

/// What there is, without the locks of those who use it.
fn look(folder: &Path) -> io::Result<Vec<(std::path::PathBuf, u64, Option<std::time::SystemTime>)>> {
    let mut seen = Vec::new();
    for path in all_files(folder)? {
        if path.extension().is_none_or(|extension| extension != "lock") {
            let found = fs::metadata(&path)?;
            seen.push((path, found.len(), found.modified().ok()));
        }
    }
    Ok(seen)
}

/// Settings that may be seen by whoever has the file.
fn without_secrets(text: &str) -> String {
    let Ok(table) = text.parse::<toml::Table>() else { return String::new() };
    let secrets: Vec<String> =
        settings::known().into_iter().filter(|known| known.is_secret).map(|known| known.name).collect();
    let secret = |key: &str| {
        let name = key.to_ascii_uppercase().replace(['-', '.'], "_");
        let ends = ["KEY", "TOKEN", "SECRET", "PASSWORD"].iter().any(|end| name.ends_with(end));
        ends || secrets.iter().any(|known| *known == name || *known == format!("DURU_{name}"))
    };
    let kept: toml::Table = table
        .into_iter()
        .filter(|(key, _)| !secret(key))
        .map(|(key, value)| match value {
            // Without the password that may be in it.
            toml::Value::String(text) if !matches!(Place::named(text.clone()), Place::File(_)) => {
                (key, Place::named(text).to_string().into())
            }
            value => (key, value),
        })
        .collect();
    kept.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_copied_without_keys_and_passwords() {
        let text = "lang = \"ko\"\nanthropic_api_key = \"s3cret\"\nmolit_key = \"s3cret\"\n\
            store = \"postgres://kim:s3cret@db/app\"\nmy-token = \"s3cret\"\n";
        let kept = without_secrets(text);
        assert!(!kept.contains("s3cret"), "{kept}");
        assert!(kept.contains("lang = \"ko\"") && kept.contains("postgres://kim@db/app"), "{kept}");
    }
}
