//! Programs from Debian's packages, unpacked in the user's cache: nothing is installed, so that no service starts, and
//! nobody has to be root.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::told;
use crate::tools::{has, made_once, run};

/// The root of what some packages hold. None if they can't be had here, which in CI is an error.
pub(crate) fn unpacked(name: &str, packages: &[&str]) -> Option<PathBuf> {
    if !has("apt-get") || !has("dpkg-deb") {
        return None;
    }
    let folder = made_once(name, &packages.join("\n"), |folder| {
        if !told(&mut download(folder, packages)).0 {
            // A new machine knows no packages yet.
            run(Command::new("apt-get").args(["update", "-q"]));
            run(&mut download(folder, packages));
        }
        for entry in std::fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().path();
            if file.extension().is_some_and(|kind| kind == "deb") {
                run(Command::new("dpkg-deb").arg("--extract").args([&file, &folder.join("root")]));
                std::fs::remove_file(file).unwrap();
            }
        }
    });
    Some(folder.join("root"))
}

fn download(folder: &Path, packages: &[&str]) -> Command {
    let mut apt = Command::new("apt-get");
    // As root it would become somebody who may not write here.
    apt.args(["-q", "-o", "APT::Sandbox::User=root", "download"]).args(packages).current_dir(folder);
    apt
}
