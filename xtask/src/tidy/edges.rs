//! Which crate may depend on which. The table is the architecture: change it on purpose.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::finding::Finding;
use crate::workspace::cargo;

/// Every crate of ours, and those of ours that it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("duru-macros", &[]),
    ("duru-messages", &[]),
    ("duru", &["duru-macros", "duru-messages"]),
    // The way to a server that three crates keep something on.
    ("duru-postgres", &[]),
    ("duru-store", &["duru", "duru-postgres"]),
    // Its client is too heavy for those who run one process.
    ("duru-nats", &["duru"]),
    // The one way to other servers over HTTP.
    ("duru-http", &[]),
    // Everybody may tell; nobody has to know who listens.
    ("duru-telemetry", &["duru-http"]),
    ("duru-llm", &["duru-http", "duru-messages", "duru-telemetry"]),
    // Words, numbers and time of both languages; no IO, no agent.
    ("duru-language", &[]),
    ("duru-sql", &["duru-postgres"]),
    // Its dependencies are too heavy for those who only want the guard.
    ("duru-logs", &["duru-sql"]),
    // What words mean, learnt from examples; no IO, no agent, as the one before it.
    ("duru-meaning", &[]),
    // The models only for the embedding trait.
    ("duru-search", &["duru-llm", "duru-meaning", "duru-postgres"]),
    (
        "duru-agents",
        &[
            "duru",
            "duru-http",
            "duru-language",
            "duru-llm",
            "duru-meaning",
            "duru-messages",
            "duru-sql",
            "duru-search",
        ],
    ),
    ("duru-server", &["duru", "duru-messages", "duru-telemetry"]),
    (
        "duru-cli",
        &[
            "duru",
            "duru-http",
            "duru-macros",
            "duru-messages",
            "duru-nats",
            "duru-store",
            "duru-llm",
            "duru-logs",
            "duru-sql",
            "duru-search",
            "duru-agents",
            "duru-server",
            "duru-telemetry",
        ],
    ),
    ("duru-examples", &["duru", "duru-store", "duru-messages"]),
    // Apart from the other measurements, which need not wait for a query engine to compile.
    ("duru-bench-sql", &["duru-logs", "duru-sql"]),
    ("duru-bench", &["duru", "duru-store", "duru-messages", "duru-llm", "duru-search"]),
    ("duru-soak", &["duru", "duru-store"]),
    ("xtask", &[]),
];

/// What a crate's tests may use besides: the engine turns on its own test kit.
const ALLOWED_IN_TESTS: &[(&str, &[&str])] = &[
    ("duru", &["duru"]),
    ("duru-store", &["duru", "duru-store"]),
    ("duru-server", &["duru-nats", "duru-store"]),
    // For the PostgreSQL that the store's tests start.
    ("duru-sql", &["duru", "duru-sql", "duru-store"]),
    ("duru-agents", &["duru", "duru-store"]),
    ("duru-logs", &["duru-logs"]),
];

/// The engine and its tests compile in seconds; one of these would end that.
const TOO_HEAVY_FOR_THE_ENGINE: &[&str] =
    &["axum", "reqwest", "rusqlite", "sqlx", "tokio-postgres", "genai", "datafusion"];

pub(super) struct Package {
    pub(super) name: String,
    pub(super) manifest: PathBuf,
    dependencies: Vec<Dependency>,
}

impl Package {
    /// What it names that is not ours, in its tests too.
    pub(super) fn libraries(&self) -> impl Iterator<Item = &str> {
        self.dependencies
            .iter()
            .filter(|dependency| !dependency.ours)
            .map(|dependency| dependency.name.as_str())
    }
}

struct Dependency {
    name: String,
    /// By path, not from a registry.
    ours: bool,
    dev: bool,
}

pub(super) fn packages() -> Result<Vec<Package>> {
    let output =
        cargo(&["metadata", "--format-version", "1", "--no-deps"])?.output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    parse(&serde_json::from_slice(&output.stdout).context("cargo metadata is not JSON")?)
}

fn parse(metadata: &Value) -> Result<Vec<Package>> {
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    packages.iter().map(parse_package).collect()
}

fn parse_package(package: &Value) -> Result<Package> {
    let name = package["name"].as_str().context("a package without a name")?;
    let manifest = package["manifest_path"].as_str().with_context(|| format!("{name} has no manifest"))?;
    let dependencies =
        package["dependencies"].as_array().with_context(|| format!("{name} lists no dependencies"))?;
    let dependencies = dependencies.iter().map(|dependency| {
        Ok(Dependency {
            name: dependency["name"].as_str().context("a dependency without a name")?.to_owned(),
            ours: dependency["source"].is_null(),
            dev: dependency["kind"] == "dev",
        })
    });
    Ok(Package {
        name: name.to_owned(),
        manifest: manifest.into(),
        dependencies: dependencies.collect::<Result<_>>()?,
    })
}

