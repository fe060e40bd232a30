//! What is somebody's own. A request is served with stores that have nothing
//! but what its caller owns, so that what is another's looks exactly like what
//! does not exist: no route has to think of it.

mod catalog;
mod memories;
mod runs;

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use duru::store::Entry;
use serde_json::{Map, Value};

pub(crate) use runs::mark;

use crate::caller::{self, Caller};
use crate::error::ApiError;
use crate::hub::{Hub, Shared, Stores};

pub(crate) use memories::{PEOPLE, place};

/// The note that says whose something is.
pub(crate) const OWNER: &str = "owner";

/// The note that says which tables a run may ask about, where not all.
pub(crate) const TABLES: &str = "granted_tables";

/// The server as its caller sees it.
pub(crate) struct Scope(pub(crate) Shared);

impl FromRequestParts<Shared> for Scope {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, hub: &Shared) -> Result<Self, ApiError> {
        Ok(Self(scoped(hub, caller::of(parts)?)))
    }
}

/// The server as somebody sees it.
pub(crate) fn scoped(hub: &Shared, caller: &Caller) -> Shared {
    let Some(owner) = &caller.owner else { return Arc::clone(hub) };
    let whole = hub.whole();
    let stores = &whole.stores;
    Arc::new(Hub {
        stores: Stores {
            checkpoints: Arc::clone(&stores.checkpoints),
            runs: Arc::new(runs::Own {
                owner: Arc::clone(owner),
                tables: caller.tables.clone(),
                runs: Arc::clone(&stores.runs),
                catalog: Arc::clone(&stores.catalog),
            }),
            catalog: Arc::new(catalog::Own {
                owner: Arc::clone(owner),
                tables: caller.tables.clone(),
                catalog: Arc::clone(&stores.catalog),
            }),
            memories: Arc::new(memories::Own {
                owner: Arc::clone(owner),
                memories: Arc::clone(&stores.memories),
            }),
        },
        graphs: Arc::clone(&whole.graphs),
        options: whole.options.clone(),
        pool: Arc::clone(&whole.pool),
        hints: whole.hints.clone(),
        lookout: Arc::clone(&whole.lookout),
        assistants: Arc::clone(&whole.assistants),
        metrics: Arc::clone(&whole.metrics),
        said: Arc::clone(&whole.said),
        parts: Arc::clone(&whole.parts),
        log_tail: whole.log_tail.clone(),
        sockets: whole.sockets.clone(),
        owner: Some(Arc::clone(owner)),
        tables: caller.tables.clone(),
        whole: Some(Arc::clone(whole)),
    })
}

/// Whether an entry is somebody's.
fn is_of(owner: &str, metadata: &Map<String, Value>) -> bool {
    metadata.get(OWNER).and_then(Value::as_str) == Some(owner)
}

/// Whether an entry is nobody's, and so everybody's to use.
pub(crate) fn is_nobodys(entry: &Entry) -> bool {
    !entry.metadata.contains_key(OWNER)
}
