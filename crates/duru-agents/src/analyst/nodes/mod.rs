//! The nine steps from a question to an answer, one file each.

mod clarifier;
mod consult_model;
mod execute_query;
mod extract_filters;
mod generate_insight;
mod generate_sql;
mod resolve_context;
mod retrieve_schema;
mod shared;
mod validate_sql;

pub(super) use clarifier::clarifier;
pub(super) use consult_model::consult_model;
pub(super) use execute_query::execute_query;
pub(super) use extract_filters::extract_filters;
pub(super) use generate_insight::generate_insight;
pub(super) use generate_sql::generate_sql;
pub(super) use resolve_context::resolve_context;
pub(super) use retrieve_schema::retrieve_schema;
pub(super) use validate_sql::validate_sql;
