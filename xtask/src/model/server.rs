//! The process that serves the model: one at a time, and known by a file in the cache folder.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

const SERVE: &str = include_str!("serve.py");
/// A gigabyte is read from a slow disk by then.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server that was started.
pub(super) struct Server {
    process: u32,
    port: u16,
}

impl Server {
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Whether it has the model and answers.
    fn is_ready(&self) -> bool {
        health(self.port).unwrap_or(false)
    }
}

fn health(port: u16) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    Ok(head.ends_with(b" 200"))
}

/// The server of an earlier call, if it still runs.
pub(super) fn running(folder: &Path) -> Result<Option<Server>> {
    let Ok(text) = std::fs::read_to_string(folder.join("server.json")) else { return Ok(None) };
    let kept: Value = serde_json::from_str(&text).context("server.json in the cache folder is not JSON")?;
    let number = |name: &str| kept[name].as_u64();
    let process = number("process").and_then(|n| u32::try_from(n).ok());
    let port = number("port").and_then(|n| u16::try_from(n).ok());
    let (Some(process), Some(port)) = (process, port) else { return Ok(None) };
    Ok(is_ours(process, folder)?.then_some(Server { process, port }))
}

/// Whether a process is one that this command started: after a restart, its number may be anybody's.
fn is_ours(process: u32, folder: &Path) -> Result<bool> {
    let script = folder.join("serve.py");
    let output = Command::new("ps")
        .args(["-ww", "-o", "args=", "-p", &process.to_string()])
        .stdin(Stdio::null())
        .output()
        .context("cannot start ps")?;
    Ok(String::from_utf8_lossy(&output.stdout).contains(&*script.to_string_lossy()))
}

pub(super) fn start(folder: &Path, python: &Path, model: &Path) -> Result<Server> {
    let script = folder.join("serve.py");
    std::fs::write(&script, SERVE)?;
    let log = folder.join("server.log");
    let said = std::fs::File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    // Whoever takes it in between keeps the server from starting, which is said.
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    let mut command = Command::new(python);
    command.arg(&script).arg(model).arg(port.to_string()).stdin(Stdio::null());
    command.stdout(said.try_clone()?).stderr(said);
    // What stops this command must not stop the server.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().context("cannot start Python")?;
    let server = Server { process: child.id(), port };
    let kept = json!({ "process": server.process, "port": port });
    std::fs::write(folder.join("server.json"), kept.to_string())?;
    match wait(&server, &mut child) {
        Ok(()) => Ok(server),
        Err(error) => {
            child.kill().ok();
            child.wait().ok();
            std::fs::remove_file(folder.join("server.json")).ok();
            Err(error.context(format!("see {}", log.display())))
        }
    }
}

fn wait(server: &Server, child: &mut Child) -> Result<()> {
    let started = Instant::now();
    while !server.is_ready() {
        if let Some(status) = child.try_wait()? {
            bail!("the server ended: {status}");
        }
        ensure!(started.elapsed() < PATIENCE, "the server was not ready after {} s", PATIENCE.as_secs());
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}

/// Stops the server, if there is one.
pub(super) fn stop(folder: &Path) -> Result<Option<Server>> {
    let Some(server) = running(folder)? else { return Ok(None) };
    let status =
        Command::new("kill").arg(server.process.to_string()).status().context("cannot start kill")?;
    ensure!(status.success(), "process {} can't be stopped", server.process);
    std::fs::remove_file(folder.join("server.json"))?;
    Ok(Some(server))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_of_somebody_else_is_not_taken_for_the_server() {
        let folder = std::env::temp_dir().join(format!("duru-xtask-model-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        assert!(running(&folder).unwrap().is_none(), "nothing was started");
        // This very process, which is no server.
        let kept = json!({ "process": std::process::id(), "port": 1 });
        std::fs::write(folder.join("server.json"), kept.to_string()).unwrap();
        assert!(running(&folder).unwrap().is_none());
        assert!(stop(&folder).unwrap().is_none());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
