//! The agents for other agents: as tools, and as agents.

use duru_server::mcp::Tool;

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "analyst",
            "Answers questions about application logs in Korean or English with a read-only SQL query: errors, \
             counts, trends, slow requests, a user's journey. 로그에 관한 질문에 답합니다.",
        )
        .asked_in("question")
        .taking(["max_results", "time_range_structured", "clarification_answers", "timezone"])
        .such_as(["최근 24시간 서비스별 에러 건수", "느린 API 상위 10개", "errors by service in the last 24 hours"])
        .troubled_by("problem"),
        Tool::new(
            "researcher",
            "Answers questions from the documents that were taken in (laws, contracts, manuals), with sources that \
             were checked. 문서에서 근거를 찾아 답합니다.",
        )
        .asked_in("question")
        .such_as(["전세금 증액 한도는?", "계약 갱신을 거절할 수 있는 경우는?"]),
        Tool::new(
            "advisor",
            "Advises on Korean real estate: law, prices, loans, leases, risks; with sources. 부동산 상담.",
        )
        .asked_in("query")
        .such_as(["강남구 아파트 시세를 알려 주세요", "3억 전세대출을 받으면 한 달 이자는 얼마인가요?"]),
    ]
}
