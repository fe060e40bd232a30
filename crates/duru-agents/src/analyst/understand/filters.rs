//! Which lines: names, ids, codes and values, as the data and the lexicon know them.

use std::sync::LazyLock;

use regex::Regex;

use super::lexicon::{self, SERVICE_STEMS, TRANSLATED};
use super::query::{Field, Op, Test};
use super::reading::Reading;
use super::scan::{Scan, compile, re};
use super::vocabulary::Vocabulary;

/// Ids, addresses, versions, paths: what looks like nothing else.
pub(super) fn ids(scan: &mut Scan, question: &str, vocabulary: &Vocabulary, reading: &mut Reading) {
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
    while let Some(found) = scan.take(re!(
        r"(?:http\s*)?(?:상태\s*코드\s*|응답\s*코드\s*|status(?:[\s_]*codes?)?\s*)?(?:가|이|는|은)?\s*\b([1-5])(?:xx\b|00번\s*대|00\s*번대)(?:\s*(?:에러|오류|응답|상태|코드|errors?\b|responses?\b|status(?:\s+codes?)?\b))*"
    )) {
        let class: f64 = found.get(1).parse().unwrap_or(5.0);
        reading.subject = true;
        reading.push(field(), Test::Number(Op::AtLeast, class * 100.0));
        reading.push(field(), Test::Number(Op::Less, class * 100.0 + 100.0));
    }
    while let Some(found) = scan.take(re!(
        r"(?:http\s*)?(?:상태\s*코드|응답\s*코드|status(?:[\s_]*codes?)?|코드)(?:가|이|는|은|\s+is|\s+of|\s*[=:])?\s*(?:>=\s*)?([1-5]\d\d)\s*(이상|초과|or\s+(?:above|higher|more)|and\s+above|\+)?(?:인|의)?(?:\s*(?:에러|오류|응답|errors?\b|responses?\b))?"
    )) {
        let code: f64 = found.get(1).parse().unwrap_or(500.0);
        reading.subject = true;
        match found.get(2) {
            "" => reading.add(field(), found.get(1), false),
            "초과" => reading.push(field(), Test::Number(Op::More, code)),
            _ => reading.push(field(), Test::Number(Op::AtLeast, code)),
        }
    }
    while let Some(found) = scan.take(re!(
        r"\(\s*([1-5]\d\d)\s*\)|\bhttp\s*([1-5]\d\d)s?\b(?:\s*(?:에러|오류|응답|errors?\b|responses?\b))?|\b([1-5]\d\d)\s*(?:번\s*)?(?:에러|오류|응답|상태|코드|errors?\b|responses?\b|status(?:es)?\b)(?:\s*(?:에러|오류|응답|코드|code|errors?\b|responses?\b))?"
    )) {
        let code = [found.get(1), found.get(2), found.get(3)].concat();
        reading.subject |= found.has(3);
        reading.add(field(), &code, false);
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
        let counts = re!(r"(?:top|last|first|latest|over|than|least|most|상위|하위|최근|최신|총|>|=|limit)\s*$")
            .is_match(before)
            || re!(r"^(?:ms|밀리초|초|분|시간|건|개|명|번|회|줄|위|원|%|일|년|월|times?|rows?|lines?|logs?|errors?|requests?|seconds?|minutes?|hours?|days?|users?|이상|이하|초과|미만|넘)")
                .is_match(after);
        if !counts {
            let start = found.start + found.get(0).find(found.get(1)).unwrap_or_default();
            scan.blank(start, start + found.get(1).len() + found.get(2).len());
            reading.subject = true;
            reading.add(field(), found.get(1), false);
        }
    }
}

