//! Colours on standard error, for those who want them.

use anstream::{AutoStream, ColorChoice};

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
    /// By what was asked for, else by the environment (`NO_COLOR`, `CLICOLOR_FORCE`, …), else where somebody looks.
    pub(crate) fn of(asked: Option<&str>) -> Self {
        Self::decide(asked, AutoStream::choice(&std::io::stderr()))
    }

    /// Of what is printed on standard output.
    pub(crate) fn of_output(asked: Option<&str>) -> Self {
        Self::decide(asked, AutoStream::choice(&std::io::stdout()))
    }

    fn decide(asked: Option<&str>, usual: ColorChoice) -> Self {
        match asked {
            Some("always") => Self::Always,
            Some("never") => Self::Never,
            _ if usual == ColorChoice::Never => Self::Never,
            _ => Self::Always,
        }
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
    fn an_argument_beats_whatever_is_usual() {
        assert_eq!(Colour::decide(None, ColorChoice::Always), Colour::Always);
        assert_eq!(Colour::decide(None, ColorChoice::Never), Colour::Never);
        assert_eq!(Colour::decide(Some("auto"), ColorChoice::Never), Colour::Never);
        assert_eq!(Colour::decide(Some("always"), ColorChoice::Never), Colour::Always);
        assert_eq!(Colour::decide(Some("never"), ColorChoice::Always), Colour::Never);
    }
}
