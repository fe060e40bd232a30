//! Hears what is told with `tracing`, and hands it on.

use std::cell::RefCell;
use std::sync::Arc;

use tracing::metadata::LevelFilter;
use tracing::span::{Attributes as Given, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Metadata, Subscriber};
use tracing_core::span::Current;

use crate::context::Context;
use crate::line::Line;
use crate::queue::Queue;
use crate::settings::{Level, Lines, Sampler};
use crate::slots::Slots;
use crate::span::{Attributes, Said, Value, now_ns};

/// Others' crates are not what somebody wants to hear of who asks us.
const OURS: &str = "duru";

thread_local! {
    /// The spans that are under way on this thread, the innermost last.
    static ENTERED: RefCell<Vec<Id>> = const { RefCell::new(Vec::new()) };
    /// What a span says is collected here: saying it may run code that begins spans of its own.
    static SAID: RefCell<Attributes> = RefCell::default();
}

pub(crate) struct Listener {
    pub(crate) lines: Option<Lines>,
    pub(crate) queue: Option<Arc<Queue>>,
    pub(crate) sampler: Sampler,
    pub(crate) slots: Slots,
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

    /// Where the innermost span of this thread is in its trace.
    pub(crate) fn context(&self) -> Option<Context> {
        self.slots.with(&innermost()?, |span| span.context)
    }

    fn line(&self, lines: Lines, event: &Event<'_>) {
        let mut said = Said::default();
        event.record(&mut said);
        let (mut found, mut trace) = (Vec::new(), None);
        let mut next = if event.is_contextual() { innermost() } else { event.parent().cloned() };
        while let Some(id) = next {
            self.slots.with(&id, |span| {
                trace.get_or_insert_with(|| span.context.trace_id());
                add(&mut found, &span.said.around);
            });
            next = self.slots.within(&id);
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

    /// What a span says, in memory that is used again.
    fn collect<T>(&self, say: impl FnOnce(&mut Attributes), then: impl FnOnce(&mut Attributes) -> T) -> T {
        let mut said = SAID.try_with(RefCell::take).unwrap_or_default();
        said.clear(self.lines.is_some());
        say(&mut said);
        let done = then(&mut said);
        // At a thread's end there is no place for it.
        let _ = SAID.try_with(|kept| kept.replace(said));
        done
    }
}

/// The span that is under way on this thread.
fn innermost() -> Option<Id> {
    ENTERED.try_with(|entered| entered.borrow().last().cloned()).ok().flatten()
}

/// What a span adds to a line within it: an inner one knows better.
fn add(found: &mut Vec<(&'static str, Value)>, around: &[(&'static str, Value)]) {
    for (name, value) in around {
        if !found.iter().any(|(known, _)| known == name) {
            found.push((*name, value.clone()));
        }
    }
}

impl Subscriber for Listener {
    fn register_callsite(&self, what: &'static Metadata<'static>) -> Interest {
        if self.wants(what) { Interest::always() } else { Interest::never() }
    }

    fn enabled(&self, what: &Metadata<'_>) -> bool {
        self.wants(what)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        let lines = self.lines.map_or(LevelFilter::OFF, |lines| lines.level.tracing().into());
        Some(if self.wants_spans() { lines.max(LevelFilter::INFO) } else { lines })
    }

    fn new_span(&self, given: &Given<'_>) -> Id {
        let within = if given.is_contextual() { innermost() } else { given.parent().cloned() };
        let above = within.as_ref().and_then(|id| self.slots.hold(id));
        let say = |said: &mut Attributes| given.record(said);
        self.collect(say, |said| {
            let place = self.place(above, said.remote.take());
            self.slots.begin(given.metadata(), within.filter(|_| above.is_some()), place, now_ns(), said)
        })
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        let say = |said: &mut Attributes| values.record(said);
        self.collect(say, |more| self.slots.with(id, |span| span.said.add(more)));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        if let Some(lines) = self.lines {
            self.line(lines, event);
        }
    }

    fn enter(&self, id: &Id) {
        let _ = ENTERED.try_with(|entered| entered.borrow_mut().push(id.clone()));
    }

    fn exit(&self, id: &Id) {
        let _ = ENTERED.try_with(|entered| {
            let mut entered = entered.borrow_mut();
            if let Some(place) = entered.iter().rposition(|one| one == id) {
                entered.remove(place);
            }
        });
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.slots.hold(id);
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        self.slots.release(&id, |span| {
            if let Some(queue) = self.queue.as_ref().filter(|_| span.context.sampled) {
                span.end_ns = now_ns().max(span.start_ns);
                queue.push(span);
            }
        })
    }

