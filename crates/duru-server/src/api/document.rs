//! The OpenAPI document: what handlers say of themselves, and what is true of all of them.

use axum::http::{HeaderName, StatusCode, header};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::response::Response;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Components, Content, Info, OpenApi, Ref, RefOr, Required};
use utoipa::{PartialSchema, ToSchema};

use super::routes::{RouteAccess, operations_mut};
use super::schemas::Schemas;
use super::shapes::ErrorBody;
use crate::guard::{Access, ErrorShape, KeyScope};

/// The two ways to show a key, as the document names them.
const SCHEMES: [&str; 2] = ["api_key", "bearer"];

/// What is known of routes: their descriptions as handlers give them, and which key each needs.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) document: OpenApi,
    pub(crate) access: Vec<RouteAccess>,
    pub(super) schemas: Schemas,
}

impl Api {
    pub(crate) fn merge(&mut self, other: Self) {
        self.document.merge(other.document);
        self.access.extend(other.access);
        self.schemas.merge(other.schemas);
    }

    /// The name of two schemas that differ: the document could have only one of them.
    pub(crate) fn ambiguous_schema(&self) -> Option<&str> {
        self.schemas.ambiguous()
    }
}

/// What one of several keys has to be good for; nothing for what needs none.
pub(super) fn security(access: Access) -> Vec<SecurityRequirement> {
    let scopes: &[&[KeyScope]] = match access {
        Access::Public => &[],
        Access::AnyKey => &[&[]],
        Access::Scope(scope) => &[&[scope]],
        Access::Either(one, other) => &[&[one], &[other]],
    };
    let words = |scopes: &[KeyScope]| scopes.iter().map(|scope| scope.word()).collect::<Vec<_>>();
    let shown = |scheme| scopes.iter().map(move |scopes| SecurityRequirement::new(scheme, words(scopes)));
    SCHEMES.into_iter().flat_map(shown).collect()
}

/// The whole document. Some paths have errors of another shape.
pub(crate) fn document(api: &Api, shapes: &[ErrorShape]) -> OpenApi {
    let mut document = api.document.clone();
    document.info = Info::new("Duru", env!("CARGO_PKG_VERSION"));
    document.info.description =
        Some("Durable graphs over HTTP; LangGraph's clients work unchanged.".to_owned());
    let components = document.components.get_or_insert_with(Components::new);
    components.schemas.insert(ErrorBody::name().into_owned(), ErrorBody::schema());
    let key = ApiKeyValue::with_description(
        "x-api-key",
        "A key of `duru keys add`. Its scopes say what it is good for.",
    );
    components.add_security_scheme(SCHEMES[0], SecurityScheme::ApiKey(ApiKey::Header(key)));
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("The same key."));
    components.add_security_scheme(SCHEMES[1], SecurityScheme::Http(bearer.build()));
    for (path, item) in &mut document.paths.paths {
        let shape = shapes.iter().find(|shape| shape.fits(path));
        let error =
            shape.map_or_else(|| Ref::from_schema_name(ErrorBody::name()).into(), |shape| (shape.schema)());
        for (method, operation) in operations_mut(item) {
            let needed = api.access.iter().find(|known| known.path == *path && known.method == method);
            let access = needed.map_or(Access::Scope(KeyScope::Administer), |known| known.access);
            complete(operation, (method, path), access, &error);
        }
    }
    document
}

/// Adds what follows from an operation's place and access.
fn complete(operation: &mut Operation, (method, path): (&str, &str), access: Access, error: &RefOr<Schema>) {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    operation.operation_id = Some(words.fold(method.to_owned(), |id, word| id + "_" + word));
    let part = path.split('/').find(|part| !part.is_empty()).unwrap_or("server");
    operation.tags = Some(vec![part.to_owned()]);
    let parameters = operation.parameters.get_or_insert_with(Vec::new);
    let named = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    parameters.splice(0..0, named.map(|name| path_parameter(name).into()));
    for parameter in parameters.iter_mut() {
        if let RefOr::T(parameter) = parameter
            && let Some(RefOr::T(Schema::Object(object))) = &mut parameter.schema
        {
            never_null(object);
        }
    }
    if parameters.is_empty() {
        operation.parameters = None;
    }
    let extensions = operation.extensions.get_or_insert_with(Extensions::default);
    extensions.insert("x-duru-scope".to_owned(), access.word().into());
    for (status, why) in common_errors(operation, access) {
        let responses = &mut operation.responses.responses;
        responses.entry(status.as_str().to_owned()).or_insert_with(|| Response::new(why).into());
    }
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response {
            complete_response(status, response, error);
        }
    }
}

fn complete_response(status: &str, response: &mut Response, error: &RefOr<Schema>) {
    if response.description.is_empty() {
        let code = StatusCode::from_bytes(status.as_bytes()).ok();
        let reason = code.and_then(|code| code.canonical_reason()).unwrap_or(status);
        reason.clone_into(&mut response.description);
    }
    if !status.starts_with(['4', '5']) {
        return;
    }
    if response.content.is_empty() {
        let body = Content::new(Some(error.clone()));
        response.content.insert("application/json".to_owned(), RefOr::T(body));
    }
    if let Some(name) = header_of(status) {
        let text = ObjectBuilder::new().schema_type(Type::String);
        let header = HeaderBuilder::new().schema(Some(text)).build();
        response.headers.insert(name.to_string(), RefOr::T(header));
    }
}

/// What stands in an address is never `null`: what is not there is left out.
fn never_null(schema: &mut Object) {
    if let SchemaType::Array(types) = &mut schema.schema_type {
        types.retain(|one| *one != Type::Null);
        if let [only] = types.as_slice() {
            schema.schema_type = SchemaType::Type(only.clone());
        }
    }
}

