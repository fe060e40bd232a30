//! `/tables`: what can be asked, and what people call it. What a key was not granted is not there.

mod shown;
mod words;

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::response::{IntoResponse, Json, Response};
use duru_server::{ApiError, ApiRoutes, Audit, Body, Caller, KeyScope, Params};
use duru_sql::domain::{Domain, DomainTable};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use utoipa::IntoParams;
use utoipa_axum::routes;

use super::memory::user;
use super::{CURATE, TABLES};
use crate::tables::{AskedTables, TablesKind, TablesProblem, WordsChanged, change_words};
use words::WordsChange;

/// Of what a person may write.
const BODY_BYTES: usize = 64 << 10;

/// All that can be asked, what is asked unless told first.
#[derive(Clone)]
struct Tables {
    sources: Arc<[AskedTables]>,
    audit: Option<Audit>,
    /// One change after the other.
    changing: Arc<Mutex<()>>,
}

pub(crate) fn routes(sources: Vec<AskedTables>, audit: Option<Audit>) -> ApiRoutes {
    ApiRoutes::new()
        .with(TABLES, routes!(list))
        .with(TABLES, routes!(one))
        .with(CURATE, routes!(change_table))
        .with(CURATE, routes!(change_column))
        .map(|router| router.layer(DefaultBodyLimit::max(BODY_BYTES)))
        .with_state(Tables { sources: sources.into(), audit, changing: Arc::default() })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct SourceQuery {
    /// The source that is meant where several have such a table.
    source: Option<String>,
}

fn unknown() -> ApiError {
    ApiError::not_found("그런 테이블이나 열이 없습니다. / There is no such table or column.")
}

/// What a database says may name hosts and users.
fn unreachable(_: duru_sql::Error) -> ApiError {
    ApiError::unavailable("테이블을 읽을 수 없습니다. / The tables can't be read.")
}

/// Whether a caller may ask a table of a source.
fn may_ask(caller: &Caller, source: &AskedTables, table: &str) -> bool {
    caller
        .tables()
        .is_none_or(|granted| granted.iter().any(|name| name == table || source.name.as_ref() == Some(name)))
}

/// Whether its words are in a file that can be changed.
fn is_described_in_a_file(source: &AskedTables) -> bool {
    source.name.is_some() && source.kind != TablesKind::Logs
}

async fn domain(source: &AskedTables, caller: &Caller) -> Result<Domain, ApiError> {
    let knowledge = source.source.knowledge().await.map_err(unreachable)?;
    let mut domain = Domain::of(&knowledge, &source.description.get());
    domain.tables.retain(|table| may_ask(caller, source, &table.name));
    Ok(domain)
}

/// What can be asked: sources and their tables, as far as this key may ask them
#[utoipa::path(
    get,
    path = "/tables",
    responses((status = 200, body = Value)),
)]
async fn list(State(all): State<Tables>, caller: Caller) -> Result<Response, ApiError> {
    let mut sources = Vec::new();
    for source in all.sources.iter() {
        let domain = domain(source, &caller).await?;
        if domain.tables.is_empty() {
            continue;
        }
        let tables: Vec<Value> = domain.tables.iter().map(|table| shown::listed(table, source)).collect();
        sources.push(json!({
            "name": source.name, "kind": source.kind, "editable": is_described_in_a_file(source), "tables": tables,
        }));
    }
    Ok(Json(json!({ "sources": sources, "may_edit": caller.may(KeyScope::Curate) })).into_response())
}

/// The first source that has a table that may be asked, among those of the name.
async fn find<'a>(
    all: &'a Tables,
    caller: &Caller,
    named: Option<&str>,
    table: &str,
) -> Result<(&'a AskedTables, DomainTable), ApiError> {
    let fits = |source: &&AskedTables| named.is_none() || source.name.as_deref() == named;
    for source in all.sources.iter().filter(fits) {
        let found = domain(source, caller).await?.tables.into_iter().find(|known| known.name == table);
        if let Some(found) = found {
            return Ok((source, found));
        }
    }
    Err(unknown())
}

/// A table's columns: types, descriptions, synonyms, some values
#[utoipa::path(
    get,
    path = "/tables/{table}",
    params(SourceQuery),
    responses((status = 200, body = Value)),
)]
async fn one(
    State(all): State<Tables>,
    caller: Caller,
    Path(table): Path<String>,
    Params(of): Params<SourceQuery>,
) -> Result<Response, ApiError> {
    let (source, table) = find(&all, &caller, of.source.as_deref(), &table).await?;
    shown_whole(source, &table).await
}

