//! Text that is true on one machine only: its paths, and the hosts it gets packages from.

use super::files::is_word;
use super::finding::Finding;

// In pieces, so that this file passes its own check.
const ROOTS: [&str; 2] = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];
const HOME: &str = concat!("/ho", "me/");
const HOSTS: [&str; 4] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("registry.npmjs", ".org"),
    concat!("deb.debian", ".org"),
];

pub(super) fn check(path: &str, content: &str) -> Vec<Finding> {
    // Cargo writes the name of its default registry there, whatever the machine.
    let hosts: &[&str] = if path.ends_with("Cargo.lock") { &[] } else { &HOSTS };

    let mut findings = Vec::new();
    for (index, line) in content.lines().enumerate() {
        if let Some(found) = machine_path(line) {
            let text =
                format!("`{found}` is a path of one machine; use a relative path or an environment variable");
            findings.push(Finding::error(path, index + 1, text));
        }
        if let Some(host) = hosts.iter().find(|host| names_host(line, host)) {
            let text =
                format!("`{host}` is the host of a package registry; leave it to the tool's own settings");
            findings.push(Finding::error(path, index + 1, text));
        }
    }
    findings
}

fn machine_path(line: &str) -> Option<&'static str> {
    let starts_a_path = |at: usize| {
        // Behind a name, a dot or a closing bracket it is the middle of a longer path.
        let before = line.as_bytes()[..at].last();
        before.is_none_or(|byte| !is_word(*byte) && !b".~-})]>*".contains(byte))
    };
    let is_root = |root: &&&str| line.match_indices(**root).any(|(at, _)| starts_a_path(at));
    let is_home = |(at, _): (usize, &str)| {
        let name = line.as_bytes().get(at + HOME.len());
        starts_a_path(at) && name.is_some_and(|byte| is_word(*byte))
    };
    ROOTS.iter().find(is_root).copied().or_else(|| line.match_indices(HOME).any(is_home).then_some(HOME))
}

fn names_host(line: &str, host: &str) -> bool {
    line.match_indices(host).any(|(at, _)| {
        let bytes = line.as_bytes();
        let before = bytes[..at].last();
        let after = bytes.get(at + host.len());
        !before.is_some_and(|byte| is_word(*byte)) && !after.is_some_and(|byte| is_word(*byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(line: &str) -> Vec<String> {
        check("README.md", &format!("first\n{line}\n")).iter().map(|f| f.to_string()).collect()
    }

    #[test]
    fn paths_of_a_machine_fail() {
        for line in [
            format!("cd {}main", ROOTS[0]),
            format!("\"{}x\"", ROOTS[1]),
            format!("see {HOME}kim/notes"),
            format!("file://{}x", ROOTS[1]),
        ] {
            let found = findings(&line);
            assert_eq!(found.len(), 1, "{line}");
            assert!(found[0].starts_with("README.md:2: "), "{}", found[0]);
        }
    }

    #[test]
    fn relative_paths_and_variables_pass() {
        for line in [
            format!("src{}x", ROOTS[0]),
            format!("..{}x", ROOTS[1]),
            format!("${{CACHE}}{}", ROOTS[0]),
            format!("{HOME}<name>"),
            "/target and frameworks/".to_owned(),
        ] {
            assert!(findings(&line).is_empty(), "{line}");
        }
    }

    #[test]
    fn hosts_of_registries_fail() {
        for host in HOSTS {
            assert_eq!(findings(&format!("https://{host}/a")).len(), 1, "{host}");
            assert_eq!(findings(&format!("https://index.{host}/a")).len(), 1, "{host}");
        }
    }

    #[test]
    fn other_hosts_and_the_lock_file_pass() {
        assert!(findings("https://docs.rs/tokio and my_crates.ion").is_empty());
        let line = format!("source = \"registry+https://github.com/rust-lang/{}-index\"", HOSTS[0]);
        assert!(check("Cargo.lock", &line).is_empty());
        assert!(!check("Cargo.toml", &line).is_empty());
    }
}
