//! What a run may spend.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use duru_messages::UsageMetadata;
use serde::Deserialize;

use crate::Error;

/// What a run may spend on models, and what it has spent. Every try counts as a call.
///
/// It is looked at before a call and not during one, so the last call may go
/// over it by its own cost, which `max_tokens` limits.
#[derive(Debug)]
pub struct Budget {
    calls: u64,
    tokens: u64,
    /// In millionths of whatever currency the price is in.
    money: u64,
    price: Price,
    spent: Mutex<Spent>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    calls: u64,
    tokens: u64,
    money: u64,
}

/// What a model costs. A price per million tokens is also one in millionths per token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// For a million tokens of the prompt.
    pub input: f64,
    /// For a million tokens of the reply.
    pub output: f64,
}

/// What a budget counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Resource {
    /// Tries of calls.
    Calls,
    /// Tokens, in and out.
    Tokens,
    /// Money.
    Money,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Calls => "calls",
            Resource::Tokens => "tokens",
            Resource::Money => "money",
        })
    }
}

impl Budget {
    /// No limits; it only counts.
    pub fn unlimited() -> Self {
        let all = u64::MAX;
        Budget { calls: all, tokens: all, money: all, price: Price::default(), spent: Mutex::default() }
    }

    /// At most so many tries.
    #[must_use]
    pub fn with_calls(mut self, calls: u64) -> Self {
        self.calls = calls;
        self
    }

    /// At most so many tokens.
    #[must_use]
    pub fn with_tokens(mut self, tokens: u64) -> Self {
        self.tokens = tokens;
        self
    }

    /// At most so much money, in the price's currency.
    #[must_use]
    pub fn with_money(mut self, money: f64, price: Price) -> Self {
        // The cast saturates, and makes nothing of what is not a number.
        self.money = (money * 1e6) as u64;
        self.price = price;
        self
    }

    /// Tries so far.
    pub fn calls(&self) -> u64 {
        self.spent().calls
    }

    /// Tokens so far.
    pub fn tokens(&self) -> u64 {
        self.spent().tokens
    }

    /// Money so far.
    pub fn money(&self) -> f64 {
        self.spent().money as f64 / 1e6
    }

    /// Takes one call, if there is anything left of everything.
    pub(super) fn take_call(&self) -> Result<(), Error> {
        let mut spent = self.spent();
        let limits = [
            (Resource::Calls, spent.calls, self.calls),
            (Resource::Tokens, spent.tokens, self.tokens),
            (Resource::Money, spent.money, self.money),
        ];
        if let Some((what, ..)) = limits.into_iter().find(|(_, spent, limit)| spent >= limit) {
            return Err(Error::BudgetSpent { what });
        }
        spent.calls += 1;
        Ok(())
    }

    pub(super) fn spend(&self, usage: &UsageMetadata) {
        let cost =
            usage.input_tokens as f64 * self.price.input + usage.output_tokens as f64 * self.price.output;
        let mut spent = self.spent();
        spent.tokens = spent.tokens.saturating_add(usage.total_tokens);
        spent.money = spent.money.saturating_add(cost.ceil() as u64);
    }

    // Numbers are whole after every change, so a panic elsewhere does not spoil them.
    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
