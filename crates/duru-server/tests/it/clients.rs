//! The real clients, each against a server on each store. What a script holds
//! the server to is in `tests/clients`.

use std::process::{Command, Stdio};

use crate::fixture::{Fixture, Place};
use crate::tools;

/// Runs a script, shows what it said, and counts what failed.
fn hold(server: &Fixture, mut script: Command) {
    script.args(["--url", &server.url()]).env("PYTHONPATH", tools::scripts());
    let output = script.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let failed: Vec<&str> = said.lines().filter(|line| line.starts_with("FAIL")).collect();
    let errors = String::from_utf8_lossy(&output.stderr);
    // A test that passes shows nothing, one that fails what it was.
    println!("{said}{errors}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(output.status.success(), "{script:?}: {}", output.status);
    assert!(said.lines().any(|line| line.starts_with("ok")), "nothing was checked");
}

fn python(place: &Place) {
    let wanted = std::fs::read_to_string(tools::scripts().join("python/requirements.txt")).unwrap();
    let Some(python) = tools::python("python", &wanted) else { return };
    let mut script = Command::new(python);
    script.arg("-B").arg(tools::scripts().join("python/run.py")).args(["--priority", "MS", "--jobs", "8"]);
    hold(&place.serve(), script);
}

/// WebSockets, OpenAI's client and one of the Model Context Protocol.
fn interfaces(place: &Place) {
    let folder = tools::scripts().join("interfaces");
    let wanted = std::fs::read_to_string(folder.join("requirements.txt")).unwrap();
    let Some(python) = tools::python("interfaces", &wanted) else { return };
    let mut script = Command::new(python);
    script.arg("-B").arg(folder.join("run.py"));
    hold(&place.serve_with(&["--interfaces"]), script);
}

/// A client of the Agent2Agent protocol. Each speaks the version of its name, and the newer one both.
fn agents(place: &Place, version: &str) {
    let folder = tools::scripts().join("a2a");
    let wanted = std::fs::read_to_string(folder.join(format!("requirements-{version}.txt"))).unwrap();
    let Some(python) = tools::python(&format!("a2a-{version}"), &wanted) else { return };
    let mut script = Command::new(python);
    script.arg("-B").arg(folder.join(format!("sdk_{}.py", version.replace('.', "_"))));
    hold(&place.serve_with(&["--interfaces"]), script);
}

fn javascript(place: &Place, client: &str) {
    let Some(folder) = tools::javascript(client) else { return };
    let mut script = Command::new("node");
    script.arg("run.mjs").current_dir(folder.path().join(client));
    hold(&place.serve(), script);
}

mod sqlite {
    use super::*;

    #[test]
    fn python_sdk_and_remote_graph() {
        python(&Place::sqlite());
    }

    #[test]
    fn websockets_openai_and_mcp() {
        interfaces(&Place::sqlite());
    }

    #[test]
    fn a2a_1_0() {
        agents(&Place::sqlite(), "1.0");
    }

    #[test]
    fn a2a_0_3() {
        agents(&Place::sqlite(), "0.3");
    }

    #[test]
    fn js_sdk_1_12_0() {
        javascript(&Place::sqlite(), "sdk-1.12.0");
    }

    #[test]
    fn js_sdk_2_0_0() {
        javascript(&Place::sqlite(), "sdk-2.0.0");
    }

    #[test]
    fn react_1_1_0() {
        javascript(&Place::sqlite(), "react-1.1.0");
    }
}

mod postgres {
    use super::*;

    #[test]
    fn python_sdk_and_remote_graph() {
        if let Some(place) = Place::postgres() {
            python(&place);
        }
    }

    #[test]
    fn websockets_openai_and_mcp() {
        if let Some(place) = Place::postgres() {
            interfaces(&place);
        }
    }

    #[test]
    fn a2a_1_0() {
        if let Some(place) = Place::postgres() {
            agents(&place, "1.0");
        }
    }

    #[test]
    fn js_sdk_1_12_0() {
        if let Some(place) = Place::postgres() {
            javascript(&place, "sdk-1.12.0");
        }
    }

    #[test]
    fn js_sdk_2_0_0() {
        if let Some(place) = Place::postgres() {
            javascript(&place, "sdk-2.0.0");
        }
    }

    #[test]
    fn react_1_1_0() {
        if let Some(place) = Place::postgres() {
            javascript(&place, "react-1.1.0");
        }
    }
}