/// Texts that the message holds.
pub(super) fn texts(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    let mut texts: Vec<String> = Vec::new();
    let mut span: Option<(usize, usize)> = None;
    let mut from = 0;
    let searched = scan.said(re!(r"포함|들어\s*간|들어\s*있|\bcontain|\bmention|스택|\bstack"));
    let quoted = re!(
        r#"(?:^|[\s(,/]|와|과|나)(?:("([^"]{1,120})")|('([^']{1,120})')|(“([^”]{1,120})”)|(‘([^’]{1,120})’)|(`([^`]{1,120})`)|(「([^」]{1,120})」))"#
    );
    while let Some(captures) = quoted.captures_at(&scan.rest.clone(), from) {
        let group = (1..12).step_by(2).find(|group| captures.get(*group).is_some()).unwrap_or(1);
        let (Some(mark), Some(text)) = (captures.get(group), captures.get(group + 1)) else { break };
        from = captures.get(0).map_or(text.end(), |all| all.end());
        if !searched && is_value(text.as_str().trim(), vocabulary) {
            // The name of something: only the marks go.
            scan.blank(mark.start(), text.start());
            scan.blank(text.end(), from);
            continue;
        }
        texts.push(text.as_str().trim().to_owned());
        scan.blank(mark.start(), from);
        span = Some((span.map_or(mark.start(), |(start, _)| start), from));
    }
    if texts.is_empty() {
        let unquoted = [
            re!(
                r"(?:^|\s)([a-z0-9][a-z0-9 _./:%-]*?|[가-힣]+)(?:이?라고)\s*(?:찍|적[힌혀]|쓰[인여]|쓴|나[온오와]|뜬|뜨는|떠|남[은긴]|기록|표시|출력|되어|된|하는)"
            ),
            re!(
                r"(?:^|\s)([a-z0-9][a-z0-9 _./:%-]*?)(?:이|가|을|를)?\s*(?:라는\s*)?(?:문자열|텍스트|단어|문구|키워드|글자|말)(?:이|가|을|를|도)?\s*(?:포함|들어|있는|담긴|언급)"
            ),
            re!(r"(?:메시지|내용|본문)(?:에|에서|가|중에?)\s*([^\s].{0,40}?)\s*(?:이?라는|이?라고|이?란)\s"),
            re!(
                r"(?:메시지|내용|본문)(?:에|에서)\s*([^\s].{0,40}?)(?:이|가|을|를)?\s*(?:들어\s*간|들어\s*있|들어가|포함|담긴|있는|나오는|언급)"
            ),
            re!(
                r"(?:^|\s)([a-z0-9가-힣][a-z0-9 _./:-]*?|[가-힣]+)(?:이?라는|이?란)\s*(?:말|단어|문구|텍스트|표현|글자|문자열|키워드|내용)"
            ),
            re!(
                r"(?:^|\s)([a-z][a-z0-9 _./:%-]*?)(?:이|가|을|를)\s*(?:포함(?:하는|된|한|되는|되어)|들어\s*(?:간|있는|가는)|언급(?:된|되는|하는)|담긴|적힌)"
            ),
            re!(
                r"\bwith\s+the\s+(?:words?|phrase|text|string|term|keyword)\s+([a-z0-9][a-z0-9 _./:-]*?)(?:\s+(?:in|over|during|for|from|since|yesterday|today|last|this|by|per)\b|[?.,!()]|$)"
            ),
            re!(
                r"\b(?:contain(?:s|ing)?|mention(?:s|ing|ed)?|includ(?:es|ing))\s+(?:the\s+(?:words?|phrase|text|string|term)\s+)?([a-z0-9][a-z0-9 _./:-]*?)(?:\s+(?:in\s|over\s|during\s|for\s|from\s|since\s|yesterday|today|last\s|by\s|per\s|were|are|did|do|is|was|happened|occurred|grouped|and\s+how|this\s)|[?.,!()]|$)"
            ),
            re!(
                r"\bwith\s+(?:the\s+(?:words?|phrase|text|string)\s+)?([a-z0-9][a-z0-9 _./:-]*?)\s+in\s+(?:the\s+|their\s+|its\s+)?(?:message|text)"
            ),
        ];
        for pattern in unquoted {
            let Some(captures) = pattern.captures(&scan.rest) else { continue };
            let Some(text) = captures.get(1) else { continue };
            // Names of services and the like that stand before the text are not part of it.
            let mut start = text.start();
            let mut value = text.as_str().trim().to_owned();
            if let Some(noun) = re!(r"^(?:an?|any|the)\s+").find(&value)
                && is_value(&value[noun.end()..], vocabulary)
            {
                continue;
            }
            while let Some((first, rest)) =
                value.split_once(' ').filter(|(first, _)| is_value(first, vocabulary))
            {
                start += text.as_str().len().min(first.len() + 1);
                value = rest.trim_start().to_owned();
            }
            if value.is_empty() || is_value(&value, vocabulary) {
                continue;
            }
            let text_end = text.end();
            span = Some((start, text_end));
            scan.blank(start, text_end);
            // "memory랑 usage가 둘 다": each of them.
            let both = re!(r"(?:이|가|을|를)?\s*(?:둘\s*다|모두|전부|같이|함께|\bboth)$");
            let value = both.replace(&value, "").into_owned();
            let between = re!(r"\s+(?:또는|혹은|or)\s+|(?:이랑|랑|와|과|하고)\s+|\s+및\s+|이나\s+");
            texts.extend(between.split(&value).map(|one| one.trim().to_owned()));
            break;
        }
    }
    let Some((_, end)) = span else { return };
    let after = scan.rest.get(end..).unwrap_or_default().to_owned();
    let lacks = re!(r"포함(?:하지|되지)\s*않|없는|빠진|not\s+contain|without|들어가지\s*않")
        .is_match(&scan.rest)
        && re!(r"^[^.]{0,30}(?:않|없|빠진)").is_match(&after)
        || scan.said(re!(r"not\s+contain|without\s+the\s+word"));
    let stack = scan.drop_all(re!(r"스택\s*트레이스|스택트레이스|stack[\s_]*traces?"));
    scan.drop_all(re!(
        r"(?:이|가|을|를)?\s*(?:이?라는|이?라고|이?란)?\s*(?:말|단어|문구|텍스트|표현|글자|문자열|키워드)(?:이|가|을|를|도)?\s*(?:모두\s*)?(?:들어\s*간|들어\s*있는|들어가(?:는|지\s*않은)?|포함\s*(?:된|한|하는|되는|되어\s*있는|하지\s*않(?:은|는)|되지\s*않은)?|담긴|있는|없는|나오는|언급된)?"
    ));
    scan.drop_all(re!(
        r"(?:에|에서)?\s*(?:이?라는|이?라고)?\s*(?:들어\s*간|들어\s*있는|들어가(?:는|지\s*않은)?|포함(?:된|한|하는|되는|되어\s*있는|하지\s*않(?:은|는)|되지\s*않은)|담긴|나오는|언급(?:된|한|하는))"
    ));
    scan.drop_all(re!(r"(?:^|\s)(?:이?라는|이?라고|이?란)(?:\s|$)|(?:메시지|내용|본문)(?:에는|에서|에|가|중에?|를|는)?|(?:이|가)?\s*있는|\b(?:messages?|contain(?:s|ing)?|mention(?:s|ing|ed)?|includ(?:es|ing)|with|the\s+(?:words?|phrase|text|string|term)|in\s+the\s+message|not)\b"));
    reading.subject = true;
    let field = Field::column(if stack { "stack_trace" } else { "message" });
    let any = scan.said(re!(r"또는|이나\s|['’”]\s*나\s|혹은|\bor\b|중\s*하나"));
    if let [one] = texts.as_slice()
        && scan.drop_all(re!(
            r"(?:^|\s)?(?:으?로)\s*시작(?:하는|되는|한)|\b(?:starts?|starting|beginning|begins?)\s+with\b"
        ))
    {
        reading.push(field, Test::StartsWith(one.clone()));
        return;
    }
    match texts.as_slice() {
        [one] if lacks => reading.push(field, Test::Lacks(one.clone())),
        _ if texts.len() > 1 && !any => reading.push(field, Test::ContainsAll(texts)),
        _ => reading.push(field, Test::Contains(texts)),
    }
}

