//! Gate 2: what the data themselves are worth, counted down from one.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::held::Found;
use super::issue::Issue;
use super::standing::{DAY, ENOUGH, counts};
use crate::advisor::understand::DataKind;

/// What is checked.
#[derive(Clone, Debug)]
pub struct Check<'a> {
    /// The kinds that gate 1 found to be needed.
    pub required: &'a [DataKind],
    /// What earlier searches found, of it what fits the question ([`Found::fitting`]).
    pub found: &'a [Found],
    /// The data are about another place.
    pub region_differs: bool,
    /// Nobody knows whether the law is about the same subject: no count of articles can tell.
    pub subject_unknown: bool,
    pub now: Timestamp,
}

/// What gate 2 says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Checked {
    pub sufficient: bool,
    /// What is left of 1.0.
    pub quality: f64,
    pub missing: Vec<DataKind>,
    pub issues: Vec<Issue>,
}

/// Starts from 1.0 and subtracts for everything that is wrong. Sufficient is
/// what keeps more than 0.7 and lacks nothing.
pub fn verify(check: &Check<'_>) -> Checked {
    // In hundredths: 1.0 - 0.1 - 0.2 must be 0.7, and not a little more.
    let mut left = 100;
    let (mut missing, mut issues) = (Vec::new(), Vec::new());
    let mut subtract = |hundredths: i32, issue: Issue, issues: &mut Vec<Issue>| {
        left -= hundredths;
        issues.push(issue);
    };
    for kind in check.required {
        let Some(found) = check.found.iter().find(|found| found.kind == *kind) else {
            missing.push(*kind);
            subtract(30, Issue::MissingType, &mut issues);
            continue;
        };
        match found.count {
            0 => subtract(40, Issue::NoResults, &mut issues),
            count if count < ENOUGH && counts(*kind) => subtract(20, Issue::FewItems, &mut issues),
            _ => {}
        }
        let age = found.at.map(|at| check.now.duration_since(at));
        match (kind, age) {
            (DataKind::Market, Some(age)) if age > DAY * 7 => subtract(30, Issue::MarketOld, &mut issues),
            (DataKind::Market, Some(age)) if age > DAY * 3 => subtract(10, Issue::MarketAging, &mut issues),
            (DataKind::Loan, Some(age)) if age > DAY => subtract(40, Issue::LoanOld, &mut issues),
            (_, None) => subtract(10, Issue::NoTimestamp, &mut issues),
            _ => {}
        }
    }
    if check.subject_unknown {
        subtract(40, Issue::TopicUnknown, &mut issues);
    }
    if check.region_differs {
        subtract(40, Issue::RegionMismatch, &mut issues);
    }
    let left = left.max(0);
    Checked { sufficient: left > 70 && missing.is_empty(), quality: f64::from(left) / 100.0, missing, issues }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-05-13T10:00:00+09:00".parse().unwrap()
    }

    fn found(kind: DataKind, count: usize, hours: Option<i64>) -> Found {
        let at = hours.map(|hours| now() - jiff::SignedDuration::from_hours(hours));
        Found { kind, count, at, source: String::new(), items: vec![] }
    }

    fn quality(required: &[DataKind], found: &[Found], region_differs: bool) -> (f64, bool) {
        let checked = verify(&Check { required, found, region_differs, subject_unknown: false, now: now() });
        (checked.quality, checked.sufficient)
    }

    #[test]
    fn every_fault_has_its_price() {
        use DataKind::{Legal, Loan, Market};
        let market = |count, hours| vec![found(Market, count, hours)];
        for (data, differs, left, enough) in [
            (market(5, Some(1)), false, 1.0, true),
            (market(5, Some(72)), false, 1.0, true),
            (market(5, Some(73)), false, 0.9, true),
            (market(5, Some(169)), false, 0.7, false),
            (market(2, Some(1)), false, 0.8, true),
            (market(0, Some(1)), false, 0.6, false),
            (market(5, None), false, 0.9, true),
            (market(5, Some(1)), true, 0.6, false),
            (market(2, None), false, 0.7, false),
            (market(0, Some(200)), true, 0.0, false),
        ] {
            assert_eq!(quality(&[Market], &data, differs), (left, enough), "{data:?}");
        }
        assert_eq!(quality(&[Loan], &[found(Loan, 4, Some(25))], false), (0.6, false));
        assert_eq!(quality(&[Loan], &[found(Loan, 4, Some(24))], false), (1.0, true));
        // Nothing may be missing, however much is left.
        assert_eq!(quality(&[Legal, Market], &market(5, Some(1)), false), (0.7, false));
        assert_eq!(quality(&[], &[], false), (1.0, true));
    }
}
