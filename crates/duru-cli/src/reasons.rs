//! Why something failed that others did for us, in the person's language. What only helps whoever looks into it stands
//! behind "자세히", as it was said.

use std::fmt::Display;
use std::io;

use duru::{Error, Failure, FailureKind, store};
use duru_search::index;
use duru_search::read;

use crate::lang::Lang;

/// A sentence, and behind it what a technician wants to know.
pub(crate) fn with_detail(sentence: impl Display, detail: impl Display) -> String {
    format!("{sentence} (자세히: {detail})")
}

impl Lang {
    /// The system refused something.
    pub(crate) fn of_system(self, error: &io::Error) -> String {
        use io::ErrorKind as Kind;
        let ko = match error.kind() {
            Kind::NotFound => "그런 파일이나 폴더가 없습니다",
            Kind::PermissionDenied => "권한이 없습니다",
            Kind::AlreadyExists => "같은 이름이 이미 있습니다",
            Kind::AddrInUse => "다른 프로그램이 이미 쓰고 있는 주소입니다",
            Kind::AddrNotAvailable => "이 컴퓨터의 주소가 아닙니다",
            Kind::StorageFull | Kind::QuotaExceeded => "디스크에 남은 자리가 없습니다",
            Kind::ReadOnlyFilesystem => "읽기만 할 수 있는 곳입니다",
            Kind::IsADirectory => "파일이 아니라 폴더입니다",
            Kind::NotADirectory => "폴더가 아니라 파일입니다",
            Kind::ConnectionRefused => "연결이 거절되었습니다",
            Kind::TimedOut => "시간이 다 되도록 답이 없습니다",
            Kind::UnexpectedEof => "내용이 도중에 끊겼습니다",
            _ => return self.pick(with_detail("시스템이 해 주지 않았습니다", error), error.to_string()),
        };
        self.pick(ko.to_owned(), error.to_string())
    }

    /// A store of threads could not be used.
    pub(crate) fn of_store(self, error: &store::Error) -> String {
        let ko = match error {
            store::Error::Conflict { thread, reason } => {
                with_detail(format_args!("다른 프로그램이 스레드 {thread}을(를) 먼저 바꾸었습니다"), reason)
            }
            store::Error::Owned { thread, owner, .. } => {
                format!("스레드 {thread}은(는) 지금 {owner}이(가) 실행하고 있습니다")
            }
            store::Error::Corrupt { what, reason } => {
                with_detail("저장된 내용이 손상되었습니다", format_args!("{what}: {reason}"))
            }
            store::Error::Newer { what, found, known } => with_detail(
                "더 새로운 두루가 쓴 내용입니다",
                format_args!("{what}, format {found}, known {known}"),
            ),
            store::Error::Backend { action, source } => {
                with_detail("저장소가 일을 마치지 못했습니다", format_args!("{action}: {source}"))
            }
            other => with_detail("저장소의 오류입니다", other),
        };
        self.pick(ko, error.to_string())
    }

    /// A run could not begin.
    pub(crate) fn of_engine(self, error: &Error) -> String {
        let ko = match error {
            Error::Store(error) => return self.of_store(error),
            Error::ThreadId(_) => "스레드의 이름으로 쓸 수 없는 글자입니다".to_owned(),
            Error::Busy { thread } => format!("스레드 {thread}에서 다른 실행이 아직 끝나지 않았습니다"),
            Error::NothingToResume { thread, reason } => {
                with_detail(format_args!("스레드 {thread}에는 이어서 할 일이 없습니다"), reason)
            }
            Error::Ambiguous { thread, pending } => {
                format!(
                    "스레드 {thread}이(가) 답 {}개를 기다립니다; 어느 질문의 답인지 정해 주세요",
                    pending.len()
                )
            }
            Error::UnknownInterrupt { thread, .. } => {
                format!("스레드 {thread}에 그런 질문이 없습니다: 이미 답했거나 기한이 지났습니다")
            }
            Error::UnfitAnswer { reason, .. } => with_detail("질문에 맞지 않는 답입니다", reason),
            Error::Waiting { thread, .. } => format!("스레드 {thread}이(가) 먼저 한 질문의 답을 기다립니다"),
            Error::UnknownCheckpoint { thread, checkpoint } => {
                format!("스레드 {thread}에 체크포인트 {checkpoint}이(가) 없습니다")
            }
            Error::AmbiguousWriter { thread } => {
                format!("스레드 {thread}에는 마지막으로 쓴 노드가 여럿입니다; 어느 노드로 바꿀지 정해 주세요")
            }
            Error::NoSubgraph { thread, task } => {
                format!("스레드 {thread}에 아직 끝나지 않은 하위 그래프 {task}이(가) 없습니다")
            }
            Error::UnknownRun { thread, run } => format!("스레드 {thread}에 실행 {run}이(가) 없습니다"),
            Error::NotLast { thread, run } => {
                format!("실행 {run}은(는) 스레드 {thread}의 마지막 실행이 아닙니다")
            }
            Error::Exists { thread } => format!("스레드 {thread}이(가) 이미 있습니다"),
            Error::Input { graph, reason } => {
                with_detail(format_args!("그래프 {graph}에 맞지 않는 입력입니다"), reason)
            }
            Error::OtherGraph { thread, found, .. } => {
                format!("스레드 {thread}은(는) 그래프 {found}의 단계 중간에 있습니다")
            }
            Error::Incompatible { thread, graph, reason } => with_detail(
                format_args!("스레드 {thread}은(는) 지금의 그래프 {graph}에 맞지 않습니다"),
                reason,
            ),
            other => with_detail("실행을 시작하지 못했습니다", other),
        };
        self.pick(ko, error.to_string())
    }

