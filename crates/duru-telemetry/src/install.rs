//! Has everything told from now on, in the whole process.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::level_filters::LevelFilter;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::filter::{FilterExt as _, filter_fn};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer, Registry, fmt};

use crate::export;
use crate::filter::is_traced;
use crate::lines::{Around, is_said};
use crate::settings::{Lines, SettingError, Settings};
use crate::spans::{Gate, SpanLayer};

static CONTENT: AtomicBool = AtomicBool::new(false);

/// What is left to do when a process ends.
#[must_use = "what is not sent by then is lost"]
pub struct Telemetry {
    spans: Option<SdkTracerProvider>,
}

/// Has everything told from now on. Once for a process; spans need its runtime.
///
/// # Errors
/// If TLS can't be set up, or another listens already.
pub fn install(settings: Settings) -> Result<Telemetry, SettingError> {
    let Settings { lines, traces } = settings;
    if lines.is_none() && traces.is_none() {
        return Ok(Telemetry { spans: None });
    }
    let failed = |reason: String| SettingError { variable: "OTEL_EXPORTER_OTLP_ENDPOINT", reason };
    let content = traces.as_ref().is_some_and(|traces| traces.content);
    let sampling = traces.as_ref().map(|traces| traces.sampling);
    let spans = traces.map(export::start).transpose().map_err(failed)?;
    let sent = spans.as_ref().zip(sampling).map(|(provider, sampling)| {
        let traced = filter_fn(is_traced).with_max_level_hint(LevelFilter::INFO);
        SpanLayer::new(export::tracer(provider), sampling).with_filter(traced)
    });
    let begun = match (sent, lines) {
        (None, Some(lines)) => only_lines(lines, io::stderr).try_init(),
        (sent, lines) => {
            let written = lines.map(|lines| lines_layer(lines, sent.is_some(), io::stderr));
            Registry::default().with(sent).with(written).with(Gate).try_init()
        }
    };
    begun.map_err(|error| failed(error.to_string()))?;
    CONTENT.store(content, Ordering::Relaxed);
    Ok(Telemetry { spans })
}

/// Where nothing is sent. A layer that is none, and a gate with nothing to keep out, would have everything made that
/// lines refuse.
fn only_lines<W>(lines: Lines, writer: W) -> impl Subscriber + Send + Sync + 'static
where
    W: for<'line> MakeWriter<'line> + Send + Sync + 'static,
{
    Registry::default().with(lines_layer(lines, false, writer))
}

