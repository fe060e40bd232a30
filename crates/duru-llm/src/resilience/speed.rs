//! How fast a model was, and so how long its next call may take.

use std::collections::VecDeque;
use std::time::Duration;

use super::Policy;

/// So many of the last replies count.
const KEPT: usize = 8;

/// A call may take so many times what the slowest of them took.
const MARGIN: u32 = 4;

/// No limit is shorter than these, however fast a model was: until the first word (a busy machine loads a model anew, a
/// thinking one thinks), between two pieces, and in all.
const LEAST_FIRST: Duration = Duration::from_secs(8);
const LEAST_IDLE: Duration = Duration::from_secs(5);
const LEAST_TOTAL: Duration = Duration::from_secs(15);

/// What was measured of a model's last replies.
#[derive(Debug, Default)]
pub(super) struct Speed {
    samples: VecDeque<Sample>,
    /// So often in a row it said nothing in its time. Perhaps it is slower now than it was: each time it gets twice as long.
    silent: u32,
}

/// What was measured of one reply.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Bytes of the request.
    pub(super) input: usize,
    /// Until the first word.
    pub(super) first: Duration,
    /// From there to the end.
    pub(super) writing: Duration,
    /// The longest time between two pieces.
    pub(super) gap: Duration,
    /// Tokens of the reply.
    pub(super) tokens: u64,
}

/// How fast a model answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredSpeed {
    /// Until the first token of the reply.
    pub first_token: Duration,
    /// How fast the tokens came from there on.
    pub tokens_per_second: f64,
}

/// How long one try may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CallLimits {
    /// Until the first piece.
    pub(super) first: Duration,
    /// Between two pieces.
    pub(super) idle: Duration,
    /// From its beginning to its end.
    pub(super) total: Duration,
}

impl Sample {
    /// Whether the reply came in one go: then all of its time was spent before its first word.
    fn came_at_once(&self) -> bool {
        self.writing * 10 < self.first
    }

    /// How long the first word of another reply would have taken: a longer prompt takes longer to read.
    fn first_for(&self, input: usize, most_tokens: u32) -> Duration {
        let longer = input as f64 / self.input.max(1) as f64;
        let more = f64::from(most_tokens) / self.tokens.max(1) as f64;
        let more = if self.came_at_once() { more.max(1.0) } else { 1.0 };
        times(self.first, longer.max(1.0) * more)
    }

    /// A reply that came in one go was written before its first token came.
    fn speed(&self) -> MeasuredSpeed {
        let wrote = if self.came_at_once() { self.first + self.writing } else { self.writing };
        let tokens_per_second = self.tokens as f64 / wrote.as_secs_f64().max(0.001);
        MeasuredSpeed { first_token: self.first, tokens_per_second }
    }

    /// How long writing so many tokens would have taken.
    fn writing_for(&self, most_tokens: u32) -> Duration {
        times(self.writing, (f64::from(most_tokens) / self.tokens.max(1) as f64).max(1.0))
    }
}

