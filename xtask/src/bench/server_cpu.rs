//! What a PostgreSQL server used while somebody measured: the same server for both sides, so it is told apart from
//! their own CPU time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::postgres::Server;

/// The server's CPU time per step or turn, in microseconds.
pub(super) const FIELD: &str = "server_cpu_us";
/// A connection's process ends a moment after its client.
const MOMENT: Duration = Duration::from_millis(200);
/// `/proc` counts in hundredths of a second on every Linux that matters here.
const TICKS_PER_SECOND: f64 = 100.0;

/// Runs something that prints lines, and adds to each what the server used meanwhile. `pieces` is how many steps or
/// turns it had the server do, if the lines do not say.
pub(super) fn beside(
    server: &Server,
    pieces: f64,
    run: impl FnOnce() -> Result<Vec<Value>>,
) -> Result<Vec<Value>> {
    let pid = server.pid().context("PostgreSQL has ended")?;
    let (mut lines, seconds, wall) = meanwhile(pid, run)?;
    for line in &mut lines {
        add(line, seconds, wall, pieces);
    }
    Ok(lines)
}

/// Runs something that measures a process itself, and does not let it take that for a stranger.
pub(super) fn known(pid: u32, run: impl FnOnce() -> Result<Vec<Value>>) -> Result<Vec<Value>> {
    let (mut lines, seconds, wall) = meanwhile(pid, run)?;
    for line in &mut lines {
        no_stranger(line, seconds, wall);
    }
    Ok(lines)
}

/// The lines, and how many seconds a process and its children used of how many.
fn meanwhile(pid: u32, run: impl FnOnce() -> Result<Vec<Value>>) -> Result<(Vec<Value>, f64, f64)> {
    let (before, start) = (used(pid)?, Instant::now());
    let lines = run()?;
    let wall = start.elapsed().as_secs_f64();
    std::thread::sleep(MOMENT);
    Ok((lines, (used(pid)? - before) / TICKS_PER_SECOND, wall))
}

fn add(line: &mut Value, seconds: f64, wall: f64, pieces: f64) {
    let pieces = line["pieces_in_all"].as_f64().unwrap_or(pieces);
    line[FIELD] = json!((seconds * 1e6 / pieces * 10.0).round() / 10.0);
    no_stranger(line, seconds, wall);
}

/// Whoever measured counted the server among the others.
fn no_stranger(line: &mut Value, seconds: f64, wall: f64) {
    if let Some(others) = line["contention"]["other_busy_cores"].as_f64() {
        let others = (others - seconds / wall).max(0.0);
        line["contention"]["other_busy_cores"] = json!((others * 100.0).round() / 100.0);
    }
}

/// Ticks of the process, of its children, and of those it had before.
fn used(parent: u32) -> Result<f64> {
    let mut ticks = 0.0;
    for entry in std::fs::read_dir("/proc").context("there is no /proc here")? {
        let name = entry?.file_name();
        let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        // It may have ended since it was listed.
        let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { continue };
        let Some(found) = Stat::parse(&stat) else { continue };
        if pid == parent {
            ticks += found.own + found.children_that_ended;
        } else if found.parent == parent {
            ticks += found.own;
        }
    }
    Ok(ticks)
}

#[derive(Debug, PartialEq)]
struct Stat {
    parent: u32,
    own: f64,
    children_that_ended: f64,
}

impl Stat {
    fn parse(stat: &str) -> Option<Self> {
        // The name before it is in brackets and may hold anything.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            own: ticks(11)? + ticks(12)?,
            children_that_ended: ticks(13)? + ticks(14)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name() {
        let stat = "42 (a) b) S 7 42 42 0 -1 4194560 900 0 0 0 30 12 5 1 20 0 1 0 100 1000 50";
        assert_eq!(Stat::parse(stat), Some(Stat { parent: 7, own: 42.0, children_that_ended: 6.0 }));
        assert_eq!(Stat::parse("42 (a) S"), None);
        assert_eq!(Stat::parse(""), None);
    }

    #[test]
    fn we_use_something_ourselves() {
        assert!(used(std::process::id()).unwrap() >= 0.0);
    }

    #[test]
    fn the_server_is_no_stranger_and_works_for_every_step() {
        let mut line = json!({"pieces_in_all": 2000, "contention": {"other_busy_cores": 0.75}});
        add(&mut line, 0.5, 1.0, 1.0);
        assert_eq!(line[FIELD], json!(250.0));
        assert_eq!(line["contention"]["other_busy_cores"], json!(0.25));
        let mut line = json!({});
        add(&mut line, 0.5, 1.0, 1000.0);
        assert_eq!(line[FIELD], json!(500.0));
    }
}
