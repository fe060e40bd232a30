//! A calculation in one sentence, with the verdict where something is asked of somebody.

use super::super::lang::Lang;
use super::super::tools::{ConversionView, LimitView, Report, ReturnsView, Severity};
use super::names::{full, money, percent};
use super::reports::{fairness_line, gains_sentence, rate_used};

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

/// A loan.
fn lent(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::LoanLimit(view) => lang.pick(
            format!(
                "{} 집을 살 때 대출 한도는 약 {}입니다.",
                money(view.borrower.price, lang),
                money(view.limit.limit, lang)
            ),
            format!(
                "For a home of {} the highest loan is about {}.",
                money(view.borrower.price, lang),
                money(view.limit.limit, lang)
            ),
        ),
        Report::Repayment(view) if view.interest_only => lang.pick(
            format!(
                "{}을 연 {}로 빌리면 매달 이자가 약 {}입니다.",
                money(view.principal, lang),
                percent(view.rate),
                money(view.interest, lang)
            ),
            format!(
                "{} at {} costs about {} of interest a month.",
                money(view.principal, lang),
                percent(view.rate),
                money(view.interest, lang)
            ),
        ),
        Report::Repayment(view) if view.level_principal => lang.pick(
            format!(
                "{}을 연 {}로 {}년 원금균등으로 갚으면 첫 달 {}, 마지막 달 {}입니다.",
                money(view.principal, lang),
                percent(view.rate),
                view.years,
                money(view.first_month, lang),
                money(view.last_month, lang)
            ),
            format!(
                "{} at {} over {} years in level principal costs {} in the first month, {} in the last.",
                money(view.principal, lang),
                percent(view.rate),
                view.years,
                money(view.first_month, lang),
                money(view.last_month, lang)
            ),
        ),
        Report::Repayment(view) => lang.pick(
            format!(
                "{}을 연 {}로 {}년 빌리면 매달 약 {}을 갚습니다.",
                money(view.principal, lang),
                percent(view.rate),
                view.years,
                money(view.monthly, lang)
            ),
            format!(
                "{} at {} over {} years costs about {} a month.",
                money(view.principal, lang),
                percent(view.rate),
                view.years,
                money(view.monthly, lang)
            ),
        ),
        _ => return None,
    })
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

/// A fee, and how far a rent may rise.
fn let_out(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::Brokerage(fee) => lang.pick(
            format!("중개보수는 {}까지입니다.", money(fee.most, lang)),
            format!("The brokerage fee is at most {}.", money(fee.most, lang)),
        ),
        Report::Increase(view) => {
            let what =
                if view.monthly { ("월세는 ", "The rent") } else { ("보증금은 ", "The deposit") };
            let said = view.wished.map(|wished| verdict(wished, view.most, lang));
            let said = said.map(|said| format!(" {said}")).unwrap_or_default();
            lang.pick(
                format!(
                    "{}{}에서 {}까지만 올릴 수 있습니다(상한 {}).{said}",
                    what.0,
                    money(view.current, lang),
                    money(view.most, lang),
                    percent(view.cap)
                ),
                format!(
                    "{} may rise from {} to {} at most (cap {}).{said}",
                    what.1,
                    money(view.current, lang),
                    money(view.most, lang),
                    percent(view.cap)
                ),
            )
        }
        _ => return None,
    })
}

