//! What the analyst decides, one file each: a model answers, or the parser's draft stands.

mod extract_filters;
mod generate_insight;
mod generate_sql;
mod name_columns;
mod query_analysis;
mod registry;
mod resolve_context;

pub(super) use extract_filters::{ExtractFilters, FiltersAsked};
pub(super) use generate_insight::{GenerateInsight, InsightAsked};
pub(super) use generate_sql::{GenerateSql, Sql, SqlAsked};
pub(super) use name_columns::{COLUMNS_AT_ONCE, EverydayNouns, NameColumns, NamedTable, TableToName};
pub(super) use query_analysis::{AnalyseQuery, AnalysisAsked};
pub(super) use registry::decisions;
pub(super) use resolve_context::{ContextAsked, ResolveContext, Resolved};
