//! What can go wrong with logs.

use std::path::PathBuf;

use duru_logs::AddressError;
use duru_sql::{Error, ingest};

use crate::lang::Lang;
use crate::reasons::with_detail;

#[derive(Debug)]
pub(crate) enum Problem {
    /// No store was named that can be opened.
    NoPlace,
    /// There is nothing at this place.
    Nothing {
        path: PathBuf,
    },
    /// The address of a bucket can't be understood.
    Address(AddressError),
    Store(Error),
    /// A file can't be read.
    File {
        file: PathBuf,
        error: ingest::Error,
    },
    /// A file of settings can't be understood.
    Config {
        file: PathBuf,
        reason: String,
    },
    Settings(ingest::Error),
    /// Nothing in the paths looks like logs.
    NoFiles,
    /// Rows were left out; the rest is kept.
    BadRows {
        bad: u64,
        /// Nothing was to be kept anyway.
        dry_run: bool,
    },
    /// The database is not hardened.
    Gaps {
        count: usize,
    },
}

pub(crate) fn lang(lang: Lang) -> duru_sql::guard::Lang {
    lang.pick(duru_sql::guard::Lang::Ko, duru_sql::guard::Lang::En)
}

impl From<Problem> for crate::problem::Problem {
    fn from(problem: Problem) -> Self {
        Self::Logs(problem)
    }
}

impl Problem {
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::NoPlace | Self::Nothing { .. } | Self::Store(Error::NoLogStore { .. }) => "no-log-store",
            Self::Store(Error::Denied { .. }) => "logs-denied",
            Self::Store(_) => "logs-unavailable",
            Self::File { .. } => "logs-file",
            Self::Config { .. } | Self::Settings(_) | Self::Address(_) => "logs-settings",
            Self::NoFiles => "no-log-files",
            Self::BadRows { .. } => "bad-rows",
            Self::Gaps { .. } => "not-hardened",
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::BadRows { .. } => 1,
            Self::NoPlace
            | Self::Nothing { .. }
            | Self::NoFiles
            | Self::File { .. }
            | Self::Store(Error::NoLogStore { .. }) => 2,
            Self::Config { .. } | Self::Settings(_) | Self::Address(_) | Self::Gaps { .. } => 3,
            Self::Store(_) => 5,
        }
    }

    pub(crate) fn what(&self, in_lang: Lang) -> String {
        let say = |ko: String, en: String| in_lang.pick(ko, en);
        match self {
            Self::NoPlace => say(
                "쓸 수 있는 로그 저장소를 지정하지 않았습니다".into(),
                "no log store was named that can be used".into(),
            ),
            Self::Nothing { path } => say(
                format!("로그가 없는 곳입니다: {}", path.display()),
                format!("there are no logs at {}", path.display()),
            ),
            Self::Store(error) => error.text(lang(in_lang)),
            Self::Address(error) => error.text(lang(in_lang)),
            Self::File { file, error } => format!("{}: {}", file.display(), error.text(lang(in_lang))),
            Self::Config { file, reason } => say(
                with_detail(format_args!("설정 파일 {}을(를) 읽을 수 없습니다", file.display()), reason),
                format!("the settings in {} can't be read: {reason}", file.display()),
            ),
            Self::Settings(error) => error.text(lang(in_lang)),
            Self::NoFiles => say("로그 파일이 없습니다".into(), "there are no log files".into()),
            Self::BadRows { bad, dry_run: true } => {
                say(format!("읽을 수 없는 행이 {bad}개 있습니다"), format!("{bad} row(s) can't be read"))
            }
            Self::BadRows { bad, .. } => say(
                format!("읽을 수 없는 행 {bad}개를 뺐습니다; 나머지는 넣었습니다"),
                format!("{bad} row(s) could not be read and were left out; the others are kept"),
            ),
            Self::Gaps { count } => say(
                format!("데이터베이스 보호에 빠진 것이 {count}개 있습니다"),
                format!("{count} gap(s) in what the database refuses by itself"),
            ),
        }
    }

    pub(crate) fn advice(&self, lang: Lang) -> String {
        let (ko, en) = match self {
            Self::NoPlace => (
                "DURU_LOGS=postgres://user:password@host:5432/database 를 설정하거나 --logs로 폴더를 지정하세요",
                "set DURU_LOGS=postgres://user:password@host:5432/database, or name a folder with --logs",
            ),
            Self::Nothing { .. } => (
                "경로를 확인하거나, `duru logs ingest`로 먼저 로그를 넣으세요",
                "check the path, or take in logs first with `duru logs ingest`",
            ),
            Self::Store(Error::NoLogStore { own_table: true }) => (
                "그 테이블에 물으려면 --logs 대신 --tables를 쓰세요; 로그 저장소는 다른 데이터베이스에 `duru logs init`으로 만듭니다",
                "to ask that table use --tables in place of --logs; `duru logs init` makes a log store in another database",
            ),
            Self::Store(Error::NoLogStore { .. }) => (
                "로그 저장소는 `duru logs init URL`로 만듭니다; 있는 테이블에 물으려면 --logs 대신 --tables를 쓰세요",
                "`duru logs init URL` makes one; to ask the tables that are there use --tables in place of --logs",
            ),
            Self::Store(Error::Denied { .. }) => (
                "테이블을 가진 사용자나 관리자로 접속하세요",
                "connect as the user who owns the tables, or as a superuser",
            ),
            Self::Address(_) => (
                "s3://버킷/접두사?endpoint=…&region=… 처럼 쓰세요 (docs/scale.md)",
                "write s3://BUCKET/PREFIX?endpoint=…&region=… (docs/scale.md)",
            ),
            Self::Store(Error::Bucket { .. }) => (
                "고친 뒤 다시 하세요; `duru doctor`가 버킷을 확인합니다. 같은 곳에 다시 넣으면 행이 두 번 들어가지 않습니다",
                "put it right and do it again; `duru doctor` checks the bucket, and no row is kept twice where the same place takes it in",
            ),
            Self::Store(_) => (
                "서버가 켜져 있는지, URL이 맞는지 확인하고 다시 하세요; 넣은 행은 두 번 들어가지 않습니다",
                "see that the server runs and the URL is right, and do it again; no row is kept twice",
            ),
            Self::File { .. } | Self::NoFiles => (
                "경로와 형식을 확인하세요; 아는 형식이 아니면 --map의 pattern으로 필드를 정합니다 (docs/logs.md)",
                "check the path and the format; a pattern in --map names the fields of an unknown one (docs/logs.md)",
            ),
            Self::Config { .. } | Self::Settings(_) => {
                ("설정을 고치고 다시 하세요", "correct the settings and try again")
            }
            Self::BadRows { .. } => (
                "위에 적힌 행만 따로 고쳐 넣거나, --map으로 필드를 알려 주세요",
                "correct the rows listed above and take in those alone, or name their fields with --map",
            ),
            Self::Gaps { .. } => (
                "`duru db harden --apply`를 관리자로 실행하세요",
                "run `duru db harden --apply` as a superuser",
            ),
        };
        lang.pick(ko, en).to_owned()
    }
}
