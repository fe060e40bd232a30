//! What each kind of wording means, with examples of our own: a class of wordings is read, not a sentence.
//!
//! It is Wednesday, 2026-03-18, half past two in Seoul.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::readers::{Bounds, amounts, lengths, now, numbers, percentiles, percents, periods, windows};

/// `2026-03-10..2026-03-11T14:30`, open on a side where nothing stands, `now` for now.
fn bounds(text: &str) -> Bounds {
    let (from, until) = text.split_once("..").unwrap();
    let at = |text: &str| {
        let civil =
            |text: &str| text.parse::<DateTime>().unwrap().to_zoned(TimeZone::get("Asia/Seoul").unwrap());
        match text {
            "" => None,
            "now" => Some(now().timestamp()),
            text => Some(civil(text).unwrap().timestamp()),
        }
    };
    (at(from), at(until))
}

/// Checks every example, so that all that is wrong is seen at once.
fn check<T: PartialEq + std::fmt::Debug>(read: impl Fn(&str) -> Vec<T>, examples: Vec<(&str, Vec<T>)>) {
    let wrong: Vec<String> = examples
        .iter()
        .filter_map(|(text, expected)| {
            let read = read(text);
            (read != *expected).then(|| format!("{text}: {read:?}, not {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), examples.len(), wrong.join("\n"));
}

fn check_periods(examples: &[(&str, &[&str])]) {
    let expected = |texts: &[&str]| texts.iter().map(|text| bounds(text)).collect();
    check(periods, examples.iter().map(|(text, texts)| (*text, expected(texts))).collect());
}

fn check_values(read: impl Fn(&str) -> Vec<f64>, examples: &[(&str, &[f64])]) {
    check(read, examples.iter().map(|(text, values)| (*text, values.to_vec())).collect());
}

#[test]
fn a_length_may_have_parts() {
    check_values(
        lengths,
        &[
            ("3시간 20분 걸린 배치", &[12_000.0]),
            ("2분30초 이상", &[150.0]),
            ("a minute and a half", &[90.0]),
            ("two and a half hours", &[9_000.0]),
            ("one hour and fifteen minutes", &[4_500.0]),
            ("1h 15m", &[4_500.0]),
            ("took 3m20s", &[200.0]),
            ("1d12h", &[129_600.0]),
            ("1.5 hours", &[5_400.0]),
            ("2.5초 초과", &[2.5]),
            ("0.75s", &[0.75]),
            ("half a minute", &[30.0]),
            ("half a second", &[0.5]),
            ("세 시간 반", &[12_600.0]),
            ("3주 반", &[2_116_800.0]),
            ("longer than an hour", &[3_600.0]),
            ("for a week", &[604_800.0]),
            ("5분 20초 동안", &[320.0]),
            ("하루 6시간", &[108_000.0]),
            ("쿼리 250ms", &[0.25]),
            ("1,500밀리초 넘는", &[1.5]),
        ],
    );
}

#[test]
fn days_and_units_have_native_counts() {
    check_values(
        lengths,
        &[
            ("나흘 이상 방치", &[345_600.0]),
            ("열흘 넘게", &[864_000.0]),
            ("엿새 걸린", &[518_400.0]),
            ("이레 동안", &[604_800.0]),
            ("두 주 넘게", &[1_209_600.0]),
            ("네 시간", &[14_400.0]),
            ("열다섯 시간", &[54_000.0]),
            ("스무 날", &[1_728_000.0]),
            ("삼십 분 이상", &[1_800.0]),
            ("십오 초 초과", &[15.0]),
            ("사십오분 걸림", &[2_700.0]),
            ("닷새 반", &[475_200.0]),
        ],
    );
    check_periods(&[
        ("이틀 전 장애", &["2026-03-16..2026-03-17"]),
        ("엿새 전", &["2026-03-12..2026-03-13"]),
        ("열흘 전 배포", &["2026-03-08..2026-03-09"]),
        ("최근 나흘", &["2026-03-14T14:30..now"]),
        ("지난 닷새간 로그", &["2026-03-13T14:30..now"]),
        ("last 45 min", &["2026-03-18T13:45..now"]),
        ("지난 2시간 반", &["2026-03-18T12:00..now"]),
        ("past two and a half hours", &["2026-03-18T12:00..now"]),
        ("past 1h30m", &["2026-03-18T13:00..now"]),
        ("최근 1시간 30분", &["2026-03-18T13:00..now"]),
        ("last two weeks", &["2026-03-04T14:30..now"]),
        ("최근 두 달", &["2026-01-18T14:30..now"]),
        ("five days ago", &["2026-03-13..2026-03-14"]),
    ]);
}

#[test]
fn seconds_and_parts_that_are_other_words_are_no_lengths() {
    check_values(
        lengths,
        &[("the second row", &[]), ("분석 결과", &[]), ("초기 설정", &[]), ("min value", &[])],
    );
}

#[test]
fn quarters_halves_and_months_take_their_year_from_beside_them() {
    check_periods(&[
        ("2024년 2분기", &["2024-04-01..2024-07-01"]),
        ("작년 하반기 매출", &["2025-07-01..2026-01-01"]),
        ("재작년 1분기", &["2024-01-01..2024-04-01"]),
        ("올해 2분기 계획", &["2026-04-01..2026-07-01"]),
        ("2분기 실적", &["2025-04-01..2025-07-01"]),
        ("1분기 실적", &["2026-01-01..2026-04-01"]),
        ("Q2 2025", &["2025-04-01..2025-07-01"]),
        ("2024 Q3 revenue", &["2024-07-01..2024-10-01"]),
        ("H2 2024", &["2024-07-01..2025-01-01"]),
        ("the first half of 2024", &["2024-01-01..2024-07-01"]),
        ("first quarter of last year", &["2025-01-01..2025-04-01"]),
        ("the 3rd quarter of 2025", &["2025-07-01..2025-10-01"]),
        ("last year's Q2", &["2025-04-01..2025-07-01"]),
        ("Q2 orders last year", &["2025-04-01..2025-07-01"]),
        ("Q1 and Q2 2024", &["2024-01-01..2024-04-01", "2024-04-01..2024-07-01"]),
        ("Q1 2025 vs Q1 2026", &["2025-01-01..2025-04-01", "2026-01-01..2026-04-01"]),
        ("작년 3월 매출", &["2025-03-01..2025-04-01"]),
        ("작년 5월 5일", &["2025-05-05..2025-05-06"]),
        ("25년 11월", &["2025-11-01..2025-12-01"]),
        ("24년 하반기", &["2024-07-01..2025-01-01"]),
        ("in October last year", &["2025-10-01..2025-11-01"]),
        ("October of last year", &["2025-10-01..2025-11-01"]),
        ("작년 1월과 2월", &["2025-01-01..2025-02-01", "2025-02-01..2025-03-01"]),
        ("작년 11월부터 1월까지", &["2025-11-01..2026-02-01"]),
        ("2024년 3월~5월", &["2024-03-01..2024-06-01"]),
        ("from Jan to Mar 2025", &["2025-01-01..2025-04-01"]),
        ("Aug and Sep 2024", &["2024-08-01..2024-09-01", "2024-09-01..2024-10-01"]),
        ("지난 분기", &["2025-10-01..2026-01-01"]),
        ("this quarter", &["2026-01-01..2026-04-01"]),
        ("지난해 6월", &["2025-06-01..2025-07-01"]),
    ]);
    check_values(lengths, &[("최근 2분기", &[15_778_800.0]), ("3 quarters", &[23_668_200.0])]);
}

#[test]
fn days_of_a_month_may_be_ordinal() {
    check_periods(&[
        ("on the 3rd of March", &["2026-03-03..2026-03-04"]),
        ("March 9th", &["2026-03-09..2026-03-10"]),
        ("9th March", &["2026-03-09..2026-03-10"]),
        ("the 12th of last month", &["2026-02-12..2026-02-13"]),
        ("지난달 25일", &["2026-02-25..2026-02-26"]),
        ("10 March 2025", &["2025-03-10..2025-03-11"]),
        ("March 10, 2025", &["2025-03-10..2025-03-11"]),
        ("Feb 3rd, 2024", &["2024-02-03..2024-02-04"]),
        ("from Mar 3 to Mar 6", &["2026-03-03..2026-03-07"]),
        ("Mar 3 through 6", &["2026-03-03..2026-03-07"]),
        ("3월 2일~5일", &["2026-03-02..2026-03-06"]),
        ("2월 27일부터 3월 2일까지", &["2026-02-27..2026-03-03"]),
        ("since March 12", &["2026-03-12.."]),
        ("3월 12일부터", &["2026-03-12.."]),
        ("before 3월 5일", &["..2026-03-05"]),
        ("until Mar 4", &["..2026-03-05"]),
        ("2026.03.02 로그", &["2026-03-02..2026-03-03"]),
        ("2/28 매출", &["2026-02-28..2026-03-01"]),
        ("2025-12 매출", &["2025-12-01..2026-01-01"]),
    ]);
}

#[test]
fn hours_may_say_their_half_of_the_day_once() {
    check_periods(&[
        ("yesterday 2-4pm", &["2026-03-17T14:00..2026-03-17T16:00"]),
        ("between 9 and 11am yesterday", &["2026-03-17T09:00..2026-03-17T11:00"]),
        ("어제 오후 1시부터 3시까지", &["2026-03-17T13:00..2026-03-17T15:00"]),
        ("오늘 오전 8시~10시 반", &["2026-03-18T08:00..2026-03-18T10:30"]),
        ("그제 새벽 2시~4시", &["2026-03-16T02:00..2026-03-16T04:00"]),
        ("어제 밤 10시부터 11시 반까지", &["2026-03-17T22:00..2026-03-17T23:30"]),
        ("yesterday 10:15-11:45", &["2026-03-17T10:15..2026-03-17T11:45"]),
        ("9:30 to 10:15 this morning", &["2026-03-18T09:30..2026-03-18T10:15"]),
        ("2:15 to 2:45 yesterday afternoon", &["2026-03-17T14:15..2026-03-17T14:45"]),
        ("어제 14시 10분부터 15시까지", &["2026-03-17T14:10..2026-03-17T15:00"]),
        ("어제 저녁", &["2026-03-17T18:00..2026-03-18"]),
        ("오늘 오전", &["2026-03-18..2026-03-18T12:00"]),
        ("since 10am today", &["2026-03-18T10:00.."]),
        ("오늘 9시부터 지금까지", &["2026-03-18T09:00..now"]),
    ]);
}

#[test]
fn a_beginning_may_have_a_length() {
    check_periods(&[
        ("어제 10시부터 30분간", &["2026-03-17T10:00..2026-03-17T10:30"]),
        ("오늘 09:20부터 1시간 반 동안", &["2026-03-18T09:20..2026-03-18T10:50"]),
        ("yesterday from 6am for 90 minutes", &["2026-03-17T06:00..2026-03-17T07:30"]),
        ("from 9:30 for an hour yesterday", &["2026-03-17T09:30..2026-03-17T10:30"]),
        ("3월 2일부터 사흘간", &["2026-03-02..2026-03-05"]),
        ("from March 2 for 3 days", &["2026-03-02..2026-03-05"]),
        ("그제 23시부터 2시간", &["2026-03-16T23:00..2026-03-17T01:00"]),
    ]);
}

#[test]
fn a_weekday_is_of_the_week_that_is_said() {
    check_periods(&[
        ("지난주 금요일", &["2026-03-13..2026-03-14"]),
        ("this week's Tuesday", &["2026-03-17..2026-03-18"]),
        ("monday of last week", &["2026-03-09..2026-03-10"]),
        ("지지난주 수요일", &["2026-03-04..2026-03-05"]),
        ("last thursday", &["2026-03-12..2026-03-13"]),
        ("지난 월요일", &["2026-03-16..2026-03-17"]),
        ("since last Friday", &["2026-03-13.."]),
        ("지난주 월요일부터 수요일까지", &["2026-03-09..2026-03-12"]),
        ("지난주 주말", &["2026-03-14..2026-03-16"]),
        ("on Monday", &["2026-03-16..2026-03-17"]),
        ("friday last week", &["2026-03-13..2026-03-14"]),
    ]);
}

#[test]
fn a_time_may_go_on_until_now() {
    check_periods(&[
        ("this week so far", &["2026-03-16..now"]),
        ("month to date revenue", &["2026-03-01..now"]),
        ("quarter to date", &["2026-01-01..now"]),
        ("올해 지금까지", &["2026-01-01..now"]),
        ("이번 주 지금까지 주문", &["2026-03-16..now"]),
        ("3월 2일부터 현재까지", &["2026-03-02..now"]),
        ("from March 2 until now", &["2026-03-02..now"]),
        ("지난달 역대 최고", &["2026-02-01..2026-03-01"]),
    ]);
}

#[test]
fn two_times_are_two() {
    check_periods(&[
        ("이번달이랑 지난달 비교", &["2026-03-01..2026-04-01", "2026-02-01..2026-03-01"]),
        ("today vs yesterday", &["2026-03-18..2026-03-19", "2026-03-17..2026-03-18"]),
        ("compare January and February", &["2026-01-01..2026-02-01", "2026-02-01..2026-03-01"]),
        ("2024년과 2025년 비교", &["2024-01-01..2025-01-01", "2025-01-01..2026-01-01"]),
        ("작년 대비 올해", &["2025-01-01..2026-01-01", "2026-01-01..2027-01-01"]),
    ]);
}

#[test]
fn words_that_look_like_times_are_none() {
    check_periods(&[
        ("march to the end of the file", &[]),
        ("you may try again", &[]),
        ("월별로 나눠줘", &[]),
        ("일반 사용자 목록", &[]),
        ("시간대 설정", &[]),
        ("분기문 오류", &[]),
        ("build 20260312-4", &[]),
        ("v3.1.4 rollout", &[]),
        ("804호 세입자", &[]),
        ("top 10 users", &[]),
        ("연결 오류", &[]),
        ("주문 상태", &[]),
    ]);
}

#[test]
fn numbers_may_be_spelled_or_have_scales() {
    check_values(
        numbers,
        &[
            ("4만 3천 건", &[43_000.0]),
            ("7천 명", &[7_000.0]),
            ("2천5백 개", &[2_500.0]),
            ("3백50건", &[350.0]),
            ("삼만 오천 건", &[35_000.0]),
            ("1.5만 건", &[15_000.0]),
            ("10만 넘는", &[100_000.0]),
            ("사백 건 이상", &[400.0]),
            ("쉰 명", &[50.0]),
            ("마흔두 건", &[42.0]),
            ("열여덟 개", &[18.0]),
            ("five thousand two hundred rows", &[5_200.0]),
            ("one hundred and twenty users", &[120.0]),
            ("ninety-nine tickets", &[99.0]),
            ("fifteen hundred users", &[1_500.0]),
            ("two dozen hosts", &[24.0]),
            ("half a dozen hosts", &[6.0]),
            ("two and a half million rows", &[2_500_000.0]),
            ("3.2M rows", &[3_200_000.0]),
            ("1.1B events", &[1_100_000_000.0]),
            ("25k requests", &[25_000.0]),
            ("12,345,678 rows", &[12_345_678.0]),
            ("at least 3 million", &[3_000_000.0]),
            ("상위 5개만", &[5.0]),
            ("top ten services", &[10.0]),
        ],
    );
}

#[test]
fn numbers_that_name_something_count_nothing() {
    check_values(
        numbers,
        &[
            ("exit code 137", &[]),
            ("HTTP 404 pages", &[]),
            ("status 503", &[]),
            ("port 8080", &[]),
            ("에러 코드 500", &[]),
            ("주문번호 30211", &[]),
            ("1203호", &[]),
            ("v1.8.2", &[]),
            ("ticket #4521", &[]),
            ("user_042", &[]),
            ("order A-1029", &[]),
            ("203.0.113.7", &[]),
            ("2호선", &[]),
        ],
    );
}

#[test]
fn money_has_a_sign_a_unit_or_a_scale() {
    let examples: Vec<(&str, Vec<(f64, &'static str)>)> = vec![
        ("전세 4억", vec![(400_000_000.0, "KRW")]),
        ("2억 3천만원", vec![(230_000_000.0, "KRW")]),
        ("7억2천", vec![(720_000_000.0, "KRW")]),
        ("9억 1,500", vec![(915_000_000.0, "KRW")]),
        ("1.5억 이하", vec![(150_000_000.0, "KRW")]),
        ("삼억 원", vec![(300_000_000.0, "KRW")]),
        ("3만 5천 원", vec![(35_000.0, "KRW")]),
        ("월세 60만원", vec![(600_000.0, "KRW")]),
        ("8백만 원", vec![(8_000_000.0, "KRW")]),
        ("12,000원", vec![(12_000.0, "KRW")]),
        ("만원 이상", vec![(10_000.0, "KRW")]),
        ("칠천원", vec![(7_000.0, "KRW")]),
        ("$49.99", vec![(49.99, "USD")]),
        ("$2.5M", vec![(2_500_000.0, "USD")]),
        ("$3 million", vec![(3_000_000.0, "USD")]),
        ("under $900k", vec![(900_000.0, "USD")]),
        ("250 USD", vec![(250.0, "USD")]),
        ("50 bucks", vec![(50.0, "USD")]),
        ("KRW 1,200,000", vec![(1_200_000.0, "KRW")]),
        ("₩35,000", vec![(35_000.0, "KRW")]),
        ("two hundred dollars", vec![(200.0, "USD")]),
        ("3.2 billion won", vec![(3_200_000_000.0, "KRW")]),
        ("50달러", vec![(50.0, "USD")]),
        ("5백 달러", vec![(500.0, "USD")]),
        ("20유로", vec![(20.0, "EUR")]),
        ("€15", vec![(15.0, "EUR")]),
        ("5만원에서 10만원", vec![(50_000.0, "KRW"), (100_000.0, "KRW")]),
        ("3만 건", vec![]),
        ("2억 건", vec![]),
        ("원인 3개", vec![]),
    ];
    check(amounts, examples);
}

#[test]
fn shares_percentiles_and_windows_are_told_apart() {
    check_values(
        percents,
        &[
            ("40 % 초과", &[40.0]),
            ("0.1% 미만", &[0.1]),
            ("오십 퍼센트", &[50.0]),
            ("15프로 할인", &[15.0]),
            ("thirty percent", &[30.0]),
            ("7.5 pct", &[7.5]),
            ("ninety-five percent", &[95.0]),
            ("3할 감소", &[30.0]),
            ("half of the requests", &[50.0]),
            ("2.3%p 하락", &[2.3]),
            ("1.2 percentage points", &[1.2]),
            ("half an hour", &[]),
            ("두 시간 반", &[]),
            ("p95", &[]),
        ],
    );
    check_values(
        percentiles,
        &[
            ("p90 latency", &[90.0]),
            ("P99.5", &[99.5]),
            ("75th percentile", &[75.0]),
            ("중위값", &[50.0]),
            ("99퍼센타일", &[99.0]),
            ("90 백분위 응답", &[90.0]),
            ("95%", &[]),
        ],
    );
    check_values(
        windows,
        &[
            ("14일 이동평균", &[14.0]),
            ("5-day rolling average", &[5.0]),
            ("moving average over 10 rows", &[10.0]),
            ("trailing 12 month average", &[12.0]),
            ("3개월 이동평균", &[3.0]),
            ("100행 이동평균", &[100.0]),
            ("7 day moving avg of errors", &[7.0]),
            ("30일 평균", &[]),
        ],
    );
}
