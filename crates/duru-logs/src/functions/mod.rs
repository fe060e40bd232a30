//! PostgreSQL's functions and operators, where DataFusion has none or others.
//!
//! Their names begin with `pg_`; only the dialect's rewrite calls them.

mod arithmetic;
mod cast;
mod clock;
mod decimal;
mod interval;
mod json;
mod json_path;
pub(crate) mod json_text;
mod path_text;
mod percentile;
mod regex;
mod rounding;
mod scalar;
mod series;
mod text;
mod time;
mod to_char;

pub(crate) use cast::{print as print_value, print_time, to_date};
pub(crate) use clock::Clock;
pub(crate) use decimal::Number;
pub(crate) use path_text::unreadable_path;
pub(crate) use percentile::aggregates;
pub(crate) use regex::similar_to;
pub(crate) use scalar::{Failure, Scalar, fails, fault_in, unsupported};

use std::sync::Arc;

use datafusion::logical_expr::ScalarUDF;

/// All of them, for one query.
pub(crate) fn scalars(clock: &Arc<Clock>) -> Vec<Arc<ScalarUDF>> {
    [
        arithmetic::ALL,
        cast::ALL,
        json::ALL,
        json_path::ALL,
        regex::ALL,
        rounding::ALL,
        series::ALL,
        text::ALL,
        time::ALL,
        to_char::ALL,
    ]
    .concat()
    .into_iter()
    .map(|function| Arc::new(ScalarUDF::new_from_impl(Scalar::new(function, clock.clone()))))
    .collect()
}
