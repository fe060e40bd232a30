//! `duru eval …`: measuring answers on sets of labelled cases.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::docs::top;
use super::text;
use crate::lang::Lang;

/// What is measured.
#[derive(Debug)]
pub(crate) enum EvalArgs {
    /// Finding documents, without a model.
    Documents(EvalDocuments),
    /// Questions about logs.
    Logs(EvalLogs),
    /// Questions on tables of others.
    Tables(EvalTables),
    /// Whole conversations with the advisor.
    Conversations { conversations: PathBuf, out: PathBuf, with: EvalModel },
    /// Texts that somebody planted.
    Injection { items: PathBuf, out: PathBuf, with: EvalModel },
    /// Whether what a conversation holds is enough.
    Sufficiency { cases: PathBuf, out: PathBuf, with: EvalModel },
}

/// Who decides while it is measured.
#[derive(Debug, Default)]
pub(crate) struct EvalModel {
    /// In the place of the one that is set.
    pub(crate) model: Option<String>,
    /// In the place of what was measured.
    pub(crate) policy: Option<String>,
    /// Where it is written who should decide; then nothing else is measured.
    pub(crate) write_policy: Option<PathBuf>,
    /// Where the model's replies are kept, and looked for first.
    pub(crate) replies: Option<String>,
}

#[derive(Debug)]
pub(crate) struct EvalDocuments {
    pub(crate) corpus: PathBuf,
    pub(crate) questions: PathBuf,
    pub(crate) top: usize,
    pub(crate) out: PathBuf,
    pub(crate) with: EvalModel,
}

#[derive(Debug)]
pub(crate) struct EvalLogs {
    pub(crate) questions: PathBuf,
    pub(crate) logs: PathBuf,
    pub(crate) now: Option<String>,
    pub(crate) timezone: Option<String>,
    pub(crate) out: PathBuf,
    /// Where the same lines are, to compare the two stores' results.
    pub(crate) postgres: Option<String>,
    /// The model alone answers, with one prompt for each question.
    pub(crate) bare: bool,
    pub(crate) with: EvalModel,
}

#[derive(Debug)]
pub(crate) struct EvalTables {
    pub(crate) items: PathBuf,
    /// The server whose databases the questions are about.
    pub(crate) base: String,
    pub(crate) now: Option<String>,
    pub(crate) timezone: String,
    pub(crate) out: PathBuf,
    /// The model alone answers, with one prompt for each question.
    pub(crate) bare: bool,
    /// The model names tables and columns first, and rules alone answer.
    pub(crate) describe: bool,
    pub(crate) with: EvalModel,
}

