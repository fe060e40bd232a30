//! The names of what words mean, in both languages.

use serde::Serialize;

/// The names of what words mean, in both languages.
pub(in crate::advisor) fn name<T: Serialize>(item: &T) -> Option<(String, String)> {
    let code = serde_json::to_value(item).ok()?.as_str()?.to_owned();
    let english = code.replace('_', " ");
    let korean = NAMES.iter().find(|(name, _)| *name == code).map_or(english.as_str(), |(_, ko)| ko);
    Some((korean.to_owned(), english))
}

#[rustfmt::skip]
const NAMES: &[(&str, &str)] = &[
    ("sale", "매매"), ("jeonse", "전세"), ("monthly_rent", "월세"),
    ("apartment", "아파트"), ("officetel", "오피스텔"), ("villa", "빌라"), ("studio", "원룸"), ("house", "주택"), ("shop", "상가"), ("land", "토지"),
    ("mortgage", "주택담보대출"), ("credit", "신용대출"),
    ("foreigner", "외국인"), ("national", "내국인"), ("youth", "청년"), ("newlywed", "신혼부부"), ("first_buyer", "생애 최초 구입"), ("no_home", "무주택"),
    ("home_owner", "유주택"), ("company", "법인"), ("self_employed", "자영업"), ("employee", "직장인"), ("parent", "자녀가 있음"),
    ("new", "신축"), ("old", "구축"), ("near_station", "역세권"), ("school", "학교"), ("large_complex", "대단지"), ("facing", "방향"), ("floor", "층"),
    ("rooms", "방 수"), ("equipment", "설비"), ("view", "조망"), ("redevelopment", "재건축·재개발"), ("bargain", "급매"), ("size", "크기"),
    ("renewal", "계약 갱신"), ("deposit_return", "보증금 반환"), ("priority", "대항력·우선변제"), ("rent_increase", "임대료 인상"), ("conversion", "전월세 전환"),
    ("repair", "수선"), ("brokerage", "중개"), ("termination", "해지"), ("tax", "세금"), ("fraud", "전세 사기"), ("sublease", "전대"), ("auction", "경매"),
    ("report", "신고"), ("disclosure", "설명 의무"),
];
