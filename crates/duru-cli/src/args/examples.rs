//! Examples, which every command's help begins with.

use clap::Command;

use crate::lang::Lang;

/// Command, and its examples in Korean and in English where they differ. `ask` and `chat` have theirs beside their
/// options.
const ALL: &[(&str, &[&str], &[&str])] = &[
    ("resume", &["duru resume", "duru resume try --timeout 60"], &[]),
    ("demo", &["duru demo --thread try --pace 500", "duru demo reset"], &[]),
    ("demo reset", &["duru demo reset --dry-run", "duru demo reset --yes"], &[]),
    ("eval", &["duru eval logs --questions q.jsonl --logs lines.csv --out answers.jsonl"], &[]),
    (
        "eval documents",
        &["duru eval documents --corpus laws.jsonl --questions q.jsonl --out found.jsonl"],
        &[],
    ),
    ("eval logs", &["duru eval logs --questions q.jsonl --logs lines.csv --out answers.jsonl"], &[]),
    (
        "eval tables",
        &["duru eval tables --items q.jsonl --base postgres://reader@localhost:5432 --out answers.jsonl"],
        &[],
    ),
    (
        "eval conversations",
        &["duru eval conversations --conversations talks.jsonl --out answered.jsonl"],
        &[],
    ),
    ("eval injection", &["duru eval injection --items items.jsonl --out judged.jsonl"], &[]),
    ("eval sufficiency", &["duru eval sufficiency --cases cases.jsonl --out decided.jsonl"], &[]),
    (
        "graph",
        &["duru graph advisor", "duru graph analyst --format text", "duru graph --thread try --format svg"],
        &[],
    ),
    ("serve", &["duru serve --port 2024", "duru serve --logs postgres://localhost/logs"], &[]),
    (
        "logs",
        &["duru logs ingest access.jsonl --dry-run", "duru logs stats", "duru logs generate --rows 1000"],
        &[],
    ),
    (
        "logs ingest",
        &[
            "duru logs ingest access.jsonl --dry-run",
            "duru logs ingest /var/log/shop --timezone Asia/Seoul --mask",
        ],
        &[],
    ),
    ("logs init", &["duru logs init postgres://localhost/logs"], &[]),
    ("logs stats", &["duru logs stats", "duru logs stats --logs access.parquet --json"], &[]),
    ("logs generate", &["duru logs generate --rows 1000 --out sample.jsonl"], &[]),
    (
        "tables",
        &[
            "duru tables add postgres://reader@localhost/shop",
            "duru ask --tables shop \"number of orders by city\"",
        ],
        &[],
    ),
    ("tables add", &["duru tables add postgres://reader@localhost/shop --name shop"], &[]),
    ("tables list", &["duru tables list"], &[]),
    ("tables show", &["duru tables show shop", "duru tables show shop --json"], &[]),
    ("tables check", &["duru tables check", "duru tables check shop"], &[]),
    (
        "tables describe",
        &["duru tables describe shop", "duru tables describe shop --model ollama:qwen3"],
        &[],
    ),
    ("tables forget", &["duru tables forget shop"], &[]),
    ("memory", &["duru memory list", "duru memory forget --all"], &[]),
    ("memory list", &["duru memory list", "duru memory list --user kim --plain"], &[]),
    (
        "memory correct",
        &["duru memory correct fact-0123456789abcdef 7천만원"],
        &["duru memory correct fact-0123456789abcdef Mapo"],
    ),
    ("memory forget", &["duru memory forget --all --dry-run", "duru memory forget --all --user kim"], &[]),
    ("ab", &["duru ab report", "duru ab report --json"], &[]),
    ("ab report", &["duru ab report --json"], &[]),
    ("feedback", &["duru feedback --bad"], &[]),
    ("audit", &["duru audit --limit 20", "duru audit --who kim --json"], &[]),
    ("user", &["duru user erase kim --dry-run"], &[]),
    ("user erase", &["duru user erase kim --dry-run", "duru user erase kim --yes"], &[]),
    ("retention", &["duru retention --dry-run"], &[]),
    ("backup", &["duru backup duru-backup.zip"], &[]),
    ("restore", &["duru restore duru-backup.zip --dry-run", "duru restore duru-backup.zip --force"], &[]),
    ("db", &["duru db harden --print --database postgres://localhost/logs"], &[]),
    (
        "db harden",
        &["duru db harden --print", "duru db harden --apply --database postgres://localhost/logs"],
        &[],
    ),
    ("db verify", &["duru db verify --database postgres://localhost/logs"], &[]),
    ("keys", &["duru keys add kim", "duru keys list", "duru keys revoke kim"], &[]),
    ("keys add", &["duru keys add kim", "duru keys add shipper --scope ingest --per-second 10"], &[]),
    ("keys scope", &["duru keys scope kim ask,curate"], &[]),
    ("keys unlock", &["duru keys unlock"], &[]),
    ("keys list", &["duru keys list", "duru keys list --json"], &[]),
    ("keys revoke", &["duru keys revoke kim --dry-run", "duru keys revoke kim"], &[]),
    ("runs", &["duru runs dead list"], &[]),
    ("runs dead", &["duru runs dead list", "duru runs dead retry RUN"], &[]),
    ("runs dead list", &["duru runs dead list --limit 10"], &[]),
    ("runs dead show", &["duru runs dead show RUN"], &[]),
    ("runs dead retry", &["duru runs dead retry RUN"], &[]),
    ("runs dead drop", &["duru runs dead drop RUN --dry-run"], &[]),
    ("threads", &["duru threads ls", "duru threads show try", "duru threads diff try"], &[]),
    ("threads ls", &["duru threads ls", "duru threads ls --plain --limit 10"], &[]),
    ("threads show", &["duru threads show try", "duru threads show try --at 1f0c"], &[]),
    ("threads diff", &["duru threads diff try", "duru threads diff try 1f0c 9ab3"], &[]),
    ("threads fork", &["duru threads fork try 1f0c"], &[]),
    ("decisions", &["duru decisions", "duru decisions --show researcher/query_router"], &[]),
    ("fake-model", &["duru fake-model", "duru fake-model --port 8080 --script turns.jsonl"], &[]),
    ("doctor", &["duru doctor", "duru doctor --json"], &[]),
    ("config", &["duru config show --origin"], &[]),
    ("config show", &["duru config show --origin"], &[]),
    ("config trust", &["duru config trust"], &[]),
    ("config distrust", &["duru config distrust"], &[]),
    ("config path", &["duru config path"], &[]),
    ("init", &["duru init", "duru init --yes"], &[]),
    (
        "completions",
        &[
            "duru completions bash > ~/.local/share/bash-completion/completions/duru",
            "duru completions zsh > ~/.zfunc/_duru",
            "duru completions fish > ~/.config/fish/completions/duru.fish",
        ],
        &[],
    ),
    ("man", &["duru man", "duru man --dir ~/.local/share/man/man1"], &[]),
    ("sql", &["duru sql check \"select level, count(*) from logs group by level\""], &[]),
    ("sql check", &["duru sql check \"select level, count(*) from logs group by level\""], &[]),
    (
        "docs",
        &[
            "duru docs ingest manuals/",
            "duru docs search \"집주인이 보증금을 안 돌려줘요\"",
            "duru docs list",
        ],
        &[
            "duru docs ingest manuals/",
            "duru docs search \"my landlord keeps the deposit\"",
            "duru docs list",
        ],
    ),
    (
        "docs ingest",
        &["duru docs ingest manuals/ --dry-run", "duru docs ingest laws.jsonl --collection laws"],
        &[],
    ),
    ("docs list", &["duru docs list", "duru docs list --collection laws --json"], &[]),
    ("docs calibrate", &["duru docs calibrate", "duru docs calibrate --json"], &[]),
    ("docs show", &["duru docs show ID"], &[]),
    ("docs remove", &["duru docs remove ID --dry-run"], &[]),
    (
        "docs feedback",
        &["duru docs feedback ID bad \"2026년에 바뀐 조항입니다\""],
        &["duru docs feedback ID bad \"this article changed in 2026\""],
    ),
    ("docs remarks", &["duru docs remarks list", "duru docs remarks accept ID"], &[]),
    ("docs remarks list", &["duru docs remarks list", "duru docs remarks list --json"], &[]),
    ("docs remarks accept", &["duru docs remarks accept ID"], &[]),
    ("docs remarks decline", &["duru docs remarks decline ID"], &[]),
    ("docs remarks remove", &["duru docs remarks remove ID"], &[]),
    (
        "docs search",
        &["duru docs search \"집주인이 보증금을 안 돌려줘요\" --top 3"],
        &["duru docs search \"my landlord keeps the deposit\" --top 3"],
    ),
];

