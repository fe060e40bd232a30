//! Spans as traces have them: `tracing-opentelemetry`, with the parents that come from other processes.

use std::fmt::Debug;

use opentelemetry::Context as OtelContext;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceState};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracer;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Metadata, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::layer::Context as LayerContext;
use tracing_subscriber::registry::{LookupSpan, SpanRef};
use tracing_subscriber::{Layer, Registry};

use crate::filter::is_traced;
use crate::sampling::Sampling;

/// The header, and the field of a span that holds one. A span with this field is where a trace enters this process.
pub(crate) const TRACEPARENT: &str = "traceparent";

/// A span as others name it.
#[derive(Debug, Clone)]
pub struct Context(SpanContext);

/// The span that is under way here, as others name it; also where its trace is not kept, so that they do not keep it
/// either.
pub fn current() -> Option<Context> {
    let fate = Span::current().with_subscriber(|(id, dispatch)| {
        let around = dispatch.downcast_ref::<Registry>()?.span(id)?.scope();
        around.into_iter().find_map(|span| span.extensions().get::<Fate>().cloned())
    });
    let here = match fate.flatten() {
        Some(Fate::Dropped(context)) => context,
        Some(Fate::Kept) | None => OtelContext::current().span().span_context().clone(),
    };
    here.is_valid().then_some(Context(here))
}

impl Context {
    /// The value of W3C's header `traceparent`.
    pub fn header(&self) -> String {
        let Self(span) = self;
        format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags() & TraceFlags::SAMPLED)
    }

    /// The trace's id, as logs and collectors show it.
    pub(crate) fn trace_id(&self) -> String {
        self.0.trace_id().to_string()
    }
}

/// What becomes of a trace, as each of its spans has it.
#[derive(Debug, Clone)]
enum Fate {
    Kept,
    /// Nothing is made of the spans within.
    Dropped(SpanContext),
}

/// Makes spans of those that `tracing` knows. Events are lines, and no part of them.
pub(crate) struct SpanLayer<S> {
    made: OpenTelemetryLayer<S, SdkTracer>,
    sampling: Sampling,
}

impl<S> SpanLayer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    pub(crate) fn new(tracer: SdkTracer, sampling: Sampling) -> Self {
        let made = OpenTelemetryLayer::new(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        Self { made, sampling }
    }

    /// What becomes of a trace that begins here, or came from elsewhere.
    fn fate(&self, remote: Option<&OtelContext>) -> Fate {
        let remote = remote.map(|remote| remote.span().span_context().clone());
        if self.sampling.keeps(remote.as_ref()) {
            return Fate::Kept;
        }
        let (trace, span) = match remote {
            Some(remote) => (remote.trace_id(), remote.span_id()),
            None => (self.sampling.unkept_trace_id(), SpanId::from(fastrand::u64(1..))),
        };
        // Whoever began it may keep it, but those who are called from here shall not: the way to them would be missing.
        Fate::Dropped(SpanContext::new(trace, span, TraceFlags::NOT_SAMPLED, false, TraceState::NONE))
    }
}

impl<S> Layer<S> for SpanLayer<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    fn on_new_span(&self, given: &Attributes<'_>, id: &Id, context: LayerContext<'_, S>) {
        let remote = Remote::of(given);
        let around = match given.parent() {
            Some(parent) => context.span(parent),
            None => context.lookup_current().filter(|_| given.is_contextual()),
        };
        let fate = match around.filter(|_| remote.is_none()) {
            Some(around) => fate_of(&around),
            None => self.fate(remote.as_ref()),
        };
        let is_kept = matches!(fate, Fate::Kept);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(fate);
        }
        if is_kept {
            let _here = remote.map(OtelContext::attach);
            self.made.on_new_span(given, id, context);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: LayerContext<'_, S>) {
        self.made.on_record(id, values, context);
    }

    fn on_enter(&self, id: &Id, context: LayerContext<'_, S>) {
        self.made.on_enter(id, context);
    }

    fn on_exit(&self, id: &Id, context: LayerContext<'_, S>) {
        self.made.on_exit(id, context);
    }

    fn on_close(&self, id: Id, context: LayerContext<'_, S>) {
        self.made.on_close(id, context);
    }
}

/// Every span of this layer has one.
fn fate_of<'span, S: LookupSpan<'span>>(span: &SpanRef<'span, S>) -> Fate {
    span.extensions().get::<Fate>().cloned().unwrap_or(Fate::Kept)
}

/// Has no spans made within a trace that is not kept, so that they cost nothing. No filter of a single layer can do
/// that: what all of them refuse is made all the same.
pub(crate) struct Gate;

