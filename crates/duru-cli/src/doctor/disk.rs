//! Whether there is room where threads are kept.

use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::lang::Lang;
use crate::store::{Place, usual};

const CHECK: (&str, &str) = ("디스크", "disk");
const MIB: u64 = 1 << 20;
/// A store needs room for its log beside it; below this a busy one stops within minutes.
const LEAST: u64 = 100 * MIB;
const COMFORTABLE: u64 = 1024 * MIB;

pub(super) fn check(given: Option<&Place>, lang: Lang) -> Vec<Finding> {
    let file = match given {
        Some(Place::File(file)) => Some(file.clone()),
        // A database's disk is the concern of its server.
        Some(Place::Url(_) | Place::Bucket(_)) => return Vec::new(),
        None => usual(),
    };
    let file = file.unwrap_or_else(std::env::temp_dir);
    let file = std::path::absolute(&file).unwrap_or(file);
    let Some(folder) = file.ancestors().find(|folder| folder.is_dir()).map(Path::to_owned) else {
        return Vec::new();
    };
    free(&folder).map(|free| judge(free, &folder, lang)).into_iter().collect()
}

fn judge(free: u64, folder: &Path, lang: Lang) -> Finding {
    let (room, folder) = (free / MIB, folder.display());
    let what =
        lang.pick(format!("{folder}에 {room} MiB 남았습니다"), format!("{room} MiB are free in {folder}"));
    let fix = || {
        lang.pick(
            "자리를 비우거나 --store로 다른 디스크를 쓰세요".to_owned(),
            "make room, or use another disk with --store".to_owned(),
        )
    };
    if free < LEAST {
        Finding::bad(CHECK, what, fix())
    } else if free < COMFORTABLE {
        Finding::fair(CHECK, what, fix())
    } else {
        Finding::good(CHECK, what)
    }
}

/// Bytes that this user may still write. Elsewhere nobody tells without unsafe code.
#[cfg(unix)]
fn free(folder: &PathBuf) -> Option<u64> {
    let stat = rustix::fs::statvfs(folder).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

#[cfg(not(unix))]
fn free(_: &PathBuf) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::State;

    #[test]
    fn little_room_is_told() {
        let state = |free| judge(free, Path::new("/"), Lang::En).state;
        assert_eq!((state(MIB), state(500 * MIB), state(5000 * MIB)), (State::Bad, State::Fair, State::Good));
    }
}
