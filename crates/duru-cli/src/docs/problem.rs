//! What can go wrong with documents, in both languages.

use duru_search::{index, ingest, retrieve, text};

use crate::lang::Lang;
use crate::problem::Problem;
use crate::reasons::with_detail;

#[derive(Debug)]
pub(crate) enum DocsProblem {
    Index(index::Error),
    Ingest(ingest::Error),
    Search(retrieve::Error),
    Thesaurus(std::path::PathBuf, text::ThesaurusError),
    /// A file that was named can't be read or written.
    File(std::path::PathBuf, std::io::Error),
    /// A file of questions or documents is not what it should be.
    Content(std::path::PathBuf, String),
    /// The embedder that is configured can't be used.
    Embedder(duru_llm::Error),
    /// The reranker that is configured can't be used.
    Reranker(duru_llm::Error),
    /// An index can't be in object storage.
    Bucket,
    /// There is too little to measure an embedder on.
    TooFew,
    /// Neither a document nor a passage.
    Unknown(String),
    UnknownRemark(String),
    /// A remark that is not kept.
    Remark(duru_search::remark::Error),
    /// Files were skipped, and nothing was read.
    NothingRead(usize),
}

impl From<DocsProblem> for Problem {
    fn from(problem: DocsProblem) -> Self {
        Self::Docs(problem)
    }
}

