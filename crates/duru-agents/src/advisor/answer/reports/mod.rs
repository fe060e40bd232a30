//! What was worked out, line by line.

mod contract;
mod costs;
mod draft;
mod lease;
mod loan;
mod market;
mod nearby;
mod returns;
mod taxes;

use contract::contract_lines;
use costs::{brokerage_line, tax_lines};
use draft::draft_lines;
pub(super) use lease::rate_used;
use lease::{conversion_line, increase_line};
use loan::{limit_lines, repayment_lines};
pub(super) use market::fairness_line;
pub(in crate::advisor) use market::risk;
use market::{level_line, market_lines};
use nearby::nearby_line;
pub(super) use nearby::{nearby_sentences, source as nearby_source};
use returns::{returns_lines, yields_lines};
pub(super) use taxes::gains_sentence;
use taxes::{comprehensive_lines, gains_lines, property_lines, registration_lines};

use crate::advisor::lang::Lang;
use crate::advisor::tools::Report;

/// A report in lines.
pub(in crate::advisor) fn report_lines(report: &Report, lang: Lang) -> Vec<String> {
    match report {
        Report::Level(level) => vec![level_line(level, lang)],
        Report::Market(view) => market_lines(view, lang),
        Report::Nearby(view) => vec![nearby_line(view, lang)],
        Report::Contract(report) => contract_lines(report, lang),
        Report::LoanLimit(view) => limit_lines(view, lang),
        Report::Repayment(view) => repayment_lines(view, lang),
        Report::Returns(view) => returns_lines(view, lang),
        Report::Yields(view) => yields_lines(view, lang),
        Report::Tax(view) => tax_lines(view, lang),
        Report::CapitalGains(view) => gains_lines(view, lang),
        Report::PropertyTax(view) => property_lines(view, lang),
        Report::ComprehensiveTax(view) => comprehensive_lines(view, lang),
        Report::Registration(view) => registration_lines(view, lang),
        Report::Brokerage(fee) => vec![brokerage_line(fee, lang)],
        Report::Increase(view) => vec![increase_line(view, lang)],
        Report::Conversion(view) => vec![conversion_line(view, lang)],
        Report::Draft(view) => draft_lines(view, lang),
    }
}
