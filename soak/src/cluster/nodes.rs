//! What stands on the machines: PostgreSQL, NATS, an S3 server and replicas of `duru`; and how each is seen to be there.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use tokio::time::timeout;

use super::Setup;
use super::net::{Machine, make_bridge};
use super::process::{Process, User};
use crate::client::Client;
use crate::pg_cluster::{as_nobody, give_away, programs};

/// How long a part may take to be there again: the others it needs may be away meanwhile, and the machine busy.
const READY: Duration = Duration::from_secs(240);
const LOOK: Duration = Duration::from_millis(50);
/// One question whether somebody is there.
const ANSWER: Duration = Duration::from_secs(2);

pub(super) const REPLICAS: u8 = 3;
const NATS: u8 = 3;
const DATABASES: u8 = 2;
const PORT: u16 = 2024;
const BUCKET: &str = "logs";
const KEYS: &str = r#"{"identities":[{"name":"duru","credentials":[{"accessKey":"duru","secretKey":"duru-secret"}],
    "actions":["Admin","Read","Write","List","Tagging"]}]}"#;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Replica,
    Nats,
    Database,
    Bucket,
}

pub(super) struct Cluster {
    pub(super) replicas: Vec<Process>,
    pub(super) nats: Vec<Process>,
    pub(super) databases: Vec<Process>,
    /// None where logs are left out.
    pub(super) bucket: Vec<Process>,
    /// A machine that nothing is done to: it tells whether others can be reached.
    pub(super) witness: Arc<Machine>,
    pub(super) key: String,
}

impl Cluster {
    /// Makes the network and starts everything on it.
    pub(super) async fn start(setup: &Setup) -> Result<Self> {
        make_bridge()?;
        let witness = Arc::new(Machine::new("witness", 5)?);
        let mut databases = Vec::new();
        for number in 0..DATABASES {
            databases.push(database(setup, number)?);
        }
        let nats = (0..NATS).map(|number| nats(setup, number)).collect::<Result<Vec<_>>>()?;
        let bucket = setup.weed.iter().map(|weed| bucket(setup, weed)).collect::<Result<Vec<_>>>()?;
        std::fs::write(setup.shards(), shards(&databases))?;
        let replicas = (0..REPLICAS)
            .map(|number| replica(setup, number, (&databases, &nats, &bucket)))
            .collect::<Result<Vec<_>>>()?;
        let mut cluster = Self { replicas, nats, databases, bucket, witness, key: String::new() };
        let parts = [(Part::Database, &mut cluster.databases), (Part::Nats, &mut cluster.nats)];
        for (part, processes) in parts.into_iter().chain([(Part::Bucket, &mut cluster.bucket)]) {
            for process in processes.iter_mut() {
                process.start()?;
            }
            for process in processes {
                part.is_there(process).await?;
            }
        }
        cluster.key = cluster.made_key()?;
        // The first one makes the tables; the others come while it serves.
        for process in &mut cluster.replicas {
            process.start()?;
            Part::Replica.is_there(process).await?;
        }
        Ok(cluster)
    }

    /// What `duru` says to some words, with a replica's settings.
    pub(super) fn duru(&self, words: &[&str]) -> Result<Value> {
        let replica = &self.replicas[0];
        let mut command = Command::new(&replica.program);
        command.args(words).args(["--lang", "en", "--json"]).current_dir(&replica.folder);
        command.envs(replica.environment.iter().map(|(name, value)| (name, value)));
        let output = command.output().context("cannot start duru")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "duru {}: {}: {said}", words.join(" "), output.status);
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    fn made_key(&self) -> Result<String> {
        if self.bucket.is_empty() {
            // Somewhere the log lines must be that nobody sends.
            let url = database_url(&self.databases[0]);
            self.duru(&["logs", "init", &url])?;
        }
        let made = self.duru(&["keys", "add", "soak", "--scope", "ask,ingest,operate"])?;
        Ok(made["key"].as_str().with_context(|| format!("no key: {made}"))?.to_owned())
    }

    pub(super) fn addresses(&self) -> Vec<String> {
        self.replicas.iter().map(replica_address).collect()
    }
}

pub(super) fn replica_address(replica: &Process) -> String {
    format!("{}:{PORT}", replica.machine.address)
}

pub(super) fn database_url(database: &Process) -> String {
    format!("postgres://duru@{}:5432/postgres", database.machine.address)
}

