//! Reading a lease: its clauses, what in them is dangerous for the tenant, and
//! what it does not say.

use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::Constants;
use super::contract_tables::{KINDS, RULES, Rule, WANTED};

/// A longer text before the first clause belongs to the contract.
const PREFACE: usize = 80;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClauseKind {
    Deposit,
    DepositReturn,
    Rent,
    Term,
    Renewal,
    Repair,
    Restoration,
    Termination,
    Penalty,
    Sublease,
    Registration,
    Encumbrance,
    Fees,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clause {
    /// As the contract numbers it: 제3조, 특약 2.
    pub label: String,
    pub text: String,
    pub kind: ClauseKind,
    /// Among the special terms (특약).
    pub special: bool,
}

/// Something dangerous in a clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RiskFound {
    pub name: String,
    /// The clause, by position.
    pub clause: usize,
    pub severity: Severity,
    pub message: String,
    pub message_en: String,
    /// Articles to read.
    pub law: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContractReport {
    pub clauses: Vec<Clause>,
    /// The gravest first.
    pub risks: Vec<RiskFound>,
    /// What the contract does not say: a name, and advice in Korean and English.
    pub unsaid: Vec<(String, String, String)>,
}

/// Reads a lease by rules. They find what is commonly dangerous; they are no
/// replacement for somebody who knows the law.
pub fn analyse_contract(text: &str, constants: &Constants) -> ContractReport {
    let clauses = split(text);
    let mut risks = Vec::new();
    for (index, clause) in clauses.iter().enumerate() {
        let plain = compact(&clause.text);
        let fitting = RULES.iter().filter(|rule| fits(rule, &plain));
        risks.extend(fitting.map(|rule| RiskFound {
            name: rule.name.to_owned(),
            clause: index,
            severity: rule.severity,
            message: rule.ko.to_owned(),
            message_en: rule.en.to_owned(),
            law: rule.law.iter().map(|law| (*law).to_owned()).collect(),
        }));
        risks.extend(steep_increase(&plain, index, constants));
    }
    risks.sort_by_key(|risk| (std::cmp::Reverse(risk.severity), risk.clause));
    let whole = compact(text);
    let unsaid = WANTED
        .iter()
        .filter(|(_, words, ..)| !words.iter().any(|word| whole.contains(word)))
        .map(|(name, _, ko, en)| ((*name).to_owned(), (*ko).to_owned(), (*en).to_owned()))
        .collect();
    ContractReport { clauses, risks, unsaid }
}

fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn fits(rule: &Rule, plain: &str) -> bool {
    rule.groups.iter().all(|words| words.iter().any(|word| plain.contains(word)))
        && !rule.unless.iter().any(|word| plain.contains(word))
}

/// An agreed increase above the legal cap.
fn steep_increase(plain: &str, clause: usize, constants: &Constants) -> Option<RiskFound> {
    let rises = ["인상", "증액", "올린"].iter().any(|word| plain.contains(word));
    let limited = ["초과하지", "초과할수없", "넘지", "이내", "한도"].iter().any(|word| plain.contains(word));
    let cap = constants.increase.cap * 100.0;
    let percents = plain.match_indices(['%', '％']).filter_map(|(at, _)| {
        let before = &plain[..at];
        let start = before
            .rfind(|c: char| !(c.is_ascii_digit() || c == '.'))
            .map_or(0, |i| i + before[i..].chars().next().map_or(1, char::len_utf8));
        before[start..].parse::<f64>().ok()
    });
    let most = percents.fold(0.0, f64::max);
    (rises && most > cap).then(|| RiskFound {
        name: "increase_over_cap".to_owned(),
        clause,
        severity: if limited { Severity::Medium } else { Severity::High },
        message: format!("{most}% 인상은 법의 상한 {cap}%를 넘습니다 ({} 기준).", constants.as_of),
        message_en: format!("{most} % is above the legal cap of {cap} % (as of {}).", constants.as_of),
        law: vec!["주택임대차보호법 제7조".to_owned(), "주택임대차보호법 시행령 제8조".to_owned()],
    })
}

#[allow(clippy::unwrap_used, reason = "patterns that are written here; a test uses each")]
static ARTICLE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"제\s*([0-9]{1,3})\s*조").unwrap());
#[allow(clippy::unwrap_used, reason = "see above")]
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:^|[\s:])(([0-9]{1,2})[.)])\s").unwrap());

