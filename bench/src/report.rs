//! One JSON line per measurement, with the fields that the scripts of the Python original print.

use serde_json::{Map, Value, json};

use crate::args::Args;
use crate::measure::{Lap, median, micros};

/// The steps or turns of the whole process, also those that warmed up: what a server did meanwhile was for all of them.
pub(crate) const PIECES: &str = "pieces_in_all";
/// More samples than this say nothing more.
const MOST_SAMPLES: usize = 50;

pub(crate) struct Report {
    pub(crate) bench: &'static str,
    pub(crate) implementation: &'static str,
    pub(crate) unit: &'static str,
    /// Wall time, in the unit.
    pub(crate) samples: Vec<f64>,
    pub(crate) extra: Vec<(&'static str, Value)>,
}

/// Wall and CPU microseconds per piece, of laps of so many pieces.
pub(crate) fn per_piece(laps: &[Lap], pieces: usize) -> (Vec<f64>, f64) {
    let pieces = pieces as f64;
    let wall = laps.iter().map(|lap| micros(lap.wall) / pieces).collect();
    // The mean over the window: single laps are too short for the CPU clock of a shared machine.
    let cpu = laps.iter().map(|lap| micros(lap.cpu)).sum::<f64>() / (laps.len() as f64 * pieces);
    (wall, round(cpu))
}

pub(crate) fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

impl Report {
    pub(crate) fn line(&self, args: &Args, contention: Value) -> Value {
        let least = self.samples.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.samples.iter().copied().fold(0.0, f64::max);
        let shown: Vec<f64> = self.samples.iter().take(MOST_SAMPLES).map(|sample| round(*sample)).collect();
        let line = json!({
            "bench": self.bench,
            "impl": self.implementation,
            "params": args.params(),
            "unit": self.unit,
            "runs": self.samples.len(),
            "median": round(median(self.samples.clone())),
            "min": round(least),
            "max": round(most),
            "samples": shown,
            "contention": contention,
            "versions": {"duru": env!("CARGO_PKG_VERSION")},
        });
        let mut line = if let Value::Object(line) = line { line } else { Map::new() };
        line.extend(self.extra.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        Value::Object(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn laps_are_divided_by_their_pieces() {
        let lap = |ms| Lap { wall: Duration::from_millis(ms), cpu: Duration::from_millis(ms / 2) };
        let (wall, cpu) = per_piece(&[lap(10), lap(30)], 1000);
        assert_eq!(wall, [10.0, 30.0]);
        assert_eq!(cpu, 10.0);
    }

    #[test]
    fn a_line_has_the_fields_of_the_python_scripts() {
        let report = Report {
            bench: "chain",
            implementation: "duru",
            unit: "us/superstep",
            samples: vec![3.0, 1.0, 2.0],
            extra: vec![("cpu_us_per_superstep", json!(1.5))],
        };
        let args = Args::parse(["steps=10".to_owned()]).unwrap();
        let line = report.line(&args, json!({"other_busy_cores": 0.1}));
        for field in
            ["bench", "impl", "params", "unit", "runs", "samples", "contention", "cpu_us_per_superstep"]
        {
            assert!(line.get(field).is_some(), "{field}");
        }
        assert_eq!((&line["median"], &line["min"], &line["max"]), (&json!(2.0), &json!(1.0), &json!(3.0)));
        assert_eq!(line["params"], json!({"steps": 10}));
    }
}