impl DocsProblem {
    /// Never changed.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Index(index::Error::Busy { .. }) => "index-busy",
            Self::Index(index::Error::Newer { .. }) => "index-newer",
            Self::Index(index::Error::OtherEmbedder { .. }) => "index-embedder",
            Self::Index(_) => "index",
            Self::Ingest(_) => "ingest",
            Self::Search(_) => "search",
            Self::Thesaurus(..) => "thesaurus",
            Self::File(..) => "file",
            Self::Content(..) => "content",
            Self::Embedder(_) => "embedder",
            Self::Reranker(_) => "reranker",
            Self::Bucket => "index-in-bucket",
            Self::TooFew => "too-few-passages",
            Self::Unknown(_) => "unknown-document",
            Self::UnknownRemark(_) => "unknown-remark",
            Self::Remark(_) => "remark",
            Self::NothingRead(_) => "nothing-read",
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Ingest(_)
            | Self::Search(_)
            | Self::NothingRead(_)
            | Self::TooFew
            | Self::Index(index::Error::Busy { .. }) => 1,
            Self::Unknown(_) | Self::UnknownRemark(_) | Self::Remark(_) | Self::Content(..) => 2,
            Self::Thesaurus(..) | Self::File(..) | Self::Embedder(_) | Self::Reranker(_) | Self::Bucket => 3,
            Self::Index(_) => 5,
        }
    }

    pub(crate) fn what(&self, lang: Lang) -> String {
        let say = |ko: String, en: String| lang.pick(ko, en);
        match self {
            Self::Index(error) => {
                say(format!("색인을 쓸 수 없습니다: {}", lang.of_index(error)), error.to_string())
            }
            Self::Ingest(error) => say(with_detail("읽어들이다 멈췄습니다", error), error.to_string()),
            Self::Search(error) => say(with_detail("찾지 못했습니다", error), error.to_string()),
            Self::Thesaurus(file, error) => {
                let file = file.display();
                let ko = with_detail(format_args!("낱말 사전 {file}이(가) 잘못되었습니다"), error);
                say(ko, format!("{file}: {error}"))
            }
            Self::File(file, error) => {
                let file = file.display();
                say(
                    format!("{file} 파일을 쓸 수 없습니다: {}", lang.of_system(error)),
                    format!("{file} can't be used: {error}"),
                )
            }
            Self::Content(file, why) => {
                let file = file.display();
                say(
                    with_detail(format_args!("{file}의 내용이 잘못되었습니다"), why),
                    format!("{file} is not what it should be: {why}"),
                )
            }
            Self::Embedder(error) => {
                say(with_detail("임베딩 모델을 쓸 수 없습니다", error), error.to_string())
            }
            Self::Reranker(error) => {
                say(with_detail("재정렬 서비스를 쓸 수 없습니다", error), error.to_string())
            }
            Self::Bucket => say(
                "문서 색인은 버킷(s3://)에 둘 수 없습니다".to_owned(),
                "an index of documents can't be in a bucket (s3://)".to_owned(),
            ),
            Self::TooFew => say(
                "잣대를 잴 만큼 조각이 많지 않거나, 임베딩이 벡터를 주지 않습니다".to_owned(),
                "there are too few passages to measure a scale on, or the embedder gives no vectors"
                    .to_owned(),
            ),
            Self::Unknown(id) => {
                say(format!("그런 문서나 조각이 없습니다: {id}"), format!("no document or passage {id}"))
            }
            Self::UnknownRemark(id) => {
                say(format!("그런 의견이 없거나 바뀌었습니다: {id}"), format!("no remark {id}, or no longer"))
            }
            Self::Remark(error) => say(super::of_remark(error), error.to_string()),
            Self::NothingRead(count) => say(
                format!("{count}개 파일을 건너뛰었고, 읽은 것이 없습니다"),
                format!("{count} file(s) were skipped, and none was read"),
            ),
        }
    }

    pub(crate) fn advice(&self, lang: Lang) -> String {
        lang.pick(
            match self {
                Self::Index(index::Error::Busy { .. }) => "다른 프로그램이 쓰기를 마친 뒤 다시 하세요",
                Self::Index(index::Error::OtherEmbedder { .. }) => {
                    "--index로 새 폴더를 지정하고 문서를 다시 읽어들이세요"
                }
                Self::Index(index::Error::Unreachable { .. }) => "--index의 주소와 데이터베이스를 확인하세요",
                Self::Index(_) => "--index로 쓸 수 있는 폴더를 지정하세요",
                Self::Bucket => "--index에 폴더나 postgres:// URL을 쓰세요",
                Self::Embedder(_) => "DURU_EMBEDDING을 openai:이름, ollama:이름이나 주소로 정하거나 지우세요",
                Self::Reranker(_) => "DURU_RERANK를 http나 https 주소로 정하거나 지우세요",
                Self::TooFew => "서로 다른 문서를 더 읽어들인 뒤 다시 하세요",
                Self::Unknown(_) => "`duru docs list`와 `duru docs show`가 보여 주는 이름을 쓰세요",
                Self::UnknownRemark(_) => "`duru docs remarks list`가 보여 주는 이름을 쓰세요",
                Self::Remark(_) => "의견을 고쳐 다시 적으세요",
                Self::Content(..) => "줄마다 JSON 객체 하나여야 합니다",
                _ => "파일의 경로와 내용을 확인하세요",
            },
            match self {
                Self::Index(index::Error::Busy { .. }) => "try again when the other program is done",
                Self::Index(index::Error::OtherEmbedder { .. }) => {
                    "name another folder with --index and take the documents in again"
                }
                Self::Index(index::Error::Unreachable { .. }) => {
                    "check the address in --index, and the database"
                }
                Self::Index(_) => "name a folder that you may write to with --index",
                Self::Bucket => "name a folder or a postgres:// URL with --index",
                Self::Embedder(_) => {
                    "set DURU_EMBEDDING to openai:NAME, ollama:NAME or an address, or unset it"
                }
                Self::Reranker(_) => "set DURU_RERANK to an address of http or https, or unset it",
                Self::TooFew => "take in more documents that differ, and try again",
                Self::Unknown(_) => "use an id that `duru docs list` and `duru docs show` give",
                Self::UnknownRemark(_) => "use an id that `duru docs remarks list` gives",
                Self::Remark(_) => "change the remark and say it again",
                Self::Content(..) => "it must have a JSON object on every line",
                _ => "check the path and the content of the file",
            },
        )
        .to_owned()
    }
}
