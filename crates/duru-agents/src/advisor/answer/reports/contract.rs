//! What is dangerous in a contract, and what it does not say.

use crate::advisor::lang::Lang;
use crate::advisor::tools::{ContractReport, Severity};

/// So much of a clause is quoted.
const QUOTED: usize = 60;

pub(super) fn contract_lines(report: &ContractReport, lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    for risk in &report.risks {
        let (ko, en) = match risk.severity {
            Severity::Critical => ("매우 위험", "critical"),
            Severity::High => ("위험", "high"),
            Severity::Medium => ("주의", "medium"),
            Severity::Low => ("참고", "low"),
        };
        let clause = report.clauses.get(risk.clause);
        let label = clause.map(|clause| clause.label.as_str()).unwrap_or_default();
        let label = if label.is_empty() { String::new() } else { format!("{label}: ") };
        // What it is about, in the contract's own words.
        let words = clause.map(|clause| clause.text.split_whitespace().collect::<Vec<_>>().join(" "));
        let words = words.filter(|words| !words.is_empty()).map(|words| {
            let short: String = words.chars().take(QUOTED).collect();
            if short.len() < words.len() { format!(" 「{short}…」") } else { format!(" 「{short}」") }
        });
        let words = words.unwrap_or_default();
        let law = risk.law.join(", ");
        lines.push(lang.pick(
            format!("[{ko}] {label}{}{words} ({law})", risk.message),
            format!("[{en}] {label}{}{words} ({law})", risk.message_en),
        ));
    }
    if report.risks.is_empty() {
        lines.push(lang.pick(
            format!("조항 {}개에서 흔한 위험 조항을 찾지 못했습니다.", report.clauses.len()),
            format!("No common danger was found in {} clauses.", report.clauses.len()),
        ));
    }
    for (_, ko, en) in &report.unsaid {
        lines.push(lang.pick(format!("[빠짐] {ko}"), format!("[missing] {en}")));
    }
    lines
}
