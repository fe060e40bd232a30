//! What a server tells of itself, and to whom: lines by flags and settings, spans by OpenTelemetry's variables.

use std::time::Duration;

use duru_telemetry::{Filter, Format, Level, Lines, Settings, Telemetry, Traces};

use crate::args::ServeArgs;
use crate::problem::Problem;
use crate::reasons::with_detail;
use crate::settings;

/// How long a collector is waited for when the server stops.
const LAST: Duration = Duration::from_secs(3);

/// Has it told from now on.
pub(super) fn begin(serve: &ServeArgs) -> Result<Telemetry, Problem> {
    let format = word(serve.log_format.as_deref(), "DURU_LOG_FORMAT", |word| match word {
        "text" => Some(Format::Text),
        "json" => Some(Format::Json),
        _ => None,
    })?;
    // Whoever wants JSON has a program that reads it; people at a terminal want to hear of trouble.
    let usual = if format == Some(Format::Json) { Level::Info } else { Level::Warn };
    let filter = filter(serve.log_level.as_deref(), usual)?;
    let lines = Lines { format: format.unwrap_or(Format::Text), filter };
    let wrong = |error: duru_telemetry::SettingError| Problem::Setting {
        ko: with_detail(format_args!("{}을(를) 쓸 수 없습니다", error.variable), &error.reason),
        en: format!("{} is not usable: {}", error.variable, error.reason),
    };
    let traces = Traces::read(settings::get).map_err(wrong)?;
    duru_telemetry::install(Settings { lines: Some(lines), traces }).map_err(wrong)
}

pub(super) async fn finish(telemetry: Telemetry) {
    telemetry.finish(LAST).await;
}

/// What is worth a line: the flag goes before the setting by target, and that before the one of a single level.
fn filter(flag: Option<&str>, usual: Level) -> Result<Filter, Problem> {
    const BY_TARGET: &str = "DURU_LOG";
    match settings::get(BY_TARGET).filter(|given| flag.is_none() && !given.trim().is_empty()) {
        Some(given) => Filter::parse(&given).map_err(|reason| Problem::Setting {
            ko: with_detail(format_args!("{BY_TARGET}을(를) 쓸 수 없습니다"), &reason),
            en: format!("{BY_TARGET} is not usable: {reason}"),
        }),
        None => Ok(word(flag, "DURU_LOG_LEVEL", Level::from_word)?.unwrap_or(usual).into()),
    }
}

/// What a flag says, or else a setting.
fn word<T>(
    flag: Option<&str>,
    variable: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, Problem> {
    let Some(given) = flag.map(str::to_owned).or_else(|| settings::get(variable)) else { return Ok(None) };
    match read(given.trim().to_ascii_lowercase().as_str()) {
        Some(meant) => Ok(Some(meant)),
        None => Err(Problem::Setting {
            ko: format!("{variable}: {given:?}은(는) 모르는 말입니다; `duru serve --help`를 보세요"),
            en: format!("{variable}: {given:?} is not known; see `duru serve --help`"),
        }),
    }
}
