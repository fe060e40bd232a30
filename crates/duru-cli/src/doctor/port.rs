//! Whether a server could listen where it usually does.

use std::io::ErrorKind;

use tokio::net::TcpListener;

use super::finding::Finding;
use crate::args::USUAL_PORT;
use crate::lang::Lang;
use crate::serve;

const CHECK: (&str, &str) = ("포트", "port");

pub(super) async fn check(lang: Lang) -> Vec<Finding> {
    if let Some(address) = serve::running().await {
        let what = lang.pick(
            format!("서버가 http://{address} 에서 실행 중입니다"),
            format!("a server runs at http://{address}"),
        );
        return vec![Finding::good(CHECK, what)];
    }
    let port = match serve::set_port(lang) {
        Ok(port) => port.unwrap_or(USUAL_PORT),
        Err(problem) => {
            let fix = lang.pick("DURU_PORT를 고치거나 지우세요", "correct DURU_PORT, or take it out");
            return vec![Finding::bad(CHECK, problem.what(lang), fix.to_owned())];
        }
    };
    let bound = TcpListener::bind(("127.0.0.1", port)).await;
    vec![judge(port, bound.err().map(|error| error.kind()), lang)]
}

fn judge(port: u16, error: Option<ErrorKind>, lang: Lang) -> Finding {
    match error {
        None => {
            Finding::good(CHECK, lang.pick(format!("{port}번이 비어 있습니다"), format!("{port} is free")))
        }
        Some(ErrorKind::AddrInUse) => Finding::fair(
            CHECK,
            lang.pick(
                format!("{port}번을 다른 프로그램이 씁니다; `duru`는 그다음 빈 포트를 씁니다"),
                format!("another program has {port}; `duru` takes the next that is free"),
            ),
            lang.pick(
                format!("그 프로그램을 멈추거나 `duru serve --port {}`", port.wrapping_add(1)),
                format!("stop that program, or `duru serve --port {}`", port.wrapping_add(1)),
            ),
        ),
        Some(other) => Finding::bad(
            CHECK,
            lang.pick(
                format!("{port}번에서 들을 수 없습니다: {}", lang.of_system(&other.into())),
                format!("nobody may listen on {port}: {other}"),
            ),
            lang.pick(
                "방화벽과 권한을 확인하거나 --port로 다른 포트를 쓰세요".to_owned(),
                "check permissions and sandboxes, or use another port with --port".to_owned(),
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::State;

    #[test]
    fn a_taken_port_is_no_disaster() {
        let state = |error| judge(2024, error, Lang::Ko).state;
        assert_eq!(state(None), State::Good);
        assert_eq!(state(Some(ErrorKind::AddrInUse)), State::Fair);
        assert_eq!(state(Some(ErrorKind::PermissionDenied)), State::Bad);
    }
}