impl Drop for Cluster {
    /// Removes what the S3 server leaves behind.
    fn drop(&mut self) {
        for port in first_port()..first_port() + 8 {
            for part in ["s3", "filer", "s3-grpc", "filer-grpc", "master-grpc", "volume-grpc"] {
                drop(std::fs::remove_file(format!("/tmp/seaweedfs-{part}-{port}.sock")));
            }
        }
    }
}

impl Part {
    /// Waits until it serves; who ends by itself is started again, as a supervisor does it.
    pub(super) async fn is_there(self, process: &mut Process) -> Result<()> {
        let give_up = Instant::now() + READY;
        while !self.answers(process).await {
            if process.has_ended()?.is_some() {
                process.start()?;
            }
            if Instant::now() > give_up {
                let log = std::fs::read_to_string(process.log()).unwrap_or_default();
                let last: Vec<&str> = log.lines().rev().take(20).collect();
                bail!("{} does not serve: {last:#?}", process.machine.name);
            }
            tokio::time::sleep(LOOK).await;
        }
        Ok(())
    }

    async fn answers(self, process: &Process) -> bool {
        let address = &process.machine.address;
        match self {
            Self::Replica => {
                let client = Client::new(replica_address(process));
                let asked = timeout(ANSWER, client.try_send("GET", "/ready", None)).await;
                matches!(asked, Ok(Ok(answer)) if answer.status == 200)
            }
            Self::Nats => {
                let connect = tokio::net::TcpStream::connect((address.as_str(), 4222));
                matches!(timeout(ANSWER, connect).await, Ok(Ok(_)))
            }
            Self::Database => {
                let programs = programs().unwrap_or(Path::new("/nowhere"));
                let mut command = tokio::process::Command::new(programs.join("pg_isready"));
                command.args(["-q", "-t", "2", "-h", address]);
                command.status().await.is_ok_and(|status| status.success())
            }
            Self::Bucket => {
                let address = address.clone();
                let made = move || {
                    let path = format!("/buckets/{BUCKET}/");
                    http(&address, first_port() + 1, "POST", &path)
                        .is_some_and(|status| matches!(status, 201 | 409))
                        && http(&address, first_port(), "GET", "/").is_some()
                };
                tokio::task::spawn_blocking(made).await.unwrap_or(false)
            }
        }
    }
}

