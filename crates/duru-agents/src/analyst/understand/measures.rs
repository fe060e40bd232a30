//! What is asked of the lines: counts, rates, statistics, first and last.

use std::sync::LazyLock;

use regex::Regex;

use super::lexicon::{self, NUMBERS};
use super::query::{By, Field, Filter, Group, Having, Measure, Op, Order, Stat, Test, Than};
use super::reading::Reading;
use super::scan::{Scan, compile, re};
use super::vocabulary::Vocabulary;

/// "More than", before or after the number.
const OVER: &str = r"(no\s+(?:fewer|less)\s+than|(?:a\s+)?minimum\s+of|no\s+more\s+than|(?:a\s+)?maximum\s+of|more\s+than|over|above|beyond|exceed(?:s|ing|ed)?|greater\s+than|longer\s+than|slower\s+than|higher\s+than|at\s+least|fewer\s+than|less\s+than|under|below|faster\s+than|quicker\s+than|shorter\s+than|lower\s+than|at\s+most|최소한?|적어도|못해도|>=|<=|>|<)?";
const THAN: &str = r"(?:(?:를|을|가|이|보다)?\s*(?:도\s*)?(이상|초과|넘[는은어게긴기]?(?:고|서|었)?|웃도는|상회(?:하는|한)?|밑도는|하회(?:하는|한)?|못\s*(?:미치는|되는)|더\s*(?:오래|많|걸)|보다\s*(?:더\s*)?(?:느린|느렸던|오래|많은|많이|많았던|큰|높은|긴)|보다\s*(?:더\s*)?(?:빠른|빨랐던|적은|적게|적었던|작은|낮은|짧은|덜)|보다|이하|미만|안\s*되는|or\s+(?:more|longer|higher|above)|\+|오래\s*걸))?";

fn op(before: &str, after: &str) -> Option<Op> {
    let before: String = before.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(match before.as_str() {
        // "최소 10건 초과": what follows says it better.
        "최소" | "최소한" | "적어도" | "못해도" if !after.is_empty() => return op("", after),
        "at least" | ">=" | "no fewer than" | "no less than" | "a minimum of" | "minimum of" | "최소"
        | "최소한" | "적어도" | "못해도" => Op::AtLeast,
        "at most" | "no more than" | "<=" | "a maximum of" | "maximum of" => Op::AtMost,
        "fewer than" | "less than" | "under" | "below" | "faster than" | "quicker than" | "shorter than"
        | "lower than" | "<" => Op::Less,
        "" => match after {
            "" => return None,
            "이상" => Op::AtLeast,
            "이하" => Op::AtMost,
            "미만" => Op::Less,
            word if word.ends_with("fewer") || word.ends_with("less") => Op::AtMost,
            word if word.starts_with("or") || word == "+" => Op::AtLeast,
            word if word.starts_with('안') || word.starts_with('못') => Op::Less,
            word if re!(r"밑도|하회|빠른|빨랐|적[은게었]|작은|낮은|짧은|덜").is_match(word) => {
                Op::Less
            }
            _ => Op::More,
        },
        _ => Op::More,
    })
}

