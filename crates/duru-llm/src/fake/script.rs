//! Turns from a file.

use std::time::Duration;

use serde::{Deserialize, Deserializer};

use super::{Fake, Fault, Says, Turn};

/// What a fake does, one line after the other: each line is a turn in JSON.
///
/// ```text
/// {"says": "안녕하세요"}
/// {"says": "{\"severity\": 8}", "tokens": [120, 9], "pause_ms": 50}
/// {"fails": "reset_midway"}
/// {"fails": {"rate_limited": "3"}}
/// {"fails": {"status": 500}, "always": true}
/// ```
///
/// What is said `always` is said from there on. Empty lines and lines that
/// begin with `#` are passed over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    turns: Vec<Turn>,
    always: Option<Turn>,
}

/// A line that is no turn.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is no turn: {reason}; write {{\"says\": \"…\"}} or {{\"fails\": \"hang\"}}")]
pub struct ScriptError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    says: Option<String>,
    fails: Option<Fault>,
    #[serde(default)]
    always: bool,
    tokens: Option<(u64, u64)>,
    #[serde(default)]
    pause_ms: u64,
    #[serde(default)]
    cut: bool,
}

impl Script {
    /// Reads the lines.
    pub fn read(text: &str) -> Result<Script, ScriptError> {
        let mut script = Script::default();
        for (at, text) in text.lines().enumerate() {
            if text.trim().is_empty() || text.trim_start().starts_with('#') {
                continue;
            }
            let wrong = |reason: String| ScriptError { line: at + 1, reason };
            let line: Line = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
            let turn = match (line.says, line.fails) {
                (Some(text), None) => {
                    let usual = Says::text(text);
                    let pause = Duration::from_millis(line.pause_ms);
                    Turn::Says(Says {
                        tokens: line.tokens.unwrap_or(usual.tokens),
                        pause,
                        cut: line.cut,
                        ..usual
                    })
                }
                (None, Some(fault)) => Turn::Fails(fault),
                _ => return Err(wrong("it has to have one of \"says\" and \"fails\"".into())),
            };
            match (line.always, &script.always) {
                (_, Some(_)) => return Err(wrong("nothing comes after what is said always".into())),
                (true, None) => script.always = Some(turn),
                (false, None) => script.turns.push(turn),
            }
        }
        Ok(script)
    }
}

impl Fake {
    /// Plays a script, behind what is already to come.
    pub fn play(&self, script: Script) {
        script.turns.into_iter().for_each(|turn| self.next(turn));
        if let Some(always) = script.always {
            self.otherwise(move |_| always.clone());
        }
    }
}

/// A time in milliseconds.
pub(super) fn milliseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_turns() {
        let text = "# a comment\n{\"says\": \"가\", \"tokens\": [7, 8]}\n\n{\"fails\": \"hang\"}\n\
            {\"fails\": {\"rate_limited\": \"3\"}}\n{\"fails\": {\"drip\": 50}}\n{\"fails\": {\"status\": 500}, \"always\": true}";
        let script = Script::read(text).unwrap();
        assert_eq!(
            script.turns,
            [
                Turn::Says(Says { tokens: (7, 8), ..Says::text("가") }),
                Fault::Hang.into(),
                Fault::RateLimited(Some("3".into())).into(),
                Fault::Drip(Duration::from_millis(50)).into(),
            ]
        );
        assert_eq!(script.always, Some(Fault::Status(500).into()));
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        for bad in [
            "{}",
            "hello",
            r#"{"says": "a", "fails": "hang"}"#,
            r#"{"fails": "explode"}"#,
            r#"{"says": "a", "x": 1}"#,
        ] {
            let error = Script::read(&format!("{{\"says\": \"a\"}}\n{bad}")).unwrap_err();
            assert_eq!(error.line, 2, "{bad}");
        }
        let after = "{\"says\": \"a\", \"always\": true}\n{\"says\": \"b\"}";
        assert_eq!(Script::read(after).unwrap_err().line, 2);
    }
}
