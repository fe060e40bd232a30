//! The way out of this network, as the usual variables say.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use http::Uri;
use hyper_util::client::proxy::matcher::Matcher;
use rustls::{ClientConfig, RootCertStore};

/// Never asked for by a proxy: what it calls by these names is itself.
const HERE: &str = "localhost,127.0.0.0/8,::1";

/// Through whom requests go, and whose certificates are believed.
///
/// Proxies are those of `HTTPS_PROXY`, `HTTP_PROXY` and `ALL_PROXY`, but for the hosts of `NO_PROXY` and this machine itself;
/// in small letters, too. Certificates are the system's, or those of `SSL_CERT_FILE` and `SSL_CERT_DIR`.
#[derive(Debug, Default)]
pub struct Network {
    http: Option<String>,
    https: Option<String>,
    not: String,
    file: Option<PathBuf>,
    folder: Option<PathBuf>,
    roots: OnceLock<Arc<RootCertStore>>,
}

/// Something that is set has no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNetwork {
    /// Of a proxy. Its value may hold a password, and is not repeated.
    #[error(
        "{variable} is not the address of a proxy, such as http://proxy.example:3128 (only http:// and https://)"
    )]
    Proxy { variable: String },
    #[error("there are no certificates in {0}: set SSL_CERT_FILE to a file with them in PEM")]
    Certificates(String),
    #[error("this system has no certificates: install ca-certificates or set SSL_CERT_FILE")]
    NoCertificates,
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
}

impl Network {
    /// No proxy, whatever is set.
    pub fn direct() -> Self {
        Self::default()
    }

    /// That of this process.
    ///
    /// # Errors
    /// If a variable names no proxy.
    pub fn of_process() -> Result<&'static Network, BadNetwork> {
        static NETWORK: OnceLock<Result<Network, BadNetwork>> = OnceLock::new();
        let read = || Network::read(|name| std::env::var(name).ok());
        NETWORK.get_or_init(read).as_ref().map_err(BadNetwork::clone)
    }

    /// # Errors
    /// If a variable names no proxy.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, BadNetwork> {
        let set =
            |name: &str| get(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let either = |name: &str| {
            let small = name.to_ascii_lowercase();
            set(name).map(|value| (name.to_owned(), value)).or_else(|| Some((small.clone(), set(&small)?)))
        };
        let proxy = |name: &str| match either(name).or_else(|| either("ALL_PROXY")) {
            Some((variable, value)) => match address(&value) {
                Some(address) => Ok(Some(address)),
                None => Err(BadNetwork::Proxy { variable }),
            },
            None => Ok(None),
        };
        let not = either("NO_PROXY").map_or_else(|| HERE.to_owned(), |(_, list)| format!("{list},{HERE}"));
        Ok(Self {
            http: proxy("HTTP_PROXY")?,
            https: proxy("HTTPS_PROXY")?,
            not,
            file: set("SSL_CERT_FILE").map(PathBuf::from),
            folder: set("SSL_CERT_DIR").map(PathBuf::from),
            roots: OnceLock::new(),
        })
    }

    /// Says which requests go through a proxy, as those that are sent do.
    pub(crate) fn proxied(&self) -> Matcher {
        Matcher::builder()
            .http(self.http.clone().unwrap_or_default())
            .https(self.https.clone().unwrap_or_default())
            .no(self.not.clone())
            .build()
    }

    pub(crate) fn proxies(&self) -> Result<Vec<reqwest::Proxy>, BadNetwork> {
        let not = || reqwest::NoProxy::from_string(&self.not);
        let bad = |variable: &str| BadNetwork::Proxy { variable: variable.to_owned() };
        let mut proxies = Vec::new();
        if let Some(address) = &self.http {
            let proxy = reqwest::Proxy::http(address).map_err(|_| bad("HTTP_PROXY"))?;
            proxies.push(proxy.no_proxy(not()));
        }
        if let Some(address) = &self.https {
            let proxy = reqwest::Proxy::https(address).map_err(|_| bad("HTTPS_PROXY"))?;
            proxies.push(proxy.no_proxy(not()));
        }
        Ok(proxies)
    }

    /// The hosts of the proxies.
    pub(crate) fn proxy_hosts(&self) -> Arc<[String]> {
        let host = |address: &String| Some(address.parse::<Uri>().ok()?.host()?.to_owned());
        [&self.http, &self.https].into_iter().flatten().filter_map(host).collect()
    }

    /// TLS for connections to `base` and the proxy before it.
    pub(crate) fn tls(&self, base: &Uri) -> Result<ClientConfig, BadNetwork> {
        let encrypted =
            |address: &Option<String>| address.as_deref().is_some_and(|a| a.starts_with("https:"));
        // A hundred certificates take a while to read.
        let wanted = base.scheme_str() == Some("https") || encrypted(&self.http) || encrypted(&self.https);
        let roots = if wanted { self.roots()? } else { RootCertStore::empty().into() };
        // The provider is named here, so that no program has to install one first.
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| BadNetwork::Tls(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    }

    fn roots(&self) -> Result<Arc<RootCertStore>, BadNetwork> {
        let roots = self.roots.get_or_init(|| {
            let found = match (&self.file, &self.folder) {
                (None, None) => rustls_native_certs::load_native_certs(),
                (file, folder) => {
                    rustls_native_certs::load_certs_from_paths(file.as_deref(), folder.as_deref())
                }
            };
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(found.certs);
            Arc::new(roots)
        });
        match (&self.file, &self.folder) {
            _ if !roots.is_empty() => Ok(Arc::clone(roots)),
            (Some(path), _) | (None, Some(path)) => Err(BadNetwork::Certificates(path.display().to_string())),
            (None, None) => Err(BadNetwork::NoCertificates),
        }
    }
}

