//! Any text whose lines have a time: log4j, logback, Python, Spring, Go, Rust, PostgreSQL, nginx's errors and their like.
//!
//! After the time come, in any order, a level, numbers of processes, a thread or a context in brackets, and the name of
//! what logged; the rest is the message. What stands at the same place in all lines is learnt from a sample.

use super::{Fields, bracketed, is_level, put, timed, word};
use crate::ingest::values;

/// So many words may stand before the time.
const BEFORE: usize = 6;

/// A level is looked for among so many words after the time.
const LEVEL_WITHIN: usize = 8;

/// Words that are levels only if they are written in capitals or apart.
const ORDINARY: [&str; 7] = ["error", "warning", "warn", "info", "debug", "fatal", "critical"];

/// A line with a time after so many words.
pub(super) fn read(line: &str, before: usize, level_at: Option<usize>) -> Option<Fields> {
    let (lead, time, rest) = split_time(line, before)?;
    let mut fields = Fields::new();
    put(&mut fields, "created_at", time);
    let lead = lead.trim();
    put(&mut fields, if lead.contains(".log") { "file" } else { "prefix" }, lead);
    let mut header =
        Header { fields, level: false, pid: false, thread: false, logger: false, context: false };
    let message = header.read(rest);
    let mut fields = header.fields;
    match level_at.filter(|_| !fields.contains_key("level")).and_then(|at| level_word(rest, at)) {
        Some((context, level, message)) => {
            put(&mut fields, "level", level);
            put(&mut fields, "context", context);
            put(&mut fields, "message", message);
        }
        None => put(&mut fields, "message", message),
    }
    if !fields.contains_key("message") {
        // A line that is only a header says what it says.
        put(&mut fields, "message", if rest.trim().is_empty() { line } else { rest });
    }
    Some(fields)
}

/// Where times stand in a sample, and levels where no header shows them.
pub(in crate::ingest) fn learn(lines: &[&str]) -> Option<(usize, Option<usize>)> {
    let timed = |before: usize| lines.iter().filter(|line| split_time(line, before).is_some()).count();
    let counts: Vec<usize> = (0..=BEFORE).map(timed).collect();
    let most = *counts.iter().max().filter(|most| **most > 0)?;
    let before = counts.iter().position(|count| *count == most)?;
    let rests: Vec<&str> =
        lines.iter().filter_map(|line| split_time(line, before)).map(|(_, _, rest)| rest).collect();
    let shown =
        lines.iter().filter_map(|line| read(line, before, None)).filter(|line| line.contains_key("level"));
    if shown.count() * 10 >= rests.len() * 9 {
        return Some((before, None));
    }
    let level = |at: usize| {
        rests.iter().filter(|rest| level_word(rest, at).is_some()).count() * 10 >= rests.len() * 9
    };
    Some((before, (0..LEVEL_WITHIN).find(|at| level(*at))))
}

/// Whether a line begins with a time, as records do.
pub(in crate::ingest) fn looks_timed(line: &str) -> bool {
    split_time(line, 0).is_some()
}

/// What is before the time, the time, and what is after it. Brackets around the time are nobody's.
fn split_time(line: &str, before: usize) -> Option<(&str, &str, &str)> {
    let mut at = 0;
    for _ in 0..before {
        let (first, _) = word(&line[at..]);
        at += first.len();
        at += line[at..].len() - line[at..].trim_start().len();
    }
    let text = &line[at..];
    let open = usize::from(text.starts_with(['[', '<', '(', '|', '"']));
    let (time, rest) = timed(&text[open..])?;
    Some((&line[..at], time, rest.trim_start_matches([']', '>', ')', '"'])))
}

/// The words before the level at this place, the level in capitals, and what follows.
fn level_word(rest: &str, at: usize) -> Option<(&str, &str, &str)> {
    let mut text = rest.trim_start();
    let start = text;
    for _ in 0..at {
        text = word(text).1.trim_start();
    }
    let (level, after) = word(text);
    let is = is_level(level) && level.bytes().all(|byte| byte.is_ascii_uppercase());
    is.then(|| (&start[..start.len() - text.len()], level, after))
}