/// Puts them before the usage of each command.
pub(super) fn put(mut command: Command, lang: Lang) -> Command {
    below(&mut command, "", lang);
    // The list of all commands is long enough.
    command.before_help(lang.pick(
        "예: duru ask \"최근 24시간 서비스별 에러 건수\"",
        "Example: duru ask \"errors by service in the last 24 hours\"",
    ))
}

fn below(command: &mut Command, path: &str, lang: Lang) {
    for one in command.get_subcommands_mut() {
        let path = format!("{path} {}", one.get_name());
        if let Some((_, ko, en)) = ALL.iter().find(|(name, ..)| *name == path.trim_start()) {
            let chosen = lang.pick(*ko, if en.is_empty() { *ko } else { *en });
            let help = format!("{}\n  {}", lang.pick("예:", "Examples:"), chosen.join("\n  "));
            *one = std::mem::take(one).before_help(help);
        }
        // What has a place and no name comes in its order, under a title of its own.
        let mut place = 0;
        *one = std::mem::take(one).mut_args(|arg| {
            if !arg.is_positional() {
                return arg;
            }
            place += 1;
            arg.help_heading(lang.pick("인자", "Arguments")).display_order(place)
        });
        below(one, &path, lang);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Early;

    /// As a shell would: words, some in quotes, up to a redirection.
    fn words(line: &str) -> Vec<String> {
        let line = line.split(" > ").next().unwrap();
        let mut words = Vec::new();
        for (at, part) in line.split('"').enumerate() {
            match at % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        words
    }

    fn all(command: &Command, path: &str) -> Vec<String> {
        let below = command.get_subcommands().filter(|one| !one.is_hide_set());
        let mut paths: Vec<String> =
            below.flat_map(|one| all(one, &format!("{path} {}", one.get_name()))).collect();
        paths.insert(0, path.trim_start().to_owned());
        paths
    }

    fn help(path: &str, lang: Lang) -> String {
        let word = lang.pick("ko", "en");
        let args = ["duru"].into_iter().chain(path.split_whitespace()).chain([
            "--help",
            "--lang",
            word,
            "--color=never",
        ]);
        match crate::args::parse(args.map(Into::into)) {
            Err(Early::Help(text)) => text,
            _ => panic!("{path} --help is no help"),
        }
    }

    fn has_hangul(text: &str) -> bool {
        text.chars().any(|c| ('가'..='힣').contains(&c))
    }

    #[test]
    fn every_example_is_understood() {
        for lang in [Lang::Ko, Lang::En] {
            let command = crate::args::cli::command(lang);
            for line in ALL.iter().flat_map(|(_, ko, en)| ko.iter().chain(*en)) {
                let read = command.clone().try_get_matches_from(words(line));
                assert!(read.is_ok(), "{line}: {read:?}");
            }
        }
    }

    /// Also of commands that somebody adds tomorrow.
    #[test]
    fn every_help_begins_with_an_example_fits_on_a_screen_and_is_in_one_language() {
        let paths = all(&crate::args::cli::command(Lang::En), "");
        assert!(paths.len() > 50, "{paths:?}");
        for path in paths {
            for lang in [Lang::Ko, Lang::En] {
                let text = help(&path, lang);
                // The list of all commands may take a tall screen.
                let screen = if path.is_empty() { 52 } else { 44 };
                assert!(text.lines().count() <= screen, "one screen: {text}");
                for line in text.lines() {
                    assert!(crate::text::width(line) <= 100, "{path}: too wide: {line}");
                }
                let usage = text.find(lang.pick("사용법:", "Usage:"));
                let example = text.find(lang.pick("예:", "Example"));
                assert!(example.is_some() && example < usage, "examples come first: {text}");
                for word in lang.pick(
                    &["[OPTIONS]", "COMMAND", "Usage", "[default", "[possible"][..],
                    &["[default", "[possible"],
                ) {
                    assert!(!text.contains(word), "{path}: {word} in {text}");
                }
            }
        }
    }

    #[test]
    fn every_word_of_help_is_in_both_languages() {
        fn look(command: &Command, lang: Lang) {
            let about = command.get_about().map(ToString::to_string);
            let helps = command.get_arguments().filter_map(|arg| arg.get_help()).map(ToString::to_string);
            for text in about.into_iter().chain(helps) {
                // Names, and what people would type, are the same everywhere.
                let own = text.split('"').step_by(2).collect::<String>();
                assert_eq!(has_hangul(&own), lang == Lang::Ko, "{}: {text}", command.get_name());
            }
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{}: {} says nothing", command.get_name(), arg.get_id());
            }
            command.get_subcommands().for_each(|one| look(one, lang));
        }
        for lang in [Lang::Ko, Lang::En] {
            look(&crate::args::cli::command(lang), lang);
        }
    }
}
