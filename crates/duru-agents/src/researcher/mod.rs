//! The document researcher: answers from documents, with sources.

mod query_router;
mod small_talk;

use duru_llm::decision::{About, Registry, Words};

pub use query_router::{QueryRouter, QueryType, Route, ToRoute};

/// The researcher's decisions.
pub fn decisions() -> Registry {
    Registry::new().with::<QueryRouter>(About {
        asks: Words {
            ko: "문서를 찾아야 하는 질문인가, 대화에 기대는 질문인가, 그냥 인사인가?",
            en: "Does the question need documents, the conversation so far, or neither?",
        },
        rule: Words {
            ko: "인사말뿐이면 simple, 앞의 말을 가리키면 history_required, 나머지는 rag_required",
            en: "simple if only greetings, history_required if it points back, else rag_required",
        },
        example: ToRoute::new(
            "그럼 그 기간이 지나면 어떻게 되나요?",
            [
                "사용자: 전세 계약 갱신은 언제까지 요구해야 하나요?",
                "상담: 계약이 끝나기 6개월 전부터 2개월 전까지입니다.",
            ],
        ),
    })
}
