//! How fast lines are kept, and how fast questions are answered.
//!
//! `cargo run --release -p duru-logs --example bench_logs -- [rows] [folder]`

use std::path::PathBuf;
use std::time::{Duration, Instant};

use duru_logs::{EmbeddedLogs, Options};
use duru_sql::guard::Checked;
use duru_sql::{Asking, Batch, Level, Limits, LogStore, LogType, Record};
use jiff::Timestamp;
use serde_json::json;
use tokio_util::sync::CancellationToken;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// One question of each category.
const QUESTIONS: &[(&str, &str)] = &[
    (
        "filter",
        "SELECT id, created_at, level, service, message FROM logs WHERE service = 'svc-3' AND level >= 'ERROR' AND created_at > now() - INTERVAL '1 day' AND deleted = FALSE ORDER BY created_at DESC LIMIT 100",
    ),
    ("count", "SELECT count(*) FROM logs WHERE level = 'ERROR' AND deleted = FALSE"),
    (
        "group",
        "SELECT service, level, count(*) FROM logs WHERE deleted = FALSE GROUP BY service, level ORDER BY 1, 2",
    ),
    (
        "bucket",
        "SELECT date_trunc('hour', created_at) AS h, count(*) FROM logs WHERE deleted = FALSE GROUP BY 1 ORDER BY 1",
    ),
    (
        "rate",
        "SELECT service, round(100.0 * count(*) FILTER (WHERE level = 'ERROR') / nullif(count(*), 0), 2) AS r FROM logs WHERE deleted = FALSE GROUP BY service ORDER BY r DESC",
    ),
    (
        "latency",
        "SELECT path, avg(duration_ms) AS a, percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p FROM logs WHERE deleted = FALSE GROUP BY path ORDER BY a DESC LIMIT 10",
    ),
    (
        "journey",
        "SELECT id, created_at, service, message FROM logs WHERE trace_id = '0000000000000000000000000000002a' AND deleted = FALSE ORDER BY created_at",
    ),
    ("distinct", "SELECT count(DISTINCT user_id) FROM logs WHERE deleted = FALSE"),
    ("text", "SELECT count(*) FROM logs WHERE message ILIKE '%deadlock%' AND deleted = FALSE"),
    (
        "json",
        "SELECT metadata->>'client_ip' AS ip, count(*) FROM logs WHERE metadata->>'status_code' = '500' AND deleted = FALSE GROUP BY 1 ORDER BY 2 DESC LIMIT 5",
    ),
];

fn line(i: usize, now: Timestamp) -> Outcome<Record> {
    let mixed = i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let part = |shift: u32, n: usize| (mixed >> shift) % n;
    let created_at = Timestamp::from_microsecond(now.as_microsecond() - i64::try_from(i)? * 600_000)?;
    let level = Level::ALL[[1, 2, 2, 2, 2, 2, 3, 4][part(8, 8)]];
    let status = [200, 404, 500][part(12, 3)];
    let metadata = json!({ "status_code": status, "client_ip": format!("10.0.0.{}", part(16, 250)) });
    Ok(Record {
        id: None,
        created_at,
        level,
        log_type: LogType::Backend,
        service: format!("svc-{}", part(20, 12)),
        environment: "production".into(),
        service_version: format!("1.{}", part(24, 5)),
        trace_id: Some(format!("{:032x}", part(28, 200_000))),
        user_id: Some(format!("user_{}", part(32, 5_000))),
        session_id: Some(format!("sess_{}", part(36, 50_000))),
        error_type: (level >= Level::Error).then(|| "TimeoutError".to_owned()),
        message: format!(
            "request {i} handled in {} ms{}",
            part(40, 900),
            if part(44, 50) == 0 { ": deadlock detected" } else { "" }
        ),
        stack_trace: None,
        path: Some(format!("/api/v1/{}", part(48, 30))),
        method: Some("GET".into()),
        action_type: None,
        function_name: None,
        file_path: None,
        duration_us: i64::try_from(part(40, 900_000)).ok(),
        deleted: false,
        metadata: metadata.as_object().cloned(),
    })
}

fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM: unknown").to_owned()
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let rows: usize = arguments.next().map_or(Ok(1_000_000), |n| n.parse())?;
    let folder = arguments.next().map_or_else(|| std::env::temp_dir().join("duru-bench-logs"), PathBuf::from);
    let begun = Instant::now();
    let mut store = EmbeddedLogs::open(&folder, Options::default()).await?;
    println!("open: {:?}", begun.elapsed());
    let asking = Asking {
        timezone: "Asia/Seoul".into(),
        limits: Limits { time: Duration::from_secs(60), ..Limits::default() },
        cancel: CancellationToken::new(),
    };
    let count = Checked::trusted("SELECT count(*) FROM logs");
    if store.query(&count, &asking).await?.rows[0][0] == 0 {
        let now = Timestamp::now();
        let mut busy = Duration::ZERO;
        for from in (0..rows).step_by(1_000) {
            let records =
                (from..rows.min(from + 1_000)).map(|i| line(i, now)).collect::<Outcome<Vec<_>>>()?;
            let begun = Instant::now();
            store.append(Batch { key: Some(format!("{from}")), records }).await?;
            busy += begun.elapsed();
        }
        println!(
            "ingest: {rows} rows in {busy:?}, {:.0} rows/s acknowledged",
            rows as f64 / busy.as_secs_f64()
        );
        store.seal().await?;
        drop(store);
        let begun = Instant::now();
        store = EmbeddedLogs::open(&folder, Options::default()).await?;
        println!("open again: {:?}", begun.elapsed());
    }
    for (name, sql) in QUESTIONS {
        let mut times = Vec::new();
        for _ in 0..5 {
            times.push(store.query(&Checked::trusted(sql), &asking).await?.took);
        }
        times.sort();
        println!("{name:9} median {:?}, slowest {:?}", times[2], times[4]);
    }
    println!("{}", peak_memory());
    Ok(())
}
