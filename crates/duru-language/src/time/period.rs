//! Periods, and the one before each.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan as _, Zoned};
use serde::{Deserialize, Serialize};

use crate::sense::Unit;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    pub amount: u32,
    pub unit: Unit,
}

/// When something was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// From so long ago until now.
    Last(Length),
    /// Half open. Without an end: until now; without a beginning: all before.
    Range {
        from: Option<Timestamp>,
        until: Option<Timestamp>,
        /// The unit of the calendar that it was named by, such as a day or a week.
        unit: Option<Unit>,
    },
}

impl Length {
    pub fn new(amount: u32, unit: Unit) -> Self {
        Self { amount, unit }
    }

    pub fn seconds(self) -> f64 {
        self.unit.seconds().unwrap_or(0.0) * f64::from(self.amount)
    }

    /// As a span of the calendar; nothing, if it is no length of time.
    pub fn span(self) -> Option<Span> {
        let amount = i64::from(self.amount);
        Some(match self.unit {
            Unit::Millisecond => amount.milliseconds(),
            Unit::Second => amount.seconds(),
            Unit::Minute => amount.minutes(),
            Unit::Hour => amount.hours(),
            Unit::Day => amount.days(),
            Unit::Week => amount.weeks(),
            Unit::Month => amount.months(),
            Unit::Quarter => (amount * 3).months(),
            Unit::Year => amount.years(),
            _ => return None,
        })
    }
}

impl Period {
    /// From and until, as they are at this moment.
    pub fn bounds(&self, now: &Zoned) -> (Option<Timestamp>, Option<Timestamp>) {
        match self {
            Self::Last(length) => {
                let from = length.span().and_then(|span| now.checked_sub(span).ok());
                (from.map(|from| from.timestamp()), None)
            }
            Self::Range { from, until, .. } => (*from, *until),
        }
    }

    /// Whether it goes on at this moment.
    pub fn is_open(&self, now: &Zoned) -> bool {
        self.bounds(now).1.is_none_or(|until| until > now.timestamp())
    }

    /// This and another one together, where nothing lies between them.
    pub fn together(&self, other: &Self, now: &Zoned) -> Option<Self> {
        let (mut earlier, mut later) = (self.bounds(now), other.bounds(now));
        if later.0 < earlier.0 {
            std::mem::swap(&mut earlier, &mut later);
        }
        let end =
            |bounds: (Option<Timestamp>, Option<Timestamp>)| bounds.1.unwrap_or_else(|| now.timestamp());
        let until = if end(earlier) > end(later) { earlier.1 } else { later.1 };
        (later.0? <= end(earlier)).then_some(Self::Range { from: earlier.0, until, unit: None })
    }

    /// The period of the same length right before it; of one that is not over yet, the same part of the one before.
    pub fn previous(&self, now: &Zoned) -> Option<Self> {
        match self {
            Self::Last(length) => {
                let span = length.span()?;
                let until = now.checked_sub(span).ok()?;
                let from = until.checked_sub(span).ok()?;
                Some(Self::range(Some(from.timestamp()), Some(until.timestamp())))
            }
            Self::Range { from, until, unit } => {
                let zone = now.time_zone().clone();
                let from = from.as_ref()?.to_zoned(zone.clone());
                let end =
                    until.map_or_else(|| now.clone(), |until| until.to_zoned(zone.clone()).min(now.clone()));
                let span = match unit.and_then(|unit| Length::new(1, unit).span()) {
                    Some(span) => span,
                    None => &end - &from,
                };
                let before = |at: &Zoned| at.checked_sub(span).ok().map(|at| at.timestamp());
                Some(Self::Range { from: before(&from), until: before(&end), unit: *unit })
            }
        }
    }

    /// The same part of the day in a period that is named without it: of the whole of yesterday, as much as there is of
    /// today.
    pub fn up_to_the_same_time(&self, this: &Self, now: &Zoned) -> Option<Self> {
        let (Self::Range { from: Some(start), .. }, Self::Range { from: Some(other), unit, .. }) =
            (this, self)
        else {
            return None;
        };
        if !this.is_open(now) {
            return None;
        }
        let zone: TimeZone = now.time_zone().clone();
        let passed = now - &start.to_zoned(zone.clone());
        let until = other.to_zoned(zone).checked_add(passed).ok()?;
        Some(Self::Range { from: Some(*other), until: Some(until.timestamp()), unit: *unit })
    }

    pub(crate) fn range(from: Option<Timestamp>, until: Option<Timestamp>) -> Self {
        Self::Range { from, until, unit: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_that_touch_are_one_together_and_others_are_none() {
        let now: Zoned = "2026-03-18T14:30:00+09:00[Asia/Seoul]".parse().unwrap();
        let at = |text: &str| Some(text.parse::<Timestamp>().unwrap());
        let range = |from: &str, until: Option<&str>| Period::Range {
            from: at(from),
            until: until.and_then(at),
            unit: Some(Unit::Day),
        };
        let today = range("2026-03-17T15:00:00Z", None);
        let yesterday = range("2026-03-16T15:00:00Z", Some("2026-03-17T15:00:00Z"));
        let both = Period::Range { from: at("2026-03-16T15:00:00Z"), until: None, unit: None };
        assert_eq!(yesterday.together(&today, &now), Some(both.clone()));
        assert_eq!(today.together(&yesterday, &now), Some(both));
        let long_ago = range("2026-03-01T15:00:00Z", Some("2026-03-02T15:00:00Z"));
        assert_eq!(long_ago.together(&today, &now), None);
    }
}
