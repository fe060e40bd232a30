//! `POST /logs/ingest`: batches of log lines, or a log file as it is, whose format is found out.
//!
//! What is acknowledged is durable. A bad row is named and left out; the others
//! are kept. A batch that is sent again under its `Idempotency-Key` is kept once.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest as _, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Json, Response};
use duru_server::ApiRoutes;
use duru_sql::guard::Lang;
use duru_sql::ingest::{Bad, Error, Parsed, Settings, read_batch};
use duru_sql::{Batch, Fault, LogStore};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::INGEST;

/// Of one body, before and after it is expanded.
const BODY_BYTES: usize = 16 << 20;

/// Of all bodies that are in the works, so that many senders can't take all memory.
const BUDGET_KIB: usize = 48 << 10;

/// A sender who gets no turn in this time is told to come back.
const PATIENCE: Duration = Duration::from_secs(5);

/// A body that takes longer is given up: it holds memory that others wait for.
const SLOWEST: Duration = Duration::from_secs(30);

/// So many bad rows are listed; all are counted.
const LISTED: usize = 1_000;

const LONGEST_KEY: usize = 200;

/// Takes batches into this store, read as the settings say.
pub(crate) fn routes(store: Arc<dyn LogStore>, mut settings: Settings) -> ApiRoutes {
    settings.body_bytes = BODY_BYTES;
    let desk = Desk { store, settings: Arc::new(settings), budget: Semaphore::new(BUDGET_KIB) };
    ApiRoutes::new()
        .with(INGEST, routes!(ingest))
        .map(|router| router.layer(DefaultBodyLimit::max(BODY_BYTES)))
        .with_state(Arc::new(desk))
}

struct Desk {
    store: Arc<dyn LogStore>,
    settings: Arc<Settings>,
    budget: Semaphore,
}

/// What came of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = IngestedBatch)]
struct Taken {
    /// Rows of it that the store has now.
    accepted: u64,
    /// The first rows that were left out, and why.
    rejected: Vec<Rejected>,
    rejected_rows: usize,
    /// It had been kept before, and was not kept again.
    duplicate: bool,
    /// What it was read as.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    /// What was taken for granted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<&'static str>,
    /// Why nothing of it was of use: the first row's reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RejectedRow)]
struct Rejected {
    row: u64,
    reason: String,
}

/// Take log lines in
///
/// What is acknowledged is durable. A bad row is named and left out; the others are kept.
#[utoipa::path(
    post,
    path = "/logs/ingest",
    params(IngestQuery, ("Idempotency-Key" = Option<String>, Header, description = "The same request with the same key is accepted once")),
    request_body(content(
        (Value = "application/json"),
        (String = "application/x-ndjson"),
        (String = "text/csv"),
        (String = "application/octet-stream"),
    )),
    responses(
        (status = 200, body = Taken),
        (status = 400, description = "The key of the batch, or the batch, can't be read"),
        (status = 409),
        (status = 415, description = "Lines of this type or encoding can't be read"),
        (status = 422, body = Taken, description = "No row could be read"),
        (status = 500),
    ),
)]
async fn ingest(State(desk): State<Arc<Desk>>, request: Request) -> Response {
    let lang = language(request.uri().query(), request.headers());
    match take(&desk, lang, request).await {
        // Nothing of it was of use: the sender's mistake, though not a single row's.
        Ok(taken) if taken.accepted == 0 && taken.rejected_rows > 0 => {
            (StatusCode::UNPROCESSABLE_ENTITY, Json(taken)).into_response()
        }
        Ok(taken) => Json(taken).into_response(),
        Err(refusal) => refusal.answer(lang),
    }
}

