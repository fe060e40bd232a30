//! The list of all crates that the program is made of, as CycloneDX 1.5.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::release::{PACKAGE, Release};
use crate::date::moment;

pub(super) fn make(release: &Release) -> Result<Vec<u8>> {
    let bom = bom(&release.metadata, &release.built, release.epoch)?;
    let mut text = serde_json::to_vec_pretty(&bom)?;
    text.push(b'\n');
    Ok(text)
}

fn bom(metadata: &Value, built: &BTreeSet<String>, epoch: u64) -> Result<Value> {
    let packages = by_id(&metadata["packages"])?;
    let nodes = by_id(&metadata["resolve"]["nodes"])?;
    let program = packages.iter().find(|(_, package)| package["name"] == PACKAGE);
    let (program, about) = program.with_context(|| format!("cargo metadata has no {PACKAGE}"))?;

    let edges = reachable(program, &nodes)?;
    let reference = |id: &&str| {
        let package = packages.get(id).with_context(|| format!("cargo metadata does not describe {id}"))?;
        Ok(format!("{}@{}", text(package, "name")?, text(package, "version")?))
    };
    let mut components = BTreeMap::new();
    let mut dependencies = BTreeMap::new();
    for (id, needs) in &edges {
        let this = reference(id)?;
        if !built.contains(&this) {
            continue;
        }
        let mut needs = needs.iter().map(reference).collect::<Result<BTreeSet<String>>>()?;
        needs.retain(|other| built.contains(other));
        dependencies.insert(this.clone(), json!({ "ref": this, "dependsOn": needs }));
        if id != program {
            components.insert(this.clone(), component(packages[id], this)?);
        }
    }
    let mut main = component(about, reference(program)?)?;
    main["type"] = json!("application");
    main["name"] = json!("duru");
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": moment(epoch),
            "tools": { "components": [{ "type": "application", "name": "cargo xtask dist" }] },
            "component": main,
        },
        "components": components.into_values().collect::<Vec<_>>(),
        "dependencies": dependencies.into_values().collect::<Vec<_>>(),
    }))
}

fn by_id(list: &Value) -> Result<BTreeMap<&str, &Value>> {
    let list = list.as_array().context("cargo metadata has resolved nothing")?;
    list.iter().map(|item| Ok((text(item, "id")?, item))).collect()
}

/// What the program is built from, each with what it needs itself; what only tests need is left out.
fn reachable<'a>(
    program: &'a str,
    nodes: &BTreeMap<&'a str, &'a Value>,
) -> Result<BTreeMap<&'a str, Vec<&'a str>>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![program];
    while let Some(id) = waiting.pop() {
        if found.contains_key(id) {
            continue;
        }
        let node = nodes.get(id).with_context(|| format!("cargo metadata has not resolved {id}"))?;
        let all = node["deps"].as_array().with_context(|| format!("{id} has no list of dependencies"))?;
        let is_built = |dependency: &&Value| {
            let kinds = dependency["dep_kinds"].as_array();
            kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"] != "dev"))
        };
        let needs: Vec<&str> =
            all.iter().filter(is_built).map(|one| text(one, "pkg")).collect::<Result<_>>()?;
        waiting.extend(&needs);
        found.insert(id, needs);
    }
    Ok(found)
}

fn component(package: &Value, reference: String) -> Result<Value> {
    let (name, version) = (text(package, "name")?, text(package, "version")?);
    let mut component = json!({ "type": "library", "bom-ref": reference, "name": name, "version": version });
    if let Some(licence) = package["license"].as_str() {
        // The slash of old manifests means a choice, which SPDX says in words.
        let expression = licence.replace(" / ", "/").replace('/', " OR ");
        component["licenses"] = json!([{ "expression": expression }]);
    } else if let Some(file) = package["license_file"].as_str() {
        component["licenses"] = json!([{ "license": { "name": format!("see its file {file}") } }]);
    }
    // Our own crates are in no registry: a purl would name somebody else's.
    if package["source"].is_string() {
        // The plus of a version means a space in an address.
        component["purl"] = json!(format!("pkg:cargo/{name}@{}", version.replace('+', "%2B")));
    }
    Ok(component)
}

fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str> {
    value[field].as_str().with_context(|| format!("cargo metadata has a part without `{field}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(id: &str, name: &str, licence: Value, source: Value) -> Value {
        json!({ "id": id, "name": name, "version": "1.0.0+a", "license": licence, "license_file": null, "source": source })
    }

    fn node(id: &str, needs: &[(&str, &[Value])]) -> Value {
        let needs = needs.iter().map(|(id, kinds)| {
            let kinds: Vec<Value> = kinds.iter().map(|kind| json!({ "kind": kind })).collect();
            json!({ "pkg": id, "dep_kinds": kinds })
        });
        json!({ "id": id, "deps": needs.collect::<Vec<_>>() })
    }

    #[test]
    fn what_is_built_is_listed_and_what_only_tests_need_is_not() {
        let (normal, build, dev) = (Value::Null, json!("build"), json!("dev"));
        let foreign = json!("registry+a");
        let metadata = json!({
            "packages": [
                package("p", PACKAGE, json!("MIT"), Value::Null),
                package("a", "a", json!("MIT/Apache-2.0"), foreign.clone()),
                package("b", "b", Value::Null, foreign.clone()),
                package("t", "t", json!("MIT"), foreign.clone()),
                package("f", "f", json!("MIT"), foreign.clone()),
                package("o", "ours", json!("MIT"), Value::Null),
                package("u", "unused", json!("MIT"), foreign),
            ],
            "resolve": { "nodes": [
                node("p", &[("a", &[normal.clone(), dev.clone()]), ("t", std::slice::from_ref(&dev)), ("o", &[normal])]),
                node("a", &[("b", &[build]), ("f", &[Value::Null])]),
                node("b", &[]), node("t", &[]), node("o", &[]), node("u", &[]), node("f", &[]),
            ] },
        });
        // Only another package of the workspace asks for `f`.
        let built = ["duru-cli", "a", "b", "ours"].map(|name| format!("{name}@1.0.0+a"));
        let bom = bom(&metadata, &built.into(), 0).unwrap();
        assert_eq!(bom["metadata"]["component"]["name"], "duru");
        let names: Vec<&str> =
            bom["components"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
        assert_eq!(names, ["a", "b", "ours"]);
        let a = &bom["components"][0];
        assert_eq!(a["licenses"], json!([{ "expression": "MIT OR Apache-2.0" }]));
        assert_eq!(a["purl"], "pkg:cargo/a@1.0.0%2Ba");
        assert!(bom["components"][2]["purl"].is_null(), "ours");
        assert_eq!(bom["dependencies"][0], json!({ "ref": "a@1.0.0+a", "dependsOn": ["b@1.0.0+a"] }));
        assert_eq!(bom["dependencies"].as_array().unwrap().len(), 4);
    }
}
