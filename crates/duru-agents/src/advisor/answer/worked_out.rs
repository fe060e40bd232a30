//! A calculation in one sentence, with the verdict where something is asked of somebody.

mod leases;
mod loans;

use super::names::{full, money, percent};
use super::reports::{fairness_line, gains_sentence};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{Report, ReturnsView, Severity};
use leases::{converted, let_out};
pub(super) use loans::affordable;
use loans::lent;

pub(super) fn worked_out(report: &Report, lang: Lang) -> Option<String> {
    match report {
        Report::LoanLimit(_) | Report::Repayment(_) => lent(report, lang),
        Report::Returns(_) | Report::Yields(_) => returned(report, lang),
        Report::Tax(_)
        | Report::CapitalGains(_)
        | Report::PropertyTax(_)
        | Report::ComprehensiveTax(_)
        | Report::Registration(_) => taxed(report, lang),
        Report::Brokerage(_) | Report::Increase(_) => let_out(report, lang),
        Report::Conversion(_) => converted(report, lang),
        Report::Contract(_) | Report::Draft(_) => papers(report, lang),
        Report::Market(view) => fairness_line(view, lang),
        Report::Level(_) | Report::Nearby(_) => None,
    }
}

/// An investment.
fn returned(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::Returns(view) if view.resale.is_some() => sold_again(view, lang),
        // Let for a deposit alone, what counts is what the buyer must bring.
        Report::Returns(view) if view.investment.monthly_rent == 0 && view.investment.deposit > 0 => lang.pick(
            format!(
                "{} 집을 보증금 {}을 끼고 사면 자기 자금은 약 {}이 필요합니다(취득세·중개보수 {} 포함).",
                money(view.investment.price, lang),
                money(view.investment.deposit, lang),
                money(view.returns.own_money, lang),
                money(view.investment.buying_costs, lang)
            ),
            format!(
                "A home of {} with a tenant's deposit of {} takes about {} of your own ({} of it taxes and fees).",
                money(view.investment.price, lang),
                money(view.investment.deposit, lang),
                money(view.returns.own_money, lang),
                money(view.investment.buying_costs, lang)
            ),
        ),
        Report::Returns(view) => {
            let place =
                view.region.as_ref().map(|region| format!("{} ", full(region, lang))).unwrap_or_default();
            lang.pick(
                format!(
                    "{place}임대 수익률은 총 연 {}, 순 연 {}로 계산됩니다.",
                    percent(view.returns.gross_yield),
                    percent(view.returns.net_yield)
                ),
                format!(
                    "{place}yields {} gross and {} net a year.",
                    percent(view.returns.gross_yield),
                    percent(view.returns.net_yield)
                ),
            )
        }
        Report::Yields(view) => {
            let place =
                view.region.as_ref().map(|region| format!("{} ", full(region, lang))).unwrap_or_default();
            let (rent, gross, net) = view.rents.get(view.rents.len() / 2).copied()?;
            lang.pick(
                format!(
                    "{place}{} 집의 임대 수익률은 월세가 {}이면 총 연 {}, 순 연 {}입니다.",
                    money(view.price, lang),
                    money(rent, lang),
                    percent(gross),
                    percent(net)
                ),
                format!(
                    "{place}: a home of {} yields {} gross and {} net a year if it lets for {} a month.",
                    money(view.price, lang),
                    percent(gross),
                    percent(net),
                    money(rent, lang)
                ),
            )
        }
        _ => return None,
    })
}

