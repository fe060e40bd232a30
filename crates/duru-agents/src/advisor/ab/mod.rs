//! Which gates are worth having: every decision about reuse is logged, and its
//! outcome is known only once there is evidence from outside.
//!
//! Variant A has gate 1 alone, variant B all gates; a person is always in the
//! same one. A decision's outcome is *unknown* until the person asks to search
//! again, a sampled shadow search compares results, or a label decides; the
//! decider itself never says that it was right.

mod decision;
mod report;
mod tracker;
mod variant;

pub use decision::{Decision, Evidence, Made, Outcome};
pub use report::{Metrics, Report};
pub use tracker::{Place, Tracker};
pub use variant::Variant;
