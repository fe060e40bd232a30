//! Whether spans would reach a collector, where one is named.

use std::time::Duration;

use duru_telemetry::Traces;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::finding::Finding;
use crate::lang::Lang;
use crate::reasons::with_detail;
use crate::settings;

const CHECK: (&str, &str) = ("추적", "traces");
const PATIENCE: Duration = Duration::from_secs(3);

pub(super) async fn check(offline: bool, lang: Lang) -> Vec<Finding> {
    let traces = match Traces::read(settings::get) {
        Ok(Some(traces)) => traces,
        // Off is as good as on.
        Ok(None) => return Vec::new(),
        Err(error) => {
            let what = lang.pick(
                with_detail(format_args!("{}을(를) 쓸 수 없습니다", error.variable), &error.reason),
                format!("{}: {}", error.variable, error.reason),
            );
            let fix = lang.pick(
                format!("{0}을(를) 고치거나 `unset {0}` 하세요", error.variable),
                format!("correct {0}, or `unset {0}`", error.variable),
            );
            return vec![Finding::bad(CHECK, what, fix)];
        }
    };
    let (host, port) = traces.address();
    let reached =
        offline || matches!(timeout(PATIENCE, TcpStream::connect((host.as_str(), port))).await, Ok(Ok(_)));
    let to = format!("{host}:{port}");
    vec![if reached {
        let percent = (traces.share() * 1000.0).round() / 10.0;
        Finding::good(
            CHECK,
            lang.pick(
                format!("{to}(으)로 보냅니다; 여기서 시작하는 추적의 {percent}% (OTEL_TRACES_SAMPLER)"),
                format!("they are sent to {to}; {percent} % of those that begin here (OTEL_TRACES_SAMPLER)"),
            ),
        )
    } else {
        Finding::fair(
            CHECK,
            lang.pick(
                format!("수집기 {to}에 연결할 수 없습니다; 서버는 그대로 일합니다"),
                format!("the collector {to} can't be reached; a server works all the same"),
            ),
            lang.pick(
                "수집기를 켜거나 OTEL_EXPORTER_OTLP_ENDPOINT를 고치세요".to_owned(),
                "start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT".to_owned(),
            ),
        )
    }]
}
