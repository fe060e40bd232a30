use super::*;

fn turn<'a>(text: &'a str, said: &'a Parameters, all: &'a Parameters, last: &'a [Sum]) -> Turn<'a> {
    Turn { text, said, all, last }
}

fn lent() -> Parameters {
    Parameters { loan: Some(210_000_000), rate: Some(0.037), years: Some(20), ..Parameters::default() }
}

#[test]
fn a_loan_that_is_said_with_its_rate_is_paid_back_in_whatever_words() {
    let said = lent();
    for text in [
        "2억1천을 20년 3.7%로 받으면 우리 집 지출이 어떻게 돼요?",
        "210 million at 3.7% over 20 years, what does that come to?",
    ] {
        assert_eq!(allowed(&turn(text, &said, &said, &[])), [Calculation::Repayment], "{text}");
    }
    // Of what was said before, only where the question adds a part of it.
    let none = Parameters::default();
    assert_eq!(allowed(&turn("그럼 매달 얼마예요?", &none, &said, &[])), []);
}

#[test]
fn a_share_that_is_asked_for_is_no_sum() {
    let said = Parameters { price: Some(700_000_000), ..lent() };
    assert_eq!(allowed(&turn("그게 몇 프로예요?", &said, &said, &[])), []);
    assert_eq!(sums(&turn("대출이 집값의 몇 프로예요?", &said, &said, &[])), [Sum::OwedShare]);
}

#[test]
fn of_two_sums_that_say_the_same_the_narrower_is_asked_for() {
    let all = Parameters { income: Some(72_000_000), ..lent() };
    let none = Parameters::default();
    assert_eq!(sums(&turn("dsr 40%로 얼마까지 빌려져요?", &none, &all, &[])), [Sum::DsrLimit]);
    assert_eq!(sums(&turn("그럼 dsr 몇 나와요?", &none, &all, &[])), [Sum::Dsr]);
    assert_eq!(sums(&turn("오늘 날씨 어때", &none, &all, &[])), []);
}

#[test]
fn a_sum_that_lacks_a_figure_waits_only_where_nothing_else_fits() {
    let none = Parameters::default();
    let earned = Parameters { income: Some(72_000_000), ..Parameters::default() };
    assert_eq!(sums(&turn("dsr 얼마예요?", &none, &none, &[])), [Sum::Dsr]);
    // Without a rate and a term, what may be paid a year is all that can be told.
    let text = "DSR 40%면 한 해에 갚는 돈이 최대 얼마까지예요?";
    assert_eq!(sums(&turn(text, &none, &earned, &[])), [Sum::DsrYear]);
}

#[test]
fn what_was_spoken_of_stands_in_for_the_subject() {
    let all =
        Parameters { income: Some(72_000_000), rate: Some(0.041), years: Some(30), ..Parameters::default() };
    let none = Parameters::default();
    let text = "So how much could we borrow?";
    assert_eq!(sums(&turn(text, &none, &all, &[Sum::DsrYear])), [Sum::DsrLimit]);
    assert_eq!(sums(&turn(text, &none, &all, &[])), []);
    // Who says what they borrow does not ask what they may.
    let said = Parameters { loan: Some(150_000_000), ..Parameters::default() };
    assert_eq!(sums(&turn("if I borrow 150 million?", &said, &all, &[Sum::DsrYear])), []);
}

#[test]
fn a_broker_is_asked_about_in_whatever_words() {
    for text in [
        "공인중개사에게 줄 돈은 최대 얼마예요?",
        "How much may the realtor charge at most?",
        "the agent's max for this one?",
    ] {
        assert_eq!(named(text), [Calculation::Brokerage], "{text}");
    }
    assert_eq!(named("The agent showed us two flats yesterday. Which floor is better?"), []);
}

#[test]
fn every_formula_has_a_subject_or_a_shape() {
    assert!(PLAIN.iter().all(|formula| !formula.subject.is_empty() || !formula.shape.is_empty()));
    assert!(CALCULATIONS.iter().all(|formula| !formula.subject.is_empty() || !formula.shape.is_empty()));
    // What is in a shape alone must be enough to ask by.
    assert!(CALCULATIONS.iter().all(|formula| formula.shape.is_empty() || !formula.needs.is_empty()));
}
