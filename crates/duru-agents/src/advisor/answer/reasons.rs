//! Why an answer is as it is: what each figure follows from, and the law behind it.

use super::law;
use super::names::{deal, money, percent, place};
use crate::advisor::lang::Lang;
use crate::advisor::state::Advice;
use crate::advisor::tools::{Constants, LimitedBy, Report, Used};
use crate::advisor::understand::{DataKind, Intent, Role};

/// So many reasons are told.
const MOST: usize = 5;

/// The reasons, those of what was worked out first. As many in either language.
pub(super) fn of(s: &Advice, data: &[Used], constants: &Constants, lang: Lang) -> Vec<String> {
    let reports: Vec<&Report> = data.iter().flat_map(|used| &used.found.reports).collect();
    let mut reasons: Vec<String> = Vec::new();
    if s.planning.intent == Some(Intent::RiskAnalysis) {
        reasons.extend(risk(s, lang));
    }
    reasons.extend(reports.iter().filter_map(|report| worked_out(report, constants, lang)));
    if s.planning.required.contains(&DataKind::Legal) {
        reasons.extend(law::shown(data).into_iter().take(3).map(|item| law::whole(item, lang)));
    }
    reasons.extend(reports.iter().find_map(|report| level(report, lang)));
    reasons.dedup();
    reasons.truncate(MOST);
    reasons
}

fn worked_out(report: &Report, constants: &Constants, lang: Lang) -> Option<String> {
    Some(match report {
        Report::LoanLimit(view) => {
            let limit = &view.limit;
            let (ko, en) = match limit.limited_by {
                LimitedBy::Ltv => ("집값에 대한 대출 비율(LTV)", "the share of the price (LTV)"),
                LimitedBy::Dti => ("소득에 대한 상환액 비율(DTI)", "repayments against income (DTI)"),
                LimitedBy::Dsr => ("소득에 대한 모든 빚의 상환액 비율(DSR)", "all repayments against income (DSR)"),
                LimitedBy::PriceCap => ("집값 구간별 상한", "the cap for homes of this price"),
            };
            let round = |won: u64| money(won / 10_000 * 10_000, lang);
            lang.pick(
                format!(
                    "여러 기준 가운데 가장 작은 값이 한도입니다: LTV로는 {}, DTI로는 {}, DSR로는 {}까지인데, {ko} 때문에 {}이 됩니다. DSR은 금리에 스트레스 금리를 더해 계산하고 {}까지 허용됩니다.",
                    round(limit.by_ltv),
                    round(limit.by_dti),
                    round(limit.by_dsr),
                    round(limit.limit),
                    percent(constants.dsr())
                ),
                format!(
                    "The smallest of several limits counts: LTV allows {}, DTI {}, DSR {}; {en} makes it {}. DSR is reckoned with a stress rate on top, up to {} of income.",
                    round(limit.by_ltv),
                    round(limit.by_dti),
                    round(limit.by_dsr),
                    round(limit.limit),
                    percent(constants.dsr())
                ),
            )
        }
        Report::Repayment(view) => lang.pick(
            format!(
                "원금 {}, 연 {}, {}년을 그대로 넣어 계산한 값입니다. 금리나 기간이 달라지면 매달 내는 돈도 달라집니다.",
                money(view.principal, lang),
                percent(view.rate),
                view.years
            ),
            format!(
                "It follows from a principal of {}, {} a year and {} years; with another rate or term it changes.",
                money(view.principal, lang),
                percent(view.rate),
                view.years
            ),
        ),
        Report::Increase(view) => lang.pick(
            format!(
                "법이 증액을 {}까지만 허용하기 때문입니다: {} × {} = {}.",
                percent(view.cap),
                money(view.current, lang),
                percent(view.cap),
                money(view.most.saturating_sub(view.current), lang)
            ),
            format!(
                "The law allows an increase of {} at most: {} × {} = {}.",
                percent(view.cap),
                money(view.current, lang),
                percent(view.cap),
                money(view.most.saturating_sub(view.current), lang)
            ),
        ),
        Report::Conversion(view) => lang.pick(
            format!(
                "월세와 보증금은 연 {}의 전환율로 바꿉니다(바뀌는 보증금 × 전환율 ÷ 12). 법의 상한은 기준금리에 2%p를 더한 값과 10% 가운데 낮은 쪽입니다.",
                percent(view.cost.rate)
            ),
            format!(
                "Deposit and rent are exchanged at {} a year (the part exchanged × the rate ÷ 12); the law caps it at the base rate plus 2 points, or 10% if that is lower.",
                percent(view.cost.rate)
            ),
        ),
        _ => return taxed(report, lang),
    })
}

