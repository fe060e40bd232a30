//! The answer in one or two sentences: what was asked for, first.

use super::super::lang::Lang;
use super::super::state::Advice;
use super::super::tools::{Level, Report, Severity, Used};
use super::super::understand::{Bound, DataKind, Deal, Intent, Role};
use super::compose::loans;
use super::names::{deal, money, percent, place, property};
use super::reports::risk;

/// The sentences, the most wanted first.
pub(super) fn summary(s: &Advice, data: &[Used], lang: Lang) -> Vec<String> {
    let reports: Vec<&Report> = data.iter().flat_map(|used| &used.found.reports).collect();
    let limited = reports.iter().any(|report| matches!(report, Report::LoanLimit(_)));
    let mut sentences: Vec<String> = reports
        .iter()
        // What a limit costs a month stands below it.
        .filter(|report| !(limited && matches!(report, Report::Repayment(_))))
        .filter_map(|report| worked_out(report, lang))
        .collect();
    if s.planning.intent == Some(Intent::RiskAnalysis) {
        sentences.extend(risk_of(s, &reports, lang));
    }
    let unread = s.team_results.values().any(|result| result.gaps.iter().any(|gap| gap == "contract_text"));
    if unread && sentences.is_empty() {
        return Vec::new();
    }
    let wanted = |kind: DataKind| s.planning.required.contains(&kind);
    if wanted(DataKind::Market) && sentences.len() < 2 {
        let compared = compared(&reports, lang);
        sentences.extend(levels(s, &reports, lang));
        // What two places differ by is what was asked, before what each costs.
        if !compared.is_empty() {
            sentences.truncate(2);
            sentences.splice(0..0, compared);
        }
    }
    if wanted(DataKind::Market) {
        sentences.truncate(2);
        sentences.extend(conditions(s, lang));
    }
    if wanted(DataKind::Legal) && sentences.len() < 2 {
        sentences.extend(super::law::gist(data, lang));
    }
    if wanted(DataKind::Loan) && sentences.is_empty() {
        let products = loans(data);
        if let Some(first) = products.first().map(|item| &item.title) {
            sentences.push(lang.pick(
                format!("조건에 맞는 대출 상품은 {}개이고, 먼저 볼 것은 {first}입니다.", products.len()),
                format!("{} loans fit; the first to look at is {first}.", products.len()),
            ));
        }
    }
    sentences.truncate(3);
    sentences
}

