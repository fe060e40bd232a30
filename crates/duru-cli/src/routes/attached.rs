//! `/threads/{thread_id}/documents`: files that somebody sends with a conversation. Questions of that conversation find them,
//! and nothing else does; they go with it.

use std::collections::HashMap;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::response::{IntoResponse, Response};
use duru::memory::Memory;
use duru_search::index::{Index, Write};
use duru_search::read::Kind;
use duru_search::{Access, Document, Reach};
use duru_server::{ApiError, Caller, Params};
use serde::Deserialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::documents::{Documents, UploadQuery, broken, file_name, received, refused, told, unknown};
use crate::data::attached;
use crate::docs;

/// How many files a conversation has at most.
const MOST_FILES: usize = 20;
/// And how large each of them is at most, in bytes.
const LARGEST: usize = 20 << 20;
/// How many files somebody with a key has in all of their conversations at most.
const MOST_OF_ONE: usize = 500;
/// And how many passages: no more are taken in once they have so many.
const MOST_PASSAGES_OF_ONE: usize = 20_000;

/// Whoever sends files waits for what they sent before to be in, as limits are kept by counting what is there. Others don't.
#[derive(Clone, Default)]
pub(super) struct Turns(Arc<Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>>);

impl Turns {
    async fn of(&self, who: &str) -> tokio::sync::OwnedMutexGuard<()> {
        let turn = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|_, turn| turn.strong_count() > 0);
            let turn = all.get(who).and_then(Weak::upgrade).unwrap_or_default();
            all.insert(who.to_owned(), Arc::downgrade(&turn));
            turn
        };
        turn.lock_owned().await
    }
}

/// A conversation as somebody who may see it sees it.
struct Conversation {
    thread: String,
    owner: Option<String>,
    index: Arc<dyn Index>,
}

impl Conversation {
    /// Another's looks like none.
    async fn of(all: &Documents, caller: &Caller, thread: &str) -> Result<Self, ApiError> {
        let runs = all.runs.acting_for(caller);
        let id = runs.thread(Some(thread))?;
        if !runs.knows(&id).await? {
            return Err(ApiError::not_found("그런 대화가 없습니다. / There is no such thread."));
        }
        let thread = id.to_string();
        let owner = caller.name().map(str::to_owned);
        let index = all.opened.index.reaching(Reach::of(owner.as_deref(), Some(&thread)));
        Ok(Self { thread, owner, index })
    }

    fn collection(&self) -> String {
        Access::collection_of(&self.thread)
    }

    fn access(&self) -> Access {
        Access::Thread { thread: self.thread.clone(), owner: self.owner.clone() }
    }

    async fn documents(&self) -> Result<Vec<Document>, ApiError> {
        let mut found = self.index.documents(Some(&self.collection())).await.map_err(broken)?;
        found.retain(|document| document.access == self.access());
        Ok(found)
    }

    async fn has_room_for(&self, all: &Documents, files: &[(String, Bytes)]) -> Result<(), ApiError> {
        let known = self.documents().await?;
        let is_known = |name: &String| known.iter().any(|document| document.source == *name);
        let fresh = files.iter().filter(|(name, _)| !is_known(name)).count();
        if known.len() + fresh > MOST_FILES {
            return Err(ApiError::too_large(format!(
                "한 대화에는 파일을 {MOST_FILES}개까지 둘 수 있습니다; 쓰지 않는 것을 빼세요. / A conversation may have {MOST_FILES} \
                 files; remove those that you don't need."
            )));
        }
        let Some(owner) = &self.owner else { return Ok(()) };
        let theirs = all.opened.whole().documents(None).await.map_err(broken)?;
        match holds_more(owner, &theirs, fresh) {
            true => Ok(()),
            false => Err(ApiError::too_large(format!(
                "대화에 올린 파일이 너무 많습니다 (모두 {MOST_OF_ONE}개, {MOST_PASSAGES_OF_ONE}조각까지); 쓰지 않는 대화나 파일을 \
                 지우세요. / Your conversations have too many files (at most {MOST_OF_ONE}, and {MOST_PASSAGES_OF_ONE} passages, in \
                 all of them); delete conversations or files that you don't need."
            ))),
        }
    }
}

