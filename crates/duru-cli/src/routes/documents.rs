//! `/documents`: taken in, listed, searched, judged. Everybody who may ask shares them, but for those that somebody keeps
//! for themselves.

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Path, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use duru_search::index::{self, Index, Write};
use duru_search::ingest::Report;
use duru_search::read::Kind;
use duru_search::{Access, Chunk, Reach};
use duru_server::{ApiError, ApiRoutes, Audit, Caller, KeyScope, Params, Runs};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::{ASK, CURATE, INGEST, OWN_DOCUMENTS, OWN_REMARKS, attached, passages, remarks};
use crate::docs::uploads::{self, NotKept, Uploads};
use crate::docs::{self, DocsProblem, Opened};
use crate::lang::Lang;
use crate::text::clean;

/// The longest name of a file that is taken in, in bytes.
const LONGEST_NAME: usize = 120;
/// How many files one upload may have.
const MOST_FILES: usize = 50;

#[derive(Clone)]
pub(super) struct Documents {
    pub(super) opened: Arc<Opened>,
    /// Where files that were sent are kept.
    uploads: Arc<Uploads>,
    pub(super) audit: Option<Audit>,
    pub(super) runs: Runs,
    pub(super) turns: attached::Turns,
}

impl Documents {
    /// What a caller may find wherever they ask.
    pub(super) fn reach(caller: &Caller) -> Reach {
        Reach::of(caller.name(), None)
    }

    pub(super) fn seen_by(&self, caller: &Caller) -> Arc<dyn Index> {
        self.opened.index.reaching(Self::reach(caller))
    }

    /// The index as a caller sees a passage: in its conversation, if it is of one of theirs.
    pub(super) async fn of_passage(&self, caller: &Caller, id: &str) -> Result<Arc<dyn Index>, ApiError> {
        let found = self.opened.whole().chunks(&[id.to_owned()]).await.map_err(broken)?;
        self.of_any(caller, found.first()).await
    }

    /// The same of a document.
    async fn of_document(&self, caller: &Caller, id: &str) -> Result<Arc<dyn Index>, ApiError> {
        let found = self.opened.whole().passages(id).await.map_err(broken)?;
        self.of_any(caller, found.first()).await
    }

    /// What is found out here is in which conversation to look; whether anything is seen there is the index's to say.
    async fn of_any(&self, caller: &Caller, chunk: Option<&Chunk>) -> Result<Arc<dyn Index>, ApiError> {
        let Some(thread) = chunk.and_then(|chunk| Access::thread_of(&chunk.collection)) else {
            return Ok(self.seen_by(caller));
        };
        let runs = self.runs.acting_for(caller);
        let known = match runs.thread(Some(thread)) {
            Ok(id) => runs.knows(&id).await?,
            Err(_) => false,
        };
        Ok(self.opened.index.reaching(Reach::of(caller.name(), known.then_some(thread))))
    }
}

pub(super) fn broken(error: index::Error) -> ApiError {
    refused(DocsProblem::Index(error))
}

/// Routes on an index; files that are sent go to a folder.
pub(crate) fn routes(opened: Arc<Opened>, uploads: Uploads, audit: Option<Audit>, runs: Runs) -> ApiRoutes {
    ApiRoutes::new()
        .with(ASK, routes!(list))
        .with(INGEST, routes!(upload))
        .with(ASK, routes!(passages::search))
        .with(ASK, routes!(remarks::say))
        .with(OWN_REMARKS, routes!(remarks::list))
        .with(OWN_REMARKS, routes!(remarks::withdraw))
        .with(CURATE, routes!(remarks::accept))
        .with(CURATE, routes!(remarks::decline))
        .with(ASK, routes!(passages::passage))
        .with(ASK, routes!(read))
        .with(OWN_DOCUMENTS, routes!(remove))
        .with(ASK, routes!(attached::list))
        .with(ASK, routes!(attached::attach))
        .with(ASK, routes!(attached::detach))
        .with_state(Documents {
            opened,
            uploads: Arc::new(uploads),
            audit,
            runs,
            turns: attached::Turns::default(),
        })
}