async fn take(desk: &Desk, lang: Lang, request: Request) -> Result<Taken, Refusal> {
    let headers = request.headers().clone();
    let content_type = known_type(&headers)?;
    let key = batch_key(&headers)?;
    let encoding = text(&headers, header::CONTENT_ENCODING).map(str::to_owned);
    let turn = desk.turn(&headers).await?;
    let body = match timeout(SLOWEST, Bytes::from_request(request, &())).await {
        Err(_) => return Err(Refusal::Slow),
        Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            return Err(Refusal::Unreadable(Error::TooLarge { limit: BODY_BYTES as u64 }));
        }
        Ok(Err(_)) => return Err(Refusal::CutShort),
        Ok(Ok(body)) => body,
    };
    let settings = Arc::clone(&desk.settings);
    let reading = tokio::task::spawn_blocking(move || {
        read_batch(&body, Some(&content_type), encoding.as_deref(), &settings)
    });
    let Parsed { records, bad, digest, detected } =
        reading.await.map_err(|_| Refusal::CutShort)?.map_err(Refusal::Unreadable)?;
    // By its lines, too: a key that is used for other lines by mistake must not lose them.
    let key = key.map(|key| format!("http:{digest:032x}:{key}"));
    let kept = match records.is_empty() {
        true => None,
        false => Some(desk.store.append(Batch { key, records }).await.map_err(Refusal::Store)?),
    };
    drop(turn);
    Ok(Taken {
        accepted: kept.map_or(0, |receipt| receipt.kept),
        rejected_rows: bad.len(),
        rejected: bad.iter().take(LISTED).map(|bad| Rejected::of(bad, lang)).collect(),
        duplicate: kept.is_some_and(|receipt| receipt.again),
        format: detected.map(|detected| detected.format.text(lang)),
        notes: detected.map_or_else(Vec::new, |detected| detected.notes(lang)),
        detail: bad.first().filter(|_| kept.is_none()).map(|bad| bad.text(lang)),
    })
}

impl Desk {
    /// Waits until there is room for a body of this length.
    async fn turn(&self, headers: &HeaderMap) -> Result<SemaphorePermit<'_>, Refusal> {
        let told = text(headers, header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
        let expands = headers.contains_key(header::CONTENT_ENCODING);
        let bytes = told.filter(|_| !expands).unwrap_or(BODY_BYTES);
        if told.is_some_and(|length| length > BODY_BYTES) {
            return Err(Refusal::Unreadable(Error::TooLarge { limit: BODY_BYTES as u64 }));
        }
        let kib = u32::try_from(bytes.div_ceil(1024).max(1)).unwrap_or(u32::MAX);
        match timeout(PATIENCE, self.budget.acquire_many(kib)).await {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(Refusal::Busy),
        }
    }
}

