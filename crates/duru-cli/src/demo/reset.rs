//! `duru demo reset`: sample data and the example's threads as at the first start.

use std::io::ErrorKind;

use serde_json::json;

use super::article::compile;
use super::outbox::Outbox;
use crate::args::{Args, DocsPlace, Mode};
use crate::docs;
use crate::logs;
use crate::output::Output;
use crate::problem::Problem;
use crate::serve;
use crate::store;
use crate::terminal::agree;

pub(crate) async fn reset(mode: Mode, args: &Args, output: &Output) -> Result<(), Problem> {
    let lang = output.lang;
    if let Some(address) = serve::running().await {
        return Err(Problem::Usage(lang.pick(
            format!("http://{address} 의 서버가 자료를 쓰고 있습니다: 먼저 멈추세요"),
            format!("the server at http://{address} has the data open: stop it first"),
        )));
    }
    let logs_are_samples = logs::only_samples().await.map_err(Problem::from)?;
    output.progress(lang.pick(
        "견본 로그와 견본 문서를 새로 만들고, 예제의 스레드와 그 발행 기록을 지웁니다. 여러분의 것은 그대로 둡니다.",
        "The sample logs and documents are made anew; the example's threads and what it published are deleted. What is yours stays.",
    ));
    if mode == Mode::DryRun {
        let threads = forget(args, mode).await?;
        output.text(&lang.pick(
            format!("예제의 스레드 {threads}개를 지울 것입니다. 아무것도 바꾸지 않았습니다.\n"),
            format!("{threads} threads of the example would be deleted; nothing was changed.\n"),
        ))?;
        return output.json(
            json!({ "threads": 0, "would_delete": threads, "logs": logs_are_samples, "dry_run": true }),
        );
    }
    if mode == Mode::Ask
        && !agree(lang.pick("계속할까요?", "Go on?"), || "demo reset".to_owned(), output).await?
    {
        output.progress(lang.pick("그대로 두었습니다", "Nothing was changed"));
        return output.json(json!({ "threads": 0, "logs": false, "documents": 0 }));
    }
    let threads = forget(args, mode).await?;
    if logs_are_samples {
        logs::delete_samples()?;
    } else {
        output.progress(lang.pick(
            "  – 로그: 견본이 아닌 줄이 있어 그대로 둡니다",
            "  – logs: left alone, since not all of them are samples",
        ));
    }
    drop(logs::open_or_sample(None, output).await?);
    let documents = docs::put_samples_back(&DocsPlace::default()).await?;
    output.text(&lang.pick(
        format!(
            "되돌렸습니다: 예제의 스레드 {threads}개를 지우고 견본 문서 {documents}건을 다시 넣었습니다\n"
        ),
        format!(
            "Done: {threads} threads of the example deleted, {documents} sample documents taken in again\n"
        ),
    ))?;
    output.json(json!({ "threads": threads, "logs": logs_are_samples, "documents": documents }))
}

/// Deletes the threads of the example, and the file of what it published; or counts them.
async fn forget(args: &Args, mode: Mode) -> Result<usize, Problem> {
    let Some(opened) = store::open_existing(args.store.as_ref()).await? else { return Ok(0) };
    let app = compile()?.on(opened.store);
    let mut deleted = 0;
    for summary in app.store().threads(0, usize::from(u16::MAX)).await.map_err(Problem::Store)? {
        let thread = app.thread(summary.thread.as_str())?;
        let is_ours = thread.log().graph().await?.as_deref() == Some(app.graph().name());
        if is_ours && (mode == Mode::DryRun || thread.delete().await?) {
            deleted += 1;
        }
    }
    if mode == Mode::DryRun {
        return Ok(deleted);
    }
    let outbox = Outbox::beside(&store::file_beside(&opened.place)?);
    match std::fs::remove_file(outbox.file()) {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(Problem::File { file: outbox.file().to_owned(), source })
        }
        _ => Ok(deleted),
    }
}
