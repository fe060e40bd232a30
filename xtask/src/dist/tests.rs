//! Everything is made from a script that stands in for the program, and used as a user would.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use super::release::Release;
use super::{folder, make};

const STAND_IN: &str = r##"#!/bin/sh
case $1 in
    --version) echo "duru VERSION" ;;
    man) mkdir -p "$5" && echo ".TH duru 1 $3" >"$5/duru.1" && echo ".TH duru-ask 1 $3" >"$5/duru-ask.1" ;;
    completions) echo "# for $2" ;;
    *) echo "asked: $*" ;;
esac
"##;

struct Desk {
    folder: TempDir,
    release: Release,
}

impl Desk {
    fn new() -> Self {
        let mut release = Release::read().unwrap();
        release.epoch = 1_700_000_000;
        Self { folder: tempfile::tempdir().unwrap(), release }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A script that can be started. Another process writes it: one that is started meanwhile by another test would
    /// inherit the open file, and the system starts nothing that is open for writing.
    fn script(&self, name: &str, text: &str) -> PathBuf {
        let (draft, script) = (self.path("draft"), self.path(name));
        std::fs::write(&draft, text).unwrap();
        succeed(Command::new("install").args(["-m", "755"]).args([&draft, &script]));
        script
    }

    fn program(&self) -> PathBuf {
        self.script("duru", &STAND_IN.replace("VERSION", &self.release.version))
    }

    /// Makes everything, without an image.
    fn make(&self, out: &str) -> PathBuf {
        let out = self.path(out);
        make(&self.release, &self.program(), &out, Path::new("no-buildah-here")).unwrap();
        out
    }
}

fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn succeed(command: &mut Command) -> String {
    let output = output(command);
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn sums(out: &Path) -> String {
    std::fs::read_to_string(out.join(folder::SUMS)).unwrap()
}

#[test]
fn made_twice_it_is_the_same_twice() {
    let desk = Desk::new();
    let (one, other) = (desk.make("one"), desk.make("other"));
    assert_eq!(sums(&one), sums(&other));
    // Again in the same place: what was there is replaced.
    desk.make("one");
    assert_eq!(sums(&one), sums(&other));
    let listed: Vec<String> = sums(&one).lines().map(|line| line[66..].to_owned()).collect();
    let mut there: Vec<String> = std::fs::read_dir(&one)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != folder::SUMS)
        .collect();
    there.sort();
    assert_eq!(listed, there, "every file has a sum");
    succeed(Command::new("sha256sum").args(["--check", "--strict", folder::SUMS]).current_dir(&one));
}

#[test]
fn the_archives_hold_what_is_needed() {
    let desk = Desk::new();
    let out = desk.make("out");
    let name = desk.release.name();
    let packed = out.join(format!("{name}.tar.gz"));
    let listed =
        succeed(Command::new("tar").args(["--numeric-owner", "-tvzf"]).arg(&packed).env("TZ", "UTC"));
    assert!(
        listed.lines().all(|line| line.contains(" 0/0 ") && line.contains("2023-11-14 22:13")),
        "{listed}"
    );
    for path in [
        "duru",
        "duru.service",
        "README.md",
        "LICENSE-MIT",
        "man/man1/duru.1",
        "man/man1/duru-ask.1",
        "man/ko/man1/duru.1",
        "completions/duru.bash",
        "completions/_duru",
        "completions/duru.fish",
    ] {
        assert!(listed.contains(&format!(" {name}/{path}\n")), "{path}: {listed}");
    }
    succeed(Command::new("tar").arg("-xzf").arg(&packed).current_dir(&out));
    assert_eq!(succeed(Command::new(out.join(&name).join("duru")).arg("ask")), "asked: ask\n");
}

#[test]
fn both_archives_are_the_same_inside() {
    let desk = Desk::new();
    let out = desk.make("out");
    let read = |kind: &str| std::fs::read(out.join(format!("{}.tar.{kind}", desk.release.name()))).unwrap();
    let mut plain = Vec::new();
    std::io::copy(&mut flate2::read::GzDecoder::new(&read("gz")[..]), &mut plain).unwrap();
    assert!(zstd::decode_all(&read("zst")[..]).unwrap() == plain);
}

#[test]
fn debian_accepts_the_package() {
    let desk = Desk::new();
    let out = desk.make("out");
    let Some(architecture) = super::deb::architecture(&desk.release.target) else {
        return eprintln!("*** skipped: {} is not one of Debian's ***", desk.release.target);
    };
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        return eprintln!("*** skipped: there is no dpkg-deb here, so the Debian package is NOT checked ***");
    }
    let package = out.join(super::deb::name(&desk.release, architecture));
    let dpkg = |arg: &str| succeed(Command::new("dpkg-deb").arg(arg).arg(&package).env("TZ", "UTC"));

    let about = dpkg("--info");
    assert!(
        about.contains("Package: duru") && about.contains(&format!("Architecture: {architecture}")),
        "{about}"
    );
    let listed = dpkg("--contents");
    assert!(
        listed.lines().all(|line| line.contains(" root/root ") && line.contains("2023-11-14")),
        "{listed}"
    );
    for path in ["lib/systemd/system/duru.service", "share/man/ko/man1/duru.1.gz", "share/doc/duru/copyright"]
    {
        assert!(listed.contains(&format!(" ./usr/{path}\n")), "{path}: {listed}");
    }

