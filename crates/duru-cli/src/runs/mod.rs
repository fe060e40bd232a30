//! `duru runs dead`: runs that failed for good.

use duru::RunId;
use duru_server::{DeadRun, DeadRuns, RetryError};
use serde_json::json;

use crate::args::{Args, RunsAction};
use crate::output::Output;
use crate::problem::Problem;
use crate::reasons::with_detail;
use crate::store;
use crate::text::clean;

pub(crate) async fn run(action: &RunsAction, args: &Args, output: &Output) -> Result<(), Problem> {
    // Who only looks makes no store.
    let Some(opened) = store::open_existing(args.store.as_ref()).await? else {
        return match action {
            RunsAction::List { .. } => list(&[], output),
            RunsAction::Show(run) | RunsAction::Retry(run) | RunsAction::Drop { run, .. } => {
                Err(unknown(run, output))
            }
        };
    };
    let dead = DeadRuns::new(opened.stores);
    match action {
        RunsAction::List { limit } => list(&dead.list(*limit).await.map_err(Problem::Store)?, output),
        RunsAction::Show(run) => {
            let found = dead.find(id(run, output)?).await.map_err(Problem::Store)?;
            show(&found.ok_or_else(|| unknown(run, output))?, output)
        }
        RunsAction::Retry(run) => {
            let again = dead.retry(id(run, output)?).await.map_err(|error| problem(error, run, output))?;
            output.text(
                &output.lang.pick(
                    format!("다시 큐에 넣었습니다: {again}\n"),
                    format!("Back in the queue: {again}\n"),
                ),
            )?;
            output.progress(output.lang.pick(
                "실행 중인 서버가 곧 이어 갑니다; 없으면 다음에 시작하는 서버가 합니다.",
                "A server that runs goes on with it at once; otherwise the next one that starts.",
            ));
            output.json(json!({ "run_id": again.to_string() }))
        }
        RunsAction::Drop { run, dry_run: true } => {
            let found = dead.find(id(run, output)?).await.map_err(Problem::Store)?;
            let found = found.ok_or_else(|| unknown(run, output))?;
            let shown = clean(run);
            output.text(&output.lang.pick(
                format!("{shown}을(를) 지울 것입니다. 아무것도 지우지 않았습니다.\n"),
                format!("{shown} would be dropped; nothing was.\n"),
            ))?;
            output.json(json!({ "dropped": null, "would_drop": found.json(), "dry_run": true }))
        }
        RunsAction::Drop { run, .. } => {
            if !dead.drop(id(run, output)?).await.map_err(Problem::Store)? {
                return Err(unknown(run, output));
            }
            let run = clean(run);
            output.text(&output.lang.pick(format!("지웠습니다: {run}\n"), format!("Dropped: {run}\n")))?;
            output.json(json!({ "dropped": run }))
        }
    }
}

fn list(dead: &[DeadRun], output: &Output) -> Result<(), Problem> {
    if dead.is_empty() {
        output.progress(
            output.lang.pick("끝내 실패한 실행이 없습니다.", "There are no runs that failed for good."),
        );
    } else {
        let head = output.lang.pick(["실행", "그래프", "상태", "이유"], ["run", "graph", "status", "reason"]);
        let rows = dead.iter().map(|run| {
            let reason: String = clean(&run.reason()).chars().take(80).collect();
            [run.id().to_string(), clean(run.graph()), run.status().to_owned(), reason]
        });
        output.table(head, rows)?;
    }
    output.json(json!({ "dead": dead.iter().map(DeadRun::json).collect::<Vec<_>>() }))
}

fn show(run: &DeadRun, output: &Output) -> Result<(), Problem> {
    let (id, when, status) = (run.id(), run.when(), run.status());
    let (thread, graph, reason) = (clean(run.thread()), clean(run.graph()), clean(&run.reason()));
    let retry = output.command(&format!("runs dead retry {id}"));
    output.text(&output.lang.pick(
        format!("실행 {id}\n스레드 {thread}\n그래프 {graph}\n상태 {status}, {when}\n이유 {reason}\n다시 하려면: {retry}\n"),
        format!("run {id}\nthread {thread}\ngraph {graph}\nstatus {status}, {when}\nreason {reason}\nto try again: {retry}\n"),
    ))?;
    output.json(run.json())
}

fn id(run: &str, output: &Output) -> Result<RunId, Problem> {
    match uuid::Uuid::parse_str(run) {
        Ok(id) => Ok(RunId::from_u128(id.as_u128())),
        Err(_) => Err(unknown(run, output)),
    }
}

fn unknown(run: &str, output: &Output) -> Problem {
    let run = clean(run);
    Problem::Usage(output.lang.pick(
        format!("끝내 실패한 실행 중에 이런 것이 없습니다: {run}"),
        format!("no run that failed for good has this id: {run}"),
    ))
}

fn problem(error: RetryError, run: &str, output: &Output) -> Problem {
    match error {
        RetryError::Unknown => unknown(run, output),
        RetryError::Store(error) => Problem::Store(error),
        RetryError::Engine(error) => error.into(),
        RetryError::GoneOn => Problem::Usage(
            output
                .lang
                .pick("그 뒤로 스레드가 더 진행되었습니다: 새로 실행하세요".to_owned(), error.to_string()),
        ),
        other => Problem::Usage(
            output
                .lang
                .pick(with_detail("실행이 무엇을 하려던 것인지 읽을 수 없습니다", &other), other.to_string()),
        ),
    }
}
