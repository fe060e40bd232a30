//! The advisor: a consultant for Korean real estate.
//!
//! A supervisor ([`graph`]) plans, lets teams work, looks at what came of it and decides what follows. It needs no
//! model: [`understand`] reads a question, [`sufficiency`] judges whether what a conversation already holds is enough
//! to answer it, [`tools`] look up and calculate. [`evaluation`] measures the first two on labelled cases.
//!
//! Around it: what is remembered of a person ([`memory`]), a draft of a lease ([`draft`]), real deals ([`api`]), and how
//! well the gates do ([`ab`]).

pub mod ab;
mod answer;
pub mod api;
mod ask;
mod carry;
mod coverage;
mod decide;
pub mod draft;
pub mod evaluation;
mod formulas;
mod gate;
mod gist;
mod graph;
mod lang;
mod ledger;
pub mod memory;
mod nodes;
mod offers;
mod orchestrator;
mod plan;
mod planner;
pub mod progress;
mod recall;
mod remembered;
mod replan;
mod restated;
mod reuse;
mod state;
pub mod sufficiency;
mod sums;
mod tally;
mod teams;
mod toolbox;
pub mod tools;
mod turn;
pub mod understand;
mod wanted;
mod won;
mod words;

pub use graph::{drawing, graph};
pub use ledger::{Entry, Ledger, Source, Value, What};
pub use offers::Offer;
pub use plan::{Status, Step, Strategy};
pub use recall::{Recall, RecallError};
pub use state::{
    Achieved, Action, Adjust, Advice, AdviceStatus, AdviceUpdate, Aggregated, Answer, Change, Collaboration,
    Drafted, Echo, Exchange, Execution, Fault, FaultKind, Inquiry, KnownFact, Memories, Orchestrated,
    PastSearch, Phase, PlanChange, Planning, Remedy, Reuse, Review, Section, TeamResult, TeamStatus, Told,
    Variant,
};
pub use sums::Sum;
pub use tally::{Asks, Line, Tally};
pub use toolbox::{Bounds, Toolbox};

/// The advisor's decisions.
pub fn decisions() -> duru_llm::decision::Registry {
    decide::decisions()
}
