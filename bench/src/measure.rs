//! Time, CPU time, memory, and who else was using the machine.

use std::time::{Duration, Instant};

use anyhow::Result;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// What a piece of work took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lap {
    pub(crate) wall: Duration,
    /// Of all threads of this process.
    pub(crate) cpu: Duration,
}

pub(crate) struct Watch {
    wall: Instant,
    cpu: Duration,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self { cpu: cpu(), wall: Instant::now() }
    }

    pub(crate) fn lap(&self) -> Lap {
        let wall = self.wall.elapsed();
        Lap { wall, cpu: cpu().saturating_sub(self.cpu) }
    }
}

fn cpu() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// How long to go on measuring.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    cpu: Duration,
    wall: Duration,
}

impl Window {
    pub(crate) fn of_cpu_ms(ms: u64) -> Self {
        let cpu = Duration::from_millis(ms);
        // What waits for a disk uses little CPU time: it is measured six times as long, not for ever.
        Self { cpu, wall: cpu * 6 }
    }

    /// Repeats the work until the window is full; the first time warms up and is not counted.
    pub(crate) fn fill(self, mut work: impl FnMut() -> Result<Lap>) -> Result<Vec<Lap>> {
        work()?;
        let (mut laps, mut cpu, mut wall) = (Vec::new(), Duration::ZERO, Duration::ZERO);
        while laps.is_empty() || (cpu < self.cpu && wall < self.wall) {
            let lap = work()?;
            cpu += lap.cpu;
            wall += lap.wall;
            laps.push(lap);
        }
        Ok(laps)
    }
}

pub(crate) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().saturating_sub(1) / 2, values.len() / 2);
    match (values.get(low), values.get(high)) {
        (Some(low), Some(high)) => (low + high) / 2.0,
        _ => f64::NAN,
    }
}

/// A line of `/proc/self/status`, in MiB; none where there is no such file.
pub(crate) fn memory_mib(field: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
}

/// How many cores other processes kept busy meanwhile.
pub(crate) struct Contention {
    watch: Watch,
    busy: Option<f64>,
}

impl Contention {
    pub(crate) fn start() -> Self {
        Self { watch: Watch::start(), busy: machine_busy_ticks() }
    }

    pub(crate) fn end(&self) -> Value {
        let lap = self.watch.lap();
        let wall = lap.wall.as_secs_f64();
        let busy =
            self.busy.zip(machine_busy_ticks()).map(|(before, after)| (after - before) / TICKS_PER_SECOND);
        json!({
            "other_busy_cores": busy.map(|busy| round((busy - lap.cpu.as_secs_f64()).max(0.0) / wall)),
            "own_cpu_share": round(lap.cpu.as_secs_f64() / wall),
            "ncpu": std::thread::available_parallelism().map_or(0, usize::from),
        })
    }
}

/// `/proc` counts in hundredths of a second on every Linux that matters here.
const TICKS_PER_SECOND: f64 = 100.0;

fn machine_busy_ticks() -> Option<f64> {
    busy_ticks(&std::fs::read_to_string("/proc/stat").ok()?)
}

fn busy_ticks(stat: &str) -> Option<f64> {
    let fields: Vec<f64> = stat
        .lines()
        .next()?
        .split_whitespace()
        .skip(1)
        .take(8)
        .map_while(|field| field.parse().ok())
        .collect();
    // The fourth and fifth are idle and waiting for a disk.
    (fields.len() == 8).then(|| fields.iter().sum::<f64>() - fields[3] - fields[4])
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(vec![]).is_nan());
    }

    #[test]
    fn idle_and_waiting_are_not_busy() {
        assert_eq!(busy_ticks("cpu  10 1 5 1000 200 2 3 4 0 0\ncpu0 1\n"), Some(25.0));
        assert_eq!(busy_ticks("cpu  10 1\n"), None);
    }

    #[test]
    fn a_window_is_filled_after_a_warm_up() {
        let lap = Lap { wall: Duration::from_millis(10), cpu: Duration::from_millis(5) };
        let mut calls = 0;
        let count = |calls: &mut i32| {
            *calls += 1;
            Ok(lap)
        };
        assert_eq!(Window::of_cpu_ms(20).fill(|| count(&mut calls)).unwrap().len(), 4);
        assert_eq!(calls, 5);
        assert_eq!(Window::of_cpu_ms(0).fill(|| Ok(lap)).unwrap().len(), 1);
    }
}
