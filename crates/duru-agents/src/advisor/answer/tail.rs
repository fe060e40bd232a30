//! What stands below every answer: sources, what failed, what is missing, what to do.

use super::names::{full, wanting};
use super::reports::nearby_source;
use crate::advisor::lang::Lang;
use crate::advisor::planner::kind;
use crate::advisor::state::{Advice, FaultKind, Remedy};
use crate::advisor::tools::{Calculation, Constants, Item, Report, SAMPLE_SOURCE, SYNTHETIC_SOURCE, Used};
use crate::advisor::understand::{DataKind, Intent};
use crate::advisor::words;

pub(super) fn sources(data: &[Used], constants: &Constants, lang: Lang) -> Vec<String> {
    let mut sources = super::law::sources(data, lang);
    let mut add = |source: String| {
        if !source.is_empty() && !sources.contains(&source) {
            sources.push(source);
        }
    };
    let items = data.iter().flat_map(|used| &used.found.items);
    let told =
        |item: &&Item| matches!(item.kind, DataKind::Market | DataKind::Loan | DataKind::Infrastructure);
    for item in items.filter(told) {
        add(source(item, constants, lang));
    }
    let [
        lending,
        conversion,
        increase,
        brokerage,
        tax,
        returns,
        regulated,
        _,
        gains,
        property,
        comprehensive,
        registration,
        _,
    ] = constants.sources();
    let dated = |(ko, en): (&str, &str)| {
        lang.pick(format!("{ko} — {} 기준", constants.as_of), format!("{en} — as of {}", constants.as_of))
    };
    for report in data.iter().flat_map(|used| &used.found.reports) {
        match report {
            Report::LoanLimit(_) => {
                add(dated(lending));
                add(dated(regulated));
            }
            Report::Returns(_) | Report::Yields(_) => {
                add(dated(returns));
                add(dated(tax));
                add(dated(brokerage));
            }
            Report::Tax(_) => add(dated(tax)),
            Report::CapitalGains(_) => add(dated(gains)),
            Report::PropertyTax(_) => add(dated(property)),
            Report::ComprehensiveTax(_) => add(dated(comprehensive)),
            Report::Registration(_) => {
                add(dated(tax));
                add(dated(registration));
                add(dated(brokerage));
            }
            Report::Brokerage(_) => add(dated(brokerage)),
            Report::Increase(_) => add(dated(increase)),
            Report::Conversion(_) => add(dated(conversion)),
            Report::Level(_)
            | Report::Market(_)
            | Report::Nearby(_)
            | Report::Contract(_)
            | Report::Repayment(_)
            | Report::Draft(_) => {}
        }
    }
    sources
}

/// Where one thing is from.
pub(super) fn source(item: &Item, constants: &Constants, lang: Lang) -> String {
    let label = kind(item.kind, lang);
    let (_, offers) = constants.sources()[7];
    match item.kind {
        DataKind::Legal | DataKind::Contract => super::law::source(item, lang),
        _ if lang == Lang::Ko => format!("{label} — {}", item.source),
        DataKind::Loan => format!("{label} — {offers} ({})", constants.as_of),
        DataKind::Market if item.source == SYNTHETIC_SOURCE => format!("{label} — synthetic data, not real"),
        DataKind::Market => format!("{label} — {}", item.source),
        DataKind::Infrastructure => format!("{label} — {}", nearby_source(&item.source, lang)),
    }
}