struct Header {
    fields: Fields,
    level: bool,
    pid: bool,
    thread: bool,
    logger: bool,
    context: bool,
}

impl Header {
    /// Takes what is known from the beginning of a text; what is left is the message.
    fn read<'a>(&mut self, mut text: &'a str) -> &'a str {
        loop {
            text = separators(text);
            let next = match text.as_bytes().first() {
                Some(b'[') => self.brackets(text),
                Some(_) => self.word(text),
                None => None,
            };
            match next {
                Some(After::More(rest)) => text = rest,
                Some(After::Message(rest)) => return rest.trim_start(),
                None => return text,
            }
        }
    }

    fn brackets<'a>(&mut self, text: &'a str) -> Option<After<'a>> {
        let (inner, rest) = bracketed(text)?;
        let trimmed = inner.trim();
        if !self.level && is_level(trimmed) {
            self.set_level(trimmed);
        } else if !self.pid && is_number(trimmed) {
            self.pid = true;
            put(&mut self.fields, "pid", trimmed);
        } else if self.logger && !self.context && (trimmed == "-" || !trimmed.contains(": ")) {
            self.context = true;
            self.set_context(trimmed);
        } else if !self.logger && !self.thread {
            self.thread = true;
            self.set_thread(trimmed);
        } else if !self.logger && !self.context && !trimmed.contains(": ") {
            self.context = true;
            self.set_context(trimmed);
        } else {
            return None;
        }
        Some(After::More(rest))
    }

    fn word<'a>(&mut self, text: &'a str) -> Option<After<'a>> {
        let end = text.find(|c: char| c.is_whitespace() || c == '|').unwrap_or(text.len());
        let (found, rest) = text.split_at(end);
        let apart = rest.starts_with(['|', '\t']) || rest.starts_with("  ") || rest.starts_with(" - ");
        let bare = found.trim_end_matches([':', ',']);
        let bare = bare.strip_prefix('<').and_then(|bare| bare.strip_suffix('>')).unwrap_or(bare);
        if !self.level && is_level(bare) {
            return self.level_found(text, (found, bare, rest), apart);
        }
        if is_number(bare) && (!self.logger || rest.starts_with('|')) {
            let named = if self.pid { "thread" } else { "pid" };
            let fits = self.level || rest.starts_with('|') || header_goes_on(rest);
            self.pid |= fits;
            fits.then(|| put(&mut self.fields, named, bare))?;
            return Some(After::More(rest));
        }
        // nginx: `1234#5678:`.
        if let Some((pid, thread)) = bare.split_once('#')
            && is_number(pid)
            && is_number(thread)
        {
            put(&mut self.fields, "pid", pid);
            return Some(After::Message(rest));
        }
        if self.logger || !is_logger(bare) {
            return None;
        }
        self.logger_found(found, bare, rest, apart)
    }

    fn level_found<'a>(
        &mut self,
        text: &'a str,
        (found, bare, rest): (&str, &str, &'a str),
        apart: bool,
    ) -> Option<After<'a>> {
        let marked = found.len() > bare.len();
        if marked || apart || bare.bytes().all(|byte| byte.is_ascii_uppercase()) {
            self.set_level(bare);
            // `LOG:  message` and `ERROR: message` end the header.
            return Some(if found.ends_with(':') { After::Message(rest) } else { After::More(rest) });
        }
        if ORDINARY.contains(&bare.to_ascii_lowercase().as_str()) {
            self.set_level(bare);
            // It may be the first word of the sentence, so it stays there.
            return Some(After::Message(text));
        }
        None
    }

    fn logger_found<'a>(&mut self, found: &str, name: &str, rest: &'a str, apart: bool) -> Option<After<'a>> {
        let qualified = name.contains(['.', '$', '[']) || name.contains("::");
        if found.ends_with(':') && (self.level || qualified) {
            self.set_logger(name);
            return Some(After::Message(rest));
        }
        let between = rest.starts_with(" - ") || rest.starts_with(" : ");
        let level_follows = between && is_level(word(separators(rest)).0);
        if level_follows || ((apart || between) && self.level) || rest.starts_with('|') {
            self.set_logger(name);
            return Some(After::More(rest));
        }
        let context_follows = rest.trim_start().starts_with('[');
        if self.level && qualified && context_follows {
            self.set_logger(name);
            return Some(After::More(rest));
        }
        None
    }

    fn set_level(&mut self, word: &str) {
        self.level = true;
        put(&mut self.fields, "level", word);
    }

    /// `sshd(pam_unix)[42]` is a program and its process; `server.go:23` is a place in a file.
    fn set_logger(&mut self, name: &str) {
        self.logger = true;
        let (program, pid) = name.split_once('[').unwrap_or((name, ""));
        put(&mut self.fields, "pid", pid.trim_end_matches(']'));
        match program.rsplit_once(':').filter(|(file, line)| is_number(line) && file.contains('.')) {
            Some(_) => put(&mut self.fields, "file", program),
            None => put(&mut self.fields, "service", program),
        }
    }

    /// ZooKeeper writes `thread:Class@line`.
    fn set_thread(&mut self, inner: &str) {
        let place = inner.rsplit_once(':').filter(|(_, class)| {
            class.rsplit_once('@').is_some_and(|(class, line)| is_logger(class) && is_number(line))
        });
        match place {
            Some((thread, class)) => {
                put(&mut self.fields, "thread", thread);
                let (class, line) = class.rsplit_once('@').unwrap_or((class, ""));
                self.logger = true;
                put(&mut self.fields, "service", class);
                put(&mut self.fields, "line", line);
            }
            None => put(&mut self.fields, "thread", inner),
        }
    }

    /// OpenStack writes the request, its user and project.
    fn set_context(&mut self, inner: &str) {
        match word(inner) {
            (request, rest) if request.starts_with("req-") => {
                put(&mut self.fields, "trace_id", request);
                let user = rest.split_whitespace().next().unwrap_or_default();
                put(&mut self.fields, "user_id", user);
                put(&mut self.fields, "context", inner);
            }
            _ => put(&mut self.fields, "context", inner),
        }
    }
}

