//! `duru ask …` and `duru chat`.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::docs::{self, DocsPlace};
use super::tables::{self, TablesPlace};
use crate::lang::Lang;
use crate::settings;

/// Who is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Agent {
    /// Answers from logs.
    #[default]
    Analyst,
    /// Answers from documents.
    Researcher,
    /// Advises on homes in Korea.
    Advisor,
}

impl Agent {
    pub(crate) const ALL: [Self; 3] = [Self::Analyst, Self::Researcher, Self::Advisor];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Analyst => "analyst",
            Self::Researcher => "researcher",
            Self::Advisor => "advisor",
        }
    }

    pub(crate) fn named(name: Option<&str>) -> Option<Self> {
        Self::ALL.into_iter().find(|known| name == Some(known.name()))
    }
}

/// Asking an agent.
#[derive(Debug, Default, Clone)]
pub(crate) struct AskArgs {
    pub(crate) agent: Agent,
    /// None in a chat, which asks for them one by one, and when an earlier one is gone on with.
    pub(crate) question: Option<String>,
    /// A query to run instead.
    pub(crate) run: Option<String>,
    pub(crate) thread: Option<String>,
    pub(crate) logs: Option<String>,
    pub(crate) tables: TablesPlace,
    pub(crate) documents: DocsPlace,
    pub(crate) timezone: Option<String>,
    pub(crate) rows: Option<u32>,
    pub(crate) now: Option<String>,
    /// Answers to what is asked back, as `field=value`.
    pub(crate) answers: Vec<String>,
    pub(crate) show: Show,
    pub(crate) no_input: bool,
    /// What the example asks is answered with yes.
    pub(crate) yes: bool,
    /// How long an answer may take.
    pub(crate) limit: Option<Duration>,
}

/// What of an answer is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Show {
    #[default]
    All,
    /// The query alone, which is not run.
    Sql,
    Csv,
}

pub(super) fn logs(lang: Lang) -> Arg {
    Arg::new("logs").long("logs").value_name("PATH|URL").help(lang.pick(
        "로그: 폴더, postgres://·s3:// URL, 읽을 로그 파일 (DURU_LOGS)",
        "Logs: a folder, files, postgres:// or s3:// URL (DURU_LOGS)",
    ))
}

fn common(command: Command, lang: Lang) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let option = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    command
        .arg(
            option("agent", "WHO").value_parser(Agent::ALL.map(Agent::name)).hide_possible_values(true).help(
                say(
                    "로그는 analyst(기본), 문서는 researcher, 부동산은 advisor",
                    "analyst: logs (usual), researcher: documents, advisor: homes",
                ),
            ),
        )
        .arg(
            option("thread", "NAME")
                .help(say("이 이름의 대화를 잇거나 시작합니다", "Continue this conversation, or begin it")),
        )
        .arg(logs(lang))
        .args(tables::place(lang))
        .args(docs::place(lang))
        .arg(option("timezone", "NAME").help(say(
            "오늘, 어제를 세는 시간대 (기본: 이 컴퓨터의 것)",
            "The time zone of today and yesterday (that of this machine)",
        )))
        .arg(
            option("rows", "N")
                .value_parser(value_parser!(u32).range(1..=10_000))
                .help(say("많아야 이만큼 보여 줍니다 (기본 100)", "Show at most this many rows (100)")),
        )
        .arg(
            option("now", "TIME")
                .help(say("지금을 이 시각으로 봅니다 (ISO 8601)", "The current time to assume (ISO 8601)")),
        )
        .arg(timeout(lang))
}

fn timeout(lang: Lang) -> Arg {
    Arg::new("timeout")
        .long("timeout")
        .value_name("SECONDS")
        .value_parser(value_parser!(u64).range(1..=86_400))
        .help(lang.pick(
            "답이 이보다 오래 걸리면 멈춥니다 (종료 코드 124)",
            "Stop if an answer takes longer than this (exit code 124)",
        ))
}

