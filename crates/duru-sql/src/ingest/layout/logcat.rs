//! Android's logcat: `03-15 10:00:00.123  1702  2395 D WindowManager: message`.

use super::{Fields, put, timed, word};

pub(super) fn read(line: &str) -> Option<Fields> {
    let (time, rest) = timed(line)?;
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    let (pid, rest) = word(rest.trim_start());
    let (thread, rest) = word(rest.trim_start());
    let (level, rest) = word(rest.trim_start());
    if !number(pid) || !number(thread) {
        return None;
    }
    let level = match level {
        "V" => "TRACE",
        "D" => "DEBUG",
        "I" => "INFO",
        "W" => "WARN",
        "E" => "ERROR",
        "F" | "A" => "FATAL",
        _ => return None,
    };
    let (tag, message) = rest.trim_start().split_once(':')?;
    let mut fields = Fields::new();
    put(&mut fields, "created_at", time);
    put(&mut fields, "log_type", "MOBILE");
    put(&mut fields, "level", level);
    put(&mut fields, "pid", pid);
    put(&mut fields, "thread", thread);
    put(&mut fields, "service", tag);
    put(&mut fields, "message", message);
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_of_a_telephone() {
        let fields = read("03-15 10:00:00.123  1702  2395 W AudioTrack: no buffer: 3").unwrap();
        let expected = json!({"created_at": "03-15 10:00:00.123", "log_type": "MOBILE", "level": "WARN", "pid": "1702",
            "thread": "2395", "service": "AudioTrack", "message": "no buffer: 3"});
        assert_eq!(json!(fields), expected);
        assert_eq!(read("2026-03-15 10:00:00 12 INFO a: b"), None);
    }
}
