//! The systemd unit, read by systemd itself.

use std::process::Command;

use crate::tools::has;
use crate::{packaging, told};

/// Tenths of systemd's exposure level, 0 to 100; what is left are the network, whole system calls, and /proc.
const MOST_EXPOSED: &str = "--threshold=20";

#[test]
fn systemd_knows_every_word_of_the_unit_and_calls_it_confined() {
    if !has("systemd-analyze") {
        return;
    }
    let unit = std::fs::read_to_string(packaging("duru.service")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("duru.service");
    // It looks whether the program is there.
    let there = unit.replace("ExecStart=/usr/local/bin/duru ", "ExecStart=/bin/true ");
    assert_ne!(unit, there);
    let verify = |text: &str| {
        std::fs::write(&file, text).unwrap();
        told(Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(&file))
    };
    assert_eq!(verify(&there), (true, String::new()));
    // A word that it does not know it only mentions.
    let (_, said) = verify(&there.replace("PrivateTmp=", "PrivateTemp="));
    assert!(said.contains("PrivateTemp"), "{said}");

    let exposed = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let mut analyze = Command::new("systemd-analyze");
        told(analyze.args(["security", "--offline=true", "--no-pager", MOST_EXPOSED]).arg(&file))
    };
    let (is_confined, said) = exposed(&there);
    assert!(is_confined, "{said}");
    let (is_confined, said) = exposed(&there.replace("DynamicUser=yes\n", "User=root\n"));
    assert!(!is_confined, "{said}");
}
