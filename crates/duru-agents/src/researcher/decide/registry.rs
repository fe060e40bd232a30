//! The researcher's decisions as a list, each with an example.

use duru_llm::decision::{About, Registry, Untrusted, Words};

use super::*;

/// The researcher's decisions.
pub(in crate::researcher) fn decisions() -> Registry {
    let text = |text: &str| Untrusted::new(text);
    let question = "전세 보증금은 얼마까지 올릴 수 있나요?";
    let passage =
        "[1] 집빌림법 제7조(차임 등의 증감청구권)\n약정한 차임이나 보증금의 증액은 100분의 5를 넘지 못한다.";
    Registry::new()
        .with::<QueryRouter>(About {
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
        .with::<DirectResponse>(About {
            asks: Words {
                ko: "인사와 잡담에 무엇이라 답하는가?", en: "What is said to a greeting?"
            },
            rule: Words { ko: "정해진 인사말", en: "A greeting that is always the same" },
            example: TalkAsked {
                question: text("안녕하세요"),
                history: vec![],
                language: "한국어".into(),
                draft: "안녕하세요.".into(),
            },
        })
        .with::<EnhanceContext>(About {
            asks: Words {
                ko: "대화에 기대는 질문의 온전한 뜻은?",
                en: "What does a question mean on its own?",
            },
            rule: Words {
                ko: "앞선 질문의 주제를 앞에 붙임",
                en: "The subject of the last question goes before it",
            },
            example: LeaningAsked {
                question: text("그 기간이 지나면요?"),
                history: vec![text("user: 갱신은 언제까지 요구하나요?")],
                draft: text("갱신 요구 그 기간이 지나면요?"),
            },
        })
        .with::<PlanSubtasks>(About {
            asks: Words {
                ko: "질문을 어떤 부분으로 나누어 찾는가?",
                en: "Which parts are looked up by themselves?",
            },
            rule: Words { ko: "접속하는 말에서 나눔", en: "Parted at conjunctions" },
            example: PlanAsked { question: text(question), draft: Plan::default() },
        })
        .with::<VaryQuery>(About {
            asks: Words { ko: "같은 뜻의 다른 말은?", en: "How else can the query be put?" },
            rule: Words {
                ko: "물은 그대로 (일상어는 검색이 앎)",
                en: "As it was asked: the search knows everyday words",
            },
            example: VaryAsked { query: text(question), found: vec![], draft: Variations::default() },
        })
        .with::<PassageAnswers>(About {
            asks: Words {
                ko: "이 글이 질의에 답하는가?", en: "Does the passage answer the query?"
            },
            rule: Words {
                ko: "질의의 낱말을 얼마나 다루는가", en: "By how much of the query is spoken of"
            },
            example: PassageAsked {
                query: text(question),
                passage: text(passage),
                draft: Answers::from(true),
                certain: false,
            },
        })
        .with::<RewriteQuery>(About {
            asks: Words { ko: "어떤 말로 다시 찾는가?", en: "What other words find more?" },
            rule: Words { ko: "동의어 사전의 용어로", en: "In the terms of the thesaurus" },
            example: RewriteAsked {
                query: text(question),
                tried: vec![text("보증금 증액")],
                missing: vec![text("올리다")],
                draft: Rewritten::default(),
            },
        })
        .with::<Synthesise>(About {
            asks: Words { ko: "문서는 무엇이라 답하는가?", en: "What do the documents answer?" },
            rule: Words {
                ko: "근거가 가장 좋은 문장들을 출처와 함께",
                en: "The best supported sentences, cited",
            },
            example: SynthesisAsked {
                question: text(question),
                documents: vec![text(passage)],
                conflicts: vec![],
                feedback: vec![],
                language: "한국어".into(),
                draft: Synthesis::default(),
            },
        })
        .with::<CheckClaims>(About {
            asks: Words {
                ko: "어느 주장이 문서로 뒷받침되는가?",
                en: "Which claims do the documents support?",
            },
            rule: Words {
                ko: "사실, 수, 부정, 용어를 견줌",
                en: "Facts, numbers, negation and terms compared",
            },
            example: ClaimsAsked {
                claims: vec![text("1. 보증금 증액은 5%를 넘지 못합니다. [1]")],
                documents: vec![text(passage)],
                draft: Verdicts::default(),
            },
        })
        .with::<GradeAnswer>(About {
            asks: Words { ko: "내보낼 만한 답인가?", en: "Is the answer good enough?" },
            rule: Words {
                ko: "질문의 낱말을 얼마나 다루는가",
                en: "By how much of the question it speaks of",
            },
            example: AnswerAsked {
                question: text(question),
                answer: text("보증금 증액은 5%를 넘지 못합니다. [1]"),
                draft: Marks::default(),
            },
        })
}
