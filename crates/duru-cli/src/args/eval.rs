//! `duru eval`: how good the answers are, on sets of questions.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use super::docs::top;
use crate::lang::Lang;

/// What is evaluated.
#[derive(Debug)]
pub(crate) enum EvalArgs {
    Documents(EvalDocuments),
}

/// Finding documents, without a model.
#[derive(Debug)]
pub(crate) struct EvalDocuments {
    pub(crate) corpus: PathBuf,
    pub(crate) questions: PathBuf,
    pub(crate) top: usize,
    pub(crate) out: PathBuf,
}

pub(super) fn command(lang: Lang, new: &dyn Fn(&'static str) -> Command) -> Command {
    let say = |ko, en| lang.pick(ko, en);
    let file = |name: &'static str, ko, en| {
        Arg::new(name)
            .long(name)
            .required(true)
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help(say(ko, en))
    };
    new("eval")
        .about(say("질문 묶음으로 답의 품질을 잽니다", "Measure answers on sets of questions"))
        .subcommand_required(true)
        .subcommand(
            new("documents")
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
}

pub(super) fn read(matches: &ArgMatches) -> Option<EvalArgs> {
    let (_, documents) = matches.subcommand().filter(|(name, _)| *name == "documents")?;
    let file = |name: &str| documents.get_one::<PathBuf>(name).cloned().unwrap_or_default();
    Some(EvalArgs::Documents(EvalDocuments {
        corpus: file("corpus"),
        questions: file("questions"),
        top: documents.get_one::<u32>("top").map_or(10, |top| *top as usize),
        out: file("out"),
    }))
}
