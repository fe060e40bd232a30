//! Load for a server: clients of our own in a process of their own. They share the machine's cores with the server that
//! they measure, so they do as little as they can: one thread, no HTTP library, answers checked by their bytes.

mod http;
pub(crate) mod idle;
pub(crate) mod query;
mod server;
pub(crate) mod streams;
pub(crate) mod wait;

use std::future::Future;

use anyhow::Result;

/// Everything on one thread: the server needs the other cores.
fn on_one_thread<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// The value below which a share of the sorted values lies.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let index = (sorted.len() as f64 * share) as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_found_at_their_place() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        assert_eq!(
            (quantile(&values, 0.5), quantile(&values, 0.99), quantile(&values, 1.0)),
            (51.0, 100.0, 100.0)
        );
        assert!(quantile(&[], 0.5).is_nan());
    }
}
