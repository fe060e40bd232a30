//! Lines that a container's runtime wrapped: what it added, and the line as its program wrote it.

use std::borrow::Cow;

use serde::Deserialize;

use super::{Fields, put, timed};

/// Who wrapped a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapper {
    /// Kubernetes (CRI): `2026-03-15T10:00:00.1Z stdout F line`.
    Cri,
    /// Docker's `json-file`: `{"log": "line\n", "stream": "stdout", "time": "…"}`.
    Docker,
}

pub(in crate::ingest) struct Unwrapped<'a> {
    pub(in crate::ingest) time: Cow<'a, str>,
    pub(in crate::ingest) stream: Cow<'a, str>,
    pub(in crate::ingest) line: Cow<'a, str>,
    /// The runtime cut the line here: it goes on in the next.
    pub(in crate::ingest) partial: bool,
}

#[derive(Deserialize)]
struct DockerLine<'a> {
    #[serde(borrow)]
    log: Cow<'a, str>,
    #[serde(borrow)]
    stream: Cow<'a, str>,
    #[serde(borrow)]
    time: Cow<'a, str>,
}

impl Wrapper {
    pub(in crate::ingest) fn open(self, line: &str) -> Option<Unwrapped<'_>> {
        match self {
            Self::Cri => {
                let (time, rest) = timed(line)?;
                let (stream, rest) = rest.strip_prefix(' ')?.split_once(' ')?;
                let (tag, line) = rest.split_once(' ').unwrap_or((rest, ""));
                let partial = tag.starts_with('P');
                if !matches!(stream, "stdout" | "stderr") || !(partial || tag.starts_with('F')) {
                    return None;
                }
                Some(Unwrapped { time: time.into(), stream: stream.into(), line: line.into(), partial })
            }
            Self::Docker => {
                let DockerLine { log, stream, time } = serde_json::from_str(line).ok()?;
                let partial = !log.ends_with('\n');
                let line = match log {
                    Cow::Borrowed(log) => Cow::Borrowed(log.trim_end_matches(['\r', '\n'])),
                    Cow::Owned(log) => Cow::Owned(log.trim_end_matches(['\r', '\n']).to_owned()),
                };
                Some(Unwrapped { time, stream, line, partial })
            }
        }
    }

    pub(in crate::ingest) fn words(self) -> &'static str {
        match self {
            Self::Cri => "Kubernetes (CRI)",
            Self::Docker => "Docker",
        }
    }
}

impl Unwrapped<'_> {
    /// What the runtime added. Its time has a zone, so it is better than the line's own.
    pub(in crate::ingest) fn mark(&self, fields: &mut Fields) {
        put(fields, "created_at", &self.time);
        put(fields, "stream", &self.stream);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_as_they_were_written() {
        let cri = Wrapper::Cri.open("2026-03-15T10:00:00.123456789Z stderr P half of").unwrap();
        assert_eq!(
            (&*cri.time, &*cri.stream, &*cri.line),
            ("2026-03-15T10:00:00.123456789Z", "stderr", "half of")
        );
        assert!(cri.partial);
        let line = r#"{"log":"a \"b\"\n","stream":"stdout","time":"2026-03-15T10:00:00Z"}"#;
        let docker = Wrapper::Docker.open(line).unwrap();
        assert_eq!((&*docker.line, docker.partial), ("a \"b\"", false));
        assert!(Wrapper::Cri.open("2026-03-15T10:00:00Z INFO F x").is_none());
        assert!(Wrapper::Docker.open(r#"{"log":"a","level":"info"}"#).is_none());
    }
}
