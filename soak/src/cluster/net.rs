//! A network of our own: a bridge, and a namespace with one cable to it for each machine. All of it lies within a
//! namespace that the command itself runs in, so that nothing of it outlives the command.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tokio::sync::{Mutex, MutexGuard};

/// The first three numbers of every address.
const NETWORK: &str = "10.77.0";
const BRIDGE: &str = "duru";
/// No machine has it: what is sent there is lost in silence.
const NOWHERE: &str = "02:00:00:00:00:99";
/// A port without a listener: whoever gets something there counts it.
const DISCARD: u16 = 9;
/// How long a packet that arrives takes at most; the machine may be busy.
const ARRIVES: Duration = Duration::from_secs(3);
/// How long is waited for one that must not arrive.
const LOST: Duration = Duration::from_millis(250);

/// Where this process is in the network.
pub(super) fn address(number: u8) -> String {
    format!("{NETWORK}.{number}")
}

/// A machine: its namespace lives as long as a process that does nothing in it.
pub(super) struct Machine {
    pub(super) name: String,
    pub(super) address: String,
    number: u8,
    holder: Child,
    /// Held by whoever does something to its cable, or needs it as it is.
    cable: Mutex<()>,
}

/// The bridge, with this process at it as number 1.
pub(super) fn make_bridge() -> Result<()> {
    let links = output("ip", &["-o", "link", "show"])?;
    ensure!(links.lines().count() == 1, "this is no empty namespace:\n{links}");
    ip(&["link", "set", "lo", "up"])?;
    ip(&["link", "add", BRIDGE, "type", "bridge", "forward_delay", "0"])?;
    ip(&["address", "add", &format!("{}/24", address(1)), "dev", BRIDGE])?;
    ip(&["link", "set", BRIDGE, "up"])
}

impl Machine {
    pub(super) fn new(name: &str, number: u8) -> Result<Self> {
        let holder = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "unshare", "--net", "sleep", "infinity"])
            .stdin(Stdio::null())
            .spawn()
            .context("cannot start unshare")?;
        let machine =
            Self { name: name.to_owned(), address: address(number), number, holder, cable: Mutex::default() };
        machine.wait_for_the_namespace()?;
        let (cable, holder) = (machine.cable(), machine.holder.id().to_string());
        ip(&["link", "add", &cable, "type", "veth", "peer", "name", "eth0", "netns", &holder])?;
        ip(&["link", "set", &cable, "master", BRIDGE])?;
        ip(&["link", "set", &cable, "up"])?;
        machine.ip(&["link", "set", "lo", "up"])?;
        machine.ip(&["address", "add", &format!("{}/24", machine.address), "dev", "eth0"])?;
        machine.ip(&["link", "set", "eth0", "up"])?;
        Ok(machine)
    }

    fn wait_for_the_namespace(&self) -> Result<()> {
        let ours = std::fs::read_link("/proc/self/ns/net")?;
        let give_up = Instant::now() + Duration::from_secs(30);
        let there = self.proc("ns/net");
        while std::fs::read_link(&there).map_or(true, |theirs| theirs == ours) {
            ensure!(Instant::now() < give_up, "{} gets no namespace", self.name);
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Nobody else touches the cables of two machines until this is dropped; in one order, so that nobody waits
    /// for a circle.
    pub(super) async fn hold<'a>(&'a self, other: &'a Self) -> (MutexGuard<'a, ()>, MutexGuard<'a, ()>) {
        let (first, second) = if self.number < other.number { (self, other) } else { (other, self) };
        (first.cable.lock().await, second.cable.lock().await)
    }

    fn cable(&self) -> String {
        format!("cable{}", self.number)
    }

    fn proc(&self, what: &str) -> PathBuf {
        Path::new("/proc").join(self.holder.id().to_string()).join(what)
    }

    /// A command that runs on it; the program follows.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["--net", "--target", &self.holder.id().to_string(), "--"]);
        command.stdin(Stdio::null());
        command
    }

    fn ip(&self, words: &[&str]) -> Result<()> {
        let output = self.command().arg("ip").args(words).output().context("cannot start nsenter")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "ip {} at {}: {said}", words.join(" "), self.name);
        Ok(())
    }

    /// Pulls the cable out, or puts it in again.
    pub(super) fn set_link(&self, is_up: bool) -> Result<()> {
        ip(&["link", "set", &self.cable(), if is_up { "up" } else { "down" }])
    }

    /// What it sends to another one is lost, without a word to the sender; the other way is open.
    pub(super) fn cut_to(&self, other: &Self) -> Result<()> {
        self.ip(&[
            "neighbour",
            "replace",
            &other.address,
            "lladdr",
            NOWHERE,
            "dev",
            "eth0",
            "nud",
            "permanent",
        ])
    }

    pub(super) fn mend_to(&self, other: &Self) -> Result<()> {
        self.ip(&["neighbour", "del", &other.address, "dev", "eth0"])
    }

    /// Whether what it sends to another one arrives there.
    pub(super) async fn reaches(&self, other: &Self) -> Result<bool> {
        self.reaches_within(other, ARRIVES).await
    }

    /// The same, where it should not.
    pub(super) async fn still_reaches(&self, other: &Self) -> Result<bool> {
        self.reaches_within(other, LOST).await
    }

    async fn reaches_within(&self, other: &Self, patience: Duration) -> Result<bool> {
        let before = other.datagrams()?;
        let give_up = Instant::now() + patience;
        loop {
            let send = format!("echo > /dev/udp/{}/{DISCARD}", other.address);
            // That it can't even be sent is an answer, too.
            self.command().args(["bash", "-c", &send]).stderr(Stdio::null()).status()?;
            tokio::time::sleep(Duration::from_millis(20)).await;
            if other.datagrams()? > before {
                return Ok(true);
            }
            if Instant::now() > give_up {
                return Ok(false);
            }
        }
    }

    /// How many datagrams for ports without a listener arrived.
    fn datagrams(&self) -> Result<u64> {
        let counts = std::fs::read_to_string(self.proc("net/snmp"))?;
        let mut lines = counts.lines().filter_map(|line| line.strip_prefix("Udp: "));
        let (names, values) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let place =
            names.split(' ').position(|name| name == "NoPorts").context("no NoPorts in /proc/net/snmp")?;
        let value = values.split(' ').nth(place).context("no value of NoPorts")?;
        Ok(value.parse()?)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        drop(self.holder.kill());
        drop(self.holder.wait());
    }
}

fn ip(words: &[&str]) -> Result<()> {
    output("ip", words).map(drop)
}

fn output(program: &str, words: &[&str]) -> Result<String> {
    let output = Command::new(program).args(words).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot start {program}"))?;
    if !output.status.success() {
        bail!("{program} {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}
