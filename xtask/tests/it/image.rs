//! The image of `cargo xtask dist`: built by buildah, taken apart, and its program started in it.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{debian, packaging, pg_server, printed, told};

/// With the libraries that a new machine has not, and none of the programs that would start containers.
const BUILDAH: [&str; 4] = ["buildah", "libassuan0", "libdevmapper1.02.1", "libgpgme11"];

/// A program like any in Rust, linked to the C library and to that of the compiler.
const STAND_IN: &str = r#"
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |at: usize| args.get(at).map_or("", String::as_str);
    match arg(0) {
        "--version" => println!("duru VERSION"),
        "man" => {
            std::fs::create_dir_all(arg(4)).unwrap();
            std::fs::write(format!("{}/duru.1", arg(4)), ".TH duru 1").unwrap();
        }
        "completions" => println!("for {}", arg(1)),
        "localhost" => println!("{:?}", std::net::ToSocketAddrs::to_socket_addrs("localhost:1").unwrap().next()),
        other => std::fs::write(other, "written").unwrap(),
    }
}
"#;

struct Desk {
    folder: TempDir,
    /// A folder with `buildah` alone.
    buildah: PathBuf,
}

impl Desk {
    fn new() -> Option<Self> {
        let root = debian::unpacked("buildah", &BUILDAH)?;
        let folder = tempfile::tempdir().unwrap();
        let (bin, home) = (folder.path().join("bin"), folder.path().join("home"));
        let policy = home.join(".config/containers/policy.json");
        std::fs::create_dir(&bin).unwrap();
        std::fs::create_dir_all(policy.parent().unwrap()).unwrap();
        std::fs::write(policy, r#"{"default": [{"type": "insecureAcceptAnything"}]}"#).unwrap();
        let script = format!(
            "#!/bin/sh\nexport HOME='{}' LD_LIBRARY_PATH=\"$(echo '{root}'/usr/lib/*-linux-gnu):$(echo '{root}'/lib/*-linux-gnu)\"\n\
             exec '{root}/usr/bin/buildah' \"$@\"\n",
            home.display(),
            root = root.display()
        );
        let draft = folder.path().join("draft");
        std::fs::write(&draft, script).unwrap();
        // By another process: the system starts nothing that somebody still has open for writing.
        printed(Command::new("install").args(["-m", "755"]).arg(&draft).arg(bin.join("buildah")));
        Some(Self { folder, buildah: bin })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn program(&self) -> PathBuf {
        let (source, program) = (self.path("duru.rs"), self.path("duru"));
        std::fs::write(&source, STAND_IN.replace("VERSION", env!("CARGO_PKG_VERSION"))).unwrap();
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        printed(Command::new(rustc).args(["--edition", "2024", "-o"]).args([&program, &source]));
        program
    }

    /// What `cargo xtask dist` says. A new machine knows no packages yet, an old one those of a while ago.
    fn dist(&self, words: &[&str]) -> String {
        let said = printed(&mut self.xtask(words));
        if !said.contains("`apt-get update` may help") {
            return said;
        }
        printed(Command::new("apt-get").args(["update", "-q"]));
        printed(&mut self.xtask(words))
    }

    fn xtask(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let path = std::env::var("PATH").unwrap();
        command.arg("dist").args(words).env("PATH", format!("{}:{path}", self.buildah.display()));
        command.env("SOURCE_DATE_EPOCH", "1700000000");
        command
    }

    /// The image that `cargo xtask dist` makes.
    fn make(&self, program: &Path, out: &str) -> PathBuf {
        let out = self.path(out);
        let words = ["--program", program.to_str().unwrap(), "--out", out.to_str().unwrap()];
        let said = self.dist(&words);
        assert!(!said.contains("NOT made"), "{said}");
        out.join(format!("duru-{}-oci.tar", env!("CARGO_PKG_VERSION")))
    }

    fn buildah(&self, words: &[&str]) -> String {
        let mut command = Command::new(self.buildah.join("buildah"));
        command.arg("--root").arg(self.path("root")).arg("--runroot").arg(self.path("run"));
        printed(command.args(["--storage-driver", "vfs"]).args(words)).trim().to_owned()
    }
}

#[test]
fn the_image_is_what_the_dockerfile_says_and_its_program_starts_in_it() {
    let Some(desk) = Desk::new() else { return };
    let program = desk.program();
    let image = desk.make(&program, "one");
    let again = desk.make(&program, "two");
    assert!(
        std::fs::read(&image).unwrap() == std::fs::read(again).unwrap(),
        "made twice it is not the same twice"
    );

    // As Docker loads it, and as a layout of OCI.
    let tag = format!("localhost/duru:{}", env!("CARGO_PKG_VERSION"));
    desk.buildah(&["pull", "--quiet", &format!("docker-archive:{}", image.display())]);
    assert!(desk.buildah(&["images"]).contains("localhost/duru"));
    desk.buildah(&["rmi", &tag]);
    let container = desk.buildah(&["from", &format!("oci-archive:{}", image.display())]);
    let about: Value = serde_json::from_str(&desk.buildah(&["inspect", &container])).unwrap();
    check_config(&about["OCIv1"]);
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        return pg_server::skip("only root may look inside");
    }
    let root = PathBuf::from(desk.buildah(&["mount", &container]));
    check_files(&root);
    check_program(&root);
    check_health(&root);
}

/// What packaging/Dockerfile says.
fn check_config(image: &Value) {
    let config = &image["config"];
    assert_eq!(config["User"], "10001");
    assert_eq!((&config["Entrypoint"], &config["Cmd"]), (&json!(["duru"]), &json!(["serve"])));
    assert_eq!(config["ExposedPorts"], json!({"2024/tcp": {}}));
    assert_eq!(config["Volumes"], json!({"/data": {}}));
    let settings = config["Env"].as_array().unwrap();
    for setting in ["XDG_DATA_HOME=/data", "DURU_HOST=0.0.0.0", "DURU_LOG_FORMAT=json"] {
        assert!(settings.contains(&Value::from(setting)), "{settings:?}");
    }
    let labels = &config["Labels"];
    assert_eq!(labels["org.opencontainers.image.title"], "Duru");
    assert_eq!(labels["org.opencontainers.image.licenses"], "MIT OR Apache-2.0");
    assert_eq!(labels["org.opencontainers.image.version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(image["created"], "2023-11-14T22:13:20Z");
    // The system by itself, so that a new program is not a new system.
    assert_eq!(image["rootfs"]["diff_ids"].as_array().unwrap().len(), 2);
}

fn check_files(root: &Path) {
    let mode = |path: &str| {
        let file = std::fs::metadata(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        (file.uid(), file.gid(), file.mode() & 0o7777)
    };
    assert_eq!(mode("data"), (10001, 10001, 0o700));
    assert_eq!(mode("data/duru"), (10001, 10001, 0o700));
    assert_eq!(mode("usr/local/bin/duru"), (0, 0, 0o755));
    assert_eq!(mode("tmp"), (0, 0, 0o1777));
    for path in ["etc/ssl/certs/ca-certificates.crt", "etc/nsswitch.conf", "etc/passwd", "usr/lib/os-release"]
    {
        assert_eq!(mode(path), (0, 0, 0o644), "{path}");
    }
    let bundle = std::fs::read_to_string(root.join("etc/ssl/certs/ca-certificates.crt")).unwrap();
    let (begun, ended) = ("-----BEGIN CERTIFICATE-----\n", "-----END CERTIFICATE-----\n");
    assert!(
        bundle.matches(begun).count() > 100 && bundle.matches(begun).count() == bundle.matches(ended).count()
    );
    // Nobody becomes root by it, and what everybody may write are folders where nobody removes what is another's.
    let found = |what: &[&str]| printed(Command::new("find").arg(root).args(what));
    assert_eq!(found(&["-type", "f", "-perm", "/6000"]), "");
    assert_eq!(found(&["!", "-type", "l", "-perm", "-0002", "!", "-perm", "-1000"]), "");
    // Scanners find what is installed there.
    let status = std::fs::read_to_string(root.join("var/lib/dpkg/status.d/libc6")).unwrap();
    assert!(status.contains("Package: libc6\n") && status.contains("\nVersion: "), "{status}");
}

/// A command in the image, by its user, with the settings of nobody.
fn inside(root: &Path, words: &[&str]) -> Command {
    let mut command = Command::new("chroot");
    command.arg("--userspec=10001:10001").arg(root).args(words).env_clear();
    command.env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    command
}

fn check_program(root: &Path) {
    let version = format!("duru {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(printed(&mut inside(root, &["duru", "--version"])), version);
    assert_eq!(printed(&mut inside(root, &["sh", "-c", "duru --version"])), version);
    printed(&mut inside(root, &["duru", "/data/duru/file"]));
    assert!(!told(&mut inside(root, &["duru", "/file"])).0, "it may write where it should not");
    // Names are read from /etc/hosts, which whoever starts a container puts there.
    std::fs::write(root.join("etc/hosts"), "127.1.2.3 localhost\n").unwrap();
    assert_eq!(printed(&mut inside(root, &["duru", "localhost"])), "Some(127.1.2.3:1)\n");
}

/// The probe of packaging/Dockerfile says yes and no.
fn check_health(root: &Path) {
    let file = std::fs::read_to_string(packaging("Dockerfile")).unwrap();
    let line = file.lines().find(|line| line.starts_with("HEALTHCHECK ")).unwrap();
    let words: Vec<String> = serde_json::from_str(line.split_once(" CMD ").unwrap().1).unwrap();
    for (status, is_well) in [("200 OK", true), ("503 Service Unavailable", false)] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let answering = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = Vec::new();
            while !asked.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                asked.push(byte[0]);
            }
            write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
            String::from_utf8(asked).unwrap()
        });
        let words: Vec<String> = words.iter().map(|word| word.replace("2024", &port)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(told(&mut inside(root, &words)).0, is_well, "{status}");
        assert!(answering.join().unwrap().starts_with("GET /ready HTTP/1.1\r\n"));
    }
}

/// A program that cannot start on this system's libraries gets no image, and everything else is made.
#[test]
fn a_program_for_a_newer_system_gets_no_image() {
    let Some(desk) = Desk::new() else { return };
    let program = desk.path("newer");
    let text = format!(
        "#!/bin/sh\ncase $1 in --version) echo duru {} ;; man) mkdir -p \"$5\"; echo .TH >\"$5/duru.1\" ;; esac\nexit 0\n",
        env!("CARGO_PKG_VERSION")
    );
    let draft = desk.path("draft-of-it");
    std::fs::write(&draft, [text.as_bytes(), b"\0GLIBC_2.99\0"].concat()).unwrap();
    printed(Command::new("install").args(["-m", "755"]).args([&draft, &program]));
    let out = desk.path("out");
    let words = ["--program", program.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let said = desk.dist(&words);
    assert!(said.contains("NOT made: the image: the program needs glibc 2.99"), "{said}");
    assert!(out.join("install.sh").exists() && out.join("SHA256SUMS").exists());
}
