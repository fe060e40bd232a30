//! What a server says when it is there.

use std::net::SocketAddr;

use crate::output::Output;
use crate::problem::Problem;
use crate::store::Place;

/// One line for programs, and for people how to begin.
pub(super) fn print(address: &SocketAddr, place: &Place, output: &Output) -> Result<(), Problem> {
    output.text(&format!("{}\n", output.lang.listening(&address.to_string(), &place.to_string())))?;
    output.progress(&how_to_begin(address, output));
    output.json(serde_json::json!({ "address": format!("http://{address}"), "store": place.to_string() }))
}

/// A server has the person's data open already: that one is to be used.
pub(super) fn already(address: &SocketAddr, output: &Output) -> Result<(), Problem> {
    output.text(&output.lang.pick(
        format!("이미 실행 중입니다: http://{address}\n"),
        format!("Already running: http://{address}\n"),
    ))?;
    output.json(serde_json::json!({ "address": format!("http://{address}"), "already_running": true }))
}

fn how_to_begin(address: &SocketAddr, output: &Output) -> String {
    let ask = |words: &str| output.command(&format!("ask {words}"));
    output.lang.pick(
        format!(
            "\n  브라우저에서 여세요:  http://{address}/\n\n  이렇게 물어보세요:\n    최근 24시간 서비스별 에러 건수  (로그)\n    임차권등기명령은 언제 신청할 수 있나요?  (문서)\n    마포구 아파트 시세와 대출 한도 알려줘  (부동산 상담)\n\n  다른 터미널에서:  {}\n  API 설명:  http://{address}/docs\n  멈추려면 Ctrl-C\n",
            ask("\"최근 24시간 서비스별 에러 건수\""),
        ),
        format!(
            "\n  Open it in a browser:  http://{address}/\n\n  Questions to try:\n    errors per service in the last 24 hours  (logs)\n    what happens when the server is killed during a run?  (documents)\n    apartment prices in Mapo-gu and how much I can borrow  (advice)\n\n  From another terminal:  {}\n  The API:  http://{address}/docs\n  Ctrl-C stops it\n",
            ask("\"errors per service in the last 24 hours\""),
        ),
    )
}

/// Keys were wanted, and none is left: nobody gets in.
pub(super) fn locked(output: &Output) -> String {
    let (add, unlock) = (output.command("keys add NAME"), output.command("keys unlock"));
    output.lang.pick(
        format!("키로 지키던 서버인데 남은 키가 없어 아무도 쓸 수 없습니다. 만들려면 `{add}`, 이 컴퓨터에서 키 없이 쓰려면 `{unlock}`"),
        format!("keys are wanted here and none is left, so nobody gets in: make one with `{add}`, or let this machine ask without one with `{unlock}`"),
    )
}
