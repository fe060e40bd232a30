//! Every crate takes its lints from the workspace.

use super::finding::Finding;

pub(super) fn check(path: &str, manifest: &str) -> Option<Finding> {
    let mut section = "";
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        }
        let setting: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let inherits = match section {
            "[lints]" => setting == "workspace=true",
            "" => setting == "lints.workspace=true",
            _ => false,
        };
        if inherits {
            return None;
        }
    }
    Some(Finding::error(
        path,
        1,
        "the crate does not take the workspace's lints; add `[lints]` with `workspace = true`",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_lints_pass() {
        assert_eq!(check("Cargo.toml", "[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n"), None);
        assert_eq!(check("Cargo.toml", "lints.workspace = true\n[package]\n"), None);
    }

    #[test]
    fn no_lints_or_own_lints_fail() {
        assert!(check("Cargo.toml", "[package]\nname = \"a\"\n").is_some());
        assert!(check("Cargo.toml", "[lints]\n[dependencies]\nworkspace = true\n").is_some());
        assert!(check("Cargo.toml", "[lints.rust]\nunsafe_code = \"allow\"\n").is_some());
    }
}
