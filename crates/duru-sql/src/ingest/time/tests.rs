use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn context(zone: &str) -> TimeContext {
    let now = "2026-03-20T00:00:00Z".parse().unwrap();
    let zone = TimeZone::get(zone).unwrap();
    TimeContext { zone, now, latest: now, year: None, order: None, format: None }
}

#[test]
fn times_of_many_programs() {
    let seoul = context("Asia/Seoul");
    let expected: Timestamp = "2026-03-18T05:30:00Z".parse().unwrap();
    for value in [
        json!("2026-03-18T05:30:00Z"),
        json!("2026-03-18T14:30:00+09:00"),
        json!("2026-03-18T14:30:00+09:00[Asia/Seoul]"),
        json!("2026-03-18 14:30:00+09"),
        json!("2026-03-18 14:30:00 +0900"),
        json!("2026-03-18T14:30:00"),
        json!("2026-03-18 14:30"),
        json!("2026-03-18 14:30:00,000"),
        json!("2026/03/18 14:30:00"),
        json!("2026/03/18 14:30:00 +0900"),
        json!("2026.03.18 14:30:00"),
        json!("2026-03-18-14.30.00.000000"),
        json!("2026-03-18 05:30:00 UTC"),
        json!("18/Mar/2026:14:30:00 +0900"),
        json!("18-Mar-2026 14:30:00.000"),
        json!("18 Mar 2026 14:30:00"),
        json!("Wed, 18 Mar 2026 05:30:00 +0000"),
        json!("Wed, 18 Mar 2026 05:30:00 GMT"),
        json!("Wed Mar 18 14:30:00 2026"),
        json!("Wed Mar 18 14:30:00.000000 2026"),
        json!("Wed Mar 18 14:30:00 KST 2026"),
        json!("Mar 18, 2026 2:30:00 PM"),
        json!("Mar 18 14:30:00"),
        json!("03-18 14:30:00.000"),
        json!("18/03/2026 14:30:00"),
        json!("3/18/2026 2:30:00 PM"),
        json!("03/18 14:30:00"),
        json!("20260318143000"),
        json!("20260318143000000"),
        json!("20260318 143000"),
        json!("20260318T143000"),
        json!("20260318-14:30:0:000"),
        json!("260318 143000"),
        json!("260318143000"),
        json!(1_773_811_800),
        json!("1773811800"),
        json!("1773811800.000"),
        json!(1_773_811_800.0),
        json!(1_773_811_800_000_i64),
        json!(1_773_811_800_000_000_i64),
        json!("1773811800000000000"),
    ] {
        assert_eq!(seoul.read(&value), Ok(expected), "{value}");
    }
    for value in [
        json!("yesterday"),
        json!(null),
        json!(""),
        json!("2026-13-01"),
        json!([1]),
        json!("10.0.0.1"),
        json!("0017-06-09 20:10:40"),
    ] {
        assert_eq!(seoul.read(&value), Err(TimeFault::Unreadable), "{value}");
    }
}

#[test]
fn fractions_are_kept() {
    let utc = context("UTC");
    let read = |text: &str| utc.read(&json!(text)).unwrap().to_string();
    assert_eq!(read("2026-03-18 14:30:00,123456"), "2026-03-18T14:30:00.123456Z");
    assert_eq!(read("1773811800.25"), "2026-03-18T05:30:00.25Z");
    assert_eq!(read("Wed Mar 18 14:30:00.000001 2026"), "2026-03-18T14:30:00.000001Z");
}

#[test]
fn what_is_not_plausible_is_said_and_never_kept() {
    let utc = context("UTC");
    for value in [
        json!(0),
        json!(0.25),
        json!("1970-01-01T00:00:00Z"),
        json!("2031-01-01 00:00:00"),
        json!("2026-03-21T00:00:01Z"),
        json!(99_999_999_999_i64),
    ] {
        assert_eq!(utc.read(&value), Err(TimeFault::Implausible), "{value}");
    }
    assert!(utc.read(&json!("2026-03-20T23:00:00Z")).is_ok(), "clocks differ");
}

#[test]
fn a_year_that_is_missing_is_the_last_one_that_was() {
    let mut utc = context("UTC");
    let read = |utc: &TimeContext, text: &str| utc.read(&json!(text)).unwrap().to_string();
    assert_eq!(read(&utc, "Mar 19 10:00:00"), "2026-03-19T10:00:00Z");
    assert_eq!(read(&utc, "Dec 31 23:59:59"), "2025-12-31T23:59:59Z");
    assert_eq!(read(&utc, "Feb 29 10:00:00"), "2024-02-29T10:00:00Z");
    utc.latest = "2015-12-11T00:00:00Z".parse().unwrap();
    assert_eq!(read(&utc, "Dec 10 06:55:46"), "2015-12-10T06:55:46Z");
    utc.year = Some(2019);
    assert_eq!(read(&utc, "Dec 10 06:55:46"), "2019-12-10T06:55:46Z");
}

