//! Questions of every kind, and what is understood of them.

use std::sync::LazyLock;

use duru_agents::analyst::frame::Dimension;
use duru_agents::analyst::reader::{
    Clarification, ROUNDS, ReadTurn, Refusal, RefusalKind, Reply, Subject, UNREAD, Understanding, Understood,
    understand,
};
use duru_language::Lang;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::questions::Tables;

/// Data of another shop than that of the question sets: the words must come from it.
fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(|| {
        Tables::with(&[
            ("service", &["billing-core", "order-web", "order-batch", "delivery", "search-engine"]),
            ("error_type", &["ConnectionTimeout", "CardDenied", "TokenExpired"]),
            ("path", &["/v2/pay", "/v2/items", "/v2/items/{id}"]),
            ("service_version", &["v1.0.0", "v1.1.0"]),
            ("metadata.status_code", &[]),
            ("metadata.client_ip", &[]),
        ])
    });
    &TABLES
}

fn ask_in(question: &str, zone: &str, previous: &[ReadTurn], answers: &[Reply], asked: u8) -> Understanding {
    let tables = tables();
    let now: Timestamp = "2026-03-18T14:30:00+09:00".parse().unwrap();
    let subject = Subject {
        domain: &tables.domain,
        linked: &tables.linked,
        now: &now.to_zoned(TimeZone::get(zone).unwrap()),
        lang: Lang::of(question),
        previous,
        answers,
        asked,
        picked: None,
    };
    understand(question, &subject)
}

fn ask(question: &str) -> Understanding {
    ask_in(question, "Asia/Seoul", &[], &[], 0)
}

