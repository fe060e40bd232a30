//! How the page is sent.

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::asset::Asset;

/// Nothing of another origin is loaded, asked or sent to; nothing inside the page's own markup runs.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      object-src 'none'";

/// The files that the page loads.
pub(crate) fn assets() -> Router {
    Router::new()
        .route(
            "/assets/{*path}",
            get(async |Path(path): Path<String>, headers: HeaderMap| {
                send(&format!("assets/{path}"), &headers)
            }),
        )
        .route("/favicon.svg", get(async |headers: HeaderMap| send("favicon.svg", &headers)))
}

/// The page itself; which of its views is shown, it reads from its address.
pub(crate) fn index(headers: &HeaderMap) -> Response {
    send("index.html", headers)
}

fn send(path: &str, asked: &HeaderMap) -> Response {
    let Some(asset) = Asset::find(path) else { return StatusCode::NOT_FOUND.into_response() };
    let mut response = if is_known(asset, asked) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match &asset.zipped {
            Some(zipped) if takes_gzip(asked) => {
                ([(header::CONTENT_ENCODING, "gzip")], zipped.as_slice()).into_response()
            }
            _ => asset.plain.into_response(),
        }
    };
    let keep = if asset.is_lasting() { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    headers.insert(header::VARY, HeaderValue::from_static("accept, accept-encoding"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if let Ok(tag) = HeaderValue::from_str(&asset.tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// Whether the browser has exactly this.
fn is_known(asset: &Asset, asked: &HeaderMap) -> bool {
    let tags = asked.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    tags.is_some_and(|tags| tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == asset.tag))
}

fn takes_gzip(asked: &HeaderMap) -> bool {
    let taken = asked.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    taken.is_some_and(|taken| {
        taken.split(',').any(|one| one.trim().starts_with("gzip") && !one.trim().ends_with("q=0"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn the_page_loads_nothing_from_elsewhere_and_is_asked_for_anew() {
        let page = index(&HeaderMap::new());
        assert_eq!(page.status(), StatusCode::OK);
        let headers = page.headers();
        assert_eq!(headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
        assert_eq!(headers[header::CACHE_CONTROL], "no-cache");
        assert!(
            headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap().starts_with("default-src 'self';")
        );
        let tag = headers[header::ETAG].to_str().unwrap().to_owned();
        let again = index(&asked(header::IF_NONE_MATCH, &tag));
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn every_file_that_the_page_names_is_there_and_may_be_kept() {
        let page = Asset::find("index.html").unwrap();
        let html = std::str::from_utf8(page.plain).unwrap();
        let named: Vec<&str> = html.split('"').filter_map(|part| part.strip_prefix("/assets/")).collect();
        assert!(named.len() >= 2, "{html}");
        for name in named {
            let sent = send(&format!("assets/{name}"), &asked(header::ACCEPT_ENCODING, "br, gzip"));
            assert_eq!(sent.status(), StatusCode::OK, "{name}");
            assert!(sent.headers()[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
            let zipped = Asset::find(&format!("assets/{name}")).unwrap().zipped.is_some();
            assert_eq!(sent.headers().contains_key(header::CONTENT_ENCODING), zipped, "{name}");
        }
        assert_eq!(send("assets/../Cargo.toml", &HeaderMap::new()).status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn what_a_browser_loads_at_the_start_is_small() {
        let page = Asset::find("index.html").unwrap();
        let html = std::str::from_utf8(page.plain).unwrap();
        let named = html.split('"').filter_map(|part| part.strip_prefix('/')).filter_map(Asset::find);
        let bytes: usize = named.map(|asset| asset.zipped.as_deref().unwrap_or(asset.plain).len()).sum();
        assert!((10_000..200 * 1024).contains(&bytes), "{bytes}");
    }
}
