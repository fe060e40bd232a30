//! A process on a machine of ours: killed, stopped, set going again, started again.

use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::net::Machine;
use crate::pg_cluster::{as_nobody, is_root};

/// How long a process may take to do what a signal says: the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) struct Process {
    pub(super) machine: Arc<Machine>,
    /// The program, its words, and what its environment has besides.
    pub(super) program: PathBuf,
    pub(super) words: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    pub(super) folder: PathBuf,
    pub(super) user: User,
    child: Option<Child>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum User {
    /// Whoever runs the command.
    Ours,
    /// One whom PostgreSQL accepts.
    Database,
}

impl Process {
    pub(super) fn new(machine: Arc<Machine>, program: PathBuf, folder: PathBuf) -> Self {
        let (words, environment) = (Vec::new(), Vec::new());
        Self { machine, program, words, environment, folder, user: User::Ours, child: None }
    }

    /// Where what it says is written.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.join(format!("{}.log", self.machine.name))
    }

    pub(super) fn start(&mut self) -> Result<()> {
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = self.machine.command();
        match self.user {
            // It ends when this process does, whatever ends that.
            User::Ours => command.args(["setpriv", "--pdeathsig", "KILL", "--"]).arg(&self.program),
            User::Database => {
                let inner = as_nobody(&self.program);
                command.arg(inner.get_program()).args(inner.get_args())
            }
        };
        command.args(&self.words).current_dir(&self.folder);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        // Ctrl-C in a terminal is meant for the command.
        command.process_group(0).stdout(log.try_clone()?).stderr(log);
        let child = command.spawn().with_context(|| format!("cannot start {}", self.machine.name))?;
        self.child = Some(child);
        Ok(())
    }

    pub(super) fn id(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Why it ended by itself, if it did.
    pub(super) fn has_ended(&mut self) -> Result<Option<String>> {
        let Some(child) = &mut self.child else { return Ok(Some("it was not started".to_owned())) };
        Ok(child.try_wait()?.map(|status| status.to_string()))
    }

    /// Ends it by a signal; whether it was that which ended it.
    pub(super) async fn end_by(&mut self, signal: &str) -> Result<bool> {
        let Some(mut child) = self.child.take() else { return Ok(false) };
        if child.try_wait()?.is_some() {
            return Ok(false);
        }
        send(&child, signal)?;
        let give_up = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = child.try_wait()? {
                // PostgreSQL takes note of it and ends by itself.
                return Ok(status.signal() == Some(9) || signal == "QUIT");
            }
            ensure!(Instant::now() < give_up, "{} does not end by SIG{signal}", self.machine.name);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Stops it; whether it stands still.
    pub(super) async fn pause(&self) -> Result<bool> {
        let Some(child) = &self.child else { return Ok(false) };
        send(child, "STOP")?;
        self.is_in("T").await
    }

    /// Sets it going again; whether it goes.
    pub(super) async fn go_on(&self) -> Result<bool> {
        let Some(child) = &self.child else { return Ok(false) };
        send(child, "CONT")?;
        self.is_in("SRDI").await
    }

    pub(super) fn is_paused(&self) -> Result<bool> {
        Ok(self.state()? == Some('T'))
    }

    fn state(&self) -> Result<Option<char>> {
        let Some(id) = self.id() else { return Ok(None) };
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat"))?;
        // Behind the program's name, which may hold anything.
        Ok(stat.rsplit(") ").next().and_then(|rest| rest.chars().next()))
    }

    async fn is_in(&self, states: &str) -> Result<bool> {
        let give_up = Instant::now() + PATIENCE;
        loop {
            if self.state()?.is_some_and(|state| states.contains(state)) {
                return Ok(true);
            }
            if Instant::now() > give_up {
                return Ok(false);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        if self.user == User::Database && is_root() {
            // Its children, too, which keep its memory.
            drop(send(&child, "QUIT"));
        } else {
            drop(child.kill());
        }
        drop(child.wait());
    }
}

fn send(child: &Child, signal: &str) -> Result<()> {
    let status = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status()?;
    ensure!(status.success(), "kill -{signal} {}: {status}", child.id());
    Ok(())
}
