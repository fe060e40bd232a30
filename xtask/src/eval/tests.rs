use serde_json::json;

use super::*;

#[test]
fn an_item_has_a_language() {
    assert_eq!(language(&json!({ "lang": "en", "question": "로그" })), "en");
    assert_eq!(language(&json!({ "question": "how many 로그" })), "ko");
    assert_eq!(language(&json!({ "query": "how many" })), "en");
    assert_eq!(language(&json!({ "turns": [{ "user": "얼마?" }] })), "ko");
}

#[test]
fn a_sample_is_spread_over_all() {
    assert_eq!(sample(&["a", "b", "c", "d", "e", "f"], 3), ["a", "c", "e"]);
    assert_eq!(sample(&["a", "b"], 3), ["a", "b"]);
}

/// Every label was written for these very lines. (Another platform's sine may differ in its last digit, and does not after
/// rounding.)
#[test]
fn the_lines_are_always_the_same() {
    let mut lines = Vec::new();
    log_lines::write_csv(log_lines::ROWS, &mut lines).unwrap();
    // FNV-1a: the standard library's hash may change with the compiler.
    let hash = lines.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let text = String::from_utf8(lines).unwrap();
    assert!(text.starts_with("id,created_at,level,"), "{}", &text[..200]);
    assert_eq!((text.len(), hash), (15_849_666, 0x2ee8_da91_ea52_5a85), "the questions' lines changed");
}

/// From a clone with nothing beside it and nothing set: the questions, the lines, the judge and the table.
#[test]
fn a_small_set_is_measured_with_nothing_but_the_clone() {
    let Ok(own) = std::env::current_exe() else { panic!("a test knows its program") };
    let built = own.ancestors().nth(2).unwrap().join(format!("duru{}", std::env::consts::EXE_SUFFIX));
    if !built.exists() {
        eprintln!("\n*** SKIPPED: {} is not built; `cargo build -p duru-cli` first ***\n", built.display());
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = std::env::temp_dir().join(format!("duru-eval-test-{}", std::process::id()));
    // Few lines: right rows are those of the right query on the same ones.
    let bench = Bench::set_up(built, folder.clone(), Some(4), 2_000).unwrap();
    let sets = sets::all(root, None).unwrap();
    for name in ["logs/questions", "reuse/own_cases"] {
        let set = sets.iter().find(|set| set.name == name).unwrap();
        let mut items = 0;
        for (lang, file) in bench.parts(set).unwrap() {
            for (_, score) in bench.scores(set, &lang, &file).unwrap() {
                assert_eq!(score.crashed, 0, "{name}");
                items += score.items;
            }
        }
        assert!(items > 0 && items <= 4, "{name}: {items}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}
