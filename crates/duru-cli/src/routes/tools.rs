//! The agents as tools for other agents.

use duru_server::mcp::Tool;

pub(super) fn tools() -> Vec<Tool> {
    vec![
        Tool::new(
            "analyst",
            "Answers questions about application logs in Korean or English with a read-only SQL query: errors, \
             counts, trends, slow requests, a user's journey. 로그에 관한 질문에 답합니다.",
        )
        .taking(["question", "max_results", "time_range_structured", "clarification_answers", "timezone"]),
        Tool::new(
            "researcher",
            "Answers questions from the documents that were taken in (laws, contracts, manuals), with sources that \
             were checked. 문서에서 근거를 찾아 답합니다.",
        )
        .taking(["question"]),
        Tool::new(
            "advisor",
            "Advises on Korean real estate: law, prices, loans, leases, risks; with sources. 부동산 상담.",
        )
        .taking(["query"]),
    ]
}
