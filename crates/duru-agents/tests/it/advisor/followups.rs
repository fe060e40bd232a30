//! Questions that go on from an answer, as people put them.

use std::sync::Arc;

use duru_agents::advisor::Advice;
use duru_agents::advisor::tools::{Calculation, Report};
use duru_agents::advisor::understand::{DataKind, Deal, Property};

use super::world::{advisor, answer, asks, said};

/// The last answer of a conversation.
async fn talk(turns: &[&str]) -> Arc<Advice> {
    let advisor = advisor();
    let mut end = None;
    for turn in turns {
        end = Some(answer(&advisor, "talk", asks(turn)).await);
    }
    end.unwrap()
}

fn levels(end: &Advice) -> Vec<(String, Deal, Option<Property>)> {
    let reports = end.used.iter().flat_map(|used| &used.found.reports);
    let levels = reports.filter_map(|report| match report {
        Report::Level(level) => Some((level.region.as_ref()?.name(), level.deal, level.property)),
        _ => None,
    });
    levels.collect()
}

#[tokio::test]
async fn another_place_is_asked_about_under_the_same_conditions() {
    let end = talk(&["강북구 원룸 월세 알려줘", "그럼 관악구는?"]).await;
    let place = "관악구".to_owned();
    assert_eq!(levels(&end)[0], (place, Deal::MonthlyRent, Some(Property::Studio)), "{}", said(&end));
    // Who names a kind of home asks anew.
    let end = talk(&["강북구 원룸 월세 알려줘", "관악구 아파트 시세 알려줘"]).await;
    assert!(levels(&end).contains(&("관악구".to_owned(), Deal::Sale, Some(Property::Apartment))));
}

#[tokio::test]
async fn only_the_kind_of_deal_that_is_asked_for_is_told() {
    let end = talk(&["성동구랑 광진구 중에 어디가 더 비싸?", "전세는?"]).await;
    let prices = said(&end).split("## 시세").nth(1).unwrap().split("##").next().unwrap().to_owned();
    assert!(prices.contains("성동구") && prices.contains("광진구"), "{}", said(&end));
    assert!(prices.contains("전세") && !prices.contains("매매") && !prices.contains("월세"), "{prices}");
    let end = talk(&["성동구랑 광진구 중에 어디가 더 비싸?", "차이가 얼마나 나?"]).await;
    assert!(said(&end).contains("높습니다"), "{}", said(&end));
}

#[tokio::test]
async fn a_home_that_was_listed_is_told_of_by_its_number() {
    let end = talk(&["노원구 아파트 전세 4억 이하 매물 찾아줘", "2번째 거 자세히 알려줘"]).await;
    let second = end.told.as_ref().unwrap().shown[1].record.clone().unwrap();
    assert!(end.steps.is_empty() && said(&end).contains(&second.date.to_string()), "{}", said(&end));
    assert!(said(&end).contains("평") && said(&end).contains("중앙값"), "{}", said(&end));
    let end = talk(&["전세금 3억인데 얼마까지 올릴 수 있어?", "7번째 거는?"]).await;
    assert!(said(&end).contains("개뿐입니다"), "{}", said(&end));
}

#[tokio::test]
async fn the_cheapest_come_first_where_they_are_asked_for() {
    let end = talk(&["마포구 아파트 전세 매물 찾아줘", "더 싼 건?"]).await;
    let shown = &end.told.as_ref().unwrap().shown;
    let prices: Vec<u64> = shown.iter().map(|item| item.record.as_ref().unwrap().price).collect();
    assert!(prices.len() > 2 && prices.is_sorted(), "{prices:?}");
    assert!(shown.iter().all(|item| item.deal == Some(Deal::Jeonse)));
}

#[tokio::test]
async fn why_is_answered_with_the_grounds_of_the_answer() {
    let end = talk(&["전세금 2억 8천인데 집주인이 10프로 올려달래요", "왜?"]).await;
    assert!(said(&end).contains("제7조") && said(&end).contains("1,400만원"), "{}", said(&end));
    let end = talk(&["연봉 7천인데 9억 아파트 살 때 대출 한도는?", "왜 그만큼이야?"]).await;
    assert!(said(&end).contains("DSR") && said(&end).contains("가장 작은 값"), "{}", said(&end));
    // Without an answer there is nothing to give grounds for.
    let end = talk(&["왜?"]).await;
    assert!(said(&end).contains("무엇을 도와드릴까요"), "{}", said(&end));
}

#[tokio::test]
async fn a_figure_that_changes_is_worked_out_again() {
    let end = talk(&["3억 대출 30년 금리 4%면 한 달에 얼마야?", "금리가 5퍼센트면?"]).await;
    let payment = end.used.iter().flat_map(|used| &used.found.reports).find_map(|report| match report {
        Report::Repayment(view) => Some((view.principal, view.rate)),
        _ => None,
    });
    assert_eq!(payment, Some((300_000_000, 0.05)), "{}", said(&end));
    let end = talk(&["9억 아파트 취득세 얼마야?", "2주택자면?"]).await;
    assert_eq!(end.planning.calculations, [Calculation::AcquisitionTax], "{}", said(&end));
    assert!(said(&end).contains("2번째 집"), "{}", said(&end));
    let end = talk(&["전세 2억 8천인데 10% 올려달래요", "그럼 얼마까지 올려줘야 하는데?"]).await;
    assert!(said(&end).contains("2억 9,400만원"), "{}", said(&end));
}

