//! Taxes and costs that are asked for by name: the one that was asked for is worked out, and no other in its place.

use duru_agents::advisor::tools::{Calculation, Report};

use super::world::{advisor, answer, asks, said};

async fn reported(text: &str) -> (Vec<Calculation>, Vec<Report>, String) {
    let end = answer(&advisor(), "talk", asks(text)).await;
    let reports = end.used.iter().flat_map(|used| used.found.reports.clone()).collect();
    (end.planning.calculations.clone(), reports, said(&end).to_owned())
}

#[tokio::test]
async fn a_question_about_one_tax_is_not_answered_with_another() {
    let (wanted, reports, text) = reported("10억 아파트 하나 있는데 재산세 얼마야?").await;
    assert_eq!(wanted, [Calculation::PropertyTax], "{text}");
    assert!(matches!(reports[..], [Report::PropertyTax(_)]), "{text}");
    assert!(
        text.contains("공시가격을 모르므로 집값의 69%로 어림") && !text.contains("취득세 합계"),
        "{text}"
    );

    // An only home of 20억: as worked out by hand beside the calculator.
    let (wanted, _, text) = reported("1주택이고 공시가격 20억인데 종부세 얼마 나와요?").await;
    assert_eq!(wanted, [Calculation::ComprehensiveTax], "{text}");
    assert!(text.contains("227만 5,200원"), "{text}");

    let (wanted, reports, text) = reported("2주택자인데 5억에 사서 5년 뒤 7억에 팔면 양도세 얼마야?").await;
    assert_eq!(wanted, [Calculation::CapitalGains], "{text}");
    let Some(Report::CapitalGains(view)) = reports.first() else { panic!("{text}") };
    // 2억; 10 % for five years; less 250만: 1억 7,750만; 38 % less 1,994만 is 4,751만.
    assert_eq!(view.tax.as_ref().map(|tax| tax.tax), Some(47_510_000), "{text}");
    assert!(text.contains("필요경비 0원") && !text.contains("취득세 합계"), "{text}");
}

#[tokio::test]
async fn an_only_home_is_exempt_and_what_is_not_known_is_asked_for() {
    let (_, _, text) = reported("집 한 채뿐이고 6년 살았어요. 10억 5천에 팔면 양도세 내야 하나요?").await;
    assert!(text.contains("비과세"), "{text}");
    let (_, _, text) = reported("집 한 채뿐이고 6년 살았어요. 13억에 팔면 양도세 얼마예요?").await;
    assert!(text.contains("12억원") && text.contains("산 값(취득가)"), "{text}");
    let (_, _, text) = reported(
        "Our only home, held for 6 years: what is the capital gains tax if we sell it for 1 billion won?",
    )
    .await;
    assert!(text.contains("exempt"), "{text}");
}

#[tokio::test]
async fn what_registering_a_purchase_costs_is_told_part_by_part() {
    let (wanted, _, text) = reported("마포구 6억 아파트 등기 비용 모두 얼마나 들어요?").await;
    assert!(wanted.contains(&Calculation::Registration), "{text}");
    for part in ["국민주택채권", "법무사 보수 604,000원", "인지세 15만원", "채권 할인율 12%"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}