fn is_value(text: &str, vocabulary: &Vocabulary) -> bool {
    lexicon::level(text).is_some()
        || text.starts_with('/')
        || vocabulary.services().iter().any(|service| service.eq_ignore_ascii_case(text))
        || vocabulary.named_values().any(|(_, value)| value.eq_ignore_ascii_case(text))
}

/// Whether the value that stands here is to be left out.
pub(super) fn negated(scan: &mut Scan, start: usize, end: usize) -> bool {
    let after = re!(
        r"^\s*(?:서비스|환경|레벨|로그|에러|사용자)?\s*(?:을|를|은|는|이|가)?\s*(?:제외(?:하고|한|하면|하니|된)?|빼고|뺀|빼면|제하고|말고|아닌|아니라|이외(?:의|에)?|외의|외에)"
    );
    let before = re!(
        r"(?:\bexcept(?:\s+for)?|\bexcluding|\bexclude|\bwithout|\bnot(?:\s+(?:from|in|counting|including))?|\bother\s+than|\bapart\s+from|\baside\s+from|\bbesides|\bleaving\s+out|\bminus|\bignoring|\bignore|\bskipping|\bnon-?)\s*(?:the\s+)?$"
    );
    if let Some(found) = scan.rest.get(end..).and_then(|rest| after.find(rest)) {
        let (from, until) = (end + found.start(), end + found.end());
        scan.blank(from, until);
        return true;
    }
    if let Some(found) = scan.rest.get(..start).and_then(|rest| before.find(rest)) {
        let (from, until) = (found.start(), found.end());
        scan.blank(from, until);
        return true;
    }
    false
}

