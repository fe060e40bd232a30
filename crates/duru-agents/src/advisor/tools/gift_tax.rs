//! The tax on money that is given (증여세).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::{Constants, along, top_rate};

/// Who is given to, seen from who gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Recipient {
    Child,
    Minor,
    Spouse,
    Parent,
    Relative,
    Other,
}

/// A gift, and what the same person gave in the ten years before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Gift {
    pub sum: u64,
    pub earlier: u64,
    pub to: Recipient,
    /// A marriage or a birth within two years.
    pub marriage: bool,
}

/// The tax and how it comes about, in won.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GiftTax {
    pub deduction: u64,
    /// What a marriage or a birth spares on top.
    pub extra: u64,
    pub base: u64,
    pub rate: f64,
    /// Less what the earlier gifts were taxed with.
    pub tax: u64,
    /// What is due if it is filed in time.
    pub in_time: u64,
}

pub fn gift_tax(gift: &Gift, constants: &Constants) -> GiftTax {
    let rules = &constants.gift_tax;
    let deduction = match gift.to {
        Recipient::Child => rules.child,
        Recipient::Minor => rules.minor,
        Recipient::Spouse => rules.spouse,
        Recipient::Parent => rules.parent,
        Recipient::Relative => rules.relative,
        Recipient::Other => 0,
    };
    let child = matches!(gift.to, Recipient::Child | Recipient::Minor);
    let extra = if gift.marriage && child { rules.marriage } else { 0 };
    let base = gift.sum.saturating_add(gift.earlier).saturating_sub(deduction).saturating_sub(extra);
    let before = along(&rules.scale, gift.earlier.saturating_sub(deduction));
    let tax = (along(&rules.scale, base) - before).max(0.0);
    let rate = if base == 0 { 0.0 } else { top_rate(&rules.scale, base) };
    let in_time = (tax * (1.0 - rules.in_time) + 1e-6) as u64;
    GiftTax { deduction, extra, base, rate, tax: (tax + 1e-6) as u64, in_time }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(sum: u64, earlier: u64, to: Recipient, marriage: bool) -> (u64, u64) {
        let tax = gift_tax(&Gift { sum, earlier, to, marriage }, Constants::built_in());
        (tax.tax, tax.in_time)
    }

    /// 3억 less 5천만: 2.5억, 20 % less 1천만 are 4,000만; 3 % off are 3,880만.
    #[test]
    fn gifts_by_hand() {
        assert_eq!(due(300_000_000, 0, Recipient::Child, false), (40_000_000, 38_800_000));
        // 1.5억 lie within 5천만 and the 1억 of a marriage.
        assert_eq!(due(150_000_000, 0, Recipient::Child, true), (0, 0));
        // 8천만 to a minor: 6천만 at 10 %.
        assert_eq!(due(80_000_000, 0, Recipient::Minor, false), (6_000_000, 5_820_000));
        assert_eq!(due(600_000_000, 0, Recipient::Spouse, false), (0, 0));
        // 1억 after 1억: 1.5억 are taxed with 2,000만, of which the first 500만 were paid.
        assert_eq!(due(100_000_000, 100_000_000, Recipient::Child, false).0, 15_000_000);
    }
}
