//! The system below the program in the image: a few packages of Debian, unpacked. None is configured, so that nothing
//! has to be run, neither as root nor in a container.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::libraries;
use super::release::said;

/// Besides those with the program's libraries: folders and names of the system, a shell with `wget` for whoever looks
/// inside and for probes, and the authorities whose certificates are believed.
const PACKAGES: [&str; 3] = ["base-files", "busybox-static", "ca-certificates"];

/// Folders that Debian has below `usr` alone; packages still name them at the root.
const MERGED: [&str; 4] = ["bin", "lib", "lib64", "sbin"];

/// What nobody reads in an image, and what only an installation needs. Licences stay.
const LEFT_OUT: [&str; 9] = [
    "./etc/ca-certificates",
    "./etc/update-motd.d",
    "./usr/lib/*/gconv",
    "./usr/sbin/update-ca-certificates",
    "./usr/share/doc/*/[!c]*",
    "./usr/share/doc/*/changelog*",
    "./usr/share/initramfs-tools",
    "./usr/share/lintian",
    "./usr/share/man",
];

const AUTHORITIES: &str = "usr/share/ca-certificates/mozilla";

/// The user whom packaging/Dockerfile and the Kubernetes manifests name.
const FILES: [(&str, &str); 3] = [
    ("etc/group", "root:x:0:\nduru:x:10001:\n"),
    ("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nduru:x:10001:10001:Duru:/data:/bin/sh\n"),
    // Without it names are asked of DNS first, `localhost` too.
    ("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"),
];

/// Lays out the system that a program needs in a folder.
pub(super) fn lay_out(folder: &Path, program: &[u8]) -> Result<()> {
    let packages = download(program)?;
    for name in MERGED {
        std::fs::create_dir_all(folder.join("usr").join(name))?;
        link(&format!("usr/{name}"), &folder.join(name))?;
    }
    let status = folder.join("var/lib/dpkg/status.d");
    std::fs::create_dir_all(&status)?;
    for package in deb_files(packages.path())? {
        unpack(&package, folder)?;
        // Here, without a database of dpkg, scanners for known faults look for what is installed.
        let about = said(Command::new("dpkg-deb").arg("--field").arg(&package))?;
        let name = said(Command::new("dpkg-deb").arg("--field").args([&package, Path::new("Package")]))?;
        std::fs::write(status.join(String::from_utf8(name)?.trim()), about)?;
    }
    check_glibc(folder, program)?;
    believe_authorities(folder)?;
    for (path, text) in FILES {
        write(&folder.join(path), text.as_bytes())?;
    }
    for name in ["sh", "wget"] {
        link("busybox", &folder.join("usr/bin").join(name))?;
    }
    // Whatever the mask of whoever builds: the program is somebody else.
    said(Command::new("chmod").args(["-R", "a+rX", "--"]).args([folder.join("etc"), status])).map(drop)
}

fn link(target: &str, link: &Path) -> Result<()> {
    said(Command::new("ln").args(["-s", target]).arg(link)).map(drop)
}

/// The packages, as this machine's sources have them now.
fn download(program: &[u8]) -> Result<tempfile::TempDir> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let needed = libraries::debian(program);
    let needed = needed.iter().filter_map(|needed| needed.split(' ').next());
    let mut apt = Command::new("apt-get");
    // As root it would become somebody who may not write here.
    apt.args(["-q", "-o", "APT::Sandbox::User=root", "download"]).args(PACKAGES).args(needed);
    said(apt.current_dir(folder.path())).context("apt-get has no packages; `apt-get update` may help")?;
    Ok(folder)
}

fn deb_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files = entries.collect::<Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

/// `dpkg-deb --extract` would put folders in place of the links that `MERGED` names.
fn unpack(package: &Path, folder: &Path) -> Result<()> {
    let plain = said(Command::new("dpkg-deb").arg("--fsys-tarfile").arg(package))?;
    let mut tar = Command::new("tar");
    tar.args(["-x", "--keep-directory-symlink", "--no-same-owner", "--preserve-permissions", "-C"])
        .arg(folder);
    tar.args(LEFT_OUT.map(|left| format!("--exclude={left}")));
    let mut tar = tar.stdin(Stdio::piped()).spawn().context("cannot start tar")?;
    tar.stdin.take().context("tar reads nothing")?.write_all(&plain)?;
    ensure!(tar.wait()?.success(), "{} cannot be unpacked", package.display());
    Ok(())
}

fn check_glibc(folder: &Path, program: &[u8]) -> Result<()> {
    let Some((major, minor)) = libraries::glibc(program) else { return Ok(()) };
    let about = std::fs::read_to_string(folder.join("var/lib/dpkg/status.d/libc6"))?;
    let version = about.lines().find_map(|line| line.strip_prefix("Version: ")).unwrap_or_default();
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map_while(|number| number.parse().ok());
    let has: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    ensure!(
        has >= (major, minor),
        "the program needs glibc {major}.{minor}, this machine's libc6 is {version}; build both on one system"
    );
    Ok(())
}

/// What `update-ca-certificates` would do: all of them in one file, where OpenSSL and rustls look.
fn believe_authorities(folder: &Path) -> Result<()> {
    let all = folder.join(AUTHORITIES);
    let mut bundle = Vec::new();
    for file in deb_files(&all)? {
        bundle.extend(std::fs::read(file)?);
    }
    ensure!(bundle.starts_with(b"-----BEGIN CERTIFICATE-----"), "ca-certificates holds no certificates");
    std::fs::remove_dir_all(&all)?;
    write(&folder.join("etc/ssl/certs/ca-certificates.crt"), &bundle)
}

fn write(file: &Path, data: &[u8]) -> Result<()> {
    std::fs::create_dir_all(file.parent().context("it has no folder")?)?;
    std::fs::write(file, data).with_context(|| format!("cannot write {}", file.display()))
}
