//! Which periods a question is about, and which it sets against each other.

use duru_language::Unit;
use duru_language::time::{Length, Period};

use super::reading::Reading;
use crate::analyst::frame::{Column, Comparison, Dimension, Frame, Keep, Measure, Test};

use super::assemble::Unfit;

impl Reading<'_> {
    pub(super) fn when(&mut self, frame: &mut Frame) -> Result<(), Unfit> {
        let mut periods: Vec<Period> = self.draft.periods.iter().map(|placed| placed.it.clone()).collect();
        if periods.is_empty()
            && let Some(length) = self
                .draft
                .within
                .filter(|_| self.draft.bounds.is_empty() || !self.draft.dimensions.is_empty())
        {
            periods.push(Period::Last(length));
        }
        if self.draft.quiet {
            return self.quiet(frame, &periods);
        }
        let against = self.draft.against.as_ref().map(|placed| placed.it.clone());
        let rated = self.draft.rate.is_some()
            || self.draft.share
            || self.draft.measures.iter().any(|placed| matches!(placed.it, Measure::Rate(_)));
        let compared = self.draft.compared && !(rated && self.draft.against.is_none() && !self.draft.growth)
            || self.draft.growth;
        let (this, other) = match (periods.as_slice(), against, self.draft.previous) {
            ([], None, None) => (None, None),
            // 최근 24시간과 그 직전 7일.
            ([this], None, Some(Some(length))) => {
                let from = this.bounds(self.now).0;
                let start = from.and_then(|from| {
                    let seconds = jiff::SignedDuration::from_secs_f64(length.seconds());
                    from.checked_sub(seconds).ok()
                });
                (
                    Some(this.clone()),
                    start.map(|start| Period::Range { from: Some(start), until: from, unit: None }),
                )
            }
            ([this], None, Some(None)) => (Some(this.clone()), this.previous(self.now)),
            ([], None, Some(Some(length))) => {
                let this = Period::Last(length);
                let with = this.previous(self.now);
                (Some(this), with.filter(|_| compared))
            }
            ([this], Some(other), _) => (Some(this.clone()), Some(other)),
            ([], Some(other), _) => (Some(self.current(&other)), Some(other)),
            ([this], None, None) => {
                // 주별로 어떻게 변했는지: the buckets show it.
                let over_time = self.draft.trend
                    || self.draft.dimensions.iter().any(|placed| placed.it.dimension.is_time());
                let with = this.previous(self.now).filter(|_| {
                    compared && !over_time && self.draft.keep != Keep::New && !self.compares_values(frame)
                });
                (Some(this.clone()), with)
            }
            ([first, second], ..) => {
                let later = first.bounds(self.now).0 >= second.bounds(self.now).0;
                let (this, other) = if later { (first, second) } else { (second, first) };
                (Some(this.clone()), Some(other.clone()))
            }
            _ => return Err(Unfit::Periods),
        };
        let whole = other.clone();
        let other = match (&this, other) {
            (Some(this), Some(other))
                if !matches!(self.draft.keep, Keep::New | Keep::Gone) && same_unit(this, &other) =>
            {
                Some(other.up_to_the_same_time(this, self.now).unwrap_or(other))
            }
            (_, other) => other,
        };
        if self.draft.keep == Keep::New && other.is_none() {
            let from = this.as_ref().ok_or(Unfit::Periods)?.bounds(self.now).0;
            let with = Period::Range { from: None, until: from, unit: None };
            frame.compare = Some(Comparison { with, whole: None, keep: Keep::New });
        } else if let Some(with) = other {
            let whole = whole.filter(|whole| *whole != with);
            frame.compare = Some(Comparison { with, whole, keep: self.draft.keep });
        }
        frame.time = this;
        Ok(())
    }

    /// Values side by side, rather than periods: payment와 order 비교.
    pub(super) fn compares_values(&self, frame: &Frame) -> bool {
        !self.draft.growth
            && (frame
                .filters
                .iter()
                .any(|filter| matches!(&filter.test, Test::OneOf(values) if values.len() > 1))
                || !self.draft.dimensions.is_empty())
    }

    /// What goes on now of the same kind as a period of the past.
    pub(super) fn current(&self, other: &Period) -> Period {
        let today = |unit: Unit| -> Option<Period> {
            let date = self.now.date();
            let first = match unit {
                Unit::Week => date
                    .checked_sub(jiff::Span::new().days(i64::from(date.weekday().to_monday_zero_offset())))
                    .ok()?,
                Unit::Month => date.first_of_month(),
                _ => date,
            };
            let from = first.to_zoned(self.now.time_zone().clone()).ok()?.timestamp();
            Some(Period::Range { from: Some(from), until: None, unit: Some(unit) })
        };
        match other {
            Period::Range { unit: Some(unit), .. } => today(*unit),
            Period::Range { .. } => today(Unit::Day),
            Period::Last(length) => Some(Period::Last(*length)),
        }
        .unwrap_or_else(|| other.clone())
    }

    /// Nothing was written in a period: of two, the shorter one; the longer one says what there should be.
    pub(super) fn quiet(&self, frame: &mut Frame, periods: &[Period]) -> Result<(), Unfit> {
        let mut periods = periods.to_vec();
        periods.sort_by(|a, b| self.seconds(Some(a)).total_cmp(&self.seconds(Some(b))));
        frame.silent = Some(periods.first().ok_or(Unfit::Periods)?.clone());
        frame.time = periods.get(1).cloned();
        frame.measures.push(Measure::Last);
        if let Some((table, name)) = self.table_of().and_then(|table| Some((table, table.identify.as_ref()?)))
            && self.draft.dimensions.is_empty()
            && self.draft.columns.is_empty()
        {
            frame.dimensions.push(Dimension::Column(Column::new(&table.name, name)));
        }
        Ok(())
    }

    /// How long a period is.
    pub(super) fn seconds(&self, period: Option<&Period>) -> f64 {
        let (from, until) = period.map(|period| period.bounds(self.now)).unwrap_or_default();
        from.map_or(f64::MAX, |from| {
            (until.unwrap_or_else(|| self.now.timestamp()).as_second() - from.as_second()) as f64
        })
    }

    /// Stretches of time that fit a period: about as many as one can look at.
    pub(super) fn fitting_bucket(&self, period: Option<&Period>) -> Dimension {
        let unit = match self.seconds(period) {
            short if short <= 7_200.0 => Unit::Minute,
            day if day <= 172_800.0 => Unit::Hour,
            _ => Unit::Day,
        };
        Dimension::Every(Length::new(1, unit))
    }
}

/// Whether two periods are of one kind: today and yesterday, but not today and last week.
fn same_unit(this: &Period, other: &Period) -> bool {
    match (this, other) {
        (Period::Range { unit: Some(this), .. }, Period::Range { unit: Some(other), .. }) => this == other,
        _ => true,
    }
}
