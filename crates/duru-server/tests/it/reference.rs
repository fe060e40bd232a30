//! The scripts hold the reference server to the same: a check that asks for
//! more than it does, or for something else, is a wrong check.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{pg_cluster, tools};

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
#[ignore = "gets the reference server, and takes minutes; see tests/clients/README.md"]
fn reference() {
    let read = |path: &str| std::fs::read_to_string(tools::scripts().join(path)).unwrap();
    let Some(server) = tools::python("reference", &read("reference/requirements.txt")) else { return };
    let Some(client) = tools::python("python", &read("python/requirements.txt")) else { return };

    // It writes into the folder that it is started in.
    let folder = TempDir::new().unwrap();
    for file in ["graph.py", "langgraph.json"] {
        std::fs::write(folder.path().join(file), read(&format!("reference/{file}"))).unwrap();
    }
    let port = pg_cluster::free_port();
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    let child = Command::new(server.with_file_name("langgraph"))
        .args(["dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--n-jobs-per-worker", "10"])
        .args(["--port", &port.to_string()])
        .env("LANGSMITH_TRACING", "false")
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap();
    let mut running = Running(child);
    let said = || std::fs::read_to_string(folder.path().join("log")).unwrap();
    let give_up = Instant::now() + crate::client::PATIENCE;
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = running.0.try_wait().unwrap();
        assert!(ended.is_none() && Instant::now() < give_up, "it does not start: {}", said());
        std::thread::sleep(Duration::from_millis(100));
    }

    let output = Command::new(client)
        .arg("-B")
        .arg(tools::scripts().join("python/run.py"))
        .args(["--url", &format!("http://127.0.0.1:{port}"), "--priority", "MS", "--reference"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let lines = String::from_utf8_lossy(&output.stdout);
    println!("{lines}{}", String::from_utf8_lossy(&output.stderr));
    let failed: Vec<&str> = lines.lines().filter(|line| line.starts_with("FAIL")).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(output.status.success(), "{}", output.status);
}