/// Why a tax, a fee or a return is what it is.
fn taxed(report: &Report, lang: Lang) -> Option<String> {
    Some(match report {
        Report::Tax(view) => lang.pick(
            format!(
                "집값 {}에 세율 {}를 곱하고 지방교육세 등을 더한 값입니다. 집값과 가진 집의 수에 따라 세율이 달라집니다.",
                money(view.purchase.price, lang),
                percent(view.tax.rate)
            ),
            format!(
                "It is {} of {}, plus education tax and the like; the rate depends on the price and on how many homes one has.",
                percent(view.tax.rate),
                money(view.purchase.price, lang)
            ),
        ),
        Report::CapitalGains(_) => lang.pick(
            "판 값에서 산 값과 필요경비를 뺀 차익에서 비과세분과 장기보유특별공제, 기본공제 250만원을 빼고 세율을 곱한 값입니다.",
            "It is the gain, less what is exempt, the deduction for years held and the basic deduction, times the rate.",
        ),
        Report::PropertyTax(view) => lang.pick(
            format!("공시가격에 공정시장가액비율 {}를 곱한 과세표준에 구간별 세율을 매긴 값입니다.", percent(view.tax.ratio)),
            format!("The official price times the fair market ratio of {} is the tax base, taxed by steps.", percent(view.tax.ratio)),
        ),
        Report::ComprehensiveTax(view) => lang.pick(
            format!("공시가격에서 {}을 공제한 뒤 공정시장가액비율을 곱한 과세표준에 매긴 값입니다.", money(view.tax.deduction, lang)),
            format!("The official price less {} times the fair market ratio is the tax base.", money(view.tax.deduction, lang)),
        ),
        Report::Registration(view) => lang.pick(
            format!("취득세, 채권 할인 비용, 법무사 보수, 인지세와 중개보수 상한을 더한 값입니다(집값 {}).", money(view.price, lang)),
            format!("It adds up taxes, the loss on bonds, scrivener, stamp and the highest brokerage (price {}).", money(view.price, lang)),
        ),
        Report::Brokerage(fee) => lang.pick(
            format!("거래금액 {}에 상한요율 {}를 곱한 값입니다.", money(fee.base, lang), percent(fee.rate)),
            format!("It is {} times the highest rate of {}.", money(fee.base, lang), percent(fee.rate)),
        ),
        Report::Returns(view) => lang.pick(
            format!(
                "1년 월세를 매입가 {}로 나눈 것이 총수익률이고, 공실 {}와 관리비·보유세를 뺀 것이 순수익률입니다.",
                money(view.investment.price, lang),
                percent(view.vacancy)
            ),
            format!(
                "A year's rent over the price of {} is the gross yield; less {} vacancy, upkeep and holding tax it is the net yield.",
                money(view.investment.price, lang),
                percent(view.vacancy)
            ),
        ),
        _ => return None,
    })
}

/// The deposit against the price: what makes a lease dangerous.
fn risk(s: &Advice, lang: Lang) -> Option<String> {
    let sum = |role| s.planning.terms.amounts.iter().find(|amount| amount.role == role);
    let (deposit, price) = (sum(Role::Deposit)?.won, sum(Role::Price)?.won);
    let left = price.saturating_sub(deposit);
    Some(lang.pick(
        format!(
            "보증금 {}을 빼면 집값 {}에서 {}밖에 남지 않습니다. 집이 경매로 넘어가 그만큼 싸게 팔리거나 먼저 갚을 빚(근저당, 체납 세금)이 있으면 보증금을 다 돌려받지 못합니다.",
            money(deposit, lang),
            money(price, lang),
            money(left, lang)
        ),
        format!(
            "Beyond the deposit of {}, the price of {} leaves only {}. If the home is auctioned for that much less, or debts rank before the deposit (mortgages, unpaid taxes), it will not all come back.",
            money(deposit, lang),
            money(price, lang),
            money(left, lang)
        ),
    ))
}

fn level(report: &Report, lang: Lang) -> Option<String> {
    let Report::Level(level) = report else { return None };
    let (region, kind) = (place(level.region.as_ref(), lang), deal(level.deal, lang));
    Some(lang.pick(
        format!(
            "시세는 {region} {kind} {}건({} ~ {})의 중앙값입니다. 위치, 면적, 층, 준공 연도에 따라 {}에서 {}까지 차이가 납니다.",
            level.count,
            level.first,
            level.last,
            money(level.lowest, lang),
            money(level.highest, lang)
        ),
        format!(
            "The figure is the median of {} deals ({kind}, {region}, {} to {}); by location, size, floor and age they go from {} to {}.",
            level.count,
            level.first,
            level.last,
            money(level.lowest, lang),
            money(level.highest, lang)
        ),
    ))
}
