//! A silent provider holds nobody: both limits fire, and the connection is let go.

use std::time::{Duration, Instant};

use duru_llm::fake::{Fake, Fault, Says};
use duru_llm::{Error, Limits, TimeLimit};

use crate::support::{PATIENT, WIRES, fake, request, settings};

const SHORT: Duration = Duration::from_millis(300);

async fn check(fault: Fault, limits: Limits, expected: TimeLimit) {
    for wire in WIRES {
        let fake = fake(fault.clone()).await;
        let model = settings(&fake, wire).with_limits(limits).model().unwrap();
        let started = Instant::now();
        let error = model.reply(&request()).await.expect_err("it never ends");
        let Error::Timeout { limit, after, .. } = error else { panic!("{wire} {fault:?}: {error}") };
        assert_eq!((limit, after), (expected, SHORT), "{wire} {fault:?}");
        // The provider would have taken for ever, and the other limit is a minute.
        assert!(started.elapsed() < Duration::from_secs(15), "{wire} {fault:?}");
        let_go(&fake).await;
    }
}

/// Waits until no connection is open; a busy machine may need a while.
async fn let_go(fake: &Fake) {
    let started = Instant::now();
    while fake.open() > 0 {
        assert!(started.elapsed() < Duration::from_secs(60), "the connection is still open");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn nothing_for_too_long() {
    let limits = Limits { idle: SHORT, ..PATIENT };
    check(Fault::Hang, limits, TimeLimit::Idle).await;
    check(Fault::HangMidway, limits, TimeLimit::Idle).await;
    check(Fault::Drip(Duration::from_secs(10)), limits, TimeLimit::Idle).await;
}

/// Bytes alone are no sign of life.
#[tokio::test]
async fn a_byte_now_and_then_is_nothing() {
    let limits = Limits { idle: SHORT, ..PATIENT };
    check(Fault::Drip(Duration::from_millis(100)), limits, TimeLimit::Idle).await;
}

#[tokio::test]
async fn too_long_in_total() {
    let limits = Limits { total: SHORT, ..PATIENT };
    check(Fault::Hang, limits, TimeLimit::Total).await;
    check(Fault::HangMidway, limits, TimeLimit::Total).await;
    check(Fault::Drip(Duration::from_secs(10)), limits, TimeLimit::Total).await;
}

#[tokio::test]
async fn a_slow_reply_that_goes_on_is_waited_for() {
    for wire in WIRES {
        let fake = fake(Says { pause: SHORT / 6, ..Says::text("천천히 그러나 끝까지 갑니다") }).await;
        let limits = Limits { idle: SHORT * 3, ..PATIENT };
        let reply =
            settings(&fake, wire).with_limits(limits).model().unwrap().reply(&request()).await.unwrap();
        assert_eq!(reply.message.text(), "천천히 그러나 끝까지 갑니다", "{wire}");
    }
}

#[tokio::test]
async fn dropping_a_stream_ends_the_call() {
    for wire in WIRES {
        let fake = fake(Fault::HangMidway).await;
        let model = settings(&fake, wire).model().unwrap();
        let mut pieces = model.stream(&request()).await.unwrap();
        pieces.next().await.unwrap().unwrap();
        drop(pieces);
        let_go(&fake).await;
    }
}