/// Values of the data that are named as they are, or in Korean.
pub(super) fn values(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    const TOO_COMMON: &[&str] =
        &["report", "home", "true", "false", "test", "other", "search", "login", "cart", "checkout"];
    let mut named: Vec<(Field, String, String)> = vocabulary
        .named_values()
        .map(|(field, value)| (field, value.to_owned(), value.to_ascii_lowercase()))
        .filter(|(_, _, word)| {
            word.len() > 2 && !TOO_COMMON.contains(&word.as_str()) && word.parse::<f64>().is_err()
        })
        .collect();
    named.sort_by_key(|(_, _, word)| std::cmp::Reverse(word.len()));
    for (field, value, word) in named {
        while let Some(start) = find_word(&scan.rest, &word) {
            let end = start + word.len();
            scan.blank(start, end);
            let without = negated(scan, start, end);
            reading.add(field.clone(), &value, without);
        }
    }
    translated(scan, vocabulary, reading);
}

/// Where an ASCII word stands by itself; a plural counts too.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    text.match_indices(word)
        .find(|(start, _)| {
            let before = start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
            let after = text.as_bytes().get(start + word.len());
            !before.is_some_and(|byte| is_part(*byte)) && !after.is_some_and(|byte| is_part(*byte))
        })
        .map(|(start, _)| start)
}

