use super::*;

const LEASE: [&str; 3] = [
    "보증금 3억원은 갱신할 때 3억 1,500만원까지 올릴 수 있습니다 (상한 5%, 최대 1,500만원 인상).",
    "임차인의 동의 없이 전대할 수 없습니다.",
    "전세가율은 72%입니다.",
];

#[test]
fn what_breaks_its_own_limit_is_caught() {
    let known =
        ["A deposit of ₩300,000,000 may rise to ₩315,000,000 on renewal (cap 5%, ₩15,000,000 at most)."];
    for said in [
        "Yes, a 10% increase in rent is allowed, but it must not exceed 5%.",
        "Yes, a 10% increase in rent is allowed under the Housing Lease Protection Act, but it must not exceed 5%.",
        "A rise of 10% is allowed.",
    ] {
        assert_eq!(nonsense(said, &known), Some(Nonsense::Limit), "{said}");
    }
    assert_eq!(nonsense("네, 10% 인상이 가능하지만 5%를 넘지 못합니다.", &LEASE), Some(Nonsense::Limit));
    assert_eq!(nonsense("보증금을 10% 올릴 수 있습니다.", &LEASE), Some(Nonsense::Limit));
    assert_eq!(nonsense("보증금은 5%까지 올릴 수 있습니다.", &LEASE), None);
    assert_eq!(nonsense("An increase of 5% is allowed; 10% is not allowed.", &known), None);
    assert_eq!(nonsense("A rise of 10% is not allowed.", &known), None, "it is over the limit");
    assert_eq!(nonsense("A rise of 4% is not allowed.", &known), Some(Nonsense::Polarity));
}

#[test]
fn what_may_not_be_is_not_told_to_be_allowed() {
    assert_eq!(nonsense("임차인은 동의 없이 전대할 수 있습니다.", &LEASE), Some(Nonsense::Polarity));
    assert_eq!(nonsense("동의 없이 전대하는 것은 불가능합니다.", &LEASE), None);
    assert_eq!(nonsense("보증금은 갱신할 때 올릴 수 없습니다.", &LEASE), Some(Nonsense::Polarity));
    let known = ["The tenant may not sublet the home without the landlord's consent."];
    assert_eq!(nonsense("The tenant may sublet the home without consent.", &known), Some(Nonsense::Polarity));
    assert_eq!(nonsense("The tenant can not sublet the home without consent.", &known), None);
}

#[test]
fn units_bounds_and_comparisons_are_compared() {
    assert_eq!(nonsense("보증금 인상 상한은 5년입니다.", &LEASE), Some(Nonsense::Unit));
    assert_eq!(nonsense("전세가율 72%는 70%보다 낮습니다.", &LEASE), Some(Nonsense::Comparison));
    assert_eq!(nonsense("전세가율 72%는 70%보다 높습니다.", &LEASE), None);
    assert_eq!(nonsense("The rate of 4.2% is lower than 3.5%.", &[]), Some(Nonsense::Comparison));
    assert_eq!(nonsense("The rate of 4.2% is higher than 3.5%.", &[]), None);
    assert_eq!(nonsense("보증금 인상은 5% 이상이어야 합니다.", &LEASE), Some(Nonsense::Limit));
}

#[test]
fn a_failed_sentence_is_replaced_by_the_computed_one() {
    let known = LEASE.join("\n");
    let said =
        "네, 보증금 10% 인상이 가능합니다. 전세가율은 72%입니다.\n\n- 전대는 동의 없이 할 수 있습니다.";
    assert_eq!(mended(said, &known), format!("{} {}\n\n- {}", LEASE[0], LEASE[2], LEASE[1]));
}

#[test]
fn what_is_sound_stays_as_it_is() {
    let known = LEASE.join("\n");
    let said =
        "보증금은 3억 1,500만원까지 올릴 수 있습니다(상한 5%).\n\n## 알아 둘 것\n1. 전세가율은 72%입니다.";
    assert_eq!(mended(said, &known), said);
}

#[test]
fn sentences_end_where_they_end() {
    assert_eq!(sentences("평균은 4.2%입니다. 다음! 1. 하나"), ["평균은 4.2%입니다.", "다음!", "1. 하나"]);
}
