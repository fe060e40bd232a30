//! How long things are kept: `duru retention`, and what a server does by itself, in small pieces.

use std::sync::Arc;
use std::time::Duration;

use duru::store::Catalog;
use duru_server::{Audit, People, Retention, Sweep, Swept};
use duru_sql::LogStore;
use jiff::Timestamp;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::erase::{self, Eraser};
use super::{DataProblem, attached};
use crate::args::{Args, DataArgs, Mode};
use crate::output::Output;
use crate::problem::Problem;
use crate::{logs, settings, store};

/// How often a server looks.
const EVERY: Duration = Duration::from_secs(600);
/// Between two pieces of work others have their turn.
const REST: Duration = Duration::from_millis(200);
/// So many lines of logs go in one piece.
const LINES: u64 = 5_000;

/// How long everything is kept. None is for ever.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Keeping {
    stores: Retention,
    logs: Option<Duration>,
}

impl Keeping {
    pub(crate) fn read() -> Result<Self, Problem> {
        let span = |name: &'static str| match settings::get(name) {
            None => Ok(None),
            Some(value) => match span(&value) {
                Some(span) => Ok(Some(span)),
                None => Err(DataProblem::Time { name, value }),
            },
        };
        Ok(Self {
            stores: Retention {
                threads: span("DURU_KEEP_THREADS")?,
                runs: span("DURU_KEEP_RUNS")?,
                events: span("DURU_KEEP_EVENTS")?,
            },
            logs: span("DURU_KEEP_LOGS")?,
        })
    }

    fn is_for_ever(&self) -> bool {
        self.stores == Retention::default() && self.logs.is_none()
    }

    fn oldest_line(&self) -> Option<Timestamp> {
        let age = jiff::SignedDuration::try_from(self.logs?).ok()?;
        Timestamp::now().checked_sub(age).ok()
    }
}

/// `30d`, `12h`, `90m`, `45s`; a number alone is days.
fn span(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.trim_end().parse().ok()?;
    let seconds = match &text[digits.len()..] {
        "" | "d" => 86_400,
        "h" => 3_600,
        "m" => 60,
        "s" => 1,
        _ => return None,
    };
    Some(Duration::from_secs(number.checked_mul(seconds)?))
}

/// `duru retention`
pub(super) async fn run(
    mode: Mode,
    (asked, args): (&DataArgs, &Args),
    output: &Output,
) -> Result<(), Problem> {
    let (keeping, lang) = (Keeping::read()?, output.lang);
    let dry = mode == Mode::DryRun;
    if keeping.is_for_ever() {
        output.progress(lang.pick(
            "보관 기간이 정해져 있지 않습니다: DURU_KEEP_LOGS, DURU_KEEP_RUNS, DURU_KEEP_EVENTS, DURU_KEEP_THREADS (예: 30d)",
            "Everything is kept for ever: see DURU_KEEP_LOGS, DURU_KEEP_RUNS, DURU_KEEP_EVENTS, DURU_KEEP_THREADS (30d)",
        ));
    }
    let (mut swept, mut lines, mut finished) = (Swept::default(), 0, 0);
    if let Some(opened) = store::open_existing(args.store.as_ref()).await? {
        let people = People::new(opened.stores.clone());
        let how = if dry { Sweep::Count } else { Sweep::Remove { rest: Duration::ZERO } };
        swept = people.sweep(&keeping.stores, how).await.map_err(Problem::Store)?;
        if !dry && !people.begun_erasures().await.map_err(Problem::Store)?.is_empty() {
            finished = erase::on(opened, asked).await?.finish().await?;
        }
    }
    if let Some(before) = keeping.oldest_line()
        && (asked.logs.is_some() || logs::are_kept())
    {
        let opened = logs::open(asked.logs.as_deref()).await?;
        let counted = match dry {
            true => opened.store.count_before(before).await,
            false => drop_lines(&*opened.store, before, Duration::ZERO).await,
        };
        lines = counted.map_err(logs::Problem::Store)?;
    }
    let rows = [
        (lang.pick("로그 줄", "log lines"), lines),
        (lang.pick("대화", "threads"), swept.threads),
        (lang.pick("실행", "runs"), swept.runs),
        match dry {
            true => {
                (lang.pick("옛 사건이 있을 수 있는 대화", "threads that may have old events"), swept.events)
            }
            false => (lang.pick("사건 기록", "rows of events"), swept.events),
        },
    ];
    let rows = rows.map(|(what, count)| [what.to_owned(), count.to_string()]);
    let head =
        if dry { lang.pick("지울 것", "to be removed") } else { lang.pick("지운 것", "removed") };
    output.table([head, ""], rows)?;
    output.json(json!({
        "dry_run": dry, "log_lines": lines, "threads": swept.threads, "runs": swept.runs,
        "events": swept.events, "erasures_finished": finished,
    }))
}

