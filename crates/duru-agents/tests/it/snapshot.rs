//! Texts that change only on purpose.

use std::path::Path;

/// Compares with `tests/it/snapshots/NAME`; `DURU_UPDATE_SNAPSHOTS=1` writes it instead.
#[track_caller]
pub(crate) fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots").join(name);
    if std::env::var_os("DURU_UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        text, kept,
        "{name} is not what it was; if that is on purpose, run the test with DURU_UPDATE_SNAPSHOTS=1"
    );
}
