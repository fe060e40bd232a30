//! Taxes on selling and having a home, and what registering a purchase costs.

use crate::advisor::answer::names::{assumed, money, percent};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{ComprehensiveView, GainsView, PropertyView, RegistrationView};

/// How the tax on a sale comes about.
pub(super) fn gains_lines(view: &GainsView, lang: Lang) -> Vec<String> {
    let sum = |won| money(won, lang);
    let mut lines = Vec::new();
    if let Some(tax) = view.tax.as_ref().filter(|tax| tax.gain > 0 && view.sale.bought > 0) {
        lines.push(lang.pick(
            format!(
                "양도차익 {} (양도가 {} - 취득가 {} - 필요경비 {})",
                sum(tax.gain),
                sum(view.sale.price),
                sum(view.sale.bought),
                sum(view.sale.expenses)
            ),
            format!(
                "Gain {} (sold for {}, bought for {}, expenses {})",
                sum(tax.gain),
                sum(view.sale.price),
                sum(view.sale.bought),
                sum(view.sale.expenses)
            ),
        ));
        if tax.total > 0 {
            lines.push(lang.pick(
                format!(
                    "과세 대상 {}, 장기보유특별공제 {} ({})를 빼고 {}, 기본공제를 뺀 과세표준 {}, 최고세율 {}: 양도소득세 {} + 지방소득세 {} = {}",
                    sum(tax.taxable),
                    sum(tax.long_term),
                    percent(tax.long_term_share),
                    sum(tax.taxable - tax.long_term),
                    sum(tax.base),
                    percent(tax.rate),
                    sum(tax.tax),
                    sum(tax.local),
                    sum(tax.total)
                ),
                format!(
                    "Taxable {}, long-term deduction {} ({}), which leaves {}; tax base {} after the basic deduction, highest rate {}: capital gains tax {} + local tax {} = {}",
                    sum(tax.taxable),
                    sum(tax.long_term),
                    percent(tax.long_term_share),
                    sum(tax.taxable - tax.long_term),
                    sum(tax.base),
                    percent(tax.rate),
                    sum(tax.tax),
                    sum(tax.local),
                    sum(tax.total)
                ),
            ));
        }
    }
    if let Some(day) = &view.spared_until {
        lines.push(if view.sale.surcharged {
            lang.pick(
                format!("조정대상지역 다주택 중과의 유예가 {day}에 끝난 것으로 보고 중과세율을 적용했습니다. 연장되었는지 확인하세요."),
                format!("The suspension of the surcharge on several homes is taken to have ended on {day}; check whether it was extended."),
            )
        } else {
            lang.pick(
                format!("조정대상지역 다주택 중과는 {day}까지 유예되어 적용하지 않았습니다."),
                format!("The surcharge on several homes is suspended until {day} and was not added."),
            )
        });
    }
    lines.extend(assumed(&view.assumed, lang));
    lines
}

pub(super) fn property_lines(view: &PropertyView, lang: Lang) -> Vec<String> {
    let (sum, tax) = (|won| money(won, lang), &view.tax);
    let (ko, en) = if tax.special {
        (" (1세대 1주택 특례세율)", " (special rates of an only home)")
    } else {
        ("", "")
    };
    let mut lines = vec![
        lang.pick(
            format!(
                "공시가격 {} × 공정시장가액비율 {} = 과세표준 {}",
                sum(view.held.official_price),
                percent(tax.ratio),
                sum(tax.base)
            ),
            format!(
                "Official price {} × fair market ratio {} = tax base {}",
                sum(view.held.official_price),
                percent(tax.ratio),
                sum(tax.base)
            ),
        ),
        lang.pick(
            format!(
                "재산세 {}{ko} + 도시지역분 {} + 지방교육세 {} = 1년에 {}",
                sum(tax.tax),
                sum(tax.urban),
                sum(tax.education),
                sum(tax.total)
            ),
            format!(
                "Property tax {}{en} + urban part {} + education tax {} = {} a year",
                sum(tax.tax),
                sum(tax.urban),
                sum(tax.education),
                sum(tax.total)
            ),
        ),
        lang.pick(
            "6월 1일에 집을 가진 사람에게 매겨지고 7월과 9월에 반씩 냅니다. 지역자원시설세와 과세표준상한은 넣지 않았습니다.",
            "Whoever has the home on June 1st pays it, half in July and half in September. The tax for local facilities and the cap on the tax base are left out.",
        ),
    ];
    lines.extend(assumed(&view.assumed, lang));
    lines
}

