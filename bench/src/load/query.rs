//! Questions about logs, each on a conversation of its own, without a model.

use anyhow::{Result, bail};
use serde_json::json;

use super::http::{address, find, post};
use super::on_one_thread;
use super::server::Server;
use super::wait::{Load, measure};
use crate::args::Args;
use crate::report::Report;

/// Asked in turn of every span of hours: counts, groups, lists and shares, in both languages. None asks back.
const QUESTIONS: [fn(u32) -> String; 6] = [
    |hours| format!("최근 {hours}시간 서비스별 에러 건수"),
    |hours| format!("errors per service in the last {hours} hours"),
    |hours| format!("최근 {hours}시간 동안 시간별 로그 건수"),
    |hours| format!("최근 {hours}시간 레벨별 로그 건수"),
    |hours| format!("show the latest 20 error logs of all services in the last {hours} hours"),
    |hours| format!("number of logs per environment in the last {hours} hours"),
];

/// From a few hours to almost all that is generated: so many questions that none is asked again while its answer is
/// remembered, which would cost nothing.
const HOURS: std::ops::RangeInclusive<u32> = 6..=300;

pub(crate) fn run(args: &Args) -> Result<Report> {
    args.text("rows", "");
    let now = args.text("now", "");
    let address = address(args.text("url", ""))?.to_owned();
    let asked = |question: String| {
        let mut body = json!({ "question": question, "timezone": "Asia/Seoul" });
        if !now.is_empty() {
            body["now"] = json!(now);
        }
        post(&address, "/query", "", &body.to_string())
    };
    let requests: Vec<Vec<u8>> =
        HOURS.flat_map(|hours| QUESTIONS.map(|question| asked(question(hours)))).collect();
    let load = Load {
        bench: "load-query",
        clients: args.get("clients", 16)?,
        window: std::time::Duration::from_millis(args.get("window", 5000)?),
        server: Server::of(args.get("pid", 0)?),
        requests: requests.into(),
        address: address.clone(),
        turn: std::sync::Arc::default(),
        check,
    };
    on_one_thread(measure(load))
}

/// A question that was asked back, or answered with nothing, would be fast and worth nothing.
fn check(answer: &[u8]) -> Result<()> {
    let good = answer.starts_with(b"HTTP/1.1 200")
        && find(answer, br#""sql":"SELECT"#).or_else(|| find(answer, br#""sql":"WITH"#)).is_some()
        && find(answer, br#""results":[]"#).is_none();
    if good {
        return Ok(());
    }
    bail!("no answer: {}", String::from_utf8_lossy(answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_are_an_answer() {
        check(b"HTTP/1.1 200 OK\r\n\r\n{\"sql\":\"SELECT 1\",\"results\":[{\"n\":1}]}").unwrap();
        assert!(check(b"HTTP/1.1 200 OK\r\n\r\n{\"sql\":null,\"results\":[]}").is_err());
        assert!(check(b"HTTP/1.1 200 OK\r\n\r\n{\"sql\":\"SELECT 1\",\"results\":[]}").is_err());
        assert!(check(b"HTTP/1.1 503 Service Unavailable\r\n\r\n{}").is_err());
    }
}
