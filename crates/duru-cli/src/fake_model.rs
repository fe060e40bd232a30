//! `duru fake-model`: a provider that says and breaks what it is told to.

use std::net::SocketAddr;

use duru_llm::fake::{Fake, Script};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::decisions;
use crate::output::Output;
use crate::problem::Problem;
use crate::serve::stop_when_told;

pub(crate) async fn run(port: u16, script: Option<&str>, output: &Output) -> Result<(), Problem> {
    let script = script.map(read).transpose()?.unwrap_or_default();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let fake = Fake::bind(address)
        .await
        .map_err(|source| Problem::Address { address: address.to_string(), source })?;
    fake.play(script);
    let variable = |name: &str| fake.variable(name).unwrap_or_default();
    let exports = |names: [&str; 2]| names.map(|name| format!("{name}={}", variable(name))).join(" ");
    let anthropic = exports(["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"]);
    let openai = exports(["OPENAI_BASE_URL", "OPENAI_API_KEY"]);
    // Nobody has measured it, and whoever asks it wants to hear it.
    let leads = "DURU_POLICY=model";
    output.text(&format!("export {anthropic} {leads}\nexport {openai} DURU_MODEL=openai:fake {leads}\n"))?;
    output.json(json!({ "url": fake.url(), "anthropic": anthropic, "openai": openai }))?;
    output.progress(output.lang.pick(
        "둘 중 한 줄을 다른 터미널에서 실행하세요 (위는 Anthropic, 아래는 OpenAI 형식) · 멈추려면 Ctrl-C",
        "Run one of the lines in another terminal (the first speaks Anthropic's format, the second OpenAI's) · Ctrl-C stops it",
    ));
    let stop = CancellationToken::new();
    let told = tokio::spawn(stop_when_told(stop.clone()));
    stop.cancelled().await;
    told.abort();
    Ok(())
}

fn read(file: &str) -> Result<Script, Problem> {
    let text = std::fs::read_to_string(file)
        .map_err(|source| decisions::Problem::NoScript { file: file.to_owned(), source })?;
    let script =
        Script::read(&text).map_err(|source| decisions::Problem::Script { file: file.to_owned(), source })?;
    Ok(script)
}
