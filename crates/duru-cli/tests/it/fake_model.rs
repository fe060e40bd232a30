//! The fake model as a user starts it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::Desk;

/// A fake model that dies with the test.
pub(crate) struct FakeModel {
    child: Child,
    /// The line for each format.
    pub(crate) exports: [String; 2],
}

impl FakeModel {
    pub(crate) fn start(desk: &Desk, script: &str) -> Self {
        let file = desk.path("script.jsonl");
        std::fs::write(&file, script).unwrap();
        let mut child = desk
            .command(&["fake-model", "--script", file.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let exports = [lines.next().unwrap().unwrap(), lines.next().unwrap().unwrap()];
        Self { child, exports }
    }

    /// Sets what the line exports, as a shell would.
    pub(crate) fn set(&self, line: usize, command: &mut Command) {
        for word in self.exports[line].strip_prefix("export ").unwrap().split_whitespace() {
            let (name, value) = word.split_once('=').unwrap();
            command.env(name, value);
        }
    }

    pub(crate) fn stop(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for FakeModel {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
fn a_script_that_is_none_is_refused() {
    let desk = Desk::new();
    let file = desk.path("bad.jsonl");
    std::fs::write(&file, "{\"says\": \"a\"}\n{\"fails\": \"explode\"}\n").unwrap();
    for (lang, words) in [("en", "the script"), ("ko", "대본")] {
        let seen = desk.run(&["fake-model", "--script", file.to_str().unwrap(), "--lang", lang]);
        assert_eq!(seen.code, Some(2), "{seen:?}");
        assert!(
            seen.err.contains("[script]") && seen.err.contains("line 2") && seen.err.contains(words),
            "{seen:?}"
        );
    }
    assert_eq!(desk.run(&["fake-model", "--script", "/no/such/file"]).code, Some(2));
}

#[test]
fn a_port_that_is_taken_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let seen = Desk::new().run(&["fake-model", "--port", &port]);
    assert_eq!(seen.code, Some(3), "{seen:?}");
    assert!(seen.err.contains("[no-address]"), "{seen:?}");
}
