//! What a question needs against what is held, dimension by dimension. What is not known to be equal is never taken for
//! equal.

use super::held::Search;
use super::issue::Issue;
use super::talk::Talk;
use crate::advisor::understand::region::Region;
use crate::advisor::understand::{DataKind, Question};

/// What data of a kind are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    Place,
    Deal,
    Property,
    Area,
    Feature,
    Amount,
    Measure,
    Period,
    Loan,
    Borrower,
    Subject,
    Document,
    Facility,
}

impl Dimension {
    /// Those that matter for data of this kind.
    pub(super) fn of(kind: DataKind) -> &'static [Self] {
        match kind {
            DataKind::Market => &[
                Self::Place,
                Self::Deal,
                Self::Property,
                Self::Area,
                Self::Feature,
                Self::Amount,
                Self::Measure,
                Self::Period,
            ],
            DataKind::Loan => &[Self::Loan, Self::Borrower, Self::Amount, Self::Measure, Self::Period],
            DataKind::Legal => &[Self::Subject],
            DataKind::Contract => &[Self::Document],
            DataKind::Infrastructure => &[Self::Place, Self::Facility],
        }
    }
}

/// How what is held lies to what is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    Equal,
    /// It holds more: what is needed is a part of it.
    Contains,
    /// It holds only a part of what is needed.
    Contained,
    /// Not equal, and not far from it.
    Near,
    /// Nobody said.
    Unknown,
    Different,
}

impl Fit {
    /// What speaks against data that fit so; nothing against what is equal.
    pub(super) fn issue(self, dimension: Dimension) -> Option<Issue> {
        use Dimension::{Amount, Area, Borrower, Document, Feature, Period, Place, Subject};
        Some(match (dimension, self) {
            (_, Self::Equal) => return None,
            (Place, Self::Contains) => Issue::RegionSuperset,
            (Place, Self::Contained | Self::Near) => Issue::RegionSubset,
            (Place, Self::Unknown) => Issue::RegionUnknown,
            (Place, Self::Different) => Issue::RegionMismatch,
            (Amount, Self::Near) => Issue::AmountNear,
            (Amount, Self::Different) => Issue::AmountMismatch,
            (Period, Self::Different) => Issue::PeriodMismatch,
            (Borrower, Self::Different) => Issue::BorrowerMismatch,
            (Borrower, Self::Unknown) => Issue::BorrowerUnknown,
            (Document, Self::Different) => Issue::DocumentMismatch,
            (Document, _) => Issue::DocumentUnknown,
            (Subject, Self::Different) => Issue::TopicMismatch,
            (Subject, _) => Issue::TopicUnknown,
            (Area | Feature | Amount, Self::Contains | Self::Contained) => Issue::ConditionPartial,
            (_, Self::Different) => Issue::ConditionMismatch,
            (_, Self::Near | Self::Contained) => Issue::ConditionPartial,
            (_, Self::Contains | Self::Unknown) => Issue::ConditionUnchecked,
        })
    }
}

/// What is needed of one kind, for one place where the kind has places.
#[derive(Clone, Copy)]
pub(super) struct Need<'a> {
    pub(super) question: &'a Question,
    pub(super) place: Option<&'a Region>,
    pub(super) talk: &'a Talk,
    /// How many days ago the data were found, where that is known.
    pub(super) days: Option<i64>,
}

impl Need<'_> {
    /// The question itself says that it works with what is there: its sums, sizes and features pick from that.
    pub(super) fn picks(&self) -> bool {
        let question = self.question;
        let points = question.reference.is_explicit() && !question.takes_back;
        points && (question.picks || question.calculates || question.reference.among)
            || question.reference.keep
    }

    /// It points at nothing and goes on from nothing: it says all that it means.
    pub(super) fn is_anew(&self) -> bool {
        let reference = self.question.reference;
        !reference.is_any() && !reference.onward
    }

    pub(super) fn compare(&self, dimension: Dimension, held: &Search) -> Fit {
        match dimension {
            Dimension::Place => self.by_place(held),
            Dimension::Deal => self.by_deal(held),
            Dimension::Property => self.by_property(held),
            Dimension::Area => self.by_area(held),
            Dimension::Feature => self.by_feature(held),
            Dimension::Amount => self.by_amount(held),
            Dimension::Measure => self.by_measure(held),
            Dimension::Period => self.by_period(held),
            Dimension::Loan => self.by_loan(held),
            Dimension::Borrower => self.by_borrower(held),
            Dimension::Subject => self.by_subject(held),
            Dimension::Document => self.by_document(held),
            Dimension::Facility => self.by_facility(held),
        }
    }
}