/// "에러율", "error rate above 5 %", "캐시 적중률".
pub(super) fn rates(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    static RATE: LazyLock<Regex> = LazyLock::new(|| {
        compile(&format!(
            r"(?:(에러|오류|실패|장애|경고|치명(?:적)?(?:\s*에러|\s*오류)?|\berrors?\b|\bfailures?\b|\bwarn(?:ing)?s?\b|\bfatals?\b)\s*(?:로그\s*)?(?:발생\s*)?(?:율|률|비율|비중|퍼센트|퍼센티지|\brates?\b|\bratios?\b|\bpercent(?:age)?\b)|(?:percent(?:age)?|proportion|fraction|ratio|rate)\s+of\s+(?:the\s+)?(?:all\s+)?(?:(?:logs?|requests?|lines?)\s+(?:that\s+)?(?:are|were|is|being|with)\s+)?(errors?|warnings?|failures?|fatals?)\b)(?:\s*\(%\))?(?:이|가|은|는|\s+is|\s+was)?\s*{OVER}\s*(?:(\d+(?:\.\d+)?)\s*(?:%|퍼센트|프로|percent){THAN})?"
        ))
    });
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

/// Numbers with a unit of time, a comparison and maybe a statistic before them.
pub(super) fn durations(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        let fields: Vec<&str> = NUMBERS.iter().map(|(_, words)| *words).collect();
        let fields = fields.join("|");
        compile(&format!(
            r"(?:(평균|\baverage\b|\bmean\b|\bavg\b|\bp\d\d\b|최대|\bmax(?:imum)?\b|중앙값|\bmedian\b)\s*)?(?:({fields})(?:이|가|은|는|의|\s+is|\s+was|\s+of)?\s*)?(?:(평균|중앙값|중간값|중위값|최댓값|최대값?|최솟값|최소값?|\bp\d\d\b)(?:이|가|은|는)?\s*)?(?:\btook\s+|\btaking\s+|\btakes\s+)?{OVER}\s*(\d+(?:\.\d+)?)\s*(ms\b|밀리초|초|s\b|secs?\b|seconds?\b|milliseconds?\b|분|minutes?\b){THAN}(?:\s*(?:걸린|걸리는|소요된|인|의))?"
        ))
    });
    // A number without a unit, of something that has one of its own: "금액이 10만원 이상".
    static PLAIN: LazyLock<Regex> = LazyLock::new(|| {
        let fields: Vec<&str> = NUMBERS.iter().map(|(_, words)| *words).collect();
        let fields = fields.join("|");
        compile(&format!(
            r"(?:(평균|\baverage\b|\bmean\b|\bavg\b|\bp\d\d\b|최대|\bmax(?:imum)?\b|중앙값|\bmedian\b)\s*)?({fields})(?:이|가|은|는|의|\s+is|\s+was|\s+of)?\s*{OVER}\s*(\d[\d,]*(?:\.\d+)?)\s*(천|만|억)?\s*(?:원|도|℃|won\b|krw\b|degrees?\b)?{THAN}(?:인|의)?"
        ))
    });
    static BETWEEN: LazyLock<Regex> = LazyLock::new(|| {
        let fields: Vec<&str> = NUMBERS.iter().map(|(_, words)| *words).collect();
        let fields = fields.join("|");
        const UNIT: &str = r"(ms\b|밀리초|초|s\b|secs?\b|seconds?\b|milliseconds?\b)";
        const FIGURE: &str = r"(\d+(?:\.\d+)?)";
        compile(&format!(
            r"(?:({fields})(?:이|가|은|는|의|\s+is|\s+was|\s+of)?\s*)?(?:\b(?:took|taking|takes)\s+)?(?:\bbetween\s+|\bfrom\s+)?{FIGURE}\s*{UNIT}?\s*(?:에서|부터|이상|~|-|–|와|과|\band\b|\bto\b)\s*{FIGURE}\s*{UNIT}\s*(?:사이|까지|이하|미만)?(?:에|의|로|인|가|이)?(?:\s*(?:걸린|걸리는|소요된))?"
        ))
    });
    let milliseconds = |unit: &str| match unit {
        "ms" | "밀리초" | "millisecond" | "milliseconds" => 1.0,
        _ => 1_000.0,
    };
    while let Some(found) = scan.take(&BETWEEN) {
        let (Ok(least), Ok(most)) = (found.get(2).parse::<f64>(), found.get(4).parse::<f64>()) else {
            continue;
        };
        let field = number_field(found.get(1), vocabulary);
        let first = if found.has(3) { found.get(3) } else { found.get(5) };
        let below = if found.get(0).contains("미만") { Op::Less } else { Op::AtMost };
        reading.subject = true;
        reading.push(field.clone(), Test::Number(Op::AtLeast, least * milliseconds(first)));
        reading.push(field, Test::Number(below, most * milliseconds(found.get(5))));
    }
    static MONEY: LazyLock<Regex> = LazyLock::new(|| {
        let fields: Vec<&str> = NUMBERS.iter().map(|(_, words)| *words).collect();
        let fields = fields.join("|");
        const FIGURE: &str = r"(\d[\d,]*(?:\.\d+)?)\s*(천|만|억)?\s*(?:원|도|℃)?";
        compile(&format!(
            r"({fields})(?:이|가|은|는|의|\s+is|\s+of)?\s*(?:\bbetween\s+)?{FIGURE}\s*(?:에서|부터|이상|~|-|–|\band\b|\bto\b)\s*{FIGURE}\s*(사이|까지|이하|미만)?(?:에|의|로|인)?"
        ))
    });
    while let Some(found) = scan.take(&MONEY) {
        let number = |figure: usize| -> Option<f64> {
            let number: f64 = found.get(figure).replace(',', "").parse().ok()?;
            Some(number * thousands(found.get(figure + 1)))
        };
        let (Some(least), Some(most)) = (number(2), number(4)) else { continue };
        let field = number_field(found.get(1), vocabulary);
        reading.subject = true;
        reading.push(field.clone(), Test::Number(Op::AtLeast, least));
        let below = if found.get(6) == "미만" { Op::Less } else { Op::AtMost };
        reading.push(field, Test::Number(below, most));
    }
    let mut from = 0;
    while let Some(captures) = PATTERN.captures_at(&scan.rest.clone(), from) {
        let Some(all) = captures.get(0) else { break };
        from = all.end();
        let get = |group: usize| captures.get(group).map(|found| found.as_str()).unwrap_or_default();
        let Some(op) = op(get(4), get(7)) else { continue };
        let minutes = matches!(get(6), "분" | "minute" | "minutes");
        // Bare minutes are time, unless something took them.
        if minutes && get(2).is_empty() && !re!(r"걸|소요|took|taking|slower|longer").is_match(&scan.rest)
        {
            continue;
        }
        let factor = if minutes { 60_000.0 } else { milliseconds(get(6)) };
        let Ok(number) = get(5).parse::<f64>() else { continue };
        let field = number_field(get(2), vocabulary);
        let stat = stat([get(1), get(3)].into_iter().find(|word| !word.is_empty()).unwrap_or_default());
        scan.blank(all.start(), all.end());
        reading.subject = true;
        match stat {
            Some(stat) => {
                let measure = Measure::Stat(stat, field);
                reading.measure(measure.clone());
                reading.having(Having { measure, op, than: Than::Number(number * factor) });
            }
            None => reading.push(field, Test::Number(op, number * factor)),
        }
    }
    let mut from = 0;
    while let Some(found) = scan.find_from(&PLAIN, from) {
        from = found.end;
        let (Some(op), Ok(number)) =
            (op(found.get(3), found.get(6)), found.get(4).replace(',', "").parse::<f64>())
        else {
            continue;
        };
        let number = number * thousands(found.get(5));
        let field = number_field(found.get(2), vocabulary);
        scan.blank(found.start, found.end);
        reading.subject = true;
        match stat(found.get(1)) {
            Some(stat) => {
                let measure = Measure::Stat(stat, field);
                reading.measure(measure.clone());
                reading.having(Having { measure, op, than: Than::Number(number) });
            }
            None => reading.push(field, Test::Number(op, number)),
        }
    }
}

