//! What it costs to have a purchase registered (등기 비용), beside the taxes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::{Constants, along};
use crate::advisor::understand::region::Region;

/// The parts, in won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RegistrationCost {
    /// 국민주택채권: what must be bought, and what selling it at once costs.
    pub bonds: u64,
    pub bond_loss: u64,
    pub bond_discount: f64,
    /// 인지세.
    pub stamp: u64,
    pub court_fee: u64,
    /// 법무사 보수, and the value-added tax on it.
    pub scrivener: u64,
    pub scrivener_vat: u64,
    pub total: u64,
    #[schemars(with = "String")]
    pub as_of: jiff::civil::Date,
}

pub fn registration_cost(
    price: u64,
    official_price: u64,
    place: Option<&Region>,
    constants: &Constants,
) -> RegistrationCost {
    let rules = &constants.registration;
    // Where nobody says where, the higher rates: a sum that falls short is worse than one that is left over.
    let metropolitan = place.is_none_or(|place| rules.metropolitan.contains(&place.province));
    let step = rules.bonds.iter().find(|step| step.below.is_none_or(|below| official_price < below));
    let share = step.map_or(0.0, |step| if metropolitan { step.metropolitan } else { step.elsewhere });
    // Bonds are bought by 10,000 won, from half of it on.
    let bonds = (official_price as f64 * share / 10_000.0).round() as u64 * 10_000;
    let bond_loss = (bonds as f64 * rules.bond_discount).round() as u64;
    let stamp = if price <= rules.stamp_free_home_up_to {
        0
    } else {
        rules.stamp.iter().find(|step| step.up_to.is_none_or(|end| price <= end)).map_or(0, |step| step.sum)
    };
    let scrivener = rules.scrivener_base + along(&rules.scrivener, price).round() as u64;
    let scrivener_vat = (scrivener as f64 * rules.value_added_tax).round() as u64;
    RegistrationCost {
        bonds,
        bond_loss,
        bond_discount: rules.bond_discount,
        stamp,
        court_fee: rules.court_fee,
        scrivener,
        scrivener_vat,
        total: bond_loss + stamp + rules.court_fee + scrivener + scrivener_vat,
        as_of: constants.as_of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advisor::understand::region;

    /// 6억 in Seoul, official 4.14억: bonds 2.6 % = 1,076만 4천, bought as 1,076만; 12 % of that is 129만 1,200. Stamp 15만,
    /// court 1만 5천. Scrivener: 10만 + 4.4만 + 5만 + 18만 + 16만 + 7만 = 60만 4천, and a tenth.
    #[test]
    fn a_registration_by_hand() {
        let seoul = region::find("마포구", &[]).remove(0).region;
        let cost = registration_cost(600_000_000, 414_000_000, Some(&seoul), Constants::built_in());
        assert_eq!((cost.bonds, cost.bond_loss), (10_760_000, 1_291_200));
        assert_eq!((cost.stamp, cost.court_fee), (150_000, 15_000));
        assert_eq!((cost.scrivener, cost.scrivener_vat), (604_000, 60_400));
        assert_eq!(cost.total, 2_120_600);
        // Elsewhere 2.1 %, and no stamp on a home of 1억.
        let elsewhere = region::find("춘천시", &[]).remove(0).region;
        let cost = registration_cost(100_000_000, 69_000_000, Some(&elsewhere), Constants::built_in());
        assert_eq!((cost.bonds, cost.stamp), (970_000, 0));
    }
}
