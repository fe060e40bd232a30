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
    let memory = base("memory")
        .about(say(
            "상담사가 기억하는 것을 보고 지웁니다",
            "Look at what the advisor remembers, and delete it",
        ))
        .subcommand_required(true)
        .subcommand(list)
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
        "forget" => text(matches, "id").map_or(MemoryAction::ForgetAll, MemoryAction::Forget),
        _ => MemoryAction::List,
    };
    let dry_run = name == "forget" && matches.get_flag("dry-run");
    MemoryArgs { user: text(matches, "user").unwrap_or_default(), dry_run, action }
}