fn thousands(word: &str) -> f64 {
    match word {
        "천" => 1e3,
        "만" => 1e4,
        "억" => 1e8,
        _ => 1.0,
    }
}

fn number_field(words: &str, vocabulary: &Vocabulary) -> Field {
    let mut scan = Scan::new(words);
    lexicon::take_number_field(&mut scan, vocabulary).unwrap_or_else(|| Field::column("duration_ms"))
}

fn stat(word: &str) -> Option<Stat> {
    Some(match word {
        "평균" | "average" | "mean" | "avg" | "averages" => Stat::Average,
        "최대" | "최댓값" | "최대값" | "최고" | "max" | "maximum" | "longest" => Stat::Maximum,
        "최소" | "최솟값" | "최소값" | "min" | "minimum" | "shortest" => Stat::Minimum,
        "합계" | "총합" | "합" | "총" | "sum" | "total" => Stat::Sum,
        "표준편차" | "표준 편차" | "standard deviation" | "stddev" | "std" => Stat::Deviation,
        "중앙값" | "중간값" | "중위값" | "중위수" | "median" => Stat::Percentile(0.5),
        word => {
            let digits = word.trim_start_matches('p').trim_end_matches("th").trim();
            let part: f64 = digits.parse().ok()?;
            if !(0.0..100.0).contains(&part) {
                return None;
            }
            Stat::Percentile((part * 10.0).round() / 1000.0)
        }
    })
}

/// Averages, percentiles and the like.
pub(super) fn stats(scan: &mut Scan, vocabulary: &Vocabulary, reading: &mut Reading) {
    let per_value = re!(
        r"(?:평균|\baverage\b|\bmean\b|\bavg\b)\s*(?:number\s+of\s+|count\s+of\s+)?(?:로그|요청|에러|오류|경고|logs?|requests?|errors?|warnings?|events?)\s*(?:의\s*)?(?:수|개수|건수|횟수|count|lines?)?\s*(?:per\b)?"
    );
    let counted_average = scan.find(per_value).filter(|found| {
        found.get(0).contains('수') || found.get(0).contains("per") || found.get(0).contains("number")
    });
    // "하루 평균 몇 건", "how many a day on average".
    let counted_average = counted_average.or_else(|| {
        let how_many = scan.has(re!(
            r"몇\s*(?:건|번|개|회|줄)|건\s*수|(?:^|\s)수(?:\s|$|[?는를가은])|\bhow\s+many\b|\bnumber\s+of\b"
        ));
        let stretch = reading.query.groups.iter().any(Group::is_time);
        let average = scan.find(re!(r"평균(?:적으로)?|\bon\s+average\b|\baverages?\b"))?;
        (how_many && stretch).then_some(average)
    });
    let mut said: Vec<(usize, Stat)> = Vec::new();
    let mut field = lexicon::take_number_field(scan, vocabulary);
    let summed = field.as_ref().is_some_and(|field| matches!(field, Field::Meta(_)));
    while let Some(found) = scan.take(re!(
        r"\bp\s?(\d{2}(?:\.\d+)?)\b|\b(\d{2}(?:\.\d+)?)(?:th|st|nd|rd)?\s*[- ]?(?:번째\s*)?(?:percentiles?|백분위수?|퍼센타일|분위수?)|(?:percentile|백분위수?|퍼센타일)\s*(\d{2})|(중앙값|중간값|중위(?:값|수)?|\bmedian\b)|(평균(?:값|적(?:인|으로)?)?|\baverages?\b|\bmean\b|\bavg\b)|(표준\s*편차|\bstandard\s+deviations?\b|\bstddev\b|\bstd\s*dev\b)"
    )) {
        let number = [found.get(1), found.get(2), found.get(3)].concat();
        let word = if !number.is_empty() {
            number
        } else if found.has(4) {
            "median".into()
        } else if found.has(5) {
            "mean".into()
        } else {
            "stddev".into()
        };
        if let Some(stat) = stat(&word) {
            said.push((found.start, stat));
        }
    }
    if counted_average.is_some() && field.is_none() {
        // Of lines, not of a number: how many for each value; the groups say of what.
        reading.counted = true;
        reading.averaged = true;
        return;
    }
    if field.is_some() || !said.is_empty() {
        while let Some(found) = scan.take(re!(
            r"(최장|최댓값|최대값?|최대치|최고(?:값|치)?|\bmax(?:imum)?\b|\blongest\b|\bworst\b)|(최단|최솟값|최소값?|최소치|최저(?:값|치)?|\bmin(?:imum)?\b|\bshortest\b|\bfastest\b)"
        )) {
            said.push((found.start, if found.has(1) { Stat::Maximum } else { Stat::Minimum }));
        }
    }
    if field.is_some()
        && !summed
        && let Some(found) = scan.take(re!(r"합계|총합|합산|합(?:은|을|이|[\s?.,]|$)|\bsum\b"))
    {
        said.push((found.start, Stat::Sum));
    }
    if summed && let Some(found) = scan.take(re!(r"합계|총합|총액|총|합산|합|\bsum\b|\btotal\b")) {
        said.push((found.start, Stat::Sum));
    }
    if said.is_empty() {
        if let Some(field) = field.take() {
            // "응답시간이 가장 긴", "느린": by this number; alone, its average.
            reading.slowest |= reading.superlative
                || scan.has(re!(r"가장|제일|느린|오래|긴|높은|\bhighest\b|\blargest\b|\bslow"));
            let stat = if scan.has(re!(r"분포|\bdistribution\b")) { None } else { Some(Stat::Average) };
            if let Some(stat) = stat {
                reading.measure_of = Some((stat, field));
            }
        }
        return;
    }
    let mut field = field.unwrap_or_else(|| Field::column("duration_ms"));
    // The time of an external service is not that of the whole request.
    let external = reading.query.filter("external_api").is_some()
        || scan.has(re!(r"외부\s*(?:api|연동|서비스)|\bexternal[\s_]*(?:api|service|provider)"));
    if external && field == Field::column("duration_ms") && vocabulary.has_key("external_ms") {
        field = Field::Meta("external_ms".into());
    }
    said.sort_by_key(|(start, _)| *start);
    for (_, stat) in said {
        reading.measure(Measure::Stat(stat, field.clone()));
    }
}

