//! Ids, addresses, versions, paths, methods and codes: what looks like nothing else.

use super::negation::negated;
use crate::analyst::understand::query::{Field, Filter, Measure, Op, Test};
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{Scan, re};
use crate::analyst::understand::vocabulary::Vocabulary;

/// Ids, addresses, versions, paths: what looks like nothing else.
pub(in crate::analyst::understand) fn ids(
    scan: &mut Scan,
    question: &str,
    vocabulary: &Vocabulary,
    reading: &mut Reading,
) {
    while let Some(found) = scan.take(re!(
        r"(?:(?:trace(?:\s*id|_id)?|트레이스(?:\s*(?:id|아이디))?|추적(?:\s*(?:id|아이디))?)\s*[:=]?\s*)?\b([0-9a-f]{32})\b(?:\s*(?:trace|트레이스|추적(?:\s*id)?))?"
    )) {
        reading.add(Field::column("trace_id"), found.get(1), false);
    }
    while let Some(found) = scan
        .take(re!(r"(?:(?:세션|session)(?:\s*(?:id|아이디))?\s*[:=]?\s*)?\b(sess(?:ion)?[_-][a-z0-9_-]+)"))
    {
        reading.add(Field::column("session_id"), found.get(1), false);
    }
    while let Some(found) = scan.take(re!(r"(?:(?:사용자|유저|회원|고객|\buser)(?:\s*(?:id|아이디))?\s*[:=]?\s*)?\b(user[_-]\d[a-z0-9_-]*)(?:\s*(?:사용자|유저|회원|고객)(?:님)?)?")) {
        let without = negated(scan, found.start, found.end);
        reading.add(Field::column("user_id"), found.get(1), without);
    }
    while let Some(found) = scan.take(re!(r"(?:(?:client\s*)?\bip\s*(?:address\s*)?[:=]?\s*|아이피\s*)?\b(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})\b(?:\s*(?:\bip\b|아이피)(?:\s*주소)?)?")) {
        let without = negated(scan, found.start, found.end);
        reading.add(Field::Meta("client_ip".into()), found.get(1), without);
    }
    let mut dates: Vec<(usize, String)> = Vec::new();
    while let Some(found) =
        scan.take(re!(r"(?:(?:배포|릴리[스즈]|서비스)\s*버전\s*|(?:앱\s*|app\s+)?(?:버전\s*|version\s+)?)\b(v?)(\d+\.\d+\.\d+)\b(?:\s*버전)?"))
    {
        // A date with dots is put back.
        if re!(r"^(?:19|20)\d\d\.").is_match(found.get(2)) {
            dates.push((found.start, found.get(0).to_owned()));
            continue;
        }
        let app = vocabulary.keys().find(|(key, _)| *key == "app_version").map(|(_, values)| values);
        let bare = found.get(2);
        let known =
            |values: &[String]| values.iter().find(|value| value.trim_start_matches('v') == bare).cloned();
        let service = known(vocabulary.values("service_version"));
        match (service, app.and_then(known)) {
            (Some(version), _) => reading.add(Field::column("service_version"), &version, false),
            (None, Some(version)) => reading.add(Field::Meta("app_version".into()), &version, false),
            (None, None) => {
                let version = question.get(found.start..found.end).unwrap_or(bare).trim();
                let version = version.split_whitespace().next().unwrap_or(bare);
                reading.add(Field::column("service_version"), version, false);
            }
        }
    }
    for (start, date) in dates {
        scan.rest.replace_range(start..start + date.len(), &date);
    }
    while let Some(found) = scan.take(re!(r"(?:(?:경로|엔드포인트|페이지|\bpath|\bendpoint|\bpage)\s+)?(?:^|[\s(,'])(/[a-z0-9_./{}*-]*)'?(?:\s*(?:경로|엔드포인트|페이지|화면|api\b|path\b|page\b|endpoint\b))?")) {
        let without = negated(scan, found.start, found.end);
        let starts = re!(r"^\s*(?:으?로)\s*시작(?:하는|되는)?").find(scan.rest.get(found.end..).unwrap_or_default()).map(|tail| tail.end());
        if let Some(length) = starts {
            scan.blank(found.end, found.end + length);
            scan.drop_all(re!(r"^\s*(?:경로|엔드포인트)"));
            reading.push(Field::column("path"), Test::StartsWith(found.get(1).into()));
        } else {
            path(found.get(1), without, vocabulary, reading);
        }
    }
    methods(scan, question, reading);
    status(scan, reading);
}