#[tokio::test]
async fn whether_a_home_can_be_bought_is_told_with_loan_and_cash() {
    let question = "부부합산 연봉 9천이고 현금 3억 있는데 노원구에 7억짜리 아파트 살수 있나요";
    let end = talk(&[question]).await;
    assert!(end.planning.required.contains(&DataKind::Loan), "{:?}", end.planning.required);
    assert!(said(&end).contains("가진 돈 3억원"), "{}", said(&end));
}

#[tokio::test]
async fn places_are_written_in_the_letters_of_the_question() {
    let end = talk(&["How much is a 25 pyeong apartment in Sillim-dong?"]).await;
    let hangul = |line: &&str| line.chars().any(|c| ('가'..='힣').contains(&c));
    let korean: Vec<&str> = said(&end).lines().filter(hangul).collect();
    assert!(korean.is_empty(), "{korean:?}");
    assert!(said(&end).contains("Gwanak-gu, Seoul"), "{}", said(&end));
    let end = talk(&["Which is cheaper, Seocho-gu or Songpa?"]).await;
    assert!(said(&end).contains("Seocho-gu") && said(&end).contains("Songpa-gu"), "{}", said(&end));
}

#[tokio::test]
async fn what_a_word_means_is_told_and_no_table_of_loans() {
    let end = talk(&["DSR이 뭐야?"]).await;
    assert_eq!(end.planning.required, [DataKind::Legal]);
    assert!(!said(&end).contains("## 대출 상품"), "{}", said(&end));
}

#[tokio::test]
async fn what_was_worked_out_for_one_place_is_worked_out_for_another() {
    let turns = ["강남구 아파트 사면 취득세 얼마야?", "그럼 노원구는?"];
    let tax = |end: &Advice| {
        let mut reports = end.used.iter().flat_map(|used| &used.found.reports);
        reports.find_map(|report| match report {
            Report::Tax(view) => Some(view.tax.total),
            _ => None,
        })
    };
    let (first, second) = (talk(&turns[..1]).await, talk(&turns).await);
    let (here, there) = (tax(&first), tax(&second));
    assert!(here.is_some() && there.is_some(), "{}", said(&second));
    assert_ne!(here, there, "a home there costs something else");
    assert!(said(&second).contains("노원구") && !said(&second).contains("강남구"), "{}", said(&second));
}

#[tokio::test]
async fn of_places_with_one_name_it_is_said_which_was_meant() {
    let end = talk(&["중구 아파트 시세 알려줘"]).await;
    assert!(said(&end).contains("같은 이름의 곳이 더 있어"), "{}", said(&end));
    let end = talk(&["서울 중구 아파트 시세 알려줘"]).await;
    assert!(!said(&end).contains("같은 이름의 곳"), "{}", said(&end));
}

#[tokio::test]
async fn what_a_home_returns_is_worked_out_in_english_and_a_deposit_that_is_returned_is_not() {
    let end = talk(&[
        "I buy a 700 million won flat in Mapo and let it for 1.5 million a month, what is the return?",
    ])
    .await;
    let returns = |end: &Advice| {
        let mut reports = end.used.iter().flat_map(|used| &used.found.reports);
        reports.find_map(|report| match report {
            Report::Returns(view) => Some((view.investment.price, view.investment.monthly_rent)),
            _ => None,
        })
    };
    assert_eq!(returns(&end), Some((700_000_000, 1_500_000)), "{}", said(&end));
    let end = talk(&["The buyer of our building will not return my deposit, what can I do?"]).await;
    assert_eq!(returns(&end), None, "{}", said(&end));
}

/// A correction replaces one figure, and whatever rests on it is worked out anew.
#[tokio::test]
async fn a_correction_leaves_nothing_of_what_was_corrected() {
    let end =
        talk(&["3억을 4%로 30년 빌리면 한 달에 얼마 내?", "40년으로 하면?", "아 3억 아니고 2억이야"]).await;
    assert!(said(&end).contains("2억원을 연 4%로 40년"), "{}", said(&end));
    assert!(!said(&end).contains("3억원"), "{}", said(&end));
    let end = talk(&["연봉 7천이고 6억 아파트 사려는데 대출 얼마나 나와?", "아니 6억 말고 7억"]).await;
    assert!(said(&end).contains("7억원 집을 살 때") && !said(&end).contains("집값 6억원"), "{}", said(&end));
    assert!(said(&end).contains("연소득 7,000만원(1번째 질문)"), "{}", said(&end));
}

#[tokio::test]
async fn a_deposit_is_weighed_with_the_claims_before_it() {
    let end = talk(&["9억 집에 근저당 3억 있고 전세 보증금 5억인데 위험해?"]).await;
    assert!(said(&end).contains("8억원으로 집값 9억원의 88.89%"), "{}", said(&end));
}

/// What a question asks for by name is answered, or said to be left open; then the answer is no whole one.
#[tokio::test]
async fn a_part_that_is_left_open_is_told_and_makes_the_answer_partial() {
    let end = talk(&["7억 아파트 사면 취득세랑 복비랑 관리비는 각각 얼마야?"]).await;
    assert!(said(&end).contains("취득세") && said(&end).contains("중개보수"), "{}", said(&end));
    assert!(said(&end).contains("‘관리비’"), "{}", said(&end));
    assert_eq!(end.status, duru_agents::advisor::AdviceStatus::Partial);
    let end = talk(&["7억 아파트 사면 취득세랑 복비는 각각 얼마야?"]).await;
    assert_eq!(end.status, duru_agents::advisor::AdviceStatus::Completed, "{}", said(&end));
}