fn lines_layer<S, W>(lines: Lines, with_traces: bool, writer: W) -> impl Layer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    W: for<'line> MakeWriter<'line> + Send + Sync + 'static,
{
    // Where spans are made anyway, lines of every level say which request they belong to. Spans of which lines say
    // nothing are not made for them.
    let of_lines: fn(&Metadata<'_>) -> bool = |what| what.is_event() || is_said(what);
    let of_traces: fn(&Metadata<'_>) -> bool = match with_traces {
        true => |what| is_traced(what) && is_said(what),
        false => |_| false,
    };
    let most = if with_traces { LevelFilter::INFO } else { LevelFilter::OFF };
    // It says of itself that it takes every level, so that the one that lines are of holds for both.
    let of_lines = filter_fn(of_lines).with_max_level_hint(LevelFilter::TRACE);
    let filter = lines.filter.build().and(of_lines);
    let filter = filter.or(filter_fn(of_traces).with_max_level_hint(most));
    let layer = fmt::layer().fmt_fields(Around).event_format(lines.format);
    // Nobody can be told that nobody can be told.
    layer.with_writer(writer).log_internal_errors(false).with_filter(filter)
}

impl Telemetry {
    /// Sends what is left, as long as that takes no longer than this.
    pub async fn finish(self, within: Duration) {
        if let Some(spans) = self.spans {
            // It waits for the thread that sends, which needs this runtime for its requests. What it could
            // not send is counted already.
            let sent = tokio::task::spawn_blocking(move || spans.shutdown_with_timeout(within));
            drop(tokio::time::timeout(within, sent).await);
        }
    }
}

/// Whether people's words and the queries made of them may be told. Not unless somebody asked for it.
pub fn shows_content() -> bool {
    CONTENT.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, PoisonError};

    use tracing_log::{LogTracer, log};

    use super::*;
    use crate::{Filter, Format, Level};

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// What is written of what several crates say, without its time.
    fn written(filter: Filter, with_traces: bool) -> Vec<String> {
        let (written, lines) = (Written::default(), Lines { format: Format::Text, filter });
        let writer = written.clone();
        let layer = lines_layer(lines, with_traces, move || writer.clone());
        tracing::subscriber::with_default(Registry::default().with(layer), || {
            let span = tracing::info_span!(target: "duru_server", "request", duru.request.id = "1");
            let _within = span.enter();
            tracing::warn!(target: "duru_server::guard", "our trouble");
            tracing::debug!(target: "duru_server::guard", "our detail");
            tracing::info!(target: "duru_llm", status = 200, "our line");
            tracing::error!(target: "hyper::proto", "their trouble");
            tracing::info!(target: "hyper::proto", "their line");
            log::warn!(target: "rustls::client", "their old trouble");
            log::info!(target: "rustls::client", "their old line");
        });
        let bytes = written.0.lock().unwrap();
        String::from_utf8_lossy(&bytes).lines().map(|line| line[25..].to_owned()).collect()
    }

    #[test]
    fn without_a_collector_what_lines_refuse_is_not_made() {
        for (level, most) in [(Level::Warn, LevelFilter::WARN), (Level::Info, LevelFilter::INFO)] {
            let lines = Lines { format: Format::Text, filter: level.into() };
            let listens = only_lines(lines, io::sink);
            assert_eq!(listens.max_level_hint(), Some(most));
            tracing::subscriber::with_default(listens, || {
                let node = tracing::info_span!(target: "duru_engine", "node", duru.node = "a");
                let request = tracing::info_span!(target: "duru_server", "request", duru.request.id = "1");
                assert!(node.is_disabled(), "no line says anything of it");
                assert_eq!(request.is_disabled(), level == Level::Warn);
                assert!(!tracing::enabled!(target: "hyper", tracing::Level::DEBUG));
            });
        }
    }

    #[test]
    fn libraries_are_heard_of_when_they_are_in_trouble_and_targets_have_levels_of_their_own() {
        LogTracer::init().unwrap();
        let trouble = [
            "WARN  duru_server: our trouble",
            "ERROR hyper: their trouble",
            "WARN  rustls: their old trouble",
        ];
        assert_eq!(written(Level::Warn.into(), false), trouble);
        assert_eq!(written(Level::Warn.into(), true), trouble.map(|line| format!("{line} request=1")));
        let at_info = written(Level::Info.into(), false);
        assert_eq!(at_info.len(), 4, "{at_info:?}");
        assert_eq!(at_info[1], "INFO  duru_llm: our line status=200 request=1");
        // As the documents have it: a level without a name would be for libraries, too.
        let of_ours = written(Filter::parse("duru=info,duru_server=debug,hyper=off").unwrap(), false);
        let expected = ["our trouble", "our detail", "our line", "their old trouble"];
        assert!(of_ours.iter().zip(expected).all(|(line, said)| line.contains(said)), "{of_ours:?}");
        assert_eq!(of_ours.len(), expected.len());
        let by_target = Filter::parse("duru_server=debug,hyper=off,rustls=info").unwrap();
        let expected = ["our trouble", "our detail", "their old trouble", "their old line"];
        let by_target = written(by_target, true);
        assert!(by_target.iter().zip(expected).all(|(line, said)| line.contains(said)), "{by_target:?}");
        assert_eq!(by_target.len(), expected.len());
    }
}
