//! What is asked of the lines: counts, rates, statistics, first and last.

mod bounds;
mod counts;
mod numbers;
mod order;
mod rates;
mod stats;
mod thresholds;

pub(super) use counts::{counts, side_by_side};
pub(super) use numbers::durations;
pub(super) use order::{limits, moments, orders};
pub(super) use rates::rates;
pub(super) use stats::stats;
pub(super) use thresholds::thresholds;
