//! What the advisor knows while it works on a question, and keeps for the next.

mod advice;
mod answer;
mod before;
mod execution;
mod inquiry;
mod planning;

pub use advice::{Advice, AdviceStatus, AdviceUpdate, Variant};
pub use answer::{Aggregated, Answer, Echo, Section, Told};
pub use before::{Drafted, Exchange, KnownFact, Memories, PastSearch, Reuse};
pub(super) use execution::Prepared;
pub use execution::{
    Achieved, Action, Adjust, Change, Collaboration, Execution, Fault, FaultKind, Orchestrated, Phase,
    PlanChange, Remedy, Review, TeamResult, TeamStatus,
};
pub use inquiry::Inquiry;
pub use planning::Planning;
