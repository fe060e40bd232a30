//! Spans as traces have them: `tracing-opentelemetry`, with the parents that come from other processes.

use std::collections::HashMap;
use std::fmt::Debug;

use opentelemetry::Context as OtelContext;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracer;
use tracing::Subscriber;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context as LayerContext;
use tracing_subscriber::registry::LookupSpan;

/// The header, and the field of a span that holds one.
pub(crate) const TRACEPARENT: &str = "traceparent";

/// A span as others name it.
#[derive(Debug, Clone)]
pub struct Context(OtelContext);

/// The span that is under way here, as others name it.
pub fn current() -> Option<Context> {
    let here = OtelContext::current();
    let is_valid = here.span().span_context().is_valid();
    is_valid.then_some(Context(here))
}

impl Context {
    /// The value of W3C's header `traceparent`.
    pub fn header(&self) -> String {
        let mut headers = HashMap::new();
        TraceContextPropagator::new().inject_context(&self.0, &mut headers);
        headers.remove(TRACEPARENT).unwrap_or_default()
    }

    /// The trace's id, as logs and collectors show it.
    pub(crate) fn trace_id(&self) -> String {
        self.0.span().span_context().trace_id().to_string()
    }
}

/// Makes spans of those that `tracing` knows. Events are lines, and no part of them.
pub(crate) struct SpanLayer<S>(OpenTelemetryLayer<S, SdkTracer>);

impl<S> SpanLayer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    pub(crate) fn new(tracer: SdkTracer) -> Self {
        let layer = OpenTelemetryLayer::new(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        Self(layer)
    }
}

impl<S> Layer<S> for SpanLayer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    fn on_new_span(&self, given: &Attributes<'_>, id: &Id, context: LayerContext<'_, S>) {
        match Remote::of(given) {
            Some(parent) => {
                let _here = parent.attach();
                self.0.on_new_span(given, id, context);
            }
            // Nobody keeps the trace, so nobody misses what is within its first span.
            None if is_dropped(&OtelContext::current()) => {}
            None => self.0.on_new_span(given, id, context),
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: LayerContext<'_, S>) {
        self.0.on_record(id, values, context);
    }

    fn on_enter(&self, id: &Id, context: LayerContext<'_, S>) {
        self.0.on_enter(id, context);
    }

    fn on_exit(&self, id: &Id, context: LayerContext<'_, S>) {
        self.0.on_exit(id, context);
    }

    fn on_close(&self, id: Id, context: LayerContext<'_, S>) {
        self.0.on_close(id, context);
    }
}

fn is_dropped(here: &OtelContext) -> bool {
    let span = here.span();
    span.span_context().is_valid() && !span.span_context().is_sampled()
}

/// The parent that another process named.
#[derive(Default)]
struct Remote(Option<OtelContext>);

impl Remote {
    fn of(given: &Attributes<'_>) -> Option<OtelContext> {
        given.fields().field(TRACEPARENT)?;
        let mut remote = Self::default();
        given.record(&mut remote);
        remote.0
    }
}

impl Visit for Remote {
    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == TRACEPARENT {
            let headers = HashMap::from([(TRACEPARENT.to_owned(), value.to_owned())]);
            let read = TraceContextPropagator::new().extract_with_context(&OtelContext::new(), &headers);
            self.0 = Some(read).filter(TraceContextExt::has_active_span);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::{Arc, Mutex};

    use opentelemetry::trace::{SpanId, SpanKind, TracerProvider as _};
    use opentelemetry_sdk::error::OTelSdkResult;
    use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider, SpanData, SpanExporter};
    use tracing::field::Empty;
    use tracing::{info_span, subscriber};
    use tracing_subscriber::Registry;
    use tracing_subscriber::layer::SubscriberExt as _;

    use super::*;

    const HEADER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[derive(Debug, Default, Clone)]
    struct Ended(Arc<Mutex<Vec<SpanData>>>);