pub(super) fn refused(problem: impl Into<DocsProblem>) -> ApiError {
    let problem = problem.into();
    // What the index says may name folders of this machine.
    match &problem {
        DocsProblem::Index(_) | DocsProblem::Ingest(_) | DocsProblem::Search(_) => {
            ApiError::unavailable("문서 색인을 쓸 수 없습니다. / The index of documents can't be used.")
        }
        other => ApiError::invalid(other.what(Lang::En)),
    }
}

pub(super) fn unknown() -> ApiError {
    ApiError::not_found("그런 문서가 없습니다. / There is no such document.")
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DocumentsQuery {
    collection: Option<String>,
}

/// Collections and documents
#[utoipa::path(
    get,
    path = "/documents",
    params(DocumentsQuery),
    responses((status = 200, body = Value)),
)]
async fn list(
    State(all): State<Documents>,
    caller: Caller,
    Params(asked): Params<DocumentsQuery>,
) -> Result<Response, ApiError> {
    let documents = all.seen_by(&caller).documents(asked.collection.as_deref()).await.map_err(broken)?;
    let mut collections: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for document in &documents {
        let (count, passages) = collections.entry(&document.collection).or_default();
        *count += 1;
        *passages += document.chunks;
    }
    let collections: Vec<Value> = collections
        .iter()
        .map(|(name, (count, passages))| json!({ "name": name, "documents": count, "passages": passages }))
        .collect();
    Ok(Json(json!({ "collections": collections, "documents": documents })).into_response())
}

/// What may be said about a file that is sent as it is.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct UploadQuery {
    pub(super) name: Option<String>,
    pub(super) collection: Option<String>,
    pub(super) category: Option<String>,
    pub(super) access: Option<Wished>,
}

/// Whom documents are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Wished {
    /// Everybody who may ask.
    Shared,
    /// Whoever has the key that they are sent with.
    Private,
}

/// Nothing can be kept from anybody where nobody is told apart. What is sent again without a word about it stays what it was:
/// only who says so shares what was private.
fn access(wished: Option<Wished>, caller: &Caller) -> Result<Option<Access>, ApiError> {
    match (wished, caller.name()) {
        (Some(Wished::Private), Some(owner)) => Ok(Some(Access::Owner(owner.to_owned()))),
        (Some(Wished::Private), None) => Err(ApiError::invalid(
            "access: private는 키를 쓰는 서버에서만 쓸 수 있습니다. / access: private needs a key, which says whose they are.",
        )),
        (Some(Wished::Shared), _) => Ok(Some(Access::Shared)),
        (None, _) => Ok(None),
    }
}

/// Files, and what is said about all of them.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only names the shape of a form")]
struct UploadForm {
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<String>,
    collection: Option<String>,
    category: Option<String>,
    /// shared, or private
    access: Option<Wished>,
}

/// Upload documents: a form with files, or a body with ?name=
#[utoipa::path(
    post,
    path = "/documents",
    params(UploadQuery),
    request_body(content(
        (UploadForm = "multipart/form-data"),
        (String = "application/octet-stream"),
    )),
    responses((status = 200, body = Value), (status = 422, body = Value)),
)]
async fn upload(
    State(all): State<Documents>,
    caller: Caller,
    Params(mut sent): Params<UploadQuery>,
    request: Request,
) -> Result<Response, ApiError> {
    let files = received(request, &mut sent).await?;
    let access = access(sent.access, &caller)?;
    let mut paths = Vec::with_capacity(files.len());
    for (name, bytes) in files {
        match keep(&all.uploads, caller.name(), &name, bytes).await {
            Ok(path) => paths.push(path),
            Err(refusal) => {
                discard(paths).await;
                return Err(refusal);
            }
        }
    }
    let sent = docs::Sent {
        paths: &paths,
        owner: caller.name(),
        collection: sent.collection.as_deref(),
        category: sent.category.as_deref(),
        access,
    };
    let taken = docs::take_in(&all.opened, all.uploads.folder(), sent).await;
    // Nothing is kept of what can't be read: it may be there for that alone.
    let refused_files = match &taken {
        Ok(report) => report.skipped.iter().map(|skipped| skipped.path.clone()).collect(),
        Err(_) => paths.clone(),
    };
    discard(refused_files).await;
    Ok(told(&taken.map_err(refused)?))
}

