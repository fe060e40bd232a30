//! Which traces are kept. It is decided when they begin, so that one that is not kept costs next to nothing.

use opentelemetry::trace::{SpanContext, SpanId, TraceId};
use opentelemetry_sdk::trace::{IdGenerator, RandomIdGenerator};

/// How many numbers traces' ids are told apart by: their last eight bytes without one bit, as OpenTelemetry's
/// `TraceIdRatioBased` has it.
const NUMBERS: f64 = (1_u64 << 63) as f64;

/// Which traces are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sampling {
    /// The share of those that begin here.
    pub(crate) share: f64,
    /// Whether those that others began are kept if they keep them.
    pub(crate) parent_based: bool,
}

impl Sampling {
    /// Whether a trace is kept that begins here, or came from elsewhere.
    pub(crate) fn keeps(self, remote: Option<&SpanContext>) -> bool {
        match remote {
            Some(remote) if self.parent_based => remote.is_sampled(),
            Some(remote) => number(remote.trace_id()) < self.bound(),
            None => self.share >= 1.0 || fastrand::f64() < self.share,
        }
    }

    /// The id of a trace that is not kept here, and by nobody else who goes by ids and keeps the same share.
    pub(crate) fn unkept_trace_id(self) -> TraceId {
        self.trace_id(self.bound()..1 << 63)
    }

    fn trace_id(self, numbers: std::ops::Range<u64>) -> TraceId {
        let number = if numbers.is_empty() {
            fastrand::u64(..)
        } else {
            (fastrand::u64(numbers) << 1) | u64::from(fastrand::bool())
        };
        TraceId::from((u128::from(fastrand::u64(1..)) << 64) | u128::from(number))
    }

    /// Ids with smaller numbers are kept.
    fn bound(self) -> u64 {
        (self.share * NUMBERS) as u64
    }
}

/// What decides by itself, in services that know nothing of us.
fn number(id: TraceId) -> u64 {
    (u128::from_be_bytes(id.to_bytes()) as u64) >> 1
}

/// Ids of traces that are kept. Whoever decides by them, and keeps the same share, keeps them too.
#[derive(Debug)]
pub(crate) struct KeptIds(pub(crate) Sampling);

impl IdGenerator for KeptIds {
    fn new_trace_id(&self) -> TraceId {
        self.0.trace_id(0..self.0.bound())
    }

    fn new_span_id(&self) -> SpanId {
        RandomIdGenerator::default().new_span_id()
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry::trace::{SpanKind, TraceFlags, TraceState};
    use opentelemetry_sdk::trace::{Sampler, SamplingDecision, ShouldSample as _};

    use super::*;

    #[test]
    fn others_who_keep_the_same_share_by_ids_keep_the_same_traces() {
        for share in [0.0, 0.1, 0.9, 1.0] {
            let (ours, theirs) = (Sampling { share, parent_based: false }, Sampler::TraceIdRatioBased(share));
            let they_keep = |id: TraceId| {
                let made = theirs.should_sample(None, id, "a", &SpanKind::Server, &[], &[]);
                made.decision == SamplingDecision::RecordAndSample
            };
            for _ in 0..100 {
                assert!(share == 0.0 || they_keep(KeptIds(ours).new_trace_id()));
                assert!(share == 1.0 || !they_keep(ours.unkept_trace_id()));
                let id = TraceId::from(fastrand::u128(1..));
                let remote =
                    SpanContext::new(id, SpanId::from(1), TraceFlags::default(), true, TraceState::NONE);
                assert_eq!(ours.keeps(Some(&remote)), they_keep(id));
            }
        }
    }

    #[test]
    fn a_share_of_those_that_begin_here_is_kept_and_what_others_keep() {
        let tenth = Sampling { share: 0.1, parent_based: true };
        let kept = (0..10_000).filter(|_| tenth.keeps(None)).count();
        assert!((700..1300).contains(&kept), "{kept}");
        for flags in [TraceFlags::SAMPLED, TraceFlags::NOT_SAMPLED] {
            let remote = SpanContext::new(TraceId::from(1), SpanId::from(1), flags, true, TraceState::NONE);
            assert_eq!(tenth.keeps(Some(&remote)), flags.is_sampled());
        }
    }
}
