//! Several servers on one database behind a plain TCP balancer, one of which is killed every few seconds while
//! clients work. Nobody may lose an event or see one twice. The test of the command includes this folder, too.

mod along;
pub(crate) mod balancer;
pub(crate) mod load;
mod replica;
mod report;

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::Value;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::pg_cluster::Server;
use balancer::Balancer;
use load::Story;
use replica::Replica;
pub(crate) use report::Report;

pub(crate) struct Plan {
    /// The built `duru`.
    pub(crate) program: PathBuf,
    /// Where threads are: the URL of a database, or `shards:` and a file that names several.
    pub(crate) store: String,
    /// The URL of the database that has everything else.
    pub(crate) database: String,
    /// What the servers share besides it: the file of what was published.
    pub(crate) folder: PathBuf,
    pub(crate) replicas: usize,
    pub(crate) clients: usize,
    pub(crate) time: Duration,
    /// Seconds between two kills.
    pub(crate) between: Range<f64>,
    /// Ends it early.
    pub(crate) stop: Arc<AtomicBool>,
}

/// Where threads are if they are in so many databases: that of the URL and others, which are started here.
pub(crate) fn shards(folder: &Path, url: String, databases: usize) -> Result<(String, Vec<Server>)> {
    let mut others = Vec::new();
    if databases < 2 {
        return Ok((url, others));
    }
    let mut text = format!("home = \"s0\"\n[shards]\ns0 = {url:?}\n");
    for number in 1..databases {
        let place = folder.with_file_name(format!("database-{number}"));
        std::fs::create_dir(&place)?;
        let server = Server::start(&place);
        text += &format!("s{number} = {:?}\n", server.url());
        others.push(server);
    }
    let file = folder.join("shards.toml");
    std::fs::write(&file, text)?;
    Ok((format!("shards:{}", file.display()), others))
}

/// Kills and works until the time is over, then looks at what is left.
pub(crate) async fn run(plan: &Plan) -> Result<Report> {
    replica::make_log_store(plan)?;
    // The first one makes the other tables; the others come while it serves.
    let mut replicas = vec![Replica::start(plan, 0).await?];
    for number in 1..plan.replicas {
        replicas.push(Replica::start(plan, number).await?);
    }
    let balancer = Balancer::start(replicas.iter().map(Replica::address).collect()).await?;
    let client = Client::new(balancer.address.clone());
    let began = Instant::now();
    let until = began + plan.time;
    let mut clients = JoinSet::new();
    for number in 0..plan.clients {
        let (client, stop) = (client.clone(), Arc::clone(&plan.stop));
        clients.spawn(async move {
            let mut stories: Vec<Result<Story>> = Vec::new();
            while Instant::now() < until && !stop.load(Ordering::SeqCst) {
                stories.push(load::story(&client, number, stories.len()).await);
            }
            stories
        });
    }
    let mut kills = 0;
    while Instant::now() < until && !plan.stop.load(Ordering::SeqCst) {
        let pause = plan.between.start + fastrand::f64() * (plan.between.end - plan.between.start);
        tokio::time::sleep(
            Duration::from_secs_f64(pause).min(until.saturating_duration_since(Instant::now())),
        )
        .await;
        let one = fastrand::usize(..replicas.len());
        replicas[one].kill_and_restart(plan).await?;
        kills += 1;
    }
    let mut report = Report { kills, replicas: plan.replicas, ..Report::default() };
    let threads = report.gather(&mut clients).await?;
    report.took = began.elapsed();
    for replica in &mut replicas {
        replica.count_runs().await;
    }
    report.runs_by_replica = replicas.iter().map(|replica| replica.runs).collect();
    report.connections = balancer.connections();
    audit(&plan.folder, &client, &threads, &mut report).await?;
    Ok(report)
}

/// After the storm: every thread has its end, and every article was published once.
pub(crate) async fn audit(
    folder: &Path,
    client: &Client,
    threads: &[String],
    report: &mut Report,
) -> Result<()> {
    for thread in threads {
        let answer = client.try_send("GET", &format!("/threads/{thread}/state"), None).await?;
        let state: Value = serde_json::from_str(&answer.text)?;
        let values = &state["values"];
        let is_whole = values["verdict"] == "publish"
            && values["round"] == 1
            && values["remarks"].as_array().is_some_and(|remarks| remarks.len() == 3);
        if !is_whole {
            report.wrong(format!("the state of {thread} is not what it should be: {values}"));
        }
    }
    let file = folder.join("duru").join("threads.published.jsonl");
    let mut published: HashMap<String, u64> = HashMap::new();
    for line in std::fs::read_to_string(&file).unwrap_or_default().lines() {
        let line: Value = serde_json::from_str(line).unwrap_or(Value::Null);
        *published.entry(line["key"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    report.effects = published.values().sum();
    report.doubled_effects = published.values().filter(|count| **count > 1).count() as u64;
    if published.len() < threads.len() {
        report.wrong(format!("{} threads, but {} articles were published", threads.len(), published.len()));
    }
    Ok(())
}