/// The files of a request, with what is said about them.
pub(super) async fn received(
    request: Request,
    sent: &mut UploadQuery,
) -> Result<Vec<(String, Bytes)>, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let mut files: Vec<(String, Bytes)> = Vec::new();
    if kind.is_some_and(|kind| kind.starts_with("multipart/form-data")) {
        let mut form = Multipart::from_request(request, &())
            .await
            .map_err(|error| ApiError::invalid(error.body_text()))?;
        let cut = |error: axum::extract::multipart::MultipartError| match error.status().as_u16() {
            413 => too_large(),
            _ => ApiError::invalid(error.body_text()),
        };
        while let Some(field) = form.next_field().await.map_err(cut)? {
            let name = field.name().unwrap_or_default().to_owned();
            match field.file_name().map(str::to_owned) {
                Some(file) => files.push((file, field.bytes().await.map_err(cut)?)),
                None if name == "collection" => sent.collection = Some(field.text().await.map_err(cut)?),
                None if name == "access" => {
                    let said = field.text().await.map_err(cut)?;
                    sent.access = Some(serde_json::from_value(Value::String(said)).map_err(|_| {
                        ApiError::invalid("access: shared 또는 private입니다. / access is shared or private.")
                    })?);
                }
                None if name == "category" => sent.category = Some(field.text().await.map_err(cut)?),
                None => {}
            }
            if files.len() > MOST_FILES {
                return Err(too_large());
            }
        }
    } else {
        let name = sent.name.clone().ok_or_else(|| ApiError::invalid("name: what the file is called"))?;
        files.push((name, Bytes::from_request(request, &()).await.map_err(|_| too_large())?));
    }
    if files.is_empty() {
        return Err(ApiError::invalid("파일이 없습니다. / There is no file."));
    }
    Ok(files)
}

/// What became of files. Where this machine keeps them is nobody's business.
pub(super) fn told(report: &Report) -> Response {
    let mut report = docs::report_json(report);
    for skipped in report["skipped"].as_array_mut().into_iter().flatten() {
        let name = skipped["path"].as_str().and_then(|path| FilePath::new(path).file_name());
        skipped["path"] = name.map(|name| name.to_string_lossy().into_owned()).into();
    }
    let read =
        ["added", "updated", "unchanged"].iter().filter_map(|name| report[*name].as_u64()).sum::<u64>();
    let status =
        if read == 0 { axum::http::StatusCode::UNPROCESSABLE_ENTITY } else { axum::http::StatusCode::OK };
    (status, Json(report)).into_response()
}

pub(super) fn too_large() -> ApiError {
    ApiError::too_large("파일이 너무 큽니다. / The files are too large.")
}

async fn discard(paths: Vec<PathBuf>) {
    let gone = tokio::task::spawn_blocking(move || paths.iter().try_for_each(|path| uploads::remove(path)));
    if let Ok(Err(error)) = gone.await {
        tracing::error!("a file that was not taken in stays: {error}");
    }
}