/// Taxes and costs.
fn taxed(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::Tax(view) => lang.pick(
            format!(
                "{} {}의 취득세는 지방교육세 등을 더해 {}입니다.",
                money(view.purchase.price, lang),
                if view.purchase.home { "주택" } else { "부동산(주택 아님)" },
                money(view.tax.total, lang)
            ),
            format!(
                "The acquisition tax on {} is {} in all.",
                money(view.purchase.price, lang),
                money(view.tax.total, lang)
            ),
        ),
        Report::CapitalGains(view) => gains_sentence(view, lang),
        Report::PropertyTax(view) => lang.pick(
            format!(
                "공시가격 {} 주택의 재산세는 도시지역분과 지방교육세를 더해 1년에 약 {}입니다.",
                money(view.held.official_price, lang),
                money(view.tax.total, lang)
            ),
            format!(
                "The property tax on an official price of {} is about {} a year in all.",
                money(view.held.official_price, lang),
                money(view.tax.total, lang)
            ),
        ),
        Report::ComprehensiveTax(view) if view.tax.total == 0 => lang.pick(
            format!(
                "공시가격 {}은 공제 {} 안이라 종합부동산세가 없습니다.",
                money(view.held.official_price, lang),
                money(view.tax.deduction, lang)
            ),
            format!(
                "No comprehensive real-estate tax: the official price of {} is within the deduction of {}.",
                money(view.held.official_price, lang),
                money(view.tax.deduction, lang)
            ),
        ),
        Report::ComprehensiveTax(view) => lang.pick(
            format!(
                "공시가격 {}의 종합부동산세는 농어촌특별세를 더해 1년에 약 {}입니다.",
                money(view.held.official_price, lang),
                money(view.tax.total, lang)
            ),
            format!(
                "The comprehensive real-estate tax on an official price of {} is about {} a year.",
                money(view.held.official_price, lang),
                money(view.tax.total, lang)
            ),
        ),
        Report::Registration(view) => lang.pick(
            format!(
                "{} 집을 살 때 세금과 등기 비용, 중개보수를 모두 더하면 약 {}입니다(이 가운데 등기 비용 약 {}).",
                money(view.price, lang),
                money(view.total, lang),
                money(view.cost.total, lang)
            ),
            format!(
                "Taxes, registration costs and brokerage on a home of {} come to about {} ({} of it registration costs).",
                money(view.price, lang),
                money(view.total, lang),
                money(view.cost.total, lang)
            ),
        ),
        _ => return None,
    })
}

/// A contract that was read, a draft.
fn papers(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::Contract(report) => {
            let grave: Vec<_> = report.risks.iter().filter(|risk| risk.severity >= Severity::High).collect();
            let mut named: Vec<&str> = grave
                .iter()
                .filter_map(|risk| report.clauses.get(risk.clause))
                .map(|clause| clause.label.as_str())
                .filter(|label| !label.is_empty())
                .collect();
            named.dedup();
            let named = if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) };
            let (all, grave, rest) = (report.clauses.len(), grave.len(), report.risks.len() - grave.len());
            lang.pick(
                format!(
                    "조항 {all}개를 살펴보니 위험한 것이 {grave}개{named}, 그 밖에 주의할 것이 {rest}개 있습니다."
                ),
                format!("{all} clauses: {grave} are dangerous{named}, {rest} more deserve a look."),
            )
        }
        Report::Draft(view) if view.document.is_some() => lang.pick(
            "확인하신 내용으로 임대차 계약서를 워드 문서로 만들었습니다.",
            "The lease was made as a Word document, as you confirmed it.",
        ),
        Report::Draft(view) if view.confirmed => lang.pick(
            "확인하신 내용으로 임대차 계약서를 만들었습니다.",
            "The lease was made as you confirmed it.",
        ),
        Report::Draft(view) => lang.pick(
            format!(
                "임대차 계약서 초안을 만들었습니다. 채워야 할 칸이 {}개 남았습니다.",
                view.form.missing().len()
            ),
            format!("The draft of the lease is ready; {} fields are still blank.", view.form.missing().len()),
        ),
        _ => return None,
    })
}

/// A home that is bought and sold again, in one sentence.
fn sold_again(view: &ReturnsView, lang: Lang) -> String {
    let (with, got) = (&view.investment, &view.returns);
    let gain = money(got.total_gain.unsigned_abs(), lang);
    let share = got.total_gain as f64 / got.own_money.max(1) as f64;
    let yearly = got.annualised.unwrap_or(0.0);
    let resale = money(view.resale.unwrap_or(got.sale_price), lang);
    let lost = got.total_gain < 0;
    let (ko, en) = if lost { ("손해가", "loss") } else { ("이익이", "gain") };
    lang.pick(
        format!(
            "{}에 사서 {}년 뒤 {resale}에 팔면 약 {gain}의 {ko} 나고, 자기 자금 대비 모두 {} (연 {})입니다(양도소득세와 팔 때의 중개보수는 빼지 않았습니다).",
            money(with.price, lang),
            with.years,
            percent(share),
            percent(yearly)
        ),
        format!(
            "Bought for {} and sold after {} years for {resale}, that is a {en} of about {gain}, {} of your own money in all ({} a year), before tax on the gain and the fee of selling.",
            money(with.price, lang),
            with.years,
            percent(share),
            percent(yearly)
        ),
    )
}
