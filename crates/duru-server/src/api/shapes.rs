//! Shapes of JSON that no single type has.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

/// Why a request was refused, or could not be carried out.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody {
    /// In words for people.
    pub detail: String,
}

/// One of the server-sent events of a stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServerSentEvent {
    /// What kind of event it is.
    #[schema(nullable = false)]
    pub event: Option<String>,
    /// What it says, as JSON unless the stream's protocol says otherwise.
    #[schema(nullable = false)]
    pub data: Option<String>,
    /// What `Last-Event-ID` names it by.
    #[schema(nullable = false)]
    pub id: Option<String>,
}

/// The same as another type where a client chooses the fields with `select`: none has to be there.
#[derive(Debug, Deserialize)]
pub(crate) struct Partial<T>(PhantomData<T>);

impl<T: PartialSchema> PartialSchema for Partial<T> {
    fn schema() -> RefOr<Schema> {
        let mut schema = T::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.required.clear();
        }
        schema
    }
}

impl<T: ToSchema> ToSchema for Partial<T> {
    fn name() -> Cow<'static, str> {
        format!("Partial{}", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        T::schemas(schemas);
    }
}
