//! What is wrong with arguments, in words of ours.

use std::error::Error as _;

use clap::error::{ContextKind, ErrorKind};

use crate::lang::Lang;
use crate::reasons::with_detail;

pub(super) fn describe(lang: Lang, error: &clap::Error) -> String {
    let said = said(lang, error);
    match meant(error) {
        Some(meant) => lang.pick(format!("{said} (혹시 {meant}?)"), format!("{said}; did you mean {meant}?")),
        None => said,
    }
}

fn context(error: &clap::Error, kind: ContextKind) -> String {
    error.get(kind).map(|value| value.to_string()).unwrap_or_default()
}

/// What was probably meant.
fn meant(error: &clap::Error) -> Option<String> {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::SuggestedSubcommand,
        ErrorKind::UnknownArgument => ContextKind::SuggestedArg,
        ErrorKind::InvalidValue => ContextKind::SuggestedValue,
        _ => return None,
    };
    // The best of them comes last.
    let all = context(error, kind);
    all.rsplit(", ").next().filter(|best| !best.is_empty()).map(str::to_owned)
}

fn said(lang: Lang, error: &clap::Error) -> String {
    let (arg, value) = (context(error, ContextKind::InvalidArg), context(error, ContextKind::InvalidValue));
    match error.kind() {
        ErrorKind::UnknownArgument => {
            lang.pick(format!("모르는 인자입니다: {arg}"), format!("unknown argument: {arg}"))
        }
        ErrorKind::InvalidSubcommand => {
            let name = context(error, ContextKind::InvalidSubcommand);
            lang.pick(format!("모르는 명령입니다: {name}"), format!("unknown command: {name}"))
        }
        ErrorKind::MissingSubcommand => {
            lang.pick("명령이 빠졌습니다".to_owned(), "a command is missing".to_owned())
        }
        ErrorKind::MissingRequiredArgument => {
            lang.pick(format!("인자가 빠졌습니다: {arg}"), format!("missing: {arg}"))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if value.is_empty() => {
            lang.pick(format!("{arg}에 값이 필요합니다"), format!("{arg} needs a value"))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let known = context(error, ContextKind::ValidValue);
            let known = if known.is_empty() { expected(lang, error) } else { known };
            let known = if known.is_empty() { known } else { format!(" ({known})") };
            lang.pick(
                format!("{arg}에 쓸 수 없는 값입니다: {value}{known}"),
                format!("{value} is no value for {arg}{known}"),
            )
        }
        ErrorKind::TooManyValues => lang.pick(
            format!("{arg}에는 값 {value}을(를) 더 쓸 수 없습니다"),
            format!("{arg} takes no value {value}"),
        ),
        ErrorKind::ArgumentConflict => conflict(lang, &arg, &context(error, ContextKind::PriorArg)),
        ErrorKind::InvalidUtf8 => {
            lang.pick("인자가 UTF-8이 아닙니다".to_owned(), "an argument is not UTF-8".to_owned())
        }
        _ => {
            // Clap's own words, without its "error: " and usage lines.
            let own = error.to_string();
            let own = own.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
            lang.pick(with_detail("인자를 읽을 수 없습니다", &own), own)
        }
    }
}

fn conflict(lang: Lang, arg: &str, other: &str) -> String {
    if arg == other {
        return lang
            .pick(format!("{arg}은(는) 한 번만 쓸 수 있습니다"), format!("{arg} may be given only once"));
    }
    lang.pick(
        format!("{arg}와(과) {other}은(는) 함께 쓸 수 없습니다"),
        format!("{arg} can't be used with {other}"),
    )
}

/// What would have been a value, as far as whoever refused it says so.
fn expected(lang: Lang, error: &clap::Error) -> String {
    let why = error.source().map(ToString::to_string).unwrap_or_default();
    let range = why.split_once(" is not in ").and_then(|(_, range)| range.split_once(".."));
    if let Some((least, most)) = range {
        let most = most.trim_start_matches('=');
        return match (least.is_empty(), most.is_empty()) {
            (_, true) => lang.pick(format!("{least} 이상"), format!("at least {least}")),
            (true, _) => lang.pick(format!("{most} 이하"), format!("at most {most}")),
            _ => lang.pick(format!("{least}~{most}"), format!("from {least} to {most}")),
        };
    }
    if error.source().is_some_and(|source| source.is::<std::num::ParseIntError>()) {
        return lang.pick("수를 쓰세요".to_owned(), "a number is needed".to_owned());
    }
    // The only other values that are looked at here are moments.
    if why.is_empty() { why } else { "2026-03-18T14:30:00+09:00".to_owned() }
}
