//! How long a call may take follows how fast the model was: one that hangs after that costs little, one that is slow
//! and goes on is waited for.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use duru_llm::{Error, Model, Piece, Pieces, Policy, Reply, Request, Resilient, TimeLimit, Until};
use duru_messages::{Message, MessageChunk};
use futures_util::stream;
use tokio::time::{Instant, sleep};

/// How a model behaves: when its pieces come, in seconds from one to the next; then it ends, or says nothing more.
#[derive(Clone)]
struct Pace {
    waits: Vec<f64>,
    ends: bool,
}

struct Paced {
    next: Mutex<Vec<Pace>>,
    asked: AtomicUsize,
}

#[async_trait::async_trait]
impl Model for Paced {
    fn name(&self) -> &str {
        "paced"
    }

    async fn stream(&self, _: &Request) -> Result<Pieces, Error> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let pace = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            if next.len() > 1 { next.remove(0) } else { next[0].clone() }
        };
        let last = pace.waits.len();
        let pieces = stream::unfold(0, move |at| {
            let pace = pace.clone();
            async move {
                if at >= last && !pace.ends {
                    std::future::pending::<()>().await;
                }
                if at > last {
                    return None;
                }
                sleep(Duration::from_secs_f64(pace.waits.get(at).copied().unwrap_or(0.0))).await;
                let chunk = MessageChunk::text("m", "말 ");
                let chunk = if at == last { chunk.last() } else { chunk };
                Some((Ok(Piece::Chunk(chunk)), at + 1))
            }
        });
        Ok(Pieces::new(pieces))
    }

    async fn reply(&self, request: &Request) -> Result<Reply, Error> {
        self.stream(request).await?.collect().await
    }
}

fn paced(next: impl IntoIterator<Item = Pace>) -> (Arc<Paced>, Resilient) {
    let paced = Arc::new(Paced { next: Mutex::new(next.into_iter().collect()), asked: AtomicUsize::new(0) });
    (paced.clone(), Resilient::new(paced, Policy::default()))
}

fn fast() -> Pace {
    Pace { waits: vec![0.3, 0.05, 0.05, 0.05], ends: true }
}

fn hung() -> Pace {
    Pace { waits: Vec::new(), ends: false }
}

/// A question to which somebody waits for the answer.
fn question() -> Request {
    let now = Instant::now();
    let until = Until { first: now + Duration::from_secs(30), last: now + Duration::from_secs(90) };
    Request { until: Some(until), ..Request::new([Message::human("서울 날씨는?")]) }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_was_fast_and_hangs_costs_seconds_once() {
    let (model, resilient) = paced([fast(), hung()]);
    resilient.reply(&question()).await.unwrap();
    let started = Instant::now();
    let error = resilient.reply(&question()).await.unwrap_err();
    assert_eq!(error.code(), "model_resting", "the next try is not made: {error}");
    assert!(started.elapsed() < Duration::from_secs(12), "{:?}", started.elapsed());
    let started = Instant::now();
    assert_eq!(resilient.reply(&question()).await.unwrap_err().code(), "model_resting");
    assert_eq!((started.elapsed(), model.asked.load(Ordering::SeqCst)), (Duration::ZERO, 2));
}

#[tokio::test(start_paused = true)]
async fn one_of_which_nothing_is_known_has_the_time_of_the_question() {
    let (_, resilient) = paced([hung()]);
    let started = Instant::now();
    let error = resilient.reply(&question()).await.unwrap_err();
    assert!(matches!(error, Error::Timeout { limit: TimeLimit::Question, .. }), "{error}");
    assert_eq!(started.elapsed().as_secs(), 30);
}

#[tokio::test(start_paused = true)]
async fn a_slow_model_is_waited_for_as_long_as_it_goes_on() {
    let slow = || Pace { waits: vec![12.0; 6], ends: true };
    let (_, resilient) = paced([slow(), slow()]);
    let started = Instant::now();
    resilient.reply(&question()).await.unwrap();
    resilient.reply(&question()).await.unwrap();
    assert!(started.elapsed() >= Duration::from_secs(120));
}

#[tokio::test(start_paused = true)]
async fn one_that_is_cut_off_midway_is_tried_again_soon() {
    let cut = Pace { waits: vec![0.3, 0.05], ends: false };
    let (model, resilient) = paced([fast(), cut, fast()]);
    resilient.reply(&question()).await.unwrap();
    let started = Instant::now();
    resilient.reply(&question()).await.unwrap();
    assert_eq!(model.asked.load(Ordering::SeqCst), 3);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

/// A word now and then, for ever.
#[tokio::test(start_paused = true)]
async fn one_that_drips_ends_with_its_time() {
    let drips = Pace { waits: vec![4.0; 10_000], ends: true };
    let (_, resilient) = paced([fast(), drips]);
    resilient.reply(&question()).await.unwrap();
    let started = Instant::now();
    resilient.reply(&question()).await.unwrap_err();
    assert!(started.elapsed() <= Duration::from_secs(91), "{:?}", started.elapsed());
}

/// What was slow for a while, and rested, gets more time the next time, and its own once it was measured again.
#[tokio::test(start_paused = true)]
async fn one_that_has_become_slower_is_learnt_anew() {
    let slower = || Pace { waits: vec![14.0, 0.1], ends: true };
    let (_, resilient) = paced([fast(), slower(), slower(), slower()]);
    resilient.reply(&question()).await.unwrap();
    resilient.reply(&question()).await.unwrap_err();
    sleep(Duration::from_secs(60)).await;
    resilient.reply(&question()).await.unwrap();
    resilient.reply(&question()).await.unwrap();
}