/// How many times something must have happened.
pub(super) fn thresholds(scan: &mut Scan, reading: &mut Reading) {
    static DIMENSION: LazyLock<Vec<(Field, Regex)>> = LazyLock::new(|| {
        let (mut all, mut last) = (Vec::new(), Vec::new());
        for dimension in lexicon::DIMENSIONS {
            if dimension.words == r"\bapis?\b" {
                continue;
            }
            let words = dimension.words;
            let field = (dimension.field)();
            // After all others: "같은 IP에서 5명 이상의 사용자" counts users.
            last.push((field.clone(), compile(&format!(
                r"(?:{words})(?:들)?(?:가|이|을|를|은|는|에서)?\s*(?:최소\s*|적어도\s*)?()({{N}})\s*(?:가지|종류|개|명|곳|군데|대|종)?\s*(?:를|을|가|이)?\s*(이상|넘[는은게어]?|초과|이하|미만)(?:의|을|를|에서|에)?"
            ))));
            all.push((field.clone(), compile(&format!(
                r"()({{N}})\s*(?:가지|종류|개|명|곳|군데|대|종)?\s*(이상|넘는|초과|이하|미만)(?:의)?\s*(?:서로\s*)?(?:다른\s*|고유한?\s*)?(?:{words})(?:들)?(?:에서|을|를|에|가|이)?"
            ))));
            all.push((field, compile(&format!(
                r"(more\s+than|at\s+least|over|fewer\s+than|less\s+than|at\s+most)\s+({{N}})\s+(?:(?:different|distinct|unique|separate)\s+)?(?:{words})()"
            ))));
        }
        all.extend(last);
        all
    });
    // Most questions have no threshold, and the patterns are many.
    if !scan.has(re!(r"이상|넘|초과|이하|미만|\b(?:more|fewer|less)\s+than\b|\bat\s+(?:least|most)\b|\bover\b|\babove\b|\bunder\b|\bbelow\b|\bexceed|반복|\brepeat|[<>]|\bor\s+more\b|최소|적어도|못해도|보다|웃도|상회|밑도|하회|\bminimum\b|\bmaximum\b|\bno\s+(?:fewer|less|more)\s+than\b")) {
        return;
    }
    for (field, pattern) in DIMENSION.iter() {
        while let Some(found) = scan.take(pattern) {
            if let (Some(number), Some(op)) = (found.number(2), op(found.get(1), found.get(3))) {
                if found.get(0).contains("에러") || found.get(0).contains("error") {
                    reading.error_said = true;
                }
                reading.distinct_having.push((field.clone(), op, f64::from(number)));
            }
        }
    }
    static COUNT: LazyLock<Regex> = LazyLock::new(|| {
        compile(&format!(
            r"{OVER}\s*({{N}})\s*(?:건|개|번|회|줄|차례|\btimes?\b|\boccurrences?\b|\bhits?\b|\blines?\b|(?P<what>\berrors?\b|\blogs?\b|\brequests?\b|\bcalls?\b|\bwarnings?\b|\bevents?\b|\bfailures?\b))\s*{THAN}(?:인|의|으로|씩|한|난|나온|발생한)?"
        ))
    });
    while let Some(found) = scan.take(re!(
        r"({N})\s*(or\s+more|or\s+fewer|or\s+less|\+)\s+(errors?|logs?|requests?|calls?|warnings?|events?|failures?|times|lines?)\b"
    )) {
        let (Some(op), Some(number)) = (op("", found.get(2)), found.number(1)) else { continue };
        reading.subject = true;
        if let Some(level) = lexicon::level(found.get(3)) {
            reading.add(Field::column("level"), level, false);
        }
        reading.having(Having { measure: Measure::Count, op, than: Than::Number(f64::from(number)) });
    }
    let mut from = 0;
    while let Some(captures) = COUNT.captures_at(&scan.rest.clone(), from) {
        let Some(all) = captures.get(0) else { break };
        from = all.end();
        let get = |group: usize| captures.get(group).map(|found| found.as_str()).unwrap_or_default();
        let Some(op) = op(get(1), get(4)) else { continue };
        let Some(number) = super::scan::number(get(2)) else { continue };
        scan.blank(all.start(), all.end());
        if let Some(what) = captures.name("what") {
            reading.subject = true;
            if let Some(level) = lexicon::level(what.as_str()) {
                reading.add(Field::column("level"), level, false);
            }
        }
        reading.having(Having { measure: Measure::Count, op, than: Than::Number(f64::from(number)) });
    }
    if scan.drop_all(re!(r"(?:두|2)\s*번\s*이상\s*반복|반복(?:해서|적으로|된)|\brepeated(?:ly)?\b"))
        && reading.query.having.is_empty()
    {
        reading.having(Having { measure: Measure::Count, op: Op::AtLeast, than: Than::Number(2.0) });
    }
}

