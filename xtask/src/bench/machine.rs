//! What the figures were measured on.

/// One line: the processor and the system, as far as this system tells.
pub(super) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{} ({cores} cores), {} {}\n",
        processor(&info).unwrap_or("unknown processor"),
        std::env::consts::OS,
        kernel.trim()
    )
}

fn processor(info: &str) -> Option<&str> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_the_first_ones_model() {
        assert_eq!(processor("processor\t: 0\nmodel name\t: A B\nmodel name\t: C\n"), Some("A B"));
        assert_eq!(processor(""), None);
    }
}