/// Whether somebody may send so many more files with their conversations, beside what is there.
fn holds_more(owner: &str, there: &[Document], fresh: usize) -> bool {
    let is_theirs = |document: &&Document| matches!(&document.access, Access::Thread { owner: Some(of), .. } if of == owner);
    let theirs = there.iter().filter(is_theirs);
    let (files, passages) =
        theirs.fold((0, 0), |(files, passages), document| (files + 1, passages + document.chunks));
    files + fresh <= MOST_OF_ONE && passages < MOST_PASSAGES_OF_ONE
}

/// The documents of a conversation
#[utoipa::path(
    get,
    path = "/threads/{thread_id}/documents",
    responses((status = 200, body = Value), (status = 404)),
)]
pub(super) async fn list(
    State(all): State<Documents>,
    caller: Caller,
    Path(thread): Path<String>,
) -> Result<Response, ApiError> {
    let documents = Conversation::of(&all, &caller, &thread).await?.documents().await?;
    Ok(Json(json!({ "documents": documents })).into_response())
}

/// What a file that is sent as it is is called.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct NameQuery {
    name: Option<String>,
}

/// Files.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it only names the shape of a form")]
struct FilesForm {
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    file: Vec<String>,
}

/// Send files with a conversation: a form with files, or a body with ?name=
#[utoipa::path(
    post,
    path = "/threads/{thread_id}/documents",
    params(NameQuery),
    request_body(content((FilesForm = "multipart/form-data"), (String = "application/octet-stream"))),
    responses(
        (status = 200, body = Value), (status = 404), (status = 413), (status = 422, body = Value),
    ),
)]
pub(super) async fn attach(
    State(all): State<Documents>,
    caller: Caller,
    Path(thread): Path<String>,
    Params(NameQuery { name }): Params<NameQuery>,
    request: Request,
) -> Result<Response, ApiError> {
    let conversation = Conversation::of(&all, &caller, &thread).await?;
    let mut sent = UploadQuery { name, ..UploadQuery::default() };
    let files = named(received(request, &mut sent).await?)?;
    let _turn = all.turns.of(conversation.owner.as_deref().unwrap_or(&conversation.thread)).await;
    conversation.has_room_for(&all, &files).await?;
    let memory = Memory::new(Arc::clone(all.runs.memories()));
    attached::note(&memory, &conversation.thread).await.map_err(unnoted)?;
    // What is read is not kept: its passages are all that is needed, and they go with the conversation.
    let folder = tempfile::tempdir().map_err(unkept)?;
    let mut paths = Vec::with_capacity(files.len());
    for (name, bytes) in files {
        let path = folder.path().join(name);
        tokio::fs::write(&path, &bytes).await.map_err(unkept)?;
        paths.push(path.canonicalize().map_err(unkept)?);
    }
    let sent = docs::Sent {
        paths: &paths,
        owner: caller.name(),
        collection: Some(&conversation.collection()),
        category: None,
        access: Some(conversation.access()),
    };
    // They are known by their names alone.
    let within = folder.path().canonicalize().map_err(unkept)?.join("files");
    let report = docs::take_in(&all.opened, &within, sent).await.map_err(refused)?;
    let response = told(&report);
    // Whoever removed the conversation meanwhile meant this, too.
    if let Err(gone) = Conversation::of(&all, &caller, &thread).await {
        attached::forget(&*all.opened.index, &conversation.thread).await.map_err(broken)?;
        return Err(gone);
    }
    Ok(response)
}

