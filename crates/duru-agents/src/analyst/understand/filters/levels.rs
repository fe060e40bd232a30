//! Levels, by name and by order.

use std::sync::LazyLock;

use regex::Regex;

use super::negation::negated;
use crate::analyst::understand::lexicon;
use crate::analyst::understand::query::{Field, Op, Test};
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{Scan, compile, re};

/// A level's name.
const LEVEL: &str = r"(에러|오류|경고|워닝|치명적|치명|심각|인포|디버그|\berrors?\b|\berr\b|\bwarn(?:ing)?s?\b|\bfatals?\b|\bcritical\b|\binfos?\b|\bdebug\b|\btrace\b)";

/// "WARN 이상": levels by their order. Before the word 레벨 is read as something else.
pub(in crate::analyst::understand) fn ranks(scan: &mut Scan, reading: &mut Reading) {
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
pub(in crate::analyst::understand) fn levels(scan: &mut Scan, reading: &mut Reading) {
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