fn worked_out(report: &Report, lang: Lang) -> Option<String> {
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
        Report::Returns(view) => {
            let place = view.region.as_ref().map(|region| format!("{region} ")).unwrap_or_default();
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
            let place = view.region.as_ref().map(|region| format!("{region} ")).unwrap_or_default();
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
        Report::Tax(view) => lang.pick(
            format!(
                "{} 주택의 취득세는 지방교육세 등을 더해 {}입니다.",
                money(view.purchase.price, lang),
                money(view.tax.total, lang)
            ),
            format!(
                "The acquisition tax on {} is {} in all.",
                money(view.purchase.price, lang),
                money(view.tax.total, lang)
            ),
        ),
        Report::Brokerage(fee) => lang.pick(
            format!("중개보수는 {}까지입니다.", money(fee.most, lang)),
            format!("The brokerage fee is at most {}.", money(fee.most, lang)),
        ),
        Report::Increase(view) => lang.pick(
            format!(
                "{}에서 {}까지만 올릴 수 있습니다(상한 {}).",
                money(view.current, lang),
                money(view.most, lang),
                percent(view.cap)
            ),
            format!(
                "It may rise from {} to {} at most (cap {}).",
                money(view.current, lang),
                money(view.most, lang),
                percent(view.cap)
            ),
        ),
        Report::Conversion(view) if view.from_rent > 0 => lang.pick(
            format!("전세로 치면 약 {}입니다.", money(view.cost.deposit, lang)),
            format!("As a jeonse it is worth about {}.", money(view.cost.deposit, lang)),
        ),
        Report::Conversion(view) if view.cost.deposit > 0 => lang.pick(
            format!(
                "보증금을 {}으로 줄이면 월세는 매달 {}까지입니다(전환율 상한 연 {}).",
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                percent(view.cost.legal_cap)
            ),
            format!(
                "With a deposit of {} the rent is at most {} a month (cap {} a year).",
                money(view.cost.deposit, lang),
                money(view.cost.monthly_rent, lang),
                percent(view.cost.legal_cap)
            ),
        ),
        Report::Conversion(view) => lang.pick(
            format!("월세로 모두 바꾸면 매달 {}까지입니다.", money(view.cost.monthly_rent, lang)),
            format!("Turned into rent it is at most {} a month.", money(view.cost.monthly_rent, lang)),
        ),
        Report::Contract(report) => {
            let grave = report.risks.iter().filter(|risk| risk.severity >= Severity::High).count();
            lang.pick(
                format!(
                    "조항 {}개를 살펴보니 위험한 것이 {grave}개, 그 밖에 주의할 것이 {}개 있습니다.",
                    report.clauses.len(),
                    report.risks.len() - grave
                ),
                format!(
                    "{} clauses: {grave} are dangerous, {} more deserve a look.",
                    report.clauses.len(),
                    report.risks.len() - grave
                ),
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
        Report::Level(_) | Report::Market(_) => return None,
    })
}

/// The deposit against the price: what was said of this home, or what homes there cost.
fn risk_of(s: &Advice, reports: &[&Report], lang: Lang) -> Option<String> {
    let terms = &s.planning.terms;
    let sum = |role| terms.amounts.iter().find(|amount| amount.role == role).map(|amount| amount.won);
    let own = match (sum(Role::Deposit), sum(Role::Price)) {
        (Some(deposit), Some(price)) if price > 0 => Some(deposit as f64 / price as f64),
        _ => None,
    };
    let found = reports.iter().find_map(|report| match report {
        Report::Market(view) => view.jeonse_ratio,
        _ => None,
    });
    let sale = reports.iter().find_map(|report| match report {
        Report::Level(level) if level.deal == Deal::Sale => Some(level.median),
        _ => None,
    });
    if let (None, Some(deposit), Some(sale)) = (own, sum(Role::Deposit), sale.filter(|sale| *sale > 0)) {
        let ratio = deposit as f64 / sale as f64;
        let (ko, en) = risk(ratio);
        return Some(lang.pick(
            format!(
                "보증금 {}은 이 지역 매매 중앙값 {}의 {}로, {ko}",
                money(deposit, lang),
                money(sale, lang),
                percent(ratio)
            ),
            format!(
                "{} is {} of the median price there, {}: {en}",
                money(deposit, lang),
                percent(ratio),
                money(sale, lang)
            ),
        ));
    }
    let ratio = own.or(found)?;
    let (ko, en) = risk(ratio);
    Some(if own.is_some() {
        lang.pick(
            format!("말씀하신 보증금은 집값의 {}로, {ko}", percent(ratio)),
            format!("The deposit is {} of the price: {en}", percent(ratio)),
        )
    } else {
        lang.pick(
            format!("이 지역의 전세가율은 {}로, {ko}", percent(ratio)),
            format!("Jeonse there is {} of the price: {en}", percent(ratio)),
        )
    })
}

/// What a search was narrowed down to, where the question did that.
fn conditions(s: &Advice, lang: Lang) -> Option<String> {
    let question = s.question();
    let mut parts: Vec<String> = Vec::new();
    for amount in question.terms.amounts.iter().filter(|amount| amount.role != Role::Income) {
        let sum = money(amount.won, lang);
        parts.extend(match amount.bound {
            Bound::AtMost => Some(lang.pick(format!("{sum} 이하"), format!("at most {sum}"))),
            Bound::AtLeast => Some(lang.pick(format!("{sum} 이상"), format!("at least {sum}"))),
            Bound::Around => Some(lang.pick(format!("{sum}대"), format!("around {sum}"))),
            Bound::Exact if amount.role == Role::Budget => {
                Some(lang.pick(format!("예산 {sum}"), format!("a budget of {sum}")))
            }
            Bound::Exact => None,
        });
    }
    parts.extend(question.terms.areas.iter().map(|area| {
        let metres = (area.square_metres * 10.0).round() / 10.0;
        lang.pick(format!("전용 {metres}㎡ 안팎"), format!("about {metres} m²"))
    }));
    (!parts.is_empty()).then(|| {
        lang.pick(format!("찾은 조건: {}.", parts.join(", ")), format!("Narrowed down to {}.", parts.join(", ")))
    })
}

/// What the dearest and the cheapest of several places differ by, for each kind of deal.
fn compared(reports: &[&Report], lang: Lang) -> Vec<String> {
    let mut sentences = Vec::new();
    for kind in [Deal::Sale, Deal::Jeonse, Deal::MonthlyRent] {
        let mut levels: Vec<&Level> = Vec::new();
        for report in reports {
            if let Report::Level(level) = report
                && level.deal == kind
                && !levels.iter().any(|known| known.region == level.region)
            {
                levels.push(level);
            }
        }
        let (Some(dear), Some(cheap)) =
            (levels.iter().max_by_key(|level| level.mean), levels.iter().min_by_key(|level| level.mean))
        else {
            continue;
        };
        if levels.len() < 2 || dear.mean == cheap.mean {
            continue;
        }
        let round = |won: u64| money(won / 10_000 * 10_000, lang);
        let share = (dear.mean - cheap.mean) as f64 / cheap.mean.max(1) as f64;
        sentences.push(lang.pick(
            format!(
                "{} 평균은 {}({})이 {}({})보다 {}({}) 높습니다.",
                deal(kind, lang),
                place(dear.region.as_ref(), lang),
                round(dear.mean),
                place(cheap.region.as_ref(), lang),
                round(cheap.mean),
                round(dear.mean - cheap.mean),
                percent((share * 1000.0).round() / 1000.0)
            ),
            format!(
                "Average {}: {} ({}) is {} ({}) above {} ({}).",
                deal(kind, lang),
                place(dear.region.as_ref(), lang),
                round(dear.mean),
                round(dear.mean - cheap.mean),
                percent((share * 1000.0).round() / 1000.0),
                place(cheap.region.as_ref(), lang),
                round(cheap.mean)
            ),
        ));
    }
    sentences.truncate(1);
    sentences
}

fn levels(s: &Advice, reports: &[&Report], lang: Lang) -> Vec<String> {
    let levels: Vec<&Level> = reports
        .iter()
        .filter_map(|report| match report {
            Report::Level(level) => Some(level),
            _ => None,
        })
        .collect();
    let mut regions: Vec<_> = levels.iter().map(|level| level.region.clone()).collect();
    regions.dedup();
    let mut sentences = Vec::new();
    for region in regions {
        let own: Vec<&&Level> = levels.iter().filter(|level| level.region == region).collect();
        let Some(first) = own.first() else { continue };
        let parts: Vec<String> = own
            .iter()
            .map(|level| {
                let rent = if level.deal == Deal::MonthlyRent {
                    format!("/{}", money(level.rent, lang))
                } else {
                    String::new()
                };
                format!("{} {}{rent}", deal(level.deal, lang), money(level.median, lang))
            })
            .collect();
        let what = format!("{} {}", place(region.as_ref(), lang), property(first.property, lang));
        sentences.push(lang.pick(
            format!("{what} 시세(중앙값)는 {}입니다.", parts.join(", ")),
            format!("Median prices of {what}: {}.", parts.join(", ")),
        ));
    }
    sentences.truncate(3);
    if sentences.is_empty() && !s.planning.regions.is_empty() {
        return Vec::new();
    }
    sentences
}
