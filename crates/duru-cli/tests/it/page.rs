//! The page: what is embedded is what its source gives, and people get along with it in a real browser.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::pg_cluster::install;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Says aloud that a test was not run; in CI nothing may be missing.
fn skip(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    eprintln!("\n*** SKIPPED: {why} ***\n");
}

fn starts(program: &str) -> bool {
    let mut command = Command::new(program);
    let command = command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// A program of a Debian package, which is installed if need be and if we may.
fn has(program: &str, package: &str) -> bool {
    if !starts(program) {
        install(package);
    }
    let found = starts(program);
    if !found {
        skip(&format!("there is no {program} here"));
    }
    found
}

fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{command:?}:\n{said}");
    said
}

/// A copy of the page's source, with the packages that its lock file names. They are got once.
fn workshop() -> Option<TempDir> {
    if !has("node", "nodejs") || !has("npm", "npm") {
        return None;
    }
    let web = root().join("web");
    let mut hasher = DefaultHasher::new();
    for name in ["package.json", "package-lock.json"] {
        fs::read(web.join(name)).unwrap().hash(&mut hasher);
    }
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let packages = cache.unwrap().join("duru/page").join(format!("{:016x}", hasher.finish()));
    fs::create_dir_all(&packages).unwrap();
    {
        // One test gets them while the others wait.
        let lock =
            File::options().create(true).append(true).open(packages.with_added_extension("lock")).unwrap();
        lock.lock().unwrap();
        if !packages.join("ready").exists() {
            for name in ["package.json", "package-lock.json", ".npmrc"] {
                fs::copy(web.join(name), packages.join(name)).unwrap();
            }
            // Not `npm ci`: it wants the packages of every platform in the lock file, and not every registry has them.
            run(Command::new("npm").args(["install", "--no-save"]).current_dir(&packages));
            fs::write(packages.join("ready"), "").unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("web");
    copy_tree(&web, &copy);
    std::os::unix::fs::symlink(packages.join("node_modules"), copy.join("node_modules")).unwrap();
    Some(folder)
}

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if path.is_dir() {
            if name != "node_modules" && name != ".unit" {
                copy_tree(&path, &to.join(name));
            }
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// Every file below a folder, by its path.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                all.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    all
}

fn npm(workshop: &TempDir, arguments: &[&str]) -> String {
    run(Command::new("npm").args(arguments).current_dir(workshop.path().join("web")))
}

#[test]
fn a_rebuild_gives_the_page_that_is_embedded() {
    let Some(workshop) = workshop() else { return };
    npm(&workshop, &["run", "build"]);
    let built = contents(&workshop.path().join("crates/duru-cli/assets"));
    let committed = contents(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets"));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&built), names(&committed), "run `npm run build` in web/ and commit what it makes");
    for (name, content) in built {
        assert!(committed[&name] == content, "{name} differs: run `npm run build` in web/ and commit it");
    }
}

#[test]
fn the_page_is_typed_and_its_parts_do_what_they_say() {
    let Some(workshop) = workshop() else { return };
    npm(&workshop, &["run", "check"]);
    let said = npm(&workshop, &["run", "unit"]);
    assert!(said.contains("# fail 0") && !said.contains("# pass 0"), "{said}");
}

/// People get along with it, in both languages: the walks of one file in a real browser.
fn walks_of(name: &str) {
    let Some(workshop) = workshop() else { return };
    if !has("chromium", "chromium") {
        return;
    }
    let mut browser = Command::new("npm");
    browser.args(["run", "browser", "--", "--of", name]).current_dir(workshop.path().join("web"));
    browser.env("DURU_BIN", env!("CARGO_BIN_EXE_duru")).env("CHROMIUM", "/usr/bin/chromium");
    let said = run(&mut browser);
    eprintln!("{said}");
    assert!(said.contains("all walks went well"), "{said}");
}

macro_rules! walks {
    ($($name:ident),+ $(,)?) => {
        /// A test for each file, so that none takes long.
        mod walks {
            $(#[test]
            fn $name() {
                super::walks_of(stringify!($name));
            })+
        }

        #[test]
        fn every_file_of_walks_is_walked() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/tests/browser");
            let helpers = ["all", "figures", "harness", "mill", "pen", "server"];
            let mut names: Vec<String> = fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
                .filter(|name| !helpers.contains(&name.as_str()))
                .collect();
            names.sort();
            assert_eq!(names, [$(stringify!($name)),+]);
        }
    };
}

walks!(
    advisor,
    analyst,
    approval,
    attached,
    conversations,
    durable,
    kept,
    keyboard,
    keys,
    library,
    long,
    looks,
    problems,
    researcher,
    runs,
    safety,
    streaming,
    tables,
);
