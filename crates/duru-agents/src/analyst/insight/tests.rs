//! One line for each kind of result: what is said of it, in both languages.

use duru_language::time::Period;
use duru_sql::Kind;
use duru_sql::Knowledge;
use duru_sql::domain::{Description, Domain, DomainColumn, DomainTable};
use jiff::Zoned;

use super::*;
use crate::analyst::frame::{self, Comparison, Dimension, Filter, Frame, Keep, Measure, Stat, Test};
use crate::analyst::numbers::invented;
use crate::analyst::testing::answer;

fn shop() -> Domain {
    let mut domain = Domain::of(&Knowledge { tables: Vec::new() }, &Description::default());
    let column = |name: &str, kind: Kind, nouns: [&str; 2], unit: Option<&str>| DomainColumn {
        name: name.into(),
        kind,
        key: None,
        // A city is always there; a figure may be missing.
        nullable: unit.is_some(),
        empty: false,
        nouns: nouns.map(str::to_owned).to_vec(),
        description: None,
        unit: unit.map(str::to_owned),
        values: Vec::new(),
        code: false,
        journey: false,
        quiet: false,
        duration: None,
        implies: None,
        samples: Vec::new(),
    };
    domain.tables.push(DomainTable {
        schema: "public".into(),
        name: "orders".into(),
        nouns: vec!["주문".into(), "order".into()],
        description: None,
        columns: vec![
            column("city", Kind::Text, ["도시", "city"], None),
            column("wait_ms", Kind::Bigint, ["대기 시간", "wait"], Some("ms")),
            column("amount", Kind::Bigint, ["금액", "amount"], Some("won")),
        ],
        conditions: Vec::new(),
        measures: Vec::new(),
        primary_key: Vec::new(),
        time: None,
        duration: None,
        person: None,
        text: None,
        show: Vec::new(),
        identify: None,
        rows: 100,
        soft_delete: None,
    });
    domain
}

fn column(name: &str) -> frame::Column {
    frame::Column::new("orders", name)
}

fn frame(measures: Vec<Measure>) -> Frame {
    Frame { table: "orders".into(), measures, ..Frame::default() }
}

fn by_city(measures: Vec<Measure>) -> Frame {
    Frame { dimensions: vec![Dimension::Column(column("city"))], ..frame(measures) }
}

fn now() -> Zoned {
    "2026-03-18T14:00:00+09:00[Asia/Seoul]".parse().unwrap()
}

fn day(from: &str) -> Period {
    let from = format!("{from}T00:00:00+09:00").parse().unwrap();
    Period::Range { from: Some(from), until: None, unit: Some(duru_language::Unit::Day) }
}

fn with_yesterday(frame: Frame, whole: bool) -> Frame {
    let compare =
        Comparison { with: day("2026-03-17"), whole: whole.then(|| day("2026-03-17")), keep: Keep::All };
    Frame { time: Some(day("2026-03-18")), compare: Some(compare), ..frame }
}

/// What is said, and that no number of it is from nowhere.
fn check(frame: &Frame, answer: &Answer, ko: &str, en: &str) {
    let count = answer.rows.len() as u64;
    for (lang, wanted) in [(Lang::Ko, ko), (Lang::En, en)] {
        let topic = Topic::of_frame(answer, frame, &shop(), &now(), lang);
        let said = insight_on(answer, Chart::of(answer), count, &topic);
        assert!(said.starts_with(wanted), "{said}\n{wanted}");
        assert_eq!(invented(&said, "", answer, count), Vec::<String>::new(), "{said}");
        for column in answer.columns.iter().filter(|column| column.name.contains('_')) {
            assert!(!said.contains(&column.name), "a bare alias: {said}");
        }
    }
}

#[test]
fn a_single_count_is_a_sentence() {
    let count = |n: &str| answer("count:bigint", &[n]);
    let all = frame(vec![Measure::Count]);
    check(&all, &count("1254"), "주문은 1,254건입니다.", "There are 1,254 orders.");
    check(&all, &count("1"), "주문은 1건입니다.", "There is 1 order.");
    let some = Frame { filters: vec![Filter::new(column("city"), Test::OneOf(vec!["Seoul".into()]))], ..all };
    check(&some, &count("54"), "조건에 맞는 주문은 54건입니다.", "There are 54 orders that fit.");
    check(&some, &count("0"), "조건에 맞는 주문이 없습니다.", "There are no orders that fit.");
}