    let root = desk.path("root");
    succeed(Command::new("dpkg-deb").arg("--raw-extract").args([&package, &root]));
    assert_eq!(succeed(Command::new(root.join("usr/bin/duru")).arg("serve")), "asked: serve\n");
    let unit = std::fs::read_to_string(root.join("usr/lib/systemd/system/duru.service")).unwrap();
    assert!(unit.contains("ExecStart=/usr/bin/duru serve") && !unit.contains("/usr/local"), "{unit}");
    succeed(Command::new("md5sum").args(["--check", "--strict", "DEBIAN/md5sums"]).current_dir(&root));
}

#[test]
fn the_list_of_parts_has_what_the_lock_file_has() {
    let desk = Desk::new();
    let bom: Value = serde_json::from_slice(&super::sbom::make(&desk.release).unwrap()).unwrap();
    let parts = bom["components"].as_array().unwrap();
    let has = |name: &str| parts.iter().any(|part| part["name"] == name);
    assert!(has("clap") && has("duru-server"), "what the program is built from");
    assert!(!has("trybuild") && !has("xtask"), "what only tests and tools need");
    let lock = desk.release.file("Cargo.lock").unwrap();
    for part in parts {
        let (name, version) = (part["name"].as_str().unwrap(), part["version"].as_str().unwrap());
        assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n")), "{part}");
        assert!(part["licenses"][0].is_object(), "no licence: {part}");
    }
    assert!(!bom.to_string().contains("file://"), "paths of this machine");
}

fn install(out: &Path, home: &Path) -> Output {
    output(Command::new("sh").arg(out.join("install.sh")).env("HOME", home))
}

#[test]
fn the_script_installs_what_it_has_checked() {
    let desk = Desk::new();
    let (out, home) = (desk.make("a folder"), desk.path("a home"));
    let done = install(&out, &home);
    assert!(done.status.success(), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("to PATH"), "{done:?}");
    assert_eq!(succeed(Command::new(home.join(".local/bin/duru")).arg("ask")), "asked: ask\n");
    // Over itself, as an upgrade.
    assert!(install(&out, &home).status.success());
    let elsewhere = desk.path("else where");
    succeed(Command::new("sh").arg(out.join("install.sh")).arg(&elsewhere).env_remove("HOME"));
    assert!(elsewhere.join("duru").exists());

    let archive = out.join(format!("{}.tar.gz", desk.release.name()));
    let refused = |home: &str, en: &str, ko: &str| {
        let done = install(&out, &desk.path(home));
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(!done.status.success() && said.contains(en) && said.contains(ko), "{said}");
        assert!(!desk.path(home).join(".local/bin/duru").exists());
    };
    let mut bytes = std::fs::read(&archive).unwrap();
    bytes.push(0);
    std::fs::write(&archive, bytes).unwrap();
    refused("b", "not what SHA256SUMS says", "SHA256SUMS와 다릅니다");
    let second = out.join(format!("duru-9-{}.tar.gz", desk.release.target));
    std::fs::copy(&archive, &second).unwrap();
    refused("b", "more than one archive", "둘 이상");
    std::fs::remove_file(&second).unwrap();
    std::fs::remove_file(&archive).unwrap();
    refused("b", "there is no archive", "묶음이 없습니다");
}

#[test]
fn why_there_is_no_image_is_told() {
    let mut desk = Desk::new();
    let why = |release: &Release| super::image::obstacle(Path::new("no-buildah-here"), release).unwrap();
    let told = why(&desk.release);
    assert!(told.contains("cannot start no-buildah-here") && told.contains("package buildah"), "{told}");
    desk.release.target = "x86_64-unknown-linux-musl".to_owned();
    assert!(why(&desk.release).contains("Linux with glibc, not for x86_64-unknown-linux-musl"));
}

#[test]
fn what_is_no_program_of_this_version_is_refused() {
    let desk = Desk::new();
    let refused = |program: &Path| {
        let error =
            make(&desk.release, program, &desk.path("out"), Path::new("no-buildah-here")).unwrap_err();
        assert!(!desk.path("out").exists(), "nothing is made");
        format!("{error:#}")
    };
    assert!(refused(&desk.path("nobody")).contains("there is no program"));
    let other = desk.script("other", "#!/bin/sh\necho duru 0.0.0-other\n");
    assert!(refused(&other).contains("`duru 0.0.0-other`, not `duru "));
    let silent = desk.script("silent", &format!("#!/bin/sh\necho duru {}\n", desk.release.version));
    assert!(refused(&silent).contains("wrote no manual"));
    let broken = desk.script("broken", "#!/bin/sh\necho it hurts >&2\nexit 3\n");
    assert!(refused(&broken).contains("it hurts"));
    std::fs::write(desk.path("text"), "hello").unwrap();
    assert!(refused(&desk.path("text")).contains("cannot start"));
}