    impl SpanExporter for Ended {
        async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
            self.0.lock().unwrap().extend(batch);
            Ok(())
        }
    }

    /// The spans that end while something is done, in that order.
    pub(crate) fn ended(sampler: Sampler, done: impl FnOnce()) -> Vec<SpanData> {
        let ended = Ended::default();
        let provider =
            SdkTracerProvider::builder().with_sampler(sampler).with_simple_exporter(ended.clone()).build();
        let layer = SpanLayer::new(provider.tracer("test"));
        subscriber::with_default(Registry::default().with(layer), done);
        let ended = ended.0.lock().unwrap();
        ended.clone()
    }

    fn all() -> Sampler {
        Sampler::ParentBased(Box::new(Sampler::AlwaysOn))
    }

    fn names(spans: &[SpanData]) -> Vec<&str> {
        spans.iter().map(|span| &*span.name).collect()
    }

    #[test]
    fn spans_are_within_each_other_and_say_what_was_said_of_them() {
        let spans = ended(all(), || {
            let outer = info_span!("outer", otel.name = %format_args!("POST {}", "/a"), later = Empty);
            let inner = outer.in_scope(|| info_span!("inner", otel.kind = "client", word = "한"));
            outer.record("later", "now");
            outer.in_scope(|| tracing::info!("an event is a line, and no part of a span"));
            // It is within the outer one, which ends after it.
            drop(outer);
            drop(inner);
            drop(info_span!("alone"));
        });
        assert_eq!(names(&spans), ["inner", "POST /a", "alone"]);
        let (inner, outer, alone) = (&spans[0], &spans[1], &spans[2]);
        assert_eq!(inner.parent_span_id, outer.span_context.span_id());
        assert_eq!(inner.span_context.trace_id(), outer.span_context.trace_id());
        assert_ne!(alone.span_context.trace_id(), outer.span_context.trace_id());
        assert_eq!((inner.span_kind.clone(), alone.parent_span_id), (SpanKind::Client, SpanId::INVALID));
        let said = |span: &SpanData| format!("{:?}", span.attributes);
        assert!(said(inner).contains("한") && said(outer).contains("now"), "{spans:?}");
        assert!(spans.iter().all(|span| span.events.is_empty()), "{spans:?}");
    }

    #[test]
    fn what_another_process_began_goes_on_here_and_ends_on_any_thread() {
        let spans = ended(all(), || {
            let span = info_span!("request", traceparent = HEADER);
            let told = span.in_scope(|| current().unwrap().header());
            assert!(told.starts_with(&HEADER[..36]) && told != HEADER, "{told}");
            std::thread::spawn(move || drop(span)).join().unwrap();
            drop(info_span!("nonsense", traceparent = "00-nonsense-01"));
        });
        assert_eq!(names(&spans), ["request", "nonsense"]);
        assert_eq!(spans[0].parent_span_id.to_string(), "b7ad6b7169203331");
        assert_eq!(spans[1].parent_span_id, SpanId::INVALID);
    }

    #[test]
    fn of_a_trace_that_nobody_keeps_nothing_is_kept_and_others_are_told() {
        let told = Mutex::new(String::new());
        let unwanted = HEADER.replace("-01", "-00");
        let spans = ended(all(), || {
            let within = || {
                info_span!("inner").in_scope(|| *told.lock().unwrap() = current().unwrap().header());
                drop(info_span!("wanted", traceparent = HEADER));
            };
            info_span!("request", traceparent = &*unwanted).in_scope(within);
        });
        assert_eq!(names(&spans), ["wanted"]);
        let told = told.into_inner().unwrap();
        assert!(told.starts_with(&HEADER[..36]) && told.ends_with("-00"), "{told}");
        let none = || info_span!("outer").in_scope(|| drop(info_span!("inner")));
        assert_eq!(names(&ended(Sampler::AlwaysOff, none)), [""; 0]);
    }
}
