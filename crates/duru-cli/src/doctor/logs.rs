//! Whether logs can be asked, and whether a database would refuse what a guard might miss.

use duru_sql::postgres::{Reader, harden};
use duru_sql::{Catalog, Error};

use super::bucket;
use super::finding::{Finding, State};
use crate::lang::Lang;
use crate::logs;
use crate::serve;
use crate::settings;
use crate::store::Place;

const CHECK: (&str, &str) = ("로그", "logs");
const HARDENED: (&str, &str) = ("로그 데이터베이스 보호", "log database");

pub(super) async fn check(lang: Lang) -> Vec<Finding> {
    let place = settings::get("DURU_LOGS").filter(|place| !place.is_empty());
    let url = place.as_ref().filter(|place| matches!(Place::named((*place).clone()), Place::Url(_)));
    if place.is_none() && !logs::are_kept() {
        return vec![Finding::good(
            CHECK,
            lang.pick(
                "아직 로그가 없습니다; 처음 물으면 견본 로그가 만들어집니다".to_owned(),
                "there are no logs yet; the first question makes sample lines".to_owned(),
            ),
        )];
    }
    let bucket =
        place.as_deref().filter(|place| matches!(Place::named((*place).to_owned()), Place::Bucket(_)));
    if let Some(named) = bucket {
        let found = bucket::check(named, lang).await;
        // What it would be asked would only fail in the same way.
        let is_good = found.state == State::Good;
        let asked = if is_good { Some(asked(place.as_deref(), lang).await) } else { None };
        return [found].into_iter().chain(asked).collect();
    }
    let mut findings = vec![asked(place.as_deref(), lang).await];
    if let Some(url) = url {
        findings.extend(hardened(url, lang).await);
    }
    findings
}

async fn asked(place: Option<&str>, lang: Lang) -> Finding {
    let bad = |what: String| {
        Finding::bad(
            CHECK,
            what,
            lang.pick(
                "DURU_LOGS와 데이터베이스 서버를 확인하세요; 폴더는 한 프로세스만 쓸 수 있습니다".to_owned(),
                "check DURU_LOGS and the database's server; a folder is for one process at a time".to_owned(),
            ),
        )
    };
    let opened = match logs::open(place).await {
        Ok(opened) => opened,
        Err(logs::Problem::Store(Error::Unavailable { reason })) if place.is_none() => {
            return match serve::running().await {
                // The folder is for one process at a time, and this person's server is the one.
                Some(address) => Finding::good(
                    CHECK,
                    lang.pick(
                        format!("http://{address} 의 서버가 열어 두었습니다; 물으면 그 서버가 답합니다"),
                        format!("the server at http://{address} has them open, and answers what is asked"),
                    ),
                ),
                None => bad(logs::Problem::Store(Error::Unavailable { reason }).what(lang)),
            };
        }
        Err(problem) => return bad(problem.what(lang)),
    };
    match opened.store.knowledge().await {
        Ok(knowledge) => {
            let rows: u64 = knowledge.tables.iter().map(|table| table.estimated_rows).sum();
            Finding::good(
                CHECK,
                lang.pick(
                    format!("약 {rows}행을 물을 수 있습니다"),
                    format!("about {rows} rows can be asked"),
                ),
            )
        }
        Err(error) => bad(error.text(logs::lang(lang))),
    }
}

/// What the database lacks, each with its fix.
async fn hardened(url: &str, lang: Lang) -> Vec<Finding> {
    let role = Reader::ROLE;
    match harden::verify(url, &Catalog::logs(), role).await {
        Ok(gaps) if gaps.is_empty() => vec![Finding::good(
            HARDENED,
            lang.pick(
                format!("역할 {role}은(는) 로그만 읽을 수 있습니다: 권한, 행 보안, 시간 제한이 맞습니다"),
                format!("the role {role} may read the logs and nothing else: rights, row security and timeouts are as they should be"),
            ),
        )],
        Ok(gaps) => gaps
            .iter()
            .map(|gap| Finding::fair(HARDENED, gap.text(logs::lang(lang)), gap.fix.clone()))
            .collect(),
        Err(error) => vec![Finding::fair(
            HARDENED,
            error.text(logs::lang(lang)),
            lang.pick(
                "관리자로 `duru db verify`를 실행하세요".to_owned(),
                "run `duru db verify` as a superuser".to_owned(),
            ),
        )],
    }
}