/// "인증 실패" for AuthenticationFailed: every word of the name is said, one after the other.
fn translated(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    static WORDS: LazyLock<Vec<(Regex, &[&str])>> = LazyLock::new(|| {
        TRANSLATED
            .iter()
            .map(|(words, english)| {
                let english_words = english.join(r"s?\b|");
                (compile(&format!(r"^(?:{words}|(?:{english_words}s?\b))")), *english)
            })
            .collect()
    });
    static ANY: LazyLock<Regex> = LazyLock::new(|| {
        let all: Vec<String> =
            TRANSLATED.iter().map(|(words, english)| format!("{words}|{}", english.join("|"))).collect();
        compile(&format!("^(?:{})", all.join("|")))
    });
    let mut starts: Vec<usize> = scan.rest.char_indices().map(|(at, _)| at).collect();
    starts.retain(|at| {
        let before = scan.rest.get(..*at).and_then(|text| text.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric()) && ANY.is_match(&scan.rest[*at..])
    });
    let app = scan.said(re!(r"모바일|안드로이드|아이폰|\bmobile\b|\bandroid\b|\bios\b"));
    // "실패한 로그인": said the other way round.
    if let Some(found) = scan.find(re!(r"(?:^|\s)(?:실패(?:한|된)|\bfailed)\s+([가-힣]+|[a-z]+)")) {
        let noun = found.end - found.get(1).len();
        let said = WORDS
            .iter()
            .find_map(|(word, english)| word.find(found.get(1)).map(|place| (noun + place.end(), *english)));
        if let Some((end, english)) = said
            && let Some((field, value)) =
                meant(&[english, &["failed", "failure", "fail"]], "", false, app, vocabulary)
            && reading.query.filter("status_code").is_none()
        {
            scan.blank(found.start, end);
            reading.subject = true;
            reading.add(field, &value, false);
        }
    }
    for start in starts {
        // The longest run of known words from here.
        let (mut at, mut said) = (start, Vec::<(usize, &[&str])>::new());
        while let Some(rest) = scan.rest.get(at..) {
            let Some((length, english)) =
                WORDS.iter().find_map(|(word, english)| word.find(rest).map(|found| (found.end(), *english)))
            else {
                break;
            };
            at += length;
            said.push((at, english));
            at += scan.rest.get(at..).map_or(0, |rest| rest.len() - rest.trim_start().len());
        }
        while let Some((end, _)) = said.last().copied() {
            let english: Vec<&[&str]> = said.iter().map(|(_, english)| *english).collect();
            let followed = scan.rest.get(end..).unwrap_or_default().trim_start();
            if let Some((field, value)) =
                meant(&english, followed, scan.rest[start..].is_char_boundary(1), app, vocabulary)
            {
                // "로그인 실패(401)": the code says which failures are meant.
                let coded = reading.query.filter("status_code").is_some() && field.name() == "error_type";
                if !coded {
                    let marked = re!(
                        r"^\s*(?:에러|오류|예외|경로|엔드포인트|페이지|화면|기기|디바이스|브라우저|api\b)"
                    );
                    let tail =
                        marked.find(scan.rest.get(end..).unwrap_or_default()).map_or(0, |found| found.end());
                    let tail = if field.name() == "error_type" { 0 } else { tail };
                    scan.blank(start, end + tail);
                    let without = negated(scan, start, end + tail);
                    reading.add(field, &value, without);
                    break;
                }
            }
            said.pop();
        }
    }
}

/// The one value whose words these are.
fn meant(
    said: &[&[&str]],
    followed: &str,
    ascii: bool,
    app: bool,
    vocabulary: &Vocabulary,
) -> Option<(Field, String)> {
    let types = vocabulary.values("error_type").iter().filter(|value| {
        let mut words = camel(value);
        let bare: Vec<String> =
            words.iter().filter(|word| !matches!(word.as_str(), "error" | "exception")).cloned().collect();
        if bare.len() < words.len() && !bare.is_empty() {
            words = bare;
        }
        words.len() == said.len()
            // "네트워크 에러" is a type of that name.
            && (words.len() > 1 || camel(value).len() > 1 && re!(r"^(?:에러|오류|예외|errors?\b)").is_match(followed))
            && words.iter().zip(said).all(|(word, said)| said.contains(&word.as_str()))
    });
    let types: Vec<&String> = types.collect();
    if let [one] = types.as_slice() {
        return Some((Field::column("error_type"), (*one).clone()));
    }
    let [one] = said else { return None };
    let is_path = re!(r"^(?:경로|엔드포인트|페이지|화면|path\b|endpoint\b|page\b)").is_match(followed);
    // "환불 요청": those of a path of that name, if no service has it.
    let first = one.first().copied().unwrap_or_default();
    let asked_of = re!(r"^(?:요청|호출|requests?\b|calls?\b)").is_match(followed)
        && !vocabulary
            .services()
            .iter()
            .any(|service| service.split(['-', '_', '.']).any(|part| part == first));
    // An API is a service's, if one has that name.
    let of_service = || {
        vocabulary
            .services()
            .iter()
            .any(|service| service.split(['-', '_', '.']).any(|part| one.contains(&part)))
    };
    if is_path || asked_of || re!(r"^api\b").is_match(followed) && !of_service() {
        let paths = vocabulary.values("path").iter();
        let ends = |path: &&String| path.rsplit('/').next().is_some_and(|last| one.contains(&last));
        // A screen of an app is a path without a slash.
        let (with, without): (Vec<&String>, Vec<&String>) =
            paths.filter(ends).partition(|path| path.starts_with('/'));
        let screen = app && !without.is_empty() || with.is_empty();
        let mut paths = if screen { without } else { with };
        // A page is the shorter, an API the longer path of the same name.
        let page = re!(r"^(?:페이지|화면|page\b|screen\b)").is_match(followed);
        if let (true, Some(shortest)) = (page, paths.iter().map(|path| path.len()).min()) {
            paths.retain(|path| path.len() == shortest);
        }
        if let [path] = paths.as_slice() {
            return Some((Field::column("path"), (*path).clone()));
        }
    }
    if ascii {
        return None;
    }
    // "정리해줘" asks; it names nothing.
    if re!(r"^해\s*(?:줘|주|줄|봐|서|달)").is_match(followed) {
        return None;
    }
    let named = vocabulary.named_values().filter(|(field, value)| {
        let value = value.to_ascii_lowercase();
        let word = one.contains(&value.as_str());
        match field {
            Field::Meta(key) if key == "device" => {
                word && (value != "mobile"
                    || re!(r"^(?:기기|디바이스|단말|환경|브라우저|와|과|사용자)").is_match(followed))
            }
            Field::Meta(key) if key == "job" => word && re!(r"^(?:작업|잡|배치|job)").is_match(followed),
            Field::Meta(_) => word,
            Field::Column(name) => name == "action_type" && word,
        }
    });
    let named: Vec<(Field, &str)> = named.collect();
    named.first().map(|(field, value)| (field.clone(), (*value).to_owned()))
}

