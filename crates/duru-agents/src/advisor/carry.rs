//! Figures and places that a conversation has settled: what a follow-up need not say again.

mod figures;
mod leases;
mod said;
mod search;
mod settled;
mod words;

pub(super) use figures::{Carried, corrected, figures};
pub(super) use said::{all, fill, heard, new_loan, of_shop, one_contract, said};
pub(super) use search::{places, terms};
pub(super) use settled::settled;