impl Speed {
    /// Of a reply that came to its end.
    pub(super) fn note(&mut self, sample: Sample) {
        self.silent = 0;
        if self.samples.len() >= KEPT {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }

    /// How fast the last reply came; nothing, if none was measured.
    pub(super) fn latest(&self) -> Option<MeasuredSpeed> {
        self.samples.back().map(Sample::speed)
    }

    /// A try took all of its time and said nothing.
    pub(super) fn note_silence(&mut self) {
        self.silent = self.silent.saturating_add(1);
    }

    /// How long a try may take for a request of so many bytes, whose reply has so many tokens at most; what the policy
    /// says where nothing was measured, and never more.
    pub(super) fn limits(&self, input: usize, most_tokens: u32, policy: &Policy) -> CallLimits {
        let of = |what: &dyn Fn(&Sample) -> Duration| self.samples.iter().map(what).max();
        let usual = CallLimits { first: policy.idle, idle: policy.idle, total: policy.total };
        let (Some(first), Some(gap), Some(writing)) = (
            of(&|sample| sample.first_for(input, most_tokens)),
            of(&|sample| sample.gap),
            of(&|sample| sample.writing_for(most_tokens)),
        ) else {
            return usual;
        };
        let patience = 1_u32 << self.silent.min(8);
        let margin = MARGIN.saturating_mul(patience);
        let first = first.saturating_mul(margin).max(LEAST_FIRST.saturating_mul(patience));
        let total = first.saturating_add(writing.saturating_mul(margin)).max(LEAST_TOTAL);
        CallLimits {
            first: first.min(usual.first),
            idle: gap.saturating_mul(margin).max(LEAST_IDLE).min(usual.idle),
            total: total.min(usual.total),
        }
    }
}

fn times(time: Duration, factor: f64) -> Duration {
    // A day is as good as for ever, and no overflow.
    Duration::from_secs_f64((time.as_secs_f64() * factor).min(86_400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(input: usize, first: f64, writing: f64, tokens: u64) -> Sample {
        let seconds = Duration::from_secs_f64;
        Sample { input, first: seconds(first), writing: seconds(writing), gap: seconds(0.1), tokens }
    }

    fn seconds(limits: CallLimits) -> (u64, u64, u64) {
        (limits.first.as_secs(), limits.idle.as_secs(), limits.total.as_secs())
    }

    #[test]
    fn limits_follow_what_was_measured() {
        let policy = Policy::default();
        let mut speed = Speed::default();
        assert_eq!(seconds(speed.limits(1000, 500, &policy)), (60, 60, 300), "nothing was measured");
        // Fast: half a second to the first word, 100 tokens a second.
        speed.note(sample(1000, 0.5, 1.0, 100));
        assert_eq!(seconds(speed.limits(1000, 500, &policy)), (8, 5, 28));
        // A prompt ten times as long is read for ten times as long.
        assert_eq!(seconds(speed.limits(10_000, 500, &policy)), (20, 5, 40));
        // Slow: ten tokens a second. The slowest counts, until it is forgotten.
        speed.note(sample(1000, 4.0, 10.0, 100));
        assert_eq!(seconds(speed.limits(1000, 500, &policy)), (16, 5, 216));
        for _ in 0..KEPT {
            speed.note(sample(1000, 0.5, 1.0, 100));
        }
        assert_eq!(seconds(speed.limits(1000, 500, &policy)), (8, 5, 28));
    }

    #[test]
    fn a_reply_that_comes_at_once_says_how_long_a_longer_one_takes() {
        let mut speed = Speed::default();
        speed.note(sample(1000, 2.0, 0.0, 50));
        assert_eq!(seconds(speed.limits(1000, 200, &Policy::default())), (32, 5, 32));
    }

    #[test]
    fn the_last_reply_says_how_fast_a_model_is() {
        let mut speed = Speed::default();
        assert_eq!(speed.latest(), None);
        let mut of = |first, writing, tokens| {
            speed.note(sample(1000, first, writing, tokens));
            let latest = speed.latest().unwrap();
            (latest.first_token.as_secs_f64(), latest.tokens_per_second)
        };
        assert_eq!(of(0.5, 2.0, 100), (0.5, 50.0));
        assert_eq!(of(4.0, 0.0, 40), (4.0, 10.0), "it came in one go");
    }

    #[test]
    fn one_that_was_silent_gets_longer_and_never_more_than_the_policy() {
        let policy = Policy::default();
        let mut speed = Speed::default();
        speed.note(sample(1000, 0.5, 1.0, 100));
        let firsts: Vec<u64> = (0..4)
            .map(|_| {
                let first = speed.limits(1000, 100, &policy).first.as_secs();
                speed.note_silence();
                first
            })
            .collect();
        assert_eq!(firsts, [8, 16, 32, 60]);
        speed.note(sample(1000, 0.5, 1.0, 100));
        assert_eq!(speed.limits(1000, 100, &policy).first.as_secs(), 8);
        let short = Policy { idle: Duration::from_secs(2), total: Duration::from_secs(3), ..policy };
        assert_eq!(seconds(speed.limits(1000, 100, &short)), (2, 2, 3));
    }
}