fn path(said: &str, without: bool, vocabulary: &Vocabulary, reading: &mut Reading) {
    let field = Field::column("path");
    let known = vocabulary.values("path");
    if let Some(start) = said.strip_suffix('*') {
        reading.push(field, Test::StartsWith(start.into()));
        return;
    }
    let said = if said.len() > 1 { said.trim_end_matches(['/', '.']) } else { said };
    if !known.iter().any(|path| path == said) {
        let mut ends = known.iter().filter(|path| path.ends_with(said));
        if let (Some(one), None) = (ends.next(), ends.next()) {
            return reading.add(field, one, without);
        }
        if known.iter().any(|path| path.starts_with(said)) {
            return reading.push(field, Test::StartsWith(said.into()));
        }
    }
    reading.add(field, said, without);
}

fn methods(scan: &mut Scan, question: &str, reading: &mut Reading) {
    let pattern = re!(
        r"(?:http\s+)?\b(get|post|put|delete|patch|head|options)\b(\s*(?:요청|메서드|메소드|호출|방식|requests?\b|calls?\b|methods?\b))?"
    );
    let mut from = 0;
    while let Some(captures) = pattern.captures_at(&scan.rest.clone(), from) {
        let (Some(all), Some(word)) = (captures.get(0), captures.get(1)) else { break };
        from = all.end();
        let written = question.get(word.start()..word.end()).unwrap_or_default();
        if captures.get(2).is_some() || written.bytes().all(|byte| byte.is_ascii_uppercase()) {
            scan.blank(all.start(), all.end());
            let without = negated(scan, all.start(), all.end());
            reading.subject |= captures.get(2).is_some();
            reading.add(Field::column("method"), &written.to_ascii_uppercase(), without);
        }
    }
}

