//! The same questions asked of a bucket by one process alone and by several together, in turn.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use duru_logs::{BucketAddress, BucketLogs, Options, WorkerOptions};
use duru_sql::TableSource as _;
use serde_json::json;

use crate::ask::same;
use crate::data;
use crate::questions::QUESTIONS;
use crate::words::{Words, middle_and_worst};

const SECRET: &str = "of-one-measurement";

/// Ends with the measurement.
struct Worker {
    process: Child,
    address: String,
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

impl Worker {
    fn start(bucket: &str) -> Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .arg("work")
            .arg(format!("bucket={bucket}"))
            .stdout(Stdio::piped())
            .spawn()
            .context("a worker can't be started")?;
        let mut address = String::new();
        let output = process.stdout.take().context("a worker has no output")?;
        BufReader::new(output).read_line(&mut address)?;
        Ok(Self { process, address: address.trim().to_owned() })
    }
}

/// A process that works for another until it is killed.
pub(crate) async fn work(words: &Words) -> Result<()> {
    let store = open(words.must("bucket")?).await?;
    let listen = "127.0.0.1:0".parse()?;
    let address = store.work_together(WorkerOptions::new(Vec::new(), SECRET.into()), Some(listen)).await?;
    println!("{}", address.context("no address")?);
    std::future::pending().await
}

pub(crate) async fn run(words: &Words) -> Result<()> {
    let (bucket, rounds) = (words.must("bucket")?, words.number("rounds", 5)?);
    let others = words.number("others", 2)?;
    let workers = (0..others).map(|_| Worker::start(bucket)).collect::<Result<Vec<_>>>()?;
    let peers = workers.iter().map(|worker| worker.address.clone()).collect();
    let (alone, together) = (open(bucket).await?, open(bucket).await?);
    together.work_together(WorkerOptions::new(peers, SECRET.into()), None).await?;
    let guard = data::guard()?;
    let (mut all_alone, mut all_together) = (0.0, 0.0);
    for (category, sql) in QUESTIONS.iter().filter(|(_, sql)| !sql.contains('{')) {
        let query = guard.check(sql).map_err(|refusal| anyhow!("{sql}: {refusal:?}"))?;
        let (mut ones, mut threes) = (Vec::new(), Vec::new());
        // One more than counts: the first warms up.
        for round in 0..=rounds {
            let mut answers = Vec::new();
            for (store, times) in [(&alone, &mut ones), (&together, &mut threes)] {
                let begun = Instant::now();
                answers.push(store.query(&query, &data::asking()).await.with_context(|| (*sql).to_owned())?);
                times.extend((round > 0).then_some(begun.elapsed().as_secs_f64() * 1e3));
            }
            if !same(&answers[0], &answers[1]) {
                bail!("one and several differ: {sql}\n{:?}\n{:?}", answers[0].rows, answers[1].rows);
            }
        }
        let ((one, _), (several, _)) = (middle_and_worst(ones), middle_and_worst(threes));
        (all_alone, all_together) = (all_alone + one, all_together + several);
        println!(
            "{}",
            json!({
                "case": "together", "category": category, "sql": sql, "alone_ms": one, "together_ms": several,
                "together_over_alone": several / one,
            })
        );
    }
    let seen = together.workers().unwrap_or_default();
    println!(
        "{}",
        json!({
            "case": "together-all", "processes": others + 1, "alone_ms": all_alone, "together_ms": all_together,
            "together_over_alone": all_together / all_alone, "distributed": seen.distributed,
            "fallbacks": seen.fallbacks,
        })
    );
    Ok(())
}

async fn open(bucket: &str) -> Result<BucketLogs> {
    let address: BucketAddress = bucket.parse().map_err(|e| anyhow!("{e}"))?;
    Ok(BucketLogs::open(&address, Options::default()).await?)
}
