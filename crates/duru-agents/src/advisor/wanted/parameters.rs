//! What tools are asked with: the conditions of a search, and the figures of a calculation.

use super::homes::{age, held, homes_after, homes_held, lived};
use super::placed::{convert, place, raise};
use super::said::{
    down_share, drops_tax, level_principal, months, other_years, rate, rates, regulated, said_dsr, share_of,
    tax_share, vacancy, years,
};
use crate::advisor::tools::{Calculation, Parameters};
use crate::advisor::turn;
use crate::advisor::understand::{
    Area, DataKind, Deal, LoanKind, Property, Question, Role, Terms, is_taken_back,
};

/// The conditions that a search runs with: what was said, and what is meant where nothing was.
pub(in crate::advisor) fn with_defaults(terms: &Terms, required: &[DataKind]) -> Terms {
    let mut terms = terms.clone();
    if required.contains(&DataKind::Market) && terms.properties.is_empty() {
        terms.properties = vec![Property::Apartment];
    }
    // 보증금 2000에 월 60: who names a rent rents.
    if required == [DataKind::Market]
        && terms.deals.is_empty()
        && terms.amounts.iter().any(|amount| amount.role == Role::MonthlyRent)
    {
        terms.deals = vec![Deal::MonthlyRent];
    }
    terms
}

/// What tools are asked with, by what the question says.
pub(in crate::advisor) fn parameters(
    question: &Question,
    terms: &Terms,
    calculations: &[Calculation],
) -> Parameters {
    let mut asked = said(question, terms, calculations);
    as_usual(&mut asked, terms, calculations);
    for amount in &terms.amounts {
        place(&mut asked, amount, question, calculations);
    }
    if calculations.contains(&Calculation::Conversion) {
        convert(&mut asked, question, terms);
    }
    if calculations.contains(&Calculation::Increase) {
        raise(&mut asked, question);
    }
    // A plain search with a deposit and a rent is for what costs about as much.
    if question.required == [DataKind::Market] && calculations.is_empty() && asked.monthly_rent.is_some() {
        let about = |won: u64| won.saturating_add(won / 10);
        asked.most_rent = asked.most_rent.or(asked.monthly_rent.map(about));
        asked.most_price = asked.most_price.or(asked.deposit.map(about));
    }
    asked
}

/// The conditions, and every figure that the question says by its name.
fn said(question: &Question, terms: &Terms, calculations: &[Calculation]) -> Parameters {
    let text = question.text.as_str();
    let has = |wanted: &[Calculation]| calculations.iter().any(|one| wanted.contains(one));
    let buying = has(&[Calculation::AcquisitionTax, Calculation::Registration]);
    let holding = has(&[Calculation::CapitalGains, Calculation::PropertyTax, Calculation::ComprehensiveTax]);
    let mut asked = Parameters {
        query: text.chars().take(500).collect(),
        deals: terms.deals.clone(),
        properties: terms.properties.clone(),
        loans: terms.loans.clone(),
        groups: terms.groups.clone(),
        subjects: terms.subjects.clone(),
        calculations: calculations.to_vec(),
        area: terms.areas.first().map(Area::exclusive),
        area_slack: terms.areas.first().filter(|area| area.band).map(|_| 0.25),
        rate: rate(text, calculations),
        years: years(text),
        interest_only: interest_only(text),
        vacancy: vacancy(text),
        said_ltv: share_of(text, &["ltv", "엘티비"]),
        said_dsr: share_of(text, &["dsr"]).or_else(|| said_dsr(text)),
        conversion_rate: share_of(text, &["전환율", "전환이율", "conversion rate"]),
        down_share: down_share(text),
        tax_share: tax_share(text),
        drops_tax: drops_tax(text),
        months: months(text),
        regulated: regulated(text),
        level_principal: level_principal(text),
        other_years: other_years(text),
        homes_after: buying.then(|| homes_after(text)).flatten(),
        homes: holding.then(|| homes_held(text)).flatten(),
        held_months: holding.then(|| held(text)).flatten(),
        lived_years: holding.then(|| lived(text)).flatten(),
        facilities: terms.facilities.clone(),
        radius: terms.radius().and_then(|metres| u32::try_from(metres).ok()),
        age: age(text).filter(|_| holding || question.required.contains(&DataKind::Loan)),
        sort: turn::sort(text),
        by_district: turn::ranks(question),
        ..Parameters::default()
    };
    if asked.rate.is_some()
        && let Some((before, after)) = rates(text)
    {
        (asked.rate_before, asked.rate) = (Some(before), Some(after));
    }
    asked
}

