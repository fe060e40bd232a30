//! TLS: certificates of one's own, HTTP/2, and tunnels.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use duru_http::{BadNetwork, Client, Reach};
use http::{Response, Version};
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::support::{Plain, client, network, request, said, uri};

/// A server with a certificate of a company's own, which it writes to a file in `folder`.
async fn encrypted(folder: &Path) -> (u16, PathBuf) {
    let authority_key = rcgen::KeyPair::generate().unwrap();
    let mut parameters = rcgen::CertificateParams::new(Vec::new()).unwrap();
    parameters.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let authority = parameters.self_signed(&authority_key).unwrap();
    let issuer = rcgen::Issuer::new(parameters, &authority_key);
    let key = rcgen::KeyPair::generate().unwrap();
    let names = vec!["localhost".to_owned(), "models.invalid".to_owned()];
    let certificate = rcgen::CertificateParams::new(names).unwrap().signed_by(&key, &issuer).unwrap();
    let file = folder.join("company.pem");
    std::fs::write(&file, authority.pem()).unwrap();

    let chain = vec![CertificateDer::from(certificate.der().to_vec())];
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(serve(listener, TlsAcceptor::from(Arc::new(config))));
    (port, file)
}

async fn serve(listener: TcpListener, acceptor: TlsAcceptor) {
    while let Ok((stream, _)) = listener.accept().await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            // Whoever does not believe the certificate hangs up here.
            let Ok(stream) = acceptor.accept(stream).await else { return };
            let answer = service_fn(|asked: hyper::Request<hyper::body::Incoming>| async move {
                let said = if asked.version() == Version::HTTP_2 { "HTTP/2" } else { "older" };
                Ok::<_, std::convert::Infallible>(Response::new(Full::new(Bytes::from(said))))
            });
            let connection = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            connection.serve_connection(TokioIo::new(stream), answer).await.ok();
        });
    }
}

#[tokio::test]
async fn a_companys_own_certificates_are_believed_where_they_are_set_and_only_there() {
    let folder = tempfile::tempdir().unwrap();
    let (port, file) = encrypted(folder.path()).await;
    let at = format!("https://localhost:{port}/");
    let own = network(&[("SSL_CERT_FILE", file.to_str().unwrap())]);
    assert_eq!(said(&client(&own, &at), &at).await, "HTTP/2");

    let (_, other) = {
        let other = folder.path().join("other");
        std::fs::create_dir(&other).unwrap();
        encrypted(&other).await
    };
    let stranger = network(&[("SSL_CERT_FILE", other.to_str().unwrap())]);
    let error = client(&stranger, &at).send(request(&at)).await.unwrap_err();
    assert!(error.to_string().contains("certificate"), "{error}");
}

#[tokio::test]
async fn an_encrypted_request_goes_through_a_proxy_as_a_tunnel() {
    let folder = tempfile::tempdir().unwrap();
    let (port, file) = encrypted(folder.path()).await;
    let proxy = Plain::start("the proxy").await;
    let set = [
        ("SSL_CERT_FILE", file.to_str().unwrap().to_owned()),
        ("https_proxy", format!("127.0.0.1:{}", proxy.port)),
    ];
    let network = network(&set.each_ref().map(|(name, value)| (*name, value.as_str())));
    let at = format!("https://models.invalid:{port}/v1");
    assert_eq!(said(&client(&network, &at), &at).await, "HTTP/2");
    assert_eq!(proxy.lines(), [format!("CONNECT models.invalid:{port} HTTP/1.1")]);
}

#[test]
fn a_file_without_certificates_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.pem");
    let network = network(&[("SSL_CERT_FILE", missing.to_str().unwrap())]);
    let made = Client::through(&network, &uri("https://a.example/"), Reach::Anywhere, None);
    let Err(BadNetwork::Certificates(path)) = made else { panic!("it was made") };
    assert!(path.ends_with("missing.pem"));
    // Who asks without TLS needs none.
    assert!(Client::through(&network, &uri("http://a.example/"), Reach::Anywhere, None).is_ok());
}
