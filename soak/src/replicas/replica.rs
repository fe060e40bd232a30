//! One server, killed and started again at the same port.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::Plan;
use crate::client::Client;
use crate::pg_cluster::free_port;

/// How long a server may take to be ready.
const READY: Duration = Duration::from_secs(60);

pub(super) struct Replica {
    number: usize,
    port: u16,
    child: Child,
    /// Runs that it settled, in all its lives, as far as anybody saw.
    pub(super) runs: u64,
}

impl Replica {
    pub(super) async fn start(plan: &Plan, number: usize) -> Result<Self> {
        let port = free_port();
        let child = spawn(plan, number, port)?;
        let mut replica = Self { number, port, child, runs: 0 };
        replica.is_ready(plan).await?;
        Ok(replica)
    }

    /// As `kill -9`, and at once a new one, as a supervisor does it.
    pub(super) async fn kill_and_restart(&mut self, plan: &Plan) -> Result<()> {
        self.count_runs().await;
        self.child.kill()?;
        self.child.wait()?;
        self.child = spawn(plan, self.number, self.port)?;
        self.is_ready(plan).await
    }

    /// Asks it how many runs it has settled in this life.
    pub(super) async fn count_runs(&mut self) {
        let Ok(answer) = Client::new(self.address()).try_send("GET", "/metrics", None).await else { return };
        let lines = answer.text.lines().filter(|line| line.starts_with("duru_runs_total{"));
        let counts = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        self.runs += counts.sum::<u64>();
    }

    pub(super) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    async fn is_ready(&mut self, plan: &Plan) -> Result<()> {
        let (client, give_up) = (Client::new(self.address()), Instant::now() + READY);
        loop {
            if let Ok(answer) = client.try_send("GET", "/ready", None).await
                && answer.status == 200
            {
                return Ok(());
            }
            if self.child.try_wait()?.is_some() || Instant::now() > give_up {
                let log = std::fs::read_to_string(plan.folder.join(format!("replica-{}.log", self.number)));
                bail!("replica {} does not serve: {}", self.number, log.unwrap_or_default());
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// As whoever deploys it does once.
pub(super) fn make_log_store(plan: &Plan) -> Result<()> {
    let made = Command::new(&plan.program)
        .args(["logs", "init", &plan.database, "--lang", "en"])
        .current_dir(&plan.folder)
        .env("XDG_DATA_HOME", &plan.folder)
        .env("XDG_CONFIG_HOME", plan.folder.join("config"))
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", plan.program.display()))?;
    ensure!(made.status.success(), "no log store: {}", String::from_utf8_lossy(&made.stderr));
    Ok(())
}

fn spawn(plan: &Plan, number: usize, port: u16) -> Result<Child> {
    let log = plan.folder.join(format!("replica-{number}.log"));
    let log = File::options().create(true).append(true).open(log)?;
    // Nothing is left behind if we are killed ourselves.
    let mut command = Command::new("setpriv");
    command
        .args(["--pdeathsig", "KILL"])
        .arg(&plan.program)
        .args(["serve", "--lang", "en", "--port", &port.to_string()])
        .current_dir(&plan.folder)
        .env("XDG_DATA_HOME", &plan.folder)
        .env("XDG_CONFIG_HOME", plan.folder.join("config"))
        // As the guide to deployment says: with several servers, all of it is in the database.
        .env("DURU_STORE", &plan.store)
        .env("DURU_LOGS", &plan.database)
        .env("DURU_DOCUMENTS", &plan.database)
        .env("DURU_MODEL", "none")
        // Whoever comes through the balancer asks for the balancer.
        .env("DURU_HOSTS", "127.0.0.1")
        .env("DURU_EXAMPLE_PACE_MS", "150")
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    command.spawn().with_context(|| format!("cannot start {}", plan.program.display()))
}