/// What is meant where nobody says: the deal of a search by district, and what a loan is for.
fn as_usual(asked: &mut Parameters, terms: &Terms, calculations: &[Calculation]) {
    // Where one can afford to live is asked of buying, unless somebody says otherwise.
    if asked.by_district && asked.deals.is_empty() {
        asked.deals = vec![Deal::Sale];
    }
    // Who leases borrows for the deposit, who buys borrows on the home.
    if asked.loans.is_empty() && terms.deals == [Deal::Jeonse] {
        asked.loans = vec![LoanKind::Jeonse];
    }
    let buys = calculations.iter().any(|one| one.lends()) && !terms.deals.contains(&Deal::Jeonse);
    if asked.loans.is_empty() && buys {
        asked.loans = vec![LoanKind::Mortgage];
    }
}

/// Is only interest paid until the loan ends? Not where that is taken back: 이자만 말고.
fn interest_only(text: &str) -> bool {
    let text = text.to_lowercase();
    // 이자만 다 합치면: of all that is paid, the interest.
    let summed = |rest: &str| {
        ["다 ", "다합", "합", "전부", "모두", "총"].iter().any(|word| rest.trim_start().starts_with(word))
    };
    ["이자만", "만기일시", "만기 일시", "interest only", "interest-only"].iter().any(|word| {
        text.find(word).is_some_and(|at| {
            let rest = &text[at + word.len()..];
            !is_taken_back(rest) && !summed(rest)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::{Context, understand};
    use crate::advisor::wanted::calculations;

    fn asked(text: &str) -> (Vec<Calculation>, Parameters) {
        let question = understand(text, &Context::default());
        let calculations = calculations(&question);
        let parameters = parameters(&question, &question.terms, &calculations);
        (calculations, parameters)
    }

    #[test]
    fn calculations_and_their_figures_are_read() {
        let (wanted, with) =
            asked("연봉 6천만원인데 8억 아파트 사려면 대출 한도가 얼마나 되나요? 금리 4.2% 30년");
        assert_eq!(wanted, [Calculation::LoanLimit]);
        assert_eq!((with.income, with.price), (Some(60_000_000), Some(800_000_000)));
        assert_eq!((with.rate, with.years), (Some(0.042), Some(30)));
        let (wanted, with) = asked("전세금 3억인데 얼마까지 인상할 수 있나요");
        assert_eq!((wanted, with.deposit), (vec![Calculation::Increase], Some(300_000_000)));
        let (wanted, with) = asked("7억 아파트 취득세와 복비는 얼마야?");
        assert_eq!(wanted, [Calculation::AcquisitionTax, Calculation::Brokerage]);
        assert_eq!(with.price, Some(700_000_000));
        assert_eq!(
            asked("what tax is due if we purchase a 700 million won flat?").0,
            [Calculation::AcquisitionTax]
        );
        let (wanted, with) =
            asked("If I borrow 300 million won at 4.5% over 20 years, what is the monthly payment?");
        assert_eq!(wanted, [Calculation::Repayment]);
        assert_eq!((with.loan, with.rate, with.years), (Some(300_000_000), Some(0.045), Some(20)));
        let (wanted, with) =
            asked("How much can my landlord raise my jeonse deposit of 400 million won at renewal?");
        assert_eq!((wanted, with.deposit), (vec![Calculation::Increase], Some(400_000_000)));
        assert_eq!(asked("전월세 전환율 알려줘").0, []);
        assert_eq!(asked("강남구 5억대 아파트 매물").1.most_price, Some(600_000_000));
        let (_, with) = asked("관악구에서 보증금 1000에 월세 60 이하 원룸 찾아줘");
        assert_eq!((with.most_price, with.most_rent), (Some(10_000_000), Some(600_000)));
    }

    #[test]
    fn a_rate_is_read_wherever_money_is_lent_and_a_share_of_something_else_is_none() {
        let rate = |text| super::rate(text, &[]);
        assert_eq!(rate("3억 5천만원을 4.2% 25년 원리금균등으로 빌리면"), Some(0.042));
        assert_eq!(rate("금리 4.2%"), Some(0.042));
        assert_eq!(rate("LTV 70%로 대출 받고 금리는 4%"), Some(0.04));
        assert_eq!(rate("LTV 70%까지 대출 되나요"), None);
        assert_eq!(rate("공실 10%면"), None);
        let (_, with) = asked("What would the monthly payment be for 300 million won at 4.5%?");
        assert_eq!(with.rate, Some(0.045));
    }

    #[test]
    fn what_is_to_be_paid_is_told_from_what_is_paid_now() {
        let raised = |text| {
            let (wanted, with) = asked(text);
            assert_eq!(wanted, [Calculation::Increase], "{text}");
            (with.deposit, with.monthly_rent, with.raised_to, with.rate)
        };
        assert_eq!(
            raised("집주인이 전세를 3억에서 3억 5천으로 올려달래요"),
            (Some(300_000_000), None, Some(350_000_000), None)
        );
        assert_eq!(
            raised("My landlord wants to raise my jeonse from 300 million to 350 million won"),
            (Some(300_000_000), None, Some(350_000_000), None)
        );
        assert_eq!(
            raised("보증금 2억인데 2천만원 올려달라고 해요"),
            (Some(200_000_000), None, Some(220_000_000), None)
        );
        assert_eq!(raised("월세 80만원인데 10% 인상한대요"), (None, Some(800_000), None, Some(0.1)));
    }

    #[test]
    fn an_income_and_a_home_ask_for_a_loan_and_cash_is_what_one_has() {
        let (wanted, with) =
            asked("둘이 합쳐 연봉 8천이고 현금 2억 있는데 은평구 6억짜리 아파트 살 수 있나요");
        assert_eq!(wanted, [Calculation::LoanLimit]);
        assert_eq!((with.income, with.own_money), (Some(80_000_000), Some(200_000_000)));
        assert_eq!((with.price, with.most_price), (Some(600_000_000), None));
        assert_eq!(asked("연소득 4200인데 전세 2억 들어갈 때 대출 뭐가 좋아?").1.loans, [LoanKind::Jeonse]);
    }

    #[test]
    fn what_is_owed_is_no_loan_that_is_asked_for() {
        let (wanted, with) =
            asked("부부합산 연봉 1억, 기존 신용대출 5천만원 있는데 마포 10억 아파트 주담대 한도");
        assert_eq!(wanted, [Calculation::LoanLimit]);
        assert_eq!((with.debt, with.loan, with.price), (Some(50_000_000), None, Some(1_000_000_000)));
        let (_, with) = asked("지금 대출 2억 있는데 한 달에 얼마씩 갚아? 금리 4%");
        assert_eq!((with.debt, with.loan), (None, Some(200_000_000)));
    }

    #[test]
    fn cash_and_an_income_ask_how_dear_a_home_may_be() {
        for text in [
            "현금 3억 있고 연봉 7천인데 얼마짜리 집까지 살 수 있어?",
            "I earn 70 million won a year and have 300 million won in cash. What can I afford?",
        ] {
            let (wanted, with) = asked(text);
            assert_eq!(wanted, [Calculation::LoanLimit], "{text}");
            assert_eq!((with.own_money, with.income), (Some(300_000_000), Some(70_000_000)), "{text}");
            assert_eq!((with.price, with.most_price), (None, None), "{text}");
        }
    }

    #[test]
    fn a_purchase_and_a_sale_are_two_prices() {
        let (wanted, with) = asked("5억 아파트 사서 3년 뒤 6억에 팔면 ROI 얼마?");
        assert_eq!(wanted, [Calculation::Returns]);
        assert_eq!((with.price, with.resale, with.years), (Some(500_000_000), Some(600_000_000), Some(3)));
        let (_, with) = asked("전세 낀 7억 아파트 갭투자 하면 실투자금 얼마? 전세 5억");
        assert_eq!((with.price, with.deposit), (Some(700_000_000), Some(500_000_000)));
    }

    #[test]
    fn a_lease_whose_deposit_changes_keeps_its_rent_apart() {
        let (wanted, with) = asked("보증금 2천에 월 80인데 보증금 5천으로 올리면 월세 얼마로 낮춰야 해?");
        assert_eq!(wanted, [Calculation::Conversion]);
        assert_eq!(
            (with.deposit, with.paid_rent, with.keep),
            (Some(20_000_000), Some(800_000), Some(50_000_000))
        );
        let (_, with) = asked("월세로 바꾸면 보증금 1억에 얼마?");
        assert_eq!((with.deposit, with.keep), (None, Some(100_000_000)));
        let (_, with) = asked("3억 대출 있는데 금리가 4%에서 5%로 오르면 월 얼마 더 내?");
        assert_eq!((with.rate_before, with.rate), (Some(0.04), Some(0.05)));
        let (wanted, with) = asked("월세 60만원인데 5% 올리면 얼마야");
        assert_eq!((wanted, with.monthly_rent), (vec![Calculation::Increase], Some(600_000)));
    }

    #[test]
    fn a_deposit_for_a_rent_is_an_offer_to_be_weighed() {
        let (wanted, with) = asked("전세 4억인데 집주인이 3억에 월세 45로 바꾸재요");
        assert_eq!(wanted, [Calculation::Conversion]);
        assert_eq!(
            (with.deposit, with.keep, with.monthly_rent),
            (Some(400_000_000), Some(300_000_000), Some(450_000))
        );
    }
}
