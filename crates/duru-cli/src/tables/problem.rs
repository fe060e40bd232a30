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
    /// What was named is no database.
    NoDatabase { given: String },
    /// There is nothing that may be asked.
    Empty,
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
            Self::NoDatabase { .. } => "tables-unknown",
            Self::Empty => "tables-empty",
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Source(_) => 5,
            Self::PasswordFile { .. } => 3,
            Self::NoDatabase { .. } | Self::Empty => 2,
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
            Self::NoDatabase { given } => say(
                format!("데이터베이스의 주소가 아닙니다: {given}"),
                format!("this names no database: {given}"),
            ),
            Self::Empty => say(
                "이 데이터베이스에는 읽을 수 있는 테이블이 없습니다".into(),
                "this database has no table that may be read".into(),
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
            Self::NoDatabase { .. } => (
                "postgres://사용자@호스트:5432/데이터베이스 처럼 쓰세요",
                "write postgres://user@host:5432/database",
            ),
            Self::Empty => (
                "데이터베이스의 이름을 확인하고, 이 사용자에게 USAGE와 SELECT 권한을 주세요",
                "check the database's name, and GRANT USAGE and SELECT to this user",
            ),
        };
        lang.pick(ko, en).to_owned()
    }
}
