//! The folder where everything goes, and the sums of what is in it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

pub(super) const SUMS: &str = "SHA256SUMS";

/// Refuses a folder with something in it that this command has not made: that would be lost.
pub(super) fn check(folder: &Path) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    let names = names(folder)?;
    let listed = std::fs::read_to_string(folder.join(SUMS)).unwrap_or_default();
    let is_listed = |name: &str| listed.lines().any(|line| line.split_whitespace().nth(1) == Some(name));
    // Others keep sums, too: the name must be one of ours as well.
    let is_named = |name: &str| name.starts_with("duru") || name == "install.sh";
    let is_ours = |name: &str| name == SUMS || is_listed(name) && is_named(name);
    match names.iter().find(|name| !is_ours(name)) {
        Some(foreign) => bail!(
            "{} holds `{foreign}`, which `dist` has not made; empty the folder or name another with --out",
            folder.display()
        ),
        None => Ok(()),
    }
}

/// Makes the folder, and removes what an earlier call has left there.
pub(super) fn clear(folder: &Path) -> Result<()> {
    check(folder)?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for name in names(folder)? {
        std::fs::remove_file(folder.join(&name)).with_context(|| format!("cannot remove {name}"))?;
    }
    Ok(())
}

/// Writes the files and their sums, the sums first: whatever stops this, the next call knows the rest as its own.
pub(super) fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    let sums = files.iter().map(|(name, data)| (name, hex::encode(Sha256::digest(data))));
    let text: String = sums.map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    let put = |name: &str, data: &[u8]| {
        std::fs::write(folder.join(name), data).with_context(|| format!("cannot write {name}"))
    };
    put(SUMS, text.as_bytes())?;
    files.iter().try_for_each(|(name, data)| put(name, data))
}

#[cfg(unix)]
pub(super) fn make_executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", file.display()))
}

#[cfg(not(unix))]
pub(super) fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} is not a folder that can be read", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_an_earlier_call_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new");
        let files = BTreeMap::from([("duru-1".to_owned(), b"abc".to_vec())]);
        clear(&folder).unwrap();
        write(&folder, &files).unwrap();
        let sums = std::fs::read_to_string(folder.join(SUMS)).unwrap();
        assert_eq!(sums, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  duru-1\n");
        clear(&folder).unwrap();
        assert_eq!(names(&folder).unwrap(), [""; 0]);

        for (name, listed) in [("duru-notes", ""), ("photo.png", "00  photo.png\n")] {
            std::fs::write(folder.join(name), "mine").unwrap();
            std::fs::write(folder.join(SUMS), listed).unwrap();
            let error = clear(&folder).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("--out"), "{error}");
            assert!(folder.join(name).exists());
            std::fs::remove_file(folder.join(name)).unwrap();
        }
        let file = folder.join(SUMS);
        assert!(check(&file).unwrap_err().to_string().contains("not a folder"));
    }
}
