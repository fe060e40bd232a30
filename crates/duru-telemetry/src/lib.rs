//! What a process tells of itself: log lines for whoever reads them, and spans
//! for a collector that speaks OpenTelemetry's protocol over HTTP.
//!
//! Programs say what they do with `tracing`; nothing here is needed to do so.
//! [`install`] has it written and sent. Only what comes from our own crates
//! counts, and nothing that is told here ever makes its teller wait.

mod context;
mod export;
mod install;
mod json;
mod line;
mod listener;
mod otlp;
mod otlp_json;
mod queue;
mod settings;
mod shards;
mod slots;
mod span;
mod tally;

pub use context::Context;
pub use export::{Counts, counts};
pub use install::{Telemetry, current, install, shows_content};
pub use settings::{Format, Level, Lines, SettingError, Settings, Traces};
pub use tally::{Tally, count, tallies};
