//! Settings in files: which wins, what is hidden, and what a folder may not say.

use crate::{Desk, Seen};

fn run(desk: &Desk, args: &[&str], env: &[(&str, &str)]) -> Seen {
    let config = desk.path("config");
    let mut command = desk.command(args);
    command.env("XDG_CONFIG_HOME", &config).envs(env.iter().copied());
    Seen::of(command.output().unwrap())
}

fn write_user_file(desk: &Desk, text: &str) {
    std::fs::create_dir_all(desk.path("config/duru")).unwrap();
    std::fs::write(desk.path("config/duru/config.toml"), text).unwrap();
}

#[test]
fn the_environment_comes_before_the_folder_and_the_folder_before_the_person() {
    let desk = Desk::new();
    write_user_file(
        &desk,
        "logs = \"/person\"\nstore = \"/person.db\"\nprompts = \"/prompts\"\nanthropic_api_key = \"sk-hidden\"\n",
    );
    std::fs::write(desk.path("duru.toml"), "logs = \"/folder\"\nstore = \"/folder.db\"\n").unwrap();
    let seen = run(
        &desk,
        &["config", "show", "--origin", "--json"],
        &[("DURU_LOGS", "postgres://kim:pass@db/logs")],
    );
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let json = seen.json();
    let of = |name: &str| {
        let all = json["settings"].as_array().unwrap();
        let one = all.iter().find(|each| each["name"] == name).unwrap();
        (one["value"].as_str().unwrap().to_owned(), one["origin"].as_str().unwrap().to_owned())
    };
    assert_eq!(of("DURU_LOGS"), ("postgres://…@db/logs".to_owned(), "environment".to_owned()));
    assert_eq!(of("DURU_STORE"), ("/folder.db".to_owned(), "duru.toml".to_owned()));
    assert_eq!(of("DURU_PROMPTS").0, "/prompts");
    assert!(of("DURU_PROMPTS").1.ends_with("config.toml"));
    assert_eq!(of("ANTHROPIC_API_KEY").0, "(set)");
    assert!(!seen.out.contains("sk-hidden") && !seen.out.contains("pass@"), "{seen:?}");
}

#[test]
fn a_store_that_a_file_names_is_used() {
    let desk = Desk::new();
    let store = desk.path("elsewhere.db");
    write_user_file(&desk, &format!("store = {store:?}\nlang = \"ko\"\n"));
    let seen = run(&desk, &["demo", "--thread", "t"], &[]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    assert!(store.exists());
    assert!(seen.err.contains("글을 쓰고"), "the file says Korean: {seen:?}");
}

#[test]
fn a_folder_may_not_choose_where_keys_go_and_a_bad_file_is_named() {
    let desk = Desk::new();
    std::fs::write(desk.path("duru.toml"), "model = \"http://elsewhere/v1#m\"\n").unwrap();
    for (lang, words) in [("en", "a folder must not decide"), ("ko", "키를 바꾸면 안 됩니다")] {
        let seen = run(&desk, &["doctor", "--lang", lang], &[]);
        assert_eq!(seen.code, Some(3), "{seen:?}");
        assert!(seen.err.contains("[bad-settings]") && seen.err.contains(words), "{seen:?}");
    }
    std::fs::write(desk.path("duru.toml"), "logs = \"a\"\nstore = \n").unwrap();
    let seen = run(&desk, &["config", "show"], &[]);
    assert!(seen.err.contains("duru.toml") && seen.err.contains("line 2"), "{seen:?}");
}

#[test]
fn a_first_file_is_made_once_and_says_what_there_is() {
    let desk = Desk::new();
    let seen = run(&desk, &["init", "--yes"], &[]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let text = std::fs::read_to_string(desk.path("config/duru/config.toml")).unwrap();
    assert!(text.contains("# logs = \"\"") && text.contains("# model = \"\""), "{text}");
    assert_eq!(run(&desk, &["config", "show"], &[]).code, Some(0), "what it made can be read");
    assert_eq!(run(&desk, &["init", "--yes"], &[]).code, Some(2));
}

#[test]
fn completions_are_for_real_shells() {
    let desk = Desk::new();
    let seen = desk.run(&["completions", "bash"]);
    assert!(seen.out.contains("complete -F _duru"), "{seen:?}");
    std::fs::write(desk.path("duru.bash"), &seen.out).unwrap();
    let bash = std::process::Command::new("bash").arg("-n").arg(desk.path("duru.bash")).status().unwrap();
    assert!(bash.success());
    assert_eq!(desk.run(&["completions", "basic"]).code, Some(2));
    let seen = desk.run(&["serv", "--lang", "en"]);
    assert!(seen.err.contains("did you mean serve?"), "{seen:?}");
}
