//! Has everything told from now on, in the whole process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tracing::dispatcher;

use crate::context::Context;
use crate::export::{self, Flusher};
use crate::listener::Listener;
use crate::settings::{Sampler, SettingError, Settings};
use crate::slots::Slots;

static CONTENT: AtomicBool = AtomicBool::new(false);

/// What is left to do when a process ends.
#[must_use = "what is not sent by then is lost"]
pub struct Telemetry {
    flusher: Option<Flusher>,
}

/// Has everything told from now on. Once for a process; spans need its runtime.
///
/// # Errors
/// If TLS can't be set up, or another listens already.
pub fn install(settings: Settings) -> Result<Telemetry, SettingError> {
    let Settings { lines, traces } = settings;
    if lines.is_none() && traces.is_none() {
        return Ok(Telemetry { flusher: None });
    }
    let sampler = traces.as_ref().map_or(Sampler { share: 1.0, parent_based: true }, |traces| traces.sampler);
    let content = traces.as_ref().is_some_and(|traces| traces.content);
    let failed = |reason: String| SettingError { variable: "OTEL_EXPORTER_OTLP_ENDPOINT", reason };
    let started = traces.map(export::start).transpose().map_err(|error| failed(error.to_string()))?;
    let (queue, flusher) = started.unzip();
    let listener = Listener { lines, queue, sampler, slots: Slots::default() };
    tracing::subscriber::set_global_default(listener).map_err(|error| failed(error.to_string()))?;
    CONTENT.store(content, Ordering::Relaxed);
    Ok(Telemetry { flusher })
}

impl Telemetry {
    /// Sends what is left, as long as that takes no longer than this.
    pub async fn finish(self, within: Duration) {
        if let Some(flusher) = self.flusher {
            flusher.flush(within).await;
        }
    }
}

/// The span that is under way here, as others name it.
pub fn current() -> Option<Context> {
    dispatcher::get_default(|dispatch| dispatch.downcast_ref::<Listener>()?.context())
}

/// Whether people's words and the queries made of them may be told. Not unless somebody asked for it.
pub fn shows_content() -> bool {
    CONTENT.load(Ordering::Relaxed)
}
