//! In which order a question asks for things: the answer tells them in the same order.

use crate::advisor::formulas;
use crate::advisor::state::Advice;
use crate::advisor::sums::Sum;
use crate::advisor::tools::{Calculation, Report};
use crate::advisor::understand::{DataKind, Intent, normal, place_of};

/// What is told first, wherever the question asks for it.
const FIRST: usize = 0;
/// What nobody asked for by name stands behind what somebody did.
const LAST: usize = usize::MAX;

/// Where in the question each thing is asked for: what has a lower place is told before.
pub(super) struct AskedOrder {
    text: String,
    /// The calculations that were asked for, in whatever words.
    calculations: Vec<Calculation>,
    /// Of a risk, the verdict stands behind what it rests on, and of a contract its own words say nothing of what is asked.
    is_fixed: bool,
}

impl AskedOrder {
    pub(super) fn of(s: &Advice) -> Self {
        let question = s.question();
        let is_fixed = s.planning.intent == Some(Intent::RiskAnalysis) || question.brings_contract;
        Self { text: normal(&question.text), calculations: s.planning.calculations.clone(), is_fixed }
    }

    /// Puts what each place belongs to in order; what has the same place stays as it is.
    pub(super) fn sort<T>(&self, told: &mut [(usize, T)]) {
        if !self.is_fixed {
            told.sort_by_key(|(place, _)| *place);
        }
    }

    pub(super) fn report(&self, report: &Report) -> usize {
        match report {
            Report::LoanLimit(_) => self.calculation(Calculation::LoanLimit),
            Report::Repayment(_) => self.calculation(Calculation::Repayment),
            Report::Returns(_) | Report::Yields(_) => self.calculation(Calculation::Returns),
            Report::Tax(_) => self.calculation(Calculation::AcquisitionTax),
            Report::CapitalGains(_) => self.calculation(Calculation::CapitalGains),
            Report::PropertyTax(_) => self.calculation(Calculation::PropertyTax),
            Report::ComprehensiveTax(_) => self.calculation(Calculation::ComprehensiveTax),
            Report::Registration(_) => self.calculation(Calculation::Registration),
            Report::Brokerage(_) => self.calculation(Calculation::Brokerage),
            Report::Increase(_) => self.calculation(Calculation::Increase),
            Report::Conversion(_) => self.calculation(Calculation::Conversion),
            Report::Level(_) | Report::Market(_) => self.data(DataKind::Market),
            Report::Nearby(_) => self.data(DataKind::Infrastructure),
            Report::Contract(_) | Report::Draft(_) => FIRST,
        }
    }

    pub(super) fn sum(&self, sum: Sum) -> usize {
        formulas::place_of_sum(&self.text, sum).unwrap_or(FIRST)
    }

    pub(super) fn data(&self, kind: DataKind) -> usize {
        let named = place_of(&self.text, kind);
        let place = match kind {
            DataKind::Loan => self.lends().or(named),
            // The law that a tax or a fee rests on stands behind all that is worked out.
            DataKind::Legal => named.filter(|_| self.calculations.is_empty()),
            _ => named,
        };
        place.unwrap_or(LAST)
    }

    pub(super) fn names(&self, kind: DataKind) -> bool {
        self.data(kind) != LAST
    }

    fn calculation(&self, calculation: Calculation) -> usize {
        use Calculation::{LoanLimit, Repayment, Returns};
        let own = self.asked(calculation);
        // What a limit costs a month is told with it.
        let place = match calculation {
            LoanLimit | Repayment => {
                own.or_else(|| self.lends()).or_else(|| place_of(&self.text, DataKind::Loan))
            }
            Returns => own,
            _ => own.or_else(|| place_of(&self.text, DataKind::Legal)),
        };
        // It is told though the question has no name for it: it was asked for.
        place.unwrap_or(FIRST)
    }

    fn asked(&self, calculation: Calculation) -> Option<usize> {
        let place = || formulas::place(&self.text, calculation);
        self.calculations.contains(&calculation).then(place).flatten()
    }

    fn lends(&self) -> Option<usize> {
        [Calculation::LoanLimit, Calculation::Repayment].into_iter().filter_map(|one| self.asked(one)).min()
    }
}
