//! What can go wrong with copies of data.

use std::io;
use std::path::PathBuf;

use crate::lang::Lang;
use crate::problem::Problem;
use crate::reasons::with_detail;

#[derive(Debug)]
pub(crate) enum DataProblem {
    /// The file to be made is there.
    Exists(PathBuf),
    /// It is none of our files, or not as it was made.
    Damaged {
        file: PathBuf,
        reason: String,
    },
    /// A newer program made it.
    Newer(PathBuf),
    /// A program has the data open.
    InUse(PathBuf),
    /// There is data already.
    There(PathBuf),
    /// Where data is kept is not where the file has it from.
    Elsewhere(&'static str),
    Io {
        path: PathBuf,
        source: io::Error,
    },
    /// A setting is no time.
    Time {
        name: &'static str,
        value: String,
    },
}

impl From<DataProblem> for Problem {
    fn from(problem: DataProblem) -> Self {
        Self::Data(problem)
    }
}

impl DataProblem {
    pub(super) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Exists(_) => "backup-exists",
            Self::Damaged { .. } => "backup-damaged",
            Self::Newer(_) => "backup-newer",
            Self::InUse(_) => "data-in-use",
            Self::There(_) => "data-there",
            Self::Elsewhere(_) => "data-elsewhere",
            Self::Io { .. } => "no-file",
            Self::Time { .. } => "bad-settings",
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Io { .. } | Self::Time { .. } => 3,
            _ => 5,
        }
    }

    pub(crate) fn what(&self, lang: Lang) -> String {
        let say = |ko: String, en: String| lang.pick(ko, en);
        match self {
            Self::Exists(file) => say(
                format!("{}은(는) 이미 있습니다", file.display()),
                format!("{} is there already", file.display()),
            ),
            Self::Damaged { file, reason } => say(
                with_detail(format_args!("{}은(는) 온전한 백업이 아닙니다", file.display()), reason),
                format!("{} is no sound backup: {reason}", file.display()),
            ),
            Self::Newer(file) => say(
                format!("{}은(는) 더 새로운 프로그램이 만들었습니다", file.display()),
                format!("a newer program made {}", file.display()),
            ),
            Self::InUse(path) => say(
                format!("다른 프로그램이 {}을(를) 쓰고 있습니다", path.display()),
                format!("another program has {} open", path.display()),
            ),
            Self::There(path) => say(
                format!("{}에 이미 데이터가 있습니다", path.display()),
                format!("there is data in {} already", path.display()),
            ),
            Self::Elsewhere(part) => say(
                format!("백업에는 {part}이(가) 파일로 있지만, 지금 설정은 PostgreSQL을 가리킵니다"),
                format!("the backup has {part} as files, but the settings name a PostgreSQL"),
            ),
            Self::Io { path, source } => say(
                format!("{}을(를) 쓸 수 없습니다: {}", path.display(), lang.of_system(source)),
                format!("{} can't be used: {source}", path.display()),
            ),
            Self::Time { name, value } => say(
                format!("{name}: {value:?}은(는) 기간이 아닙니다"),
                format!("{name}: {value:?} is no span of time"),
            ),
        }
    }

    pub(crate) fn advice(&self, lang: Lang) -> &'static str {
        match self {
            Self::Exists(_) => {
                lang.pick("다른 이름을 쓰거나 그 파일을 옮기세요", "name another file, or move that one")
            }
            Self::Damaged { .. } => lang.pick(
                "다른 백업을 쓰세요; 데이터는 그대로입니다",
                "use another backup; the data is as it was",
            ),
            Self::Newer(_) => lang.pick("duru를 새 버전으로 올리세요", "upgrade duru"),
            Self::InUse(_) => lang.pick("서버를 먼저 멈추세요", "stop the server first"),
            Self::There(_) => lang.pick(
                "바꾸려면 --force를 쓰세요; 있던 것은 옆으로 옮겨 둡니다",
                "use --force to replace it; what is there is moved aside",
            ),
            Self::Elsewhere(_) => lang.pick(
                "--store, --logs, --index로 파일과 폴더를 지정하세요",
                "name a file and folders with --store, --logs and --index",
            ),
            Self::Io { .. } => lang
                .pick("경로와 권한과 남은 공간을 확인하세요", "check the path, the permissions and the room"),
            Self::Time { .. } => lang.pick("30d, 12h, 90m처럼 쓰세요", "write it as 30d, 12h or 90m"),
        }
    }
}
