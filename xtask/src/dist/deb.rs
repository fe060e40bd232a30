//! The package for Debian and what descends from it: three members of an `ar` archive, two of them tar archives.

use anyhow::{Result, ensure};
use md5::{Digest, Md5};

use super::libraries;
use super::program::Program;
use super::release::Release;
use super::tar::{Entry, gzip, tar};

/// What Debian calls the processors that Rust builds for.
const ARCHITECTURES: [(&str, &str); 7] = [
    ("aarch64", "arm64"),
    ("armv7", "armhf"),
    ("i686", "i386"),
    ("powerpc64le", "ppc64el"),
    ("riscv64gc", "riscv64"),
    ("s390x", "s390x"),
    ("x86_64", "amd64"),
];

const DESCRIPTION: &str = "\
Description: answers questions about logs, tables and documents
 Duru answers questions about your logs, tables and documents in Korean and
 English, and runs agents whose accepted runs survive a crash. One program: a
 command line, a web page and a server. `systemctl enable --now duru` starts
 the server.
";

/// Debian's word for the target, if it is one of Debian's.
pub(super) fn architecture(target: &str) -> Option<&'static str> {
    let processor = target
        .strip_suffix("-unknown-linux-gnu")
        .or_else(|| target.strip_suffix("-unknown-linux-gnueabihf"))?;
    ARCHITECTURES.iter().find(|(rust, _)| *rust == processor).map(|(_, debian)| *debian)
}

/// What comes before a release sorts before it only after a tilde.
fn version(release: &Release) -> String {
    release.version.replacen('-', "~", 1)
}

pub(super) fn name(release: &Release, architecture: &str) -> String {
    format!("duru_{}_{architecture}.deb", version(release))
}

pub(super) fn make(release: &Release, program: &Program, architecture: &str) -> Result<Vec<u8>> {
    let unit = unit(&release.file("packaging/duru.service")?)?;
    let copyright = copyright(release)?;
    let readme = release.file("README.md")?;
    let changes = gzip(release.file("CHANGELOG.md")?.as_bytes())?;
    let pages = program.pages.iter().map(|(path, page)| Ok((path, gzip(page)?)));
    let pages = pages.collect::<Result<Vec<_>>>()?;

    let mut files = vec![
        Entry::program("./usr/bin/duru", &program.bytes),
        Entry::file("./usr/lib/systemd/system/duru.service", unit.as_bytes()),
        Entry::file("./usr/share/bash-completion/completions/duru", program.completion("duru.bash")?),
        Entry::file("./usr/share/doc/duru/README.md", readme.as_bytes()),
        Entry::file("./usr/share/doc/duru/changelog.gz", &changes),
        Entry::file("./usr/share/doc/duru/copyright", copyright.as_bytes()),
        Entry::file("./usr/share/fish/vendor_completions.d/duru.fish", program.completion("duru.fish")?),
        Entry::file("./usr/share/zsh/vendor-completions/_duru", program.completion("_duru")?),
    ];
    files.extend(pages.iter().map(|(path, page)| Entry::file(format!("./usr/share/man/{path}.gz"), page)));
    files.sort_by(|one, other| one.path.cmp(&other.path));

    let control = control(release, program, architecture, &files);
    let sums = sums(&files);
    let about = [Entry::file("./control", control.as_bytes()), Entry::file("./md5sums", sums.as_bytes())];
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", gzip(&tar(&about, release.epoch)?)?),
        ("data.tar.gz", gzip(&tar(&files, release.epoch)?)?),
    ];
    Ok(ar(&members, release.epoch))
}

fn control(release: &Release, program: &Program, architecture: &str, files: &[Entry<'_>]) -> String {
    // In kibibytes; every file takes at least one.
    let size: usize = files.iter().map(|file| file.data.len().div_ceil(1024)).sum();
    let needs = libraries::debian(&program.bytes).join(", ");
    let needs = if needs.is_empty() { String::new() } else { format!("Depends: {needs}\n") };
    let version = version(release);
    // Servers are believed by the certificates of the system, which only those need who ask one.
    format!(
        "Package: duru\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: The Duru maintainers\n\
         Installed-Size: {size}\n{needs}Recommends: ca-certificates\nSection: utils\nPriority: optional\n\
         {DESCRIPTION}"
    )
}

/// What `dpkg --verify` compares, for what is installed, without the leading `./`.
fn sums(files: &[Entry<'_>]) -> String {
    let line = |file: &Entry<'_>| {
        format!("{}  {}\n", hex::encode(Md5::digest(file.data)), file.path.trim_start_matches("./"))
    };
    files.iter().map(line).collect()
}

/// The unit as it is after an installation: another folder, and nothing left to copy.
fn unit(text: &str) -> Result<String> {
    let changes = [
        ("ExecStart=/usr/local/bin/duru", "ExecStart=/usr/bin/duru"),
        ("copy to /etc/systemd/system/duru.service, then ", ""),
    ];
    let mut text = text.to_owned();
    for (from, to) in changes {
        ensure!(
            text.contains(from),
            "packaging/duru.service has no `{from}` any more: change xtask/src/dist/deb.rs, too"
        );
        text = text.replace(from, to);
    }
    Ok(text)
}

fn copyright(release: &Release) -> Result<String> {
    let texts = ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE"].map(|path| release.file(path));
    Ok(texts.into_iter().collect::<Result<Vec<_>>>()?.join("\n\n"))
}

/// The oldest archive format there is: a line about each member, then the member, at even places.
fn ar(members: &[(&str, Vec<u8>)], epoch: u64) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, data) in members {
        let size = data.len();
        archive.extend(format!("{name:<16}{epoch:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 100_644).bytes());
        archive.extend(data);
        if size % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_has_its_own_names_for_processors() {
        assert_eq!(architecture("x86_64-unknown-linux-gnu"), Some("amd64"));
        assert_eq!(architecture("armv7-unknown-linux-gnueabihf"), Some("armhf"));
        assert_eq!(architecture("x86_64-unknown-linux-musl"), None);
        assert_eq!(architecture("aarch64-apple-darwin"), None);
    }

    #[test]
    fn members_begin_at_even_places() {
        let archive = ar(&[("a", b"1".to_vec()), ("b", b"22".to_vec())], 7);
        assert_eq!(archive.len(), 8 + 60 + 2 + 60 + 2);
        assert!(
            archive[8 + 60 + 2..]
                .starts_with(b"b               7           0     0     100644  2         `\n22")
        );
    }

    #[test]
    fn a_unit_that_starts_something_else_is_refused() {
        let error = unit("ExecStart=/opt/duru serve\n").unwrap_err();
        assert!(error.to_string().contains("packaging/duru.service"), "{error}");
    }
}
