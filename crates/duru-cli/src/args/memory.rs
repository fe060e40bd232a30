//! `duru memory` and `duru ab`: their arguments.

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};

use super::text;
use crate::lang::Lang;

/// Whose memory, where nobody is named.
pub(crate) const LOCAL_USER: &str = "local";

#[derive(Debug)]
pub(crate) struct MemoryArgs {
    pub(crate) user: String,
    /// Only what would be forgotten is said.
    pub(crate) dry_run: bool,
    pub(crate) action: MemoryAction,
}

#[derive(Debug)]
pub(crate) enum MemoryAction {
    List,
    /// A fact's id, and what it is from now on.
    Correct {
        id: String,
        to: String,
    },
    Forget(String),
    ForgetAll,
}

pub(super) fn commands(lang: Lang, base: impl Fn(&'static str) -> Command) -> [Command; 2] {
    let say = |ko, en| lang.pick(ko, en);
    let user = || {
        Arg::new("user")
            .long("user")
            .value_name("NAME")
            .default_value(LOCAL_USER)
            .hide_default_value(true)
            .help(say("누구의 기억인지 (기본 local)", "Whose memory (local)"))
    };
    let list = base("list")
        .about(say(
            "기억하는 것: 최근 대화, 요약, 알게 된 사실",
            "What is remembered: recent exchanges, summaries, facts",
        ))
        .arg(user());
    let forget =
        base("forget")
            .about(say("하나를 잊거나 모두 잊습니다", "Forget one thing, or everything"))
            .arg(Arg::new("id").value_name("ID").help(say(
                "잊을 것 (`memory list`가 보여 줍니다)",
                "What to forget, as `memory list` shows it",
            )))
            .arg(Arg::new("all").long("all").action(ArgAction::SetTrue).help(say("모두", "Everything")))
            .group(ArgGroup::new("what").args(["id", "all"]).required(true))
            .arg(user())
            .arg(super::mode::dry_run(lang));
    let correct = base("correct")
        .about(say("기억하는 사실 하나를 고칩니다", "Correct a remembered fact"))
        .arg(
            Arg::new("id")
                .value_name("ID")
                .required(true)
                .help(say("고칠 사실 (`memory list`가 보여 줍니다)", "The fact, as `memory list` shows it")),
        )
        .arg(Arg::new("value").value_name("VALUE").required(true).help(say(
            "맞는 값 (예: 7천만원, 마포구, 전세)",
            "What is right, such as '70 million won', Mapo, jeonse",
        )))
        .arg(user());
    let memory = base("memory")
        .about(say(
            "상담사가 기억하는 것을 보고 고치고 지웁니다",
            "List, correct and delete what the advisor remembers",
        ))
        .subcommand_required(true)
        .subcommand(list)
        .subcommand(correct)
        .subcommand(forget);
    let report = base("report").about(say(
        "재사용 판단의 성적: 변형 A(관문 1만)와 B(모든 관문)",
        "How decisions about reuse did: variant A (gate 1 alone) and B (all gates)",
    ));
    let ab = base("ab")
        .about(say("상담사의 재사용 판단을 견줍니다", "Compare the advisor's decisions about reuse"))
        .subcommand_required(true)
        .subcommand(report);
    [memory, ab]
}

pub(super) fn read(memory: &ArgMatches) -> MemoryArgs {
    let Some((name, matches)) = memory.subcommand() else {
        let user = LOCAL_USER.to_owned();
        return MemoryArgs { user, dry_run: false, action: MemoryAction::List };
    };
    let action = match name {
        "correct" => MemoryAction::Correct {
            id: text(matches, "id").unwrap_or_default(),
            to: text(matches, "value").unwrap_or_default(),
        },
        "forget" => text(matches, "id").map_or(MemoryAction::ForgetAll, MemoryAction::Forget),
        _ => MemoryAction::List,
    };
    let dry_run = name == "forget" && matches.get_flag("dry-run");
    MemoryArgs { user: text(matches, "user").unwrap_or_default(), dry_run, action }
}
