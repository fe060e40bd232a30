//! Retries, budgets, limits and the breaker, over the wire; time is real here,
//! so the waits are short.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use duru_llm::fake::{Fake, Fault, Says, Turn};
use duru_llm::{
    Budget, Error, Model, Piece, Pieces, Policy, Price, Reply, Request, Resilient, Resource, TimeLimit,
};
use duru_messages::ChunkAccumulator;
use futures_util::StreamExt;
use tokio::task::JoinSet;

use crate::counts::{tell, times};
use crate::support::{WIRES, fake, model, request};

const QUICK: Policy = Policy {
    tries: 5,
    backoff: Duration::from_millis(5),
    longest_wait: Duration::from_secs(5),
    idle: Duration::from_secs(20),
    total: Duration::from_secs(60),
    at_once: 8,
    failures: 1000,
    rest: Duration::from_millis(200),
};

fn resilient(fake: &Fake, wire: &str, policy: Policy) -> Resilient {
    Resilient::new(model(fake, wire), policy)
}

#[tokio::test]
async fn whatever_passes_is_tried_again() {
    let faults = [
        Fault::RateLimited(None),
        Fault::Status(500),
        Fault::Reset,
        Fault::ResetMidway,
        Fault::EndsMidway,
        Fault::InvalidJson,
        Fault::WrongTypes,
        Fault::NotUtf8,
        Fault::Empty,
        Fault::Html,
        Fault::ErrorMidway("overloaded_error".into()),
    ];
    for wire in WIRES {
        for fault in &faults {
            let fake = fake(fault.clone()).await;
            fake.next(Says::text("두 번째에 됩니다"));
            let reply = resilient(&fake, wire, QUICK).reply(&request()).await.unwrap();
            assert_eq!(reply.message.text(), "두 번째에 됩니다", "{wire} {fault:?}");
            assert_eq!(fake.seen().len(), 2, "{wire} {fault:?}");
        }
    }
}

#[tokio::test]
async fn what_does_not_pass_is_not_tried_again() {
    for fault in
        [Fault::WrongKey, Fault::UnknownModel, Fault::Status(400), Fault::NoQuota, Fault::Huge(5 << 20)]
    {
        let fake = fake(fault).await;
        resilient(&fake, "openai:m", QUICK).reply(&request()).await.unwrap_err();
        assert_eq!(fake.seen().len(), 1);
    }
}

#[tokio::test]
async fn it_gives_up_with_the_last_error() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Fault::Status(503));
    let error = resilient(&fake, "anthropic:m", QUICK).reply(&request()).await.unwrap_err();
    assert_eq!((error.code(), fake.seen().len()), ("model_overloaded", 5));
}

#[tokio::test]
async fn it_waits_as_long_as_it_is_asked_to() {
    let fake = fake(Fault::RateLimited(Some("1".into()))).await;
    let model = resilient(&fake, "openai:m", QUICK);
    let started = Instant::now();
    model.reply(&request()).await.unwrap();
    assert!(started.elapsed() >= Duration::from_secs(1));

    // But not for an hour.
    fake.next(Fault::RateLimited(Some("3600".into())));
    let error = model.reply(&request()).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
}

/// A reader that joins by id, as clients do, ends with the good reply alone.
#[tokio::test]
async fn what_a_failed_try_showed_is_superseded_and_never_doubled() {
    for wire in WIRES {
        let fake = fake(Fault::ResetMidway).await;
        fake.next(Fault::EndsMidway);
        fake.next(Says::text("처음부터 끝까지 온 답"));
        let mut pieces = resilient(&fake, wire, QUICK).stream(&request()).await.unwrap();
        let mut replies: Vec<(String, ChunkAccumulator)> = Vec::new();
        let mut superseded = Vec::new();
        while let Some(piece) = pieces.next().await {
            match piece.unwrap() {
                Piece::Chunk(chunk) => {
                    let id = chunk.id.clone().unwrap();
                    if !replies.iter().any(|(known, _)| *known == id) {
                        replies.push((id.clone(), ChunkAccumulator::new()));
                    }
                    replies.iter_mut().find(|(known, _)| *known == id).unwrap().1.push(&chunk);
                }
                Piece::Superseded { id } => superseded.push(id.unwrap()),
            }
        }
        let (kept, gone): (Vec<_>, Vec<_>) =
            replies.into_iter().partition(|(id, _)| !superseded.contains(id));
        assert_eq!((kept.len(), gone.len()), (1, superseded.len()), "{wire}");
        assert!(!gone.is_empty(), "{wire}: something was shown");
        let [(_, kept)] = <[_; 1]>::try_from(kept).unwrap();
        assert_eq!(kept.finish().text(), "처음부터 끝까지 온 답", "{wire}");
    }
}

#[tokio::test]
async fn a_budget_ends_a_run() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says { tokens: (60, 40), ..Says::text("네") });
    let model = resilient(&fake, "openai:m", QUICK);
    let price = Price { input: 1.0, output: 10.0 };
    let cases = [
        (Budget::unlimited().with_calls(3), Resource::Calls, 3),
        (Budget::unlimited().with_tokens(150), Resource::Tokens, 2),
        (Budget::unlimited().with_money(0.001, price), Resource::Money, 3),
    ];
    for (budget, what, expected) in cases {
        let budget = Arc::new(budget);
        let mine = model.within(budget.clone());
        for _ in 0..expected {
            mine.reply(&request()).await.unwrap();
        }
        assert_eq!(mine.reply(&request()).await, Err(Error::BudgetSpent { what }));
        assert_eq!((budget.calls(), budget.tokens()), (expected, expected * 100));
    }
    model.reply(&request()).await.expect("another run has its own");
}

