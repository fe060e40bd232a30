//! Reliable calls of models that are not.

mod breaker;
mod budget;
mod call;
mod policy;
mod speed;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use breaker::Breaker;
use speed::Speed;
use tokio::sync::Semaphore;

pub use budget::{Budget, Price, Resource};
pub use policy::Policy;
pub use speed::MeasuredSpeed;

use crate::{Error, Model, Pieces, Reply, Request};

/// A model with retries, limits of time (the policy's, and within them those of its measured speed), a budget, a limit of calls at once,
/// and a breaker that opens when nothing works and tries again later.
///
/// Clones, and what [`Resilient::within`] makes, share the limit and the breaker.
///
/// ```
/// use std::sync::Arc;
/// use duru_llm::fake::{Fake, Fault, Says};
/// use duru_llm::{Budget, Model, Policy, Request, Resilient, Settings};
/// use duru_messages::Message;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let fake = Fake::start().await?;
/// fake.next(Fault::ResetMidway);
/// fake.next(Says::text("안녕하세요"));
///
/// let settings = Settings::read(|name| fake.variable(name))?.expect("a model is set");
/// let model = Resilient::new(settings.model()?, Policy::default());
/// let budget = Arc::new(Budget::unlimited());
/// let reply = model.within(budget.clone()).reply(&Request::new([Message::human("hi")])).await?;
/// assert_eq!(reply.message.text(), "안녕하세요"); // and nothing of the first try
/// assert_eq!(budget.calls(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Resilient {
    shared: Arc<Shared>,
    budget: Arc<Budget>,
}

struct Shared {
    model: Arc<dyn Model>,
    policy: Policy,
    places: Arc<Semaphore>,
    breaker: Arc<Breaker>,
    speed: Mutex<Speed>,
}

impl Shared {
    // Every change leaves a state that holds, so a panic elsewhere does not spoil it.
    fn speed(&self) -> MutexGuard<'_, Speed> {
        self.speed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resilient {
    /// `model` under `policy`, with no limit on what it may cost.
    pub fn new(model: Arc<dyn Model>, policy: Policy) -> Self {
        let shared = Shared {
            places: Arc::new(Semaphore::new(policy.at_once.max(1))),
            breaker: Arc::new(Breaker::new(policy.failures, policy.rest)),
            speed: Mutex::default(),
            model,
            policy,
        };
        Resilient { shared: Arc::new(shared), budget: Arc::new(Budget::unlimited()) }
    }

    /// The same model for a run that may spend only this.
    #[must_use]
    pub fn within(&self, budget: Arc<Budget>) -> Self {
        Resilient { shared: self.shared.clone(), budget }
    }

    /// How fast the last reply came; nothing, if there was none or it had been kept.
    pub fn measured_speed(&self) -> Option<MeasuredSpeed> {
        self.shared.speed().latest()
    }
}

#[async_trait]
impl Model for Resilient {
    fn name(&self) -> &str {
        self.shared.model.name()
    }

    /// Begins with the first piece that is asked for, so errors come with the pieces.
    async fn stream(&self, request: &Request) -> Result<Pieces, Error> {
        Ok(call::pieces(self.shared.clone(), self.budget.clone(), request.clone()))
    }

    async fn reply(&self, request: &Request) -> Result<Reply, Error> {
        self.stream(request).await?.collect().await
    }
}
