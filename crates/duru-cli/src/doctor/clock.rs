//! Whether the clock can be believed: leases and deadlines go by it.

use std::time::{SystemTime, UNIX_EPOCH};

use duru::store::{EntryKind, EntryQuery, SortBy};
use duru_sql::{MachineZone, zone_label};

use super::finding::Finding;
use crate::lang::Lang;
use crate::store::{Place, open_existing, usual};
use crate::text::time;

const CHECK: (&str, &str) = ("시계", "clock");
const ZONE: (&str, &str) = ("시간대", "time zone");
/// 2026-01-01: nobody had this program before that.
const EARLIEST_MS: u64 = 1_767_225_600_000;
/// What a network's delay does not explain.
const FAIR_MS: u64 = 5_000;
const BAD_MS: u64 = 60_000;

pub(super) async fn check(given: Option<&Place>, lang: Lang) -> Vec<Finding> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
    vec![judge(now, newest(given).await.unwrap_or(0), lang), zone(MachineZone::get(), lang)]
}

/// What today means here.
fn zone(zone: &MachineZone, lang: Lang) -> Finding {
    match &zone.unknown {
        None => Finding::good(ZONE, zone_label(&zone.name, jiff::Timestamp::now())),
        Some(given) => Finding::fair(
            ZONE,
            lang.pick(
                format!("TZ={given}은(는) 모르는 시간대라서 UTC로 셉니다"),
                format!("TZ={given} is no time zone that is known, so UTC counts"),
            ),
            lang.pick(
                "TZ를 Asia/Seoul 같은 이름으로 정하거나 지우세요".to_owned(),
                "set TZ to a name such as Asia/Seoul, or take it out".to_owned(),
            ),
        ),
    }
}

/// When something was last written to the store, by the clock of whoever wrote it.
async fn newest(given: Option<&Place>) -> Option<u64> {
    let there = match given {
        Some(Place::File(file)) => file.exists(),
        Some(Place::Url(_) | Place::Bucket(_)) => true,
        None => usual().is_some_and(|file| file.exists()),
    };
    if !there {
        return None;
    }
    let opened = open_existing(given).await.ok()??;
    let query = EntryQuery { limit: 1, sort: SortBy::Updated, ..EntryQuery::of(EntryKind::Thread) };
    let found = opened.stores.catalog.find(query).await.ok()?;
    found.entries.first().map(|entry| entry.updated_ms)
}

fn fix(lang: Lang) -> String {
    lang.pick(
        "시각 동기화를 켜세요: `timedatectl set-ntp true`, 또는 chrony나 ntpd".to_owned(),
        "have the time kept: `timedatectl set-ntp true`, or chrony or ntpd".to_owned(),
    )
}

fn judge(now_ms: u64, newest_ms: u64, lang: Lang) -> Finding {
    let shown = time(now_ms);
    if now_ms < EARLIEST_MS {
        let what = lang.pick(format!("지금이 {shown}일 수 없습니다"), format!("it can't be {shown}"));
        return Finding::bad(CHECK, what, fix(lang));
    }
    let ahead = newest_ms.saturating_sub(now_ms);
    if ahead > FAIR_MS {
        let seconds = ahead / 1000;
        let what = lang.pick(
            format!("저장소에 {seconds}초 뒤의 기록이 있습니다: 시계가 뒤로 갔습니다"),
            format!("the store has entries from {seconds} s in the future: the clock was set back"),
        );
        return Finding::fair(CHECK, what, fix(lang));
    }
    Finding::good(CHECK, shown)
}

/// This machine's clock beside that of a database.
pub(super) fn beside(database_ms: i64, now_ms: i64, lang: Lang) -> Finding {
    let apart = database_ms.abs_diff(now_ms);
    let seconds = apart as f64 / 1000.0;
    let what = lang.pick(
        format!("데이터베이스의 시계와 {seconds:.1}초 차이 납니다"),
        format!("{seconds:.1} s from the database's clock"),
    );
    match apart {
        BAD_MS.. => Finding::bad(CHECK, what, fix(lang)),
        FAIR_MS.. => Finding::fair(CHECK, what, fix(lang)),
        _ => Finding::good(CHECK, what),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::State;

    #[test]
    fn a_clock_that_can_not_be_right_is_told() {
        let state = |now, newest| judge(now, newest, Lang::En).state;
        assert_eq!(state(0, 0), State::Bad);
        assert_eq!(state(EARLIEST_MS + 1, EARLIEST_MS), State::Good);
        assert_eq!(state(EARLIEST_MS + 1, EARLIEST_MS + 3_600_000), State::Fair);
    }

    #[test]
    fn a_zone_that_nobody_knows_is_told() {
        let state = |name: &str, unknown: Option<&str>| {
            zone(&MachineZone { name: name.into(), unknown: unknown.map(str::to_owned) }, Lang::Ko).state
        };
        assert_eq!(state("Asia/Seoul", None), State::Good);
        assert_eq!(state("UTC", Some("Mars/Base")), State::Fair);
    }
}
