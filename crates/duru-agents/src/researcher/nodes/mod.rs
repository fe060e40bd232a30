//! The steps from a question to an answer, one file each.

mod answer_grader;
mod context_enhancement;
mod direct_response;
mod grade_documents;
mod hallucination_check;
mod planning;
mod query_router;
mod retrieval;
mod rewrite_query;
mod shared;
mod subtask_executor;
mod synthesis;
mod web_search;

pub(super) use answer_grader::answer_grader;
pub(super) use context_enhancement::{context_enhancement, leaning};
pub(super) use direct_response::direct_response;
pub(super) use grade_documents::{Next, grade_documents};
pub(super) use hallucination_check::hallucination_check;
pub(super) use planning::planning;
pub(super) use query_router::query_router;
pub(super) use retrieval::{as_asked, retrieval};
pub(super) use rewrite_query::rewrite_query;
pub(super) use shared::{Found, Work};
pub(super) use subtask_executor::{ready, subtask_executor};
pub(super) use synthesis::synthesis;
pub(super) use web_search::web_search;
