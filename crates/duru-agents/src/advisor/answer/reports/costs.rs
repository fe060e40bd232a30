//! What a purchase costs beside the price.

use crate::advisor::answer::names::{assumed, money, percent};
use crate::advisor::lang::Lang;
use crate::advisor::tools::{BrokerageFee, Buyer, TaxView};

pub(super) fn tax_lines(view: &TaxView, lang: Lang) -> Vec<String> {
    let tax = &view.tax;
    let mut lines = vec![lang.pick(
        format!(
            "취득세 합계 {}: 취득세 {} ({}), 지방교육세 {}, 농어촌특별세 {}",
            money(tax.total, lang),
            money(tax.acquisition, lang),
            percent(tax.rate),
            money(tax.education, lang),
            money(tax.rural, lang)
        ),
        format!(
            "Acquisition tax {} in all: {} ({}), education tax {}, rural tax {}",
            money(tax.total, lang),
            money(tax.acquisition, lang),
            percent(tax.rate),
            money(tax.education, lang),
            money(tax.rural, lang)
        ),
    )];
    let (ko, en) = match (view.purchase.buyer, view.purchase.regulated) {
        _ if !view.purchase.home => (" (주택이 아닌 부동산)".to_owned(), " (not a home)".to_owned()),
        (Buyer::Company, _) => (" (법인)".to_owned(), " (a company)".to_owned()),
        (Buyer::Household { homes_after: homes @ 2.. }, regulated) => (
            format!(" ({}의 {homes}번째 집)", if regulated { "규제지역" } else { "비규제지역" }),
            format!(" (home number {homes}, {} area)", if regulated { "regulated" } else { "unregulated" }),
        ),
        (Buyer::Household { .. }, _) => (String::new(), String::new()),
    };
    lines.push(lang.pick(
        format!("매입가 {}{ko}", money(view.purchase.price, lang)),
        format!("Price {}{en}", money(view.purchase.price, lang)),
    ));
    lines.extend(assumed(&view.assumed, lang));
    lines
}

pub(super) fn brokerage_line(fee: &BrokerageFee, lang: Lang) -> String {
    lang.pick(
        format!(
            "중개보수 상한: {} × {} = {} (부가가치세 별도, 한쪽 기준)",
            money(fee.base, lang),
            percent(fee.rate),
            money(fee.most, lang)
        ),
        format!(
            "Highest brokerage fee: {} × {} = {} (each side, without VAT)",
            money(fee.base, lang),
            percent(fee.rate),
            money(fee.most, lang)
        ),
    )
}
