//! What can go wrong with tables of others.

use std::io;
use std::path::PathBuf;

use duru_sql::Error;

use crate::lang::Lang;
use crate::reasons::with_detail;

#[derive(Debug)]
pub(crate) enum TablesProblem {
    /// The database can't be reached, or refuses.
    Source(Error),
    /// The file with the password can't be read.
    PasswordFile { file: PathBuf, source: io::Error },
    /// What was named is no database, and nothing has this name.
    Unknown { given: String },
    /// There is nothing that may be asked; of files, why is said before.
    Empty { files: bool },
    /// This machine has no place for files of ours.
    NoFolder,
    /// A source's file can't be read or written.
    File { file: PathBuf, source: io::Error },
    /// A source's file is not written as it should be.
    Toml { file: PathBuf, reason: String },
    /// Something else has this name.
    Exists { name: String, file: PathBuf },
    /// This can't be a name.
    BadName { name: String },
    /// A description fits its tables badly; what is wrong was said.
    Mistakes { count: usize },
    /// There is no model that could name anything; if one is set that can't be used, why.
    NoModel { reason: Option<String> },
    /// The model may not name columns: that is set, or was measured.
    ModelNotTrusted { model: String },
    /// The model named nothing, and why.
    Unnamed { reason: String },
}

impl From<TablesProblem> for crate::problem::Problem {
    fn from(problem: TablesProblem) -> Self {
        Self::Tables(problem)
    }
}