/// A deposit for a rent.
fn converted(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::Conversion(view) if view.paid.is_some() => lang.pick(
            format!(
                "보증금을 {}에서 {}으로 바꾸면 월세는 매달 약 {}이 됩니다({} 기준).{}",
                money(view.from_deposit, lang),
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                rate_used(&view.cost, lang),
                beyond(view, lang)
            ),
            format!(
                "With the deposit changed from {} to {} the rent is about {} a month (at {}).{}",
                money(view.from_deposit, lang),
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                rate_used(&view.cost, lang),
                beyond(view, lang)
            ),
        ),
        Report::Conversion(view) if view.from_rent > 0 => lang.pick(
            format!("전세로 치면 약 {}입니다.", money(view.cost.deposit, lang)),
            format!("As a jeonse it is worth about {}.", money(view.cost.deposit, lang)),
        ),
        Report::Conversion(view) if view.offered.is_some() => {
            let offered = view.offered.unwrap_or_default();
            let said = verdict(offered, view.cost.monthly_rent, lang);
            lang.pick(
                format!(
                    "보증금을 {}으로 줄이면 월세는 매달 {}까지입니다({}). {said}",
                    money(view.cost.deposit, lang),
                    money(view.cost.monthly_rent, lang),
                    rate_used(&view.cost, lang)
                ),
                format!(
                    "With a deposit of {} the rent is at most {} a month ({}). {said}",
                    money(view.cost.deposit, lang),
                    money(view.cost.monthly_rent, lang),
                    rate_used(&view.cost, lang)
                ),
            )
        }
        Report::Conversion(view) if view.cost.deposit > 0 => lang.pick(
            format!(
                "보증금을 {}으로 줄이면 월세는 매달 {}까지입니다({}).{}",
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                rate_used(&view.cost, lang),
                beyond(view, lang)
            ),
            format!(
                "With a deposit of {} the rent is at most {} a month ({}).{}",
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                rate_used(&view.cost, lang),
                beyond(view, lang)
            ),
        ),
        Report::Conversion(view) => lang.pick(
            format!(
                "월세로 모두 바꾸면 매달 {}까지입니다.{}",
                money(view.cost.monthly_rent, lang),
                beyond(view, lang)
            ),
            format!(
                "Turned into rent it is at most {} a month.{}",
                money(view.cost.monthly_rent, lang),
                beyond(view, lang)
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

/// That a rate which somebody said is above the legal one.
fn beyond(view: &ConversionView, lang: Lang) -> String {
    view.over_cap.map_or_else(String::new, |said| {
        lang.pick(
            format!(" 말씀하신 연 {}는 법정 상한을 넘어 상한으로 계산했습니다.", percent(said)),
            format!(" The {} you said is above the legal cap, which was used instead.", percent(said)),
        )
    })
}

/// Whether what is asked keeps within what is allowed.
fn verdict(asked: u64, most: u64, lang: Lang) -> String {
    let sum = |won| money(won, lang);
    if asked > most {
        lang.pick(
            format!(
                "요구한 {}은 한도보다 {} 많으므로 넘는 만큼은 따르지 않아도 됩니다.",
                sum(asked),
                sum(asked - most)
            ),
            format!(
                "The {} that is asked exceeds that by {}: you need not agree to the excess.",
                sum(asked),
                sum(asked - most)
            ),
        )
    } else {
        lang.pick(
            format!("요구한 {}은 한도 안입니다.", sum(asked)),
            format!("The {} that is asked is within it.", sum(asked)),
        )
    }
}

/// Whether what somebody has and what they can borrow are enough.
pub(super) fn affordable(view: &LimitView, lang: Lang) -> Option<String> {
    let (has, needed) = (view.has?, view.limit.own_money);
    let sum = |won| money(won, lang);
    if let Some(reach) = view.reach.filter(|reach| *reach == view.borrower.price) {
        return Some(lang.pick(
            format!(
                "가진 돈 {}에 대출을 더하면 약 {} 집까지 살 수 있습니다(세금과 수수료는 따로입니다).",
                sum(has),
                sum(reach)
            ),
            format!(
                "With your {} and a loan you can afford a home of up to about {} (taxes and fees apart).",
                sum(has),
                sum(reach)
            ),
        ));
    }
    Some(if has >= needed {
        lang.pick(
            format!(
                "가진 돈 {}에 대출을 더하면 살 수 있습니다(대출을 한도까지 받으면 자기 자금 {}이 필요하고, 세금과 수수료는 따로입니다).",
                sum(has),
                sum(needed)
            ),
            format!(
                "With your {} and the loan you can buy it (own money needed with the full loan: {}, taxes and fees apart).",
                sum(has),
                sum(needed)
            ),
        )
    } else {
        lang.pick(
            format!(
                "가진 돈 {}으로는 {}이 모자랍니다(대출을 한도까지 받아도 자기 자금 {}이 필요하고, 세금과 수수료는 따로입니다).{}",
                sum(has),
                sum(needed - has),
                sum(needed),
                view.reach.map_or_else(String::new, |reach| format!(" 살 수 있는 집값은 약 {}까지입니다.", sum(reach)))
            ),
            format!(
                "Your {} falls {} short: even with the full loan {} of your own is needed, taxes and fees apart.{}",
                sum(has),
                sum(needed - has),
                sum(needed),
                view.reach.map_or_else(String::new, |reach| format!(" A home of up to about {} is within reach.", sum(reach)))
            ),
        )
    })
}