pub(super) fn comprehensive_lines(view: &ComprehensiveView, lang: Lang) -> Vec<String> {
    let (sum, tax) = (|won| money(won, lang), &view.tax);
    let mut lines = vec![lang.pick(
        format!(
            "종합부동산세 과세표준: (공시가격 {} - 공제 {}) × 공정시장가액비율 = {}",
            sum(view.held.official_price),
            sum(tax.deduction),
            sum(tax.base)
        ),
        format!(
            "Base of the comprehensive real-estate tax: (official price {} - deduction {}) × fair market ratio = {}",
            sum(view.held.official_price),
            sum(tax.deduction),
            sum(tax.base)
        ),
    )];
    if tax.total > 0 {
        lines.push(lang.pick(
            format!(
                "세율에 따른 세액 {} - 재산세 공제 {}{} = 종합부동산세 {}, 농어촌특별세 {}: 1년에 {}",
                sum(tax.before),
                sum(tax.paid_as_property),
                if tax.credit_share > 0.0 { format!(" - 고령자·장기보유 공제 {}", percent(tax.credit_share)) } else { String::new() },
                sum(tax.tax),
                sum(tax.rural),
                sum(tax.total)
            ),
            format!(
                "By the scale {} - property tax paid {}{} = comprehensive real-estate tax {}, rural tax {}: {} a year",
                sum(tax.before),
                sum(tax.paid_as_property),
                if tax.credit_share > 0.0 { format!(" - {} for age and years held", percent(tax.credit_share)) } else { String::new() },
                sum(tax.tax),
                sum(tax.rural),
                sum(tax.total)
            ),
        ));
    }
    lines.push(lang.pick(
        "12월에 내며, 세부담상한은 넣지 않았습니다.",
        "It is due in December; the cap on a year's rise is left out.",
    ));
    lines.extend(assumed(&view.assumed, lang));
    lines
}

pub(super) fn registration_lines(view: &RegistrationView, lang: Lang) -> Vec<String> {
    let (sum, cost) = (|won| money(won, lang), &view.cost);
    let mut lines = vec![
        lang.pick(
            format!("취득세·지방교육세·농어촌특별세 {}", sum(view.tax.total)),
            format!("Acquisition, education and rural tax {}", sum(view.tax.total)),
        ),
        lang.pick(
            format!(
                "국민주택채권 {} 매입, 바로 팔 때 드는 할인 비용 약 {} (어림)",
                sum(cost.bonds),
                sum(cost.bond_loss)
            ),
            format!(
                "Housing bonds of {}: selling them at once costs about {} (an estimate)",
                sum(cost.bonds),
                sum(cost.bond_loss)
            ),
        ),
        lang.pick(
            format!(
                "법무사 보수 {} + 부가가치세 {}, 인지세 {}, 등기신청수수료 {}",
                sum(cost.scrivener),
                sum(cost.scrivener_vat),
                sum(cost.stamp),
                sum(cost.court_fee)
            ),
            format!(
                "Judicial scrivener {} + VAT {}, stamp tax {}, registry fee {}",
                sum(cost.scrivener),
                sum(cost.scrivener_vat),
                sum(cost.stamp),
                sum(cost.court_fee)
            ),
        ),
        lang.pick(
            format!("중개보수 상한 {} (부가가치세 별도)", sum(view.brokerage)),
            format!("Brokerage of at most {} (without VAT)", sum(view.brokerage)),
        ),
    ];
    lines.extend(assumed(&view.assumed, lang));
    lines
}