pub(super) fn resume(command: Command, lang: Lang) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    command
        .about(say(
            "멈추었거나 답을 기다리는 대화를 이어 갑니다",
            "Continue a conversation that was stopped or waits for an answer",
        ))
        .arg(Arg::new("thread").value_name("ID").help(say(
            "스레드 이름 (기본: 끝나지 않은 것 가운데 가장 최근 것)",
            "The thread's name (the latest that is unfinished)",
        )))
        .arg(logs(lang))
        .args(tables::place(lang))
        .args(docs::place(lang))
        .arg(timeout(lang))
        .arg(switch("yes").short('y').conflicts_with("no-input").help(say(
            "묻지 않고 예라고 답합니다 (상담사의 초안, 예제)",
            "Answer yes without asking (the advisor's draft, the example)",
        )))
}

pub(super) fn ask(command: Command, lang: Lang) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let switch = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let command = command
        .before_help(say(
            "예:\n  duru ask \"최근 24시간 서비스별 에러 건수\"\n  duru ask --agent researcher \"임차권등기명령은 언제 신청할 수 있나요?\"\n  duru ask \"오늘 에러\" --jsonl | jq .",
            "Examples:\n  duru ask \"errors by service in the last 24 hours\"\n  duru ask --agent researcher \"how do I bring my own logs?\"\n  duru ask \"errors today\" --jsonl | jq .",
        ))
        .about(say("로그나 문서에 관해 말로 묻습니다", "Ask your logs or documents in plain words"))
        .arg(Arg::new("question").value_name("QUESTION").num_args(0..).required_unless_present("run").help(
            say("예: \"최근 1시간 서비스별 에러 건수\"", "Such as \"errors by service in the last hour\""),
        ))
        .arg(Arg::new("run").long("run").value_name("SQL").conflicts_with("question").help(say(
            "질문 대신 이 SQL을 같은 검사를 거쳐 실행합니다",
            "Run this query instead, through the same guard",
        )))
        .arg(Arg::new("answer").long("answer").value_name("FIELD=VALUE").action(ArgAction::Append).help(say(
            "되물을 때의 답 (예: service=payment-api)",
            "What to answer when asked back (such as service=payment-api)",
        )))
        .arg(switch("sql").conflicts_with("csv").help(say("SQL만 보여 줍니다", "Show the query alone")))
        .arg(switch("csv").help(say("행을 CSV로 출력합니다", "Print the rows as CSV")));
    common(command, lang)
}

pub(super) fn chat(command: Command, lang: Lang) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let command = command.before_help(say(
        "예:\n  duru chat\n  duru chat --agent advisor --thread 이사\n\n줄 바꿈은 Alt-Enter나 줄 끝의 \\, 앞의 질문은 ↑, 그만두려면 Ctrl-D, 명령은 /help",
        "Examples:\n  duru chat\n  duru chat --agent advisor --thread moving\n\nAlt-Enter or a final \\ breaks a line, ↑ has earlier questions, Ctrl-D ends it, /help lists commands",
    ));
    common(command.about(say("로그나 문서와 대화합니다", "Talk with your logs or documents")), lang)
}

pub(super) fn read(matches: &ArgMatches) -> AskArgs {
    // A chat has fewer options than a question, and going on has fewer still.
    let flag = |name: &str| matches.try_get_one::<bool>(name).ok().flatten().copied().unwrap_or_default();
    let text = |name: &str| matches.try_get_one::<String>(name).ok().flatten().cloned();
    let all = |name: &str| -> Vec<String> {
        matches.try_get_many::<String>(name).ok().flatten().into_iter().flatten().cloned().collect()
    };
    let words = all("question");
    let agent = text("agent");
    AskArgs {
        agent: Agent::named(agent.as_deref()).unwrap_or_default(),
        documents: docs::read_place(matches),
        question: (!words.is_empty()).then(|| words.join(" ")),
        run: text("run"),
        thread: text("thread"),
        logs: text("logs").or_else(|| settings::get("DURU_LOGS")).filter(|place| !place.is_empty()),
        tables: tables::read(matches),
        timezone: text("timezone"),
        rows: matches.try_get_one("rows").ok().flatten().copied(),
        now: text("now"),
        answers: all("answer"),
        show: match (flag("sql"), flag("csv")) {
            (true, _) => Show::Sql,
            (_, true) => Show::Csv,
            _ => Show::All,
        },
        no_input: flag("no-input"),
        yes: flag("yes"),
        limit: matches.try_get_one("timeout").ok().flatten().copied().map(Duration::from_secs),
    }
}
