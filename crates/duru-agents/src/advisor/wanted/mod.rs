//! What a question wants: what is to be worked out and with which figures, and in which manner it asks.

mod calculations;
mod gifts;
mod homes;
mod manner;
mod parameters;
mod placed;
mod said;

pub(super) use calculations::{calculations, intent_of, needs_prices};
pub(super) use gifts::gifts;
pub(super) use homes::homes_after;
pub(super) use manner::{defines, lists, weighs};
pub(super) use parameters::{parameters, with_defaults};
pub(super) use said::{lent_share, percent, regulated, years};