/// The tax on a sale in one sentence: whether any is due, and how much.
pub(in crate::advisor::answer) fn gains_sentence(view: &GainsView, lang: Lang) -> String {
    let sum = |won| money(won, lang);
    let threshold = sum(view.threshold);
    let high = view.price.filter(|price| *price > view.threshold);
    let years = view.sale.months_held / 12;
    match (&view.tax, view.exempt, high) {
        (Some(tax), true, None) if tax.total == 0 => lang.pick(
            format!(
                "1세대 1주택을 {years}년 보유하고 {threshold} 이하에 팔면 양도소득세가 비과세입니다."
            ),
            format!("Capital gains tax: none. An only home held for {years} years and sold for at most {threshold} is exempt."),
        ),
        (Some(tax), exempt, _) => {
            let (ko, en) = if exempt {
                (
                    format!(" 1세대 1주택이라 {threshold}을 넘는 부분의 차익만 과세합니다."),
                    format!(" As an only home, only the gain on what exceeds {threshold} is taxed."),
                )
            } else {
                (String::new(), String::new())
            };
            // What is held briefly has a rate of its own.
            let (ko, en) = match view.short_rate {
                Some(rate) => {
                    let (rate, under) = (percent(rate), if view.sale.months_held < 12 { 1 } else { 2 });
                    (
                        format!(" 보유 {under}년 미만이라 세율은 {rate}입니다."),
                        format!(" Held for under {under} years, the rate is {rate}."),
                    )
                }
                None => (ko, en),
            };
            lang.pick(
                format!("양도소득세는 지방소득세를 더해 약 {}입니다.{ko}", sum(tax.total)),
                format!("The capital gains tax is about {}, local tax included.{en}", sum(tax.total)),
            )
        }
        (None, true, Some(price)) => {
            let share = percent((price - view.threshold) as f64 / price as f64);
            lang.pick(
                format!(
                    "1세대 1주택은 {threshold}까지 양도소득세가 비과세이고, {}에 팔면 {threshold}을 넘는 부분({share})의 차익만 과세됩니다. 취득가를 알려 주시면 세액을 계산합니다.",
                    sum(price)
                ),
                format!(
                    "An only home is free of capital gains tax up to {threshold}; sold for {}, only the part of the gain above it ({share}) is taxed. Tell me what it was bought for, and I work out the tax.",
                    sum(price)
                ),
            )
        }
        (None, exempt, _) => match view.short_rate {
            Some(rate) if view.sale.home => lang.pick(
                format!(
                    "주택을 {} 미만 보유하고 팔면 양도소득세율은 {}입니다(지방소득세 10% 별도). 1년 미만 70%, 2년 미만 60%가 적용됩니다.",
                    if view.sale.months_held < 12 { "1년" } else { "2년" },
                    percent(rate)
                ),
                format!(
                    "The capital gains tax rate on a home held for under {} is {} (local tax of a tenth on top).",
                    if view.sale.months_held < 12 { "a year" } else { "two years" },
                    percent(rate)
                ),
            ),
            Some(rate) => lang.pick(
                format!("2년 미만 보유한 부동산의 양도소득세율은 {}입니다(지방소득세 10% 별도).", percent(rate)),
                format!("The capital gains tax rate on real estate held so briefly is {}.", percent(rate)),
            ),
            None if exempt => lang.pick(
                format!("1세대 1주택을 2년 넘게 보유했다면 {threshold}까지 양도소득세가 비과세이고, 넘는 부분의 차익만 과세됩니다."),
                format!("An only home held for over two years is free of capital gains tax up to {threshold}; only the gain above it is taxed."),
            ),
            None => lang.pick(
                "양도소득세는 판 값에서 산 값과 필요경비를 뺀 차익에 6~45%의 세율로 매깁니다. 취득가와 양도가를 알려 주시면 계산합니다.",
                "Capital gains tax takes 6 to 45% of the gain. Tell me what the home was bought and is sold for, and I work it out.",
            ),
        },
    }
}
