//! syslog: RFC 3164 with and without a priority, RFC 5424, and rsyslog's lines with ISO times.

use super::{Fields, bracketed, is_level, put, timed, word};

pub(super) fn read(line: &str) -> Option<Fields> {
    let mut fields = Fields::new();
    let line = match priority(line) {
        Some((level, rest)) => {
            put(&mut fields, "level", level);
            rest
        }
        None => line,
    };
    let prioritised = fields.contains_key("level");
    if let Some(rest) = line.strip_prefix("1 ").filter(|_| prioritised) {
        return rfc5424(rest, fields);
    }
    let (time, rest) = timed(line)?;
    put(&mut fields, "created_at", time);
    let (host, rest) = word(rest.strip_prefix(' ')?);
    let names = |c: char| c.is_ascii_alphanumeric() || "._-:@/".contains(c);
    if host.is_empty() || !host.chars().all(names) || host.ends_with(':') || host == "-" || is_level(host) {
        return None;
    }
    put(&mut fields, "host", host);
    let rest = rest.trim_start();
    let (has_pid, message) = match tag(rest.strip_prefix("-- ").unwrap_or(rest)) {
        Some((tag, message)) => (set_tag(&mut fields, tag), message),
        None => (false, rest),
    };
    // A time with its year is what other logs begin with, too.
    let classic = time.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    if !classic && !prioritised && !has_pid {
        return None;
    }
    put(&mut fields, "message", message);
    Some(fields)
}

/// `<34>` as a level.
fn priority(line: &str) -> Option<(&'static str, &str)> {
    let (number, rest) = line.strip_prefix('<')?.split_once('>')?;
    let number: u8 = number.parse().ok()?;
    let level = match number % 8 {
        0..=2 => "FATAL",
        3 => "ERROR",
        4 => "WARN",
        5 | 6 => "INFO",
        _ => "DEBUG",
    };
    Some((level, rest))
}

/// The program with its process, and the message: `sshd[42]: …`, `su(pam_unix)[42]: …`, `syslogd 1.4.1: …`.
fn tag(text: &str) -> Option<(&str, &str)> {
    let (first, rest) = word(text);
    if let Some(name) = first.strip_suffix(':') {
        return is_tag(name).then_some((name, rest));
    }
    if let Some((name, rest)) = text.split_once("]:").filter(|(name, _)| name.contains('[')) {
        // Names of processes may have spaces, but not many.
        return (name.split_whitespace().count() <= 3 && is_tag(&name.replace(' ', "_")))
            .then_some((name, rest));
    }
    let (version, rest) = word(rest.trim_start());
    let is = version.ends_with(':') && version.starts_with(|c: char| c.is_ascii_digit()) && is_tag(first);
    is.then_some((first, rest))
}

fn is_tag(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-/()[]@#+".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '(' || c == '_')
        && name.len() <= 100
        && name.chars().all(fits)
}

/// Whether there is a process's number.
fn set_tag(fields: &mut Fields, tag: &str) -> bool {
    let (name, pid) = tag.split_once('[').unwrap_or((tag, ""));
    let (program, module) = name.split_once('(').filter(|(name, _)| !name.is_empty()).unwrap_or((name, ""));
    put(fields, "service", program);
    put(fields, "module", module.trim_end_matches(')'));
    let pid = pid.trim_end_matches(']');
    put(fields, "pid", pid);
    !pid.is_empty()
}

/// After `<34>1 `: time, host, program, process, message's kind, structured data, message.
fn rfc5424(line: &str, mut fields: Fields) -> Option<Fields> {
    let mut rest = line;
    for name in ["created_at", "host", "service", "pid", "msgid"] {
        let (value, after) = word(rest);
        put(&mut fields, name, value);
        rest = after.trim_start();
    }
    timed(fields.get("created_at")?.as_str()?)?;
    let message = match rest.strip_prefix('-') {
        Some(message) => message,
        None => {
            while let Some((data, after)) = bracketed(rest) {
                let (name, pairs) = word(data);
                put(&mut fields, name, pairs);
                rest = after;
            }
            rest
        }
    };
    put(&mut fields, "message", message.trim_start().trim_start_matches('\u{feff}'));
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_of_many_daemons() {
        let fields = |line| json!(read(line).unwrap_or_else(|| panic!("{line}")));
        assert_eq!(
            fields("Mar  5 06:25:01 web-1 sshd[4242]: Accepted publickey for kim"),
            json!({"created_at": "Mar  5 06:25:01", "host": "web-1", "service": "sshd", "pid": "4242",
                "message": "Accepted publickey for kim"})
        );
        assert_eq!(
            fields("<11>Mar  5 06:25:01 web-1 su(pam_unix)[7]: session closed"),
            json!({"level": "ERROR", "created_at": "Mar  5 06:25:01", "host": "web-1", "service": "su",
                "module": "pam_unix", "pid": "7", "message": "session closed"})
        );
        assert_eq!(
            fields("<34>1 2026-03-05T06:25:01.5Z db pg 12 ID47 [a@1 b=\"c\"] up and [running]"),
            json!({"level": "FATAL", "created_at": "2026-03-05T06:25:01.5Z", "host": "db", "service": "pg", "pid": "12",
                "msgid": "ID47", "a@1": "b=\"c\"", "message": "up and [running]"})
        );
        assert_eq!(fields("Mar  5 06:25:01 web-1 syslogd 1.5.0: restart.")["service"], "syslogd");
        assert_eq!(
            fields("Mar  5 06:25:01 web-1 last message repeated 2 times")["message"],
            "last message repeated 2 times"
        );
        assert_eq!(fields("2026-03-05T06:25:01+09:00 web-1 cron[9]: job")["pid"], "9");
        for other in ["2026-03-05 06:25:01 INFO main: x", "2026-03-05T06:25:01Z api started: x", "Mar 5 what"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
