//! The conductor: rounds of all scenarios in turn until the time is over.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::audit::Findings;
use crate::defective::Defect;
use crate::faults::Faults;
use crate::pg_cluster::{Server, programs};
use crate::place::Place;
use crate::round::Round;
use crate::scenario::{Fault, SCENARIOS, Scenario};
use crate::totals::Totals;

pub(crate) struct Options {
    time: Duration,
    /// How long the faults of a round last.
    round: Duration,
    /// How long a worker lives at most.
    life_ms: u64,
    /// How long the rest may take after that.
    finish: Duration,
    threads: usize,
    seed: u64,
    only: Option<String>,
    /// A store with a defect, to see the audit fail.
    broken: Option<String>,
}

impl Options {
    pub(crate) fn parse(words: &[String]) -> Result<Self> {
        let mut options = Self {
            time: Duration::from_secs(600),
            round: Duration::from_secs(8),
            life_ms: 2000,
            finish: Duration::from_secs(60),
            threads: 200,
            seed: fastrand::u64(..),
            only: None,
            broken: None,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--round-seconds" => options.round = seconds(value()?, 1.0)?,
                "--life-ms" => options.life_ms = value()?.parse().context("--life-ms")?,
                "--finish-seconds" => options.finish = seconds(value()?, 1.0)?,
                "--threads" => options.threads = value()?.parse().context("--threads")?,
                "--seed" => options.seed = value()?.parse().context("--seed")?,
                "--only" => options.only = Some(value()?.clone()),
                "--broken" => options.broken = Some(value()?.clone()),
                minutes => options.time = seconds(minutes, 60.0)?,
            }
        }
        let known: Vec<&str> =
            ["hasty", "unfenced"].into_iter().chain(Defect::ALL.map(Defect::as_str)).collect();
        if options.broken.as_deref().is_some_and(|how| !known.contains(&how)) {
            bail!("--broken is one of {}", known.join(", "));
        }
        if options.scenarios().is_empty() {
            let names: Vec<&str> = SCENARIOS.iter().map(|scenario| scenario.name).collect();
            bail!("there is no such scenario; there are: {}", names.join(", "));
        }
        Ok(options)
    }

    fn scenarios(&self) -> Vec<Scenario> {
        let wanted = |scenario: &&Scenario| self.only.as_deref().is_none_or(|only| only == scenario.name);
        SCENARIOS.iter().filter(wanted).copied().collect()
    }
}

fn seconds(word: &str, each: f64) -> Result<Duration> {
    let number: f64 = word.parse().with_context(|| format!("{word:?} is no number"))?;
    Duration::try_from_secs_f64(number * each).with_context(|| format!("{word} is no time"))
}

struct Conductor {
    options: Options,
    folder: PathBuf,
    server: Option<Server>,
    stop: Arc<AtomicBool>,
}

/// Whether every invariant held.
pub(crate) async fn run(options: Options) -> Result<bool> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopping = Arc::clone(&stop);
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stopping.store(true, Ordering::SeqCst);
        }
    });
    let mut scenarios = options.scenarios();
    let folder = tempfile::Builder::new().prefix("duru-soak-").tempdir()?.keep();
    let mut server = None;
    if scenarios.iter().any(|scenario| scenario.postgres) {
        if programs().is_some() {
            server = Some(start_server(&folder)?);
        } else {
            println!("*** there is no PostgreSQL 15 here: its scenarios are SKIPPED ***");
            scenarios.retain(|scenario| !scenario.postgres);
        }
    }
    println!("seed {}, in {}", options.seed, folder.display());
    let (began, time) = (Instant::now(), options.time);
    let mut conductor = Conductor { options, folder, server, stop };
    let mut totals = Totals::default();
    let mut failed = None;
    for (number, scenario) in scenarios.iter().cycle().enumerate() {
        if began.elapsed() >= time || conductor.stop.load(Ordering::SeqCst) {
            break;
        }
        match conductor.round(number, scenario, &totals).await {
            Ok(Some(findings)) => totals.add(scenario, findings),
            Ok(None) => break,
            // What was found so far is worth a table, too.
            Err(error) => {
                failed = Some(error.context(format!("round {number}, {}", scenario.name)));
                break;
            }
        }
        totals.elapsed = began.elapsed();
        println!(
            "{:>5.0} s  {} rounds, {} deaths{}",
            totals.elapsed.as_secs_f64(),
            totals.rounds(),
            totals.deaths(),
            if totals.is_broken() { "  *** BROKEN ***" } else { "" }
        );
    }
    drop(conductor.server.take());
    println!("\n{totals}");
    if let Some(error) = failed {
        return Err(error.context(format!("see {}", conductor.folder.display())));
    }
    if totals.is_broken() {
        println!("\nan invariant is broken; the evidence is in {}", conductor.folder.display());
        return Ok(false);
    }
    drop(std::fs::remove_dir_all(&conductor.folder));
    if totals.rounds() == 0 {
        println!("\nno round counted: no fault fired, or no work was done");
        return Ok(false);
    }
    Ok(true)
}