pub(super) fn failed(s: &Advice, lang: Lang) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fault in &s.faults {
        let what = format!("{} — {}", words::tool(&fault.tool, lang), words::fault_reason(fault.what, lang));
        // What was mended by itself is nobody's concern.
        let done = match fault.done {
            Remedy::Retried => continue,
            // Nothing was found, and another look was taken: that is told as what is missing.
            Remedy::Skipped if fault.what == FaultKind::Empty => continue,
            Remedy::Replaced => lang.pick("다른 도구로 대신했습니다.", "Another tool stood in."),
            Remedy::AcceptedPartly => lang.pick("있는 만큼만 썼습니다.", "What there was was taken."),
            Remedy::Skipped => lang.pick("건너뛰었습니다.", "It was left out."),
        };
        let line = format!("{what} {done}");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

pub(super) fn missing(s: &Advice, data: &[Used], lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    for wanted in &s.planning.required {
        let found = data.iter().flat_map(|used| &used.found.items).any(|item| item.kind == *wanted);
        let reported = *wanted == DataKind::Contract;
        if !found && !reported {
            let places: Vec<String> = s.planning.regions.iter().map(|region| full(region, lang)).collect();
            let of_place = matches!(wanted, DataKind::Market | DataKind::Infrastructure);
            let of = if of_place && !places.is_empty() {
                format!("{} ", places.join(", "))
            } else {
                String::new()
            };
            lines.push(lang.pick(
                format!("{of}{} 자료를 찾지 못했습니다.", kind(*wanted, lang)),
                format!("Nothing was found on {of}{}.", kind(*wanted, lang)),
            ));
        }
    }
    for name in gaps(s) {
        lines.push(lang.pick(
            format!(
                "{} 알려 주시면 더 정확히 답할 수 있습니다.",
                Lang::with(&wanting(&name, lang), ("을", "를"))
            ),
            format!("Tell me {} for a better answer.", wanting(&name, lang)),
        ));
    }
    lines
}

fn gaps(s: &Advice) -> Vec<String> {
    let mut gaps: Vec<String> = s.team_results.values().flat_map(|result| result.gaps.clone()).collect();
    gaps.sort_unstable();
    gaps.dedup();
    gaps.truncate(6);
    gaps
}

pub(super) fn next_steps(s: &Advice, data: &[Used], lang: Lang) -> Vec<String> {
    let said = |steps: &[(&str, &str)]| steps.iter().map(|(ko, en)| lang.pick(*ko, *en)).collect();
    let due = due(s);
    if !due.is_empty() {
        return said(&due);
    }
    let nothing = data.iter().all(|used| used.found.is_empty());
    let place = s.planning.regions.first().map(|region| lang.pick(region.name(), region.name_in_english()));
    if let Some(place) = place.filter(|_| nothing) {
        return vec![lang.pick(
            format!("{place} 말고 다른 지역이나 조건으로 다시 물어보시거나, 자료를 CSV로 넣어 주세요."),
            format!("Ask about another place than {place}, or import data as CSV."),
        )];
    }
    said(usual(s.planning.intent))
}

/// What is to be done about a tax or a fee that was worked out.
fn due(s: &Advice) -> Vec<(&'static str, &'static str)> {
    let has = |calculation| {
        s.planning.intent == Some(Intent::LegalConsult) && s.planning.calculations.contains(&calculation)
    };
    let mut steps = Vec::new();
    if has(Calculation::AcquisitionTax) {
        steps.push((
            "취득세는 취득한 날부터 60일 안에 위택스나 시·군·구청에 신고하고 내야 합니다.",
            "Declare and pay the tax within 60 days, at Wetax or the district office.",
        ));
    }
    if has(Calculation::Brokerage) {
        steps.push((
            "중개보수는 상한 안에서 협의할 수 있으니 계약 전에 정해 두세요.",
            "The fee can be negotiated below the cap: settle it before the contract.",
        ));
    }
    steps
}

/// What is usually worth doing next, in Korean and English.
fn usual(intent: Option<Intent>) -> &'static [(&'static str, &'static str)] {
    match intent {
        Some(Intent::LegalConsult) => &[
            (
                "계약서의 특약과 갱신 시점을 먼저 확인하세요.",
                "Check the special terms and the renewal date of your contract.",
            ),
            (
                "다툼이 있으면 주택임대차분쟁조정위원회나 대한법률구조공단(132)에 상담하세요.",
                "In a dispute, turn to the Housing Lease Dispute Mediation Committee or legal aid (132).",
            ),
        ],
        Some(Intent::MarketInquiry) => &[
            (
                "실제 계약 전에는 국토교통부 실거래가 공개시스템에서 최근 거래를 확인하세요.",
                "Before a contract, check the ministry's register of real transactions.",
            ),
            (
                "이어서 \"이 시세로 대출 한도 계산해줘\"라고 물어보실 수 있습니다.",
                "You can go on with \"how much could I borrow at these prices?\".",
            ),
        ],
        Some(Intent::Infrastructure) => &[
            (
                "실제 위치와 통학로는 지도에서 확인하세요.",
                "Check the real places, and the way to school, on a map.",
            ),
            (
                "이어서 \"이 동네 아파트 시세 알려줘\"라고 물어보실 수 있습니다.",
                "You can go on with \"what do apartments cost there?\".",
            ),
        ],
        Some(Intent::LoanConsult) => &[(
            "은행의 사전 심사로 실제 한도와 금리를 확인하세요.",
            "Have a bank confirm the real limit and rate beforehand.",
        )],
        Some(Intent::ContractReview) => &[
            (
                "위험한 조항은 서명 전에 고치거나 빼 달라고 요청하세요.",
                "Ask for dangerous clauses to be changed before you sign.",
            ),
            ("등기부등본에서 소유자와 근저당을 확인하세요.", "Check owner and mortgages in the register."),
        ],
        Some(Intent::ContractCreation) => &[(
            "빈칸을 채우고, 서명 전에 등기부등본과 신분증으로 임대인을 확인하세요.",
            "Fill in the blanks, and check the landlord against the register before signing.",
        )],
        Some(Intent::RiskAnalysis) => &[
            (
                "등기부등본의 선순위 채권과 국세 체납을 확인하세요.",
                "Check prior claims and the landlord's taxes.",
            ),
            (
                "전세보증금 반환보증에 들 수 있는지 먼저 알아보세요.",
                "See whether the deposit can be insured.",
            ),
        ],
        Some(Intent::Comprehensive) => &[(
            "예산, 대출 한도, 세금을 함께 놓고 비교해 보세요.",
            "Set budget, loan and taxes side by side.",
        )],
        None | Some(Intent::Unclear | Intent::Irrelevant) => &[],
    }
}

