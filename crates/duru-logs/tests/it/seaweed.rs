//! A real S3 server of our own: SeaweedFS, from the packages of Python. Its conditional writes are atomic.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use duru_logs::BucketAddress;
use tempfile::TempDir;

use crate::pg_cluster::free_port;
use crate::tools;

const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const BUCKET: &str = "logs";
/// One that may do everything, and one that may only read.
const KEYS: &str = r#"{"identities":[{"name":"duru","credentials":[{"accessKey":"duru","secretKey":"duru-secret"}],
    "actions":["Admin","Read","Write","List","Tagging"]},
    {"name":"reader","credentials":[{"accessKey":"reader","secretKey":"reader-secret"}],"actions":["Read","List"]}]}"#;

/// It is killed when this is dropped: it ends slowly otherwise.
pub(crate) struct Seaweed {
    folder: TempDir,
    process: Option<Child>,
    pub(crate) s3: u16,
    filer: u16,
    ports: Vec<u16>,
}

impl Seaweed {
    /// With a bucket. None if it can't be had here.
    pub(crate) fn start() -> Option<Self> {
        let program = tools::python("seaweedfs", tools::SEAWEEDFS)?.with_file_name("weed");
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("keys.json"), KEYS).unwrap();
        let mut weed = Self { folder, process: None, s3: 0, filer: 0, ports: vec![] };
        // Somebody else may take a port before the server does.
        while !weed.serve(&program) {}
        Some(weed)
    }

    fn serve(&mut self, program: &Path) -> bool {
        let ports: Vec<u16> = (0..8).map(|_| free_port()).collect();
        (self.s3, self.filer) = (ports[0], ports[1]);
        let folder = self.folder.path().to_owned();
        let data: PathBuf = folder.join("data");
        drop(std::fs::remove_dir_all(&data));
        std::fs::create_dir(&data).unwrap();
        let mut command = Command::new(program);
        command.arg("server").arg(format!("-dir={}", data.display()));
        command.args(["-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-filer", "-s3", "-s3.iam=false"]);
        command.args(["-s3.port.iceberg=0", "-s3.port.lance=0", "-master.telemetry=false", "-volume.max=20"]);
        command.args(["-master.volumeSizeLimitMB=64", "-master.volumePreallocate=false"]);
        command.arg(format!("-s3.config={}", folder.join("keys.json").display()));
        let named = ["s3.port", "filer.port", "s3.port.grpc", "filer.port.grpc"];
        let more = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc"];
        for (name, port) in named.into_iter().chain(more).zip(&ports) {
            command.arg(format!("-{name}={port}"));
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let log = std::fs::File::create(folder.join("log")).unwrap();
        let mut process = command.stderr(log).spawn().unwrap();
        let give_up = Instant::now() + PATIENCE;
        while !self.made() {
            let log = || std::fs::read_to_string(folder.join("log")).unwrap_or_default();
            assert!(Instant::now() < give_up, "SeaweedFS does not start: {}", log());
            if process.try_wait().unwrap().is_some() {
                return false;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        (self.process, self.ports) = (Some(process), ports);
        true
    }

    /// Whether the bucket could be made, and the S3 port answers as one: somebody else's server may have taken it.
    fn made(&self) -> bool {
        let path = format!("/buckets/{BUCKET}/");
        self.filer("POST", &path).is_some_and(|status| matches!(status, 201 | 409))
            && Self::http(self.s3, "GET", "/").is_some()
    }

    fn filer(&self, method: &str, path: &str) -> Option<u16> {
        Self::http(self.filer, method, path)
    }

    fn http(port: u16, method: &str, path: &str) -> Option<u16> {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        answer.split(' ').nth(1)?.parse().ok()
    }

    /// Takes everything out of the bucket that is under the prefix.
    pub(crate) fn empty(&self, prefix: &str) {
        let path = format!("/buckets/{BUCKET}/{prefix}?recursive=true");
        assert_eq!(self.filer("DELETE", &path), Some(204));
    }

    pub(crate) fn address(&self, prefix: &str, more: &str) -> BucketAddress {
        address(self.s3, prefix, more)
    }
}

impl Drop for Seaweed {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
        // It has left these behind.
        for port in &self.ports {
            for part in ["s3", "filer", "s3-grpc", "filer-grpc", "master-grpc", "volume-grpc"] {
                drop(std::fs::remove_file(format!("/tmp/seaweedfs-{part}-{port}.sock")));
            }
        }
    }
}

pub(crate) fn text(port: u16, prefix: &str, more: &str) -> String {
    let keys = "access_key_id=duru&secret_access_key=duru-secret";
    format!("s3://{BUCKET}/{prefix}?endpoint=http://127.0.0.1:{port}&{keys}&{more}")
}

pub(crate) fn address(port: u16, prefix: &str, more: &str) -> BucketAddress {
    text(port, prefix, more).parse().unwrap()
}