impl Rejected {
    fn of(bad: &Bad, lang: Lang) -> Self {
        Self { row: bad.row, reason: bad.reason.text(lang) }
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A page of another origin can send text and forms without asking first. No
/// program that means this route has to.
fn known_type(headers: &HeaderMap) -> Result<String, Refusal> {
    let given = text(headers, header::CONTENT_TYPE).unwrap_or_default();
    let kind = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let known = kind == "text/csv"
        || kind
            .strip_prefix("application/")
            .is_some_and(|kind| kind == "octet-stream" || kind.contains("json"));
    known.then_some(kind).ok_or(Refusal::UnknownType)
}

fn batch_key(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let Some(given) = headers.get("idempotency-key") else { return Ok(None) };
    let fits = |key: &&str| !key.is_empty() && key.len() <= LONGEST_KEY;
    given.to_str().ok().filter(fits).map(|key| Some(key.to_owned())).ok_or(Refusal::BadKey)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct IngestQuery {
    /// The language of what is said of rows: ko or en.
    lang: Option<String>,
}

/// `?lang=`, or what the sender's program prefers; English if it does not say.
fn language(query: Option<&str>, headers: &HeaderMap) -> Lang {
    let uri = format!("/?{}", query.unwrap_or_default()).parse().unwrap_or_default();
    let asked = Query::<IngestQuery>::try_from_uri(&uri).ok().and_then(|Query(words)| words.lang);
    let of = |tag: &str| match tag.trim().to_ascii_lowercase() {
        tag if tag.starts_with("ko") => Some(Lang::Ko),
        tag if tag.starts_with("en") => Some(Lang::En),
        _ => None,
    };
    if let Some(lang) = asked.as_deref().and_then(of) {
        return lang;
    }
    let accepted = text(headers, header::ACCEPT_LANGUAGE).unwrap_or_default();
    let mut best = (Lang::En, 0.0);
    for part in accepted.split(',') {
        let (tag, rest) = part.split_once(';').unwrap_or((part, ""));
        let weight = rest.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse).unwrap_or(0.0);
        if let Some(lang) = of(tag).filter(|_| weight > best.1) {
            best = (lang, weight);
        }
    }
    best.0
}

/// Why nothing of a batch was taken.
#[derive(Debug)]
enum Refusal {
    UnknownType,
    BadKey,
    Busy,
    Slow,
    CutShort,
    Unreadable(Error),
    Store(duru_sql::Error),
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Self::UnknownType | Self::Unreadable(Error::UnknownEncoding(_)) => {
                StatusCode::UNSUPPORTED_MEDIA_TYPE
            }
            Self::Busy => StatusCode::TOO_MANY_REQUESTS,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::Unreadable(Error::TooLarge { .. } | Error::TooManyRows { .. }) => {
                StatusCode::PAYLOAD_TOO_LARGE
            }
            Self::BadKey | Self::CutShort | Self::Unreadable(_) => StatusCode::BAD_REQUEST,
            Self::Store(duru_sql::Error::Denied { .. }) => StatusCode::FORBIDDEN,
            Self::Store(duru_sql::Error::Query { fault: Fault::Duplicate }) => StatusCode::CONFLICT,
            Self::Store(
                duru_sql::Error::Unavailable { .. }
                | duru_sql::Error::TimedOut { .. }
                | duru_sql::Error::Bucket { .. },
            ) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn text(&self, lang: Lang) -> String {
        let (ko, en) = match self {
            Self::Unreadable(error) => return error.text(lang),
            // Its own words may name files and hosts.
            Self::Store(duru_sql::Error::Unavailable { .. }) => (
                "로그 저장소에 닿지 않습니다; 같은 Idempotency-Key로 다시 보내세요",
                "the log store can't be reached; send it again under the same Idempotency-Key",
            ),
            Self::Store(duru_sql::Error::Bucket { trouble, .. }) => return trouble.text(lang).to_owned(),
            Self::Store(duru_sql::Error::Corrupt { .. }) => {
                ("로그 저장소가 손상되었습니다", "the log store is damaged")
            }
            Self::Store(error) => return error.text(lang),
            Self::UnknownType => (
                "Content-Type은 application/json, application/x-ndjson, text/csv, application/octet-stream(파일 그대로) 중 하나여야 합니다",
                "the content type must be application/json, application/x-ndjson, text/csv or, for a file as it is, application/octet-stream",
            ),
            Self::BadKey => (
                "Idempotency-Key는 1~200자의 ASCII 글자여야 합니다",
                "an Idempotency-Key has 1 to 200 ASCII characters",
            ),
            Self::Busy => (
                "다른 묶음을 넣는 중입니다; 잠시 뒤에 다시 보내세요",
                "other batches are being taken in; send it again in a moment",
            ),
            Self::Slow => ("내용이 너무 느리게 옵니다", "the body comes in too slowly"),
            Self::CutShort => ("내용을 끝까지 읽지 못했습니다", "the body could not be read to its end"),
        };
        match lang {
            Lang::Ko => ko.to_owned(),
            Lang::En => en.to_owned(),
        }
    }

    fn answer(&self, lang: Lang) -> Response {
        let status = self.status();
        let mut response = (status, Json(json!({"detail": self.text(lang)}))).into_response();
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(query: Option<&str>, accepted: &str) -> Lang {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
        language(query, &headers)
    }

    #[test]
    fn the_language_is_the_one_asked_for_or_preferred() {
        assert_eq!(of(None, "ko-KR,ko;q=0.9,en;q=0.8"), Lang::Ko);
        assert_eq!(of(None, "fr, en;q=0.7, ko;q=0.3"), Lang::En);
        assert_eq!(of(Some("lang=en"), "ko"), Lang::En);
        assert_eq!(of(Some("x=%zz&lang=ko"), ""), Lang::Ko);
        assert_eq!(of(Some("lang=fr"), ""), Lang::En);
    }
}
