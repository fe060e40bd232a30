//! Sums of money: 5억, 3억5천, 8천만원, 보증금 1억 월세 50, 500/50.

mod behind;
mod bounds;
mod claims;
mod roles;
mod shapes;
mod sums;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::is_taken_back;
use behind::role_after;
use bounds::{bound, limited};
use claims::claims;
use roles::{is_yearly, owed, role_before, yearly};
use shapes::{bare_million, goes_from_to, lent, let_for, paid_monthly};
use sums::{pair, spoken_pair, sum};

/// What a sum is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Price,
    Deposit,
    MonthlyRent,
    Loan,
    /// What somebody owes already.
    Debt,
    Income,
    Budget,
    /// What others may claim from a home before its tenant.
    Prior,
    /// What a home is to be sold again for.
    Resale,
    /// 공시가격.
    Official,
    /// What is paid back in a year for other loans, as interest alone, and for the loan that is spoken of.
    YearlyRepayment,
    YearlyInterest,
    LoanPayments,
    /// What another loan takes each month.
    MonthlyRepayment,
    /// What was or is gained by a sale.
    Gain,
    /// What other tenants of the house paid in before.
    OtherDeposits,
    /// What was paid of a price or deposit already.
    PaidDown,
    /// What is paid beside a rent each month.
    MonthlyCosts,
    /// What was spent on a home beside its price.
    Extra,
    /// What a gain is less by.
    Expense,
    /// What is paid between the down payment and the balance.
    Middle,
    /// What is given, and what was given before.
    Gift,
    EarlierGift,
    /// What the law spares: a figure of a rule, not of the person.
    Spared,
    Unsaid,
}

/// Whether a sum is a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    Exact,
    AtMost,
    AtLeast,
    /// 5억대: from there to the next round number.
    Around,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Amount {
    pub won: u64,
    pub role: Role,
    pub bound: Bound,
    /// The sum that it takes the place of: "6억 말고 7억".
    #[serde(default)]
    pub instead_of: Option<u64>,
    #[serde(skip)]
    pub(crate) span: (usize, usize),
}

impl Amount {
    /// At most so much, though nobody said so here.
    pub(crate) fn most(won: u64, role: Role) -> Self {
        Self { won, role, bound: Bound::AtMost, instead_of: None, span: (0, 0) }
    }

    /// Does the sum narrow down what is looked for?
    pub fn is_limit(&self) -> bool {
        self.bound != Bound::Exact || self.role == Role::Budget
    }
}

/// The sums in `text`, in order.
pub(crate) fn find(text: &str) -> Vec<Amount> {
    let mut found: Vec<Amount> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let step = text[at..].chars().next().map_or(1, char::len_utf8);
        let inside_number = text[..at].chars().next_back().is_some_and(|c| c.is_ascii_digit() || c == '.');
        if !inside_number {
            let from = found.last().map_or(0, |last| last.span.1);
            let role = match (role_before(&text[from..at]), corrected(text, found.last())) {
                // 연봉 4천이 아니라 7천5백: what is said instead is the same thing.
                (Role::Unsaid, Some(role)) => role,
                (role, _) => role,
            };
            if let Some((deposit, rent, length)) =
                pair(&text[at..]).or_else(|| spoken_pair(&text[at..], text, at))
            {
                let span = (at, at + length);
                let bound = bound(&text[at + length..], Role::MonthlyRent);
                found.push(Amount { won: deposit, role: Role::Deposit, bound, instead_of: None, span });
                found.push(Amount { won: rent, role: Role::MonthlyRent, bound, instead_of: None, span });
                at += length;
                continue;
            }
            let role = yearly(&text[from..at], &text[at..], role);
            if let Some((won, length)) = sum(&text[at..], role).or_else(|| bare_million(text, at, &found)) {
                let after = &text[at + length..];
                let role = if is_yearly(role) {
                    role
                } else {
                    owed(&text[from..at], after, role_after(after, role))
                };
                let role = paid_monthly(&text[from..at], after, role);
                let bound = limited(&text[..at]).unwrap_or_else(|| bound(after, role));
                let taken_back = found.last().filter(|last| is_taken_back(&text[last.span.1..]));
                let instead_of = taken_back.map(|last| last.won);
                found.push(Amount { won, role, bound, instead_of, span: (at, at + length) });
                at += length;
                continue;
            }
        }
        at += step;
    }
    found.retain(|amount| !is_taken_back(&text[amount.span.1..]));
    goes_from_to(text, &mut found);
    claims(text, &mut found);
    lent(text, &mut found);
    let_for(text, &mut found);
    // 예산을 8억에서 8억 3천으로: what it was is no longer.
    if let [from, to] = &found[..]
        && from.role == Role::Budget
        && matches!(to.role, Role::Budget | Role::Unsaid)
        && text.get(from.span.1..to.span.0).is_some_and(|between| ["에서", "서"].contains(&between.trim()))
    {
        let to = Amount { role: Role::Budget, ..to.clone() };
        found = vec![to];
    }
    // 보증금 1000에 월세 60 이하: who sets a limit to the one sets it to the other.
    for at in 1..found.len() {
        let (first, second) = (&found[at - 1], &found[at]);
        let lease = first.role == Role::Deposit && second.role == Role::MonthlyRent;
        let joined = first.span == second.span
            || text.get(first.span.1..second.span.0).is_some_and(|between| {
                let between = between.trim().trim_start_matches('에').trim();
                ["월세", "월", "/", ""].contains(&between)
            });
        if lease && joined && second.bound == Bound::AtMost && first.bound == Bound::Exact {
            found[at - 1].bound = Bound::AtMost;
        }
    }
    found
}

/// A sum at the beginning of a text and its length; in Korean a bare number counts 10,000 won.
pub(in crate::advisor) fn written_sum(text: &str, korean: bool) -> Option<(u64, usize)> {
    sum(text, if korean { Role::Extra } else { Role::Unsaid })
}

/// The role of a sum that is taken back right after it was said.
fn corrected(text: &str, last: Option<&Amount>) -> Option<Role> {
    last.filter(|last| is_taken_back(&text[last.span.1..])).map(|last| last.role)
}

#[cfg(test)]
mod tests;