/// Keeps a file under its own name, and nowhere else than in its owner's folder.
async fn keep(
    uploads: &Arc<Uploads>,
    owner: Option<&str>,
    name: &str,
    bytes: Bytes,
) -> Result<PathBuf, ApiError> {
    let name = file_name(name).ok_or_else(|| {
        ApiError::invalid("name: 파일 이름을 쓸 수 없습니다. / This is no name for a file.")
    })?;
    if Kind::of(FilePath::new(&name)).is_none() {
        return Err(ApiError::invalid("읽을 수 없는 종류의 파일입니다. / Files of this kind can't be read."));
    }
    let (uploads, owner) = (Arc::clone(uploads), owner.map(str::to_owned));
    let kept = tokio::task::spawn_blocking(move || uploads.keep(owner.as_deref(), &name, &bytes));
    match kept.await {
        Ok(Ok(path)) => Ok(path),
        Ok(Err(NotKept::Full(quota))) => {
            let mb = quota >> 20;
            Err(ApiError::too_large(format!(
                "올린 파일이 {mb} MB를 넘습니다; 문서를 지우거나 DURU_UPLOADS_QUOTA를 늘리세요. / Your files would take more \
                 than {mb} MB; remove documents, or raise DURU_UPLOADS_QUOTA."
            )))
        }
        failed => {
            tracing::error!("a file that was sent can't be kept: {failed:?}");
            Err(ApiError::unavailable("파일을 둘 곳이 없습니다. / The file can't be kept."))
        }
    }
}

/// The last part of a name, if it is one on every system.
pub(super) fn file_name(given: &str) -> Option<String> {
    let last = given.rsplit(['/', '\\']).next()?.trim();
    let odd = |c: char| "<>:\"|?*".contains(c);
    let stem = last.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let device = ["CON", "PRN", "AUX", "NUL"].contains(&stem.as_str())
        || (stem.len() == 4 && (stem.starts_with("COM") || stem.starts_with("LPT")));
    // Nor one that reads otherwise than it is.
    let plain = clean(last) == last && !last.contains(odd);
    let fits = !last.is_empty() && last.len() <= LONGEST_NAME && !last.starts_with('.') && plain;
    (fits && !device && !given.contains('\0')).then(|| last.to_owned())
}

/// The passages of a document
#[utoipa::path(
    get,
    path = "/documents/{id}",
    responses((status = 200, body = Value)),
)]
async fn read(
    State(all): State<Documents>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let index = all.of_document(&caller, &id).await?;
    let passages = index.passages(&id).await.map_err(broken)?;
    if passages.is_empty() {
        return Err(unknown());
    }
    Ok(Json(json!({ "passages": passages })).into_response())
}

/// Delete a document: yours, or anybody's with the scope curate
#[utoipa::path(
    delete,
    path = "/documents/{id}",
    responses((status = 200, body = Value)),
)]
async fn remove(
    State(all): State<Documents>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let index = all.seen_by(&caller);
    let documents = index.documents(None).await.map_err(broken)?;
    let document = documents.into_iter().find(|document| document.id == id).ok_or_else(unknown)?;
    let own = caller.name().is_some() && document.owner.as_deref() == caller.name();
    if !own && !caller.may(KeyScope::Curate) {
        return Err(ApiError::forbidden(
            "다른 사람의 문서입니다. 지우려면 curate 권한이 필요합니다. / This is somebody else's document. Removing it needs the \
             scope curate.",
        ));
    }
    let write = Write::Remove { collection: document.collection.clone(), document: document.id.clone() };
    index.apply(vec![write]).await.map_err(DocsProblem::Index).map_err(refused)?;
    let uploads = Arc::clone(&all.uploads);
    let gone = tokio::task::spawn_blocking(move || uploads.discard(&document)).await;
    if !matches!(gone, Ok(Ok(()))) {
        return Err(ApiError::unavailable(
            "문서는 뺐지만 파일을 지우지 못했습니다. / The document is out, but its file could not be removed.",
        ));
    }
    Ok(Json(json!({ "removed": id })).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere_but_into_the_folder() {
        for (given, kept) in [
            ("법령.md", Some("법령.md")),
            ("../../etc/passwd.txt", Some("passwd.txt")),
            ("C:\\Users\\kim\\a.pdf", Some("a.pdf")),
            ("/etc/a.txt", Some("a.txt")),
        ] {
            assert_eq!(file_name(given).as_deref(), kept, "{given}");
        }
        for wrong in [
            "",
            "..",
            ".hidden.md",
            "a/",
            "con.txt",
            "LPT1.md",
            "a\0.md",
            "a\n.md",
            "x?.md",
            "a\u{202e}dm.exe.md",
        ] {
            assert_eq!(file_name(wrong), None, "{wrong:?}");
        }
    }
}
