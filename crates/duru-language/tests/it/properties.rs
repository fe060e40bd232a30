//! Whatever is written, it is cut into pieces in order; what is said of time is read as it was meant.

use duru_language::time::{self, Length, Period, Timed};
use duru_language::{Unit, money, quantity, segment, words};
use jiff::civil::date;
use jiff::{ToSpan, Zoned};
use proptest::prelude::*;

fn now() -> Zoned {
    "2026-03-18T14:30:00+09:00[Asia/Seoul]".parse().unwrap()
}

fn timed(text: &str) -> Vec<Timed> {
    let tokens = quantity::join_numbers(segment(text, &[words::general()]));
    for at in 0..tokens.len() {
        money::money(text, &tokens, at);
        quantity::percent(&tokens, at);
        quantity::percentile(&tokens, at);
        quantity::is_label(text, &tokens, at);
    }
    quantity::moving_window(&tokens);
    time::read(&tokens, &now()).into_iter().map(|span| span.what).collect()
}

proptest! {
    #[test]
    fn any_text_is_cut_into_pieces_in_order(text in ".{0,60}") {
        let mut end = 0;
        for token in segment(&text, &[words::general()]) {
            prop_assert!(token.start >= end && token.end >= token.start && token.full_end >= token.end);
            prop_assert!(text.get(token.start..token.full_end).is_some(), "{token:?}");
            end = token.full_end;
        }
        timed(&text);
    }

    #[test]
    fn words_of_both_languages_in_any_order_are_read_without_a_panic(
        text in proptest::collection::vec("(최근|어제|지난주|3월|10일|부터|까지|~|2시|오후|반|전|last|week|march|5|:|and|to|같은 요일|하루|씩|사이|분기|상반기|작년|2025|1|만|억|천|half|q1|to date|so far|for|from|before|after|of|a|hour|직전|둘째 주|째 주|주차|이전 달|sat|sun|the|on|third|ninety|million|quarter|second|previous|week before last|할|푼|\\(|\\)|-|between|전세|20분|이후|전|,|'s|%|₩) ?", 0..8)
    ) {
        timed(&text.concat());
    }

    #[test]
    fn a_length_is_the_last_so_many(amount in 1u32..500, place in 0usize..4) {
        let (unit, ko, en) = [
            (Unit::Minute, "분", "minutes"), (Unit::Hour, "시간", "hours"), (Unit::Day, "일", "days"), (Unit::Week, "주", "weeks"),
        ][place];
        let meant = vec![Timed::Period(Period::Last(Length::new(amount, unit)))];
        prop_assert_eq!(timed(&format!("최근 {amount}{ko}")), meant.clone());
        prop_assert_eq!(timed(&format!("last {amount} {en}")), meant);
    }

    #[test]
    fn a_day_is_that_day_however_it_is_written(back in 0i64..300) {
        let day = date(2026, 3, 18).checked_sub(back.days()).unwrap();
        let from = day.to_zoned(now().time_zone().clone()).unwrap().timestamp();
        let (year, month, number) = (day.year(), day.month(), day.day());
        for text in [
            format!("{year}-{month:02}-{number:02} 에러"),
            format!("{year}년 {month}월 {number}일 에러"),
            format!("{month}월 {number}일 에러"),
        ] {
            let read = timed(&text);
            let [Timed::Period(Period::Range { from: Some(found), .. })] = read.as_slice() else {
                return Err(TestCaseError::fail(format!("{text}: {read:?}")));
            };
            prop_assert_eq!(*found, from, "{}", text);
        }
    }
}
