//! Hears what is told with `tracing`, and hands it on.

use tracing::metadata::LevelFilter;
use tracing::span::{Attributes as Given, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context as Around;
use tracing_subscriber::registry::{LookupSpan, SpanRef};

use crate::context::Context;
use crate::export::Queue;
use crate::line::Line;
use crate::settings::{Level, Lines, Sampler};
use crate::span::{Attributes, Said, Span, Value, now_ns};

/// Others' crates are not what somebody wants to hear of who asks us.
const OURS: &str = "duru";

pub(crate) struct Listener {
    pub(crate) lines: Option<Lines>,
    pub(crate) queue: Option<Queue>,
    pub(crate) sampler: Sampler,
}

impl Listener {
    /// Spans are what is sent, and what lines take their names from.
    fn wants_spans(&self) -> bool {
        let detailed = |lines: Lines| matches!(lines.level, Level::Info | Level::Debug);
        self.queue.is_some() || self.lines.is_some_and(detailed)
    }

    fn wants(&self, what: &Metadata<'_>) -> bool {
        what.target().starts_with(OURS)
            && if what.is_span() {
                *what.level() <= tracing::Level::INFO && self.wants_spans()
            } else {
                self.lines.is_some_and(|lines| *what.level() <= lines.level.tracing())
            }
    }

    /// Where a new span belongs.
    fn place(&self, parent: Option<Context>, remote: Option<Context>) -> (Context, Option<u64>) {
        let above = remote.or(parent);
        let trace = above.map_or_else(|| fastrand::u128(1..), |above| above.trace);
        let sampled = match (above, parent) {
            // Within this process one trace has one fate.
            (_, Some(parent)) if remote.is_none() => parent.sampled,
            (Some(above), _) if self.sampler.parent_based => above.sampled,
            _ => self.sampler.keeps(trace),
        };
        (Context { trace, span: fastrand::u64(1..), sampled }, above.map(|above| above.span))
    }

    fn line<S: Subscriber + for<'a> LookupSpan<'a>>(
        &self,
        lines: Lines,
        event: &Event<'_>,
        around: &Around<'_, S>,
    ) {
        let mut said = Said::default();
        event.record(&mut said);
        let (mut found, mut trace) = (Vec::new(), None);
        for span in around.event_scope(event).into_iter().flatten() {
            collect(&span, &mut found, &mut trace);
        }
        let from = event.metadata().target();
        let line = Line {
            level: *event.metadata().level(),
            from: from.split("::").next().unwrap_or(from),
            said: &said,
            around: &found,
            // Without a collector the number leads nowhere.
            trace: trace.filter(|_| self.queue.is_some()),
        };
        line.write(lines.format);
    }
}

/// What a span adds to a line within it.
fn collect<'a, S: LookupSpan<'a>>(
    span: &SpanRef<'a, S>,
    found: &mut Vec<(&'static str, Value)>,
    trace: &mut Option<String>,
) {
    let extensions = span.extensions();
    let Some(kept) = extensions.get::<Box<Span>>() else { return };
    trace.get_or_insert_with(|| kept.context.trace_id());
    for (name, value) in kept.said.around.iter().flatten() {
        if !found.iter().any(|(known, _)| known == name) {
            found.push((*name, value.clone()));
        }
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Listener {
    fn register_callsite(&self, what: &'static Metadata<'static>) -> Interest {
        if self.wants(what) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, what: &Metadata<'_>, _: Around<'_, S>) -> bool {
        self.wants(what)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        let lines = self.lines.map_or(LevelFilter::OFF, |lines| lines.level.tracing().into());
        Some(if self.wants_spans() { lines.max(LevelFilter::INFO) } else { lines })
    }

    fn on_new_span(&self, attributes: &Given<'_>, id: &Id, around: Around<'_, S>) {
        let Some(span) = around.span(id) else { return };
        let mut said = Attributes::new(self.lines.is_some());
        attributes.record(&mut said);
        let parent = span.parent().and_then(|parent| context(&parent));
        let (context, parent) = self.place(parent, said.remote.take());
        let start_ns = now_ns();
        let name = attributes.metadata().name();
        span.extensions_mut().insert(Box::new(Span {
            context,
            parent,
            name,
            said,
            start_ns,
            end_ns: start_ns,
        }));
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, around: Around<'_, S>) {
        if let Some(span) = around.span(id)
            && let Some(kept) = span.extensions_mut().get_mut::<Box<Span>>()
        {
            values.record(&mut kept.said);
        }
    }

    fn on_event(&self, event: &Event<'_>, around: Around<'_, S>) {
        if let Some(lines) = self.lines {
            self.line(lines, event, &around);
        }
    }

    fn on_close(&self, id: Id, around: Around<'_, S>) {
        let Some(queue) = &self.queue else { return };
        let Some(span) = around.span(&id) else { return };
        let kept = span.extensions_mut().remove::<Box<Span>>();
        if let Some(mut kept) = kept.filter(|kept| kept.context.sampled) {
            kept.end_ns = now_ns().max(kept.start_ns);
            queue.push(kept);
        }
    }
}

/// What a span is to others.
pub(crate) fn context<'a, S: LookupSpan<'a>>(span: &SpanRef<'a, S>) -> Option<Context> {
    span.extensions().get::<Box<Span>>().map(|kept| kept.context)
}