/// The words of a CamelCase name.
fn camel(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() || words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words
}

/// Services by their names, parts of them, and what people call them.
pub(super) fn services(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    let field = || Field::column("service");
    const KIND: &str = r"(?:\s*(?:서비스|쪽|서버|시스템|파트|모듈|팀|앱|api|\bservices?\b|\bservers?\b|\bapis?\b|\bapps?\b|\bside\b))*";
    static AFTER: LazyLock<Regex> = LazyLock::new(|| compile(&format!("^{KIND}")));
    // "All services with errors" asks for them.
    let asked_for =
        scan.has(re!(r"\ball\s+(?:of\s+the\s+)?services?\s+(?:with|that|which|whose|where|having)\b"));
    if !asked_for && scan.drop_all(re!(r"(?:전체|모든|전\s)\s*서비스(?:에서|에|의|를)?(?:\s*걸쳐)?|(?:across\s+)?\ball\s+(?:of\s+the\s+)?services?\b|서비스\s*전체|전사")) {
        reading.every_service = true;
    }
    let mut names: Vec<&String> = vocabulary.services().iter().collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        for spelled in [name.to_ascii_lowercase(), name.replace(['-', '_'], " ").to_ascii_lowercase()] {
            while let Some(start) = find_word(&scan.rest, &spelled) {
                let mut end = start + spelled.len();
                end += AFTER.find(scan.rest.get(end..).unwrap_or_default()).map_or(0, |found| found.end());
                scan.blank(start, end);
                let without = negated(scan, start, end);
                reading.add(field(), name, without);
            }
        }
    }
    static STEMS: LazyLock<Vec<(Regex, &[&str])>> = LazyLock::new(|| {
        SERVICE_STEMS
            .iter()
            .map(|(words, stems)| {
                let mut words: Vec<&str> = words.split('|').collect();
                // The longer name first: 센서 허브 before 센서.
                words.sort_by_key(|word| std::cmp::Reverse(word.len()));
                let words: Vec<String> = words
                    .into_iter()
                    .map(|word| if word.is_ascii() { format!(r"\b{word}\b") } else { word.to_owned() })
                    .collect();
                (compile(&format!(r"(?:{})({KIND})", words.join("|"))), *stems)
            })
            .collect()
    });
    for (pattern, stems) in STEMS.iter() {
        let of: Vec<&String> = vocabulary
            .services()
            .iter()
            .filter(|service| service.split(['-', '_', '.']).any(|part| stems.contains(&part)))
            .collect();
        let mut from = 0;
        while let Some(captures) = pattern.captures_at(&scan.rest.clone(), from) {
            let (Some(all), Some(kind)) = (captures.get(0), captures.get(1)) else { break };
            from = all.end();
            let kind = kind.as_str().trim();
            let before = scan.rest.get(..all.start()).and_then(|text| text.chars().next_back());
            let after = scan.rest.get(all.end()..).unwrap_or_default();
            let inside = before.is_some_and(|before| before.is_alphanumeric());
            // People and sensors are also what is counted; a phone is not its app.
            let also = stems.contains(&"user") || stems.contains(&"account");
            let counted = re!(
                r"^\s*(?:\([^)]*\)\s*)?(?:별|마다|당|수|id|아이디|기기|디바이스|단말|크기|사이즈|금액|에러\s*유형별?\s*비교)"
            )
            .is_match(after);
            let other =
                kind.is_empty() && (also || counted) || inside || stems.contains(&"mobile") && counted;
            if other || of.is_empty() {
                continue;
            }
            scan.blank(all.start(), all.end());
            match of.as_slice() {
                [one] => {
                    let without = negated(scan, all.start(), all.end());
                    reading.add(field(), one, without);
                }
                several => reading.unclear_services.extend(several.iter().map(|name| (*name).clone())),
            }
        }
    }
    if reading.query.filter("service").is_none() {
        parts(scan, vocabulary, reading);
    }
}

