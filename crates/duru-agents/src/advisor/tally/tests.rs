use super::*;

fn of(text: &str, ledger: &Ledger) -> Option<Tally> {
    asked(text, ledger, &Parameters::default(), Constants::built_in())
}

fn result(text: &str) -> Option<i64> {
    of(text, &Ledger::default()).map(|tally| tally.result())
}

/// 1천만 + 55만 + 25만 + 30만; 9.5m + 300k + 200k.
#[test]
fn what_amounts_come_to_by_hand() {
    assert_eq!(
        result("보증금 1천 + 첫달 55 + 복비 25 + 청소 30 하면 통장에 얼마 있어야 해요?"),
        Some(11_100_000)
    );
    assert_eq!(result("add up: deposit 9.5m, movers 300k, cleaning 200k"), Some(10_000_000));
    let line = sentence(&of("복비 150, 이사 80, 청소 40 다 합치면?", &Ledger::default()).unwrap(), Lang::Ko);
    assert_eq!(line, "복비 150만원 + 이사 80만원 + 청소 40만원 = 모두 270만원입니다.");
}

/// 280만 − 90만 − 60만; 4m − 1.1m − 900k.
#[test]
fn what_is_left_by_hand() {
    assert_eq!(result("월급 280인데 월세 90 내고 생활비 60 쓰면 얼마 남아요"), Some(1_300_000));
    assert_eq!(result("I earn 4m, rent 1.1m, food 900k. what's left?"), Some(2_000_000));
    // Without what is had there is nothing to be left of.
    assert_eq!(result("월세 90 내고 생활비 60 쓰면 얼마 남아요"), None);
}

/// 300m at 4 % over 30 years costs 1,432,246 a month.
#[test]
fn what_is_pointed_at_is_worked_out() {
    let all =
        Parameters { loan: Some(300_000_000), rate: Some(0.04), years: Some(30), ..Parameters::default() };
    let left = asked(
        "we take home 5m, what's left after that payment?",
        &Ledger::default(),
        &all,
        Constants::built_in(),
    );
    assert_eq!(left.unwrap().result(), 5_000_000 - 1_432_246);
}

#[test]
fn one_amount_is_said_again_and_a_goal_is_reached() {
    let tally = of("I earn 4m, rent 1.1m, food 900k. what's left?", &Ledger::default());
    let ledger = Ledger { tally, ..Ledger::default() };
    let again = of("sorry the rent is 1.3 not 1.1", &ledger).unwrap();
    assert_eq!(again.result(), 1_800_000);
    let ledger = Ledger { tally: Some(again), ..Ledger::default() };
    let goal = of("how many months until I have 9 million?", &ledger).unwrap();
    assert!(sentence(&goal, Lang::En).contains("takes 5 months"), "{}", sentence(&goal, Lang::En));
    assert_eq!(of("오늘 날씨 어때요?", &ledger), None);
}

/// 500m − 150m − 120m.
#[test]
fn what_has_to_be_borrowed_by_hand() {
    let tally = of(
        "the flat is 500m; with my savings of 150 and her 120m, how big a loan do we need?",
        &Ledger::default(),
    );
    assert_eq!(tally.unwrap().loan(), Some(230_000_000));
}
