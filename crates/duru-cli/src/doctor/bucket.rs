//! Whether a bucket does what logs need of it: read, write, and replace only what is as it was.

use super::finding::Finding;
use crate::lang::Lang;
use crate::logs;

const CHECK: (&str, &str) = ("버킷", "bucket");

pub(super) async fn check(named: &str, lang: Lang) -> Finding {
    let bad = |problem: logs::Problem| Finding::bad(CHECK, problem.what(lang), problem.advice(lang));
    let address = match logs::bucket_address(named) {
        Ok(address) => address,
        Err(problem) => return bad(problem),
    };
    match duru_logs::probe_bucket(&address).await {
        Err(error) => bad(logs::Problem::Store(error)),
        Ok(()) if address.is_read_only() => Finding::good(
            CHECK,
            lang.pick(format!("{address}: 읽을 수 있습니다"), format!("{address} can be read")),
        ),
        Ok(()) => Finding::good(
            CHECK,
            lang.pick(
                format!("{address}: 읽고 쓸 수 있고 조건부 쓰기를 지킵니다"),
                format!("{address} can be read and written, and honours conditional writes"),
            ),
        ),
    }
}