fn start_server(folder: &Path) -> Result<Server> {
    let data = folder.join("postgres");
    std::fs::create_dir(&data)?;
    // Its user must be able to reach it.
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))?;
    Ok(Server::start(&data))
}

impl Conductor {
    /// One round, with its findings printed; none if it was interrupted.
    async fn round(
        &mut self,
        number: usize,
        scenario: &Scenario,
        totals: &Totals,
    ) -> Result<Option<Findings>> {
        let folder = self.folder.join(format!("{number:04}-{}", scenario.name));
        std::fs::create_dir(&folder)?;
        let mut faults = Faults::new(scenario.fault);
        let (place, audit_at) = self.places(number, scenario, &folder, &mut faults).await;
        let round = Round {
            scenario: *scenario,
            place,
            audit_at: audit_at.clone(),
            folder: &folder,
            seed: self.options.seed.wrapping_add(number as u64),
            // Several owners are to meet at the same threads.
            threads: (self.options.threads / scenario.owners.pow(2)).max(5),
            length: self.options.round,
            life_ms: self.options.life_ms.max(20),
            finish: self.options.finish,
            stop: Arc::clone(&self.stop),
        };
        let Some(findings) = round.run(&mut faults, self.server.as_mut(), totals).await? else {
            return Ok(None);
        };
        let (p, f) = (scenario.name, &findings);
        print!("{number:>4} {p:<16} {:>4} deaths {:>4} faults {:>6} commits", f.deaths, f.faults, f.commits);
        println!(" {:>5} steps {:>4} turns", f.steps, f.turns);
        if findings.is_broken() {
            std::fs::write(folder.join("findings"), findings.told.join("\n"))?;
            findings.told.iter().take(5).for_each(|line| println!("  {line}"));
        } else {
            std::fs::remove_dir_all(&folder)?;
            self.forget(&audit_at).await?;
        }
        Ok(Some(findings))
    }

    /// Where the workers keep their threads, and where the audit looks for them.
    async fn places(
        &self,
        number: usize,
        scenario: &Scenario,
        folder: &Path,
        faults: &mut Faults,
    ) -> (Place, Place) {
        let Some(server) = self.server.as_ref().filter(|_| scenario.postgres) else {
            let path = folder.join("threads.db");
            let place = match self.options.broken.as_deref() {
                Some("hasty") => Place::Hasty(path.clone()),
                Some("unfenced") => Place::Unfenced(path.clone()),
                how => match Defect::ALL.into_iter().find(|defect| Some(defect.as_str()) == how) {
                    Some(defect) => Place::Defective(defect, path.clone()),
                    None => Place::Sqlite(path.clone()),
                },
            };
            return (place, Place::Sqlite(path));
        };
        let schema = format!("round_{number}");
        let direct = Place::Postgres { url: server.url(), schema: schema.clone() };
        if scenario.fault == Fault::Cut {
            let url = faults.stand_between(&server.url()).await;
            return (Place::Postgres { url, schema }, direct);
        }
        (direct.clone(), direct)
    }

    /// Removes what a good round left in the database.
    async fn forget(&self, place: &Place) -> Result<()> {
        let Place::Postgres { url, schema } = place else { return Ok(()) };
        let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
        let connection = tokio::spawn(connection);
        client.batch_execute(&format!("DROP SCHEMA {schema} CASCADE")).await?;
        drop(client);
        drop(connection.await);
        Ok(())
    }
}