async fn drop_lines(logs: &dyn LogStore, before: Timestamp, rest: Duration) -> Result<u64, duru_sql::Error> {
    let mut gone = 0;
    loop {
        let now = logs.drop_before(before, LINES).await?;
        gone += now;
        if now < LINES {
            return Ok(gone);
        }
        tokio::time::sleep(rest).await;
    }
}

/// What a server looks after while it serves.
pub(crate) struct Keeper {
    pub(crate) keeping: Keeping,
    pub(crate) eraser: Eraser,
    pub(crate) logs: Option<Arc<dyn LogStore>>,
    pub(crate) catalog: Arc<dyn Catalog>,
    pub(crate) audit: Option<Audit>,
}

impl Keeper {
    /// Removes what is too old and goes on with erasures that were cut off, until the server stops.
    pub(crate) async fn work(self, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = self.once() => {}
                () = stop.cancelled() => return,
            }
            // Several servers on one store need not do it at the same moment.
            let jitter = 0.75 + f64::from(std::process::id() % 100) / 200.0;
            tokio::select! {
                () = tokio::time::sleep(EVERY.mul_f64(jitter)) => {}
                () = stop.cancelled() => return,
            }
        }
    }

    /// What fails is tried again next time, and said.
    async fn once(&self) {
        if let Err(problem) = self.eraser.finish().await {
            eprintln!("erasure: {}", crate::text::clean(&problem.what(crate::lang::Lang::En)));
        }
        if let Some(index) = &self.eraser.index
            && let Err(problem) = attached::sweep(&**index, &self.eraser.memory, &*self.catalog).await
        {
            eprintln!("files of conversations: {}", crate::text::clean(&problem.what(crate::lang::Lang::En)));
        }
        if self.keeping.is_for_ever() {
            return;
        }
        let swept = self.eraser.people.sweep(&self.keeping.stores, Sweep::Remove { rest: REST }).await;
        let lines = match (&self.logs, self.keeping.oldest_line()) {
            (Some(logs), Some(before)) => drop_lines(&**logs, before, REST).await,
            _ => Ok(0),
        };
        match (swept, lines) {
            (Ok(swept), Ok(lines)) => {
                if (swept != Swept::default() || lines > 0)
                    && let Some(audit) = &self.audit
                {
                    let what = json!({ "kind": "retention", "log_lines": lines, "what": swept });
                    if let Err(error) = audit.note(what).await {
                        eprintln!("retention: {error}");
                    }
                }
            }
            (Err(error), _) => eprintln!("retention: {error}"),
            (_, Err(error)) => eprintln!("retention of logs: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_days_unless_they_say_otherwise() {
        let day = 86_400;
        for (text, seconds) in
            [("30", 30 * day), (" 2d ", 2 * day), ("12h", 43_200), ("90m", 5_400), ("1s", 1)]
        {
            assert_eq!(span(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        for wrong in ["", "d", "1w", "-1d", "1.5d", "9999999999999999999d", "한 달"] {
            assert_eq!(span(wrong), None, "{wrong}");
        }
    }
}