enum After<'a> {
    /// More of the header may follow.
    More(&'a str),
    Message(&'a str),
}

/// Without what only stands between.
fn separators(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let rest = text.trim_start_matches(['|', ',']);
        let dashes = rest.trim_start_matches('-');
        let rest =
            if dashes.len() < rest.len() && dashes.starts_with(char::is_whitespace) { dashes } else { rest };
        let rest = rest.strip_prefix(": ").unwrap_or(rest).trim_start();
        if rest.len() == text.len() {
            return text;
        }
        text = rest;
    }
}

/// Whether what follows a number is what follows a process's number.
fn header_goes_on(rest: &str) -> bool {
    let mut rest = rest.trim_start();
    loop {
        let (next, after) = word(rest);
        if !is_number(next) {
            return is_level(next) || next.starts_with('[') || next == "---" || next == "-";
        }
        rest = after.trim_start();
    }
}

fn is_number(text: &str) -> bool {
    (1..=10).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name as programs have it.
fn is_logger(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._$:-/@#()[]<>".contains(c);
    name.len() <= 120
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !name.ends_with('.')
        && name.chars().all(fits)
        && values::level(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Level, service, thread or process, message.
    fn check(line: &str, expected: [&str; 4]) {
        let fields = read(line, 0, None).unwrap_or_else(|| panic!("{line}"));
        let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or("");
        let thread = if fields.contains_key("thread") { text("thread") } else { text("pid") };
        assert_eq!([text("level"), text("service"), thread, text("message")], expected, "{line}\n{fields:?}");
    }

    #[test]
    fn headers_of_many_programs() {
        for (line, expected) in [
            (
                "2026-03-15 10:00:00,123 INFO  [main] com.acme.Boot: up in 3 s",
                ["INFO", "com.acme.Boot", "main", "up in 3 s"],
            ),
            (
                "2026-03-15 10:00:00.123  WARN 77 --- [nio-1] c.a.Orders             : slow: 3",
                ["WARN", "c.a.Orders", "nio-1", "slow: 3"],
            ),
            ("2026-03-15 10:00:00,123 - pay.api - ERROR - refused", ["ERROR", "pay.api", "", "refused"]),
            ("2026-03-15 10:00:00.123 [main] DEBUG c.a.Cart - empty", ["DEBUG", "c.a.Cart", "main", "empty"]),
            (
                "2026-03-15T10:00:00.123Z  INFO shop::cart: added id=7",
                ["INFO", "shop::cart", "", "added id=7"],
            ),
            ("2026/03/15 10:00:00 listening: port 80", ["", "", "", "listening: port 80"]),
            ("2026/03/15 10:00:00 [error] 12#12: *5 open() failed", ["error", "", "12", "*5 open() failed"]),
            (
                "2026-03-15 10:00:00.123 UTC [77] LOG:  checkpoint: done",
                ["LOG", "", "77", "checkpoint: done"],
            ),
            (
                "2026-03-15 10:00:00,747 - INFO  [Peer[id=1]/0:0:2181:Election@774] - out: 3",
                ["INFO", "Election", "Peer[id=1]/0:0:2181", "out: 3"],
            ),
            ("260315 100000 148 INFO dfs.Node$Out: ended", ["INFO", "dfs.Node$Out", "148", "ended"]),
            ("26/03/15 10:00:00 INFO exec.Backend: ready", ["INFO", "exec.Backend", "", "ready"]),
            ("[2026-03-15 10:00:00] production.ERROR: boom", ["", "production.ERROR", "", "boom"]),
            ("2026-03-15 10:00:00, Info                  CBS    Loaded it", ["Info", "CBS", "", "Loaded it"]),
            ("20260315-10:00:00:606|Step|30002|moved 3", ["", "Step", "30002", "moved 3"]),
            ("2026-03-15 10:00:00 Error reading a file", ["Error", "", "", "Error reading a file"]),
            ("2026-03-15 10:00:00 3 files are left", ["", "", "", "3 files are left"]),
            ("2026-03-15T10:00:00Z app[web.1]: State changed", ["", "app", "web.1", "State changed"]),
        ] {
            check(line, expected);
        }
    }

    #[test]
    fn a_request_its_user_and_the_file_before_the_time() {
        let line = "nova-api.log.1 2026-03-15 10:00:00.008 25746 INFO nova.wsgi [req-38 113d 54fa - - -] 10.0.0.1 \"GET /v2 HTTP/1.1\"";
        let fields = read(line, 1, None).unwrap();
        let expected = json!({"created_at": "2026-03-15 10:00:00.008", "file": "nova-api.log.1", "pid": "25746",
            "level": "INFO", "service": "nova.wsgi", "trace_id": "req-38", "user_id": "113d",
            "context": "req-38 113d 54fa - - -", "message": "10.0.0.1 \"GET /v2 HTTP/1.1\""});
        assert_eq!(json!(fields), expected);
        let fields =
            read("x 2026-03-15 10:00:00 7 INFO nova.manager [-] [instance: 1] paused", 1, None).unwrap();
        assert_eq!(fields["message"], "[instance: 1] paused");
    }

    #[test]
    fn places_are_learnt() {
        let lines = ["- 1773811800 R02 RAS KERNEL INFO parity error", "- 1773811801 R03 RAS APP FATAL died"];
        assert_eq!(learn(&lines), Some((1, Some(3))));
        let fields = read(lines[1], 1, Some(3)).unwrap();
        assert_eq!((&fields["level"], &fields["message"]), (&json!("FATAL"), &json!("died")));
        assert_eq!(fields["context"], "R03 RAS APP");
        assert_eq!(learn(&["no time", "here"]), None);
    }
}