/// A part of a name: of one service, or of too many.
fn parts(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    let pattern = re!(
        r"\b([a-z][a-z0-9]{2,})\b(\s*(?:서비스|서버|쪽|앱|services?\b|servers?\b))?(?:들)?(?:의|에서|에)?"
    );
    let mut from = 0;
    while let Some(captures) = pattern.captures_at(&scan.rest.clone(), from) {
        let (Some(all), Some(word)) = (captures.get(0), captures.get(1)) else { break };
        from = all.end();
        let holding: Vec<&String> = vocabulary
            .services()
            .iter()
            .filter(|service| {
                service.to_ascii_lowercase().split(['-', '_', '.']).any(|part| part == word.as_str())
            })
            .collect();
        // People and sensors are also what is counted.
        let also = re!(r"^(?:users?|sensors?|mobile)$").is_match(word.as_str());
        match holding.as_slice() {
            [] => {}
            _ if also && captures.get(2).is_none() => {}
            [one] => {
                scan.blank(all.start(), all.end());
                let without = negated(scan, all.start(), all.end());
                reading.add(Field::column("service"), one, without);
            }
            several if captures.get(2).is_some() => {
                scan.blank(all.start(), all.end());
                reading.unclear_services.extend(several.iter().map(|name| (*name).clone()));
            }
            _ => {}
        }
    }
}

/// Environments and kinds of programs.
pub(super) fn places(scan: &mut Scan, reading: &mut Reading) {
    for (start, end, value) in lexicon::environment(scan) {
        let without = negated(scan, start, end);
        reading.add(Field::column("environment"), &value, without);
    }
    let kinds = [
        ("BACKEND", re!(r"백\s*엔드|\bback-?end\b|서버\s*사이드|server-side")),
        ("FRONTEND", re!(r"프[론런]트\s*엔드|\bfront-?end\b|클라이언트\s*사이드|client-side")),
        ("MOBILE", re!(r"모바일\s*(?:로그|타입|에러|오류)|\bmobile\s+(?:logs?|type)")),
        ("IOT", re!(r"\biot\b|사물\s*인터넷")),
        ("WORKER", re!(r"\bworker\s+(?:logs?|type)|워커\s*(?:로그|타입)")),
    ];
    for (value, pattern) in kinds {
        while let Some(found) = scan.take(pattern) {
            let without = negated(scan, found.start, found.end);
            reading.add(Field::column("log_type"), value, without);
        }
    }
}

