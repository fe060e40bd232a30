//! Proxies by the usual variables.

use crate::support::{Plain, client, network, said};

#[tokio::test]
async fn a_proxy_is_used_and_a_name_that_only_it_knows_is_fine() {
    let proxy = Plain::start("the proxy").await;
    let network = network(&[("HTTP_PROXY", &format!("http://127.0.0.1:{}", proxy.port))]);
    let client = client(&network, "http://models.invalid/v1");
    assert_eq!(said(&client, "http://models.invalid/v1/chat").await, "the proxy");
    assert_eq!(proxy.lines(), ["POST http://models.invalid/v1/chat HTTP/1.1"]);
}

#[tokio::test]
async fn hosts_of_no_proxy_and_this_machine_are_asked_directly() {
    let (proxy, server) = (Plain::start("the proxy").await, Plain::start("the server").await);
    let address = format!("http://127.0.0.1:{}", proxy.port);
    let local = network(&[("HTTP_PROXY", &address)]);
    let at = format!("http://127.0.0.1:{}/", server.port);
    assert_eq!(said(&client(&local, &at), &at).await, "the server");

    // A name of this machine that is not `localhost` goes through the proxy, unless it is excepted.
    let named = format!("http://api.localhost:{}/", server.port);
    let excepted = network(&[("HTTP_PROXY", &address), ("NO_PROXY", "api.localhost")]);
    assert_eq!(
        said(&client(&network(&[("HTTP_PROXY", &address)]), "http://a.invalid/"), "http://a.invalid/").await,
        "the proxy"
    );
    if tokio::net::lookup_host(("api.localhost", 0)).await.is_ok() {
        assert_eq!(said(&client(&excepted, &named), &named).await, "the server");
    }
    assert_eq!(proxy.lines(), ["POST http://a.invalid/ HTTP/1.1"]);
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let server = Plain::start("again").await;
    let at = format!("http://127.0.0.1:{}/", server.port);
    let client = client(&network(&[]), &at);
    for _ in 0..5 {
        assert_eq!(said(&client, &at).await, "again");
    }
    assert_eq!((server.lines().len(), server.connections()), (5, 1));
}