/// Take a document out of a conversation
#[utoipa::path(
    delete,
    path = "/threads/{thread_id}/documents/{id}",
    responses((status = 200, body = Value), (status = 404)),
)]
pub(super) async fn detach(
    State(all): State<Documents>,
    caller: Caller,
    Path((thread, id)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let conversation = Conversation::of(&all, &caller, &thread).await?;
    let known = conversation.documents().await?;
    let document = known.into_iter().find(|document| document.id == id).ok_or_else(unknown)?;
    let write = Write::Remove { collection: document.collection, document: document.id };
    conversation.index.apply(vec![write]).await.map_err(broken)?;
    Ok(Json(json!({ "removed": id })).into_response())
}

/// Files under names that can be used, none of them too large.
fn named(files: Vec<(String, Bytes)>) -> Result<Vec<(String, Bytes)>, ApiError> {
    let mut named: Vec<(String, Bytes)> = Vec::with_capacity(files.len());
    for (name, bytes) in files {
        let name = file_name(&name).ok_or_else(|| {
            ApiError::invalid("name: 파일 이름을 쓸 수 없습니다. / This is no name for a file.")
        })?;
        if Kind::of(FilePath::new(&name)).is_none() {
            return Err(ApiError::invalid(
                "읽을 수 없는 종류의 파일입니다. / Files of this kind can't be read.",
            ));
        }
        if bytes.len() > LARGEST {
            let mb = LARGEST >> 20;
            return Err(ApiError::too_large(format!(
                "대화에 올리는 파일은 {mb} MB까지입니다. / A file in a conversation may have {mb} MB."
            )));
        }
        named.retain(|(other, _)| *other != name);
        named.push((name, bytes));
    }
    Ok(named)
}

fn unkept(error: std::io::Error) -> ApiError {
    tracing::error!("a file that was sent can't be read: {error}");
    ApiError::unavailable("파일을 둘 곳이 없습니다. / The file can't be kept.")
}

fn unnoted(error: duru::memory::Error) -> ApiError {
    tracing::error!("that a conversation gets files can't be written down: {error}");
    ApiError::unavailable("파일을 둘 곳이 없습니다. / The file can't be kept.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(owner: Option<&str>, at: usize, chunks: usize) -> Document {
        let thread = format!("thread-{}", at / MOST_FILES);
        Document {
            id: at.to_string(),
            collection: Access::collection_of(&thread),
            source: format!("{at}.md"),
            title: "a".into(),
            fingerprint: String::new(),
            chunks,
            owner: owner.map(str::to_owned),
            access: Access::Thread { thread, owner: owner.map(str::to_owned) },
            names: Default::default(),
        }
    }

    #[test]
    fn a_key_has_so_many_files_in_all_conversations_and_no_more() {
        let mut there: Vec<Document> = (0..MOST_OF_ONE - 1).map(|at| document(Some("kim"), at, 1)).collect();
        there.extend((0..MOST_OF_ONE).map(|at| document(None, at, 1)));
        assert!(holds_more("kim", &there, 1) && !holds_more("kim", &there, 2));
        assert!(holds_more("kim", &there, 0) && holds_more("lee", &there, MOST_FILES));
        there.push(document(Some("lee"), 0, MOST_PASSAGES_OF_ONE));
        assert!(!holds_more("lee", &there, 1) && holds_more("kim", &there, 1));
    }

    #[tokio::test]
    async fn whoever_sends_waits_for_what_they_sent_before_and_nobody_else_does() {
        let turns = Turns::default();
        let first = turns.of("kim").await;
        let other = turns.of("lee").await;
        let mut second = std::pin::pin!(turns.of("kim"));
        let waits = std::future::poll_fn(|cx| std::task::Poll::Ready(second.as_mut().poll(cx).is_pending()));
        assert!(waits.await);
        drop(first);
        drop(second.await);
        drop(other);
        drop(turns.of("kim").await);
        assert_eq!(turns.0.lock().unwrap().len(), 1, "those that nobody waits for are forgotten");
    }
}
