//! Whether threads can be kept.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use duru::memory::{Address, Namespace, Put};
use duru_server::Stores;

use super::finding::Finding;
use crate::lang::Lang;
use crate::reasons::with_detail;
use crate::store::{Place, open_existing, usual};

const CHECK: (&str, &str) = ("저장소", "store");

pub(super) async fn check(given: Option<&Place>, lang: Lang) -> Vec<Finding> {
    vec![match (given, usual()) {
        (Some(Place::File(file)), _) if !file.exists() => not_made_yet(file, lang),
        (None, Some(file)) if !file.exists() => not_made_yet(&file, lang),
        (None, None) => Finding::fair(
            CHECK,
            lang.pick(
                "데이터 폴더를 알 수 없어 임시 폴더를 씁니다".to_owned(),
                "there is no data folder, so a temporary one is used".to_owned(),
            ),
            lang.pick(
                "--store나 DURU_STORE로 파일을 정하세요".to_owned(),
                "name a file with --store or DURU_STORE".to_owned(),
            ),
        ),
        (given, _) => there(given, lang).await,
    }]
}

/// A store that is there can be opened, written and read.
async fn there(given: Option<&Place>, lang: Lang) -> Finding {
    let fix = || {
        lang.pick(
            "경로와 권한, 데이터베이스 서버를 확인하거나 --store로 다른 곳을 정하세요".to_owned(),
            "check the path, its permissions and the database's server, or name another place with --store"
                .to_owned(),
        )
    };
    let opened = match open_existing(given).await {
        Ok(Some(opened)) => opened,
        Ok(None) => {
            return Finding::bad(
                CHECK,
                lang.pick("저장소가 없습니다".to_owned(), "there is no store".to_owned()),
                fix(),
            );
        }
        Err(problem) => return Finding::bad(CHECK, problem.what(lang), fix()),
    };
    let place = &opened.place;
    match write(&opened.stores).await {
        Ok(()) => Finding::good(
            CHECK,
            lang.pick(format!("{place}: 읽고 쓸 수 있습니다"), format!("{place} can be read and written")),
        ),
        Err(error) => Finding::bad(
            CHECK,
            lang.pick(
                with_detail(format_args!("{place}에 쓸 수 없습니다"), &error),
                format!("{place} can't be written: {error}"),
            ),
            fix(),
        ),
    }
}

/// Keeps something and forgets it again.
async fn write(stores: &Stores) -> anyhow::Result<()> {
    let at = Address::new(Namespace::new(["duru-doctor"])?, "probe")?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
    // Should it not be forgotten, it goes by itself.
    let put = Put::new(at.clone(), serde_json::json!({ "at": now }), Some(Duration::from_secs(60)))?;
    stores.memories.put(put, now).await?;
    let found = stores.memories.get(&at, false, now).await?;
    stores.memories.forget(&at, now).await?;
    anyhow::ensure!(found.is_some(), "what was written was not there to be read");
    Ok(())
}

/// The first run makes it: can it?
fn not_made_yet(file: &Path, lang: Lang) -> Finding {
    let folder = file.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    let probe = folder.join(format!(".duru-doctor-{}", std::process::id()));
    let shown = file.display();
    match std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)) {
        Ok(()) => Finding::good(
            CHECK,
            lang.pick(
                format!("{shown}: 아직 없으며, 처음 쓸 때 만들어집니다"),
                format!("{shown} is not there yet; the first run makes it"),
            ),
        ),
        Err(error) => Finding::bad(
            CHECK,
            lang.pick(
                format!("{shown}을(를) 만들 수 없습니다: {}", lang.of_system(&error)),
                format!("{shown} can't be made: {error}"),
            ),
            lang.pick(
                "쓸 수 있는 곳을 --store로 정하세요".to_owned(),
                "name a place that you may write to with --store".to_owned(),
            ),
        ),
    }
}