#[test]
fn of_groups_the_first_is_named_and_ties_are_said() {
    let frame = by_city(vec![Measure::Count]);
    check(
        &frame,
        &answer("city:text count:bigint", &["서울 60", "부산 30", "제주 10"]),
        "도시 가운데 서울이 가장 많습니다 (60건). 전체 주문 100건의 60%입니다. 가장 적은 것은 제주(10건)입니다.",
        "서울 has the most orders (60). That is 60 % of all 100 orders. 제주 has the fewest (10).",
    );
    check(
        &frame,
        &answer("city:text count:bigint", &["서울 40", "부산 40", "제주 20"]),
        "도시 가운데 서울, 부산이 똑같이 가장 많습니다 (각각 40건). 가장 적은 것은 제주(20건)입니다.",
        "서울 and 부산 tie for the most orders (40 each). 제주 has the fewest (20).",
    );
    check(
        &frame,
        &answer("city:text count:bigint", &["a 4", "b 4", "c 4", "d 4", "e 1"]),
        "도시 가운데 a, b, c 등 4개가 똑같이 가장 많습니다 (각각 4건).",
        "a, b, c and others, 4 in all, tie for the most orders (4 each).",
    );
    check(
        &frame,
        &answer("city:text count:bigint", &["a 4", "b 4"]),
        "2개 항목이 모두 같습니다 (각각 4건).",
        "All 2 have the same number of orders (4 each).",
    );
}

#[test]
fn a_share_of_groups_is_of_those_that_fit_and_of_all_only_where_nothing_narrowed_it() {
    let cities = answer("city:text count:bigint", &["서울 60", "부산 30", "제주 10"]);
    let says = |frame: &Frame, answer: &Answer, ko: &str, en: &str| {
        let ko = format!("도시 가운데 서울이 가장 많습니다 (60건). {ko}");
        check(frame, answer, &ko, &format!("서울 has the most orders (60). {en}"));
    };
    let all = || by_city(vec![Measure::Count]);
    let dear = || Filter::new(column("amount"), Test::Number(frame::Compare::More, 5.0));
    let fitting = ("조건에 맞는 주문 100건의 60%입니다.", "That is 60 % of the 100 orders that fit.");
    for frame in [
        Frame { filters: vec![dear()], ..all() },
        Frame { time: Some(day("2026-03-18")), ..all() },
        // A limit that nothing reached.
        Frame { filters: vec![dear()], limit: Some(5), ..all() },
        by_city(vec![Measure::CountOf(vec![dear()])]),
        Frame { none_of: vec![dear()], ..all() },
    ] {
        says(&frame, &cities, fitting.0, fitting.1);
    }
    // The first three of more: their sum is that of the table, whatever was asked.
    let shown = (
        "표에 보이는 항목을 더한 100건의 60%입니다.",
        "That is 60 % of the 100 that the rows shown add up to.",
    );
    for frame in [
        Frame { limit: Some(3), ..all() },
        Frame { limit: Some(3), filters: vec![dear()], ..all() },
        Frame { limit: Some(2), both_ends: true, ..all() },
        Frame { best_each: Some(1), ..all() },
    ] {
        says(&frame, &cities, shown.0, shown.1);
    }
    // Nobody knows what a query that was written by hand leaves out.
    assert!(insight(&cities, 3, Lang::Ko).contains(shown.0), "{}", insight(&cities, 3, Lang::Ko));
    assert!(insight(&cities, 3, Lang::En).contains(shown.1));
    // Rows without a city are in no group.
    let mut domain = shop();
    domain.tables[0].columns[0].nullable = true;
    let topic = Topic::of_frame(&cities, &all(), &domain, &now(), Lang::Ko);
    let said = insight_on(&cities, Chart::of(&cities), 3, &topic);
    assert!(said.contains(fitting.0), "{said}");
    // Of the rows that are cut off by what is shown at most, nobody knows the sum.
    let topic = Topic::of_frame(&cities, &all(), &shop(), &now(), Lang::En);
    let said = insight_on(&cities, Chart::of(&cities), 9, &topic);
    assert!(!said.contains('%'), "{said}");
    // The greatest of a column that is called a count adds up to no rows.
    let greatest = by_city(vec![Measure::Stat(Stat::Maximum, column("retry_count"), Vec::new())]);
    let said = answer("city:text max_retry_count:bigint", &["서울 60", "부산 40"]);
    let topic = Topic::of_frame(&said, &greatest, &shop(), &now(), Lang::En);
    let said = insight_on(&said, Chart::of(&said), 2, &topic);
    assert!(!said.contains('%'), "{said}");
}