pub(super) fn caution(s: &Advice, data: &[Used], constants: &Constants, lang: Lang) -> Option<String> {
    let synthetic =
        data.iter().flat_map(|used| &used.found.items).any(|item| item.source.contains("synthetic"));
    let figures =
        data.iter().flat_map(|used| &used.found.reports).any(|report| {
            matches!(
                report,
                Report::LoanLimit(_)
                    | Report::Returns(_)
                    | Report::Yields(_)
                    | Report::Tax(_)
                    | Report::CapitalGains(_)
                    | Report::PropertyTax(_)
                    | Report::ComprehensiveTax(_)
                    | Report::Registration(_)
                    | Report::Brokerage(_)
                    | Report::Increase(_)
                    | Report::Conversion(_)
            )
        }) || data.iter().flat_map(|used| &used.found.items).any(|item| item.kind == DataKind::Loan);
    let mut parts = Vec::new();
    if synthetic {
        parts.push(lang.pick(
            "시세는 시험용 합성 데이터이며 실제 거래가 아닙니다.",
            "The prices are synthetic, made for trying things out, and not real deals.",
        ));
    }
    let sample = |report: &Report| matches!(report, Report::Nearby(view) if view.source == SAMPLE_SOURCE);
    if data.iter().flat_map(|used| &used.found.reports).any(sample) {
        parts.push(lang.pick(
            "주변 시설은 시험용 예시 데이터라 빠진 곳이 많고 거리도 어림값이며, 실제 조사 결과가 아닙니다.",
            "What is nearby is sample data, made for trying things out: most is left out, distances are rough, and nothing was surveyed.",
        ));
    }
    if figures {
        parts.push(lang.pick(
            format!("세율·한도·금리는 {} 기준이라 그 뒤에 바뀌었을 수 있습니다.", constants.as_of),
            format!("Taxes, limits and rates are as of {} and may have changed.", constants.as_of),
        ));
    }
    if figures && !constants.taken().is_empty() {
        let (fields, ours) = (constants.taken().join(", "), Constants::built_in().as_of);
        parts.push(lang.pick(
            format!("가지고 있는 상수 파일에 없는 항목({fields})은 기본값({ours} 기준)을 썼습니다."),
            format!("Your file of constants lacks {fields}: our own, as of {ours}, were taken."),
        ));
    }
    let advises = !matches!(s.planning.intent, None | Some(Intent::Unclear | Intent::Irrelevant));
    if advises {
        parts.extend(general(lang));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// What stands below every advice.
pub(super) fn general(lang: Lang) -> Option<String> {
    Some(lang.pick(
        "이 답은 참고용이며 법률·금융 자문이 아닙니다. 중요한 결정은 전문가와 확인하세요.",
        "This is information, not legal or financial advice; check important decisions with a professional.",
    ))
}
