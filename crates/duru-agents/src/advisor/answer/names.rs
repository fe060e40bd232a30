//! What things are called.

use crate::advisor::lang::Lang;
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{Deal, Facility, Property};
use crate::advisor::won;

pub(super) fn deal(deal: Deal, lang: Lang) -> &'static str {
    match (deal, lang) {
        (Deal::Sale, Lang::Ko) => "매매",
        (Deal::Jeonse, Lang::Ko) => "전세",
        (Deal::MonthlyRent, Lang::Ko) => "월세",
        (Deal::Sale, Lang::En) => "sale",
        (Deal::Jeonse, Lang::En) => "jeonse (lump-sum deposit)",
        (Deal::MonthlyRent, Lang::En) => "monthly rent",
    }
}

pub(super) fn property(property: Option<Property>, lang: Lang) -> &'static str {
    let (ko, en) = match property {
        Some(Property::Apartment) => ("아파트", "apartments"),
        Some(Property::Officetel) => ("오피스텔", "officetels"),
        Some(Property::Villa) => ("빌라", "villas"),
        Some(Property::Studio) => ("원룸", "studios"),
        Some(Property::House) => ("단독주택", "houses"),
        Some(Property::Shop) => ("상가", "shops"),
        Some(Property::Land) => ("토지", "land"),
        None => ("주택", "homes"),
    };
    if lang == Lang::Ko { ko } else { en }
}

/// What several of a kind are called.
pub(super) fn facility(facility: Facility, lang: Lang) -> String {
    let (ko, en) = match facility {
        Facility::Subway => ("지하철역", "subway stations"),
        Facility::Elementary => ("초등학교", "elementary schools"),
        Facility::Middle => ("중학교", "middle schools"),
        Facility::High => ("고등학교", "high schools"),
        Facility::Hospital => ("병원", "hospitals"),
        Facility::Park => ("공원", "parks"),
        Facility::Shop => ("마트·시장", "shops"),
        Facility::Convenience => ("편의점", "convenience stores"),
    };
    lang.pick(ko, en)
}

pub(super) fn place(region: Option<&Region>, lang: Lang) -> String {
    region.map_or_else(|| lang.pick("전체", "all areas"), |region| full(region, lang))
}

/// A place in full, in the asker's letters.
pub(super) fn full(region: &Region, lang: Lang) -> String {
    lang.pick(region.to_string(), region.in_english())
}

pub(in crate::advisor) fn money(won: u64, lang: Lang) -> String {
    match lang {
        Lang::Ko => won::ko(won),
        Lang::En => won::en(won),
    }
}

/// To a hundredth of a per cent, without what is nothing.
pub(in crate::advisor) fn percent(share: f64) -> String {
    let text = format!("{:.2}", share * 100.0);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}%")
}

/// A line about what was assumed, where anything was.
pub(super) fn assumed(names: &[String], lang: Lang) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let list: Vec<String> = names.iter().map(|name| assumption(name, lang)).collect();
    Some(lang.pick(format!("가정: {}", list.join(", ")), format!("Assumed: {}", list.join("; "))))
}

/// What was assumed, as names in a report, in words.
fn assumption(name: &str, lang: Lang) -> String {
    if let Some((said, rule)) = name.strip_prefix("ltv_by_rule:").and_then(|two| two.split_once(':')) {
        return lang.pick(
            format!("LTV는 말씀하신 {said}%가 아니라 규정상 {rule}%"),
            format!("an LTV of {rule}%, as the rules have it, not the {said}% you said"),
        );
    }
    if let Some(share) = name.strip_prefix("official_price:") {
        return lang.pick(
            format!("공시가격을 모르므로 집값의 {share}%로 어림"),
            format!("the official price is not known and taken as {share}% of the price"),
        );
    }
    if let Some(share) = name.strip_prefix("bond_discount:") {
        return lang.pick(
            format!("채권 할인율 {share}% (날마다 바뀜)"),
            format!("the bonds sell at a discount of {share}%, which changes daily"),
        );
    }
    let (ko, en) = match name {
        "held_two_years" => ("2년 이상 보유", "held for at least two years"),
        "lived_throughout" => ("보유한 동안 거주", "lived in as long as it was held"),
        "no_expenses" => ("필요경비 0원", "no deductible expenses"),
        "no_credits" => ("고령자·장기보유 공제 없음", "no credits for age or years held"),
        "price_from_market" => ("집값은 찾은 시세의 중앙값", "the price is the median that was found"),
        "rent_from_market" => (
            "보증금과 월세는 찾은 시세의 중앙값을 면적에 맞춘 값",
            "deposit and rent are the median found, scaled by area",
        ),
        "deposit_from_market" => {
            ("보증금은 찾은 전세의 중앙값", "the deposit is the median jeonse that was found")
        }
        "unregulated" => (
            "지역을 모르므로 수도권의 비규제지역",
            "no area was named, so it is taken as around Seoul and not regulated",
        ),
        "rate" => ("금리는 은행 주택담보대출의 중간값", "the rate is the middle of banks' mortgages"),
        "rate_jeonse" => {
            ("금리는 은행 전세자금대출의 중간값", "the rate is the middle of banks' jeonse loans")
        }
        "years" => ("기간은 30년", "over 30 years"),
        "no_other_debt" => ("다른 대출 없음", "no other loans"),
        "debt_unsecured" => (
            "다른 대출은 신용대출로 보고 5년에 나누어 갚는 것으로 DSR에 넣음",
            "other debts count towards DSR as unsecured loans paid back over five years",
        ),
        "held_five_years" => ("5년 보유", "held for five years"),
        "one_home" => ("이 집만 가진 1주택자", "this is the only home"),
        "no_growth" => ("집값은 오르지도 내리지도 않음", "the price stays as it is"),
        "area_up_to_85" => ("전용 85㎡ 이하", "at most 85 m²"),
        other => (other, other),
    };
    lang.pick(ko, en)
}

/// What the person would have to say, as names in a result, in words.
pub(super) fn wanting(name: &str, lang: Lang) -> String {
    let (ko, en) = match name {
        "income" => ("연소득", "the yearly income"),
        "official_price" => ("공시가격이나 집값", "the official price or the price of the home"),
        "held_years" => ("보유 기간과 거주 기간", "how long the home was held and lived in"),
        "sale_price" => ("파는 값(양도가)", "what it is sold for"),
        "purchase_price" => ("산 값(취득가)과 필요경비", "what it was bought for, and expenses"),
        "price" => ("집값", "the price of the home"),
        "loan" => ("빌릴 금액", "the sum to be borrowed"),
        "deposit" => ("지금의 보증금이나 월세", "the present deposit or rent"),
        "monthly_rent" => ("예상 월세", "the expected rent"),
        "district" => ("구나 동의 이름", "a district or neighbourhood"),
        "contract_text" => {
            ("계약서의 내용(조항을 그대로 붙여 넣기)", "the text of the contract, pasted as it is")
        }
        other => (other, other),
    };
    lang.pick(ko, en)
}
