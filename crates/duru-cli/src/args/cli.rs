//! Commands, options and their help in both languages.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, value_parser};

use super::models;
use crate::demo::Verdict;
use crate::lang::Lang;

pub(super) fn command(lang: Lang) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let global = |name: &'static str| Arg::new(name).long(name).global(true);
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let command = |name: &'static str| base(name, lang);
    let demo = command("demo")
        .about(say(
            "예제 그래프를 그리고 실행하고 그 기록을 보여 줍니다",
            "Draw the example graph, run it, show its history",
        ))
        .arg(Arg::new("thread").long("thread").value_name("NAME").help(say(
            "이 이름의 스레드를 씁니다; 멈춘 곳이 있으면 이어 갑니다",
            "Use this thread; if it is unfinished, go on where it stopped",
        )))
        .arg(
            Arg::new("topic")
                .long("topic")
                .value_name("TEXT")
                .help(say("글의 주제", "What the article is about")),
        )
        .arg(
            switch("yes")
                .short('y')
                .conflicts_with("no-input")
                .help(say("묻지 않고 예라고 답합니다", "Answer yes without asking")),
        )
        .arg(
            Arg::new("answer")
                .long("answer")
                .value_parser(PossibleValuesParser::new(Verdict::WORDS))
                .hide_possible_values(true)
                .value_name("publish|revise|hold")
                .conflicts_with_all(["yes", "no-input"])
                .help(say("첫 질문에 이렇게 답합니다", "Answer the first question so")),
        )
        .arg(
            Arg::new("pace")
                .long("pace")
                .value_name("MS")
                .value_parser(value_parser!(u64).range(..=3_600_000))
                .default_value("0")
                .hide_default_value(true)
                .help(say(
                    "노드마다 이만큼(밀리초) 쉽니다: 도중에 끊어 보기 좋습니다",
                    "Let each node take so many milliseconds: time to kill it",
                )),
        )
        .subcommand(
            command("reset")
                .about(say(
                    "견본 로그와 문서, 예제의 스레드를 처음처럼 되돌립니다",
                    "Put the sample logs, the sample documents and the example's threads back to their beginning",
                ))
                .args(super::mode::args(lang)),
        );
    let id = || Arg::new("id").required(true).value_name("ID").help(say("스레드 이름", "The thread's name"));
    let checkpoint = |name: &'static str, ko, en| Arg::new(name).value_name("CHECKPOINT").help(say(ko, en));
    let threads = command("threads")
        .about(say("저장소의 스레드를 보고 되돌립니다", "Inspect the threads of a store, and roll back"))
        .subcommand_required(true)
        .subcommand(
            command("ls").about(say("스레드 목록, 최근 것부터", "List the threads, the latest first")).arg(
                Arg::new("limit")
                    .long("limit")
                    .value_name("N")
                    .value_parser(value_parser!(u32).range(1..=100_000))
                    .default_value("50")
                    .hide_default_value(true)
                    .help(say("많아야 이만큼 (기본 50)", "At most so many (50)")),
            ),
        )
        .subcommand(
            command("show")
                .about(say("스레드 하나의 상태와 체크포인트", "One thread's state and checkpoints"))
                .arg(id())
                .arg(
                    checkpoint("at", "그때의 상태와 작업", "The state and the tasks as they were there")
                        .long("at"),
                ),
        )
        .subcommand(
            command("diff")
                .about(say("두 체크포인트 사이에 바뀐 것", "What changed between two checkpoints"))
                .arg(id())
                .arg(checkpoint("from", "앞의 것 (기본: 끝에서 둘째)", "The earlier one (the last but one)"))
                .arg(checkpoint("to", "뒤의 것 (기본: 마지막)", "The later one (the last)")),
        )
        .subcommand(
            command("fork")
                .about(say(
                    "체크포인트로 되돌립니다; 그 뒤의 기록은 남습니다",
                    "Go back to a checkpoint; what came after it stays in the log",
                ))
                .arg(id())
                .arg(checkpoint("checkpoint", "되돌아갈 곳", "Where to go back to").required(true))
                .arg(switch("yes").short('y').help(say("묻지 않습니다", "Do not ask"))),
        );
    let all = command("duru")
        .bin_name("duru")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        // The list of all commands is long enough.
        .help_template(template(lang).replacen("{about}\n\n", "{about}\n", 1))
        .about(say("두루: 중단되어도 이어지는 그래프", "Duru: graphs that survive a crash"))
        .subcommand(super::ask::ask(base("ask", lang), lang))
        .subcommand(super::ask::chat(base("chat", lang), lang))
        .subcommand(super::ask::resume(base("resume", lang), lang))
        .subcommand(demo)
        .subcommand(super::eval::command(lang, command))
        .subcommand(super::graph::command(lang, &command))
        .subcommand(super::serve::command(lang, &command))
        .subcommand(super::logs::command(&command, lang))
        .subcommand(super::tables::command(lang, &command))
        .subcommands(super::memory::commands(lang, command))
        .subcommand(super::feedback::command(lang, &command))
        .subcommand(super::audit::command(lang, &command))
        .subcommands(super::data::commands(lang, command))
        .subcommand(super::db::command(&command, lang))
        .subcommand(super::keys::command(lang, &command))
        .subcommand(super::runs::command(lang, &command))
        .subcommand(threads)
        .subcommands(models::commands(lang))
        .subcommands(super::config::commands(lang))
        .subcommand(super::sql::command(lang, |name| base(name, lang)))
        .subcommand(super::docs::command(lang, &command))
        .arg(global("store").value_name("FILE|URL").help(say(
            "스레드의 저장소: 파일이나 postgres:// URL (DURU_STORE)",
            "The store of threads: a file or a postgres:// URL (DURU_STORE)",
        )))
        .args(super::tell::options(lang))
        .arg(global("lang").value_name("ko|en").value_parser(["ko", "en"]).hide_possible_values(true).help(
            say(
                "언어 (DURU_LANG, 없으면 LC_ALL이나 LANG에 따름)",
                "The language (DURU_LANG, else by LC_ALL or LANG)",
            ),
        ))
        .arg(global("help").short('h').action(ArgAction::Help).help(say("이 도움말", "This text")))
        .arg(
            Arg::new("version")
                .long("version")
                .short('V')
                .action(ArgAction::Version)
                .help(say("버전", "The version")),
        );
    super::examples::put(all, lang)
}

