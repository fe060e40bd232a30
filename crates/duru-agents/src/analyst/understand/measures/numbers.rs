//! Numbers that a line has: how long it took, and others with a unit or a name.

use std::sync::LazyLock;

use regex::Regex;

use super::bounds::{OVER, THAN, op};
use super::stats::stat;
use crate::analyst::understand::lexicon::{self, NUMBERS};
use crate::analyst::understand::query::{Field, Having, Measure, Op, Test, Than};
use crate::analyst::understand::reading::Reading;
use crate::analyst::understand::scan::{Scan, compile, re};
use crate::analyst::understand::vocabulary::Vocabulary;

/// Numbers with a unit of time, a comparison and maybe a statistic before them.
pub(in crate::analyst::understand) fn durations(
    scan: &mut Scan,
    vocabulary: &Vocabulary,
    reading: &mut Reading,
) {
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
