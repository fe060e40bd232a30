//! What the databases are that are used: their version, our role there, and their clock.

use std::time::{SystemTime, UNIX_EPOCH};

use duru_sql::postgres::{About, about};

use super::clock;
use super::finding::Finding;
use crate::lang::Lang;
use crate::logs;
use crate::settings;
use crate::store::{Place, Shards};

const CHECK: (&str, &str) = ("데이터베이스", "database");
const ROLE: (&str, &str) = ("데이터베이스 역할", "database role");
/// Older ones lack what is used here.
const OLDEST: u32 = 12;
/// From this one on the tests have seen it.
const TESTED: u32 = 15;

pub(super) async fn check(store: Option<&Place>, lang: Lang) -> Vec<Finding> {
    let logs = settings::get("DURU_LOGS").map(Place::named);
    let mut urls: Vec<String> = Vec::new();
    for place in [store, logs.as_ref()].into_iter().flatten() {
        // What is wrong with the file of shards, the check of the store says.
        let named = match (Shards::of(place), place) {
            (Ok(Some(shards)), _) => shards.databases.into_values().collect(),
            (Ok(None), Place::Url(url)) => vec![url.clone()],
            _ => Vec::new(),
        };
        urls.extend(named);
    }
    urls.sort();
    urls.dedup();
    let mut findings = Vec::new();
    for url in urls {
        match about(&url).await {
            Ok(about) => findings.extend(judge(&about, now_ms(), lang)),
            Err(error) => findings.push(Finding::bad(
                CHECK,
                error.text(logs::lang(lang)),
                lang.pick(
                    "주소와 비밀번호, 데이터베이스 서버가 켜져 있는지 확인하세요".to_owned(),
                    "check the address, the password, and that the database's server runs".to_owned(),
                ),
            )),
        }
    }
    findings
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn judge(about: &About, now_ms: i64, lang: Lang) -> [Finding; 3] {
    let version = format!("PostgreSQL {}", about.version);
    let newer = || {
        lang.pick(format!("PostgreSQL {TESTED} 이상을 쓰세요"), format!("use PostgreSQL {TESTED} or newer"))
    };
    let version = match about.major {
        major if major < OLDEST => Finding::bad(CHECK, version, newer()),
        major if major < TESTED => Finding::fair(CHECK, version, newer()),
        _ => Finding::good(CHECK, version),
    };
    let role = &about.role;
    let role = if about.is_superuser {
        Finding::fair(
            ROLE,
            lang.pick(
                format!("{role}은(는) 슈퍼유저입니다"),
                format!("{role} is a superuser"),
            ),
            lang.pick(
                "`CREATE ROLE duru LOGIN PASSWORD '…'`로 만든 역할로 접속하세요; 로그를 읽는 역할은 `duru db harden --apply`가 만듭니다"
                    .to_owned(),
                "connect as a role of its own: `CREATE ROLE duru LOGIN PASSWORD '…'`; the one that reads logs is made by `duru db harden --apply`"
                    .to_owned(),
            ),
        )
    } else {
        Finding::good(
            ROLE,
            lang.pick(format!("{role}: 슈퍼유저가 아닙니다"), format!("{role} is no superuser")),
        )
    };
    [version, role, clock::beside(about.now_ms, now_ms, lang)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::State;

    fn of(major: u32, is_superuser: bool, behind_ms: i64) -> [State; 3] {
        let version = format!("{major}.2");
        let about = About { version, major, role: "kim".into(), is_superuser, now_ms: 1_000_000 - behind_ms };
        judge(&about, 1_000_000, Lang::En).map(|finding| finding.state)
    }

    #[test]
    fn versions_roles_and_clocks_are_judged() {
        assert_eq!(of(15, false, 10), [State::Good, State::Good, State::Good]);
        assert_eq!(of(13, true, 9_000), [State::Fair, State::Fair, State::Fair]);
        assert_eq!(of(11, false, -120_000), [State::Bad, State::Good, State::Bad]);
    }
}
