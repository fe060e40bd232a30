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
    assert_eq!(run(&desk, &["config", "trust"], &[]).code, Some(0));
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
fn a_flag_comes_first_and_what_is_usual_last() {
    let desk = Desk::new();
    write_user_file(&desk, "store = \"/person.db\"\n");
    let origins = |args: &[&str]| {
        let json = run(&desk, &[&["config", "show", "--json"], args].concat(), &[]).json();
        let of = |name: &str| {
            let all = json["settings"].as_array().unwrap();
            let one = all.iter().find(|each| each["name"] == name).unwrap();
            (one["value"].as_str().unwrap_or_default().to_owned(), one["origin"].clone())
        };
        [of("DURU_STORE"), of("DURU_LOGS"), of("DURU_PROMPTS")]
    };
    let [store, logs, prompts] = origins(&["--store", "/flag.db"]);
    assert_eq!(store, ("/flag.db".to_owned(), "flag".into()));
    assert!(logs.0.ends_with("duru/logs") && logs.1 == "default", "{logs:?}");
    assert_eq!(prompts, (String::new(), serde_json::Value::Null));
    assert!(origins(&[])[0].1.as_str().unwrap().ends_with("config.toml"));
    for (lang, words) in [("ko", "# 기본값"), ("en", "# default")] {
        let seen = run(&desk, &["config", "show", "--origin", "--lang", lang], &[]);
        assert!(
            seen.out.lines().any(|line| line.starts_with("DURU_LOGS = ") && line.ends_with(words)),
            "{seen:?}"
        );
    }
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

/// Conversations went to a database that somebody else's folder named.
#[test]
fn a_folder_decides_nothing_of_weight_until_it_is_trusted() {
    let desk = Desk::new();
    let file = desk.path("duru.toml");
    let foreign = desk.path("foreign.db");
    let text = |more: &str| format!("lang = \"en\"\nstore = {:?}\n{more}", foreign.display().to_string());
    std::fs::write(&file, text("")).unwrap();
    let demo = ["demo", "--yes", "--thread", "t"];
    for args in [&demo[..], &["threads", "ls"], &["serve", "--port", "0"], &["keys", "add", "kim"]] {
        let seen = run(&desk, args, &[]);
        assert_eq!(seen.code, Some(3), "{args:?}: {seen:?}");
        assert!(seen.err.contains("[bad-settings]") && seen.err.contains("`store`"), "{seen:?}");
        assert!(seen.err.contains("duru config trust"), "{seen:?}");
    }
    assert!(!foreign.exists(), "nothing was written there");
    // What is harmless counts, and looking is allowed.
    let seen = run(&desk, &["config", "show", "--origin", "--json"], &[]);
    assert_eq!(seen.code, Some(0), "{seen:?}");
    let said = seen.json();
    let of = |name: &str| {
        said["settings"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()["origin"].clone()
    };
    assert_eq!((of("DURU_LANG"), of("DURU_STORE")), ("duru.toml".into(), "default".into()));
    assert_eq!(run(&desk, &["help", "demo"], &[]).code, Some(0));

    assert_eq!(run(&desk, &["config", "trust"], &[]).code, Some(0));
    assert_eq!(run(&desk, &demo, &[]).code, Some(0));
    assert!(foreign.exists());
    use std::os::unix::fs::PermissionsExt as _;
    let list = desk.path("config/duru/trusted.json");
    assert_eq!(std::fs::metadata(&list).unwrap().permissions().mode() & 0o077, 0);
    // Another file than the one that was looked at is another matter; so is another folder.
    std::fs::write(&file, text("prompts = \"p\"\n")).unwrap();
    let seen = run(&desk, &demo, &[]);
    assert!(seen.code == Some(3) && seen.err.contains("`prompts`"), "{seen:?}");
    std::fs::write(&file, text("")).unwrap();
    assert_eq!(run(&desk, &demo, &[]).code, Some(0));
    assert_eq!(run(&desk, &["config", "distrust"], &[]).code, Some(0));
    assert_eq!(run(&desk, &demo, &[]).code, Some(3));
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
    // What somebody is offered who presses Tab.
    let offered = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let typed = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" ");
        let (last, before) = (words[words.len() - 1], words[words.len() - 2]);
        let script = format!(
            "source duru.bash; COMP_WORDS=({typed}); COMP_CWORD={}; _duru duru '{last}' '{before}'; echo \"${{COMPREPLY[@]}}\"",
            words.len() - 1
        );
        let bash = std::process::Command::new("bash")
            .args(["--norc", "-c", &script])
            .current_dir(desk.path(""))
            .output()
            .unwrap();
        assert!(bash.status.success(), "{bash:?}");
        String::from_utf8(bash.stdout).unwrap()
    };
    assert_eq!(offered("duru thr").trim(), "threads");
    assert_eq!(offered("duru ask --agent ").trim(), "analyst researcher advisor");
    assert!(offered("duru threads ").trim().ends_with("ls show diff fork"));
    assert!(!offered("duru docs ").contains(" read"), "nobody types it");
    assert_eq!(desk.run(&["completions", "basic"]).code, Some(2));
    for (shell, word) in
        [("zsh", "#compdef duru"), ("fish", "complete -c duru"), ("powershell", "Register-ArgumentCompleter")]
    {
        let script = desk.run(&["completions", shell, "--lang", "ko", "--json"]).json();
        let script = script["script"].as_str().unwrap();
        assert!(script.contains(word) && script.contains("researcher"), "{shell}");
    }
    let seen = desk.run(&["serv", "--lang", "en"]);
    assert!(seen.err.contains("did you mean serve?"), "{seen:?}");
}

