//! Colours on standard error, for those who want them.

use std::io::IsTerminal;

/// Whether there are any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Colour {
    #[default]
    Never,
    Always,
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Bad,
    Accent,
    Faint,
}

impl Colour {
    /// By what was asked for, else by the environment, else where somebody looks.
    pub(crate) fn of(asked: Option<&str>) -> Self {
        let looked_at = std::io::stderr().is_terminal();
        Self::decide(asked, |name| std::env::var(name).ok(), looked_at)
    }

    /// Of what is printed on standard output.
    pub(crate) fn of_output(asked: Option<&str>) -> Self {
        let looked_at = std::io::stdout().is_terminal();
        Self::decide(asked, |name| std::env::var(name).ok(), looked_at)
    }

    fn decide(asked: Option<&str>, variable: impl Fn(&str) -> Option<String>, looked_at: bool) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let wanted = match asked {
            Some("always") => true,
            Some("never") => false,
            _ if set("NO_COLOR").is_some() => false,
            _ if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            _ => looked_at && set("TERM").is_none_or(|term| term != "dumb"),
        };
        if wanted { Self::Always } else { Self::Never }
    }

    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match (self, tone) {
            (Self::Never, _) | (_, Tone::Plain) => return text.to_owned(),
            (_, Tone::Good) => "32",
            (_, Tone::Bad) => "31",
            (_, Tone::Accent) => "36",
            (_, Tone::Faint) => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_beats_the_environment_which_beats_the_terminal() {
        let with = |name: &'static str, value: &'static str| {
            move |asked: &str| (asked == name).then(|| value.to_owned())
        };
        let nothing = |_: &str| None;
        assert_eq!(Colour::decide(None, nothing, true), Colour::Always);
        assert_eq!(Colour::decide(None, nothing, false), Colour::Never);
        assert_eq!(Colour::decide(None, with("NO_COLOR", "1"), true), Colour::Never);
        assert_eq!(Colour::decide(None, with("NO_COLOR", ""), true), Colour::Always);
        assert_eq!(Colour::decide(Some("always"), with("NO_COLOR", "1"), false), Colour::Always);
        assert_eq!(Colour::decide(None, with("CLICOLOR_FORCE", "1"), false), Colour::Always);
        assert_eq!(Colour::decide(None, with("CLICOLOR_FORCE", "0"), false), Colour::Never);
        assert_eq!(Colour::decide(None, with("TERM", "dumb"), true), Colour::Never);
        assert_eq!(Colour::decide(Some("never"), with("CLICOLOR_FORCE", "1"), true), Colour::Never);
    }
}
