//! One tool from its wish to its result, whatever goes wrong on the way.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use duru::{Cx, Result};
use futures_util::FutureExt as _;
use serde_json::json;
use tokio::time::{Instant, timeout};
use tracing::Instrument as _;

use super::choice::{narrowed, widened};
use super::state::{Order, Wish};
use crate::advisor::progress::{Progress, show};
use crate::advisor::state::{Fault, FaultKind, Remedy};
use crate::advisor::toolbox::Toolbox;
use crate::advisor::tools::{Advice, Error, Found, Registry, Used};
use crate::advisor::words;

/// Results below this are poor.
const POOR: f64 = 0.5;

/// What came of a wish.
#[derive(Default)]
pub(super) struct Ran {
    pub(super) used: Vec<Used>,
    pub(super) faults: Vec<Fault>,
    /// Calls that were really made.
    pub(super) calls: u64,
    /// What the person would have to say for more.
    pub(super) wanting: Vec<String>,
}

/// A tool with what it is run in.
pub(super) struct Bench<'a> {
    pub(super) cx: &'a Cx,
    pub(super) tools: &'a Toolbox,
    pub(super) order: &'a Order,
    /// What ran before this, of this team and the others.
    pub(super) given: &'a [Used],
}

impl Bench<'_> {
    fn registry(&self, more: &[Used]) -> Registry {
        self.tools.registry.clone().having(self.given.iter().chain(more).cloned())
    }

    /// Runs a tool: what it needs first, once more where that helps, another in its place where it does not.
    pub(super) async fn run(&self, wish: &Wish) -> Result<Ran> {
        let mut ran = Ran::default();
        if !self.provide_needs(wish, &mut ran).await? {
            return Ok(ran);
        }
        let (found, seconds) = match self.tried(wish, &mut ran).await? {
            Ok(result) => result,
            Err(kind) => {
                self.replace(wish, kind, &mut ran).await?;
                return Ok(ran);
            }
        };
        ran.wanting.extend(found.wanting.iter().cloned());
        let poor = found.quality < POOR;
        if found.items.is_empty() && found.reports.is_empty() && found.wanting.is_empty() {
            self.keep(&mut ran, wish, found, seconds);
            self.replace(wish, FaultKind::Empty, &mut ran).await?;
            return Ok(ran);
        }
        // A tool that only says what it lacks has not done its work: it may be asked again once that is there.
        if found.is_empty() {
            return Ok(ran);
        }
        self.keep(&mut ran, wish, found, seconds);
        if poor {
            self.again(wish, &mut ran).await?;
        }
        Ok(ran)
    }

    /// Whether everything is there that the tool needs, run for it if need be.
    async fn provide_needs(&self, wish: &Wish, ran: &mut Ran) -> Result<bool> {
        let missing = match self.registry(&[]).advise(&wish.tool, &wish.parameters) {
            Advice::Reuse(used) => {
                show(
                    self.cx,
                    &Progress::ToolComplete {
                        tool: used.tool.clone(),
                        parameters: used.parameters.clone(),
                        count: used.found.items.len(),
                        quality: used.quality,
                        seconds: 0.0,
                        reused: true,
                    },
                );
                ran.wanting.extend(used.found.wanting.iter().cloned());
                return Ok(false);
            }
            Advice::Unknown => {
                self.skip(wish, words::no_such_tool(self.order.lang()));
                return Ok(false);
            }
            Advice::Run { .. } => Vec::new(),
            Advice::Wait { missing } => missing,
        };
        for need in missing {
            let first = Wish { parameters: narrowed(&need, &self.order.asked), tool: need };
            match self.tried(&first, ran).await? {
                Ok((found, seconds)) => {
                    let empty = found.is_empty();
                    self.keep(ran, &first, found, seconds);
                    if empty {
                        self.replace(&first, FaultKind::Empty, ran).await?;
                    }
                }
                Err(kind) => self.replace(&first, kind, ran).await?,
            }
        }
        if matches!(self.registry(&ran.used).advise(&wish.tool, &wish.parameters), Advice::Wait { .. }) {
            // A contract can be read without the law beside it, a market not without prices.
            if wish.tool == "contract_analysis" {
                return Ok(true);
            }
            self.fault(ran, &wish.tool, FaultKind::MissingDependency, Remedy::Skipped);
            self.skip(wish, words::needs_data(self.order.lang()));
            return Ok(false);
        }
        Ok(true)
    }

    /// A result, or what went wrong twice. Errors of the run itself go up.
    async fn tried(&self, wish: &Wish, ran: &mut Ran) -> Result<Result<(Found, f64), FaultKind>> {
        let seconds = self.tools.registry.tool(&wish.tool).map_or(1.0, |tool| tool.seconds);
        let limit = Duration::from_secs_f64(seconds * 4.0).max(self.tools.bounds.least_time);
        match self.call(wish, limit, 1, ran).await? {
            (Ok(found), took) => Ok(Ok((found, took))),
            (Err(Error::TimedOut), _) => {
                match self.call(wish, limit * self.tools.bounds.longer, 2, ran).await? {
                    (Ok(found), took) => {
                        self.fault(ran, &wish.tool, FaultKind::TimedOut, Remedy::Retried);
                        Ok(Ok((found, took)))
                    }
                    (Err(error), _) => Ok(Err(kind(&error))),
                }
            }
            // The tool knows better than the registry what it needs: that once more, and then the tool.
            (Err(Error::MissingDependency(_)), _) => match self.call(wish, limit, 2, ran).await? {
                (Ok(found), took) => {
                    self.fault(ran, &wish.tool, FaultKind::MissingDependency, Remedy::Retried);
                    Ok(Ok((found, took)))
                }
                (Err(error), _) => Ok(Err(kind(&error))),
            },
            (Err(error), _) => Ok(Err(kind(&error))),
        }
    }

    /// One call. Its result is recorded before it is used, so that no restart makes it again.
    async fn call(
        &self,
        wish: &Wish,
        limit: Duration,
        attempt: u32,
        ran: &mut Ran,
    ) -> Result<(Result<Found, Error>, f64)> {
        // Whoever chose it, and whatever they had read: a team has no other tools than its own.
        let allowed = self.tools.registry.allows(self.order.team(), &wish.tool);
        let Some(tool) = self.tools.tools.get(&wish.tool).filter(|_| allowed) else {
            return Ok((Err(Error::Failed("there is no such tool".to_owned())), 0.0));
        };
        let parameters = serde_json::to_string(&wish.parameters).unwrap_or_default();
        let key = format!("tool {}#{attempt} {parameters}", wish.tool);
        let given: Vec<Used> = self.given.iter().chain(&ran.used).cloned().collect();
        let (cx, wish) = (self.cx.clone(), wish.clone());
        let tool = std::sync::Arc::clone(tool);
        ran.calls += 1;
        let act = move |id| async move {
            let told = cx.tool(id, &wish.tool, &wish.parameters)?;
            show(&cx, &Progress::ToolStart { tool: wish.tool.clone(), parameters: wish.parameters.clone() });
            let started = Instant::now();
            // A tool that panics is a tool that fails.
            let calling = AssertUnwindSafe(tool.call(&wish.parameters, &given)).catch_unwind();
            let span = tracing::info_span!(
                "tool",
                otel.name = %format_args!("execute_tool {}", wish.tool),
                gen_ai.operation.name = "execute_tool",
                gen_ai.tool.name = %wish.tool,
                gen_ai.tool.type = "function",
                duru.attempt = attempt,
                error.type = tracing::field::Empty,
            );
            let result = match timeout(limit, calling.instrument(span.clone())).await {
                Ok(Ok(result)) => result,
                Ok(Err(_)) => Err(Error::Failed("it panicked".to_owned())),
                Err(_) => Err(Error::TimedOut),
            };
            if let Err(error) = &result {
                span.record(
                    "error.type",
                    if matches!(error, Error::TimedOut) { "timeout" } else { "tool_error" },
                );
            }
            drop(span);
            let seconds = started.elapsed().as_secs_f64();
            match &result {
                Err(error) => told.failed(error)?,
                Ok(found) => {
                    let (count, quality) = (found.items.len() + found.reports.len(), found.quality);
                    told.finished(json!({ "count": count, "quality": quality }))?;
                    let Wish { tool, parameters } = wish;
                    show(
                        &cx,
                        &Progress::ToolComplete { tool, parameters, count, quality, seconds, reused: false },
                    );
                }
            }
            Ok((result, seconds))
        };
        self.cx.effect(&key, act).await
    }

    /// Poor results: other parameters, once; the better of both is kept.
    async fn again(&self, wish: &Wish, ran: &mut Ran) -> Result<()> {
        let parameters = narrowed(&wish.tool, &widened(wish.parameters.clone(), 1));
        let other = Wish { tool: wish.tool.clone(), parameters };
        let known =
            matches!(self.registry(&ran.used).advise(&other.tool, &other.parameters), Advice::Reuse(_));
        if !known
            && let (Ok(found), seconds) = self.call(&other, self.tools.bounds.least_time, 1, ran).await?
        {
            let better = found.quality >= POOR;
            self.keep(ran, &other, found, seconds);
            if better {
                self.fault(ran, &wish.tool, FaultKind::LowQuality, Remedy::Retried);
                return Ok(());
            }
        }
        self.fault(ran, &wish.tool, FaultKind::LowQuality, Remedy::AcceptedPartly);
        Ok(())
    }

    /// Another tool in its place, or none.
    async fn replace(&self, wish: &Wish, what: FaultKind, ran: &mut Ran) -> Result<()> {
        let registry = self.registry(&ran.used);
        let other = registry.alternative(&wish.tool).map(|tool| tool.name.clone());
        if let Some(other) = other {
            let parameters = narrowed(&other, &self.order.asked);
            let stand_in = Wish { tool: other, parameters };
            let known = registry.advise(&stand_in.tool, &stand_in.parameters);
            if matches!(known, Advice::Reuse(used) if !used.found.is_empty()) {
                self.fault(ran, &wish.tool, what, Remedy::Replaced);
                return Ok(());
            }
            if !matches!(known, Advice::Reuse(_))
                && let (Ok(found), seconds) =
                    self.call(&stand_in, self.tools.bounds.least_time, 1, ran).await?
            {
                let empty = found.is_empty();
                self.keep(ran, &stand_in, found, seconds);
                if !empty {
                    self.fault(ran, &wish.tool, what, Remedy::Replaced);
                    return Ok(());
                }
            }
        }
        self.fault(ran, &wish.tool, what, Remedy::Skipped);
        self.skip(wish, words::fault_reason(what, self.order.lang()));
        Ok(())
    }

    /// What came of a call, were it nothing: whoever asks for the same again gets that.
    fn keep(&self, ran: &mut Ran, wish: &Wish, found: Found, seconds: f64) {
        ran.used.push(Used {
            tool: wish.tool.clone(),
            parameters: wish.parameters.clone(),
            quality: found.quality,
            found,
            seconds,
            at: self.order.at(),
        });
    }

    fn fault(&self, ran: &mut Ran, tool: &str, what: FaultKind, done: Remedy) {
        let lost = match done {
            Remedy::Skipped => {
                self.tools.registry.tool(tool).map(|tool| tool.gives.clone()).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        ran.faults.push(Fault { tool: tool.to_owned(), what, done, lost });
    }

    fn skip(&self, wish: &Wish, reason: String) {
        show(self.cx, &Progress::ToolSkipped { tool: wish.tool.clone(), reason });
    }
}

fn kind(error: &Error) -> FaultKind {
    match error {
        Error::TimedOut => FaultKind::TimedOut,
        Error::MissingDependency(_) => FaultKind::MissingDependency,
        _ => FaultKind::Failed,
    }
}

/// Parameters that a run asks for only once.
pub(super) fn unique(wishes: &[Wish]) -> Vec<Wish> {
    let mut unique: Vec<Wish> = Vec::new();
    for wish in wishes {
        if !unique.contains(wish) {
            unique.push(wish.clone());
        }
    }
    unique
}

/// Whether a tool waits for results of another that is wanted beside it.
pub(super) fn waits(wish: &Wish, others: &[Wish], registry: &Registry) -> bool {
    let needs = registry.tool(&wish.tool).map(|tool| tool.needs.as_slice()).unwrap_or_default();
    others.iter().any(|other| needs.contains(&other.tool))
}
