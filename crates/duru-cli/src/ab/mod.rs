//! `duru ab report`: how decisions about reuse did, by variant.

use duru::memory::Memory;
use duru_agents::advisor::ab::{Metrics, Report, Tracker, Variant};
use serde_json::json;

use crate::args::Args;
use crate::memory::problem;
use crate::output::Output;
use crate::problem::Problem;
use crate::store;

pub(crate) async fn report(args: &Args, output: &Output) -> Result<(), Problem> {
    let report = match store::open_existing(args.store.as_ref()).await? {
        Some(opened) => Tracker::new(Memory::new(opened.stores.memories)).report().await.map_err(problem)?,
        None => Report::of(&[]),
    };
    let lang = output.lang;
    let (a, b) = (&report.variants[&Variant::A], &report.variants[&Variant::B]);
    let row =
        |name: &str, of: &dyn Fn(&Metrics) -> String| [name.to_owned(), of(a), of(b), of(&report.total)];
    let share = |share: Option<f64>| {
        share.map_or_else(
            || lang.pick("알 수 없음", "unknown").to_owned(),
            |share| format!("{:.1}%", share * 100.0),
        )
    };
    let count = |of: fn(&Metrics) -> usize| move |metrics: &Metrics| of(metrics).to_string();
    let rows = [
        row("total_requests", &count(|metrics| metrics.total_requests)),
        row("correct_skips", &count(|metrics| metrics.correct_skips)),
        row("incorrect_skips", &count(|metrics| metrics.incorrect_skips)),
        row("correct_searches", &count(|metrics| metrics.correct_searches)),
        row("incorrect_searches", &count(|metrics| metrics.incorrect_searches)),
        row(lang.pick("(결과 모름)", "(outcome unknown)"), &count(Metrics::unknown)),
        row("accuracy", &|metrics| share(metrics.accuracy)),
        row("avg_execution_time", &|metrics| format!("{:.2} s", metrics.avg_execution_time)),
        row("skip_rate", &|metrics| share((metrics.total_requests > 0).then_some(metrics.skip_rate))),
    ];
    let head = lang.pick(
        ["지표", "A (관문 1)", "B (모든 관문)", "전체"],
        ["metric", "A (gate 1)", "B (all gates)", "all"],
    );
    output.table(head, rows)?;
    if report.total.total_requests == 0 {
        output.progress(lang.pick("아직 기록된 판단이 없습니다", "No decision has been logged yet"));
    }
    output.json(json!({ "variants": report.variants, "total": report.total }))
}