/// What every flag of `serve` says, a file can say.
#[test]
fn a_server_is_told_by_a_file_where_to_listen_and_how_to_tell() {
    let desk = Desk::new();
    // Somebody has it: that is how it is known which port was meant.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    write_user_file(&desk, &format!("host = \"127.0.0.1\"\nport = {port}\nlog_level = \"info\"\n"));
    for args in [&["serve", "--lang", "en"][..], &["--lang", "en"]] {
        let seen = run(&desk, args, &[]);
        assert_eq!(seen.code, Some(3), "{seen:?}");
        assert!(seen.err.contains(&format!("127.0.0.1:{port}")), "{seen:?}");
    }
    let found = run(&desk, &["doctor", "--offline", "--lang", "en"], &[]);
    assert!(
        format!("{}{}", found.out, found.err).contains(&format!("another program has {port}")),
        "{found:?}"
    );
    let wrong = run(&desk, &["serve", "--lang", "en"], &[("DURU_PORT", "many")]);
    assert!(wrong.code == Some(2) && wrong.err.contains("DURU_PORT"), "{wrong:?}");
    // An address that others reach needs a key, whoever names it.
    let open = run(&desk, &["serve", "--port", "0", "--lang", "en"], &[("DURU_HOST", "0.0.0.0")]);
    assert!(open.code == Some(3) && open.err.contains("[no-keys]"), "{open:?}");
    let map =
        run(&desk, &["serve", "--port", "0", "--lang", "en"], &[("DURU_INGEST_MAP", "/nowhere/map.json")]);
    assert!(map.code != Some(0) && map.err.contains("/nowhere/map.json"), "{map:?}");
}

/// What the unit and the image start and set is known here.
#[test]
fn the_packages_name_commands_and_settings_that_exist() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging");
    let unit = std::fs::read_to_string(folder.join("duru.service")).unwrap();
    let image = std::fs::read_to_string(folder.join("Dockerfile")).unwrap();
    let start = unit.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/duru ")).unwrap();
    let desk = Desk::new();
    let mut args: Vec<&str> = start.split(' ').collect();
    args.push("--help");
    assert_eq!(desk.run(&args).code, Some(0), "{start}");
    assert!(image.contains("CMD [\"serve\"]") && desk.run(&["serve", "--help"]).code == Some(0));
    let shown = desk.run(&["config", "show", "--json"]).json();
    let known: Vec<&str> =
        shown["settings"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    let words = |text: &str| {
        let words = text.split(|c: char| !(c.is_ascii_uppercase() || c == '_')).map(str::to_owned);
        words.filter(|word| word.starts_with("DURU_")).collect::<Vec<_>>()
    };
    let mut named: Vec<String> = words(&unit).into_iter().chain(words(&image)).collect();
    let mut places = vec![folder.join("kubernetes")];
    while let Some(place) = places.pop() {
        if place.is_dir() {
            places.extend(std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            named.extend(words(&std::fs::read_to_string(&place).unwrap()));
        }
    }
    assert!(named.len() >= 10, "{named:?}");
    for name in named {
        assert!(known.contains(&name.as_str()), "{name}: {known:?}");
    }
}