/// A contract that was pasted as one line, in lines: a number begins a clause where it follows the one before it, and
/// is not a law's that a clause speaks of (제6조의3, 제7조에 따라).
fn in_lines(text: &str) -> String {
    let speaks_of = |rest: &str| {
        let rest = rest.trim_start();
        ["의", "에 ", "에서", "에따", "를 ", "을 ", "와 ", "과 ", "및", ",", "제", "내지", "부터", "까지"]
            .iter()
            .any(|word| rest.starts_with(word))
    };
    let articles = ARTICLE.captures_iter(text).filter_map(|found| {
        let (whole, number) = (found.get(0)?, found.get(1)?.as_str().parse::<u32>().ok()?);
        (!speaks_of(&text[whole.end()..])).then_some((whole.start(), number))
    });
    let points = NUMBERED
        .captures_iter(text)
        .filter_map(|found| Some((found.get(1)?.start(), found.get(2)?.as_str().parse::<u32>().ok()?)));
    let mut cuts: Vec<usize> = Vec::new();
    for marks in [articles.collect::<Vec<_>>(), points.collect()] {
        let mut next = 1;
        for (at, number) in marks {
            // The special terms count from one again.
            if number == next || number == 1 {
                cuts.push(at);
                next = number + 1;
            }
        }
    }
    cuts.extend(text.match_indices("특약").map(|(at, _)| at).filter(|at| {
        let after = text[at + "특약".len()..].trim_start_matches("사항").trim_start();
        after.starts_with([':', '1', '①'])
    }));
    cuts.sort_unstable();
    let mut lines = String::new();
    let mut from = 0;
    for cut in cuts {
        lines.push_str(&text[from..cut]);
        lines.push('\n');
        from = cut;
    }
    lines.push_str(&text[from..]);
    lines
}

/// The clauses: numbered articles, and the numbered lines below "특약".
fn split(text: &str) -> Vec<Clause> {
    let text = &in_lines(text);
    let mut clauses: Vec<Clause> = Vec::new();
    let mut special = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let plain = compact(line);
        let heading = plain.trim_matches(|c: char| !c.is_alphanumeric());
        if heading.starts_with("특약")
            && heading.chars().count() <= 8
            && !heading.contains(|c: char| c.is_ascii_digit())
        {
            special = true;
            continue;
        }
        let (label, rest) = match number(line, special) {
            Some((label, rest)) => (Some(label), rest),
            None => (None, line),
        };
        match (label, clauses.last_mut()) {
            (None, Some(last)) if !last.label.is_empty() && last.special == special => {
                last.text.push(' ');
                last.text.push_str(rest);
            }
            (label, _) => clauses.push(Clause {
                label: label.unwrap_or_default(),
                text: rest.to_owned(),
                kind: ClauseKind::Other,
                special,
            }),
        }
    }
    // What stands before the first number and is short is what the person says of the contract, not the contract.
    let numbered = clauses.iter().filter(|clause| !clause.label.is_empty()).count();
    if numbered > 1 && clauses[0].label.is_empty() && clauses[0].text.chars().count() <= PREFACE {
        clauses.remove(0);
    }
    for clause in &mut clauses {
        clause.kind = kind(&clause.text);
    }
    clauses
}

/// The number that a line begins with: 제3조, 특약 2, 1., 2), ③.
fn number(line: &str, special: bool) -> Option<(String, &str)> {
    if let Some(rest) = line.strip_prefix('제') {
        let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
        let after = rest.trim_start().strip_prefix(&digits)?.trim_start().strip_prefix('조')?;
        return (!digits.is_empty()).then(|| (format!("제{digits}조"), after.trim_start()));
    }
    let body = line.strip_prefix("특약").map(str::trim_start);
    let special = special || body.is_some();
    let body = body.unwrap_or(line).trim_start_matches(['-', '*', '•', ' ']);
    let digits: String = body.chars().take_while(char::is_ascii_digit).collect();
    let label = |number: &str| if special { format!("특약 {number}") } else { number.to_owned() };
    if !digits.is_empty() {
        let after = body.strip_prefix(&digits)?;
        let rest = after.strip_prefix(['.', ')', ':']).or(after.strip_prefix("번"))?;
        return Some((label(&digits), rest.trim_start_matches([':', ' ', '.'])));
    }
    let circled = body.chars().next().filter(|c| ('①'..='⑳').contains(c))?;
    let number = circled as u32 - '①' as u32 + 1;
    Some((label(&number.to_string()), body[circled.len_utf8()..].trim_start()))
}

