//! The form of a lease.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the home is let.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeaseKind {
    /// A deposit and no rent.
    Jeonse,
    MonthlyRent,
}

/// A landlord or a tenant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Party {
    pub name: Option<String>,
    pub address: Option<String>,
    pub phone: Option<String>,
}

/// All that a lease says of its own. What is not said is a blank in the
/// document. Sums are in won.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LeaseForm {
    pub kind: Option<LeaseKind>,
    pub landlord: Party,
    pub tenant: Party,
    /// Where the home is.
    pub address: Option<String>,
    /// What of it is let: the whole, a floor, a room.
    pub part: Option<String>,
    /// Exclusive area, in square metres.
    pub area: Option<f64>,
    pub deposit: Option<u64>,
    /// Of the deposit, what is paid when the contract is made.
    pub down_payment: Option<u64>,
    pub interim: Option<u64>,
    #[schemars(with = "Option<String>")]
    pub interim_on: Option<Date>,
    pub balance: Option<u64>,
    #[schemars(with = "Option<String>")]
    pub balance_on: Option<Date>,
    pub monthly_rent: Option<u64>,
    /// The day of the month on which the rent is due.
    pub rent_day: Option<u8>,
    pub maintenance_fee: Option<u64>,
    #[schemars(with = "Option<String>")]
    pub start: Option<Date>,
    #[schemars(with = "Option<String>")]
    pub end: Option<Date>,
    #[schemars(with = "Option<String>")]
    pub signed_on: Option<Date>,
    pub special_terms: Vec<String>,
}

impl LeaseForm {
    /// This form, and what it does not say, from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            kind: self.kind.or(other.kind),
            landlord: self.landlord.or(other.landlord),
            tenant: self.tenant.or(other.tenant),
            address: self.address.or(other.address),
            part: self.part.or(other.part),
            area: self.area.or(other.area),
            deposit: self.deposit.or(other.deposit),
            down_payment: self.down_payment.or(other.down_payment),
            interim: self.interim.or(other.interim),
            interim_on: self.interim_on.or(other.interim_on),
            balance: self.balance.or(other.balance),
            balance_on: self.balance_on.or(other.balance_on),
            monthly_rent: self.monthly_rent.or(other.monthly_rent),
            rent_day: self.rent_day.or(other.rent_day),
            maintenance_fee: self.maintenance_fee.or(other.maintenance_fee),
            start: self.start.or(other.start),
            end: self.end.or(other.end),
            signed_on: self.signed_on.or(other.signed_on),
            special_terms: if self.special_terms.is_empty() {
                other.special_terms
            } else {
                self.special_terms
            },
        }
    }

    /// Whether a rent is paid: as the form says, or as its sums do.
    pub fn is_monthly(&self) -> bool {
        match self.kind {
            Some(kind) => kind == LeaseKind::MonthlyRent,
            None => self.monthly_rent.is_some_and(|rent| rent > 0),
        }
    }
}

impl Party {
    fn or(self, other: Self) -> Self {
        Self {
            name: self.name.or(other.name),
            address: self.address.or(other.address),
            phone: self.phone.or(other.phone),
        }
    }
}
