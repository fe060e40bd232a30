//! Tools that fail on purpose, to see what is made of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;

use super::tool::{Error, Found, Parameters, Tool, Used};

/// How a tool fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It never answers.
    Timeout,
    Exception,
    /// It finds nothing.
    Empty,
    /// It finds one poor item.
    LowQuality,
    /// It says that something it needs is not there.
    MissingDependency,
}

impl Fault {
    pub const ALL: [Self; 5] =
        [Self::Timeout, Self::Exception, Self::Empty, Self::LowQuality, Self::MissingDependency];
}

/// A tool that fails so many times, and then does its work.
pub struct Faulty {
    inner: Arc<dyn Tool>,
    fault: Fault,
    left: AtomicUsize,
}

impl Faulty {
    /// Fails the first `times` calls; `usize::MAX` for all of them.
    pub fn new(inner: Arc<dyn Tool>, fault: Fault, times: usize) -> Self {
        Self { inner, fault, left: AtomicUsize::new(times) }
    }
}

#[async_trait]
impl Tool for Faulty {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn call(&self, parameters: &Parameters, given: &[Used]) -> Result<Found, Error> {
        let taken = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if taken.is_err() {
            return self.inner.call(parameters, given).await;
        }
        match self.fault {
            Fault::Timeout => std::future::pending().await,
            Fault::Exception => Err(Error::Failed("injected".to_owned())),
            Fault::Empty => Ok(Found::default()),
            Fault::LowQuality => {
                let mut found = self.inner.call(parameters, given).await?;
                found.items.truncate(1);
                found.quality = 0.2;
                Ok(found)
            }
            Fault::MissingDependency => Err(Error::MissingDependency("injected".to_owned())),
        }
    }
}