/// What the guard, and whoever reads requests for handlers, may say.
fn common_errors(operation: &Operation, access: Access) -> Vec<(StatusCode, &'static str)> {
    let mut errors = vec![
        (StatusCode::FORBIDDEN, "The key is not good for this, or a page of somebody else's asks."),
        (StatusCode::TOO_MANY_REQUESTS, "Too many requests; later is better."),
        (
            StatusCode::SERVICE_UNAVAILABLE,
            "The store can't be reached, or the server stops; later is better.",
        ),
    ];
    if access != Access::Public {
        errors.push((StatusCode::UNAUTHORIZED, "A key is needed."));
    }
    if operation.request_body.is_some() {
        errors.push((StatusCode::REQUEST_TIMEOUT, "The request body did not come in time."));
        errors.push((StatusCode::PAYLOAD_TOO_LARGE, "The request body is too large."));
        if access != Access::Public {
            errors.push((StatusCode::LENGTH_REQUIRED, "With this key, say how long the request body is."));
        }
    }
    let parameters = operation.parameters.as_deref().unwrap_or_default();
    if operation.request_body.is_some() || !parameters.is_empty() {
        errors.push((StatusCode::UNPROCESSABLE_ENTITY, "What was sent has the wrong shape."));
    }
    let is_in_path = |parameter: &RefOr<Parameter>| matches!(parameter, RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Path);
    if parameters.iter().any(is_in_path) {
        errors.push((StatusCode::NOT_FOUND, "There is no such thing, or it is somebody else's."));
        errors.push((StatusCode::BAD_REQUEST, "A part of the address is no text in UTF-8."));
    }
    if operation.responses.responses.contains_key(StatusCode::SWITCHING_PROTOCOLS.as_str()) {
        errors.push((StatusCode::BAD_REQUEST, "The headers of a WebSocket are missing."));
        errors.push((StatusCode::UPGRADE_REQUIRED, "This connection can't become a WebSocket."));
    }
    errors
}

/// The header that comes with an error.
fn header_of(status: &str) -> Option<HeaderName> {
    match status {
        "401" => Some(header::WWW_AUTHENTICATE),
        "429" | "503" => Some(header::RETRY_AFTER),
        _ => None,
    }
}

/// A part of a path by its name: each means the same wherever it stands.
fn path_parameter(name: &str) -> Parameter {
    let (is_uuid, what) = match name {
        "assistant_id" => {
            (false, "An assistant's id; where a run or a drawing is asked for, also a graph's name.")
        }
        "checkpoint_id" => (true, "A checkpoint of the thread."),
        "cron_id" => (true, "A cron."),
        "namespace" => (false, "A graph inside: the names of nodes, joined by `|`."),
        "run_id" => (true, "A run."),
        "thread_id" => (true, "A thread."),
        _ => (false, ""),
    };
    let mut text = ObjectBuilder::new().schema_type(Type::String);
    if is_uuid {
        text = text.format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
    }
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some(what).filter(|what| !what.is_empty()))
        .schema(Some(text))
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use utoipa_axum::routes;

    use crate::api::ApiRoutes;

    /// Says something.
    #[utoipa::path(get, path = "/said/{run_id}", responses((status = 200, body = String), (status = 409)))]
    async fn said() {}

    /// Takes something.
    #[utoipa::path(post, path = "/taken", request_body = String, responses((status = 204)))]
    async fn taken() {}

    /// Talks.
    #[utoipa::path(get, path = "/talk", responses((status = 101)))]
    async fn talk() {}

    fn described(access: Access) -> Value {
        let routes = ApiRoutes::<()>::new().with(access, routes!(said));
        let (_, api) = routes.with(access, routes!(taken)).with(access, routes!(talk)).into_parts();
        serde_json::to_value(document(&api, &[])).unwrap()["paths"].take()
    }

    fn statuses(operation: &Value) -> Vec<&str> {
        operation["responses"].as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn an_operation_says_which_key_it_needs_and_what_may_go_wrong() {
        let all = described(Access::Either(KeyScope::Ask, KeyScope::Operate));
        let operation = &all["/said/{run_id}"]["get"];
        assert_eq!(
            operation["security"],
            json!([{ "api_key": ["ask"] }, { "api_key": ["operate"] }, { "bearer": ["ask"] }, { "bearer": ["operate"] }])
        );
        assert_eq!(
            (&operation["summary"], &operation["x-duru-scope"]),
            (&json!("Says something."), &json!("ask | operate"))
        );
        assert_eq!(operation["parameters"][0]["schema"], json!({ "type": "string", "format": "uuid" }));
        let responses = operation["responses"].as_object().unwrap();
        assert_eq!(statuses(operation), ["200", "400", "401", "403", "404", "409", "422", "429", "503"]);
        for status in ["400", "404", "409"] {
            let schema = &responses[status]["content"]["application/json"]["schema"];
            assert_eq!(schema["$ref"], "#/components/schemas/Error", "{status}");
        }
        let open = described(Access::Public);
        let open = &open["/said/{run_id}"]["get"];
        assert_eq!((&open["security"], open["responses"].get("401")), (&json!([]), None));
    }

    #[test]
    fn what_reads_requests_for_handlers_is_described() {
        let all = described(Access::AnyKey);
        let usual = ["401", "403", "429", "503"];
        let and = |more: &[&'static str]| {
            let mut all: Vec<&str> = usual.into_iter().chain(more.iter().copied()).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(statuses(&all["/taken"]["post"]), and(&["204", "408", "411", "413", "422"]));
        assert_eq!(statuses(&all["/talk"]["get"]), and(&["101", "400", "426"]));
        assert!(!statuses(&described(Access::Public)["/taken"]["post"]).contains(&"411"));
    }
}
