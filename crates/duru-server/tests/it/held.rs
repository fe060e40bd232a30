//! A server, held to its document: schemathesis makes requests of it, right ones and wrong ones, and looks at every
//! answer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::client::Client;
use crate::tools;

/// Everything that holds an answer to the document, whatever was asked. Whether a request has to be refused is left to
/// handlers: clients send more than the document names, and are let; so is whether it has to be granted: ids, times and
/// filters mean more than their shape. Keys are not guessed: that is slowed down, and
/// other tests ask every route without one.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance,unsupported_method";

/// What is held to its document, and how.
pub(crate) struct Holding<'a> {
    pub(crate) url: &'a str,
    pub(crate) key: &'a str,
    pub(crate) phases: &'a str,
    /// So many requests of each operation in some phases, the same ones every time.
    pub(crate) examples: u32,
    /// What its paths begin with; nothing for all of them.
    pub(crate) only: &'a [&'a str],
    /// By their ids.
    pub(crate) left_out: &'a [&'a str],
    /// Which of the scripts beside `requirements.txt` knows what is there.
    pub(crate) hooks: &'a str,
}

/// What each operation was answered with.
pub(crate) struct Answers {
    statuses: BTreeMap<String, BTreeSet<u16>>,
    /// Every operation that was to be asked.
    operations: BTreeSet<String>,
}

impl Holding<'_> {
    /// Fails at the first answer that the document does not have. None where there is no Python.
    pub(crate) fn run(self) -> Option<Answers> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../duru-server/tests/clients/schemathesis");
        let wanted = std::fs::read_to_string(folder.join("requirements.txt")).unwrap();
        let python = tools::python("schemathesis", &wanted)?;
        let place = tempfile::TempDir::new().unwrap();
        let answers = place.path().join("answers");
        let mut script = Command::new(python.with_file_name("schemathesis"));
        script
            .args(["run", &format!("{}/openapi.json", self.url)])
            .args(["--header", &format!("x-api-key: {}", self.key)])
            .args(["--checks", CHECKS, "--phases", self.phases])
            .args(["--max-examples", &self.examples.to_string()])
            .args(self.left_out.iter().flat_map(|id| ["--exclude-operation-id", *id]))
            .args(["--seed", "1", "--generation-database", "none"])
            .args(["--suppress-health-check", "all", "--continue-on-failure"])
            .args(["--request-timeout", "60", "--warnings", "off", "--no-color"])
            .envs([("SCHEMATHESIS_HOOKS", self.hooks), ("PYTHONDONTWRITEBYTECODE", "1")])
            .envs([("DURU_URL", self.url), ("DURU_KEY", self.key)])
            .env("DURU_ANSWERS", &answers)
            .env("PYTHONPATH", &folder)
            // It leaves what it found where it runs.
            .current_dir(place.path());
        if !self.only.is_empty() {
            // In a pattern, what names a part of a path would count how often something stands there.
            let starts = self.only.iter().map(|start| start.replace('{', r"\{").replace('}', r"\}"));
            let starts = starts.collect::<Vec<String>>().join("|");
            script.args(["--include-path-regex", &format!("^({starts})")]);
        }
        let output = script.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        Some(Answers { statuses: statuses(&answers), operations: self.operations() })
    }

    /// Those of the document that are not left out, as `GET /path`.
    fn operations(&self) -> BTreeSet<String> {
        let client = Client::new(self.url.trim_start_matches("http://"));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let document = runtime.block_on(client.get("/openapi.json")).json();
        let left_out =
            |operation: &Value| self.left_out.contains(&operation["operationId"].as_str().unwrap());
        let is_meant =
            |path: &str| self.only.is_empty() || self.only.iter().any(|start| path.starts_with(start));
        let paths = document["paths"].as_object().unwrap().iter().filter(|(path, _)| is_meant(path));
        let operations = paths.flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().iter().filter(|(_, operation)| !left_out(operation));
            methods.map(move |(method, _)| format!("{} {path}", method.to_uppercase()))
        });
        operations.collect()
    }
}

/// What the hooks wrote down: a method, a path and a status in each line.
fn statuses(answers: &Path) -> BTreeMap<String, BTreeSet<u16>> {
    let mut statuses: BTreeMap<String, BTreeSet<u16>> = BTreeMap::new();
    for line in std::fs::read_to_string(answers).unwrap().lines() {
        let (operation, status) = line.rsplit_once(' ').unwrap();
        statuses.entry(operation.to_owned()).or_default().insert(status.parse().unwrap());
    }
    statuses
}

impl Answers {
    /// So many operations were asked.
    pub(crate) fn at_least(&self, least: usize) {
        let asked = self.operations.iter().filter(|operation| self.statuses.contains_key(*operation)).count();
        assert!(asked >= least, "{asked}: {:?}", self.statuses.keys());
    }

    /// Every operation gave what it is for at least once, but for some, each for a reason.
    pub(crate) fn each_was_fine(&self, except: &[(&str, &str)]) {
        for (operation, _) in except {
            assert!(self.operations.contains(*operation), "{operation} is not described");
        }
        let was_fine = |operation: &str| {
            let statuses = self.statuses.get(operation);
            statuses.is_some_and(|statuses| statuses.iter().any(|status| (200..300).contains(status)))
        };
        let is_excepted = |operation: &str| except.iter().any(|(excepted, _)| *excepted == operation);
        let never: Vec<(&String, Option<&BTreeSet<u16>>)> = self
            .operations
            .iter()
            .filter(|operation| !was_fine(operation) && !is_excepted(operation))
            .map(|operation| (operation, self.statuses.get(operation)))
            .collect();
        assert!(never.is_empty(), "never answered with what they are for: {never:#?}");
    }
}
