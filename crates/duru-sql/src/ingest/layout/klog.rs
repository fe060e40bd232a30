//! klog and glog: `I0315 10:00:00.123456    1 server.go:42] message`.

use super::{Fields, put, timed, word};

pub(super) fn read(line: &str) -> Option<Fields> {
    let level = match line.as_bytes().first()? {
        b'I' => "INFO",
        b'W' => "WARN",
        b'E' => "ERROR",
        b'F' => "FATAL",
        _ => return None,
    };
    let (month, rest) = (line.get(1..3)?, line.get(3..)?);
    let (day, clock) = (rest.get(..2)?, rest.get(2..)?);
    let clock = clock.strip_prefix(' ')?;
    let (clock, rest) = clock.split_once(' ')?;
    let time = format!("{month}-{day} {clock}");
    timed(&time).filter(|(_, rest)| rest.is_empty())?;
    let (thread, rest) = word(rest.trim_start());
    let (place, message) = rest.trim_start().split_once("] ")?;
    place.rsplit_once(':').filter(|(_, line)| line.parse::<u32>().is_ok())?;
    let mut fields = Fields::new();
    put(&mut fields, "created_at", &time);
    put(&mut fields, "level", level);
    put(&mut fields, "thread", thread);
    put(&mut fields, "file", place);
    put(&mut fields, "message", message);
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_of_a_controller() {
        let fields = read("E0315 10:00:00.123456    1 reflector.go:138] failed to list: timeout").unwrap();
        let expected = json!({"created_at": "03-15 10:00:00.123456", "level": "ERROR", "thread": "1",
            "file": "reflector.go:138", "message": "failed to list: timeout"});
        assert_eq!(json!(fields), expected);
        assert_eq!(read("Error 10:00:00 what"), None);
    }
}
