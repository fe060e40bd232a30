//! What each wording of a number, an amount or a share means, with examples of our own.

use crate::readers::{amounts, check, check_values, numbers, percentiles, percents, windows};

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
            ("4만 2,300건", &[42_300.0]),
            ("30 초과", &[30.0]),
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
            ("4호기 점검", &[]),
            ("RFC 9110", &[]),
            ("on Debian 12", &[]),
            ("FATAL 5개", &[5.0]),
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
        ("보증금 800만 이상", vec![(8_000_000.0, "KRW")]),
        ("7만원대", vec![(70_000.0, "KRW")]),
        ("they won 4 games", vec![]),
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
            ("4분의 1 이상", &[25.0]),
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
            ("98th-percentile", &[98.0]),
            ("1사분위수", &[25.0]),
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

#[test]
fn windows_percentiles_and_parts_may_be_spelled() {
    check_values(
        windows,
        &[
            ("ten-day moving average", &[10.0]),
            ("seven day rolling mean", &[7.0]),
            ("twenty-one day moving average", &[21.0]),
            ("moving mean of the previous 5 rows", &[5.0]),
            ("rolling average over the last three months", &[3.0]),
            ("rolling mean of the past two weeks", &[2.0]),
            ("이동평균 열흘", &[10.0]),
            ("열흘 이동평균", &[10.0]),
            ("사흘 이동 평균", &[3.0]),
            ("이동평균 5일", &[5.0]),
            ("보름 이동평균", &[15.0]),
            ("일곱 행 이동평균", &[7.0]),
            ("fortnight moving average", &[14.0]),
        ],
    );
    check_values(
        percentiles,
        &[
            ("ninetieth percentile", &[90.0]),
            ("ninety-fifth percentile latency", &[95.0]),
            ("the ninety-ninth percentile", &[99.0]),
            ("seventy fifth percentile", &[75.0]),
            ("fiftieth percentile", &[50.0]),
            ("tenth percentile", &[10.0]),
            ("ninety five percentile", &[95.0]),
            ("first quartile", &[25.0]),
            ("third quartile", &[75.0]),
            ("the eighty-fifth percentile", &[85.0]),
            ("second quartile", &[50.0]),
            ("구십 백분위", &[90.0]),
        ],
    );
    check_values(
        numbers,
        &[
            ("a quarter of a million rows", &[250_000.0]),
            ("three quarters of a million users", &[750_000.0]),
            ("a quarter million rows", &[250_000.0]),
            ("half a dozen", &[6.0]),
            ("half a billion events", &[500_000_000.0]),
            ("a third of a million", &[1_000_000.0 / 3.0]),
            ("half a thousand rows", &[500.0]),
            ("a dozen hosts", &[12.0]),
            ("a million rows", &[1_000_000.0]),
            ("a quarter of the users", &[]),
            ("two thirds of a million rows", &[2_000_000.0 / 3.0]),
            ("the third million", &[1_000_000.0]),
            ("the third service", &[]),
            ("상위 5 리전", &[5.0]),
            ("twenty fifth graders", &[20.0]),
        ],
    );
    check_values(
        percents,
        &[
            ("3할 5푼", &[35.0]),
            ("2할5푼 이상", &[25.0]),
            ("3할 2푼 5리", &[32.5]),
            ("타율 3할대", &[30.0]),
            ("2할 7푼의 이자", &[27.0]),
            ("한 푼도 없다", &[]),
        ],
    );
}
