//! `duru keys …`.

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use duru_server::{KeyScope, KeyScopes};

use super::text;
use crate::lang::Lang;

#[derive(Debug)]
pub(crate) enum KeysAction {
    Add {
        name: String,
        per_second: Option<u32>,
        largest_body: Option<u64>,
        at_once: Option<u32>,
        scopes: KeyScopes,
        /// The tables, or sources of tables, that it may ask about; none for all.
        tables: Option<Vec<String>>,
    },
    List,
    /// By its id, or all of a name.
    Scope {
        which: String,
        scopes: KeyScopes,
    },
    /// No keys are wanted any more.
    Unlock,
    /// By its id, or all of a name.
    Revoke {
        which: String,
        dry_run: bool,
    },
}

pub(super) fn command(lang: Lang, command: &dyn Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    command("keys")
        .about(say(
            "서버의 API 키를 만들고 거둡니다; 하나라도 있으면 키 없이는 쓸 수 없습니다",
            "Manage a server's API keys; once there is one, requests need one",
        ))
        .subcommand_required(true)
        .subcommand(
            command("add")
                .about(say("키를 만들고 한 번만 보여 줍니다", "Create a key and show it once"))
                .arg(Arg::new("name").required(true).value_name("NAME").help(say(
                    "누구의 키인지; 이 키로 만든 것은 이 이름의 것입니다",
                    "Whose key it is; what is made with it belongs to this name",
                )))
                .arg(
                    Arg::new("per-second")
                        .long("per-second")
                        .value_name("N")
                        .value_parser(value_parser!(u32).range(1..))
                        .help(say("1초에 받을 요청 수 (기본 100)", "Requests a second (100)")),
                )
                .arg(
                    Arg::new("largest-body")
                        .long("largest-body")
                        .value_name("BYTES")
                        .value_parser(value_parser!(u64).range(1..))
                        .help(say("요청 본문의 최대 크기", "The largest body of a request")),
                )
                .arg(
                    Arg::new("at-once")
                        .long("at-once")
                        .value_name("N")
                        .value_parser(value_parser!(u32).range(1..))
                        .help(say(
                            "한꺼번에 열어 둘 수 있는 답(스트림, 소켓)의 수 (기본 1000)",
                            "Answers that may be open at once: streams, sockets (1000)",
                        )),
                )
                .arg(scopes(lang).long("scope"))
                .arg(
                    Arg::new("tables")
                        .long("tables")
                        .value_name("NAME,…")
                        .value_delimiter(',')
                        .num_args(1)
                        .help(say(
                            "물을 수 있는 테이블이나 테이블 소스, 쉼표로 (기본 모두)",
                            "Tables, or sources of tables, it may ask about (all)",
                        )),
                )
                .arg(
                    Arg::new("admin").long("admin").action(ArgAction::SetTrue).conflicts_with("scope").help(
                        say(
                            "무엇이든 할 수 있는 키 (--scope administer)",
                            "Good for everything (--scope administer)",
                        ),
                    ),
                ),
        )
        .subcommand(
            command("list").about(say("키 목록 (비밀은 빼고)", "List the keys, without their secrets")),
        )
        .subcommand(
            command("scope")
                .about(say("키의 권한을 바꿉니다", "Change the scopes of a key"))
                .arg(which(lang))
                .arg(scopes(lang).required(true)),
        )
        .subcommand(command("unlock").about(say(
            "남은 키가 없을 때, 이 컴퓨터에서 다시 키 없이 쓰게 합니다",
            "With no key left: let this machine ask without one again",
        )))
        .subcommand(
            command("revoke")
                .about(say(
                    "키를 거둡니다; 1초 안에 쓸 수 없게 됩니다",
                    "Revoke a key; it ends within a second",
                ))
                .arg(which(lang))
                .arg(super::mode::dry_run(lang)),
        )
}

fn which(lang: Lang) -> Arg {
    Arg::new("key").required(true).value_name("ID|NAME").help(lang.pick(
        "`keys list`의 이름표, 또는 이름 (그 이름의 키 모두)",
        "Its id as `keys list` shows it, or a name: all keys of that",
    ))
}

fn scopes(lang: Lang) -> Arg {
    Arg::new("scope")
        .value_name("SCOPE,…")
        .value_delimiter(',')
        .num_args(1)
        .value_parser(KeyScope::ALL.map(KeyScope::word))
        .hide_possible_values(true)
        .help(lang.pick(
            "권한, 쉼표로: ingest, ask(기본), curate, operate, administer",
            "Good for: ingest, ask (usual), curate, operate, administer",
        ))
}

fn read_scopes(matches: &ArgMatches) -> KeyScopes {
    let given = matches.get_many::<String>("scope").map(|words| words.collect::<Vec<_>>());
    match given {
        Some(words) => KeyScopes::of(words.into_iter().filter_map(|word| KeyScope::from_word(word))),
        None => KeyScopes::default(),
    }
}

pub(super) fn read(matches: &ArgMatches) -> KeysAction {
    match matches.subcommand() {
        Some(("add", add)) => KeysAction::Add {
            name: text(add, "name").unwrap_or_default(),
            per_second: add.get_one::<u32>("per-second").copied(),
            largest_body: add.get_one::<u64>("largest-body").copied(),
            at_once: add.get_one::<u32>("at-once").copied(),
            scopes: if add.get_flag("admin") { KeyScopes::ALL } else { read_scopes(add) },
            tables: add.get_many::<String>("tables").map(|names| names.cloned().collect()),
        },
        Some(("scope", scope)) => {
            KeysAction::Scope { which: text(scope, "key").unwrap_or_default(), scopes: read_scopes(scope) }
        }
        Some(("unlock", _)) => KeysAction::Unlock,
        Some(("revoke", revoke)) => KeysAction::Revoke {
            which: text(revoke, "key").unwrap_or_default(),
            dry_run: revoke.get_flag("dry-run"),
        },
        _ => KeysAction::List,
    }
}