#[test]
fn two_periods_are_compared_by_name() {
    let count = with_yesterday(frame(vec![Measure::Count]), false);
    let two = |row: &str| answer("count_now:bigint count_before:bigint", &[row]);
    check(
        &count,
        &two("74 62"),
        "어제보다 12건(19.4%) 늘었습니다: 62건에서 74건.",
        "12 more than yesterday (+19.4 %): 74 against 62.",
    );
    check(
        &count,
        &two("31 62"),
        "어제보다 31건(50%) 줄었습니다: 62건에서 31건.",
        "31 fewer than yesterday (−50 %): 31 against 62.",
    );
    check(&count, &two("5 5"), "어제와 같습니다 (5건).", "As many as yesterday (5).");
    check(
        &count,
        &two("5 0"),
        "어제보다 5건 늘었습니다: 0건에서 5건.",
        "5 more than yesterday: 5 against 0.",
    );
    check(
        &with_yesterday(frame(vec![Measure::Count]), true),
        &answer("count_now:bigint count_before:bigint count_before_whole:bigint", &["74 62 120"]),
        "어제보다 12건(19.4%) 늘었습니다: 62건에서 74건. 어제의 같은 때까지만 견주었고, 어제 전체는 120건입니다.",
        "12 more than yesterday (+19.4 %): 74 against 62. Only the same part of yesterday is compared; the whole of it has 120.",
    );
    let paid = vec![Filter::new(column("city"), Test::OneOf(vec!["Seoul".into()]))];
    check(
        &with_yesterday(frame(vec![Measure::Rate(paid)]), false),
        &answer("seoul_rate_now:double seoul_rate_before:double", &["4.5 3.0"]),
        "Seoul 비율은 어제보다 1.5%p 늘었습니다: 3%에서 4.5%.",
        "The share of Seoul: 1.5 percentage points higher than yesterday: 4.5 % against 3 %.",
    );
}

#[test]
fn a_share_says_of_what() {
    let seoul = vec![Filter::new(column("city"), Test::OneOf(vec!["Seoul".into()]))];
    check(
        &frame(vec![Measure::Rate(seoul)]),
        &answer("seoul_rate:double", &["12.5"]),
        "주문 가운데 Seoul은 12.5%입니다.",
        "12.5 % of the orders are Seoul.",
    );
    check(
        &frame(vec![Measure::Share]),
        &answer("percent:double", &["12.5"]),
        "전체 주문 가운데 12.5%입니다.",
        "That is 12.5 % of all orders.",
    );
    let dear = vec![Filter::new(column("amount"), Test::Number(frame::Compare::More, 5.0))];
    let seoul = || vec![Filter::new(column("city"), Test::OneOf(vec!["Seoul".into()]))];
    check(
        &Frame { filters: dear.clone(), ..frame(vec![Measure::Rate(seoul())]) },
        &answer("seoul_rate:double", &["12.5"]),
        "조건에 맞는 주문 가운데 Seoul은 12.5%입니다.",
        "12.5 % of the orders that fit are Seoul.",
    );
    check(
        &Frame { filters: dear, ..frame(vec![Measure::Share]) },
        &answer("percent:double", &["12.5"]),
        "조건에 맞는 주문 가운데 12.5%입니다.",
        "That is 12.5 % of the orders that fit.",
    );
    check(
        &frame(vec![Measure::RateOf(column("city"), seoul())]),
        &answer("city_rate:double", &["12.5"]),
        "도시 가운데 Seoul은 12.5%입니다.",
        "12.5 % of the cities are Seoul.",
    );
    let unread = answer("percent:double", &["12.5"]);
    assert_eq!(insight(&unread, 1, Lang::Ko), "비율은 12.5%입니다.");
    assert_eq!(insight(&unread, 1, Lang::En), "The share is 12.5 %.");
}