fn kind(text: &str) -> ClauseKind {
    let plain = compact(text);
    let found = KINDS.iter().find(|(_, words)| words.iter().any(|word| plain.contains(word)));
    found.map_or(ClauseKind::Other, |(kind, _)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ContractReport {
        analyse_contract(text, Constants::built_in())
    }

    fn names(text: &str) -> Vec<String> {
        read(text).risks.into_iter().map(|risk| risk.name).collect()
    }

    #[test]
    fn a_contract_in_one_line_has_its_clauses() {
        let report = read(
            "계약서 봐주세요. 제1조 보증금 2억원. 제2조 계약기간 1년. 제3조 임차인은 도배 장판을 포함한 모든 수리비를 부담한다. \
             제4조 임대인이 필요할 때 언제든지 계약을 해지하고 퇴거를 요구할 수 있다. 제5조 갱신은 주택임대차보호법 제6조의3에 따른다. \
             특약: 1. 임차인은 전입신고를 하지 않는다. 2. 중도 해지 시 보증금의 30%를 위약금으로 낸다.",
        );
        let labels: Vec<&str> = report.clauses.iter().map(|clause| clause.label.as_str()).collect();
        assert_eq!(labels, ["제1조", "제2조", "제3조", "제4조", "제5조", "특약 1", "특약 2"]);
        let risks: Vec<(&str, usize)> =
            report.risks.iter().map(|risk| (risk.name.as_str(), risk.clause)).collect();
        assert_eq!(
            risks,
            [
                ("no_registration", 5),
                ("all_repairs_on_tenant", 2),
                ("ended_at_will", 3),
                ("early_end_penalty", 6),
                ("under_two_years", 1)
            ]
        );
    }

    const LEASE: &str = "\
        제1조 (보증금) 보증금은 금 2억원으로 하고 잔금일에 지급한다.\n\
        제2조 (기간) 임대차 기간은 2026년 6월 1일부터 2년간으로 한다.\n\
        제3조 (전대) 임차인은 임대인의 동의 없이 전대하지 못한다.\n\
        특약사항\n\
        1. 임차인은 계약갱신요구권을 행사하지 아니한다.\n\
        2. 모든 수선은 임차인이 전액 부담한다.\n\
        3. 보증금은 다음 임차인이 들어온 때에 반환한다.\n\
        4. 임차인은 전입신고를 하지 않기로 한다.\n";

    #[test]
    fn a_lease_is_taken_apart_and_its_dangers_found() {
        let report = read(LEASE);
        let labels: Vec<&str> = report.clauses.iter().map(|clause| clause.label.as_str()).collect();
        assert_eq!(labels, ["제1조", "제2조", "제3조", "특약 1", "특약 2", "특약 3", "특약 4"]);
        assert!(report.clauses[3].special && report.clauses[3].kind == ClauseKind::Renewal);
        let found: Vec<(&str, &str)> = report
            .risks
            .iter()
            .map(|risk| (risk.name.as_str(), report.clauses[risk.clause].label.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("no_registration", "특약 4"),
                ("renewal_waived", "특약 1"),
                ("all_repairs_on_tenant", "특약 2"),
                ("deposit_waits_for_next_tenant", "특약 3"),
                ("sublease", "제3조"),
            ]
        );
        assert!(report.risks[0].law.contains(&"주택임대차보호법 제3조".to_owned()));
        let unsaid: Vec<&str> = report.unsaid.iter().map(|unsaid| unsaid.0.as_str()).collect();
        assert_eq!(unsaid, ["no_new_mortgage"]);
    }

    #[test]
    fn what_protects_the_tenant_is_no_danger() {
        for text in [
            "임대인은 잔금 다음 날까지 근저당권을 설정하지 않는다.",
            "임대인은 임차인의 전입신고를 방해하지 아니한다.",
            "임대인은 새로운 임차인의 입주와 관계없이 만료일에 보증금을 반환한다.",
            "주요 설비의 모든 수선은 임대인이 부담하고 임차인은 소모품을 교체한다.",
            "차임을 2회 연체하면 즉시 해지할 수 있다.",
            "임대료 증액은 5%를 초과하지 못한다.",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn an_increase_is_measured_against_the_cap() {
        assert_eq!(names("재계약 시 임대료를 10% 인상한다."), ["increase_over_cap"]);
        assert_eq!(names("재계약 시 임대료를 4.5% 인상한다."), [""; 0]);
    }

    #[test]
    fn nothing_and_nonsense_are_read_too() {
        assert_eq!(read("").clauses, []);
        assert_eq!(read("제조 ％ 99999999999999999999. ㈜").clauses.len(), 1);
    }
}
