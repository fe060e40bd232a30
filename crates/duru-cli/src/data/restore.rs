//! `duru restore FILE`: looked at whole before anything is replaced; what was there is moved aside.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use duru_logs::{BucketAddress, BucketLogs, Options};
use duru_store::SqliteFile;
use serde_json::json;

use super::DataProblem;
use super::archive::{self, named};
use super::places::Places;
use crate::args::{Args, DataArgs, Restoring};
use crate::output::Output;
use crate::problem::Problem;
use crate::store::Place;
use crate::text::clean;
use crate::{logs, serve};

pub(super) async fn run(
    file: &Path,
    how: Restoring,
    (asked, args): (&DataArgs, &Args),
    output: &Output,
) -> Result<(), Problem> {
    let places = Places::of(asked, args)?;
    // Beside the file itself: it may be large.
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let staged = tempfile::Builder::new().prefix(".duru-restore-").tempdir_in(parent);
    let staged = staged.map_err(DataProblem::io(parent))?;
    let manifest = archive::read(file, staged.path())?;
    let database = staged.path().join("store/threads.db");
    if database.exists() {
        SqliteFile::at(&database).check().map_err(Problem::Store)?;
    }
    let moves = moves(&places, staged.path())?;
    let bucket = match &places.logs {
        Place::Bucket(named) if staged.path().join("logs").exists() => Some(logs::bucket_address(named)?),
        _ => None,
    };
    is_free(&places).await?;
    if how == Restoring::Trial {
        return would(file, &moves, bucket.as_ref(), manifest.files.len(), output);
    }
    if how == Restoring::Careful {
        if let Some(there) = moves.iter().find(|one| is_there(&one.to)) {
            return Err(DataProblem::There(there.to.clone()).into());
        }
        if let Some(address) = &bucket
            && !BucketLogs::open(address, Options::default())
                .await
                .map_err(failed)?
                .is_empty()
                .await
                .map_err(failed)?
        {
            return Err(DataProblem::There(address.to_string().into()).into());
        }
    }
    let mark = format!(".before-restore-{}", jiff::Timestamp::now().strftime("%Y%m%dT%H%M%S%6f"));
    let mut aside = Vec::new();
    for one in &moves {
        // A database without its log would be another one, and so would a new one with the old one's.
        for path in [one.to.clone(), named(&one.to, "-wal"), named(&one.to, "-shm")] {
            if path.exists() {
                let old = named(&path, &mark);
                fs::rename(&path, &old).map_err(DataProblem::io(&path))?;
                aside.push(old);
            }
        }
        put(&one.from, &one.to)?;
    }
    let mut aside: Vec<String> = aside.iter().map(|old| old.display().to_string()).collect();
    if let Some(address) = &bucket {
        aside.extend(fill(&staged.path().join("logs"), address, &mark).await?);
    }
    let (shown, count) = (clean(&file.display().to_string()), manifest.files.len());
    output.text(&output.lang.pick(
        format!("{shown} ({})에서 파일 {count}개를 되살렸습니다\n", manifest.made_at),
        format!("{count} files are back from {shown} ({})\n", manifest.made_at),
    ))?;
    if let Some(place) = aside.first() {
        output.progress(&output.lang.pick(
            format!("있던 것은 옆에 있습니다: {place}, … 필요 없으면 지우세요."),
            format!("What was there is beside it: {place}, … Remove it when nobody needs it."),
        ));
    }
    for (part, _) in &manifest.databases {
        output.complain(&output.lang.pick(
            format!("{part}은(는) 이 파일에 없습니다: pg_restore --clean --if-exists --dbname=URL duru-{part}.dump"),
            format!("{part} is not in this file: pg_restore --clean --if-exists --dbname=URL duru-{part}.dump"),
        ));
    }
    output.json(json!({ "file": file, "files": count, "made_at": manifest.made_at, "moved_aside": aside }))
}

fn failed(error: duru_sql::Error) -> Problem {
    Problem::Logs(logs::Problem::Store(error))
}

/// Puts logs into a bucket. What was there is aside within it, and lines that this machine had not shipped beside them.
async fn fill(from: &Path, address: &BucketAddress, mark: &str) -> Result<Vec<String>, Problem> {
    let mut aside: Vec<String> = Vec::new();
    if let Some(folder) = address.folder().filter(|folder| folder.exists()) {
        let old = named(folder, mark);
        fs::rename(folder, &old).map_err(DataProblem::io(folder))?;
        aside.push(old.display().to_string());
    }
    let within = duru_logs::fill_bucket(from, address).await.map_err(failed)?;
    aside.extend(within.map(|within| format!("{address}/{within}")));
    Ok(aside)
}