impl TablesProblem {
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Source(Error::Denied { .. }) => "tables-denied",
            Self::Source(_) => "tables-unavailable",
            Self::PasswordFile { .. } => "tables-password",
            Self::Unknown { .. } => "tables-unknown",
            Self::Empty { .. } => "tables-empty",
            Self::NoFolder | Self::File { .. } => "tables-file",
            Self::Toml { .. } | Self::Mistakes { .. } => "tables-description",
            Self::Exists { .. } | Self::BadName { .. } => "tables-name",
            Self::NoModel { .. } | Self::ModelNotTrusted { .. } | Self::Unnamed { .. } => "tables-model",
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Source(_) | Self::Unnamed { .. } => 5,
            Self::PasswordFile { .. }
            | Self::NoModel { .. }
            | Self::ModelNotTrusted { .. }
            | Self::NoFolder
            | Self::File { .. }
            | Self::Toml { .. }
            | Self::Mistakes { .. } => 3,
            Self::Unknown { .. } | Self::Empty { .. } | Self::Exists { .. } | Self::BadName { .. } => 2,
        }
    }

    pub(crate) fn what(&self, lang: Lang) -> String {
        let say = |ko: String, en: String| lang.pick(ko, en);
        match self {
            Self::Source(Error::Unavailable { reason }) => say(
                with_detail("데이터베이스에 연결할 수 없습니다", reason),
                format!("the database can't be reached: {reason}"),
            ),
            Self::Source(error) => error.text(crate::logs::lang(lang)),
            Self::PasswordFile { file, source } => say(
                format!(
                    "비밀번호 파일 {}을(를) 읽을 수 없습니다: {}",
                    file.display(),
                    lang.of_system(source)
                ),
                format!("the password's file {} can't be read: {source}", file.display()),
            ),
            Self::Unknown { given } => say(
                format!("데이터베이스의 주소도, 등록된 이름도 아닙니다: {given}"),
                format!("this is neither a database's URL nor a name that was added: {given}"),
            ),
            Self::Empty { files: true } => say(
                "이 파일에는 물을 수 있는 테이블이 없습니다".into(),
                "there is no table in these files that can be asked".into(),
            ),
            Self::Empty { files: false } => say(
                "이 데이터베이스에는 읽을 수 있는 테이블이 없습니다".into(),
                "this database has no table that may be read".into(),
            ),
            Self::NoFolder => say(
                "파일을 둘 데이터 폴더를 찾을 수 없습니다".into(),
                "there is no data folder to keep the file in".into(),
            ),
            Self::File { file, source } => {
                format!("{}: {}", file.display(), lang.of_system(source))
            }
            Self::Toml { file, reason } => say(
                with_detail(format_args!("{}을(를) 읽을 수 없습니다", file.display()), reason),
                format!("{} can't be read: {reason}", file.display()),
            ),
            Self::Exists { name, file } => say(
                format!("{name}은(는) 이미 있습니다 ({})", file.display()),
                format!("{name} is there already ({})", file.display()),
            ),
            Self::BadName { name } => {
                say(format!("이름으로 쓸 수 없습니다: {name}"), format!("this can't be a name: {name}"))
            }
            Self::Mistakes { count } => say(
                format!("설명에 틀린 곳이 {count}군데 있습니다"),
                format!("{count} mistake(s) in the description"),
            ),
            Self::NoModel { reason: None } => {
                say("말을 제안할 모델이 없습니다".into(), "there is no model that could suggest words".into())
            }
            Self::NoModel { reason: Some(reason) } => say(
                with_detail("모델을 쓸 수 없습니다", reason),
                format!("the model can't be used: {reason}"),
            ),
            Self::ModelNotTrusted { model } => say(
                format!("{model}은(는) 열의 이름을 짓지 않습니다: 설정이나 측정 결과가 규칙에 맡깁니다"),
                format!("{model} does not name columns: what is set or was measured leaves it to the rule"),
            ),
            Self::Unnamed { reason } => say(
                with_detail("모델이 아무 말도 제안하지 못했습니다", reason),
                format!("the model suggested nothing: {reason}"),
            ),
        }
    }

    pub(crate) fn advice(&self, lang: Lang) -> String {
        let (ko, en) = match self {
            Self::Source(Error::Denied { .. }) => {
                ("이 사용자에게 SELECT 권한을 주세요", "GRANT SELECT to this user")
            }
            Self::Source(_) => (
                "서버가 켜져 있는지, 주소와 사용자가 맞는지 보세요; 비밀번호는 PGPASSWORD나 --tables-password-file로 줍니다",
                "see that the server runs, and that address and user are right; a password goes into PGPASSWORD or --tables-password-file",
            ),
            Self::PasswordFile { .. } => (
                "비밀번호만 든, 읽을 수 있는 파일을 지정하세요",
                "name a file that can be read and holds the password alone",
            ),
            Self::Unknown { .. } => (
                "postgres://사용자@호스트:5432/데이터베이스 처럼 쓰거나, `duru tables list`에 있는 이름을 쓰세요",
                "write postgres://user@host:5432/database, or a name that `duru tables list` shows",
            ),
            Self::Empty { files: true } => (
                "CSV, TSV, JSON, Parquet나 XLSX 파일, 또는 그런 파일이 든 폴더를 지정하세요",
                "name a CSV, TSV, JSON, Parquet or XLSX file, or a folder of such files",
            ),
            Self::Empty { files: false } => (
                "데이터베이스의 이름을 확인하고, 이 사용자에게 USAGE와 SELECT 권한을 주세요",
                "check the database's name, and GRANT USAGE and SELECT to this user",
            ),
            Self::NoFolder => ("HOME이나 XDG_DATA_HOME을 설정하세요", "set HOME or XDG_DATA_HOME"),
            Self::File { .. } => ("경로와 권한을 확인하세요", "check the path and its rights"),
            Self::Toml { .. } | Self::Mistakes { .. } => {
                ("그 줄을 고치고 다시 하세요", "correct the line and try again")
            }
            Self::Exists { .. } => (
                "--name으로 다른 이름을 주거나, `duru tables forget`으로 먼저 잊으세요",
                "give another one with --name, or forget it first with `duru tables forget`",
            ),
            Self::BadName { .. } => {
                ("--name에는 글자, 숫자, -, _만 쓰세요", "use letters, digits, - and _ alone in --name")
            }
            Self::NoModel { .. } => (
                "--model이나 DURU_MODEL로 모델을 정하세요 (예: ollama:qwen3); 말은 파일의 nouns에 직접 적을 수도 있습니다",
                "name one with --model or DURU_MODEL, such as ollama:qwen3; or write words into the file yourself, as nouns",
            ),
            Self::ModelNotTrusted { .. } => (
                "`duru decisions`가 까닭을 보여 줍니다; 그래도 하려면 DURU_POLICY_ANALYST_NAME_COLUMNS=model",
                "`duru decisions` says why; to do it all the same: DURU_POLICY_ANALYST_NAME_COLUMNS=model",
            ),
            Self::Unnamed { .. } => (
                "`duru doctor`로 모델을 확인하고 다시 하세요; 파일은 그대로입니다",
                "check the model with `duru doctor` and try again; the file is as it was",
            ),
        };
        lang.pick(ko, en).to_owned()
    }
}