#[test]
fn the_order_of_numbers_is_the_samples_or_not_known() {
    let utc = context("UTC");
    let choose = |texts: &[&str]| choose_order(texts.iter().copied(), &utc);
    assert_eq!(choose(&["2026-03-18 10:00:00"]), OrderChoice::Unneeded);
    assert_eq!(choose(&["01/03/2025 10:00:00", "13/03/2025 10:00:00"]), OrderChoice::Known(DateOrder::Dmy));
    assert_eq!(choose(&["03/01/2025 10:00:00", "03/13/2025 10:00:00"]), OrderChoice::Known(DateOrder::Mdy));
    let days = ["03/04/2025 10:00:00", "04/04/2025 10:00:00", "05/04/2025 10:00:00"];
    assert_eq!(choose(&days), OrderChoice::Known(DateOrder::Dmy), "three days, not three months");
    assert_eq!(choose(&["04/05/2025 10:00:00", "04/05/2025 10:00:01"]), OrderChoice::Unknown);
    assert_eq!(choose(&["17/06/09 20:10:40"]), OrderChoice::Usual(DateOrder::Ymd));
    assert_eq!(choose(&["10.30 16:49:06"]), OrderChoice::Known(DateOrder::Mdy));
    assert_eq!(utc.read(&json!("04/05/2025 10:00:00")), Err(TimeFault::Ambiguous));
    let mut dmy = utc.clone();
    dmy.order = Some(DateOrder::Dmy);
    assert_eq!(dmy.read(&json!("04/05/2025 10:00:00")).unwrap().to_string(), "2025-05-04T10:00:00Z");
    assert_eq!(dmy.read(&json!("04/13/2025 10:00:00")), Err(TimeFault::Unreadable));
}

#[test]
fn a_mapping_can_name_the_format() {
    let read = |format: &str, value: Value| {
        let format = TimeFormat::named(format);
        assert!(format.is_some());
        TimeContext { format, ..context("Asia/Seoul") }.read(&value).map(|time| time.to_string())
    };
    let expected = Ok("2026-03-18T05:30:00Z".to_owned());
    assert_eq!(read("%Y년 %m월 %d일 %H시 %M분", json!("2026년 03월 18일 14시 30분")), expected);
    assert_eq!(read("%d.%m. %H:%M:%S", json!("18.03. 14:30:00")), expected, "its year is the last one");
    assert_eq!(read("%Y-%m-%d %H:%M:%S %z", json!("2026-03-18 14:30:00 +0900")), expected);
    assert_eq!(read("epoch_ms", json!("1773811800000")), expected);
    assert_eq!(read("epoch_s", json!(1_773_811_800.0)), expected);
    assert_eq!(read("dmy", json!("18.03.26 14:30:00")), expected);
    assert_eq!(read("asctime", json!("Wed Mar 18 14:30:00 2026")), expected);
    assert_eq!(read("epoch_s", json!("2026-03-18")), Err(TimeFault::Unreadable));
    assert_eq!(TimeFormat::named("sometimes"), None);
}

proptest! {
    #[test]
    fn no_text_panics(text in ".{0,40}", digits in "[0-9 :./,T+-]{0,30}") {
        for text in [text, digits] {
            let utc = context("UTC");
            let read = utc.read(&json!(text));
            prop_assert!(read.is_err() || read.is_ok_and(|time| time > Timestamp::UNIX_EPOCH));
            if let Scan::Time(found) = scan(&text) {
                prop_assert!(text.is_char_boundary(found.end));
            }
            prop_assert_ne!(choose_order([text.as_str()].into_iter(), &utc), OrderChoice::Usual(DateOrder::Dmy));
        }
    }

    #[test]
    fn times_round_trip(second in 1_600_000_000_i64..1_773_000_000, way in 0_usize..9) {
        let seoul = context("Asia/Seoul");
        let time = Timestamp::from_second(second).unwrap();
        let zoned = time.to_zoned(seoul.zone.clone());
        let format = [
            "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S%:z", "%d/%b/%Y:%H:%M:%S %z", "%a %b %e %H:%M:%S %Y",
            "%a, %d %b %Y %H:%M:%S %z", "%y%m%d %H%M%S", "%Y%m%d%H%M%S", "%b %d, %Y %I:%M:%S %p", "%s",
        ][way];
        let text = zoned.strftime(format).to_string();
        prop_assert_eq!(seoul.read(&json!(text.clone())), Ok(time), "{}", text);
        let line = format!("{text} INFO x");
        let found = matches!(scan(&line), Scan::Time(found) if found.end == text.len());
        prop_assert!(found, "{}", line);
    }
}
