//! `duru demo reset`: sample data and the example's threads as at the first start.

use std::io::ErrorKind;

use serde_json::json;

use super::article::compile;
use super::outbox::Outbox;
use crate::args::{Args, DocsPlace};
use crate::docs;
use crate::logs;
use crate::output::Output;
use crate::problem::Problem;
use crate::serve;
use crate::store;
use crate::terminal::{self, Prompt, Said};

pub(crate) async fn reset(yes: bool, args: &Args, output: &Output) -> Result<(), Problem> {
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
    if !yes && !agrees(output).await? {
        return Err(Problem::NeedsYes { command: "demo reset".to_owned() });
    }
    let threads = forget(args).await?;
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

async fn agrees(output: &Output) -> Result<bool, Problem> {
    if !terminal::somebody_is_there() {
        return Ok(false);
    }
    let text = |_| output.lang.pick("계속할까요? [y/N] > ", "Go on? [y/N] > ").to_owned();
    let said = terminal::read(Prompt { text: &text, history: None, until: None }).await?;
    Ok(
        matches!(said, Said::Line(line) if ["y", "yes", "예", "네", "ㅇ"].contains(&line.to_lowercase().as_str())),
    )
}

/// Deletes the threads of the example, and the file of what it published.
async fn forget(args: &Args) -> Result<usize, Problem> {
    let Some(opened) = store::open_existing(args.store.as_ref()).await? else { return Ok(0) };
    let app = compile()?.on(opened.store);
    let mut deleted = 0;
    for summary in app.store().threads(0, usize::from(u16::MAX)).await.map_err(Problem::Store)? {
        let thread = app.thread(summary.thread.as_str())?;
        if thread.log().graph().await?.as_deref() == Some(app.graph().name()) && thread.delete().await? {
            deleted += 1;
        }
    }
    let outbox = Outbox::beside(&store::file_beside(&opened.place)?);
    match std::fs::remove_file(outbox.file()) {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(Problem::File { file: outbox.file().to_owned(), source })
        }
        _ => Ok(deleted),
    }
}
