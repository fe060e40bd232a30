//! How many times something must have happened.

use std::sync::LazyLock;

use regex::Regex;

use super::bounds::{OVER, THAN, op};
use crate::analyst::understand::lexicon;
use crate::analyst::understand::query::{Field, Having, Measure, Op, Than};
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{self, Scan, compile, re};

/// How many times something must have happened.
pub(in crate::analyst::understand) fn thresholds(scan: &mut Scan, reading: &mut Reading) {
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
        let Some(number) = scan::number(get(2)) else { continue };
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
