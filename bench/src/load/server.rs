//! The server's process as the system sees it.

use anyhow::{Context, Result};

/// `/proc` counts in hundredths of a second on every Linux that matters here.
const TICKS_PER_SECOND: f64 = 100.0;

#[derive(Debug, Clone, Copy)]
pub(super) struct Server {
    pid: u32,
}

impl Server {
    pub(super) fn of(pid: u32) -> Self {
        Self { pid }
    }

    /// The CPU time that it has used, in seconds.
    pub(super) fn cpu_s(self) -> Result<f64> {
        let path = format!("/proc/{}/stat", self.pid);
        let stat = std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        cpu_ticks(&stat)
            .map(|ticks| ticks / TICKS_PER_SECOND)
            .with_context(|| format!("cannot understand {path}"))
    }

    /// `VmRSS`, what it holds, or `VmHWM`, the most that it has held, in MiB.
    pub(super) fn memory_mib(self, field: &str) -> Result<f64> {
        let path = format!("/proc/{}/status", self.pid);
        let status = std::fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        memory_mib(&status, field).with_context(|| format!("{path} does not tell {field}"))
    }
}

fn cpu_ticks(stat: &str) -> Option<f64> {
    // The name before it is in brackets and may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?)
}

fn memory_mib(status: &str, field: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name() {
        assert_eq!(cpu_ticks("42 (a) b) S 7 42 42 0 -1 4194560 900 0 0 0 30 12 5 1 20"), Some(42.0));
        assert_eq!(memory_mib("Name:\tx\nVmHWM:\t 4096 kB\nVmRSS:\t 2048 kB\n", "VmRSS"), Some(2.0));
        assert_eq!(memory_mib("Name:\tx\n", "VmRSS"), None);
    }
}
