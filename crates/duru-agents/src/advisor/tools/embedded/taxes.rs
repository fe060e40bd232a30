//! What selling, having and registering a home costs.

use super::costs::{CostCalculator, estate, is_home};
use super::simulator::sale_level;
use crate::advisor::tools::brokerage::{Contracted, brokerage_fee};
use crate::advisor::tools::capital_gains::{HomeSale, capital_gains_tax, is_exempt, short_term_rate};
use crate::advisor::tools::holding_tax::{HeldHome, comprehensive_tax, property_tax};
use crate::advisor::tools::registration::registration_cost;
use crate::advisor::tools::report::{ComprehensiveView, GainsView, PropertyView, RegistrationView, Report};
use crate::advisor::tools::tool::{Parameters, Used};
use crate::advisor::understand::Group;

impl CostCalculator {
    /// The tax on a sale as far as it can be told, and what would have to be said for the rest.
    pub(super) fn gains(&self, asked: &Parameters) -> (Option<Report>, Vec<&'static str>) {
        let (mut assumed, mut wanting) = (Vec::new(), Vec::new());
        let home = is_home(asked);
        let by_place = || asked.regions.first().is_some_and(|region| self.constants.is_regulated(region));
        let regulated = asked.regulated.unwrap_or_else(by_place);
        // Without a price to sell at, the only price that is said may be it; a gain alone is all that is taxed.
        let (price, bought) = match (asked.resale, asked.price, asked.gain) {
            (None, bought, Some(gain)) => {
                let bought = bought.unwrap_or(0);
                (Some(bought.saturating_add(gain)), Some(bought))
            }
            (None, Some(only), None) => (Some(only), None),
            (price, bought, _) => (price, bought.filter(|bought| Some(*bought) != price)),
        };
        let homes = self.homes(asked, &mut assumed);
        if asked.held_months.is_none() {
            wanting.push("held_years");
            assumed.push("held_two_years".to_owned());
        }
        let held = asked.held_months.unwrap_or(24);
        let lived = asked.lived_years.unwrap_or_else(|| {
            if home && homes <= 1 {
                assumed.push("lived_throughout".to_owned());
            }
            held / 12
        });
        if asked.expenses.is_none() && bought.is_some() {
            assumed.push("no_expenses".to_owned());
        }
        let rules = &self.constants.capital_gains;
        let surcharged = self.today > rules.surcharge.suspended_until;
        let sale = HomeSale {
            price: price.unwrap_or(0),
            bought: bought.unwrap_or(0),
            expenses: asked.expenses.unwrap_or(0),
            months_held: held,
            years_lived: lived,
            homes,
            regulated,
            home,
            surcharged,
        };
        let exempt = is_exempt(&sale, &self.constants);
        // An only home below the threshold is free whatever it was bought for.
        let free = exempt && price.is_some_and(|price| price <= rules.exempt_up_to);
        // What an only home is spared depends on what it is sold for.
        let by_gain = asked.resale.is_none() && asked.price.is_none() && asked.gain.is_some();
        let known = price.is_some() && (bought.is_some() || free) && !(by_gain && exempt);
        let price = price.filter(|_| !(by_gain && exempt));
        if price.is_none() {
            wanting.push("sale_price");
        }
        if bought.is_none() && !free {
            wanting.push("purchase_price");
        }
        let view = GainsView {
            price,
            sale,
            exempt,
            threshold: rules.exempt_up_to,
            short_rate: short_term_rate(held, home, &self.constants).filter(|_| asked.held_months.is_some()),
            tax: known.then(|| capital_gains_tax(&sale, &self.constants)),
            spared_until: (home && homes > 1 && regulated)
                .then(|| rules.surcharge.suspended_until.to_string()),
            assumed,
        };
        (Some(Report::CapitalGains(view)), wanting)
    }

    /// How many homes a household has; one where nobody says.
    fn homes(&self, asked: &Parameters, assumed: &mut Vec<String>) -> u32 {
        asked.homes.or_else(|| asked.groups.contains(&Group::HomeOwner).then_some(1)).unwrap_or_else(|| {
            assumed.push("one_home".to_owned());
            1
        })
    }

    /// What the tax office takes a home to be worth: as it was said, else a share of what it costs.
    fn official(&self, asked: &Parameters, given: &[Used], assumed: &mut Vec<String>) -> Option<u64> {
        if let Some(official) = asked.official_price {
            return Some(official);
        }
        let price = asked.price.or(asked.resale).or_else(|| {
            assumed.push("price_from_market".to_owned());
            Some(sale_level(given)?.median)
        })?;
        let share = self.constants.property_tax.official_share;
        assumed.push(format!("official_price:{:.0}", share * 100.0));
        Some((price as f64 * share).round() as u64)
    }

    fn held(&self, asked: &Parameters, given: &[Used], assumed: &mut Vec<String>) -> Option<HeldHome> {
        let official_price = self.official(asked, given, assumed)?;
        let homes = self.homes(asked, assumed);
        Some(HeldHome {
            official_price,
            homes,
            age: asked.age,
            years_held: asked.held_months.map(|months| months / 12),
        })
    }

    pub(super) fn property_tax(&self, asked: &Parameters, given: &[Used]) -> Option<Report> {
        let mut assumed = Vec::new();
        let held = self.held(asked, given, &mut assumed)?;
        let tax = property_tax(&held, &self.constants);
        Some(Report::PropertyTax(PropertyView { held, tax, assumed }))
    }

    pub(super) fn comprehensive_tax(&self, asked: &Parameters, given: &[Used]) -> Option<Report> {
        let mut assumed = Vec::new();
        let held = self.held(asked, given, &mut assumed)?;
        let tax = comprehensive_tax(&held, &self.constants);
        if held.homes <= 1 && tax.total > 0 && (asked.age.is_none() || asked.held_months.is_none()) {
            assumed.push("no_credits".to_owned());
        }
        Some(Report::ComprehensiveTax(ComprehensiveView { held, tax, assumed }))
    }

    pub(super) fn registration(&self, asked: &Parameters, given: &[Used]) -> Option<Report> {
        let bought = self.bought(asked, given)?;
        let price = bought.purchase.price;
        let mut assumed = bought.assumed;
        let with = Parameters { price: Some(price), ..asked.clone() };
        let official_price = self.official(&with, given, &mut assumed)?;
        let cost = registration_cost(price, official_price, asked.regions.first(), &self.constants);
        assumed.push(format!("bond_discount:{:.0}", cost.bond_discount * 100.0));
        let fee = brokerage_fee(estate(asked), Contracted::Sale { price }, &self.constants).most;
        let total = bought.tax.total + cost.total + fee;
        let tax = bought.tax;
        Some(Report::Registration(RegistrationView {
            price,
            official_price,
            tax,
            cost,
            brokerage: fee,
            total,
            assumed,
        }))
    }
}
