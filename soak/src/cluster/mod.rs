//! `cargo xtask soak cluster [minutes]`: replicas, NATS, databases and an S3 server, each on a machine of its own in a
//! network of our own, to all of which things happen while clients work.

mod audit;
mod faults;
mod logs;
mod net;
mod nodes;
mod options;
mod process;
mod report;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::client::Client;
use crate::replicas::balancer::Balancer;
use crate::replicas::load::{self, Story};
use crate::replicas::{self, Report};
use faults::Storm;
use logs::LogReport;
use nodes::Cluster;
use options::{Broken, Options};
use report::ClusterReport;

/// In so many minutes each kind of fault must have happened once at least.
const EACH: f64 = 3.0;
/// How long the replicas may take to be whole again after the storm.
const WHOLE: Duration = Duration::from_secs(240);

/// What the cluster is made of.
struct Setup {
    program: PathBuf,
    nats: PathBuf,
    weed: Option<PathBuf>,
    folder: PathBuf,
    broken: Option<Broken>,
}

impl Setup {
    fn shards(&self) -> PathBuf {
        self.folder.join("shards.toml")
    }
}

/// Whether every promise was kept.
pub(crate) async fn run(words: &[String]) -> Result<bool> {
    let options = Options::parse(words)?;
    let Some(nats) = options.nats.clone() else {
        options::go_inside(words, &options)?;
        return Ok(false);
    };
    let folder = tempfile::Builder::new().prefix("duru-cluster-").tempdir()?;
    // The databases' user must be able to come in.
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let setup = Setup {
        program: options.program.clone(),
        nats,
        weed: options.weed.clone(),
        folder: folder.path().to_owned(),
        broken: options.broken,
    };
    println!(
        "{} replicas of {}, {} clients, {} minutes, seed {}{}",
        nodes::REPLICAS,
        options.program.display(),
        options.clients,
        options.minutes,
        options.seed,
        if options.logs { "" } else { ", without logs" }
    );
    let report = storm(&setup, &options).await;
    if report.as_ref().map_or(true, |report| !report.is_well()) {
        println!("the logs of all processes are in {}", folder.keep().display());
    }
    let report = report?;
    println!("{report}");
    Ok(report.is_well())
}

async fn storm(setup: &Setup, options: &Options) -> Result<ClusterReport> {
    let mut cluster = Cluster::start(setup).await?;
    let balancer = Balancer::start(cluster.addresses()).await?;
    let client = Client::with_key(balancer.address.clone(), &cluster.key);
    let (stop, calm) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let stopping = Arc::clone(&stop);
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stopping.store(true, Ordering::SeqCst);
        }
    });
    let began = Instant::now();
    let mut clients = JoinSet::new();
    for number in 0..options.clients {
        clients.spawn(write_articles(client.clone(), number, Arc::clone(&calm)));
    }
    let mut shippers = JoinSet::new();
    for (number, address) in cluster.addresses().into_iter().enumerate().filter(|_| options.logs) {
        let client = Client::with_key(address, &cluster.key);
        shippers.spawn(logs::send(client, number, Arc::clone(&calm)));
    }
    let until = began + Duration::try_from_secs_f64(options.minutes * 60.0)?;
    let counts = Storm { until, stop, seed: options.seed }.rage(&mut cluster).await?;
    calm.store(true, Ordering::SeqCst);

    let mut load = Report { replicas: cluster.replicas.len(), ..Report::default() };
    let threads = load.gather(&mut clients).await?;
    let mut sent = Vec::new();
    while let Some(told) = shippers.join_next().await {
        sent.push(told.context("a shipper panicked")?);
    }
    load.took = began.elapsed();
    for address in cluster.addresses() {
        is_whole(&Client::new(address)).await?;
    }
    replicas::audit(&setup.folder.join("servers"), &client, &threads, &mut load).await?;
    let (rows, found) = audit::rows(&cluster, &threads).await?;
    let logs = if options.logs { Some(LogReport::of(&cluster, sent)?) } else { None };
    let least = ((options.minutes / EACH) as u64).max(1);
    Ok(ClusterReport { load, counts, least, rows, found, logs })
}

/// One article after the other, until all is calm.
async fn write_articles(client: Client, number: usize, calm: Arc<AtomicBool>) -> Vec<Result<Story>> {
    let mut stories = Vec::new();
    while !calm.load(Ordering::SeqCst) {
        stories.push(load::story(&client, number, stories.len()).await);
    }
    stories
}

/// Waits until a replica says that it has all it needs.
async fn is_whole(client: &Client) -> Result<()> {
    let give_up = Instant::now() + WHOLE;
    loop {
        let asked = timeout(Duration::from_secs(5), client.try_send("GET", "/ready", None)).await;
        if let Ok(Ok(answer)) = &asked
            && answer.status == 200
            && !answer.text.contains("\"degraded\":true")
        {
            return Ok(());
        }
        ensure!(Instant::now() < give_up, "{} does not get whole again: {asked:?}", client.address());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