/// A level's name.
const LEVEL: &str = r"(에러|오류|경고|워닝|치명적|치명|심각|인포|디버그|\berrors?\b|\berr\b|\bwarn(?:ing)?s?\b|\bfatals?\b|\bcritical\b|\binfos?\b|\bdebug\b|\btrace\b)";

/// "WARN 이상": levels by their order. Before the word 레벨 is read as something else.
pub(super) fn ranks(scan: &mut Scan, reading: &mut Reading) {
    let field = || Field::column("level");
    static RANK: LazyLock<Regex> = LazyLock::new(|| {
        compile(&format!(
            r"(?:(?:\b(?:of|at|with)\s+)?(?:\b(?:log\s+)?levels?\b|\bseverity\b|(?:로그\s*)?(?:레벨|심각도|등급)(?:이|가|은|는)?)\s*)?{LEVEL}\s*(?:레벨|등급|수준|level)?(?:이거나|과)?\s*(이상|이하|초과|미만|(?:을|를|은|는)?\s*넘는|보다\s*(?:높은|심각한|위)|(?:or|and)\s+(?:above|higher|worse|up|more\s+severe)|\+|(?:or|and)\s+(?:below|lower))(?:의|인|만)?(?:\s*(?:레벨|등급))?"
        ))
    });
    static AT_LEAST: LazyLock<Regex> =
        LazyLock::new(|| compile(&format!(r"\bat\s+least\s+(?:level\s+)?{LEVEL}")));
    while let Some(found) = scan.take(&RANK) {
        let Some(level) = lexicon::level(found.get(1)) else { continue };
        let op = match found.get(2) {
            "초과" => Op::More,
            "미만" => Op::Less,
            "이하" => Op::AtMost,
            word if word.ends_with("넘는") => Op::More,
            word if word.starts_with("보다") => Op::More,
            word if word.contains("below") || word.contains("lower") => Op::AtMost,
            _ => Op::AtLeast,
        };
        reading.subject = true;
        reading.push(field(), Test::Rank(op, level.into()));
    }
    while let Some(found) = scan.take(&AT_LEAST) {
        let Some(level) = lexicon::level(found.get(1)) else { continue };
        reading.subject = true;
        reading.push(field(), Test::Rank(Op::AtLeast, level.into()));
    }
}

/// How grave.
pub(super) fn levels(scan: &mut Scan, reading: &mut Reading) {
    let field = || Field::column("level");
    static WORD: LazyLock<Regex> =
        LazyLock::new(|| compile(&format!(r"{LEVEL}(?:\s*(?:레벨|등급|level)(?:의|인)?)?(?:들)?")));
    // "치명적 오류" is one level, not two.
    while let Some(found) =
        scan.take(re!(r"(?:치명적인|치명적|치명|심각한|\bfatal|\bcritical)\s*(?:에러|오류|errors?\b)"))
    {
        let without = negated(scan, found.start, found.end);
        reading.subject = true;
        reading.add(field(), "FATAL", without);
    }
    while let Some(found) = scan.take(&WORD) {
        let Some(level) = lexicon::level(found.get(1)) else { continue };
        let without = negated(scan, found.start, found.end);
        reading.subject = true;
        reading.add(field(), level, without);
    }
    // What failed is an error, unless a type or a code says it better.
    if scan.drop_all(re!(r"실패(?:한|된|했던|했[가-힣]*)?|\bfail(?:ed|ures?|ing|s)?\b")) {
        reading.subject = true;
        let named =
            ["level", "error_type", "status_code"].iter().any(|name| reading.query.filter(name).is_some());
        if !named {
            reading.add(field(), "ERROR", false);
        }
    }
}

/// What the cache did, and other yes-or-no keys.
pub(super) fn flags(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    if vocabulary.has_key("cache_hit")
        && let Some(found) = scan.take(re!(
            r"캐시\s*(?:(미스|실패)|(?:히트|적중))(?:된|난|한)?|\bcache\s*(?:(miss)(?:es)?|hits?)\b"
        ))
    {
        let value = if found.has(1) || found.has(2) { "false" } else { "true" };
        reading.subject = true;
        reading.add(Field::Meta("cache_hit".into()), value, false);
    }
}
