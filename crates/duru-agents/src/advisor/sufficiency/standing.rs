//! How data of one kind stand to a question: what speaks against them.

use jiff::{SignedDuration, Timestamp};

use super::held::{Found, Search, Tier};
use super::issue::{Issue, Weight};
use crate::advisor::understand::{DataKind, Newness, Property, Question, Role, Subject, Terms};

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

/// Age and number: the same for every question.
pub(super) fn of_data(found: &Found, now: Timestamp) -> Standing {
    let mut standing = Standing::default();
    match found.count {
        0 => standing.add(Issue::NoResults),
        // One contract is a whole one.
        count if count < ENOUGH && found.kind != DataKind::Contract => standing.add(Issue::FewItems),
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

/// Law is about a subject; another subject needs other law.
pub(super) fn of_law(question: &Question, search: &Search) -> Option<Issue> {
    let (asked, held) = (&question.terms.subjects, &search.stated.subjects);
    // A search that named no subject is not known to be about this one.
    let other = asked.iter().all(|subject| !held.contains(subject)) && !asked.is_empty();
    // What names no subject goes on with its own conversation, never with another.
    let elsewhere = asked.is_empty() && search.tier != Tier::Conversation;
    let shop =
        |terms: &Terms| terms.subjects.contains(&Subject::Shop) || terms.properties.contains(&Property::Shop);
    let other_law = shop(&question.terms) != shop(&search.stated)
        && (shop(&question.terms) || search.tier != Tier::Conversation);
    // "계약이 그대로 유효한가요" keeps a contract, not what another conversation found.
    let reference = question.reference;
    let points = match search.tier {
        Tier::Conversation => reference.is_explicit(),
        _ => reference.just_now || reference.before || reference.dated,
    };
    ((other || elsewhere || other_law) && !points).then_some(Issue::TopicMismatch)
}

/// Loans differ by kind, by who asks and by how much.
pub(super) fn of_loan(question: &Question, search: &Search) -> Option<Issue> {
    let (asked, held) = (&question.terms, &search.terms);
    let groups = asked.groups.iter().any(|group| !held.groups.contains(group));
    let kinds = !asked.loans.is_empty()
        && !held.loans.is_empty()
        && asked.loans.iter().all(|kind| !held.loans.contains(kind));
    // Another conversation may have been about somebody else.
    let elsewhere = search.tier != Tier::Conversation && !question.reference.is_any();
    let narrower = held.groups.iter().any(|group| !asked.groups.contains(group))
        || held.loans.iter().any(|kind| !asked.loans.contains(kind))
        || !held.amounts.is_empty() && asked.amounts.is_empty();
    if groups || kinds || elsewhere && narrower {
        return Some(Issue::ConditionMismatch);
    }
    let roles = [Role::Loan, Role::Debt, Role::Unsaid, Role::Price, Role::Income, Role::Deposit];
    amounts(question, search, &roles)
}

/// How an asked sum lies to the one that was searched with.
pub(super) fn amounts(question: &Question, search: &Search, roles: &[Role]) -> Option<Issue> {
    let compared = |a: Role, b: Role| a == b || !(fixed(a) && fixed(b));
    let mut worst = None;
    for asked in question.terms.amounts.iter().filter(|amount| roles.contains(&amount.role)) {
        let held = search
            .terms
            .amounts
            .iter()
            .filter(|held| compared(asked.role, held.role))
            .map(|held| apart(asked.won, held.won))
            .min_by(f64::total_cmp);
        let issue = match held {
            Some(apart) if apart <= 0.005 => None,
            Some(apart) if apart <= 0.2 => Some(Issue::AmountNear),
            Some(_) => Some(Issue::AmountMismatch),
            None => None,
        };
        if issue.map(Issue::weight) > worst.map(Issue::weight) {
            worst = issue;
        }
    }
    worst
}

/// An income is never a price, whatever is unsaid.
fn fixed(role: Role) -> bool {
    matches!(role, Role::Income | Role::MonthlyRent)
}

/// How far two sums are apart, as a share of the searched one.
fn apart(asked: u64, held: u64) -> f64 {
    asked.abs_diff(held) as f64 / (held.max(1)) as f64
}
