//! `decisions`, `fake-model` and `doctor`.

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::cli::base;
use super::{Action, text};
use crate::lang::Lang;

pub(super) fn commands(lang: Lang) -> [Command; 3] {
    let say = |ko, en| lang.pick(ko, en);
    let decisions = base("decisions", lang)
        .about(say(
            "모델에게 맡기는 판단의 목록: 프롬프트, 한도, 규칙, 누가 답했는지",
            "List what models decide: prompts, limits, rules, and who answered",
        ))
        .arg(Arg::new("show").long("show").value_name("NAME").help(say(
            "이 판단의 프롬프트를 예시 입력으로 채워 보여 줍니다",
            "Show this decision's prompt, filled with an example",
        )));
    let fake_model = base("fake-model", lang)
        .about(say(
            "가짜 모델 서버를 띄웁니다: 두 가지 형식으로, 시키는 대로 답하고 고장 납니다",
            "Run a fake model server with scripted replies and faults, in both formats",
        ))
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .value_parser(value_parser!(u16))
                .default_value("0")
                .hide_default_value(true)
                .help(say("포트 (기본 0: 빈 포트)", "The port (0: any that is free)")),
        )
        .arg(Arg::new("script").long("script").value_name("FILE").help(say(
            "줄마다 {\"says\": \"…\"}나 {\"fails\": \"hang\"}; 없으면 따라 말함",
            "A line: {\"says\": \"…\"} or {\"fails\": \"hang\"}; else it repeats",
        )));
    let doctor = base("doctor", lang)
        .about(say(
            "설정, 모델, 저장소, 디스크, 터미널을 점검하고 고치는 법을 말합니다",
            "Check settings, model, stores, disk and terminal, and say what to do",
        ))
        .arg(Arg::new("offline").long("offline").action(ArgAction::SetTrue).help(say(
            "모델에게 물어보지 않습니다 (물어보면 토큰 몇 개가 듭니다)",
            "Do not ask the model (asking costs a few tokens)",
        )));
    [decisions, fake_model, doctor]
}

pub(super) fn read(name: &str, matches: &ArgMatches) -> Option<Action> {
    Some(match name {
        "decisions" => Action::Decisions { show: text(matches, "show") },
        "fake-model" => Action::FakeModel {
            port: matches.get_one::<u16>("port").copied().unwrap_or_default(),
            script: text(matches, "script"),
        },
        "doctor" => Action::Doctor { offline: matches.get_flag("offline") },
        _ => return None,
    })
}
