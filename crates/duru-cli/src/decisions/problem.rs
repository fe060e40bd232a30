//! What can go wrong with decisions.

use std::io;

use duru_llm::decision::SetupError;
use duru_llm::fake::ScriptError;

use crate::lang::Lang;
use crate::output::Output;
use crate::reasons::with_detail;

#[derive(Debug)]
pub(crate) enum Problem {
    /// No decision has this name.
    Unknown(String),
    /// Prompts or prices of the user's cannot be used.
    Setup(SetupError),
    /// A script of the fake model can't be read.
    NoScript { file: String, source: io::Error },
    /// A line of it is wrong.
    Script { file: String, source: ScriptError },
}

impl From<SetupError> for Problem {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl From<Problem> for crate::problem::Problem {
    fn from(problem: Problem) -> Self {
        Self::Decisions(problem)
    }
}

impl Problem {
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "unknown-decision",
            Self::Setup(SetupError::Prices(_)) => "prices",
            Self::Setup(SetupError::Policy { .. } | SetupError::Policies { .. }) => "policy",
            Self::Setup(SetupError::Seconds { .. }) => "seconds",
            Self::Setup(_) => "prompts",
            Self::NoScript { .. } | Self::Script { .. } => "script",
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Unknown(_) | Self::NoScript { .. } | Self::Script { .. } => 2,
            Self::Setup(_) => 3,
        }
    }

    pub(crate) fn what(&self, lang: Lang) -> String {
        match self {
            Self::Unknown(name) => lang
                .pick(format!("{name:?}(이)라는 판단이 없습니다"), format!("there is no decision {name:?}")),
            Self::Setup(error) => lang.pick(with_detail("설정을 쓸 수 없습니다", error), error.to_string()),
            Self::NoScript { file, source } => lang.pick(
                format!("대본 {file}을(를) 읽을 수 없습니다: {}", lang.of_system(source)),
                format!("can't read the script {file}: {source}"),
            ),
            Self::Script { file, source } => {
                let ko = with_detail(format_args!("대본 {file}이(가) 잘못되었습니다"), source);
                lang.pick(ko, format!("the script {file}: {source}"))
            }
        }
    }

    pub(crate) fn advice(&self, output: &Output) -> String {
        match self {
            Self::Unknown(_) => {
                let list = output.command("decisions");
                output
                    .lang
                    .pick(format!("`{list}`가 이름을 보여 줍니다"), format!("`{list}` lists the names"))
            }
            Self::Setup(SetupError::Prices(_)) => output.lang.pick(
                "DURU_PRICES의 파일을 고치거나, 변수를 지우면 내장된 가격을 씁니다".to_owned(),
                "correct the file in DURU_PRICES, or unset it to use the built-in prices".to_owned(),
            ),
            Self::Setup(SetupError::Policy { variable, .. }) => output.lang.pick(
                format!("{variable}에 model, rule, unless_certain, agree, agree_unless_certain, witness 가운데 하나를 쓰세요"),
                format!("set {variable} to model, rule, unless_certain, agree, agree_unless_certain or witness"),
            ),
            Self::Setup(SetupError::Policies { file, .. }) => output.lang.pick(
                format!("`duru eval … --write-policy {file}`로 다시 만들거나 DURU_POLICIES를 지우세요"),
                format!("make it again with `duru eval … --write-policy {file}`, or unset DURU_POLICIES"),
            ),
            Self::Setup(SetupError::Seconds { variable, .. }) => output.lang.pick(
                format!("{variable}에 1 이상의 초를 쓰세요"),
                format!("set {variable} to a number of seconds from 1"),
            ),
            Self::Setup(_) => output.lang.pick(
                "DURU_PROMPTS의 파일을 고치거나, 변수를 지우면 내장된 프롬프트를 씁니다".to_owned(),
                "correct the file in DURU_PROMPTS, or unset it to use the built-in prompts".to_owned(),
            ),
            Self::NoScript { .. } | Self::Script { .. } => {
                let help = output.command("fake-model --help");
                output.lang.pick(format!("`{help}`에 형식이 있습니다"), format!("`{help}` shows the form"))
            }
        }
    }
}
