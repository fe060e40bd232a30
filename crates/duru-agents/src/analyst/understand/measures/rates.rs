//! Shares of the lines: error rates, hit rates.

use std::sync::LazyLock;

use regex::Regex;

use super::bounds::{OVER, THAN, op};
use crate::analyst::understand::lexicon;
use crate::analyst::understand::query::{Field, Filter, Having, Measure, Test, Than};
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{Scan, compile, re};
use crate::analyst::understand::vocabulary::Vocabulary;

/// "에러율", "error rate above 5 %", "캐시 적중률".
pub(in crate::analyst::understand) fn rates(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    static RATE: LazyLock<Regex> = LazyLock::new(|| {
        compile(&format!(
            r"(?:(에러|오류|실패|장애|경고|치명(?:적)?(?:\s*에러|\s*오류)?|\berrors?\b|\bfailures?\b|\bwarn(?:ing)?s?\b|\bfatals?\b)\s*(?:로그\s*)?(?:발생\s*)?(?:율|률|비율|비중|퍼센트|퍼센티지|\brates?\b|\bratios?\b|\bpercent(?:age)?\b)|(?:percent(?:age)?|proportion|fraction|ratio|rate)\s+of\s+(?:the\s+)?(?:all\s+)?(?:(?:logs?|requests?|lines?)\s+(?:that\s+)?(?:are|were|is|being|with)\s+)?(errors?|warnings?|failures?|fatals?)\b)(?:\s*\(%\))?(?:이|가|은|는|\s+is|\s+was)?\s*{OVER}\s*(?:(\d+(?:\.\d+)?)\s*(?:%|퍼센트|프로|percent){THAN})?"
        ))
    });
    // "몇 퍼센트 늘었어": by how much two figures differ, and not a share of the lines.
    while let Some(found) = scan.find(re!(
        r"(몇\s*(?:퍼센트|프로|%)(?:나|이나|가량|정도|쯤)?)\s*(?:더\s*)?(?:늘|증가|줄|감소|올[라랐]|떨어|높아|낮아|많아|적어|변[했화]|차이)|(\bby\s+(?:what|how\s+much)\s+percent(?:age)?\b|\b(?:by\s+)?how\s+many\s+percent\b|\b(?:what\s+)?percent(?:age)?\b)\s+(?:more|fewer|less|higher|lower|change|increase|decrease|growth|did|do|have|has)\b"
    )) {
        let word = [found.get(1), found.get(2)].concat();
        scan.blank(found.start, found.start + word.len());
        reading.compared = true;
        reading.counted = true;
    }
    // "전체 에러 중 서비스별 비중": the errors are all, and not a part.
    reading.whole = scan.said(re!(r"(?:전체|모든|총)\s*(?:에러|오류|경고)\s*(?:로그\s*)?(?:중|가운데|에서)|(?:에러|오류|경고)\s*(?:중|가운데)(?:에서)?\s*(?:각|어느|[가-힣]+별)|\bof\s+(?:all|total|the\s+total)\s+(?:the\s+)?(?:errors?|warnings?|failures?|fatals?)\b"));
    while let Some(found) = scan.take(&RATE).filter(|_| !reading.whole) {
        let word = [found.get(1), found.get(2)].concat();
        let word = word.split_whitespace().next().unwrap_or_default();
        // "실패(401) 비율": the code says what a failure is.
        if word == "실패" && reading.query.filter("status_code").is_some() {
            reading.percent = true;
            continue;
        }
        let level = match word {
            "실패" | "장애" | "failure" | "failures" => "ERROR",
            other => lexicon::level(other).unwrap_or("ERROR"),
        };
        let rate = Measure::Rate(vec![Filter::is("level", level)]);
        if let (Ok(number), Some(op)) = (found.get(4).parse(), op(found.get(3), found.get(5))) {
            reading.having(Having { measure: rate.clone(), op, than: Than::Number(number) });
        }
        reading.measure(rate);
    }
    static PERCENT: LazyLock<Regex> = LazyLock::new(|| {
        compile(&format!(r"{OVER}\s*(\d+(?:\.\d+)?)\s*(?:%|퍼센트|프로|percent){THAN}(?:인|의)?"))
    });
    if let Some(found) = scan.find(&PERCENT)
        && let (Ok(number), Some(op)) = (found.get(2).parse(), op(found.get(1), found.get(3)))
    {
        scan.blank(found.start, found.end);
        reading.percent_than = Some((op, number));
    }
    if vocabulary.has_key("cache_hit")
        && scan
            .take(re!(
                r"캐시\s*(?:히트|적중)\s*(?:율|률|비율)|\bcache[\s_-]*hit\s*(?:rates?|ratios?|percentage)"
            ))
            .is_some()
    {
        let field = Field::Meta("cache_hit".into());
        let hit = Filter { field: field.clone(), test: Test::OneOf(vec!["true".into()]) };
        reading.measure(Measure::Rate(vec![hit]));
        reading.push(field, Test::Present);
    }
    let of = scan.find(re!(
        r"(?:(사용자|유저|회원|고객|이용자|방문자)|(세션)|(트레이스|\btrace\b)|(\bips?\b|아이피))(?:들)?(?:\s*(?:중(?:에서|에)?|가운데)\s|(?:의|는|은)?\s*몇\s*(?:%|퍼센트|프로)|\s*(?:의\s*)?(?:비율|비중|퍼센트))|\b(?:percent(?:age)?s?|shares?|fractions?|proportions?|%)\s+of\s+(?:\S+\s+){0,4}?(?:(users|customers|people)|(sessions)|(traces)|(ips|ip\s+addresses))\b"
    ));
    let share = re!(r"몇\s*(?:퍼센트|프로|%)|비율|비중|퍼센트|\bpercent|\bshare|\bfraction|\bproportion|%");
    if let Some(found) = of.filter(|_| scan.has(share)) {
        let names = ["user_id", "session_id", "trace_id", "client_ip"];
        let group = (1..=8).find(|group| found.has(*group)).map_or(0, |group| (group - 1) % 4);
        reading.rate_of = Some(match names[group] {
            "client_ip" => Field::Meta("client_ip".into()),
            name => Field::column(name),
        });
    }
    if scan.drop_all(re!(r"몇\s*(?:퍼센트|프로|%)(?:가|나|이)?|비율|비중|점유율|차지하는|차지|퍼센트(?:로)?|\bin\s+percent\b|\bpercent(?:age)?s?(?:\s+of)?\b|\bshares?(?:\s+of)?\b|\bproportions?(?:\s+of)?\b|\bfractions?(?:\s+of)?\b|\(\s*%\s*\)|%로")) {
        reading.percent = true;
    }
}
