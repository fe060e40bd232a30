//! The advisor's decisions as a list, each with an example.

use duru_llm::decision::{About, Registry, Untrusted, Words};

use super::*;
use crate::advisor::plan::Strategy;
use crate::advisor::state::{Achieved, Action, Review};
use crate::advisor::sufficiency::DataSource;
use crate::advisor::tools::Team;
use crate::advisor::understand::{DataKind, Intent};

/// The advisor's decisions.
pub(in crate::advisor) fn decisions() -> Registry {
    telling(judging(executing(planning(Registry::new()))))
}

fn text(text: &str) -> Untrusted {
    Untrusted::new(text)
}

fn question() -> Untrusted {
    text("마포구 아파트 시세 알려주고 그걸로 대출 한도 계산해줘")
}

fn go_on() -> Orchestration {
    Orchestration::of(Action::Continue, "다음 단계로 갑니다.".into(), 1.0)
}

/// Before anything is done.
fn planning(decisions: Registry) -> Registry {
    decisions
        .with::<ReadIntent>(About {
            asks: Words { ko: "질문은 무엇을 바라는가?", en: "What does a question want?" },
            rule: Words {
                ko: "낱말의 뜻과 앞선 대화로 읽음",
                en: "Read from its words and the conversation",
            },
            example: IntentAsked {
                question: question(),
                history: vec![text("1. 사용자: 안녕하세요")],
                draft: IntentRead {
                    intent: Intent::Comprehensive,
                    confidence: 0.9,
                    keywords: vec![],
                    regions: vec!["마포구".into()],
                    suggested_teams: vec![Team::Search, Team::Analysis],
                    clarify: None,
                },
            },
        })
        .with::<SelectTeams>(About {
            asks: Words { ko: "어느 팀이 일하는가?", en: "Which teams work on it?" },
            rule: Words {
                ko: "의도와 계산할 것으로 고름", en: "By the intent and what is to be worked out"
            },
            example: SelectionAsked {
                question: question(),
                intent: Intent::Comprehensive,
                draft: Selection { teams: vec![Team::Search, Team::Analysis], reasoning: String::new() },
            },
        })
        .with::<Decompose>(About {
            asks: Words { ko: "어떤 일로 나누는가?", en: "Which parts has it?" },
            rule: Words { ko: "접속하는 말에서 나눔", en: "Parted at conjunctions" },
            example: DecompositionAsked {
                question: question(),
                teams: vec![Team::Search, Team::Analysis],
                draft: Decomposition::default(),
            },
        })
        .with::<JudgeSufficiency>(About {
            asks: Words { ko: "있는 자료로 충분한가?", en: "Is what is known enough?" },
            rule: Words {
                ko: "종류, 새로움, 지역, 조건, 건수를 견줌",
                en: "Kinds, age, place, conditions and number compared",
            },
            example: SufficiencyAsked {
                question: question(),
                required: vec![DataKind::Market],
                evidence: vec![text("시세: 서울 마포구, 24건, 2분 전, 이 대화")],
                history: vec![],
                draft: Sufficient {
                    is_sufficient: true,
                    confidence: 0.95,
                    data_source: DataSource::ChatHistory,
                    missing_data_types: vec![],
                    reasoning: String::new(),
                },
            },
        })
}

