//! How data of one kind stand to a question: what speaks against them.

use jiff::{SignedDuration, Timestamp};

use super::held::Found;
use super::issue::{Issue, Weight};
use crate::advisor::understand::{DataKind, Newness, Question};

/// Fewer items than this are few.
pub(super) const ENOUGH: usize = 3;
pub(super) const DAY: SignedDuration = SignedDuration::from_hours(24);

/// What speaks against data that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) issues: Vec<Issue>,
}

impl Standing {
    pub(super) fn of(issue: Issue) -> Self {
        Self { issues: vec![issue] }
    }

    pub(super) fn add(&mut self, issue: Issue) {
        if !self.issues.contains(&issue) {
            self.issues.push(issue);
        }
    }

    /// The gravest of what speaks against them.
    pub(super) fn weight(&self) -> Option<Weight> {
        self.issues.iter().map(|issue| issue.weight()).max()
    }
}

/// Is little of it too little? One contract is a whole one, and a place may have no more than one station.
pub(super) fn counts(kind: DataKind) -> bool {
    !matches!(kind, DataKind::Contract | DataKind::Infrastructure)
}

/// Age and number: the same for every question.
pub(super) fn of_data(found: &Found, now: Timestamp) -> Standing {
    let mut standing = Standing::default();
    match found.count {
        0 => standing.add(Issue::NoResults),
        count if count < ENOUGH && counts(found.kind) => standing.add(Issue::FewItems),
        _ => {}
    }
    let age = found.at.map(|at| now.duration_since(at));
    match (found.kind, age) {
        (DataKind::Market, Some(age)) if age > DAY * 7 => standing.add(Issue::MarketOld),
        (DataKind::Market, Some(age)) if age > DAY * 3 => standing.add(Issue::MarketAging),
        (DataKind::Loan, Some(age)) if age > DAY => standing.add(Issue::LoanOld),
        // Law holds until it is changed; after a year it may well have been.
        (DataKind::Legal, Some(age)) if age > DAY * 365 => standing.add(Issue::UserDoubtsFreshness),
        (DataKind::Market | DataKind::Loan, None) => standing.add(Issue::NoTimestamp),
        _ => {}
    }
    standing
}

/// What the question says of how new its data of this kind must be.
pub(super) fn of_newness(question: &Question, kind: DataKind) -> Option<Issue> {
    // "최신 시세와 법률": only what is named must be new, if anything is.
    let meant = question.named.is_empty() || question.named.contains(&kind);
    match question.newness {
        Newness::Latest if meant && kind != DataKind::Contract => Some(Issue::AsksLatest),
        Newness::Doubted if meant && kind != DataKind::Contract => Some(Issue::UserDoubtsFreshness),
        _ => None,
    }
}