/// How many, and which end first.
pub(super) fn limits(scan: &mut Scan, reading: &mut Reading) {
    // "유형당 1위": the group's word stays, it is read as a group.
    if let Some(found) = scan.find(re!(
        r"(?:당|마다|별로?|\beach\b.{0,20}?|\bper\b.{0,20}?)\s*((?:상위\s*|가장\s*(?:많은|많이\s*나는|잦은)\s*|최다\s*|대표\s*|\btop\s*)({N})\s*(?:위|개|건|등|가지)?(?:씩|만)?|({N})\s*위)"
    )) {
        reading.query.best_each = found.number(2).or_else(|| found.number(3));
        reading.superlative = true;
        scan.blank(found.end - found.get(1).len(), found.end);
    }
    if let Some(found) = scan.take(re!(
        r"(?:가장\s*)?(?:최근|최신|마지막|끝)(?:순(?:으로)?)?(?:\s*(?:것|거))?\s*({N})\s*(?:건|개|줄|라인)(?:의|만|씩)?|({N})\s*(?:most\s+recent|latest|newest|last)\b|\b(?:latest|newest|most\s+recent|last)\s+({N})\b\s*(minutes?|hours?|days?|weeks?|months?|mins?|hrs?|h\b|d\b)?"
    )) {
        let number = [found.get(1), found.get(2), found.get(3)].concat();
        if found.has(4) {
            // "Last 24 hours" is time, not a number of lines.
            scan.rest.replace_range(found.start..found.end, found.get(0));
        } else {
            reading.query.limit = super::scan::number(&number);
            reading.rows = true;
            reading.newest = true;
        }
    }
    // "최근 결제 에러 10건": the newest ten; what is between is read in its turn.
    if reading.query.limit.is_none()
        && let Some(found) = scan.find(re!(
            r"(최근|최신)\s+(?:[가-힣a-z-]+\s+){1,3}?((?:{N})\s*(?:건|개|줄)(?:만|의)?)(?:\s|$|[,.?])"
        ))
        && !re!(r"별|마다|가장|제일|많|시간|\d")
            .is_match(&found.get(0)[found.get(1).len()..found.get(0).len() - found.get(2).len()])
        && let Some(number) = re!(r"^({N})").find(found.get(2))
    {
        reading.query.limit = super::scan::number(number.as_str());
        (reading.rows, reading.newest) = (true, true);
        scan.blank(found.start, found.start + found.get(1).len());
        let at = found.start + found.get(0).rfind(found.get(2)).unwrap_or_default();
        scan.blank(at, at + found.get(2).len());
    }
    // "5 slowest paths": the adjective is read in its turn.
    if reading.query.limit.is_none()
        && let Some(found) = scan.find(re!(
            r"\b({N})\s+(?:slowest|longest|fastest|shortest|highest|lowest|worst|largest|biggest|busiest|noisiest|most\s+(?:frequent|common|active))\b"
        ))
    {
        reading.query.limit = found.number(1);
        reading.superlative = true;
        scan.blank(found.start, found.start + found.get(1).len());
    }
    if reading.query.limit.is_none()
        && let Some(found) = scan.take(re!(
            r"(?:상위|하위|탑|톱|\btop\b|\bfirst\b|\bbottom\b)[\s-]*({N})\s*(?:개|건|곳|명|위|가지|군데|종|줄|등)?(?:의|만|씩|까지)?|(?:딱\s*)?({N})\s*(?:개|건|곳|명|가지|군데|줄|위|종류)(?:의|만|씩|까지)?|(?:^\s*|\b(?:the|which|what|show|list|me|give|find|get|name|pick|return|display|our|these|those)\s+)({N})\s+(most|slowest|longest|highest|worst|largest|busiest|noisiest|[a-z]+s)\b|\b(?:slowest|longest|fastest|worst|busiest)\s+({N})\b|\blimit(?:ed)?\s+(?:it\s+|that\s+|them\s+|this\s+)?to\s+({N})\b|하나만|한\s*개만|1위|\bonly\s+one\b"
        ))
    {
        let number = [found.get(1), found.get(2), found.get(3), found.get(5), found.get(6)].concat();
        reading.query.limit = super::scan::number(&number).or(Some(1));
        if found.get(0).contains("하위") || found.get(0).contains("bottom") {
            reading.ascending = true;
        }
        let words = found.get(0);
        reading.slowest |= re!(r"slowest|longest").is_match(words);
        reading.superlative |= re!(r"most|slowest|longest|highest|worst|largest|상위|하위|탑|톱|top|1위|bottom").is_match(words);
        // The noun or adjective that follows is read in its turn; "the 24 hours" is time.
        if re!(r"^(?:seconds|minutes|hours|days|weeks|months|years)$").is_match(found.get(4)) {
            scan.rest.replace_range(found.start..found.end, found.get(0));
            reading.query.limit = None;
        } else if found.has(4) {
            scan.rest.replace_range(found.end - found.get(4).len()..found.end, found.get(4));
        }
    }
    // "상위 서비스 3개": the number stands apart.
    if scan.drop_all(re!(r"(?:^|\s)상위(?:권|의)?(?:\s|$)")) {
        reading.superlative = true;
    }
}