pub(super) fn check(path: &str, manifest: &str, package: &Package) -> Vec<Finding> {
    let name = package.name.as_str();
    let Some(allowed) = row(ALLOWED, name) else {
        let text = format!("{name} is not in the table of crates; add it in xtask/src/tidy/edges.rs");
        return vec![Finding::error(path, 1, text)];
    };
    let allowed_in_tests = row(ALLOWED_IN_TESTS, name).unwrap_or_default();

    let mut findings = Vec::new();
    for dependency in &package.dependencies {
        let other = dependency.name.as_str();
        let fine = allowed.contains(&other) || (dependency.dev && allowed_in_tests.contains(&other));
        if dependency.ours && !fine {
            let kind = if dependency.dev { "dev-depend" } else { "depend" };
            let text = format!(
                "{name} must not {kind} on {other}; pass what it needs through a seam it already knows"
            );
            findings.push(Finding::error(path, line_of(manifest, other), text));
        }
        if name == "duru" && TOO_HEAVY_FOR_THE_ENGINE.contains(&other) {
            let text = format!("{other} is too heavy for the engine; use it in a crate above");
            findings.push(Finding::error(path, line_of(manifest, other), text));
        }
    }
    findings
}

fn row<'a>(table: &'a [(&str, &'a [&'a str])], name: &str) -> Option<&'a [&'a str]> {
    table.iter().find(|(row, _)| *row == name).map(|(_, others)| *others)
}

/// The line that declares the dependency, `name = …`, `name.workspace = …` or `[dependencies.name]`; else the first.
fn line_of(manifest: &str, name: &str) -> usize {
    let declares = |line: &str| {
        let line = line.trim();
        let key = line.split(['=', '.']).next().unwrap_or_default().trim().trim_matches('"');
        key == name || line.ends_with(&format!("dependencies.{name}]"))
    };
    manifest.lines().position(declares).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn findings(name: &str, dependencies: Value) -> Vec<String> {
        let metadata = json!({"packages": [
            {"name": name, "manifest_path": "Cargo.toml", "dependencies": dependencies}
        ]});
        let packages = parse(&metadata).unwrap();
        let manifest = "[dependencies]\naxum = \"0.8\"\nduru-store.workspace = true\n[dependencies.duru]\n";
        packages
            .iter()
            .flat_map(|package| check("Cargo.toml", manifest, package))
            .map(|f| f.to_string())
            .collect()
    }

    fn ours(name: &str) -> Value {
        json!({"name": name, "source": null, "kind": null})
    }

    fn ours_in_tests(name: &str) -> Value {
        json!({"name": name, "source": null, "kind": "dev"})
    }

    #[test]
    fn an_edge_of_the_table_passes() {
        let none: Vec<String> = vec![];
        assert_eq!(findings("duru", json!([ours("duru-macros"), ours_in_tests("duru")])), none);
        assert_eq!(findings("duru-store", json!([ours("duru"), ours_in_tests("duru")])), none);
        assert_eq!(findings("duru-cli", json!([ours("duru-server"), ours("duru-agents")])), none);
        assert_eq!(findings("xtask", json!([{"name": "anyhow", "source": "registry", "kind": null}])), none);
    }

    #[test]
    fn any_other_edge_fails_on_its_line() {
        let text = &findings("duru", json!([ours("duru-store")]))[0];
        assert!(text.starts_with("Cargo.toml:3: duru must not depend on duru-store"), "{text}");
        let text = &findings("duru-messages", json!([ours("duru")]))[0];
        assert!(text.starts_with("Cargo.toml:4: "), "{text}");
        let build = json!([{"name": "duru-cli", "source": null, "kind": "build"}]);
        assert_eq!(findings("duru-server", build).len(), 1);
    }

    #[test]
    fn what_tests_may_use_the_crate_itself_may_not() {
        assert_eq!(findings("duru", json!([ours("duru")])).len(), 1);
        assert_eq!(findings("duru-messages", json!([ours_in_tests("duru")])).len(), 1);
    }

    #[test]
    fn the_engine_stays_light_and_others_need_not() {
        let axum = json!([{"name": "axum", "source": "registry", "kind": "dev"}]);
        assert_eq!(
            findings("duru", axum.clone()),
            ["Cargo.toml:2: axum is too heavy for the engine; use it in a crate above"]
        );
        assert!(findings("duru-server", axum).is_empty());
    }

    #[test]
    fn a_crate_outside_the_table_fails() {
        assert!(findings("duru-extra", json!([]))[0].contains("not in the table"));
    }
}