#[track_caller]
fn query(understanding: Understanding) -> Understood {
    match understanding {
        Understanding::Query(found) => *found,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn sql(question: &str) -> String {
    query(ask(question)).sql
}

#[track_caller]
fn asked_back(understanding: Understanding) -> Clarification {
    match understanding {
        Understanding::Clarify(asked) => *asked,
        other => panic!("{other:?}"),
    }
}

/// What is given as the answer, or what is offered.
fn given_or_offered(question: &str) -> Vec<String> {
    let asked = match ask(question) {
        Understanding::Query(read) => return vec![read.sql],
        Understanding::Clarify(asked) => *asked,
        Understanding::Refuse(_) => return Vec::new(),
    };
    let offers = asked.asks.iter().filter(|ask| ask.field == UNREAD).flat_map(|ask| ask.options.clone());
    let chosen = offers.filter_map(|value| {
        let reply = Reply { field: UNREAD.into(), value };
        match ask_in(question, "Asia/Seoul", &[], &[reply], 1) {
            Understanding::Query(read) => Some(read.sql),
            _ => None,
        }
    });
    chosen.collect()
}

#[track_caller]
fn refused(question: &str) -> Refusal {
    // Nobody is there any more to be offered a reading.
    match ask_in(question, "Asia/Seoul", &[], &[], ROUNDS) {
        Understanding::Refuse(refusal) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_word_that_is_not_understood_is_left_out_only_if_the_person_agrees() {
    let question = "어제 엥칼로한 billing-core 에러 몇 건?";
    let offered = asked_back(ask(question));
    assert_eq!(offered.fields(), UNREAD);
    assert!(offered.asks[0].question.contains("엥칼로"), "{}", offered.asks[0].question);
    let shown = offered.asks[0].options.iter().chain([&offered.asks[0].question]);
    assert!(shown.clone().any(|text| text.contains("billing-core")), "{:?}", offered.asks);
    let answer = |value: &str| {
        let reply = Reply { field: UNREAD.into(), value: value.into() };
        ask_in(question, "Asia/Seoul", &[], &[reply], 1)
    };
    let read = query(answer("네"));
    assert!(read.sql.contains("billing-core") && read.explanation.contains("엥칼로"), "{}", read.explanation);
    assert!(!matches!(answer("아니요"), Understanding::Query(_)));
    // A name, or the thing that is asked for: what is left is offered at most, with the words that are missing.
    for (question, word) in [
        ("checkout-api 에러 몇 건?", "checkout-api"),
        ("어제 수수료 얼마야?", "수수료"),
        ("how many widgets yesterday?", "widgets"),
    ] {
        let said = match ask(question) {
            Understanding::Query(read) => panic!("{question}: {}", read.sql),
            Understanding::Clarify(open) => open.asks[0].question.clone(),
            Understanding::Refuse(refusal) => refusal.reason,
        };
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn services_are_found_by_what_people_call_them() {
    assert!(sql("결제 서비스 에러 몇 건?").contains("service = 'billing-core'"));
    assert!(sql("배송 쪽 경고 건수").contains("service = 'delivery'"));
    assert!(sql("how many errors in the billing service?").contains("service = 'billing-core'"));
    // Two services are about orders: only the person knows which.
    let asked = asked_back(ask("주문 서비스 에러율"));
    assert_eq!(asked.asks[0].options, ["order-web", "order-batch", "전체"]);
}

#[test]
fn yesterday_is_a_calendar_day_where_the_asker_lives() {
    let found = query(ask_in("어제 에러 몇 건?", "Asia/Seoul", &[], &[], 0)).sql;
    assert!(found.contains("created_at >= TIMESTAMPTZ '2026-03-17 00:00:00+09:00'"), "{found}");
    assert!(found.contains("created_at < TIMESTAMPTZ '2026-03-18 00:00:00+09:00'"), "{found}");
    let found = query(ask_in("how many errors yesterday?", "America/New_York", &[], &[], 0)).sql;
    assert!(found.contains("created_at >= TIMESTAMPTZ '2026-03-17 00:00:00-04:00'"), "{found}");
}

#[test]
fn days_keep_their_own_offset_when_clocks_change() {
    let found = query(ask_in("how many errors on March 8?", "America/New_York", &[], &[], 0)).sql;
    assert!(found.contains("'2026-03-08 00:00:00-05:00'"), "{found}");
    assert!(found.contains("'2026-03-09 00:00:00-04:00'"), "{found}");
}

#[test]
fn times_as_people_say_them() {
    let between = |question: &str, from: &str, until: &str| {
        let found = sql(question);
        assert!(
            found.contains(&format!("created_at >= TIMESTAMPTZ '2026-{from}:00+09:00'")),
            "{question}: {found}"
        );
        assert!(
            found.contains(&format!("created_at < TIMESTAMPTZ '2026-{until}:00+09:00'")),
            "{question}: {found}"
        );
    };
    between("3월 10일부터 12일까지 에러 건수", "03-10 00:00", "03-13 00:00");
    between("지난주 금요일 에러 건수", "03-13 00:00", "03-14 00:00");
    between("어제 오후 2시부터 4시까지 에러 건수", "03-17 14:00", "03-17 16:00");
    between("어제 22시부터 오늘 2시까지 에러 건수", "03-17 22:00", "03-18 02:00");
    between("오늘 10시까지 에러 건수", "03-18 00:00", "03-18 10:00");
    between("어제 하루 동안 에러 건수", "03-17 00:00", "03-18 00:00");
    between("오늘 새벽 에러 건수", "03-18 00:00", "03-18 06:00");
    between("지난달 에러 건수", "02-01 00:00", "03-01 00:00");
    between("how many errors between 9am and 10:30am yesterday?", "03-17 09:00", "03-17 10:30");
    between("count of errors last week", "03-09 00:00", "03-16 00:00");
    assert!(sql("이번 주 에러 건수").contains("'2026-03-16 00:00:00+09:00' AND created_at <= NOW()"));
    assert!(sql("최근 에러 건수").contains("NOW() - INTERVAL '1 hour'"));
    assert!(sql("지난 이틀 동안 에러 건수").contains("NOW() - INTERVAL '2 days'"));
}

#[test]
fn vague_times_are_asked_back_and_default_when_nobody_may_ask() {
    let asked = asked_back(ask("얼마 전 배송 에러 몇 건이야?"));
    assert_eq!(asked.fields(), "time");
    assert!(asked.asks[0].required && asked.asks[0].allow_custom);
    let answer = [Reply { field: "time".into(), value: "최근 6시간".into() }];
    let found = query(ask_in("얼마 전 배송 에러 몇 건이야?", "Asia/Seoul", &[], &answer, 1));
    assert!(found.sql.contains("INTERVAL '6 hours'"), "{}", found.sql);
    let found = query(ask_in("얼마 전 배송 에러 몇 건이야?", "Asia/Seoul", &[], &[], 2));
    assert!(found.sql.contains("INTERVAL '1 hour'"), "{}", found.sql);
}

#[test]
fn a_list_without_a_service_is_asked_back_and_a_count_is_not() {
    let asked = asked_back(ask("에러 로그 보여줘"));
    assert_eq!(asked.fields(), "service");
    assert_eq!(asked.asks[0].options.len(), 6);
    let answer = [Reply { field: "service".into(), value: "delivery".into() }];
    assert!(
        query(ask_in("에러 로그 보여줘", "Asia/Seoul", &[], &answer, 1)).sql.contains("service = 'delivery'")
    );
    let answer = [Reply { field: "service".into(), value: "전체".into() }];
    assert!(!query(ask_in("에러 로그 보여줘", "Asia/Seoul", &[], &answer, 1)).sql.contains("service ="));
    assert!(sql("에러 몇 건이야?").starts_with("SELECT COUNT(*)"));
}

#[test]
fn a_quote_in_a_text_stays_in_its_literal() {
    let found = sql("메시지에 \"it's 100% o'clock_\"가 포함된 로그 건수");
    assert!(found.contains(r"message ILIKE '%it''s 100\% o''clock\_%'"), "{found}");
}

#[test]
fn a_follow_up_changes_only_what_it_says() {
    let first = query(ask("어제 배송 에러 건수"));
    let turn = |found: &Understood| ReadTurn { frame: found.frame.clone(), top: Vec::new() };
    let second = query(ask_in("그럼 오늘은?", "Asia/Seoul", &[turn(&first)], &[], 0));
    assert!(second.resolved);
    assert!(second.sql.contains("service = 'delivery'") && second.sql.contains("level = 'ERROR'"));
    assert!(second.sql.contains("2026-03-18 00:00:00+09:00"), "{}", second.sql);
    let third = query(ask_in("시간대별로", "Asia/Seoul", &[turn(&second)], &[], 0));
    assert!(third.sql.contains("date_trunc('hour', created_at)"), "{}", third.sql);
}

#[test]
fn the_first_of_an_answer_can_be_referred_to() {
    let first = query(ask("최근 7일 에러가 가장 많은 서비스"));
    let mut turn = ReadTurn { frame: first.frame.clone(), top: Vec::new() };
    let found = query(ask_in("그 서비스의 에러 유형별 건수", "Asia/Seoul", &[turn.clone()], &[], 0)).sql;
    assert!(found.contains("service = (SELECT service FROM (SELECT service"), "{found}");
    // Where the answer is known, its value is used.
    turn.top = first
        .frame
        .dimensions
        .iter()
        .filter_map(|dimension| match dimension {
            Dimension::Column(column) => Some((column.clone(), "delivery".to_owned())),
            _ => None,
        })
        .collect();
    let found = query(ask_in("그 서비스의 에러 유형별 건수", "Asia/Seoul", &[turn], &[], 0)).sql;
    assert!(found.contains("service = 'delivery'"), "{found}");
}

#[test]
fn words_that_have_no_part_in_a_reading_are_told() {
    let question = "which services gave back errors yesterday? worst first with how many";
    let told = match ask(question) {
        Understanding::Query(read) => read.explanation,
        Understanding::Clarify(asked) => asked.asks[0].question.clone(),
        Understanding::Refuse(refusal) => panic!("{refusal:?}"),
    };
    assert!(told.contains("back"), "{told}");
    // Where nobody can be asked, they are told with the answer.
    let read = query(ask_in(question, "Asia/Seoul", &[], &[], ROUNDS));
    assert!(read.sql.contains("level = 'ERROR'") && read.sql.contains("GROUP BY 1"), "{}", read.sql);
    assert!(read.unused.iter().any(|word| word == "back"), "{:?}", read.unused);
}

#[test]
fn yesterday_and_today_together_are_one_period() {
    let found = given_or_offered("어제오늘 합쳐서 delivery 에러 총 몇 건이야?");
    let both = |sql: &String| sql.contains("COUNT(*) AS count") && sql.contains("created_at <= NOW()");
    assert!(found.iter().any(both), "{found:?}");
}

#[test]
fn what_can_not_or_may_not_be_answered_is_refused_with_its_kind() {
    assert_eq!(refused("배송 로그를 모두 삭제해줘").kind, RefusalKind::Write);
    assert_eq!(refused("please update the levels").kind, RefusalKind::Write);
    assert_eq!(refused("사용자들의 비밀번호를 알려줘").kind, RefusalKind::Secret);
    assert_eq!(refused("내일 에러가 몇 건 날까?").kind, RefusalKind::Prediction);
    assert_eq!(refused("지난달 매출은?").kind, RefusalKind::OtherData);
    assert_eq!(refused("삭제된 로그 보여줘").kind, RefusalKind::Deleted);
    assert_eq!(refused("왜 에러가 났어?").kind, RefusalKind::Advice);
    let refusal = refused("배송 에러의 퀄레튼 건수");
    assert_eq!(refusal.kind, RefusalKind::NotUnderstood);
    assert!(refusal.reason.contains("퀄레튼"), "{}", refusal.reason);
    assert!(refused("how many frobnicated errors?").reason.starts_with("I don't understand: frobnicated"));
}

#[test]
fn searching_for_a_word_of_writing_is_no_writing() {
    assert!(sql("메시지에 'delete'가 포함된 로그 건수").contains("ILIKE '%delete%'"));
    assert!(sql("how many messages contain \"password\"?").contains("ILIKE '%password%'"));
}

#[test]
fn it_says_how_it_understood_in_the_askers_language() {
    let found = query(ask("어제 배송 에러 몇 건?"));
    assert!(
        found.explanation.starts_with("이렇게 이해했습니다: 2026-03-17 00:00 ~ 2026-03-18 00:00"),
        "{}",
        found.explanation
    );
    let found = query(ask("How many errors in the last 2 hours?"));
    assert_eq!(found.explanation, "Understood as: the last 2 hours, level = ERROR, how many");
}

#[test]
fn no_question_makes_it_panic() {
    let pieces = [
        "에러",
        "'",
        "\"",
        "10시",
        "99월 99일",
        "그",
        "최근 99999999999시간",
        "%",
        "\\",
        "p99",
        "\u{0}",
        "이상",
        "/",
        "{",
        "🦀",
        "2026-99-99",
        "~",
        "a",
        "N",
    ];
    for (at, first) in pieces.into_iter().enumerate() {
        for (beside, second) in pieces.into_iter().enumerate() {
            // Every third one is there often enough, and each question costs two readers their time.
            let third = pieces[(at * 7 + beside * 3) % pieces.len()];
            for glue in ["", " "] {
                ask(&[first, second, third].join(glue));
            }
        }
    }
}

#[test]
fn what_is_there_and_what_is_not() {
    assert!(sql("사용자 ID가 없는 로그 몇 건?").contains("user_id IS NULL"));
    assert!(sql("how many logs without a trace id today?").contains("trace_id IS NULL"));
    assert!(sql("count of logs with a stack trace today").contains("stack_trace IS NOT NULL"));
}

#[test]
fn numbers_have_two_ends_units_and_none() {
    let found = sql("how many requests took between 1 and 3 seconds today?");
    assert!(found.contains("duration_ms >= 1000") && found.contains("duration_ms <= 3000"), "{found}");
    let found = sql("200ms에서 500ms 사이 걸린 요청 몇 건?");
    assert!(found.contains("duration_ms >= 200") && found.contains("duration_ms <= 500"), "{found}");
    assert!(sql("오늘 404가 몇 번 났어?").contains("'404'"));
    // A number that says something nobody understood is not passed over.
    assert_eq!(refused("how many errors today 37").kind, RefusalKind::NotUnderstood);
}

/// These tables hold no money: nothing else is compared with it instead.
#[test]
fn a_sum_of_money_is_no_time_and_no_number_of_rows() {
    for question in [
        "오늘 300,000원 넘는 결제 몇 건?",
        "how many payments over $500 today?",
        "서비스별로 50만원 이상인 에러 몇 건이야?",
    ] {
        let found = given_or_offered(question);
        let compares = |sql: &String| sql.contains("duration_ms >") || sql.contains("HAVING");
        assert!(!found.iter().any(compares), "{question}: {found:?}");
    }
}

#[test]
fn words_inside_other_words_are_no_dimensions() {
    let found = sql("what fraction of logs were errors today, in percent?");
    assert!(!found.contains("action_type"), "{found}");
    assert_eq!(refused("swoop the errors count").words, ["swoop"]);
}

#[test]
fn shares_are_of_what_is_said_to_be_all() {
    let share = sql("What share of all errors today came from each service?");
    assert!(share.contains("OVER ()") && share.contains("level = 'ERROR'"), "{share}");
    let rate = sql("각 서비스 로그의 몇 퍼센트가 에러였어? 오늘");
    assert!(rate.contains("FILTER (WHERE"), "{rate}");
}

/// The conversation is changed, never the logs.
#[test]
fn a_follow_up_may_change_the_question() {
    // How a follow-up is read, also where the person would be shown it first.
    let agreed = [Reply { field: UNREAD.into(), value: "네".into() }];
    let turn = |question: &str, previous: &[ReadTurn]| {
        let found = query(ask_in(question, "Asia/Seoul", previous, &agreed, 0));
        (ReadTurn { frame: found.frame, top: Vec::new() }, found.sql)
    };
    let (first, _) = turn("오늘 결제 서비스 에러 몇 건?", &[]);
    let (second, found) = turn("어제로 바꿔줘", std::slice::from_ref(&first));
    assert!(found.contains("billing-core") && found.contains("'2026-03-17 00:00:00+09:00'"), "{found}");
    let (_, found) = turn("그 전날은?", std::slice::from_ref(&second));
    assert!(found.contains("'2026-03-16 00:00:00+09:00'") && !found.contains("'2026-03-18"), "{found}");
    let (_, found) = turn("목록으로 보여줘", std::slice::from_ref(&second));
    assert!(found.starts_with("SELECT id, created_at"), "{found}");
    assert_eq!(refused("어제 로그를 INFO로 바꿔줘").kind, RefusalKind::Write);
    let written = ask_in("그 로그를 INFO로 바꿔줘", "Asia/Seoul", &[first], &[], 0);
    assert!(matches!(written, Understanding::Refuse(refusal) if refusal.kind == RefusalKind::Write));

    let (groups, _) = turn("오늘 서비스별 평균 응답시간", &[]);
    let (_, found) = turn("1초 이상인 것만", &[groups]);
    assert!(found.contains("HAVING AVG(duration_ms) >= 1000"), "{found}");
    let (parts, _) = turn("오늘 서비스별 에러 건수", &[]);
    assert!(turn("비율로 보여줘", &[parts]).1.contains("OVER ()"));
}

#[test]
fn what_is_left_out_may_be_several() {
    for question in [
        "최근 24시간 order-web이랑 delivery 빼고 서비스별 에러 수",
        "errors by service except order-web and delivery last 24h",
        "order-web, delivery 제외하고 서비스별 에러 수 최근 24시간",
    ] {
        let found = given_or_offered(question);
        let first = found.first().map(String::as_str).unwrap_or_default();
        assert!(first.contains("service NOT IN ('order-web', 'delivery')"), "{question}: {found:?}");
        assert!(first.contains("GROUP BY"), "{question}: {found:?}");
    }
    let found = given_or_offered("order-web 에러 중 500이 아닌 것만 최근 24시간 건수");
    assert!(found.iter().any(|sql| sql.contains("metadata->>'status_code' <> '500'")), "{found:?}");
    let found = given_or_offered("how many requests returned something other than 200 today?");
    let (other, there) = ("metadata->>'status_code' <> '200'", "metadata->>'status_code' IS NOT NULL");
    assert!(found.iter().any(|sql| sql.contains(other) && sql.contains(there)), "{found:?}");
    // What is wanted says already what is not.
    assert!(sql("에러 말고 경고만 몇 건? 오늘").contains("level = 'WARN'"));
    let found = given_or_offered("number of warnings but not errors in delivery yesterday");
    let right = |sql: &String| sql.contains("level = 'WARN'") && !sql.contains("count_before");
    assert!(found.iter().any(right), "{found:?}");
    let found = given_or_offered("errors containing timeout but not gateway yesterday in delivery");
    let right = |sql: &String| sql.contains("ILIKE '%timeout%'") && sql.contains("NOT ILIKE '%gateway%'");
    assert!(found.iter().any(right), "{found:?}");
}

#[test]
fn by_how_many_per_cent_something_grew_is_no_share_of_it() {
    for question in [
        "이번 주 에러 수가 지난주보다 몇 퍼센트 늘었어?",
        "by what percentage did errors increase this week compared to last week?",
    ] {
        let found = given_or_offered(question);
        let grew = |sql: &String| sql.contains("AS count_now") && sql.contains("AS count_before");
        let right = |sql: &String| grew(sql) && !sql.contains("rate");
        assert!(found.iter().any(right), "{question}: {found:?}");
    }
}

#[test]
fn classes_of_codes_are_figures_of_their_own() {
    let found = sql("4xx와 5xx 비율 비교 최근 7일");
    assert!(
        found.contains("AS status_code_400_rate") && found.contains("AS status_code_500_rate"),
        "{found}"
    );
    let found = sql("count of 4xx and 5xx responses by service today");
    assert!(
        found.contains("AS status_code_400_count") && found.contains("AS status_code_500_count"),
        "{found}"
    );
    // What no number can be finds nothing, and that would look like an answer.
    refused("응답시간이 3초 이상 1초 미만인 요청 수");
}

#[test]
fn when_something_was_most_is_a_stretch_of_time() {
    for question in ["delivery 에러율이 가장 높았던 시간은? 어제", "에러가 가장 많았던 때는 언제야? 어제"]
    {
        let found = given_or_offered(question);
        let hour = |sql: &String| {
            sql.contains("date_trunc('hour', created_at)")
                && sql.ends_with("LIMIT 1")
                && !sql.contains("first_at")
        };
        assert!(found.iter().any(hour), "{question}: {found:?}");
    }
}

#[test]
fn a_service_that_is_nearly_named_is_asked_for_and_no_text_is_made_of_a_name() {
    let asked = asked_back(ask("order-wbe 에러 몇 건?"));
    assert_eq!(asked.asks[0].options, ["order-web", "전체"]);
    refused("checkout-api 에러 몇 건?");
}

#[test]
fn who_logged_in_is_not_what_was_logged_in_a_time() {
    let found = sql("how many errors were logged in the last hour?");
    assert!(found.contains("level = 'ERROR'") && !found.contains("path"), "{found}");
    // Nothing of this data is a login: all users would be another answer.
    refused("how many unique users logged in today?");
}

#[test]
fn stretches_that_are_named_by_their_place() {
    let between = |question: &str, from: &str, until: &str| {
        let found = sql(question);
        let bounds = [
            format!("created_at >= TIMESTAMPTZ '{from}:00+09:00'"),
            format!("created_at < TIMESTAMPTZ '{until}:00+09:00'"),
        ];
        assert!(bounds.iter().all(|bound| found.contains(bound.as_str())), "{question}: {found}");
    };
    between("3월 초에 에러 몇 건 났어?", "2026-03-01 00:00", "2026-03-11 00:00");
    between("지난달 말 에러 몇 건?", "2026-02-21 00:00", "2026-03-01 00:00");
    between("how many errors in mid February?", "2026-02-11 00:00", "2026-02-21 00:00");
    between("지난 분기 에러 수", "2025-10-01 00:00", "2026-01-01 00:00");
    between("10분 전부터 5분 전까지 로그 수", "2026-03-18 14:20", "2026-03-18 14:25");
    between("지난주 월요일부터 수요일까지 일별 에러 수", "2026-03-09 00:00", "2026-03-12 00:00");
    between("how many errors from Monday to Wednesday last week?", "2026-03-09 00:00", "2026-03-12 00:00");
    // The week before the day that is spoken of, beside that day.
    let found = sql("어제랑 지난주 같은 요일 에러 수 비교해줘");
    assert!(found.contains("'2026-03-17 00:00:00+09:00'"), "{found}");
    assert!(found.contains("'2026-03-10 00:00:00+09:00'"), "{found}");
    let found = sql("어제 오전과 오후 에러 수 비교");
    assert!(found.contains("'2026-03-17 00:00:00+09:00'") && found.contains("AS count_before"), "{found}");
    // Hours are when, not by what.
    assert!(!sql("새벽 시간대 에러 비율 최근 7일").contains("LIMIT 1"));
    assert!(sql("평일과 주말 에러 수 비교 최근 30일").contains("ISODOW"));
    // It has not begun on a Wednesday.
    assert_eq!(refused("errors last weekend vs this weekend").kind, RefusalKind::Prediction);
}

#[test]
fn slower_than_before_is_about_how_long_it_took() {
    for question in
        ["which service got slower this week than last week?", "이번 주에 지난주보다 느려진 서비스는?"]
    {
        let found = given_or_offered(question);
        let right = |sql: &String| sql.contains("AVG(duration_ms)") && sql.contains("avg_duration_before");
        assert!(found.iter().any(right), "{question}: {found:?}");
    }
}

#[test]
fn a_ranking_is_not_lost_by_what_it_leaves_out() {
    let found = sql("top 5 users by number of requests excluding user_042");
    assert!(found.contains("GROUP BY 1") && found.ends_with("LIMIT 5"), "{found}");
    // What has no duration is not the slowest.
    assert!(sql("서비스별로 가장 느린 경로 3개씩").contains("DESC NULLS LAST, path) AS place"));
}

/// What a thing is (매장이 강남인 거) goes on with it; what stands before is still asked for.
#[test]
fn conditions_before_an_unknown_one_are_not_dropped() {
    for question in [
        "billing-core 최근 1시간 에러 중 매장이 강남인 거 몇 건?",
        "billing-core 최근 1시간 에러 중 지역이 꽈배기인 것 몇 건?",
    ] {
        match ask(question) {
            Understanding::Query(found) => {
                assert!(
                    found.sql.contains("billing-core") && found.sql.contains("ERROR"),
                    "{question}: {}",
                    found.sql
                );
            }
            Understanding::Clarify(_) | Understanding::Refuse(_) => {}
        }
    }
}

#[test]
fn a_breakdown_that_is_asked_for_beside_the_first_of_it_is_shown_whole_with_the_first_on_top() {
    for question in [
        "errors by service, which had the most?",
        "Errors by service yesterday. Which had the most?",
        "errors by service and which had the most?",
        "How many errors by service, and which service had the most?",
        "Show the number of errors by service. Which one has the most errors?",
        "errors per hour yesterday, when were there the most?",
        "which service had the most errors? show errors by service",
        "서비스별 에러 수, 어디가 제일 많아?",
        "서비스별 에러 수 알려줘. 어디가 제일 많아?",
        "어제 서비스별 에러 건수랑 어디가 제일 많은지 알려줘",
        "서비스별 에러 수 보여주고 제일 많은 데가 어디인지도 알려줘",
        "서비스별 에러 수는? 가장 많은 서비스는?",
        "시간대별 에러 수, 언제가 제일 많아?",
        "서비스별 에러율, 어디가 제일 높아?",
        "어느 서비스가 에러가 제일 많아? 서비스별로 보여줘",
    ] {
        let found = sql(question);
        assert!(found.contains("ORDER BY 2 DESC") && !found.contains("LIMIT"), "{question}: {found}");
    }
    // Where what is counted is said with the ranking, or a number of rows is, that many are wanted.
    for (question, limit) in [
        ("서비스별, 에러가 제일 많은 곳은?", 1),
        ("서비스별로 어디가 에러가 제일 많아?", 1),
        ("지난주 서비스별로 에러가 제일 많은 곳", 1),
        ("which service had the most errors by count?", 1),
        ("서비스별 에러 수, 상위 1개만", 1),
        ("errors by service, top 1 only", 1),
        ("top 3 errors by service, which had the most?", 3),
    ] {
        let found = sql(question);
        assert!(found.ends_with(&format!("LIMIT {limit}")), "{question}: {found}");
    }
}

#[track_caller]
fn may_mean(question: &str, parts: &[&str]) {
    let all = given_or_offered(question);
    assert!(all.iter().any(|sql| parts.iter().all(|part| sql.contains(part))), "{question}: {all:#?}");
}

#[test]
fn a_version_that_no_row_of_late_has_is_a_version() {
    may_mean("order-web 2.3.1 에러 몇 건?", &["service_version = 'v2.3.1'", "service = 'order-web'"]);
    may_mean("order-web v2.3.1 에러 몇 건?", &["service_version = 'v2.3.1'"]);
}

#[test]
fn dates_in_digits_take_particles_and_past_midnight_is_since_then() {
    let days = ["2026-03-11 00:00:00+09:00", "< TIMESTAMPTZ '2026-03-13 00:00:00+09:00'"];
    may_mean("3/11부터 3/12까지 billing-core 에러 몇 건?", &days);
    let read = sql("오늘 0시 지나고 billing-core 에러 몇 건?");
    assert!(read.contains("2026-03-18 00:00:00+09:00") && !read.contains("01:00:00"), "{read}");
}

#[test]
fn a_time_that_is_made_longer_is_no_growth() {
    let first = query(ask("billing-core 최근 1시간 에러 몇 건?"));
    let before = [ReadTurn { frame: first.frame, top: Vec::new() }];
    let read = query(ask_in("3시간으로 늘려줘", "Asia/Seoul", &before, &[], 0)).sql;
    assert!(read.contains("INTERVAL '3 hours'") && !read.contains("count_before"), "{read}");
}

#[test]
fn a_superlative_beside_a_figure_of_one_row_asks_for_its_greatest() {
    may_mean(
        "billing-core today: average, median and slowest response time",
        &["AVG(duration_ms)", "PERCENTILE_CONT(0.5)", "MAX(duration_ms)"],
    );
}

#[test]
fn what_is_left_out_is_not_the_value_of_another_column_before_it() {
    may_mean(
        "billing-core 운영 말고 다른 환경 에러 몇 건?",
        &["service = 'billing-core'", "environment <> 'production'"],
    );
}
