//! What a process tells of itself: log lines for whoever reads them, and spans
//! for a collector that speaks OpenTelemetry's protocol over HTTP.
//!
//! Programs say what they do with `tracing`; nothing here is needed to do so.
//! [`install`] has it written by `tracing-subscriber` and sent by OpenTelemetry's
//! own crates. Nothing that is told here ever makes its teller wait.

mod export;
mod filter;
mod install;
mod lines;
mod sampling;
mod settings;
mod spans;
mod tally;

pub use export::{Counts, counts};
pub use filter::{Filter, Level};
pub use install::{Telemetry, install, shows_content};
pub use settings::{Format, Lines, SettingError, Settings, Traces};
pub use spans::{Context, current};
pub use tally::{Tally, count, tallies};
