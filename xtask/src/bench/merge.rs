//! Several processes' lines of one case and one implementation, as one line.

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

/// Fields that are about the samples; all other numbers become medians.
const OF_SAMPLES: [&str; 5] = ["runs", "median", "min", "max", "samples"];

pub(super) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some((values[low] + values[high]) / 2.0)
}

/// Each process is one sample, its median: processes of many short runs must not outweigh those of few long ones.
pub(super) fn merge(lines: &[Value]) -> Result<Value> {
    let last = lines.last().and_then(Value::as_object).context("nothing was measured")?;
    let mut merged = Map::new();
    for (key, value) in last {
        if !OF_SAMPLES.contains(&key.as_str()) {
            merged
                .insert(key.clone(), middle(lines.iter().filter_map(|line| line.get(key)).collect(), value));
        }
    }
    let field = |name: &str| lines.iter().filter_map(|line| line[name].as_f64()).collect::<Vec<f64>>();
    let samples = field("median");
    merged.insert("runs".into(), json!(samples.len()));
    merged.insert("median".into(), json!(median(samples.clone()).map(round)));
    merged.insert("min".into(), json!(field("min").into_iter().reduce(f64::min)));
    merged.insert("max".into(), json!(field("max").into_iter().reduce(f64::max)));
    merged.insert("samples".into(), json!(samples));
    Ok(Value::Object(merged))
}

/// The median of numbers, also inside objects; of everything else the last.
fn middle(values: Vec<&Value>, last: &Value) -> Value {
    match last {
        Value::Number(_) => {
            json!(median(values.iter().filter_map(|value| value.as_f64()).collect()).map(round))
        }
        Value::Object(fields) => {
            let each = |(key, last): (&String, &Value)| {
                (key.clone(), middle(values.iter().filter_map(|value| value.get(key)).collect(), last))
            };
            Value::Object(fields.iter().map(each).collect())
        }
        other => other.clone(),
    }
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![]), None);
    }

    #[test]
    fn lines_become_one() {
        let line = |median: f64, cpu: f64, busy: f64| {
            json!({"bench": "chain", "params": {"steps": 10}, "runs": 9, "median": median, "min": median - 1.0,
                   "max": median + 1.0, "samples": [median], "cpu_us": cpu, "contention": {"other_busy_cores": busy}})
        };
        let merged = merge(&[line(5.0, 2.0, 0.1), line(9.0, 4.0, 0.3), line(6.0, 3.0, 0.2)]).unwrap();
        assert_eq!(
            merged,
            json!({"bench": "chain", "params": {"steps": 10.0}, "runs": 3, "median": 6.0, "min": 4.0, "max": 10.0,
                   "samples": [5.0, 9.0, 6.0], "cpu_us": 3.0, "contention": {"other_busy_cores": 0.2}})
        );
        assert!(merge(&[]).is_err());
    }
}