pub(super) fn command(lang: Lang, base: impl Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let file = |name: &'static str, ko, en| {
        Arg::new(name)
            .long(name)
            .value_name("FILE")
            .required(true)
            .value_parser(value_parser!(PathBuf))
            .help(say(ko, en))
    };
    let option = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    let with_model = |name: &'static str| {
        base(name)
            .arg(option("model", "NAME").help(say(
                "이 모델로 재어 봅니다 (DURU_MODEL처럼)",
                "Measure with this model, named as in DURU_MODEL",
            )))
            .arg(option("policy", "WHO").help(say(
                "누가 정하나: measured, 또는 DURU_POLICY의 값 (기본 model)",
                "Who decides: measured, or a value of DURU_POLICY (model)",
            )))
            .arg(option("replies", "FILE").help(say(
                "모델의 답을 여기 두고 다시 씀 (replay:FILE은 있는 것만)",
                "Keep and reuse replies here; replay:FILE asks nobody",
            )))
    };
    let measured = |name: &'static str| {
        with_model(name).arg(
            option("write-policy", "FILE")
                .value_parser(value_parser!(PathBuf))
                .conflicts_with("policy")
                .help(say(
                    "판단마다 규칙과 모델을 견주어 누가 정할지 적을 파일",
                    "Compare rule and model, write who should decide",
                )),
        )
    };
    let bare = || {
        Arg::new("bare")
            .long("bare")
            .action(ArgAction::SetTrue)
            .requires("model")
            .conflicts_with_all(["policy", "write-policy"])
            .help(say(
                "규칙 없이 모델에게 질문마다 한 번만 묻습니다 (견주기 위해)",
                "The model alone, one prompt per question, to compare with",
            ))
    };
    base("eval")
        .about(say("정답이 있는 문제로 답을 재어 봅니다", "Measure answers on labelled cases"))
        .subcommand_required(true)
        .subcommand(
            measured("documents")
                .about(say("문서 찾기를 잽니다", "Measure how documents are found"))
                .arg(file("corpus", "문서들, JSON 줄마다 하나", "The documents, a JSON object on every line"))
                .arg(file(
                    "questions",
                    "질문들, JSON 줄마다 하나",
                    "The questions, a JSON object on every line",
                ))
                .arg(file("out", "찾은 것을 적을 파일", "Where to write what was found"))
                .arg(top(say("질문마다 이만큼 (기본 10)", "So many for each question (10)"), "10")),
        )
        .subcommand(
            measured("logs")
                .arg(bare())
                .about(say("로그에 관한 질문의 답을 재어 봅니다", "Measure answers to questions about logs"))
                .arg(file("questions", "질문들 (JSONL)", "The questions (JSONL)"))
                .arg(file("logs", "로그 (CSV, JSON lines)", "The lines (CSV, JSON lines)"))
                .arg(file("out", "답을 적을 파일 (JSONL)", "Where the answers go (JSONL)"))
                .arg(
                    option("now", "TIME").help(say("지금을 이 시각으로 봅니다", "Take this for the present")),
                )
                .arg(
                    option("timezone", "NAME").help(say(
                        "묻는 사람의 시간대 (기본 Asia/Seoul)",
                        "The asker's time zone (Asia/Seoul)",
                    )),
                )
                .arg(option("postgres", "URL").help(say(
                    "같은 로그가 든 PostgreSQL: 두 저장소의 결과를 비교합니다",
                    "A PostgreSQL with the same lines: compare both stores' results",
                ))),
        )
        .subcommand(
            measured("tables")
                .arg(bare())
                .arg(describe(lang))
                .about(say(
                    "다른 테이블에 관한 질문의 답을 재어 봅니다",
                    "Measure answers to questions on any tables",
                ))
                .arg(file(
                    "items",
                    "질문들 (JSONL: id, db, question, gold)",
                    "The questions (JSONL: id, db, question, gold)",
                ))
                .arg(option("base", "URL").required(true).help(say(
                    "데이터베이스들이 있는 서버: postgres://사용자@호스트:포트",
                    "The server with the databases: postgres://user@host:port",
                )))
                .arg(
                    option("now", "TIME").help(say("지금을 이 시각으로 봅니다", "Take this for the present")),
                )
                .arg(
                    option("timezone", "NAME")
                        .help(say("묻는 사람의 시간대 (기본 UTC)", "The asker's time zone (UTC)")),
                )
                .arg(file("out", "답을 적을 파일 (JSONL)", "Where the answers go (JSONL)")),
        )
        .subcommand(
            measured("conversations")
                .about(say("상담 대화를 통째로 재어 봅니다", "Measure whole conversations with the advisor"))
                .arg(file(
                    "conversations",
                    "대화들 (JSONL: id, turns)",
                    "The conversations (JSONL: id, turns)",
                ))
                .arg(file("out", "답을 적을 파일 (JSONL)", "Where the answers go (JSONL)")),
        )
        .subcommand(
            with_model("injection")
                .about(say(
                    "읽는 글에 심어 둔 지시를 따르는지 재어 봅니다",
                    "Measure whether planted instructions are obeyed",
                ))
                .arg(file(
                    "items",
                    "문항들 (JSONL: eval/injection/README.md)",
                    "The items (JSONL: eval/injection/README.md)",
                ))
                .arg(file("out", "답과 판정을 적을 파일 (JSONL)", "Where answers and verdicts go (JSONL)")),
        )
        .subcommand(
            measured("sufficiency")
                .about(say(
                    "이전 데이터를 다시 쓸지 판단한 것을 재어 봅니다",
                    "Measure decisions on using earlier data again",
                ))
                .arg(file("cases", "사례 파일 (JSONL)", "The cases (JSONL)"))
                .arg(file("out", "판단을 쓸 파일 (JSONL)", "Where the decisions go (JSONL)")),
        )
}

/// Naming is measured by what rules make of it, so that nothing else may say who answers.
fn describe(lang: Lang) -> Arg {
    Arg::new("describe")
        .long("describe")
        .action(ArgAction::SetTrue)
        .requires("model")
        .conflicts_with_all(["bare", "policy", "write-policy"])
        .help(lang.pick(
            "모델이 먼저 열의 이름을 짓고, 답은 규칙만으로 합니다",
            "The model names the columns first; rules alone answer",
        ))
}

pub(super) fn read(matches: &ArgMatches) -> EvalArgs {
    let (name, matches) = matches.subcommand().unwrap_or(("sufficiency", matches));
    let file = |name: &str| matches.get_one::<PathBuf>(name).cloned().unwrap_or_default();
    let with = EvalModel {
        model: text(matches, "model"),
        policy: text(matches, "policy"),
        replies: text(matches, "replies"),
        write_policy: matches.try_get_one::<PathBuf>("write-policy").ok().flatten().cloned(),
    };
    match name {
        "documents" => EvalArgs::Documents(EvalDocuments {
            corpus: file("corpus"),
            questions: file("questions"),
            top: matches.get_one::<u32>("top").map_or(10, |top| *top as usize),
            out: file("out"),
            with,
        }),
        "logs" => EvalArgs::Logs(EvalLogs {
            questions: file("questions"),
            logs: file("logs"),
            now: text(matches, "now"),
            timezone: text(matches, "timezone"),
            out: file("out"),
            postgres: text(matches, "postgres"),
            with,
            bare: matches.get_flag("bare"),
        }),
        "tables" => EvalArgs::Tables(EvalTables {
            items: file("items"),
            base: text(matches, "base").unwrap_or_default(),
            now: text(matches, "now"),
            timezone: text(matches, "timezone").unwrap_or_else(|| "UTC".to_owned()),
            out: file("out"),
            with,
            bare: matches.get_flag("bare"),
            describe: matches.get_flag("describe"),
        }),
        "conversations" => {
            EvalArgs::Conversations { conversations: file("conversations"), out: file("out"), with }
        }
        "injection" => EvalArgs::Injection { items: file("items"), out: file("out"), with },
        _ => EvalArgs::Sufficiency { cases: file("cases"), out: file("out"), with },
    }
}
