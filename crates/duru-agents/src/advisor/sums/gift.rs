//! The tax on a gift in a sentence that names what it rests on.

use super::Given;
use crate::advisor::answer::{money, percent};
use crate::advisor::tools::{Gift, Recipient, gift_tax};

pub(super) fn tax_of_gift(g: &Given<'_>) -> Option<String> {
    let (all, lang) = (g.all, g.lang);
    let terms = all.gift_terms.unwrap_or_default();
    // Who is given to decides what is spared: without it there is no tax to tell.
    let to = terms.to?;
    let gift = Gift { sum: all.gift?, earlier: all.earlier_gifts.unwrap_or(0), to, marriage: terms.marriage };
    let tax = gift_tax(&gift, g.constants);
    let rules = &g.constants.gift_tax;
    let sum = |won: u64| money(won, lang);
    let (who_ko, who_en) = named(to);
    let (years, given) = (rules.years, sum(gift.sum));
    let (with_ko, with_en) = if gift.earlier > 0 {
        (
            format!(" {years}년 안의 증여 {}을 합산하고", sum(gift.earlier)),
            format!(", with the {} given within {years} years added", sum(gift.earlier)),
        )
    } else {
        (String::new(), String::new())
    };
    let (extra_ko, extra_en) = if tax.extra > 0 {
        (
            format!("과 혼인·출산 공제 {}", sum(tax.extra)),
            format!(" and {} for the marriage or birth", sum(tax.extra)),
        )
    } else {
        (String::new(), String::new())
    };
    let (spared, base, due, in_time) = (sum(tax.deduction), sum(tax.base), sum(tax.tax), sum(tax.in_time));
    let (rate, off, as_of) = (percent(tax.rate), percent(rules.in_time), g.constants.as_of);
    if tax.base == 0 {
        return Some(lang.pick(
            format!("{who_ko}에게 {given}을 증여하면{with_ko} 증여재산공제 {spared}{extra_ko} 안이라 증여세가 없습니다({as_of} 기준)."),
            format!("A gift of {given} to {who_en}{with_en} lies within the {spared} that are spared{extra_en}: no gift tax (as of {as_of})."),
        ));
    }
    Some(lang.pick(
        format!(
            "{who_ko}에게 {given}을 증여하면{with_ko} 증여재산공제 {spared}{extra_ko}을 뺀 과세표준 {base}에 최고세율 {rate}로 증여세는 {due}이고, 기한 안에 신고하면 {off}를 빼 {in_time}입니다({as_of} 기준)."
        ),
        format!(
            "A gift of {given} to {who_en}{with_en}, less the {spared} that are spared{extra_en}, leaves {base} to be taxed at up to {rate}: a gift tax of {due}, or {in_time} if it is filed in time ({off} off; as of {as_of})."
        ),
    ))
}

fn named(to: Recipient) -> (&'static str, &'static str) {
    match to {
        Recipient::Child => ("성년 자녀", "a grown-up child"),
        Recipient::Minor => ("미성년 자녀", "a minor"),
        Recipient::Spouse => ("배우자", "a spouse"),
        Recipient::Parent => ("부모", "a parent"),
        Recipient::Relative => ("그 밖의 친족", "another relative"),
        Recipient::Other => ("남", "somebody who is no relative"),
    }
}
