//! What an investment in a home returns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::constants::Constants;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Investment {
    pub price: u64,
    /// Taxes and fees of buying.
    pub buying_costs: u64,
    /// The tenant's deposit, which the buyer need not bring.
    pub deposit: u64,
    pub monthly_rent: u64,
    pub loan: u64,
    /// A year's interest, interest only.
    pub loan_rate: f64,
    pub years: u32,
    /// How much the price rises in a year.
    pub growth: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Returns {
    /// A year's rent over the price.
    pub gross_yield: f64,
    /// A year's rent less vacancy, upkeep and holding tax, over price and costs.
    pub net_yield: f64,
    /// What is left in a year after interest, in won; may be negative.
    pub cash_flow: i64,
    /// What the buyer brings.
    pub own_money: u64,
    /// The cash flow over what the buyer brings; none if the buyer brings nothing.
    pub cash_on_cash: Option<f64>,
    /// The price at the end.
    pub sale_price: u64,
    /// Gain over all the years, before tax on the gain.
    pub total_gain: i64,
    /// The same as a yearly rate on what the buyer brings.
    pub annualised: Option<f64>,
    #[schemars(with = "String")]
    pub as_of: jiff::civil::Date,
}

pub fn returns(investment: &Investment, constants: &Constants) -> Returns {
    let finite = |value: f64| if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 };
    let assumed = &constants.returns;
    let price = investment.price as f64;
    let rent = investment.monthly_rent as f64 * 12.0;
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let running = price * (assumed.upkeep_of_price + assumed.holding_tax_of_price);
    let net = rent * (1.0 - assumed.vacancy) - running;
    let interest = investment.loan as f64 * finite(investment.loan_rate).max(0.0);
    let flow = net - interest;
    let all_in = price + investment.buying_costs as f64;
    let own = (all_in - investment.deposit as f64 - investment.loan as f64).max(0.0);
    let years = investment.years.clamp(1, 100);
    let sale = price * (1.0 + finite(investment.growth)).powi(i32::try_from(years).unwrap_or(100));
    let gain = sale - all_in + flow * f64::from(years);
    let brings = own > 0.0;
    let grown = 1.0 + share(gain, own);
    Returns {
        gross_yield: share(rent, price),
        net_yield: share(net, all_in),
        cash_flow: flow.round() as i64,
        own_money: own.round() as u64,
        cash_on_cash: brings.then(|| flow / own),
        sale_price: sale.round() as u64,
        total_gain: gain.round() as i64,
        annualised: (brings && grown > 0.0).then(|| grown.powf(1.0 / f64::from(years)) - 1.0),
        as_of: constants.as_of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rented_flat_by_hand() {
        // 5억 with 1,500만 costs; 5,000만/150만; a loan of 2억 at 4 %; 5 years at 3 %.
        let got = returns(
            &Investment {
                price: 500_000_000,
                buying_costs: 15_000_000,
                deposit: 50_000_000,
                monthly_rent: 1_500_000,
                loan: 200_000_000,
                loan_rate: 0.04,
                years: 5,
                growth: 0.03,
            },
            Constants::built_in(),
        );
        // Rent 18,000,000; less 5 % vacancy 17,100,000; less 0.4 % of 5억 = 2,000,000: 15,100,000.
        assert!((got.gross_yield - 0.036).abs() < 1e-9);
        assert!((got.net_yield - 15_100_000.0 / 515_000_000.0).abs() < 1e-9);
        assert_eq!(got.cash_flow, 7_100_000);
        assert_eq!(got.own_money, 265_000_000);
        // 5억 × 1.03^5 = 579,637,037; gain 64,637,037 + 35,500,000.
        assert_eq!(got.sale_price, 579_637_037);
        assert_eq!(got.total_gain, 100_137_037);
    }

    #[test]
    fn a_purchase_without_own_money_has_no_yield_on_it() {
        let gap = Investment {
            price: 100,
            buying_costs: 0,
            deposit: 60,
            monthly_rent: 0,
            loan: 40,
            loan_rate: f64::NAN,
            years: 0,
            growth: f64::INFINITY,
        };
        let got = returns(&gap, Constants::built_in());
        assert_eq!((got.cash_on_cash, got.annualised), (None, None));
    }
}
