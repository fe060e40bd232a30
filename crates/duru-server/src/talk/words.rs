//! What is said to people when something can't be done.

use axum::http::StatusCode;
use serde_json::json;

use super::Frame;
use crate::ApiError;

/// A complaint: a stable code, what is wrong, and what to do.
pub(super) struct Complaint {
    code: &'static str,
    korean: [&'static str; 2],
    english: [&'static str; 2],
}

pub(super) const UNREADABLE: Complaint = Complaint {
    code: "bad_frame",
    korean: ["읽을 수 없는 프레임입니다.", "type이 있는 JSON 객체를 보내세요."],
    english: ["This frame can't be read.", "Send a JSON object with a type."],
};
pub(super) const TOO_LARGE: Complaint = Complaint {
    code: "too_large",
    korean: ["프레임이 너무 큽니다.", "1 MB보다 작은 프레임을 보내세요."],
    english: ["This frame is too large.", "Send frames of less than 1 MB."],
};
pub(super) const UNKNOWN_TYPE: Complaint = Complaint {
    code: "unknown_type",
    korean: ["모르는 종류의 프레임입니다.", "query, interrupt_response, cancel 가운데 하나를 보내세요."],
    english: ["There is no such type of frame.", "Send query, interrupt_response or cancel."],
};
pub(super) const NO_THREAD: Complaint = Complaint {
    code: "no_thread",
    korean: ["아직 대화가 없습니다.", "먼저 query를 보내세요."],
    english: ["There is no conversation yet.", "Send a query first."],
};
pub(super) const NOTHING_ASKED: Complaint = Complaint {
    code: "nothing_asked",
    korean: ["기다리는 질문이 없습니다.", "이미 답했거나 실행이 끝났습니다. 새 query를 보내세요."],
    english: ["No question waits for an answer.", "It was answered, or the run is over. Send a new query."],
};
pub(super) const NOTHING_RUNS: Complaint = Complaint {
    code: "nothing_runs",
    korean: ["멈출 실행이 없습니다.", "실행이 이미 끝났습니다."],
    english: ["There is no run to stop.", "It has ended already."],
};

impl Complaint {
    pub(super) fn frame(&self, korean: bool) -> Frame {
        let [message, hint] = if korean { self.korean } else { self.english };
        Frame::new("error", json!({ "code": self.code, "message": message, "what_to_do": hint }))
    }
}

/// A query that its agent can't read.
pub(super) fn bad_query(why: &str, korean: bool) -> Frame {
    let hint =
        if korean { "query를 고쳐 다시 보내세요." } else { "Correct the query and send it again." };
    Frame::new("error", json!({ "code": "bad_query", "message": why, "what_to_do": hint }))
}

/// Why the server did not do something.
pub(super) fn refused(error: &ApiError, korean: bool) -> Frame {
    let (code, korean_hint, english_hint) = match error.status() {
        StatusCode::NOT_FOUND => ("not_found", "thread_id를 확인하세요.", "Check the thread's id."),
        StatusCode::CONFLICT => {
            ("conflict", "지금 실행이 끝난 뒤 다시 보내세요.", "Try again when the run has ended.")
        }
        StatusCode::UNPROCESSABLE_ENTITY => ("invalid", "입력을 확인하세요.", "Check what was sent."),
        StatusCode::UNAUTHORIZED => ("no_key", "다른 키로 다시 여세요.", "Open it again with another key."),
        StatusCode::TOO_MANY_REQUESTS => ("too_many", "잠시 뒤 다시 보내세요.", "Try again later."),
        _ => ("unavailable", "잠시 뒤 다시 보내세요.", "Try again later."),
    };
    let hint = if korean { korean_hint } else { english_hint };
    Frame::new("error", json!({ "code": code, "message": error.detail(), "what_to_do": hint }))
}
