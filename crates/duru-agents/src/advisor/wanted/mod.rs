//! What a question wants: what is to be worked out and with which figures, and in which manner it asks.

mod calculations;
mod manner;
mod parameters;
mod said;

pub(super) use calculations::{asks_increase, calculations, intent_of, needs_prices};
pub(super) use manner::{defines, lists, weighs};
pub(super) use parameters::{parameters, with_defaults};
pub(super) use said::{homes_after, percent, regulated, years};
