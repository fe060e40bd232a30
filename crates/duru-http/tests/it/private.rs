//! Where connections may not lead.

use duru_http::{Client, Error, Reach, innermost};

use crate::support::{Plain, network, request, said, uri};

/// A name that leads inside is refused where it is resolved, for the very connection: no answer that changes between a check
/// and a connection gets past it.
#[tokio::test]
async fn a_name_that_leads_to_a_private_address_is_refused_as_it_is_resolved() {
    let server = Plain::start("inside").await;
    let at = format!("http://localhost:{}/", server.port);
    let base = uri("http://search.example/");
    let client = Client::through(&network(&[]), &base, Reach::public_but(&base), None).unwrap();
    let error = client.send(request(&at)).await.unwrap_err();
    assert!(matches!(error, Error::Failed(_)), "{error:?}");
    assert_eq!(innermost(&error), "localhost leads to no public address");

    // The same name, where it was configured.
    let own = Client::through(&network(&[]), &uri(&at), Reach::public_but(&uri(&at)), None).unwrap();
    assert_eq!(said(&own, &at).await, "inside");
    assert_eq!(server.lines().len(), 1);
}

#[tokio::test]
async fn an_address_that_is_written_out_is_refused_too() {
    let server = Plain::start("inside").await;
    let base = uri("http://search.example/");
    let client = Client::through(&network(&[]), &base, Reach::public_but(&base), None).unwrap();
    for at in ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"] {
        let error = client.send(request(&format!("http://{at}:{}/", server.port))).await.unwrap_err();
        assert!(matches!(error, Error::Private { .. }), "{at}: {error:?}");
    }
    assert!(server.lines().is_empty());
}

/// The proxy is inside and may be; what it would reach for us inside may not.
#[tokio::test]
async fn a_proxy_is_no_way_inside() {
    let proxy = Plain::start("the proxy").await;
    let set = format!("http://localhost:{}", proxy.port);
    // As if `localhost` had to go through it: what is excepted by itself is only this machine.
    let network = network(&[("HTTP_PROXY", &set)]);
    let base = uri("http://search.invalid/");
    let client = Client::through(&network, &base, Reach::public_but(&base), None).unwrap();
    assert_eq!(said(&client, "http://search.invalid/").await, "the proxy");
    assert_eq!(said(&client, "http://elsewhere.invalid/").await, "the proxy", "the proxy knows who that is");
    for at in ["http://10.0.0.1/".to_owned(), format!("{set}/")] {
        let error = client.send(request(&at)).await.unwrap_err();
        assert!(matches!(error, Error::Private { .. }), "{at}: {error:?}");
    }
    assert_eq!(proxy.lines().len(), 2);
}
