//! What the researcher decides, one file each: a model answers, or a rule does.

mod answer_grader;
mod context_enhancement;
mod direct_response;
mod hallucination_check;
mod passage_answers;
mod planning;
mod query_router;
mod query_variations;
mod registry;
mod rewrite_query;
mod synthesis;

pub use query_router::{QueryRouter, QueryType, Route, ToRoute};

pub(super) use answer_grader::{AnswerAsked, GradeAnswer, Marks};
pub(super) use context_enhancement::{EnhanceContext, Enhanced, LeaningAsked};
pub(super) use direct_response::{DirectResponse, TalkAsked};
pub(super) use hallucination_check::{CheckClaims, ClaimsAsked, Verdict, Verdicts};
pub(super) use passage_answers::{Answers, PassageAnswers, PassageAsked, YesNo};
pub(super) use planning::{Plan, PlanAsked, PlanSubtasks, Planned};
pub(super) use query_variations::{Variations, VaryAsked, VaryQuery};
pub(super) use registry::decisions;
pub(super) use rewrite_query::{RewriteAsked, RewriteQuery, Rewritten};
pub(super) use synthesis::{Synthesis, SynthesisAsked, Synthesise};