/// "가장 많은", "느린 순", "최신순".
pub(super) fn orders(scan: &mut Scan, reading: &mut Reading) {
    if let Some(found) = scan.take(re!(
        r"\b(?:from\s+)?(?:(highest|most|largest|biggest|slowest|worst)\s+to\s+(?:lowest|least|fewest|smallest|fastest|best)|(?:lowest|least|fewest|smallest|best)\s+to\s+(?:highest|most|largest|biggest|worst))\b"
    )) {
        reading.by_measure = true;
        reading.ascending = !found.has(1);
    }
    if let Some(found) = scan.take(re!(r"\b(worst|highest|most|largest|biggest|slowest|longest)\s+first\b")) {
        reading.by_measure = true;
        reading.slowest |= re!(r"slowest|longest").is_match(found.get(1));
    }
    if scan.drop_all(re!(r"(?:(?:가장|제일)\s*)?(?:오래\s*(?:걸|소요|지연)[가-힣]+|느(?:린|렸[가-힣]*|리게|려진))(?:\s*순(?:서)?(?:대로|으로)?)?|(?:가장|제일)\s*(?:긴|길[었게][가-힣]*|지연(?:된|되는))|긴\s*순(?:서)?(?:대로|으로)?|\bslowest\b|\blongest\b|\btook\s+(?:the\s+)?longest\b|\bslow\b")) {
        reading.slowest = true;
    }
    if scan.drop_all(re!(
        r"(?:가장|제일)\s*(?:빠른|빠르게|빨랐던|빨리|짧은|짧았던|짧게)|(?:빠른|짧은)\s*순(?:서)?(?:대로|으로)?|\bfastest\b|\bquickest\b"
    )) {
        reading.slowest = true;
        reading.ascending = true;
    }
    if scan.drop_all(re!(
        r"(?:가장|제일)\s*(?:적[은게었던을][가-힣]*|조금|덜|낮[가-힣]*|작[은았게][가-힣]*|드[문물][가-힣]*|한산[가-힣]*|뜸[하한했][가-힣]*|조용[가-힣]*)|최소|\bfewest\b|\b(?:lowest|smallest)(?:\s+(?:number|count|amount)\s+of)?\b|\bleast(?:\s+(?:often|frequent(?:ly)?|common(?:ly)?|active|number\s+of))?\b"
    )) {
        reading.superlative = true;
        reading.ascending = true;
    }
    if scan.drop_all(re!(r"(?:가장|제일)\s*(?:많[가-힣]*|잦[가-힣]*|자주|높[가-힣]*|흔[하한했][가-힣]*|빈번[가-힣]*|심[하한했][가-힣]*|큰|크[게고]|컸[가-힣]*|활발[가-힣]*|분주[가-힣]*|왕성[가-힣]*|바[쁜쁘빴][가-힣]*|몰[리린렸려][가-힣]*|집중[가-힣]*|붐[비빈볐][가-힣]*|두드러[가-힣]*|도드라[가-힣]*|시끄러[가-힣]*|요란[가-힣]*|폭주[가-힣]*|눈에\s*띄[가-힣]*)|최다|최고(?:[\s?.,]|로|의|$)|\bmost(?:\s+(?:often|frequent(?:ly)?|common(?:ly)?|active|of\s+the|number\s+of))?\b|\b(?:highest|largest|greatest)(?:\s+(?:number|count|amount|volume|share)\s+of)?\b|\bbusiest\b|\bworst\b|\bbiggest\b|\bnoisiest\b")) {
        reading.superlative = true;
    }
    // "마지막 로그", "the first error": one line.
    if let Some(found) = scan.find(re!(
        r"(마지막(?:으로)?|맨\s*끝)\s*(?:[가-힣]*[한된긴은]\s*)?(?:로그|에러|오류|경고|요청|기록)|(첫\s*(?:번째)?|최초(?:의|로)?|(?:맨\s*)?처음(?:으로)?)\s*(?:로그|에러|오류|경고|요청|기록)|\bthe\s+(?:very\s+)?(last)\s+(?:log|error|warning|request|line|entry)\b|\bthe\s+(?:very\s+)?(first)\s+(?:log|error|warning|request|line|entry)\b"
    )) && reading.query.measures.is_empty()
    {
        let group = (1..=4).find(|group| found.has(*group)).unwrap_or(1);
        if let Some(at) = scan.rest[found.start..].find(found.get(group)) {
            scan.blank(found.start + at, found.start + at + found.get(group).len());
        }
        reading.order(Order { by: By::Time, descending: group % 2 == 1 });
        reading.one_line = reading.query.limit.is_none();
        reading.query.limit.get_or_insert(1);
        reading.rows = true;
    }
    if scan.drop_all(re!(r"(?:많은|높은|큰|잦은|빈번한)\s*순(?:서)?(?:대로|으로)?|내림차순(?:으로)?|\b(?:in\s+)?descending(?:\s+order)?\b|\bhighest\s+first\b|\bmost\s+first\b")) {
        reading.by_measure = true;
    }
    if scan.drop_all(re!(r"(?:적은|낮은|작은|드문)\s*순(?:서)?(?:대로|으로)?|\b(?:in\s+)?ascending(?:\s+order)?\b|\blowest\s+first\b")) {
        reading.ascending = true;
        reading.by_measure = true;
    }
    if scan.drop_all(re!(r"(?:최신|최근|새로운|늦은)\s*순(?:서)?(?:대로|으로)?|(?:최신|최근)\s*것\s*부터|\b(?:newest|latest)\s+first\b|가장\s*최근(?:의|에)?|\bmost\s+recent(?:ly)?\b|\blatest\b|최신")) {
        reading.newest = true;
    }
    if scan.drop_all(re!(r"(?:^|[\s,(])시간\s*순(?:서)?(?:대로|으로)?|발생\s*순(?:서)?(?:대로|으로)?|오래된\s*(?:것\s*부터|순(?:서)?(?:대로|으로)?)|순서대로|\bin\s+(?:chronological|time)\s+order\b|\bchronological(?:ly)?\b|\bstep\s+by\s+step\b|\bin\s+order(?:[\s.,?!]|$)|\boldest\s+first\b|\bordered\s+by\s+time\b|\btimeline\b|타임라인|시계열\s*순")) {
        reading.order(Order { by: By::Time, descending: false });
        reading.rows = true;
    }
    if scan.drop_all(re!(r"\beverything\b|모든\s*(?:행동|활동|행위)|여정|행적|흐름|동선|발자취|활동(?:\s*(?:내역|기록|이력))?|(?:무엇을|뭘|무슨\s*일을?|어떤\s*(?:일을?|행동을?))\s*(?:했|겪|하고|거쳤|당했)[가-힣]*|(?:무슨|어떤)\s*일이?\s*(?:있었|일어났|생겼|벌어졌|났)[가-힣]*|\bactivit(?:y|ies)\b|\bjourney\b|\bflow\b|\bhistory\b|\bwhat\s+(?:did|has|happened\s+(?:to|in|with|during))\b|\bwalk\s+(?:me\s+)?through\b|\btrail\b|이력|어떻게\s*진행")) {
        reading.journey = true;
        reading.subject = true;
    }
}