    /// A run failed.
    pub(crate) fn of_run(self, failure: &Failure) -> String {
        let what = match failure.kind {
            FailureKind::Panic => "비정상으로 끝났습니다",
            FailureKind::Timeout | FailureKind::StepTimeout => "정해진 시간을 넘겼습니다",
            FailureKind::RecursionLimit => "단계 수의 한도에 이르렀습니다",
            _ => "오류가 났습니다",
        };
        let (graph, step) = (&failure.graph, failure.step);
        let place = match &failure.node {
            Some(node) => format!("그래프 {graph}의 {step}단계, 노드 {node}에서 {what}"),
            None => format!("그래프 {graph}의 {step}단계에서 {what}"),
        };
        self.pick(with_detail(place, &failure.message), failure.to_string())
    }

    /// A file was skipped.
    pub(crate) fn of_document(self, error: &read::Error) -> String {
        let ko = match error {
            read::Error::Open { source, .. } => format!("파일을 열 수 없습니다: {}", self.of_system(source)),
            read::Error::TooLarge { size, limit } => {
                format!("파일이 {size}바이트로, 읽을 수 있는 {limit}바이트보다 큽니다")
            }
            read::Error::Expands { limit } => format!("압축을 풀면 {limit}바이트보다 커집니다"),
            read::Error::TooMuchMemory { limit } => {
                format!("읽는 데 메모리가 {limit}바이트보다 많이 듭니다")
            }
            read::Error::TooManyPages { pages, limit } => {
                format!("{pages}쪽으로, 읽을 수 있는 {limit}쪽보다 많습니다")
            }
            read::Error::TooSlow(limit) => format!("읽는 데 {}초보다 오래 걸렸습니다", limit.as_secs()),
            read::Error::Encrypted => "암호가 걸린 파일입니다; 암호 없이 다시 저장하세요".to_owned(),
            read::Error::Hwp => {
                "HWP 파일은 읽을 수 없습니다; 한글에서 열어 HWPX나 PDF로 저장하세요".to_owned()
            }
            read::Error::UnknownKind(kind) => format!("읽을 수 없는 종류의 파일입니다: {kind}"),
            read::Error::NotText => "UTF-8, UTF-16, EUC-KR로 된 글이 아닙니다; UTF-8로 저장하세요".to_owned(),
            read::Error::Empty => "파일에 글이 없습니다; 스캔한 것이면 먼저 글자를 인식시키세요".to_owned(),
            read::Error::Json { line, reason } => {
                with_detail(format_args!("{line}번째 줄이 JSON 객체가 아닙니다"), reason)
            }
            read::Error::NoText { line } => {
                format!("{line}번째 줄에 글이 없습니다 (text, content, page_content)")
            }
            read::Error::Damaged(why) => with_detail("파일이 손상되었거나 이름과 다른 것입니다", why),
            other => with_detail("파일을 읽지 못했습니다", other),
        };
        self.pick(ko, error.to_string())
    }

    /// The index of documents could not be used.
    pub(crate) fn of_index(self, error: &index::Error) -> String {
        let ko = match error {
            index::Error::Busy { folder } => {
                format!("다른 프로그램이 {}의 색인에 쓰고 있습니다", folder.display())
            }
            index::Error::Folder { folder, source } => {
                format!("폴더 {}을(를) 쓸 수 없습니다: {}", folder.display(), self.of_system(source))
            }
            index::Error::Newer { folder, format } => {
                format!("{}의 색인은 더 새로운 두루가 만들었습니다 (형식 {format})", folder.display())
            }
            index::Error::OtherEmbedder { ours, theirs } => {
                format!("색인을 만든 임베딩은 {theirs}인데 지금은 {ours}입니다")
            }
            index::Error::Unreachable { reason } => {
                with_detail("색인이 있는 데이터베이스에 연결할 수 없습니다", reason)
            }
            index::Error::Damaged(why) => with_detail("색인에 저장된 내용을 읽을 수 없습니다", why),
            other => with_detail("색인의 오류입니다", other),
        };
        self.pick(ko, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No English word stands outside of what is in brackets, but for names.
    fn is_korean(text: &str) -> bool {
        let shown = text.split(" (자세히:").next().unwrap_or_default();
        !shown.split(|c: char| !c.is_ascii_alphabetic()).any(|word| word.len() > 3)
    }

    #[test]
    fn what_others_say_in_english_is_a_detail() {
        let thread = duru::ThreadId::new("t").unwrap();
        let reason = || "the version does not match".to_owned();
        let stores = [
            store::Error::Conflict { thread: thread.clone(), reason: reason() },
            store::Error::Corrupt { what: "row 1 of thread t".into(), reason: reason() },
            store::Error::Newer { what: "the schema".into(), found: 9, known: 1 },
            store::Error::backend("open the database", io::Error::from(io::ErrorKind::PermissionDenied)),
        ];
        for error in stores {
            let said = Lang::Ko.of_store(&error);
            assert!(is_korean(&said), "{said}");
            assert_eq!(Lang::En.of_store(&error), error.to_string());
        }
        for kind in [
            io::ErrorKind::NotFound,
            io::ErrorKind::PermissionDenied,
            io::ErrorKind::StorageFull,
            io::ErrorKind::Other,
        ] {
            let said = Lang::Ko.of_system(&kind.into());
            assert!(is_korean(&said), "{said}");
        }
        let said = Lang::Ko.of_engine(&Error::Input { graph: "g".into(), reason: reason() });
        assert!(is_korean(&said) && said.contains("자세히: the version"), "{said}");
        assert!(is_korean(&Lang::Ko.of_document(&read::Error::Damaged(reason()))));
        assert!(is_korean(&Lang::Ko.of_index(&index::Error::Unreachable { reason: reason() })));
    }
}