async fn shown_whole(source: &AskedTables, table: &DomainTable) -> Result<Response, ApiError> {
    let knowledge = source.source.knowledge().await.map_err(unreachable)?;
    let known = knowledge.tables.iter().find(|known| known.table.name == table.name).ok_or_else(unknown)?;
    Ok(Json(shown::whole(table, known, source)).into_response())
}

/// Change a table's description and synonyms, for everybody
#[utoipa::path(
    patch,
    path = "/tables/{table}",
    params(SourceQuery),
    request_body = WordsChange,
    responses((status = 200, body = Value), (status = 409)),
)]
async fn change_table(
    State(all): State<Tables>,
    caller: Caller,
    Path(table): Path<String>,
    Params(of): Params<SourceQuery>,
    Body(change): Body<WordsChange>,
) -> Result<Response, ApiError> {
    changed(&all, &caller, (of, &table, None), change).await
}

/// Change a column's description and synonyms, for everybody
#[utoipa::path(
    patch,
    path = "/tables/{table}/columns/{column}",
    params(SourceQuery),
    request_body = WordsChange,
    responses((status = 200, body = Value), (status = 409)),
)]
async fn change_column(
    State(all): State<Tables>,
    caller: Caller,
    Path((table, column)): Path<(String, String)>,
    Params(of): Params<SourceQuery>,
    Body(change): Body<WordsChange>,
) -> Result<Response, ApiError> {
    changed(&all, &caller, (of, &table, Some(&column)), change).await
}

/// Writes the words down, and has them count from the next question on.
async fn changed(
    all: &Tables,
    caller: &Caller,
    (of, name, column): (SourceQuery, &str, Option<&String>),
    change: WordsChange,
) -> Result<Response, ApiError> {
    let (source, table) = find(all, caller, of.source.as_deref(), name).await?;
    if column.is_some_and(|column| table.column(column).is_none()) {
        return Err(unknown());
    }
    let Some(file) = source.name.clone().filter(|_| is_described_in_a_file(source)) else {
        return Err(ApiError::conflict(
            "설명을 적어 둘 파일이 없습니다. `duru tables add`로 이름을 준 테이블만 고칠 수 있습니다. / There is no file to keep this in. Only \
             tables that were given a name with `duru tables add` can be described.",
        ));
    };
    // One after the other, so that none is made on words that another has changed.
    let _alone = all.changing.lock().await;
    if let Some(audit) = &all.audit {
        // What can't be written down is not done.
        audit.ready().await.map_err(|_| unwritable())?;
    }
    let (table_name, column_name) = (name.to_owned(), column.cloned());
    let written = tokio::task::spawn_blocking(move || {
        change_words(&file, (&table_name, column_name.as_deref()), |before| change.onto(before))
    });
    match written.await.map_err(|_| unwritable())?.map_err(refused)? {
        WordsChanged::Done(description) => source.description.replace(description),
        WordsChanged::Refused(reason) => return Err(ApiError::invalid(reason)),
        WordsChanged::Stale(description) => {
            source.description.replace(description);
            return Err(ApiError::conflict(
                "그 사이에 다른 사람이 고쳤습니다. 새로 읽고 다시 고치세요. / Somebody else has changed this meanwhile. Read it again, then \
                 change it.",
            ));
        }
    }
    if let Some(audit) = &all.audit {
        let what = json!({
            "kind": "table_words", "who": user(caller), "source": source.name, "table": name, "column": column,
        });
        // Where it can't be written, nothing more is done until it can.
        drop(audit.note(what).await);
    }
    let (source, table) = find(all, caller, source.name.as_deref(), name).await?;
    shown_whole(source, &table).await
}

fn unwritable() -> ApiError {
    ApiError::unavailable(
        "설명 파일을 쓸 수 없습니다. 아무것도 바뀌지 않았습니다. / The file of descriptions can't be written. Nothing was changed.",
    )
}

/// Without the paths of this machine.
fn refused(problem: TablesProblem) -> ApiError {
    match problem {
        TablesProblem::Toml { .. } | TablesProblem::Unknown { .. } => ApiError::conflict(
            "설명 파일을 읽을 수 없어 고치지 않았습니다. 서버에서 `duru tables check`로 확인하세요. / The file of descriptions can't be read, so \
             nothing was changed. See `duru tables check` at the server.",
        ),
        _ => unwritable(),
    }
}