/// First, last, how long, how long ago.
pub(super) fn moments(scan: &mut Scan, reading: &mut Reading) {
    let averaged =
        scan.said(re!(r"평균|중앙값|중위|백분위|\baverage\b|\bmean\b|\bmedian\b|\bp\d\d\b|\bpercentile"));
    let took = scan.has(re!(r"\bhow\s+long\s+did\b")) && scan.has(re!(r"\b(?:take|last|run)\b"));
    if !averaged && took {
        scan.drop_all(re!(r"\bhow\s+long\s+did\b|\b(?:take|last|run)\b(?:\s+in\s+total)?"));
        reading.measure(Measure::Span);
        return;
    }
    if !averaged && scan.drop_all(re!(r"(?:처음|시작|첫\s*(?:번째\s*)?(?:로그|요청|기록|줄|이벤트|단계))부터\s*(?:끝|마지막(?:\s*(?:로그|요청|기록|줄|이벤트|단계))?|종료)까지\s*(?:총\s*)?(?:몇\s*초|얼마나|걸린\s*시간|몇\s*분)?(?:나)?\s*(?:걸[가-힣]*)?|총\s*(?:소요\s*시간|몇\s*초\s*걸[가-힣]*|걸린\s*시간)|(?:전체|총)\s*(?:몇\s*초|소요\s*시간)[가-힣\s]*|\btotal\s+(?:duration|time)\b|\btime\s+between\s+(?:the\s+)?first\s+and\s+(?:the\s+)?last\b(?:\s+(?:log|line|entry|event)s?)?|첫\s*(?:로그|요청|기록)(?:와|과)\s*마지막\s*(?:로그|요청|기록)\s*(?:사이|간)(?:의)?\s*(?:시간|간격|차이)?|\bend[\s-]to[\s-]end\b(?:\s+(?:time|duration|latency))?|(?:지속|진행)\s*시간|얼마\s*동안\s*지속[가-힣]*|몇\s*초\s*(?:동안|걸)[가-힣]*")) {
        reading.measure(Measure::Span);
        return;
    }
    // "몇 시간 전 에러" says no time; "몇 시간 전이야" asks for it.
    let asked = scan.said(re!(r"마지막|최근|최종|지났|경과|흘렀|몇\s*(?:분|시간)\s*전(?:이|인|에\s*(?:났|발생|나왔|있었|찍|남))|\bago\b|\bsince\b|얼마나"));
    if asked && scan.drop_all(re!(r"\bhow\s+long\s+(?:has\s+it\s+been\s+)?since\b(?:\s+the)?|\bhow\s+long\s+ago\b(?:\s*\(?\s*in\s+minutes\s*\)?)?|\bminutes\s+(?:ago|since)\b|몇\s*(?:분|시간)\s*전(?:에|인지|이었는지)?|(?:마지막\s*로그\s*(?:이후|로부터)|(?:지난|경과(?:한)?)\s*(?:시간|분))\s*(?:얼마나|몇\s*분)?[가-힣\s]*(?:지났|경과|흘렀)[가-힣]*|얼마나\s*(?:오래\s*)?(?:지났|됐|되었)[가-힣]*|\btime\s+since\b")) {
        reading.measure(Measure::Age);
        scan.drop_all(re!(r"마지막(?:으로)?|\blast\b|\blatest\b|\bmost\s+recent\b|\(\s*in\s+minutes\s*\)|\bin\s+minutes\b|분\s*단위(?:로)?"));
        return;
    }
    let when = re!(
        r"언제(?:부터)?|시각|시점|시간은|일시|[한난된]\s때(?:는|가|야|인지|인가)|\bwhen\b|(?:^\s*|\bthe\s+|\bexact\s+)time\s+of\s+(?:the\s+)?(?:very\s+)?(?:last|first|latest|most|earliest)\b|\b(?:most\s+recent|latest|earliest)\s+occurr|\bwhat\s+time\b|\b(?:first|last)\s+times?\b|\btimestamps?\b|\bfirst\s+(?:seen|occurr|appear)|\blast\s+(?:seen|occurr|appear)"
    );
    if scan.has(when) {
        let first = scan.drop_all(re!(r"처음(?:으로)?|최초(?:로|의)?|첫\s*(?:번째)?|언제\s*부터|\b(?:for\s+the\s+)?first(?:\s+time)?\b|시작(?:된|했|됐)[가-힣]*"));
        let last = scan.drop_all(re!(r"마지막(?:으로)?|최종|(?:가장|제일)\s*최근(?:에|의|으로)?|최근에\s*(?:발생|난|나온|나타|본|뜬|찍|터진)[가-힣]*|\blast\b|\blatest\b|\bmost\s+recent(?:ly)?\b"));
        scan.drop_all(when);
        scan.drop_all(re!(r"\b(?:seen|occurred|occurrence|occur|appeared|appearance)\b"));
        if first || !last {
            reading.measure(Measure::First);
        }
        if last {
            reading.measure(Measure::Last);
        }
        if !first && !last {
            reading.when_only = true;
        }
    } else if scan.drop_all(re!(r"(?:최초|첫)\s*(?:발생|등장|에러|로그)\s*(?:시간|시각)?과?\s*(?:마지막|최종)\s*(?:발생|등장)?\s*(?:시간|시각)?")) {
        reading.measure(Measure::First);
        reading.measure(Measure::Last);
    }
}

