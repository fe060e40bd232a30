//! Times of the calendar in wordings that differ by a word: the one before last, since the 1st, a week of a month.
//!
//! It is Wednesday, 2026-03-18, half past two in Seoul.

use crate::classes::check_periods;

#[test]
fn the_one_before_last_and_the_previous_one_are_of_the_calendar() {
    check_periods(&[
        ("the week before last", &["2026-03-02..2026-03-09"]),
        ("weekend before last", &["2026-03-07..2026-03-09"]),
        ("signups in the quarter before last", &["2025-07-01..2025-10-01"]),
        ("the month before last", &["2026-01-01..2026-02-01"]),
        ("revenue the year before last", &["2024-01-01..2025-01-01"]),
        ("the day before last", &["2026-03-16..2026-03-17"]),
        ("지지난 주 매출", &["2026-03-02..2026-03-09"]),
        ("저저번주 에러", &["2026-03-02..2026-03-09"]),
        ("지지난 주말", &["2026-03-07..2026-03-09"]),
        ("저저번 주말 접속", &["2026-03-07..2026-03-09"]),
        ("지지난달", &["2026-01-01..2026-02-01"]),
        ("저저번 달 주문", &["2026-01-01..2026-02-01"]),
        ("지지난 분기", &["2025-07-01..2025-10-01"]),
        ("저저번 분기 실적", &["2025-07-01..2025-10-01"]),
        ("지지난해", &["2024-01-01..2025-01-01"]),
        ("재작년 매출", &["2024-01-01..2025-01-01"]),
        ("재작년 2분기", &["2024-04-01..2024-07-01"]),
        ("prev week", &["2026-03-09..2026-03-16"]),
        ("the previous weekend", &["2026-03-14..2026-03-16"]),
        ("previous quarter revenue", &["2025-10-01..2026-01-01"]),
        ("prior year", &["2025-01-01..2026-01-01"]),
        ("previous day's errors", &["2026-03-17..2026-03-18"]),
        ("직전 분기 매출", &["2025-10-01..2026-01-01"]),
        ("직전 달", &["2026-02-01..2026-03-01"]),
        ("직전 월 거래", &["2026-02-01..2026-03-01"]),
        ("직전 연도", &["2025-01-01..2026-01-01"]),
        ("앞선 주 매출", &["2026-03-09..2026-03-16"]),
        ("prev 12 hours", &["2026-03-18T02:30..now"]),
        ("the previous 3 days", &["2026-03-15T14:30..now"]),
        ("직전 6시간 에러", &["2026-03-18T08:30..now"]),
        ("앞선 30분", &["2026-03-18T14:00..now"]),
        ("최근 6시간을 직전 6시간과 비교", &["2026-03-18T08:30..now"]),
    ]);
}

#[test]
fn a_date_with_since_or_from_goes_on() {
    check_periods(&[
        ("since the 1st", &["2026-03-01.."]),
        ("signups since the 20th", &["2026-02-20.."]),
        ("since the 1st of March", &["2026-03-01.."]),
        ("since the 5th of February 2025", &["2025-02-05.."]),
        ("after the 9th", &["2026-03-09.."]),
        ("from the 3rd on", &["2026-03-03.."]),
        ("from the 3rd of March onwards", &["2026-03-03.."]),
        ("starting March 9", &["2026-03-09.."]),
        ("from March 9 on", &["2026-03-09.."]),
        ("from Monday on", &["2026-03-16.."]),
        ("from 2026-03-05", &["2026-03-05.."]),
        ("from the 10th of last month", &["2026-02-10.."]),
        ("since Q4 2025", &["2025-10-01.."]),
        ("since last month", &["2026-02-01.."]),
        ("since January 2025", &["2025-01-01.."]),
        ("since the beginning of February", &["2026-02-01.."]),
        ("since the week before last", &["2026-03-02.."]),
        ("from the 3rd to the 6th", &["2026-03-03..2026-03-07"]),
        ("between the 3rd and the 6th", &["2026-03-03..2026-03-07"]),
        ("until the 6th", &["..2026-03-07"]),
        ("before the 6th of March", &["..2026-03-06"]),
        ("starting on Monday", &["2026-03-16.."]),
        ("since 3/2", &["2026-03-02.."]),
        ("since March", &["2026-03-01.."]),
        ("since 2024", &["2024-01-01.."]),
        ("지난달 10일 이후", &["2026-02-10.."]),
        ("작년 하반기부터", &["2025-07-01.."]),
        ("errors from yesterday", &["2026-03-17..2026-03-18"]),
        ("orders from last week", &["2026-03-09..2026-03-16"]),
    ]);
}

#[test]
fn a_weekday_and_its_week_stand_in_either_order() {
    check_periods(&[
        ("wednesday last week", &["2026-03-11..2026-03-12"]),
        ("last week wednesday", &["2026-03-11..2026-03-12"]),
        ("last week on thursday", &["2026-03-12..2026-03-13"]),
        ("tuesday of this week", &["2026-03-17..2026-03-18"]),
        ("monday this week", &["2026-03-16..2026-03-17"]),
        ("friday the week before last", &["2026-03-06..2026-03-07"]),
        ("thursday lastweek", &["2026-03-12..2026-03-13"]),
        ("tuesday last wek", &["2026-03-10..2026-03-11"]),
        ("wensday last weeek", &["2026-03-11..2026-03-12"]),
        ("friday of last weak", &["2026-03-13..2026-03-14"]),
        ("지난주 수요일", &["2026-03-11..2026-03-12"]),
        ("수요일(지난주)", &["2026-03-11..2026-03-12"]),
        ("금요일 (지난주) 매출", &["2026-03-13..2026-03-14"]),
        ("지난주(목요일)", &["2026-03-12..2026-03-13"]),
        ("저번 주의 화요일", &["2026-03-10..2026-03-11"]),
        ("화요일, 지난주", &["2026-03-10..2026-03-11"]),
        ("sat last week", &["2026-03-14..2026-03-15"]),
        ("on sun", &["2026-03-15..2026-03-16"]),
        ("since mon", &["2026-03-16.."]),
        ("fri and sat", &["2026-03-13..2026-03-14", "2026-03-14..2026-03-15"]),
        ("what about sat?", &["2026-03-14..2026-03-15"]),
        ("sat vs sun", &["2026-03-14..2026-03-15", "2026-03-15..2026-03-16"]),
        ("thursday lst week", &["2026-03-12..2026-03-13"]),
        ("mon 9am", &["2026-03-16T09:00..2026-03-16T10:00"]),
    ]);
}

#[test]
fn weekdays_and_months_that_are_other_words_are_no_times() {
    check_periods(&[
        ("jobs that sat in the queue", &[]),
        ("tickets sat idle too long", &[]),
        ("sun exposure by region", &[]),
        ("mon process restarts", &[]),
        ("requests that may time out", &[]),
        ("march through all rows", &[]),
        ("hours of sun", &[]),
        ("the message sat for 3 hours", &[]),
        ("a march of errors", &[]),
        ("the second attempt", &[]),
        ("second largest region", &[]),
        ("who sat next to whom", &[]),
        ("the sun sets", &[]),
    ]);
}