impl<S> Layer<S> for Gate
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    fn register_callsite(&self, what: &'static Metadata<'static>) -> Interest {
        if is_traced(what) && !enters(what) { Interest::sometimes() } else { Interest::always() }
    }

    fn enabled(&self, what: &Metadata<'_>, context: LayerContext<'_, S>) -> bool {
        if !is_traced(what) || enters(what) {
            return true;
        }
        let mut around = context.lookup_current().into_iter().flat_map(|span| span.scope());
        let fate = around.find_map(|span| span.extensions().get::<Fate>().cloned());
        !matches!(fate, Some(Fate::Dropped(_)))
    }
}

/// Whether a trace may come from elsewhere with such a span.
fn enters(what: &Metadata<'_>) -> bool {
    what.fields().field(TRACEPARENT).is_some()
}

/// The parent that another process named.
#[derive(Default)]
struct Remote(Option<OtelContext>);

impl Remote {
    fn of(given: &Attributes<'_>) -> Option<OtelContext> {
        if !enters(given.metadata()) {
            return None;
        }
        let mut remote = Self::default();
        given.record(&mut remote);
        remote.0
    }
}

impl Visit for Remote {
    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == TRACEPARENT {
            let read =
                TraceContextPropagator::new().extract_with_context(&OtelContext::new(), &Header(value));
            self.0 = Some(read).filter(TraceContextExt::has_active_span);
        }
    }
}

/// The only header that is looked at.
struct Header<'v>(&'v str);

impl Extractor for Header<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        name.eq_ignore_ascii_case(TRACEPARENT).then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACEPARENT]
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::{Arc, Mutex};

    use opentelemetry::trace::{SpanId, SpanKind, TracerProvider as _};
    use opentelemetry_sdk::error::OTelSdkResult;
    use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
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
    pub(crate) fn ended(sampling: Sampling, done: impl FnOnce()) -> Vec<SpanData> {
        let ended = Ended::default();
        let provider = SdkTracerProvider::builder().with_simple_exporter(ended.clone()).build();
        let layer = SpanLayer::new(provider.tracer("test"), sampling);
        subscriber::with_default(Registry::default().with(layer).with(Gate), done);
        let ended = ended.0.lock().unwrap();
        ended.clone()
    }

    pub(crate) const ALL: Sampling = Sampling { share: 1.0, parent_based: true };

    fn names(spans: &[SpanData]) -> Vec<&str> {
        spans.iter().map(|span| &*span.name).collect()
    }

    #[test]
    fn spans_are_within_each_other_and_say_what_was_said_of_them() {
        let spans = ended(ALL, || {
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
        let spans = ended(ALL, || {
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
        let spans = ended(ALL, || {
            let within = || {
                info_span!("inner").in_scope(|| *told.lock().unwrap() = current().unwrap().header());
                drop(info_span!("wanted", traceparent = HEADER));
            };
            info_span!("request", traceparent = &*unwanted).in_scope(within);
        });
        assert_eq!(names(&spans), ["wanted"]);
        let told = told.into_inner().unwrap();
        assert!(told.starts_with(&HEADER[..36]) && told.ends_with("-00"), "{told}");
        // Also where somebody keeps it, and that is nothing to us.
        let told = Mutex::new(String::new());
        let by_nobody = Sampling { share: 0.0, parent_based: false };
        let spans = ended(by_nobody, || {
            let request = info_span!("request", traceparent = HEADER);
            request.in_scope(|| *told.lock().unwrap() = current().unwrap().header());
        });
        assert_eq!((names(&spans), told.into_inner().unwrap()), (vec![], HEADER.replace("-01", "-00")));
        let none = || info_span!("outer", traceparent = None::<&str>).in_scope(|| drop(info_span!("inner")));
        assert_eq!(names(&ended(Sampling { share: 0.0, ..ALL }, none)), [""; 0]);
    }

    #[test]
    fn within_a_trace_that_is_not_kept_spans_cost_nothing_and_on_another_thread_too() {
        let spans = ended(Sampling { share: 0.0, ..ALL }, || {
            let request = info_span!("request", traceparent = None::<&str>);
            let inner = request.in_scope(|| info_span!("inner"));
            assert_eq!((request.is_disabled(), inner.is_disabled()), (false, true), "{request:?} {inner:?}");
            let dispatch = tracing::dispatcher::get_default(Clone::clone);
            let elsewhere = std::thread::spawn(move || {
                let _here = tracing::dispatcher::set_default(&dispatch);
                request.in_scope(|| (info_span!("inner").is_disabled(), current().unwrap().header()))
            });
            let (is_disabled, told) = elsewhere.join().unwrap();
            assert!(is_disabled && told.ends_with("-00"), "{told}");
        });
        assert_eq!(names(&spans), [""; 0]);
    }
}