    fn current_span(&self) -> Current {
        let what = |id: Id| Some(Current::new(id.clone(), self.slots.what(&id)?));
        innermost().and_then(what).unwrap_or_else(Current::none)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Json;
    use tracing::field::Empty;
    use tracing::{Span, info_span, subscriber};

    use super::*;
    use crate::otlp_json;
    use crate::queue::Which;
    use crate::queue::tests::queue;

    fn listener() -> (Listener, Arc<Queue>) {
        let queue = Arc::new(queue(100, 100));
        let sampler = Sampler { share: 1.0, parent_based: true };
        let listener =
            Listener { lines: None, queue: Some(Arc::clone(&queue)), sampler, slots: Slots::default() };
        (listener, queue)
    }

    /// The spans that ended, in that order.
    fn ended(queue: &Queue) -> Vec<Json> {
        let Some(batch) = queue.take(Which::All) else { return Vec::new() };
        let json: Json = serde_json::from_slice(&otlp_json::json(&batch.body).unwrap()).unwrap();
        json["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().clone()
    }

    fn said(span: &Json) -> Vec<(&str, &str)> {
        let value =
            |one: &'_ Json| one["value"].as_object().unwrap().values().next().unwrap().as_str().is_some();
        let all = span["attributes"].as_array().unwrap();
        assert!(all.iter().all(value), "{span}");
        all.iter().map(|one| (one["key"].as_str().unwrap(), text_of(&one["value"]))).collect()
    }

    fn text_of(value: &Json) -> &str {
        value.as_object().unwrap().values().next().unwrap().as_str().unwrap()
    }

    #[test]
    fn spans_are_within_each_other_and_say_what_was_said_of_them() {
        let (listener, queue) = listener();
        subscriber::with_default(listener, || {
            let outer = info_span!("outer", otel.name = %format_args!("POST {}", "/a"), n = 1, later = Empty);
            let inner = outer.in_scope(|| info_span!("inner", word = "한"));
            assert_eq!(Span::current().id(), None, "it is left");
            outer.record("later", "now");
            // It is within the outer one, which ends after it.
            drop(outer);
            assert!(ended(&queue).is_empty());
            inner.in_scope(|| assert_eq!(Span::current().id(), inner.id()));
            drop(inner);
            let spans = ended(&queue);
            let (inner, outer) = (&spans[0], &spans[1]);
            assert_eq!((&inner["name"], &outer["name"]), (&"inner".into(), &"POST /a".into()));
            assert_eq!((&inner["traceId"], &inner["parentSpanId"]), (&outer["traceId"], &outer["spanId"]));
            assert_eq!(
                (said(outer), said(inner)),
                (vec![("n", "1"), ("later", "now")], vec![("word", "한")])
            );
            assert!(outer.get("parentSpanId").is_none());
            // The next one has their places, and nothing else of them.
            drop(info_span!("plain"));
            let plain = &ended(&queue)[0];
            assert_eq!((&plain["name"], said(plain)), (&"plain".into(), vec![]));
            assert!(plain.get("parentSpanId").is_none() && plain["traceId"] != outer["traceId"]);
        });
    }

    #[test]
    fn a_span_may_begin_while_another_says_what_it_is() {
        let (listener, _) = listener();
        let said = |said: &mut Attributes| said.attributes.clone();
        let outer = listener.collect(
            |outer| {
                outer.attributes.extend_from_slice(b"outer");
                let inner = listener.collect(|inner| inner.attributes.extend_from_slice(b"inner"), said);
                assert_eq!(inner, b"inner");
            },
            said,
        );
        assert_eq!(outer, b"outer");
    }

    #[test]
    fn what_another_process_began_goes_on_here_and_ends_on_any_thread() {
        let (listener, queue) = listener();
        subscriber::with_default(listener, || {
            let header = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
            let span = info_span!("request", traceparent = header);
            let told = span.in_scope(|| crate::current().unwrap());
            assert!(told.header().starts_with("00-0af7651916cd43dd8448eb211c80319c-"), "{told:?}");
            std::thread::spawn(move || drop(span)).join().unwrap();
            drop(info_span!("unwanted", traceparent = &header.replace("-01", "-00")));
            let spans = ended(&queue);
            assert_eq!(spans.len(), 1, "whom nobody keeps is not sent");
            assert_eq!(spans[0]["parentSpanId"], "b7ad6b7169203331");
        });
    }
}
