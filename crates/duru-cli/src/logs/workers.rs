//! Replicas that answer questions about a bucket of logs together, as the settings say.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use duru_logs::{BucketLogs, WorkerOptions, WorkersSeen};
use duru_server::Server;

use crate::problem::Problem;
use crate::settings;

const PEERS: &str = "DURU_LOG_WORKERS";
const LISTEN: &str = "DURU_LOG_WORKER_LISTEN";
const SECRET: &str = "DURU_LOG_WORKER_SECRET";

#[cfg_attr(test, derive(Debug, PartialEq))]
struct WorkerSettings {
    peers: Vec<String>,
    listen: Option<SocketAddr>,
    secret: String,
}

/// Makes a server one that spreads questions over replicas and works for them, where the settings name any.
pub(crate) async fn join(server: Server, bucket: Option<&Arc<BucketLogs>>) -> Result<Server, Problem> {
    let get = |name| settings::get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let Some(wanted) = WorkerSettings::of(get(PEERS), get(LISTEN), get(SECRET))? else { return Ok(server) };
    let Some(bucket) = bucket else {
        return Err(setting(
            format!("{PEERS}: 로그가 s3:// 버킷에 있을 때만 여러 서버가 나누어 답합니다."),
            format!("{PEERS}: replicas share questions only where logs are in a bucket (s3://…)"),
        ));
    };
    let options = WorkerOptions::new(wanted.peers, wanted.secret);
    bucket.work_together(options, wanted.listen).await.map_err(|error| {
        let ko = error.text(duru_sql::guard::Lang::Ko);
        setting(format!("{LISTEN}, {SECRET}: {ko}"), format!("{LISTEN}, {SECRET}: {error}"))
    })?;
    let (seen, last) = (Arc::clone(bucket), Mutex::new(None));
    Ok(server.part("log workers", move || {
        let trouble = seen.workers().and_then(|seen| trouble(&seen));
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        // Which they are is for the log alone.
        if *last != trouble {
            match &trouble {
                Some(why) => tracing::warn!("log workers: {why}"),
                None => tracing::info!("log workers: all are there"),
            }
            last.clone_from(&trouble);
        }
        trouble
    }))
}

impl WorkerSettings {
    fn of(
        peers: Option<String>,
        listen: Option<String>,
        secret: Option<String>,
    ) -> Result<Option<Self>, Problem> {
        if peers.is_none() && listen.is_none() {
            return Ok(None);
        }
        let named = peers.unwrap_or_default();
        let peers: Vec<String> =
            named.split(',').map(|peer| peer.trim().to_owned()).filter(|peer| !peer.is_empty()).collect();
        for peer in &peers {
            let port = peer.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port);
            if port.is_none_or(|port| port.parse::<u16>().is_err()) {
                return Err(setting(
                    format!(
                        "{PEERS}: {peer}을(를) 읽을 수 없습니다. 호스트:포트로 쓰고, 여럿이면 쉼표로 나누세요."
                    ),
                    format!("{PEERS}: {peer} is no host:port; several are separated by commas"),
                ));
            }
        }
        let listen = listen.map(|text| text.parse().map_err(|_| text)).transpose().map_err(|text| {
            setting(
                format!("{LISTEN}: {text}을(를) 읽을 수 없습니다. 0.0.0.0:2026처럼 주소와 포트를 쓰세요."),
                format!("{LISTEN}: {text} is no address with a port, such as 0.0.0.0:2026"),
            )
        })?;
        let Some(secret) = secret else {
            return Err(setting(
                format!("{SECRET}: 서버들이 서로를 알아볼 비밀(16자 이상)을 모두에게 똑같이 정해 주세요."),
                format!(
                    "{SECRET}: give all replicas the same secret (16 characters or more), by which they know each other"
                ),
            ));
        };
        Ok(Some(Self { peers, listen, secret }))
    }
}

fn setting(ko: String, en: String) -> Problem {
    Problem::Setting { ko, en }
}

/// Nothing fails for it: a question is answered by fewer, or by one.
fn trouble(seen: &WorkersSeen) -> Option<String> {
    let mut said = Vec::new();
    if !seen.other_version.is_empty() {
        said.push(format!("of another version or bucket, so not asked: {}", seen.other_version.join(", ")));
    }
    if !seen.silent.is_empty() {
        said.push(format!("no answer from {}", seen.silent.join(", ")));
    }
    (!said.is_empty()).then(|| said.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(peers: &str, listen: &str, secret: &str) -> Result<Option<WorkerSettings>, String> {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        WorkerSettings::of(given(peers), given(listen), given(secret)).map_err(|problem| match problem {
            Problem::Setting { ko, en } => format!("{ko}\n{en}"),
            other => format!("{other:?}"),
        })
    }

    #[test]
    fn settings_name_peers_an_address_and_a_secret() {
        assert_eq!(wanted("", "", "a-secret-of-ours-1"), Ok(None));
        let all =
            wanted("a:2026, duru-workers:2026,", "0.0.0.0:2026", "a-secret-of-ours-1").unwrap().unwrap();
        assert_eq!(all.peers, ["a:2026", "duru-workers:2026"]);
        assert_eq!(all.listen, Some("0.0.0.0:2026".parse().unwrap()));
    }

    #[test]
    fn what_can_not_be_read_is_named_with_what_to_write() {
        for (peers, listen, secret, name) in [
            ("a", "", "a-secret-of-ours-1", PEERS),
            (":2026", "", "a-secret-of-ours-1", PEERS),
            ("a:http", "", "a-secret-of-ours-1", PEERS),
            ("a:1", "2026", "a-secret-of-ours-1", LISTEN),
            ("a:1", "", "", SECRET),
        ] {
            let said = wanted(peers, listen, secret).unwrap_err();
            assert!(said.lines().all(|line| line.starts_with(name)), "{said}");
        }
    }

    #[test]
    fn workers_that_are_not_asked_are_named() {
        assert_eq!(trouble(&WorkersSeen { ready: 3, ..WorkersSeen::default() }), None);
        let seen = WorkersSeen {
            other_version: vec!["10.0.0.2:2026".into()],
            silent: vec!["10.0.0.3:2026".into()],
            ..WorkersSeen::default()
        };
        let said = trouble(&seen).unwrap();
        assert!(
            said.contains("another version") && said.contains("10.0.0.2") && said.contains("10.0.0.3"),
            "{said}"
        );
    }
}