/// A command with nothing in it yet.
pub(super) fn base(name: &'static str, lang: Lang) -> Command {
    Command::new(name)
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .help_template(template(lang))
        .next_help_heading(lang.pick("옵션", "Options"))
        .subcommand_help_heading(lang.pick("명령", "Commands"))
        .subcommand_value_name(lang.pick("명령", "COMMAND"))
}

/// What the process ends with, and when.
pub(crate) fn exit_codes(lang: Lang) -> [&'static str; 2] {
    lang.pick(
        [
            "종료 코드: 0 성공 · 1 실패 · 2 잘못된 인자 · 3 설정이나 인증 · 4 거절된 조회 ·",
            "5 저장소나 서비스를 쓸 수 없음 · 6 답을 기다림 · 124 시간 초과 · 130 중단 (Ctrl-C)",
        ],
        [
            "Exit codes: 0 ok · 1 failed · 2 usage · 3 configuration or key · 4 query refused ·",
            "5 store or service unavailable · 6 waits for an answer · 124 timeout · 130 interrupted",
        ],
    )
}

fn template(lang: Lang) -> String {
    let usage = lang.pick("사용법", "Usage");
    let [first, second] = exit_codes(lang);
    format!("{{about}}\n\n{{before-help}}{usage}: {{usage}}\n\n{{all-args}}\n{first}\n  {second}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_are_well_formed_in_both_languages() {
        command(Lang::Ko).debug_assert();
        command(Lang::En).debug_assert();
    }
}