/// While teams work.
fn executing(decisions: Registry) -> Registry {
    decisions
        .with::<OpenExecution>(About {
            asks: Words {
                ko: "어떤 순서로, 무엇부터 하는가?", en: "In which order, and what first?"
            },
            rule: Words {
                ko: "기대는 단계가 있으면 차례로", en: "One after the other where steps depend"
            },
            example: OpeningAsked {
                question: question(),
                intent: Intent::Comprehensive,
                confidence: 0.9,
                steps: vec!["search: 시세 조회".into(), "analysis: 대출 한도".into()],
                draft: Opening {
                    strategy: Strategy::Sequential,
                    reasons: String::new(),
                    orchestration: go_on(),
                },
            },
        })
        .with::<ChooseTools>(About {
            asks: Words {
                ko: "어느 도구를 무슨 말로 쓰는가?", en: "Which tools, with what words?"
            },
            rule: Words {
                ko: "자료의 종류와 계산에 맞는 도구",
                en: "Those that fit the kinds of data and calculations",
            },
            example: ToolsAsked {
                question: question(),
                team: Team::Search,
                scope: vec![DataKind::Market],
                tools: vec!["market_data: low, 1.5 s, 0.85".into()],
                used: vec![],
                draft: ToolPlan {
                    tools: vec![ToolWish { tool: "market_data".into(), ..ToolWish::default() }],
                    left_out: vec![LeftOut {
                        tool: "legal_search".into(), why: "법을 묻지 않음".into()
                    }],
                },
            },
        })
}

/// When teams have worked.
fn judging(decisions: Registry) -> Registry {
    decisions
        .with::<AnalyseResult>(About {
            asks: Words {
                ko: "결과는 쓸 만한가, 다음은?", en: "What is a result worth, and what follows?"
            },
            rule: Words { ko: "건수와 의도로 판단", en: "By number and intent" },
            example: ResultAsked {
                question: question(),
                intent: Intent::Comprehensive,
                confidence: 0.9,
                team: Team::Search,
                strategy: Strategy::Sequential,
                results: vec![text("Search: 24 results (accepted): 서울 마포구 매매 중앙값 14억원 (24건)")],
                remaining: vec!["analysis".into()],
                draft: ResultRead {
                    quality: 0.9,
                    gaps: vec![],
                    next: Next::Continue,
                    keywords: vec![],
                    extra_tools: vec![],
                    orchestration: go_on(),
                    plan: vec![],
                },
            },
        })
        .with::<ReviewExecution>(About {
            asks: Words { ko: "목표를 이루었는가?", en: "Was the goal reached?" },
            rule: Words {
                ko: "필요한 자료가 다 있는지 봄", en: "Whether all that is required is there"
            },
            example: ReviewAsked {
                question: question(),
                intent: Intent::Comprehensive,
                results: vec![text("Search: 24 results (accepted): 서울 마포구 매매 중앙값 14억원 (24건)")],
                failed: vec![],
                draft: Review { achievement: 1.0, verdict: Achieved::Yes, missing: vec![] },
            },
        })
}

/// Of what came of it.
fn telling(decisions: Registry) -> Registry {
    decisions
        .with::<ReadContract>(About {
            asks: Words { ko: "조항은 무엇을 뜻하는가?", en: "What do the clauses mean?" },
            rule: Words { ko: "위험한 말의 목록", en: "A list of dangerous words" },
            example: ContractAsked {
                question: text("이 계약서 봐줘"),
                contract: text("제1조 보증금은 2억원으로 한다."),
                findings: vec![text("[high] 특약 1: 갱신요구권 포기")],
                language: "한국어".into(),
                draft: ContractAdvice::default(),
            },
        })
        .with::<FindInsights>(About {
            asks: Words { ko: "숫자는 무엇을 말하는가?", en: "What do the figures say?" },
            rule: Words {
                ko: "중앙값, 추세, 비율을 말로", en: "Median, trend and ratios in words"
            },
            example: InsightsAsked {
                question: question(),
                figures: vec![text("서울 마포구 매매 중앙값 14억원")],
                language: "한국어".into(),
                draft: Insights::default(),
            },
        })
        .with::<Synthesise>(About {
            asks: Words { ko: "무엇이라 답하는가?", en: "What is the person told?" },
            rule: Words { ko: "자료를 정해진 틀로", en: "The material in a fixed form" },
            example: ResponseAsked {
                question: question(),
                history: vec![],
                material: text("서울 마포구 매매 중앙값 14억원"),
                language: "한국어".into(),
                draft: Response::default(),
            },
        })
}
