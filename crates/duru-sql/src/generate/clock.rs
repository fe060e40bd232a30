//! When things happen: by day more than by night, lately more than long ago.

use jiff::Timestamp;

/// Korea's, all year.
const OFFSET_SECONDS: i64 = 9 * 3600;

/// Of 24 hours, how busy each is.
const HOURS: [f64; 24] = [
    4.0, 3.0, 2.0, 1.5, 1.5, 2.0, 4.0, 7.0, 9.0, 10.0, 11.0, 12.0, 12.0, 11.0, 10.0, 10.0, 10.0, 11.0, 12.0,
    13.0, 14.0, 13.0, 10.0, 7.0,
];

/// Turns a share of all rows into a time, without steps.
pub(super) struct Clock {
    start_us: i64,
    /// How much of the whole lies before each hour; one more than hours.
    before: Vec<f64>,
    end_us: i64,
}

const HOUR_US: i64 = 3_600_000_000;

impl Clock {
    pub(super) fn new(now: Timestamp, days: u32) -> Self {
        let end_us = now.as_microsecond();
        let hours = i64::from(days.max(1)) * 24;
        let start_us = end_us - hours * HOUR_US;
        let mut before = Vec::with_capacity(hours as usize + 1);
        let mut sum = 0.0;
        for hour in 0..hours {
            before.push(sum);
            let local = (start_us + hour * HOUR_US) / 1_000_000 + OFFSET_SECONDS;
            let of_day = HOURS[(local.rem_euclid(86_400) / 3600) as usize];
            let weekend = matches!((local.div_euclid(86_400) + 3).rem_euclid(7), 5 | 6);
            // The last two days are told in more detail.
            let recent = if hours - hour <= 48 { 3.0 } else { 1.0 };
            sum += of_day * recent * if weekend { 1.25 } else { 1.0 };
        }
        before.push(sum);
        before.iter_mut().for_each(|part| *part /= sum);
        Self { start_us, before, end_us }
    }

    /// In microseconds since 1970.
    pub(super) fn at(&self, share: f64) -> i64 {
        let hour = self.before.partition_point(|before| *before <= share).saturating_sub(1);
        let hour = hour.min(self.before.len() - 2);
        let (from, to) = (self.before[hour], self.before[hour + 1]);
        let within = ((share - from) / (to - from)).clamp(0.0, 1.0);
        (self.start_us + hour as i64 * HOUR_US + (within * HOUR_US as f64) as i64).min(self.end_us)
    }

    pub(super) fn end_us(&self) -> i64 {
        self.end_us
    }

    pub(super) fn span_us(&self) -> i64 {
        self.end_us - self.start_us
    }
}