#[tokio::test]
async fn tries_and_what_they_cost_count_too() {
    let fake = fake(Fault::EndsMidway).await;
    fake.otherwise(|_| Fault::Status(500));
    let budget = Arc::new(Budget::unlimited().with_calls(2));
    let model = resilient(&fake, "anthropic:m", QUICK).within(budget.clone());
    let error = model.reply(&request()).await.unwrap_err();
    assert_eq!(error, Error::BudgetSpent { what: Resource::Calls });
    assert_eq!(fake.seen().len(), 2);
    assert!(budget.tokens() > 0, "a try that broke off was not free");
}

/// Counts the calls that are under way.
struct Counting {
    model: Arc<dyn Model>,
    /// One more than there are calls.
    now: Arc<()>,
    most: AtomicUsize,
}

#[async_trait::async_trait]
impl Model for Counting {
    fn name(&self) -> &str {
        "counting"
    }

    async fn stream(&self, request: &Request) -> Result<Pieces, Error> {
        let call = self.now.clone();
        self.most.fetch_max(Arc::strong_count(&self.now) - 1, Ordering::Relaxed);
        let pieces = self.model.stream(request).await?;
        Ok(Pieces::new(pieces.inspect(move |_| _ = &call)))
    }

    async fn reply(&self, request: &Request) -> Result<Reply, Error> {
        self.stream(request).await?.collect().await
    }
}

#[tokio::test]
async fn calls_at_once_are_limited() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Says {
        pause: Duration::from_millis(5), ..Says::text("천천히 말하는 답입니다")
    });
    let model = model(&fake, "openai:m");
    let counting = Arc::new(Counting { model, now: Arc::default(), most: AtomicUsize::new(0) });
    let model = Resilient::new(counting.clone(), Policy { at_once: 3, ..QUICK });
    let mut calls = JoinSet::new();
    for _ in 0..12 {
        let model = model.clone();
        calls.spawn(async move { model.reply(&request()).await.unwrap() });
    }
    assert_eq!(calls.join_all().await.len(), 12);
    assert_eq!(counting.most.load(Ordering::Relaxed), 3);
}

/// A call that hangs gives its place back when its time is over.
#[tokio::test]
async fn a_hanging_call_ends_and_frees_its_place() {
    let short = Duration::from_millis(200);
    for (policy, limit) in [
        (Policy { idle: short, tries: 1, ..QUICK }, TimeLimit::Idle),
        (Policy { total: short, ..QUICK }, TimeLimit::Total),
    ] {
        let fake = fake(Fault::HangMidway).await;
        let model = resilient(&fake, "anthropic:m", Policy { at_once: 1, ..policy });
        let error = model.reply(&request()).await.unwrap_err();
        assert!(
            matches!(error, Error::Timeout { limit: found, after, .. } if (found, after) == (limit, short))
        );
        // Patient again: the machine may be busy.
        let next = tokio::time::timeout(Duration::from_secs(60), model.reply(&request())).await.unwrap();
        assert!(!matches!(next, Err(Error::Resting { .. })), "{next:?}");
    }
}

#[tokio::test]
async fn the_breaker_opens_and_recovers() {
    let fake = Fake::start().await.unwrap();
    fake.otherwise(|_| Fault::Status(500));
    let model = resilient(&fake, "openai:m", Policy { tries: 1, failures: 3, ..QUICK });
    for _ in 0..3 {
        assert_eq!(model.reply(&request()).await.unwrap_err().code(), "model_overloaded");
    }
    for _ in 0..10 {
        assert_eq!(model.reply(&request()).await.unwrap_err().code(), "model_resting");
    }
    assert_eq!(fake.seen().len(), 3, "nobody was asked");

    fake.otherwise(|_| Says::text("다시 됩니다"));
    tokio::time::sleep(QUICK.rest + Duration::from_millis(20)).await;
    for _ in 0..3 {
        assert_eq!(model.reply(&request()).await.unwrap().message.text(), "다시 됩니다");
    }
}

/// A third of all tries fails, and with five tries nearly every call succeeds.
#[tokio::test]
async fn many_random_faults() {
    let faults = [Fault::Status(500), Fault::Status(502), Fault::Reset, Fault::ResetMidway];
    let fake = Fake::start().await.unwrap();
    let random = std::sync::Mutex::new(fastrand::Rng::with_seed(7));
    fake.otherwise(move |seen| -> Turn {
        let mut random = random.lock().unwrap();
        if random.f32() < 0.3 {
            faults[random.usize(..faults.len())].clone().into()
        } else {
            Says::text(seen.last_text()).into()
        }
    });
    let model = resilient(&fake, "anthropic:m", Policy { backoff: Duration::from_millis(1), ..QUICK });
    let mut good = 0;
    let calls = times(300, 3000);
    for _ in 0..calls {
        if let Ok(reply) = model.reply(&request()).await {
            assert_eq!(reply.message.text(), "서울 날씨는?");
            good += 1;
        }
    }
    assert!(good * 100 >= calls * 99, "{good} of {calls}");
    let tries = fake.seen().len();
    assert!(tries > calls + calls / 6, "faults did fire");
    tell("F8", format_args!("{good} of {calls} calls succeeded, in {tries} tries of which a third failed"));
}