/// Whether lines are counted at all, and other words about the answer's form.
pub(super) fn counts(scan: &mut Scan, reading: &mut Reading) {
    if scan.drop_all(re!(r"누적(?:된|해서|으로|치)?|\bcumulative(?:ly)?\b|\b(?:running|rolling|accumulated)\s+(?:totals?|counts?|sums?)\b"))
    {
        reading.query.cumulative = true;
        reading.counted = true;
    }
    if scan.drop_all(re!(
        r"건\s*수|개\s*수|횟\s*수|규모|발생량|로그량|요청량|호출량|트래픽|빈도|갯수|카운트|(?:총\s*|모두\s*|전부\s*)?몇\s*(?:건|개|번|회|줄|차례)(?:이나|씩|이야|이지|인지|야|나)?|얼마나\s*(?:많이|자주|나왔|났|발생)?|\bhow\s+many(?:\s+times)?\b|\bhow\s+often\b|\bnumbers?\s+of\b|\bcounts?\b|\bvolumes?\b|\btraffic\b|\btotal\b|\bfrequency\b|\btall(?:y|ies)\b|\bhow\s+much\b"
    )) {
        reading.counted = true;
    }
    if scan.drop_all(re!(r"숫자(?:만|로)|세\s*어|세\s*줘|세\s*주|집계|통계|합치면|합쳐서?|합하면|합해서?|합한|더하면|더해서?|합계|합산|총\s*합|통틀어|몇\s*(?:이나)?\s*(?:되|돼)|\bstatistics\b|\bstats\b|\baggregate\b|\bbreak\s*down\b|\bbreakdown\b|\bsummar(?:y|ize)\b|요약")) {
        reading.counted = true;
    }
    // "로그 수", "에러 수를": a number, not part of another word.
    if scan.drop_all(re!(r"(?:^|\s)수(?:는|를|가|은|도|만|의|로|와|과|랑|하고)?(?:\s|$|[?,.)])"))
    {
        reading.counted = true;
    }
    if scan.drop_all(re!(r"추이|추세|변화(?:량)?|동향|변했는지|변해\s*왔|흐름|\btrends?\b|\bover\s+time\b|\btime\s+series\b|그래프")) {
        reading.trend = true;
        reading.counted = true;
    }
    if scan
        .drop_all(re!(r"분포|\bdistributions?\b|\bdistributed\b|랭킹|순위|\branking\b|\branked\b|\brank\b"))
    {
        reading.counted = true;
        reading.spread = true;
    }
    if scan.drop_all(re!(r"비교(?:해|하|표)?|대비|비해서?|비하면|견주[가-힣]*|견줘[가-힣]*|\bagainst\b|\brelative\s+to\b|나란히|\bside\s+by\s+side\b|\bcompar(?:e|ed|ing|ison)\b|\bversus\b|\bvs\.?(?:\s|$)|차이|증감|\bchanges?\b|\bdifference\b")) {
        reading.compared = true;
    }
    // "A와 B 중 어디가 더 높아": several values side by side.
    if scan.drop_all(re!(r"중(?:에서|에)?\s*(?:어디|어느\s*(?:쪽|것|게)|어느|뭐|무엇|누가|어떤\s*(?:쪽|것|게))(?:가|이|의|에서)?|어느\s*쪽(?:이|의|에서)?")) {
        reading.compared = true;
    }
    if scan.drop_all(re!(r"각각|따로|나눠|나누어|쪼개|구분|\beach\b|\bseparately\b|\brespectively\b"))
    {
        reading.each = true;
    }
    // Whatever it is most of: the first of the groups.
    if scan.drop_all(re!(r"(?:^|\s)(?:가장|제일)(?:\s|$)")) {
        reading.superlative = true;
    }
}

/// "전체 로그 수와 에러 수": figures beside each other.
pub(super) fn side_by_side(scan: &mut Scan, reading: &mut Reading) {
    const ONE: &str = r"(?:전체\s*|총\s*)?(로그|요청|에러|오류|경고|\bfatal\b|\berror\b|\bwarn\b|\binfo\b|\bdebug\b)\s*(?:로그\s*)?(?:건\s*수|개\s*수|횟\s*수|수)";
    static PAIR: LazyLock<Regex> =
        LazyLock::new(|| compile(&format!(r"{ONE}\s*(?:와|과|및|,|그리고|랑|하고)\s*{ONE}")));
    let Some(found) = scan.take(&PAIR) else { return };
    for word in [found.get(1), found.get(2)] {
        let measure = lexicon::level(word).map(|level| Measure::CountOf(vec![Filter::is("level", level)]));
        reading.measure(measure.unwrap_or(Measure::Count));
    }
    reading.subject = true;
}
