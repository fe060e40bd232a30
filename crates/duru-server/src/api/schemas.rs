//! The schemas of routes by name. A document has one of each name, and whoever adds another one silently takes its place.

use std::collections::BTreeMap;

use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use super::shapes::ErrorBody;

/// Every schema that routes came with, and the name of one that differs from another of its name.
#[derive(Clone)]
pub(super) struct Schemas {
    known: BTreeMap<String, RefOr<Schema>>,
    ambiguous: Option<String>,
}

/// Errors have theirs before there is any route.
impl Default for Schemas {
    fn default() -> Self {
        let error = (ErrorBody::name().into_owned(), <ErrorBody as utoipa::PartialSchema>::schema());
        Self { known: BTreeMap::from([error]), ambiguous: None }
    }
}

impl Schemas {
    pub(super) fn add<'a>(&mut self, schemas: impl IntoIterator<Item = (&'a String, &'a RefOr<Schema>)>) {
        for (name, schema) in schemas {
            match self.known.get(name) {
                Some(known) if known == schema => {}
                Some(_) => self.ambiguous = Some(name.clone()),
                None => drop(self.known.insert(name.clone(), schema.clone())),
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.add(&other.known);
        self.ambiguous = self.ambiguous.take().or(other.ambiguous);
    }

    pub(super) fn ambiguous(&self) -> Option<&str> {
        self.ambiguous.as_deref()
    }
}
