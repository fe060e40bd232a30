//! The table of recovery, row by row.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru_agents::advisor::tools::{Fault, Faulty, Team, Tools};
use duru_agents::advisor::{
    Action, Advice, AdviceStatus, FaultKind, Remedy, TeamStatus, Toolbox,
};
use duru_llm::decision::Decider;

use super::world::{Advisor, advisor_on, answer, asks, said, sources};

/// An advisor whose tools of these names fail so often.
fn broken(names: &[&str], fault: Fault, times: usize) -> Advisor {
    let toolbox = Toolbox::new(&sources());
    let mut tools: Tools = toolbox.tools.clone();
    for name in names {
        tools = tools.with(Arc::new(Faulty::new(Arc::clone(toolbox.tools.get(name).unwrap()), fault, times)));
    }
    advisor_on(Arc::new(MemoryStore::new()), toolbox.with_tools(tools), Decider::by_rules())
}

fn happened(end: &Advice, tool: &str) -> Vec<(FaultKind, Remedy)> {
    let of = end.faults.iter().filter(|fault| fault.tool == tool);
    of.map(|fault| (fault.what, fault.done)).collect()
}

fn failed(end: &Advice) -> String {
    end.final_response.as_ref().unwrap().failed.join("\n")
}

fn added(end: &Advice) -> Vec<Team> {
    let teams = end.orchestration_decisions.iter().filter_map(|decided| match decided.decision {
        Action::AddAgent { next_agent } => Some(next_agent),
        _ => None,
    });
    teams.collect()
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_late_gets_more_time_once_and_is_then_left_out() {
    let question = || asks("강남구 아파트 시세 알려줘");
    let end = answer(&broken(&["market_data"], Fault::Timeout, 1), "kim", question()).await;
    assert_eq!(happened(&end, "market_data"), [(FaultKind::TimedOut, Remedy::Retried)]);
    assert!(failed(&end).is_empty() && said(&end).contains("중앙값"), "{}", said(&end));
    let end = answer(&broken(&["loan_data"], Fault::Timeout, usize::MAX), "kim", asks("전세대출 금리 알려줘")).await;
    assert!(happened(&end, "loan_data").contains(&(FaultKind::TimedOut, Remedy::Skipped)), "{:?}", end.faults);
    assert!(failed(&end).contains("건너뛰었습니다"), "{}", said(&end));
}

#[tokio::test]
async fn a_tool_that_fails_is_replaced_or_left_out_and_the_person_is_told() {
    let end = answer(
        &broken(&["legal_search"], Fault::Exception, usize::MAX),
        "kim",
        asks("전세금 인상 가능한가요?"),
    )
    .await;
    assert!(happened(&end, "legal_search").contains(&(FaultKind::Failed, Remedy::Replaced)), "{:?}", end.faults);
    assert!(said(&end).contains("제7조") && failed(&end).contains("대신했습니다"), "{}", said(&end));
}

#[tokio::test]
async fn poor_results_are_asked_for_in_other_words_once_and_then_taken() {
    let question = || asks("강남구 아파트 시세 알려줘");
    let end = answer(&broken(&["market_data"], Fault::LowQuality, 1), "kim", question()).await;
    assert!(happened(&end, "market_data").contains(&(FaultKind::LowQuality, Remedy::Retried)), "{:?}", end.faults);
    let end = answer(&broken(&["market_data"], Fault::LowQuality, usize::MAX), "kim", question()).await;
    assert!(
        happened(&end, "market_data").contains(&(FaultKind::LowQuality, Remedy::AcceptedPartly)),
        "{:?}",
        end.faults
    );
    assert!(failed(&end).contains("있는 만큼만"), "{}", said(&end));
    assert_eq!(end.count_of("duplicate_runs"), 0);
}

#[tokio::test]
async fn what_a_tool_needs_is_run_before_it() {
    // Nothing was searched, and the contract is read against the law all the same.
    let contract = "계약서 검토해 주세요.\n제1조 보증금은 1억원으로 한다.\n제2조 기간은 2026년 8월 1일부터 2028년 7월 31일까지로 한다.\n\
                    제3조 임차인은 전입신고를 하지 않기로 한다.\n제4조 보증금은 새 임차인이 들어온 뒤에 반환한다. 임차인은 이에 이의를 제기하지 않는다.\n제5조 주택의 주요 설비에 필요한 수선은 임대인이 하고 소모품의 교체는 임차인이 한다.\n제6조 임차인은 임대인의 동의 없이 전대하지 않는다.";
    let end = answer(&broken(&[], Fault::Empty, 0), "kim", asks(contract)).await;
    let ran: Vec<&str> = end.used.iter().map(|used| used.tool.as_str()).collect();
    let at = |name: &str| ran.iter().position(|tool| *tool == name);
    assert!(at("legal_search") < at("contract_analysis") && at("legal_search").is_some(), "{ran:?}");
    // One that says by itself that something is missing is tried once more, then left out with its reason.
    let question = || asks("강남구 아파트 시세 분석해줘");
    let end = answer(&broken(&["market_analysis"], Fault::MissingDependency, 1), "kim", question()).await;
    assert_eq!(happened(&end, "market_analysis"), [(FaultKind::MissingDependency, Remedy::Retried)]);
    let end = answer(&broken(&["market_analysis"], Fault::MissingDependency, usize::MAX), "kim", question()).await;
    assert!(
        happened(&end, "market_analysis").contains(&(FaultKind::MissingDependency, Remedy::Skipped)),
        "{:?}",
        end.faults
    );
}

#[tokio::test]
async fn a_team_that_is_needed_and_fails_is_tried_again_and_then_another_takes_its_place() {
    let advisor = broken(&["roi_calculator"], Fault::Exception, usize::MAX);
    answer(&advisor, "kim", asks("강남구 아파트 시세 알려줘")).await;
    let end = answer(&advisor, "kim", asks("방금 검색한 시세로 임대 수익률 계산해줘")).await;
    assert_eq!(added(&end), [Team::Analysis, Team::Search], "{:?}", end.orchestration_decisions);
    assert!(said(&end).contains("강남구") && failed(&end).contains("수익률 계산"), "{}", said(&end));

    let advisor = broken(&["lease_draft"], Fault::Exception, usize::MAX);
    let end = answer(&advisor, "kim", asks("전세 계약서 초안 만들어줘")).await;
    assert_eq!(added(&end), [Team::Document, Team::Search], "{:?}", end.orchestration_decisions);
    assert!(failed(&end).contains("계약서 초안") && said(&end).contains("주택임대차보호법"), "{}", said(&end));
}

#[tokio::test]
async fn of_a_team_that_fails_in_part_the_rest_is_taken() {
    let advisor = broken(&["loan_data"], Fault::Exception, usize::MAX);
    let end = answer(&advisor, "kim", asks("강남구 아파트 시세하고 대출 같이 봐줘")).await;
    assert_eq!(end.team_results[&Team::Search].status, TeamStatus::PartialAccepted);
    assert_eq!(end.status, AdviceStatus::Partial);
    assert!(said(&end).contains("강남구") && failed(&end).contains("대출 상품 조회"), "{}", said(&end));
}

#[tokio::test]
async fn where_everything_fails_the_answer_says_so() {
    let all: Vec<String> = sources().tools().names().map(str::to_owned).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for question in ["강남구 아파트 시세 알려줘", "전세금 인상 가능한가요?", "전세 계약서 초안 만들어줘", "7억 아파트 취득세는?"] {
        let end = answer(&broken(&all, Fault::Exception, usize::MAX), "kim", asks(question)).await;
        let text = said(&end);
        assert!(text.contains("얻지 못했습니다") && !failed(&end).is_empty(), "{question}: {text}");
        assert!(!end.final_response.as_ref().unwrap().next_steps.is_empty(), "{question}: {text}");
        assert_eq!(end.status, AdviceStatus::Partial);
    }
}
