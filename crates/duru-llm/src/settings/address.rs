//! Addresses of servers, as people write them.

use http::Uri;

/// The base of a server's address. An address without a path gets `path`.
pub(crate) fn base(text: &str, path: &str) -> Result<Uri, String> {
    let text = text.trim().trim_end_matches('/');
    let uri: Uri = text.parse().map_err(|_| "it is not an address such as http://localhost:8000/v1")?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) {
        return Err("it begins with neither http:// nor https://".into());
    }
    // An address is shown in errors and logs, where a password has no place.
    if uri.authority().is_none_or(|authority| authority.as_str().contains('@')) {
        return Err("it has a user or a password in it; use DURU_API_KEY".into());
    }
    if uri.query().is_some() {
        return Err("it has a ? in it; only a path may follow the host".into());
    }
    if uri.path().trim_matches('/').is_empty() {
        return format!("{text}{path}").parse().map_err(|_| "it is not an address".to_owned());
    }
    Ok(uri)
}

/// What `OLLAMA_HOST` may hold besides an address: a host, perhaps with a port.
pub(super) fn ollama(host: Option<String>) -> String {
    let host = host.unwrap_or_else(|| "127.0.0.1".into());
    if host.contains("://") {
        return host;
    }
    // Behind the bracket of an IPv6 address a colon begins the port.
    let port = host.rsplit(']').next().is_some_and(|rest| rest.contains(':'));
    if port { format!("http://{host}") } else { format!("http://{host}:11434") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_people_write_them() {
        assert_eq!(base("http://localhost:8000", "/v1").unwrap(), "http://localhost:8000/v1");
        assert_eq!(base(" https://a.example/llm/v1/ ", "/v1").unwrap(), "https://a.example/llm/v1");
        for bad in
            ["localhost:8000", "ftp://a", "http://me:pw@a/v1", "http://a/v1?k=1", "http://", "http://a b"]
        {
            assert!(base(bad, "/v1").is_err(), "{bad}");
        }
    }

    #[test]
    fn hosts_of_ollama() {
        assert_eq!(ollama(None), "http://127.0.0.1:11434");
        assert_eq!(ollama(Some("0.0.0.0".into())), "http://0.0.0.0:11434");
        assert_eq!(ollama(Some("box:9".into())), "http://box:9");
        assert_eq!(ollama(Some("[::1]".into())), "http://[::1]:11434");
        assert_eq!(ollama(Some("https://box".into())), "https://box");
    }
}
