//! `cargo xtask soak replicas [minutes]`

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::pg_cluster::{Server, programs};
use crate::replicas::{self, Plan};

/// Whether every promise was kept.
pub(crate) async fn run(words: &[String]) -> Result<bool> {
    let (mut minutes, mut servers, mut clients, mut databases) = (10.0_f64, 3, 12, 1);
    let mut program: Option<PathBuf> = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--program" => program = Some(value()?.into()),
            "--replicas" => servers = value()?.parse().context("--replicas")?,
            "--databases" => databases = value()?.parse().context("--databases")?,
            "--clients" => clients = value()?.parse().context("--clients")?,
            number => {
                minutes = number.parse().with_context(|| format!("{number:?} is no number of minutes"))?
            }
        }
    }
    let program = program.context("--program PATH: which `duru` to start")?;
    if programs().is_none() {
        bail!("there is no PostgreSQL 15 here");
    }
    let stop = Arc::new(AtomicBool::new(false));
    let stopping = Arc::clone(&stop);
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stopping.store(true, Ordering::SeqCst);
        }
    });
    let folder = tempfile::Builder::new().prefix("duru-replicas-").tempdir()?;
    let (data, database) = (folder.path().join("servers"), folder.path().join("database"));
    std::fs::create_dir(&data)?;
    std::fs::create_dir(&database)?;
    // The database's user must be able to come in.
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    let server = Server::start(&database);
    let (store, _others) = replicas::shards(&data, server.url(), databases)?;
    println!(
        "{servers} replicas of {}, {databases} databases, {clients} clients, {minutes} minutes",
        program.display()
    );
    let plan = Plan {
        program,
        store,
        database: server.url(),
        folder: data,
        replicas: servers,
        clients,
        time: Duration::try_from_secs_f64(minutes * 60.0)?,
        between: 2.0..5.0,
        stop,
    };
    let report = replicas::run(&plan).await;
    let kept = report.as_ref().map_or(true, |report| !report.is_well());
    if kept {
        println!("the logs of the servers are in {}", folder.keep().display());
    }
    let report = report?;
    println!("{report}");
    Ok(report.is_well())
}
