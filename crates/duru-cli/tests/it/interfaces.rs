//! The agents' own interfaces, by real clients.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::serve::Serving;
use crate::{Desk, tools};

#[test]
fn websockets_openai_mcp_and_plain_requests() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let wanted = std::fs::read_to_string(folder.join("requirements.txt")).unwrap();
    let Some(python) = tools::python("interfaces", &wanted) else { return };
    let desk = Desk::new();
    let server = Serving::with(&desk, &[]);
    let mut script = Command::new(python);
    script
        .arg("-B")
        .arg(folder.join("run.py"))
        .env("PYTHONPATH", folder.join("../../../duru-server/tests/clients"));
    script.args(["--url", &format!("http://{}", server.address)]);
    let output = script.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}{}", String::from_utf8_lossy(&output.stderr));
    let failed: Vec<&str> = said.lines().filter(|line| line.starts_with("FAIL")).collect();
    assert!(failed.is_empty() && output.status.success(), "{}", failed.join("\n"));
    assert!(said.lines().any(|line| line.starts_with("ok")), "nothing was checked");
}

#[test]
fn a_key_is_shown_once_and_a_server_that_others_can_reach_needs_one() {
    let desk = Desk::new();
    for (lang, words) in [("ko", "API 키가 하나도 없습니다"), ("en", "nobody has an API key")] {
        let seen = desk.run(&["serve", "--host", "0.0.0.0", "--port", "0", "--lang", lang]);
        assert_eq!(seen.code, Some(3), "{seen:?}");
        assert!(seen.err.contains("[no-keys]") && seen.err.contains(words), "{seen:?}");
    }
    assert!(!desk.path("duru/logs").exists(), "nothing is made for a server that does not start");
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(desk.path("duru")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "what people asked is nobody else's to read");
    let made = desk.run(&["keys", "add", "kim", "--json"]).json();
    let (key, id) = (made["key"].as_str().unwrap(), made["id"].as_str().unwrap());
    let listed = desk.run(&["keys", "list", "--json"]);
    assert_eq!(listed.json()["keys"][0]["name"], "kim");
    let secret = key.rsplit('_').next().unwrap();
    assert!(!listed.out.contains(secret), "{listed:?}");
    for file in std::fs::read_dir(desk.path("duru")).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default();
        assert!(
            !bytes.windows(secret.len()).any(|part| part == secret.as_bytes()),
            "the secret is on the disk"
        );
    }
    assert_eq!(desk.run(&["keys", "revoke", id]).code, Some(0));
    assert_eq!(desk.run(&["keys", "revoke", id]).code, Some(2));
    assert_eq!(desk.run(&["keys", "list", "--json"]).json()["keys"], Value::Array(Vec::new()));
    let refused = desk.run(&["keys", "add", "no name", "--lang", "ko"]);
    assert!(refused.code == Some(2) && refused.err.contains("이름이 될 수 없습니다"), "{refused:?}");
    desk.run(&["keys", "add", "boss", "--admin", "--at-once", "7"]);
    assert!(desk.run(&["keys", "list", "--plain", "--lang", "en"]).out.contains("boss\t100\t7\tadminister"));
    // By itself, `runs dead` lists them.
    assert_eq!(desk.run(&["runs", "dead", "--json"]).json()["dead"], Value::Array(Vec::new()));
}