fn status(scan: &mut Scan, reading: &mut Reading) {
    let field = || Field::Meta("status_code".into());
    while let Some(found) = scan.take(re!(
        r"(?:(?:http\s*)?(?:상태\s*코드|응답\s*코드|status(?:[\s_]*codes?)?|코드)(?:가|이|는|은)?\s*)?\b([1-5]\d\d)\s*(?:이상|부터|에서|~|-|–|\bto\b)\s*([1-5]\d\d)\s*(미만|이하|까지|사이)?(?:인|의)?(?:\s*(?:상태|응답)\s*코드)?"
    )) {
        let (Ok(least), Ok(most)) = (found.get(1).parse(), found.get(2).parse()) else { continue };
        reading.subject = true;
        reading.push(field(), Test::Number(Op::AtLeast, least));
        reading.push(field(), Test::Number(if found.get(3) == "미만" { Op::Less } else { Op::AtMost }, most));
    }
    let mut classes: Vec<f64> = Vec::new();
    while let Some(found) = scan.take(re!(
        r"(?:http\s*)?(?:상태\s*코드\s*|응답\s*코드\s*|status(?:[\s_]*codes?)?\s*)?(?:가|이|는|은)?\s*\b([1-5])(?:xx\b|00번\s*대|00\s*번대)(?:\s*(?:에러|오류|응답|상태|코드|errors?\b|responses?\b|status(?:\s+codes?)?\b))*"
    )) {
        let class: f64 = found.get(1).parse().unwrap_or(5.0);
        reading.subject = true;
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    let within = |class: f64| {
        let bound = |op, number| Filter { field: field(), test: Test::Number(op, number) };
        vec![bound(Op::AtLeast, class * 100.0), bound(Op::Less, class * 100.0 + 100.0)]
    };
    match classes.as_slice() {
        [] => {}
        [one] => reading.query.filters.extend(within(*one)),
        // "4xx와 5xx": no line has both, so each is a figure of its own.
        several => {
            let shares =
                scan.drop_all(re!(r"비율|비중|퍼센트|\bin\s+percent\b|\bpercent(?:age)?s?(?:\s+of)?\b|\brates?\b|\bratios?\b|\bshares?\b"));
            for class in several {
                let these = within(*class);
                reading.measure(if shares { Measure::Rate(these) } else { Measure::CountOf(these) });
            }
            reading.push(field(), Test::Present);
        }
    }
    while let Some(found) = scan.take(re!(
        r"(?:http\s*)?(?:상태\s*코드|응답\s*코드|status(?:[\s_]*codes?)?|코드)(?:가|이|는|은|\s+is|\s+of|\s*[=:])?\s*(?:>=\s*)?([1-5]\d\d)\s*(이상|초과|or\s+(?:above|higher|more)|and\s+above|\+)?(?:인|의)?(?:\s*(?:에러|오류|응답|errors?\b|responses?\b))?"
    )) {
        let code: f64 = found.get(1).parse().unwrap_or(500.0);
        reading.subject = true;
        match found.get(2) {
            "" => {
                let without = negated(scan, found.start, found.end);
                reading.add(field(), found.get(1), without);
            }
            "초과" => reading.push(field(), Test::Number(Op::More, code)),
            _ => reading.push(field(), Test::Number(Op::AtLeast, code)),
        }
    }
    while let Some(found) = scan.take(re!(
        r"\(\s*([1-5]\d\d)\s*\)|\bhttp\s*([1-5]\d\d)s?\b(?:\s*(?:에러|오류|응답|errors?\b|responses?\b))?|\b([1-5]\d\d)\s*(?:번\s*)?(?:에러|오류|응답|상태|코드|errors?\b|responses?\b|status(?:es)?\b)(?:\s*(?:에러|오류|응답|코드|code|errors?\b|responses?\b))?"
    )) {
        let code = [found.get(1), found.get(2), found.get(3)].concat();
        reading.subject |= found.has(3);
        let without = negated(scan, found.start, found.end);
        reading.add(field(), &code, without);
    }
    // "404가", "a 404": a code by itself, unless it counts or measures something.
    let mut from = 0;
    while let Some(found) = scan.find_from(
        re!(
            r"(?:^|[\s(,/])((?:20[0124]|30[12478]|40[0-9]|41[0357]|42[2689]|451|50[0-4]))(s\b)?(?:이랑|이나|이|가|은|는|을|를|도|만|로|와|과|나|랑|하고)?(?:[\s?,./)]|$)"
        ),
        from,
    ) {
        from = found.end;
        let before = scan.whole.get(..found.start).unwrap_or_default();
        let after = scan.whole.get(found.end..).unwrap_or_default();
        let counts = !re!(r"\bother\s+than\s*$").is_match(before)
            && re!(r"(?:top|last|first|latest|over|than|least|most|상위|하위|최근|최신|총|>|=|limit)\s*$")
            .is_match(before)
            || re!(r"^(?:ms|밀리초|초|분|시간|건|개|명|번|회|줄|위|원|%|일|년|월|times?|rows?|lines?|logs?|errors?|requests?|seconds?|minutes?|hours?|days?|users?|이상|이하|초과|미만|넘)")
                .is_match(after);
        if !counts {
            let start = found.start + found.get(0).find(found.get(1)).unwrap_or_default();
            let end = start + found.get(1).len() + found.get(2).len();
            scan.blank(start, end);
            reading.subject = true;
            let without = negated(scan, start, end);
            reading.add(field(), found.get(1), without);
        }
    }
    // What was answered with another code was answered with one.
    let left_out = |filter: &Filter| filter.field == field() && matches!(filter.test, Test::NoneOf(_));
    if reading.query.filters.iter().any(left_out)
        && scan.said(re!(r"응답|요청|반환|\brespon|\breturn|\brequest"))
    {
        reading.push(field(), Test::Present);
    }
}
