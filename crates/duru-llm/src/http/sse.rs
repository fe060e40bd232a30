//! Server-sent events from bytes that arrive in any pieces.

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    /// The lines of `data:`, joined.
    pub(crate) data: String,
}

/// Splits bytes into events. Text is decoded line by line and never before a
/// line is complete, so that a piece may end inside a syllable.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    buffer: Vec<u8>,
    /// Where the line that is being read begins.
    start: usize,
    /// Up to here there is no line end; a long line is not searched twice.
    searched: usize,
    data: Option<String>,
    /// How many lines were complete, as a sign of life.
    lines: u64,
}

/// A line that is not UTF-8.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotText;

impl Parser {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// The next complete event of what was pushed.
    pub(crate) fn next(&mut self) -> Result<Option<Event>, NotText> {
        while let Some(line) = self.line()? {
            if line.is_empty() {
                if let Some(data) = self.data.take() {
                    return Ok(Some(Event { data }));
                }
                continue;
            }
            // The name of an event is repeated in its data by every provider, and
            // comments are only signs of life: neither is kept.
            if let Some(value) = line.strip_prefix("data:") {
                let value = value.strip_prefix(' ').unwrap_or(value);
                match &mut self.data {
                    Some(data) => {
                        data.push('\n');
                        data.push_str(value);
                    }
                    none => *none = Some(value.to_owned()),
                }
            }
        }
        Ok(None)
    }

    /// The event that the end of the stream completes: some servers leave out
    /// the empty line behind the last one.
    pub(crate) fn end(&mut self) -> Result<Option<Event>, NotText> {
        self.push(b"\n\n");
        self.next()
    }

    fn line(&mut self) -> Result<Option<String>, NotText> {
        let Some(length) = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n') else {
            self.searched = self.buffer.len();
            return Ok(None);
        };
        let end = self.searched + length;
        let line = &self.buffer[self.start..end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = std::str::from_utf8(line).map_err(|_| NotText)?.to_owned();
        self.start = end + 1;
        self.searched = self.start;
        self.lines += 1;
        Ok(Some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &str =
        "event: a\ndata: {\"t\":\"안녕\"}\n\n: still here\r\n\r\ndata:one\r\ndata: two\r\n\r\ndata: [DONE]";

    fn events(pieces: &[&[u8]]) -> Vec<String> {
        let mut parser = Parser::default();
        let mut out = Vec::new();
        for piece in pieces {
            parser.push(piece);
            while let Some(event) = parser.next().unwrap() {
                out.push(event.data);
            }
        }
        out.extend(parser.end().unwrap().map(|event| event.data));
        out
    }

    #[test]
    fn any_split_gives_the_same_events() {
        let bytes = STREAM.as_bytes();
        let expected = ["{\"t\":\"안녕\"}", "one\ntwo", "[DONE]"];
        for size in 1..bytes.len() {
            assert_eq!(events(&bytes.chunks(size).collect::<Vec<_>>()), expected, "pieces of {size}");
        }
    }

    #[test]
    fn a_line_that_is_not_text_is_an_error() {
        let mut parser = Parser::default();
        parser.push(b"data: \xec\x95\n\n");
        assert_eq!(parser.next(), Err(NotText));
    }

    #[test]
    fn an_endless_line_is_searched_once() {
        let mut parser = Parser::default();
        for _ in 0..2000 {
            parser.push(&[b'x'; 1024]);
            assert_eq!(parser.next(), Ok(None));
        }
        assert_eq!((parser.lines(), parser.searched), (0, 2000 * 1024));
    }
}
