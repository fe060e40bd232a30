//! Whether what is printed can be read.

use std::io::IsTerminal;

use super::finding::Finding;
use crate::lang::Lang;

const CHECK: (&str, &str) = ("터미널", "terminal");

pub(super) fn check(lang: Lang) -> Vec<Finding> {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| {
        std::env::var(name).ok().filter(|value| !value.is_empty()).map(|value| (name, value))
    });
    let place = if std::io::stdout().is_terminal() {
        lang.pick("터미널에 출력합니다", "the output is a terminal")
    } else {
        lang.pick("출력은 터미널이 아닙니다", "the output is no terminal")
    };
    vec![match locale {
        Some((name, value)) if is_utf8(&value) => Finding::good(CHECK, format!("{place}, {name}={value}")),
        // What is piped is read by programs, which are told in UTF-8.
        _ if cfg!(windows) || !std::io::stdout().is_terminal() => Finding::good(CHECK, place.to_owned()),
        found => Finding::fair(
            CHECK,
            lang.pick(
                format!("로캘이 UTF-8이 아니어서 한글이 깨질 수 있습니다{}", shown(found.as_ref())),
                format!("the locale is not UTF-8, so Hangul may not be shown{}", shown(found.as_ref())),
            ),
            lang.pick(
                "export LC_ALL=C.UTF-8 (또는 ko_KR.UTF-8)".to_owned(),
                "export LC_ALL=C.UTF-8 (or ko_KR.UTF-8)".to_owned(),
            ),
        ),
    }]
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

fn shown(locale: Option<&(&'static str, String)>) -> String {
    locale.map(|(name, value)| format!(" ({name}={value})")).unwrap_or_default()
}