fn folder(setup: &Setup, name: &str) -> Result<std::path::PathBuf> {
    let folder = setup.folder.join(name);
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn database(setup: &Setup, number: u8) -> Result<Process> {
    let name = format!("database-{number}");
    let machine = Arc::new(Machine::new(&name, 31 + number)?);
    let programs = programs().context("there is no PostgreSQL 15 here")?;
    let folder = folder(setup, &name)?;
    give_away(&folder);
    let data = folder.join("data");
    let made = as_nobody(&programs.join("initdb"))
        .args(["-U", "duru", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
        .arg(&data)
        .status()?;
    ensure!(made.success(), "initdb: {made}");
    std::fs::write(data.join("pg_hba.conf"), "host all all 10.77.0.0/24 trust\n")?;
    let listen = format!("listen_addresses={}", machine.address);
    let mut process = Process::new(machine, programs.join("postgres"), folder);
    process.user = User::Database;
    process.words = vec!["-D".to_owned(), data.display().to_string()];
    let usual = [&listen, "unix_socket_directories=", "max_connections=200", "shared_buffers=32MB"];
    let mut settings = usual.map(str::to_owned).to_vec();
    settings.extend(
        setup.broken.iter().flat_map(|broken| broken.settings()).map(|setting| (*setting).to_owned()),
    );
    for setting in settings {
        process.words.extend(["-c".to_owned(), setting]);
    }
    Ok(process)
}

fn nats(setup: &Setup, number: u8) -> Result<Process> {
    let name = format!("nats-{number}");
    let machine = Arc::new(Machine::new(&name, 21 + number)?);
    let at = |number: u8| super::net::address(21 + number);
    let routes: Vec<String> = (0..NATS).map(|number| format!("nats://{}:6222", at(number))).collect();
    let cluster = format!("nats://{}:6222", machine.address);
    let mut words = vec!["-a", &machine.address, "-p", "4222", "--name", &name, "--cluster_name", "duru"];
    let routes = routes.join(",");
    words.extend(["--cluster", &cluster, "--routes", &routes]);
    let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    let mut process = Process::new(machine, setup.nats.clone(), setup.folder.clone());
    process.words = words;
    Ok(process)
}

fn bucket(setup: &Setup, weed: &Path) -> Result<Process> {
    let machine = Arc::new(Machine::new("bucket", 41)?);
    let folder = folder(setup, "bucket")?;
    let (data, keys) = (folder.join("data"), folder.join("keys.json"));
    std::fs::create_dir_all(&data)?;
    std::fs::write(&keys, KEYS)?;
    let mut words = vec!["server".to_owned(), format!("-dir={}", data.display())];
    words.extend([format!("-ip={}", machine.address), format!("-ip.bind={}", machine.address)]);
    words.push(format!("-s3.config={}", keys.display()));
    let names = ["s3.port", "filer.port", "s3.port.grpc", "filer.port.grpc"];
    let more = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc"];
    let ports = names.into_iter().chain(more).zip(first_port()..);
    words.extend(ports.map(|(name, port)| format!("-{name}={port}")));
    let settings = ["-filer", "-s3", "-s3.iam=false", "-s3.port.iceberg=0", "-s3.port.lance=0"];
    // Each volume that was asked for and is late counts, too: on a busy machine there can't be too many.
    let more = ["-master.telemetry=false", "-master.volumeSizeLimitMB=64", "-master.volumePreallocate=false"];
    words.extend(settings.into_iter().chain(more).chain(["-volume.max=1000"]).map(str::to_owned));
    let mut process = Process::new(machine, weed.to_owned(), folder);
    process.words = words;
    Ok(process)
}

fn shards(databases: &[Process]) -> String {
    let mut text = "home = \"s0\"\n[shards]\n".to_owned();
    for (number, database) in databases.iter().enumerate() {
        text += &format!("s{number} = {:?}\n", database_url(database));
    }
    text
}

fn replica(
    setup: &Setup,
    number: u8,
    (databases, nats, bucket): (&[Process], &[Process], &[Process]),
) -> Result<Process> {
    let machine = Arc::new(Machine::new(&format!("replica-{number}"), 11 + number)?);
    let (data, home) = (folder(setup, "servers")?, database_url(&databases[0]));
    let hints: Vec<String> =
        nats.iter().map(|nats| format!("nats://{}:4222", nats.machine.address)).collect();
    let logs = bucket.first().map_or_else(
        || home.clone(),
        |bucket| {
            format!(
                "s3://{BUCKET}/soak?endpoint=http://{}:{}&access_key_id=duru&secret_access_key=duru-secret\
                 &ship=0&folder={}",
                bucket.machine.address,
                first_port(),
                data.join(format!("tail-{number}")).display()
            )
        },
    );
    let words = ["serve", "--lang", "en", "--host", &machine.address, "--port", "2024"].map(str::to_owned);
    let environment = [
        ("XDG_DATA_HOME", data.display().to_string()),
        ("XDG_CONFIG_HOME", data.join("config").display().to_string()),
        ("DURU_STORE", format!("shards:{}", setup.shards().display())),
        ("DURU_HINTS", hints.join(",")),
        ("DURU_LOGS", logs),
        ("DURU_DOCUMENTS", home),
        ("DURU_MODEL", "none".to_owned()),
        // Whoever comes through the balancer asks for the balancer.
        ("DURU_HOSTS", format!("127.0.0.1,{}", machine.address)),
        ("DURU_EXAMPLE_PACE_MS", "150".to_owned()),
    ];
    let mut process = Process::new(machine, setup.program.clone(), data);
    process.words = words.to_vec();
    process.environment = environment.map(|(name, value)| (name.to_owned(), value)).to_vec();
    Ok(process)
}

/// The first of the S3 server's ports. It names sockets in `/tmp` by them, where every command on this machine would
/// meet those of the others.
fn first_port() -> u16 {
    10_000 + (std::process::id() % 2_500) as u16 * 8
}

/// The status of an answer, if there is one.
fn http(address: &str, port: u16, method: &str, path: &str) -> Option<u16> {
    let mut stream = TcpStream::connect_timeout(&format!("{address}:{port}").parse().ok()?, ANSWER).ok()?;
    stream.set_read_timeout(Some(ANSWER)).ok()?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}