#[test]
fn an_average_has_its_unit_and_nothing_is_no_number() {
    let average = |name: &str| frame(vec![Measure::Stat(Stat::Average, column(name), Vec::new())]);
    check(
        &average("wait_ms"),
        &answer("avg_wait:double", &["123.4567"]),
        "평균 대기 시간은 123.457ms입니다.",
        "The average wait is 123.457 ms.",
    );
    check(
        &average("amount"),
        &answer("avg_amount:double", &["15000.0"]),
        "평균 금액은 15000원입니다.",
        "The average amount is 15000 won.",
    );
    check(
        &average("amount"),
        &answer("avg_amount:double", &["-"]),
        "평균 금액을 계산할 값이 없습니다.",
        "There are no values to calculate the average amount from.",
    );
    check(
        &by_city(vec![Measure::Stat(Stat::Average, column("wait_ms"), Vec::new())]),
        &answer("city:text avg_wait:double", &["서울 4.5", "부산 3.25"]),
        "도시 가운데 평균 대기 시간이 가장 높은 것은 서울(4.5ms)입니다. 가장 낮은 것은 부산(3.25ms)입니다.",
        "서울 has the highest average wait (4.5 ms). 부산 has the lowest (3.25 ms).",
    );
}

#[test]
fn rows_and_none_are_called_by_their_name() {
    let rows = frame(Vec::new());
    check(
        &rows,
        &answer("city:text note:text", &["서울 a", "부산 b"]),
        "주문 2건을 찾았습니다.",
        "2 orders found.",
    );
    check(&rows, &answer("city:text note:text", &[]), "조건에 맞는 주문이 없습니다.", "No orders fit.");
}

fn all() -> Vec<Answer> {
    vec![
        answer("count:bigint", &["12345"]),
        answer(
            "hour:timestamp errors:bigint",
            &["2026-01-01T00:00:00+09:00 3", "2026-01-01T01:00:00+09:00 4"],
        ),
        answer("service:text p95_ms:double", &["a 3.25", "b 4.5", "c -"]),
        answer(
            "created_at:timestamp service:text message:text",
            &["2026-01-01T00:00:00Z a x", "2026-01-01T00:00:01Z a y", "2026-01-01T00:00:02Z b z"],
        ),
        answer(
            "hour:timestamp count:bigint",
            &[
                "2026-01-01T00:00:00Z 3",
                "2026-01-01T01:00:00Z 4",
                "2026-01-01T02:00:00Z 5",
                "2026-01-01T03:00:00Z 7",
                "2026-01-01T04:00:00Z 9",
                "2026-01-01T05:00:00Z 9",
            ],
        ),
    ]
}

#[test]
fn a_query_without_a_reading_is_told_by_its_columns() {
    let said = |at: usize, lang| {
        let text = insight(&all()[at], all()[at].rows.len() as u64, lang);
        assert_eq!(
            invented(&text, "", &all()[at], all()[at].rows.len() as u64),
            Vec::<String>::new(),
            "{text}"
        );
        text
    };
    assert_eq!(said(0, Lang::Ko), "조건에 맞는 행은 12,345건입니다.");
    assert_eq!(said(0, Lang::En), "There are 12,345 rows that fit.");
    let text = said(1, Lang::Ko);
    assert!(text.contains("2026-01-01 01:00(4)") && text.contains("늘었습니다"), "{text}");
    assert!(said(2, Lang::En).starts_with("b has the highest p95 (4.5 ms)."), "{}", said(2, Lang::En));
    assert!(
        said(3, Lang::Ko).starts_with("행 3건을 찾았습니다. service 중에서는 a"),
        "{}",
        said(3, Lang::Ko)
    );
    assert!(said(4, Lang::Ko).contains("오르는 흐름"), "{}", said(4, Lang::Ko));
    assert!(said(4, Lang::En).contains("2026-01-01 04:00, 2 times in all, (9)"), "{}", said(4, Lang::En));
}

#[test]
fn of_a_part_only_what_holds_of_the_whole_is_said_of_it() {
    // 3 of 9 rows, the highest first: what comes after is lower still.
    let sorted = answer("service:text error_rate:double", &["a 30.5", "b 20.5", "c 10.5"]);
    let text = insight(&sorted, 9, Lang::Ko);
    assert!(text.starts_with("에러 비율이 가장 높은 것은 a(30.5%)입니다."), "{text}");
    assert!(!text.contains("가장 낮은"), "{text}");
    // In another order a higher one may follow.
    let loose = answer("service:text error_rate:double", &["a 10.5", "b 30.5", "c 20.5"]);
    assert!(insight(&loose, 9, Lang::En).starts_with("Of the rows shown, b has the highest"));
    let text = insight(&all()[3], 900, Lang::Ko);
    assert!(text.contains("보이는 행 가운데 service 중에서는 a"), "{text}");
    assert!(!text.contains("가장 최근 기록"), "{text}");
    let text = insight(&all()[4], 900, Lang::En);
    assert!(
        text.starts_with("Of the rows shown, the number of rows peaks") && !text.contains("the last"),
        "{text}"
    );
}
