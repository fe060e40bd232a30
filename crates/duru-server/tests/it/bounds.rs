//! Bodies that are too large, too deep or no JSON at all are refused, and the
//! server goes on.

use crate::served::served;

#[tokio::test]
async fn bodies_beyond_all_bounds_are_refused() {
    let served = served().await;
    let client = &served.client;
    let post = async |body: &str| client.raw("POST", "/threads", "application/json", Some(body)).await;

    let deep = format!("{{\"metadata\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(post(&deep).await.expect("an answer").detail(422), "Invalid JSON in request body");
    for bad in ["", "{", "nonsense", "{\"metadata\":\u{0}}", "[1,2"] {
        assert_eq!(
            post(bad).await.expect("an answer").detail(422),
            "Invalid JSON in request body",
            "{bad:?}"
        );
    }
    // The answer may come before the whole body went out; then the connection is cut.
    let large = format!("{{\"metadata\":{{\"a\":\"{}\"}}}}", "x".repeat(40 << 20));
    if let Ok(answer) = post(&large).await {
        assert_eq!(answer.detail(413), "The request body is too large.");
    }
    // Unknown fields, and one that is known twice, are let pass.
    let odd = "{\"metadata\":{\"a\":1,\"a\":2},\"unheard_of\":true}";
    assert_eq!(post(odd).await.expect("an answer").expect(200)["metadata"]["a"], 2);
}
