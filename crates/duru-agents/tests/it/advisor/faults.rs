//! Single faults: an answer always, a useful one nearly always.

use std::sync::Arc;

use duru::store::MemoryStore;
use duru_agents::advisor::Toolbox;
use duru_agents::advisor::tools::{Fault, Faulty};
use duru_llm::decision::Decider;

use super::world::{advisor_on, answer, asks, said, sources};

/// A question, a tool it uses, and what a useful answer must say.
const CASES: &[(&str, &str, &str)] = &[
    ("전세금 인상 가능한가요?", "legal_search", "5%"),
    ("강남구 아파트 시세 알려줘", "market_data", "강남구"),
    ("신혼부부 전세대출 상품 알려줘", "loan_data", "버팀목"),
    ("마포구 근처에 지하철역 있어?", "infrastructure", "지하철역"),
    ("연봉 6천만원인데 8억 아파트 대출 한도는?", "loan_simulator", "은행 주택담보대출"),
    ("강남구 아파트 시세 분석해줘", "market_analysis", "중앙값"),
    ("강남구 아파트 투자 수익률 계산해줘", "roi_calculator", "강남구"),
    ("7억 아파트 취득세는 얼마야?", "cost_calculator", "지방세법"),
];

#[tokio::test(start_paused = true)]
async fn every_single_fault_ends_in_an_answer_and_most_in_a_useful_one() {
    let (mut useful, mut all) = (0, 0);
    for (question, tool, fact) in CASES {
        for fault in Fault::ALL {
            for times in [1, usize::MAX] {
                let toolbox = Toolbox::new(&sources());
                let broken = Faulty::new(Arc::clone(toolbox.tools.get(tool).unwrap()), fault, times);
                let tools = toolbox.tools.clone().with(Arc::new(broken));
                let advisor =
                    advisor_on(Arc::new(MemoryStore::new()), toolbox.with_tools(tools), Decider::by_rules());
                let end = answer(&advisor, "kim", asks(question)).await;
                assert!(
                    !said(&end).is_empty() && end.count_of("duplicate_runs") == 0,
                    "{question} {fault:?}"
                );
                all += 1;
                useful += usize::from(said(&end).contains(fact));
            }
        }
    }
    assert!(useful * 10 >= all * 7, "{useful} of {all}");
    println!("{useful} of {all} single faults end in a useful answer");
}
