//! Hours in which something is wrong.

use fastrand::Rng;

use super::clock::Clock;
use super::shop::{BILLING, FINDER, SERVICES};

const MINUTE_US: i64 = 60_000_000;

pub(super) struct Incident {
    pub(super) service: usize,
    pub(super) from_us: i64,
    pub(super) until_us: i64,
    /// Of a thousand steps, so many fail.
    pub(super) fails: u32,
    /// All with this one of the service's failures.
    pub(super) failure: usize,
    /// Everything takes so many times as long.
    pub(super) slow: i64,
}

/// Some at random, and two for whoever asks about today: billing had a bad hour
/// yesterday, and the finder has been slow for some hours.
pub(super) fn plan(rng: &mut Rng, clock: &Clock) -> Vec<Incident> {
    let (end, span) = (clock.end_us(), clock.span_us());
    let days = span / (24 * 60 * MINUTE_US);
    let mut incidents = vec![
        Incident {
            service: BILLING,
            from_us: end - 26 * 60 * MINUTE_US,
            until_us: end - 25 * 60 * MINUTE_US,
            fails: 600,
            failure: SERVICES[BILLING].errors.len() - 1,
            slow: 12,
        },
        Incident {
            service: FINDER,
            from_us: end - 5 * 60 * MINUTE_US,
            until_us: end,
            fails: 60,
            failure: 0,
            slow: 4,
        },
    ];
    for _ in 0..=days / 4 {
        let service = rng.usize(..SERVICES.len());
        let from_us = end - rng.i64(MINUTE_US..span);
        incidents.push(Incident {
            service,
            from_us,
            until_us: (from_us + rng.i64(10..90) * MINUTE_US).min(end),
            fails: rng.u32(150..700),
            failure: rng.usize(..SERVICES[service].errors.len()),
            slow: rng.i64(1..10),
        });
    }
    incidents
}
