//! How much a server does at once, and how it goes.

use std::sync::Arc;
use std::time::Duration;

use duru_server::{Limits, Options};

use crate::lang::Lang;
use crate::problem::Problem;
use crate::settings;

/// What the settings say of them; the rest is usual.
pub(super) fn options() -> Result<Options, Problem> {
    let usual = Options::default();
    let seconds =
        |name, most| Ok::<_, Problem>(number(name, 0, most)?.map(|n| Duration::from_secs(n as u64)));
    Ok(Options {
        runs_at_once: number("DURU_RUNS_AT_ONCE", 1, 1_000_000)?.unwrap_or(usual.runs_at_once),
        longest_queue: number("DURU_LONGEST_QUEUE", 1, 100_000_000)?.unwrap_or(usual.longest_queue),
        lame_duck: seconds("DURU_LAME_DUCK_SECONDS", 600)?.unwrap_or(usual.lame_duck),
        ..usual
    })
}

/// What a server takes over while it serves.
const LIVE: [&str; 2] = ["DURU_RUNS_AT_ONCE", "DURU_LONGEST_QUEUE"];

/// Reads the settings again at every SIGHUP, takes over what can change, and says of the rest that it can't. On a
/// terminal the same signal means that the person is gone, and ends the program as ever.
///
/// From this call on the signal is awaited, before anybody asks for what it returns: a server that can be reached must not be
/// ended by it.
#[cfg(unix)]
pub(super) fn reload_when_told(limits: Arc<Limits>, lang: Lang) -> impl Future<Output = ()> + Send + 'static {
    use std::io::IsTerminal as _;
    use tokio::signal::unix::{SignalKind, signal};
    let hangup = if std::io::stdin().is_terminal() { None } else { signal(SignalKind::hangup()).ok() };
    async move {
        let Some(mut hangup) = hangup else { return };
        while hangup.recv().await.is_some() {
            tracing::warn!("{}", reload(&limits, lang));
        }
    }
}

#[cfg(not(unix))]
pub(super) async fn reload_when_told(_: Arc<Limits>, _: Lang) {}

/// Does it once, and says what came of it.
fn reload(limits: &Limits, lang: Lang) -> String {
    let changed = match settings::read_again() {
        Ok(changed) => changed,
        Err(wrong) => {
            let file = wrong.file.display();
            let (ko, en) = (&wrong.ko, &wrong.en);
            return lang.pick(
                format!("설정을 다시 읽지 못해 그대로 둡니다: {file}: {ko}"),
                format!("the settings could not be read again, and stay: {file}: {en}"),
            );
        }
    };
    match options() {
        Ok(options) => limits.set(&options),
        Err(Problem::Setting { ko, en }) => {
            return lang.pick(format!("한도는 그대로 둡니다: {ko}"), format!("the limits stay: {en}"));
        }
        Err(other) => return format!("{other:?}"),
    }
    let (live, rest): (Vec<&str>, Vec<&str>) =
        changed.iter().map(String::as_str).partition(|name| LIVE.contains(name));
    let mut said = lang.pick(
        format!(
            "설정을 다시 읽었습니다: 동시 실행 {}, 대기열 {}",
            limits.runs_at_once(),
            limits.longest_queue()
        ),
        format!(
            "the settings were read again: {} runs at once, {} may wait",
            limits.runs_at_once(),
            limits.longest_queue()
        ),
    );
    if !live.is_empty() {
        said +=
            &lang.pick(format!("; 바뀐 것: {}", live.join(", ")), format!("; changed: {}", live.join(", ")));
    }
    if !rest.is_empty() {
        let names = rest.join(", ");
        said += &lang.pick(
            format!("; 다시 시작해야 바뀌는 것: {names}"),
            format!("; these change only with a restart: {names}"),
        );
    }
    said
}

/// A number within bounds; none where nothing is set.
fn number(name: &str, least: usize, most: usize) -> Result<Option<usize>, Problem> {
    let Some(given) = settings::get(name) else { return Ok(None) };
    match given.trim().parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(Some(number)),
        _ => Err(Problem::Setting {
            ko: format!("{name}: {least}부터 {most}까지의 수를 적으세요"),
            en: format!("{name}: write a number from {least} to {most}"),
        }),
    }
}