/// A proxy's address as people write it: the scheme may be missing.
fn address(text: &str) -> Option<String> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let uri: Uri = whole.parse().ok()?;
    let known = matches!(uri.scheme_str(), Some("http" | "https"));
    (known && uri.host().is_some_and(|host| !host.is_empty())).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(set: &[(&str, &str)]) -> Result<Network, BadNetwork> {
        Network::read(|name| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_usual_variables_say_which_proxy_a_request_takes() {
        let set = [
            ("HTTPS_PROXY", "proxy.corp:3128"),
            ("http_proxy", "http://plain.corp:80"),
            ("NO_PROXY", "inside.corp, 10.0.0.0/8"),
        ];
        let proxied = network(&set).unwrap().proxied();
        let through = |uri: &str| proxied.intercept(&uri.parse().unwrap()).map(|way| way.uri().to_string());
        assert_eq!(through("https://api.example/v1").as_deref(), Some("http://proxy.corp:3128/"));
        assert_eq!(through("http://api.example/v1").as_deref(), Some("http://plain.corp:80/"));
        for near in [
            "https://inside.corp/",
            "https://a.inside.corp/",
            "http://10.1.2.3/",
            "http://localhost:11434/",
            "http://127.0.0.1:8000/v1",
            "http://[::1]:8000/",
        ] {
            assert_eq!(through(near), None, "{near}");
        }
        let all = network(&[("ALL_PROXY", "http://all.corp:1")]).unwrap();
        assert_eq!(*all.proxy_hosts(), ["all.corp", "all.corp"]);
        assert!(network(&[]).unwrap().proxied().intercept(&"https://a.example/".parse().unwrap()).is_none());
    }

    #[test]
    fn what_is_no_proxy_is_said_without_its_password() {
        for value in ["socks5://me:geheim@proxy.corp", "http://", "ftp://me:geheim@proxy.corp"] {
            let error = network(&[("https_proxy", value)]).unwrap_err().to_string();
            assert!(error.contains("https_proxy") && !error.contains("geheim"), "{error}");
        }
    }
}