/// What would go where, once the file was found to be sound.
fn would(
    file: &Path,
    moves: &[Move],
    bucket: Option<&BucketAddress>,
    count: usize,
    output: &Output,
) -> Result<(), Problem> {
    let lang = output.lang;
    let into = bucket
        .map(|address| [address.to_string(), lang.pick("버킷에 넣음", "put into the bucket").to_owned()]);
    let rows = moves.iter().map(|one| {
        let there = if is_there(&one.to) {
            lang.pick("있던 것은 옆으로 옮김 (--force)", "what is there is moved aside (--force)")
        } else {
            lang.pick("새로 만듦", "made")
        };
        [clean(&one.to.display().to_string()), there.to_owned()]
    });
    output.table(lang.pick(["되살릴 곳", "어떻게"], ["where", "how"]), rows.chain(into))?;
    output.progress(&lang.pick(
        format!("온전한 백업입니다: 파일 {count}개. 아무것도 바꾸지 않았습니다."),
        format!("The backup is sound: {count} files. Nothing was changed."),
    ));
    let parts: Vec<_> =
        moves.iter().map(|one| json!({ "to": one.to, "is_there": is_there(&one.to) })).collect();
    output.json(json!({ "file": file, "files": count, "would_restore": parts, "dry_run": true }))
}

struct Move {
    from: PathBuf,
    to: PathBuf,
}

/// What goes where.
fn moves(places: &Places, staged: &Path) -> Result<Vec<Move>, DataProblem> {
    let mut moves = Vec::new();
    let parts = [
        ("store/threads.db", "store", &places.store),
        ("logs", "logs", &places.logs),
        ("documents", "documents", &places.documents),
    ];
    for (name, part, place) in parts {
        let from = staged.join(name);
        match place {
            _ if !from.exists() => {}
            Place::File(to) => moves.push(Move { from, to: to.clone() }),
            // It goes there object by object.
            Place::Bucket(_) if part == "logs" => {}
            Place::Bucket(_) | Place::Url(_) => return Err(DataProblem::Elsewhere(part)),
        }
    }
    moves.push(Move { from: staged.join("uploads"), to: places.uploads.clone() });
    moves.extend(places.beside.iter().map(|(to, name)| Move { from: staged.join(name), to: to.clone() }));
    // Settings that are there are somebody's decision.
    if let Some(to) = places.settings.as_ref().filter(|to| !to.exists()) {
        moves.push(Move { from: staged.join("config.toml"), to: to.clone() });
    }
    moves.retain(|one| one.from.exists());
    Ok(moves)
}

/// Whether nobody has the data open.
async fn is_free(places: &Places) -> Result<(), Problem> {
    if let Place::File(store) = &places.store {
        let usual = crate::store::usual().is_some_and(|usual| usual == *store);
        if usual && serve::running().await.is_some() {
            return Err(DataProblem::InUse(store.clone()).into());
        }
        // One that is damaged can't be asked, and is what people want to replace.
        if store.exists() && SqliteFile::at(store).is_open().unwrap_or(false) {
            return Err(DataProblem::InUse(store.clone()).into());
        }
    }
    let folders = match &places.logs {
        Place::File(logs) => vec![logs.clone()],
        Place::Bucket(named) => tails(&logs::bucket_address(named)?),
        Place::Url(_) => Vec::new(),
    };
    for folder in folders {
        if let Ok(lock) = File::options().append(true).open(folder.join("LOCK"))
            && matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
        {
            return Err(DataProblem::InUse(folder).into());
        }
    }
    Ok(())
}

/// The folders of this machine's ingesters for a bucket.
fn tails(address: &BucketAddress) -> Vec<PathBuf> {
    let entries = address.folder().and_then(|folder| fs::read_dir(folder).ok());
    entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn is_there(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => path.exists(),
    }
}

/// Moves a file or a folder, if need be to another disk.
fn put(from: &Path, to: &Path) -> Result<(), DataProblem> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent).map_err(DataProblem::io(parent))?;
    }
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    if from.is_dir() {
        fs::create_dir_all(to).map_err(DataProblem::io(to))?;
        for entry in fs::read_dir(from).map_err(DataProblem::io(from))? {
            let entry = entry.map_err(DataProblem::io(from))?;
            put(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    fs::copy(from, to).map(drop).map_err(DataProblem::io(to))
}
