//! Apache's error log: `[time] [module:level] [pid 1:tid 2] [client 10.0.0.1:80] message`.

use super::{Fields, bracketed, is_level, put, timed};

pub(super) fn read(line: &str) -> Option<Fields> {
    let (time, mut rest) = bracketed(line)?;
    timed(time).filter(|(_, rest)| rest.is_empty())?;
    let mut fields = Fields::new();
    put(&mut fields, "created_at", time);
    while let Some((inner, after)) = bracketed(rest.trim_start()) {
        let (name, value) = inner.split_once(' ').unwrap_or((inner, ""));
        match name {
            "pid" => {
                let (pid, thread) = value.split_once(":tid ").unwrap_or((value, ""));
                put(&mut fields, "pid", pid);
                put(&mut fields, "thread", thread);
            }
            "client" | "remote" => {
                let address = value.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
                put(&mut fields, "client_ip", address.map_or(value, |(address, _)| address));
            }
            _ if fields.contains_key("level") || !value.is_empty() => break,
            _ => {
                let (module, level) = inner.rsplit_once(':').unwrap_or(("", inner));
                let level = level.trim_end_matches(|c: char| c.is_ascii_digit());
                if !is_level(level) {
                    break;
                }
                put(&mut fields, "level", level);
                put(&mut fields, "module", module);
            }
        }
        rest = after;
    }
    // The brackets around the time are Apache's only together with those around the level.
    fields.contains_key("level").then_some(())?;
    put(&mut fields, "message", rest);
    Some(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn old_and_new_lines() {
        let old = read("[Sun Mar 15 10:00:00 2026] [notice] caught SIGTERM, shutting down").unwrap();
        let expected = json!({"created_at": "Sun Mar 15 10:00:00 2026", "level": "notice",
            "message": "caught SIGTERM, shutting down"});
        assert_eq!(json!(old), expected);
        let new = "[Sun Mar 15 10:00:00.123456 2026] [proxy:error] [pid 42:tid 7] [client 10.0.0.1:5123] AH01114: [a] down";
        let expected = json!({"created_at": "Sun Mar 15 10:00:00.123456 2026", "level": "error", "module": "proxy",
            "pid": "42", "thread": "7", "client_ip": "10.0.0.1", "message": "AH01114: [a] down"});
        assert_eq!(json!(read(new).unwrap()), expected);
        assert_eq!(read("[2026-03-15 10:00:00] production.ERROR: no"), None);
    }
}
